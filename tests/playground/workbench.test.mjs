// The workbench as a visitor uses it: the built package against the fault server, in Chromium.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { includes, playground } from './harness.mjs';

let site;
before(async () => {
  site = await playground();
});
after(() => site?.close());

test('a refused call shows its attempts, the backoff between them, and what the server saw', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.choose('Refused, then an answer');
  await visitor.send();
  await visitor.done();
  const kinds = await visitor.kinds();
  assert.ok(kinds.filter((kind) => kind === 'headers').length >= 3, kinds.join());
  assert.equal(kinds.filter((kind) => kind === 'backoff').length, 2, kinds.join());
  includes(await visitor.status.textContent(), '3 attempts');
  includes(await visitor.result.textContent(), 'As the scenario says it must be');
  assert.equal(await visitor.seen('requests'), 1);
  assert.equal(await visitor.seen('connectionsReset'), 2);
  includes(await visitor.code.textContent(), "retry: { limit: 3, delay: 10, jitter: 'none' }");
  includes(await visitor.page.locator('.lane .unseen').textContent(), '3 attempts');
});

test('a body that stalls is TIMEOUT, phase idle, with the silence drawn, and the server sees the close', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.choose('The body stalls after the headers');
  await visitor.send();
  await visitor.done();
  const text = await visitor.result.textContent();
  includes(text, 'TIMEOUT');
  includes(text, 'phaseidle');
  includes(text, 'Next: ');
  includes(text, 'As the scenario says it must be');
  assert.equal((await visitor.kinds()).at(-1), 'idle');
  assert.equal(await visitor.page.locator('.limit[data-limit="idleTimeout"]').count(), 1);
  assert.equal(await visitor.seen('closes'), 1);
});

test('Cancel ends a call that hangs with ABORTED, and gives the focus back to Send', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.own();
  await visitor.page.getByLabel('What fails').selectOption('No answer at all');
  await visitor.send();
  await visitor.page.locator('.segment.open[data-kind="attempt"]').waitFor();
  assert.equal(await visitor.page.locator('.lane .badge').textContent(), 'under way');
  await visitor.page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await visitor.done();
  includes(await visitor.status.textContent(), 'ABORTED');
  includes(await visitor.result.textContent(), 'cause');
  assert.equal(await visitor.seen('closes'), 1);
  assert.equal(await visitor.page.evaluate(() => document.activeElement.id), 'send');
});

test('20 calls in parallel have a lane each, and any of them can be looked at', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.own();
  await visitor.page.getByLabel('What fails').selectOption('Nothing');
  await visitor.send('Send 20 in parallel');
  await visitor.done();
  assert.equal(await visitor.lanes.count(), 20);
  includes(await visitor.status.textContent(), '20 of 20 succeeded');
  assert.equal(await visitor.seen('requests'), 20);
  const seventh = visitor.page.getByRole('button', { name: 'call 7' });
  await seventh.press('Enter');
  assert.equal(await seventh.getAttribute('aria-pressed'), 'true');
  includes(await visitor.result.textContent(), 'Status 200');
  includes(await visitor.code.textContent(), 'Promise.allSettled');
});

test('where all of many calls fail, the budget ends their retries, and it is said why', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.own();
  await visitor.page.getByLabel('delay', { exact: true }).fill('20');
  await visitor.send('Send 20 in parallel');
  await visitor.done();
  includes(await visitor.status.textContent(), ' × HTTP_ERROR');
  const requests = await visitor.seen('requests');
  assert.ok(requests > 20 && requests < 40, String(requests));
  includes(await visitor.result.textContent(), 'retryStoppedbudgettoo many calls to this origin are being retried');
});

test('beside it bare fetch is still pending when the call has long ended', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.choose('The body stalls after the headers');
  await visitor.page.getByRole('switch').check();
  await visitor.send();
  await visitor.page.getByText('As the scenario says it must be').waitFor();
  includes(await visitor.page.locator('.lane.bare .badge').textContent(), 'still pending');
  includes(await visitor.result.textContent(), 'Still pending.');
  await visitor.cancel();
  await visitor.done();
  includes(await visitor.page.locator('.bare-result').textContent(), 'Never settled by itself');
});

