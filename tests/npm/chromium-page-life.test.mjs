// A page's life as Chromium leads it: frozen, throttled, asleep, offline, in the back/forward cache, closed.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { spawn } from '../server/client.mjs';
import { Browser } from './harness/devtools.mjs';
import { check, chromium, entry, packageDirectory, serverBinary } from './harness/places.mjs';

/** Added to upper bounds, for a machine of two cores that does other things too. */
const SLACK = 500;

const html = (script) => ({
  body: `<!doctype html><title>page</title><script type="module">${script}</script>`,
  // What must not be stored is not kept in the back/forward cache either.
  headers: { 'content-type': 'text/html', 'cache-control': 'no-cache' },
});

const PAGE = `
  import * as lib from ${JSON.stringify(new URL(entry('webpack'), 'http://any/pkg/').pathname)};
  globalThis.lib = lib;
  globalThis.told = {};
  /** Starts a call, and tells how it ended, and when. */
  globalThis.watch = (name, call) => {
    told[name] = undefined;
    call.then(
      (value) => { told[name] = { value, at: performance.now() }; },
      ({ code, phase, outcome, retryStopped }) => { told[name] = { code, phase, outcome, retryStopped, at: performance.now() }; },
    );
  };
  /** How all of them ended. */
  globalThis.settled = async (names = Object.keys(told)) => {
    while (names.some((name) => !told[name])) await new Promise((resolve) => setTimeout(resolve, 5));
    return told;
  };
  await lib.ready();
  globalThis.api = lib.createClient({ baseUrl: location.origin, retry: { jitter: 'none' } });
`;

const sleep = (span) => new Promise((resolve) => setTimeout(resolve, span));

let browser;
let server;

/** A page of an origin of its own. */
async function open(t, script) {
  const origin = await server.open({ script: { '/page': html(PAGE), ...script } });
  t.after(() => origin.close());
  const tab = await browser.open(origin.url('/page'));
  t.after(() => tab.close().catch(() => {}));
  // A client is a function, which does not travel.
  await tab.until(() => !!globalThis.api);
  return { origin, tab };
}

/** Another tab comes to the front. */
async function hide(t) {
  const other = await browser.open('about:blank');
  t.after(() => other.close());
}

function between(value, low, high, what) {
  assert.ok(value >= low && value <= high, `${what}: expected ${low} to ${high}, got ${value}`);
}

