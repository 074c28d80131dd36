// The page about protection as a visitor uses it: a steady load, and a server that is taken down and brought back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { includes, playground } from './harness.mjs';

let site;
before(async () => {
  site = await playground();
});
after(() => site?.close());

test('a server that is taken down opens the circuit, one that is back closes it, and the calls are counted', async (t) => {
  const visitor = await site.openProtection(t);
  const { page } = visitor;
  await page.getByLabel('Load').selectOption('20 calls/s');
  await page.getByLabel('Time of an answer').selectOption('answers in 50 ms');
  await visitor.press('Start the load');
  await page.waitForFunction(() => Number(document.querySelector('[data-gauge="requests"]').dataset.value) >= 10);
  assert.equal(await visitor.gauge('circuit'), 'closed');
  await page.getByRole('switch', { name: 'Take the server down' }).check();
  await visitor.status.getByText('The circuit is open').waitFor();
  await page.locator('[data-gauge="circuit"][data-value="open"]').waitFor();
  assert.ok(Number(await visitor.gauge('budget')) > 0);
  await page.getByRole('switch').uncheck();
  await visitor.status.getByText('The circuit is closed').waitFor();
  assert.match(await page.locator('#changes').textContent(), /closed.*half-open.*open/);
  assert.ok(await page.locator('.chart [data-end="ok"]').count() > 0);
  assert.ok(await page.locator('.chart [data-end="refused"]').count() > 0);
  assert.ok(await page.locator('.chart [data-state="open"]').count() > 0);
  await visitor.press('Stop');
  const [, calls, ok, failed, unsent, requests] = /^(\d+) calls: (\d+) succeeded, (\d+) failed, (\d+) not sent; (\d+) requests? in all/.exec(await visitor.status.textContent()).map(Number);
  assert.ok(failed >= 5 && unsent > 0 && ok > 10);
  // What was under way when the load was stopped ended in no way.
  assert.ok(ok + failed + unsent <= calls);
  assert.ok(requests < calls);
});

test('a slow server fills the queue, and no more is in flight than the limit', async (t) => {
  const visitor = await site.openProtection(t);
  const { page } = visitor;
  await page.getByLabel('Load').selectOption('20 calls/s');
  await page.getByLabel('Time of an answer').selectOption('answers in 1 s');
  await visitor.press('Start the load');
  await page.locator('[data-gauge="queue"][data-value="20"]').waitFor();
  assert.equal(await visitor.gauge('flight'), '4');
  await page.locator('.chart [data-end="refused"]').first().waitFor();
  await page.getByText('The same as a table').click();
  const table = page.getByRole('region', { name: 'Second by second' });
  assert.ok(await table.getByRole('row').count() > 1);
  includes(await table.textContent(), 'closed');
  await visitor.press('Stop');
  assert.equal(await visitor.focused(), 'load');
});

test('the load ends by itself', async (t) => {
  const visitor = await site.openProtection(t);
  await visitor.page.clock.install();
  await visitor.press('Start the load');
  await visitor.page.getByRole('button', { name: 'Stop' }).waitFor();
  await visitor.page.clock.runFor(61_000);
  includes(await visitor.status.textContent(), ' calls: ');
  assert.ok(await visitor.page.getByRole('button', { name: 'Start the load' }).isVisible());
});
