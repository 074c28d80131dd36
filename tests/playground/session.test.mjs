// The page about the session as a visitor uses it: two frames, one token that expires, with a lock over both and without.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { includes, playground } from './harness.mjs';

let site;
before(async () => {
  site = await playground();
});
after(() => site?.close());

const BUTTON = 'Expire the token';
const inSentence = (frame) => frame.replace('Frame', 'frame');
const other = { 'Frame A': 'Frame B', 'Frame B': 'Frame A' };

/** Lets the token expire; the page is done when all has been shown. */
async function expire(visitor) {
  await visitor.press(BUTTON);
  await visitor.done();
}

/** How the requests of the server's log began: their method, path and token. */
const requests = ({ page }) => page.locator('#log tr').evaluateAll((rows) => rows.map(({ cells }) => [cells[1].textContent.replace(/\?.*/, ''), cells[2].textContent]));
const count = (all, one) => all.filter((each) => each.join() === one.join()).length;

for (const each of [1, 3, 10]) {
  test(`with one lock, ${each} calls of each frame: one refresh, the other frame takes the token over, every call gets 200`, async (t) => {
    const visitor = await site.openSession(t);
    await visitor.page.getByLabel('Calls').selectOption(String(each));
    await expire(visitor);
    assert.equal(await visitor.gauge('refreshes'), '1');
    assert.equal(await visitor.gauge('calls'), `${2 * each} of ${2 * each}`);
    assert.equal(await visitor.gauge('session'), 'alive');
    const by = await visitor.gauge('refreshed');
    assert.equal(await visitor.gauge('adopted'), other[by]);
    includes(await visitor.status.textContent(), `1 refresh request, by ${inSentence(by)}; ${inSentence(other[by])} took over its token.`);
    const seen = await requests(visitor);
    assert.equal(count(seen, ['POST /token', 'refresh-1']), 1);
    assert.equal(count(seen, ['GET /data', 'access-2']), 2 * each);
    assert.deepEqual(await visitor.roles(), { [by]: 'refreshed', [other[by]]: 'adopted' });
    includes(await visitor.page.locator('#why').textContent(), 'the same lock');
  });
}

test('without the lock both refresh with one refresh token, and the session is revoked; with it all is well again', async (t) => {
  const visitor = await site.openSession(t);
  const { page } = visitor;
  await page.getByRole('switch', { name: 'One lock for both frames' }).uncheck();
  includes(await page.getByRole('region', { name: 'Code' }).textContent(), "lock: 'tab'");
  await expire(visitor);
  assert.equal(await visitor.gauge('refreshes'), '2');
  assert.equal(await visitor.gauge('calls'), '0 of 6');
  assert.equal(await visitor.gauge('session'), 'revoked');
  assert.equal(await visitor.gauge('adopted'), 'nobody');
  const by = await visitor.gauge('refreshed');
  assert.deepEqual(await visitor.roles(), { [by]: 'refreshed', [other[by]]: 'refused' });
  assert.equal(count(await requests(visitor), ['POST /token', 'refresh-1']), 2);
  const calls = (await page.locator('.frame-calls li').allTextContents()).map((text) => text.replace(/^Call \d: /, '')).sort();
  assert.deepEqual(calls, [
    ...Array(3).fill('401, then 401: HTTP_ERROR'), ...Array(3).fill('401: AUTH_REFRESH_FAILED, log in again'),
  ]);
  includes(await visitor.status.textContent(), 'the server revoked the session. 0 of 6 calls got 200.');
  includes(await page.locator('#changes').textContent(), 'the same refresh token again');
  await page.getByRole('switch').check();
  await expire(visitor);
  assert.equal(await visitor.gauge('calls'), '6 of 6');
  assert.equal(await visitor.gauge('session'), 'alive');
});

test('it works with the keyboard, keeps the focus, says how it ended, and leaves nothing in storage', async (t) => {
  const visitor = await site.openSession(t);
  const { page } = visitor;
  assert.equal(await visitor.status.getAttribute('aria-live'), 'polite');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await visitor.focused(), 'controls');
  await page.keyboard.press('Tab');
  assert.equal(await visitor.focused(), 'expire');
  // The second one comes while the first is under way, and does nothing.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await visitor.done();
  assert.equal(await visitor.focused(), 'expire');
  includes(await visitor.status.textContent(), '6 of 6 calls got 200.');
  await page.keyboard.press('Tab');
  assert.equal(await visitor.focused(), 'count');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.equal(await page.getByRole('switch').isChecked(), false);
  const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('session')));
  assert.deepEqual(left, []);
});