describe('page life in Chromium', { concurrency: 1 }, () => {
  before(async () => {
    check();
    server = await spawn({ binary: serverBinary, statics: { '/pkg': packageDirectory } });
    browser = await Browser.start(chromium);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('a tab that is frozen: an answer that came meanwhile wins, the rest ends as soon as it is awake', async (t) => {
    const { origin, tab } = await open(t, {
      '/answered': { gate: 'go', json: { a: 1 } }, '/silent': { before: 'hang' }, '/later': { json: { a: 2 } },
    });
    // Long enough for a busy machine to freeze the tab before it is over.
    await tab.evaluate(() => {
      watch('answered', api.get('answered', { totalTimeout: 3_000 }).json());
      watch('silent', api.get('silent', { totalTimeout: 3_000 }).json());
    });
    await origin.wait({ requests: 3 });
    await hide(t);
    await tab.freeze();
    await origin.release('go');
    await origin.wait({ path: '/answered', completed: 1 });
    await sleep(3_500);
    await tab.thaw();
    const told = await tab.evaluate(() => {
      const awake = performance.now();
      watch('later', api.get('later').json());
      return settled().then((all) => ({ ...all, awake }));
    });
    assert.deepEqual(told.answered.value, { a: 1 });
    assert.equal(told.silent.code, 'DEADLINE_EXCEEDED');
    assert.ok(told.silent.at - told.awake < SLACK, 'it ends when the tab is awake');
    assert.deepEqual(told.later.value, { a: 2 });
    await origin.wait({ path: '/silent', closes: 1 });
  });

  it('a tab that is frozen during a backoff: its retries do not all go out when it wakes up', async (t) => {
    const { origin, tab } = await open(t, { '/busy': [{ status: 503 }, { json: 1 }] });
    await tab.evaluate(() => {
      const retry = { limit: 1, delay: 500, jitter: 'none', statusCodes: [503] };
      for (let key = 0; key < 5; key += 1) watch(key, api.get(`busy?key=${key}`, { retry }).json());
    });
    await origin.wait({ path: '/busy', key: 4, requests: 1 });
    await hide(t);
    await tab.freeze();
    await sleep(2_000);
    const { nowMs } = await origin.report();
    await tab.thaw();
    const told = await tab.evaluate(() => settled());
    for (let key = 0; key < 5; key += 1) assert.equal(told[key].value, 1);
    const { log } = await origin.report();
    const retries = log.filter(({ route, atMs }) => route === '/busy' && atMs > nowMs);
    assert.equal(retries.length, 5);
    // The wait is drawn anew, once.
    for (const { atMs } of retries) between(atMs - nowMs, 450, 5_000, 'the retry after waking up');
  });

  it('a renderer that is stopped, as by a machine that sleeps: nothing is early, nothing is lost', async (t) => {
    const { origin, tab } = await open(t, {
      '/answered': { gate: 'go', json: { a: 1 } }, '/silent': { before: 'hang' }, '/patient': { before: 'hang' },
    });
    const renderers = await browser.renderers();
    await tab.evaluate(() => {
      watch('answered', api.get('answered', { headersTimeout: 600, timeout: 600 }).json());
      watch('silent', api.get('silent', { headersTimeout: 600, retry: 0 }).json());
      watch('patient', api.get('patient', { timeout: 60_000, totalTimeout: 60_000 }).json());
    });
    await origin.wait({ requests: 4 });
    renderers.stop();
    try {
      await origin.release('go');
      await origin.wait({ path: '/answered', completed: 1 });
      await sleep(1_500);
    } finally {
      renderers.resume();
    }
    const told = await tab.evaluate(() => settled(['answered', 'silent']));
    assert.deepEqual(told.answered.value, { a: 1 });
    assert.deepEqual([told.silent.code, told.silent.phase], ['TIMEOUT', 'headers']);
    assert.equal(told.patient, undefined);
    await tab.evaluate(() => {
      api.abortAll('enough');
      return settled();
    });
    await origin.wait({ path: '/patient', closes: 1 });
  });

  it('a tab in the background, whose timers fire once a second: no false idle, and a true one', async (t) => {
    const { origin, tab } = await open(t, {
      '/drip': { chunks: Array.from({ length: 5 }, () => ({ text: 'x', delay: 500 })), end: 'hang' },
    });
    await hide(t);
    const throttled = await tab.evaluate(async () => {
      const start = performance.now();
      for (let beat = 0; beat < 2; beat += 1) await new Promise((resolve) => setTimeout(resolve, 10));
      return performance.now() - start;
    });
    assert.ok(throttled > 900, `the timers are throttled: two took ${throttled} ms`);
    const told = await tab.evaluate(async () => {
      let last;
      const options = { idleTimeout: 1_500, timeout: false, onDownloadProgress: () => { last = performance.now(); } };
      watch('drip', api.get('drip', options).text());
      return { ...(await settled()), last };
    });
    assert.deepEqual([told.drip.code, told.drip.phase], ['TIMEOUT', 'idle']);
    between(told.drip.at - told.last, 1_490, 2_600 + SLACK, 'from the last byte to the end');
    await origin.wait({ path: '/drip', closes: 1 });
  });

  it('offline and online again: the retry waits for it, but not for ever', async (t) => {
    const { origin, tab } = await open(t, { '/a': { json: { a: 1 } } });
    await tab.online(false);
    await tab.until(() => !navigator.onLine);
    await tab.evaluate(() => {
      const retry = { limit: 1, delay: 50, jitter: 'none' };
      globalThis.retries = 0;
      const onEvent = ({ type }) => { if (type === 'retry') retries += 1; };
      watch('patient', api.get('a', { retry: { ...retry, backoffLimit: 20_000 }, onEvent }).json());
      watch('brief', api.get('a', { retry: { ...retry, backoffLimit: 200 }, onEvent }).json());
    });
    const { brief } = await tab.evaluate(() => settled(['brief']));
    assert.deepEqual([brief.code, brief.retryStopped, brief.outcome], ['NETWORK_ERROR', 'limit', 'unknown']);
    assert.equal(await tab.evaluate(() => retries), 2);
    assert.equal((await origin.report()).requests, 1, 'the page alone');
    await tab.online(true);
    const { patient } = await tab.evaluate(() => settled(['patient']));
    assert.deepEqual(patient.value, { a: 1 });
  });

  it('away and back by the back/forward cache: calls settle, and new ones work', async (t) => {
    const { origin, tab } = await open(t, {
      '/answered': { gate: 'go', json: { a: 1 } }, '/silent': { before: 'hang' }, '/late': { json: 1 },
      '/beacon': {}, '/away': html(''), '/new': { json: { a: 2 } },
    });
    await tab.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => { globalThis.persisted = persisted; });
      watch('answered', api.get('answered').json());
      watch('silent', api.get('silent', { totalTimeout: 300 }).json());
      addEventListener('pagehide', () => {
        watch('first', api.get('late').json());
        watch('beacon', api.post('beacon', { keepalive: true, body: 'bye' }).text());
      });
    });
    await origin.wait({ requests: 3 });
    await tab.evaluate(() => { location.href = '/away'; });
    await origin.wait({ path: '/away', requests: 1 });
    // A beacon leaves, nothing else does.
    await origin.wait({ path: '/beacon', requests: 1 });
    await tab.until(() => location.pathname === '/away');
    await origin.release('go');
    await sleep(500);
    await tab.evaluate(() => history.back());
    await tab.until(() => globalThis.persisted !== undefined);
    assert.equal(await tab.evaluate(() => persisted), true, 'it came out of the cache');
    const told = await tab.evaluate(() => {
      watch('new', api.get('new').json());
      return settled();
    });
    assert.deepEqual(told.new.value, { a: 2 });
    assert.deepEqual([told.first.code, told.first.outcome, told.first.retryStopped], ['ABORTED', 'not-sent', 'pagehide']);
    assert.equal(told.silent.code, 'DEADLINE_EXCEEDED');
    assert.deepEqual(told.answered.value, { a: 1 });
    const { log } = await origin.report();
    assert.equal(log.filter(({ route }) => route === '/late').length, 0);
  });

  it('a tab that is closed: the beacon leaves, the call ends', async (t) => {
    const { origin, tab } = await open(t, { '/silent': { before: 'hang' }, '/beacon': {} });
    await tab.evaluate(() => {
      watch('silent', api.get('silent').json());
      addEventListener('pagehide', () => watch('beacon', api.post('beacon', { keepalive: true, json: { a: 1 } }).text()));
    });
    await origin.wait({ path: '/silent', requests: 1 });
    await tab.close();
    await origin.wait({ path: '/silent', closes: 1 });
    const { log } = await origin.wait({ path: '/beacon', requests: 1 });
    assert.equal(log.find(({ route }) => route === '/beacon').body, '{"a":1}');
  });
});
