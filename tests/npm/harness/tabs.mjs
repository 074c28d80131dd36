// Tabs of one origin with one session between them: a server that makes a new refresh token with each refresh, and takes a
// used one for stolen.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { spawn } from '../../server/client.mjs';
import { check, entry, packageDirectory, serverBinary } from './places.mjs';

/** How often it has to go well, one time after the other. */
const RUNS = 20;
/** How many requests a browser sends to a host at once, over all tabs: all 401 are to come at one time. */
const CONNECTIONS = 6;

/** The script of a page whose `api` has the session of its origin. `auth` is JavaScript: what it has beside that. */
export const pageWith = (auth = '{}') => ({
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><title>tab</title><script type="module">
    import { createClient } from ${JSON.stringify(new URL(entry('webpack'), 'http://any/pkg/').pathname)};
    globalThis.stored = () => JSON.parse(localStorage.session);
    const auth = {
      lock: 'origin',
      getToken: () => stored().token,
      async refreshToken({ signal }) {
        const response = await fetch('/token', { method: 'POST', headers: { 'x-refresh': stored().refresh }, signal });
        if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
        localStorage.session = JSON.stringify(await response.json());
        return stored().token;
      },
      ...${auth},
    };
    const api = createClient({ baseUrl: location.origin, auth });
    let calls = 0;
    // A browser asks for one address once at a time.
    const tab = Math.random();
    /** Whether a call went well, or how not. */
    globalThis.call = () => api.get(\`data?\${tab}-\${calls += 1}\`).text().then(() => 200, ({ code, cause }) => \`\${code} \${cause?.name}\`);
    globalThis.refreshes = () => api.metrics().refreshes;
    // What the client needs is loaded by its first call.
    await api.get('ready').text();
    globalThis.isReady = true;
  </script>`,
});

/** A session whose token has just expired: its 401 are held back until the gate is opened. */
export const expired = (number, page) => ({
  routes: [
    ...(page ? [{ path: '/page', steps: [page] }] : []),
    { path: '/ready', steps: [{ json: {} }] },
    {
      path: '/token',
      when: { headers: { 'x-refresh': `r${number}` } },
      steps: [{ delay: 30, json: { token: `t${number + 1}`, refresh: `r${number + 1}` } }, { status: 400, json: {} }],
    },
    { path: '/token', steps: [{ status: 400, json: {} }] },
    { path: '/data', when: { headers: { authorization: `Bearer t${number + 1}` } }, steps: [{ json: { ok: true } }] },
    { path: '/data', steps: [{ gate: 'go', status: 401, json: {} }] },
  ],
});

export const refreshRequests = ({ log }) => log.filter(({ url }) => url === '/token').length;

/** @param {() => Promise<{ newPage: () => Promise<object>, close: () => Promise<void> }>} launch */
export function tabs(name, launch) {
  describe(`tabs of ${name}`, { concurrency: 1 }, () => {
    let server;
    let browser;
    before(async () => {
      check();
      server = await spawn({ binary: serverBinary, statics: { '/pkg': packageDirectory } });
      browser = await launch();
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
    });

    for (const count of [2, 5]) {
      it(`H11 ${count} tabs, a refresh token that is good once: one refresh, every call 200, ${RUNS} times`, async (t) => {
        const times = Math.floor(CONNECTIONS / count);
        const page = pageWith();
        const origin = await server.open({ script: expired(0, page) });
        t.after(() => origin.close());
        const pages = await Promise.all(Array.from({ length: count }, () => browser.newPage()));
        t.after(() => Promise.all(pages.map((one) => one.close())));
        await Promise.all(pages.map((one) => one.goto(origin.url('/page')).then(() => one.evaluate(() => {
          localStorage.session ??= JSON.stringify({ token: 't0', refresh: 'r0' });
        }))));
        // Their first call wants a token.
        for (const one of pages) await one.reload();
        for (const one of pages) await one.waitForFunction(() => globalThis.isReady);
        for (let run = 0; run < RUNS; run += 1) {
          await origin.script(expired(run));
          const { requests, log } = await origin.report();
          const before = refreshRequests({ log });
          const calls = pages.map((one) => one.evaluate((length) => Promise.all(Array.from({ length }, () => call())), times));
          await origin.wait({ requests: requests + count * times });
          await origin.release('go');
          const results = (await Promise.all(calls)).flat();
          assert.deepEqual(results, Array(count * times).fill(200), `run ${run}`);
          assert.equal(refreshRequests(await origin.report()) - before, 1, `refresh requests of run ${run}`);
        }
      });
    }
  });
}
