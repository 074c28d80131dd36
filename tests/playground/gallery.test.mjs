// The gallery of failures as a visitor uses it: the built package against the fault server, in Chromium.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { includes, playground } from './harness.mjs';

let site;
before(async () => {
  site = await playground();
});
after(() => site?.close());

/** One of each kind; `seen` is what the timeline must have in it. */
const CASES = [
  { name: 'C01', title: 'The body stalls after the headers', seen: 'Attempt 1 fails: TIMEOUT, status 200, in phase idle' },
  { name: 'refused-then-ok', title: 'Refused, then an answer: two connections reset', seen: 'Retry 2 follows in' },
  { name: 'F15', title: 'The second attempt of a DELETE is answered 404', seen: 'Attempt 2 fails: HTTP_ERROR, status 404' },
  { name: 'cancelled-waiting/null', title: 'Cancelled while waiting for the headers: null', seen: 'The call fails: ABORTED' },
  { name: 'D02', title: 'A chunked body is cut off: complete JSON', seen: 'Attempt 1 fails: NETWORK_ERROR, status 200, in phase body' },
  { name: 'bodies-replay/a-form', title: 'Bodies are sent again as they were: a form', seen: 'The call succeeds with status 200 after 2 attempts' },
  { name: 'G07', title: 'Cancelling is not undoing', seen: 'outcome unknown' },
  { name: 'A08', title: 'A header that the preflight does not allow: GET', seen: 'NETWORK_ERROR' },
];

for (const { name, title, seen } of CASES) {
  test(`${name} comes out as expected, and its timeline can be read`, async (t) => {
    const visitor = await site.openGallery(t, { fragment: `#${name}` });
    assert.equal(await visitor.title.textContent(), title);
    includes(await visitor.verdict.textContent(), 'Not run yet');
    await visitor.run();
    includes(await visitor.verdict.textContent(), 'As expected');
    includes(await visitor.status.textContent(), 'As expected.');
    includes(await visitor.steps.textContent(), seen);
    assert.equal(await visitor.comparison.locator('[data-state="unexpected"]').count(), 0);
    assert.ok(await visitor.comparison.locator('[data-state="expected"]').count() > 2);
    assert.ok(await visitor.segments.count() > 0);
  });
}

test('a case tells what is asked, what the server does, and what is right, before it is run', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#F15' });
  includes(await visitor.asked.textContent(), 'api.delete(');
  includes(await visitor.plan.textContent(), 'Request 1Does the work, resets the connection');
  includes(await visitor.plan.textContent(), 'Request 2 and laterAnswers 404');
  includes(await visitor.comparison.textContent(), 'Outcome of each attemptunknown, answered—');
  assert.equal(await visitor.steps.count(), 0);
  await visitor.run();
  assert.equal(await visitor.seen('requests'), 2);
  includes(await visitor.result.textContent(), 'HTTP_ERROR');
});

test('what is not as expected is said field by field', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#plain-answer' });
  await visitor.page.route('**/plain-answer.json', async (route) => {
    const scenario = await (await route.fetch()).json();
    await route.fulfill({ json: { ...scenario, expect: { ...scenario.expect, status: 201, attempts: 1 } } });
  });
  await visitor.page.reload();
  await visitor.page.locator('html[data-ready]').waitFor();
  await visitor.run();
  includes(await visitor.verdict.textContent(), 'Not as expected');
  assert.deepEqual(await visitor.comparison.locator('[data-state="unexpected"]').allTextContents(), ['✕ not as expected: 200']);
  includes(await visitor.cases.getByRole('link', { name: 'A plain answer' }).textContent(), 'not as expected');
});

