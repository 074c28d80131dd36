// A tab of Chromium that is frozen while it has the lock of its session.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { spawn } from '../server/client.mjs';
import { Browser } from './harness/devtools.mjs';
import { check, chromium, packageDirectory, serverBinary } from './harness/places.mjs';
import { expired, pageWith, refreshRequests } from './harness/tabs.mjs';

/** In a tab that is told to be slow, `getToken` takes its time under the lock, with what it had read before. */
const AUTH = `{
  refreshTimeout: 1_000,
  getToken() {
    const { token } = stored();
    if (!globalThis.isSlow) return token;
    globalThis.isHolding = globalThis.hasSent;
    globalThis.hasSent = true;
    return isHolding ? new Promise((resolve) => setTimeout(resolve, 500, token)) : token;
  },
}`;

describe('frozen tabs of Chromium', { concurrency: 1 }, () => {
  let server;
  let browser;
  before(async () => {
    check();
    server = await spawn({ binary: serverBinary, statics: { '/pkg': packageDirectory } });
    browser = await Browser.start(chromium);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('H11 a tab that is frozen after it took the lock: another one takes it over, and the first does not refresh again', async (t) => {
    const origin = await server.open({ script: { ...expired(0, pageWith(AUTH)) } });
    t.after(() => origin.close());
    const open = async () => {
      const tab = await browser.open(origin.url('/page'));
      t.after(() => tab.close().catch(() => {}));
      await tab.evaluate(() => { localStorage.session ??= JSON.stringify({ token: 't0', refresh: 'r0' }); });
      await tab.send('Page.reload');
      await tab.until(() => globalThis.isReady);
      return tab;
    };
    const frozen = await open();
    const other = await open();
    await origin.release('go');
    await frozen.evaluate(() => {
      globalThis.isSlow = true;
      globalThis.result = call();
    });
    await frozen.until(() => globalThis.isHolding);
    await frozen.freeze();
    assert.equal(refreshRequests(await origin.report()), 0, 'it has not refreshed yet');
    assert.equal(await other.evaluate(() => call()), 200, 'the other tab');
    assert.equal(refreshRequests(await origin.report()), 1, 'refresh requests of the other tab');
    await frozen.thaw();
    assert.equal(await frozen.evaluate(() => globalThis.result), 200, 'the tab that was frozen');
    assert.equal(refreshRequests(await origin.report()), 1, 'refresh requests');
    assert.equal(await frozen.evaluate(() => refreshes()), 0, 'its own refreshes');
  });
});