test('beside it bare fetch shows its own error', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.page.getByRole('switch').check();
  await visitor.send();
  await visitor.done();
  includes(await visitor.page.locator('.bare-result').textContent(), 'TypeError: Failed to fetch');
});

test('an option is sent as it was typed, also a wrong one, and shows in the code', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.choose('A plain answer');
  const timeout = visitor.page.getByLabel('timeout', { exact: true });
  await timeout.fill("'300'");
  includes(await visitor.code.textContent(), "timeout: '300'");
  await visitor.send();
  await visitor.done();
  includes(await visitor.status.textContent(), 'INVALID_OPTION');
  assert.equal(await visitor.seen('requests'), 0);
  await timeout.fill('300');
  includes(await visitor.code.textContent(), 'timeout: 300,');
  await visitor.page.getByRole('button', { name: 'Restore' }).click();
  assert.equal(await timeout.inputValue(), '');
});

test('a hook of the caller is a segment of its own', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.choose('A plain answer');
  await visitor.page.getByText('Body, headers, hook').click();
  await visitor.page.getByLabel('A beforeRequest hook').fill('100');
  await visitor.send();
  await visitor.done();
  includes((await visitor.kinds()).join(), 'hook,headers');
  includes(await visitor.code.textContent(), 'beforeRequest');
});

test('JSON that is none is shown where it was typed, and nothing is sent', async (t) => {
  const visitor = await site.openWorkbench(t);
  await visitor.page.getByText('Body, headers, hook').click();
  const further = visitor.page.getByLabel('Headers and fetch options');
  await further.fill('{ headers');
  await visitor.send();
  includes(await visitor.status.textContent(), 'no JSON');
  assert.equal(await further.evaluate((field) => field.validity.valid), false);
  assert.equal(await visitor.lanes.count(), 0);
});

test('everything can be done with the keyboard', async (t) => {
  const visitor = await site.openWorkbench(t);
  const { page } = visitor;
  for (const expected of ['Skip to Send', 'Failures', 'Workbench', 'Protection', 'Session', 'theme']) {
    await page.keyboard.press('Tab');
    assert.equal(await visitor.focused(), expected);
  }
  await page.keyboard.press('Tab');
  assert.equal(await visitor.focused(), 'fault-mode');
  await page.keyboard.press('Tab');
  assert.equal(await visitor.focused(), 'search');
  await page.keyboard.type('stalls');
  assert.equal(await page.locator('.scenario:visible').count(), 1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.ok(await page.getByRole('radio', { name: 'The body stalls after the headers' }).isChecked());
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await visitor.focused(), 'send');
  await page.keyboard.press('Enter');
  await visitor.done();
  includes(await visitor.status.textContent(), 'TIMEOUT');
  await page.locator('#log summary').press('Enter');
  assert.ok(await page.locator('.events li').first().isVisible());
});

test('360 px are enough, before and after a call', async (t) => {
  const visitor = await site.openWorkbench(t, { viewport: { width: 360, height: 740 } });
  assert.equal(await visitor.overflow(), 0);
  await visitor.page.getByRole('switch').check();
  await visitor.send();
  await visitor.done();
  assert.ok(await visitor.lanes.first().isVisible());
  assert.equal(await visitor.overflow(), 0);
  await visitor.own();
  await visitor.send('Send 20 in parallel');
  await visitor.done();
  assert.equal(await visitor.overflow(), 0);
});

test('the address names the case, and the gallery leads here with its case', async (t) => {
  const visitor = await site.openWorkbench(t, { fragment: '#post-answered-502/504' });
  const { page } = visitor;
  assert.ok(await page.getByRole('radio', { name: 'A gateway lost the answer of a POST' }).isChecked());
  assert.equal(await page.getByLabel('Variant', { exact: true }).evaluate((select) => select.selectedOptions[0].textContent), '504');
  includes(await visitor.code.textContent(), 'api.post');
  await visitor.own();
  await page.evaluate(() => {
    location.hash = '#C01';
  });
  await page.getByRole('radio', { name: 'The body stalls after the headers' }).and(page.locator(':checked')).waitFor();
  includes(await visitor.code.textContent(), 'idleTimeout: 300');
});