test('previous and next step through the cases, their address and their outcome', async (t) => {
  const visitor = await site.openGallery(t);
  const { page } = visitor;
  assert.equal(await visitor.title.textContent(), 'A plain answer');
  assert.equal(await page.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled'), 'true');
  await visitor.run();
  await visitor.press('Next');
  assert.equal(visitor.fragment(), '#slow-answer');
  includes(await visitor.status.textContent(), '2 of ');
  includes(await page.title(), 'A slow answer within the limit');
  includes(await visitor.verdict.textContent(), 'Not run yet');
  assert.equal(await page.locator('[aria-current="true"]').first().textContent(), 'A slow answer within the limit');
  await visitor.press('Previous');
  includes(await visitor.verdict.textContent(), 'As expected');
  includes(await visitor.steps.textContent(), 'The call succeeds');
});

test('the list leads to a case, its variants to each other, and Back to the one before', async (t) => {
  const visitor = await site.openGallery(t);
  const { page } = visitor;
  await visitor.cases.getByRole('searchbox').fill('gateway lost');
  assert.equal(await visitor.cases.getByRole('listitem').count(), 1);
  await visitor.cases.getByRole('link', { name: 'A gateway lost' }).click();
  assert.equal(visitor.fragment(), '#post-answered-502/502');
  await page.getByRole('list', { name: 'Variants' }).getByRole('link', { name: '409' }).click();
  assert.equal(visitor.fragment(), '#post-answered-502/409');
  await visitor.run();
  includes(await page.getByRole('list', { name: 'Variants' }).getByRole('link', { name: '409' }).textContent(), 'as expected');
  assert.equal(await page.getByRole('link', { name: 'Change it' }).getAttribute('href'), 'workbench.html#post-answered-502/409');
  await page.goBack();
  await page.getByRole('heading', { name: '502' }).waitFor();
  await visitor.cases.getByRole('searchbox').fill('no such thing');
  assert.ok(await page.getByText('No case fits.').isVisible());
});

test('Run all steps through the cases until it is stopped, and sums up', async (t) => {
  const visitor = await site.openGallery(t);
  const { page } = visitor;
  await visitor.press('Run all');
  await page.waitForFunction(() => document.getElementById('progress-bar').value >= 6);
  await page.locator('#all').click();
  await visitor.done();
  const [, done, good, bad] = /^Stopped after (\d+) of \d+ cases: (\d+) as expected, (\d+) not/.exec(await visitor.status.textContent());
  assert.ok(Number(done) >= 6);
  assert.equal(good, done);
  assert.equal(bad, '0');
  const report = page.getByRole('region', { name: 'All cases' });
  includes(await report.textContent(), 'Answers and errors');
  assert.equal(await report.getByRole('row').nth(1).getByRole('cell').nth(1).textContent(), done);
  assert.ok(await page.getByRole('button', { name: 'Run all' }).isVisible());
});

test('what needs a certificate is skipped where it is not accepted, and is run where it is', async (t) => {
  const strict = await site.openGallery(t, { fragment: '#G13' });
  await strict.run();
  includes(await strict.verdict.textContent(), 'Skipped.');
  assert.match(await strict.verdict.getByRole('link').getAttribute('href'), /^https:/);
  const lenient = await site.openGallery(t, { fragment: '#G13', ignoreHTTPSErrors: true });
  await lenient.run();
  includes(await lenient.verdict.textContent(), 'As expected');
});

test('a case can be stopped, by its button and by choosing another', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#drip' });
  await visitor.press('Run');
  await visitor.page.locator('.segment.open[data-kind="attempt"]').waitFor();
  await visitor.press('Stop');
  await visitor.done();
  includes(await visitor.verdict.textContent(), 'Stopped');
  await visitor.press('Run');
  await visitor.press('Next');
  const title = await visitor.title.textContent();
  await visitor.run();
  assert.equal(await visitor.title.textContent(), title);
  includes(await visitor.verdict.textContent(), 'As expected');
});

test('an address that names nothing shows the first case, and a number in small letters is one', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#nothing' });
  assert.equal(await visitor.title.textContent(), 'A plain answer');
  await visitor.visit('b01');
  await visitor.page.getByRole('heading', { name: 'Cancelled before the call' }).waitFor();
});

test('beside a case that was judged, bare fetch waits on, until it is stopped', async (t) => {
  const visitor = await site.openGallery(t, { fragment: '#C01' });
  await visitor.page.getByRole('switch', { name: 'Bare fetch beside it' }).check();
  await visitor.press('Run');
  await visitor.verdict.getByText('As expected').waitFor();
  includes(await visitor.page.locator('.lane.bare .badge').textContent(), 'still pending');
  await visitor.press('Stop');
  await visitor.done();
  includes(await visitor.result.textContent(), 'Never settled by itself');
  includes(await visitor.verdict.textContent(), 'As expected');
  await visitor.press('Next');
  assert.equal(await visitor.page.locator('.lane.bare').count(), 0);
  await visitor.press('Previous');
  includes(await visitor.result.textContent(), 'Never settled by itself');
});
