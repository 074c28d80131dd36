// What is tried again, when, and what is not. Also writes whose outcome is unknown (G), and what browsers do (I).

import { BROWSERS, CHROMIUM } from '../harness/hosts.mjs';

/** Values of Retry-After: what they mean in milliseconds, NaN for nothing. */
const RETRY_AFTER = [
  ['7', 7_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['-5', NaN],
  ['1.5', NaN],
  ['1e3', NaN],
  ['abc', NaN],
  ['', NaN],
  [{ dateIn: 10_000 }, 10_000],
  [{ dateIn: -10_000 }, 0],
  ['Sun, 31 Feb 2027 00:00:00 GMT', NaN],
  [['7', '8'], NaN],
];

function rfc850(date) {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString());
  const weekday = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][date.getUTCDay()];
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(date) {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString());
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

/** Makes `navigator.onLine` say what a case wants, also where there is no navigator. */
function offline(t) {
  if (typeof navigator === 'undefined') globalThis.navigator = {};
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
  return () => {
    delete navigator.onLine;
    if (!t.inBrowser) delete globalThis.navigator;
  };
}

export default [
  {
    name: 'F01 a POST without a key is not repeated',
    async run(t) {
      await t.home.script({ 'POST /a': { commit: true, before: 'reset' }, 'PATCH /a': { commit: true, before: 'reset' } });
      const events = t.recorder();
      const api = t.client({ retry: 3, onEvent: events });
      for (const method of ['post', 'patch']) {
        const error = await t.fails(() => api[method]('a', { json: {} }).json(), {
          code: 'NETWORK_ERROR', outcome: 'unknown', phase: 'headers', retryStopped: 'method',
        });
        t.equal(error.attempts.length, 1, 'attempts');
        t.equal(t.timers.pending(), 0, 'timers left');
      }
      t.equal(events.of('retry').length, 0, 'retries');
      const { commits } = await t.home.report();
      t.equal(commits, 2, 'commits');
    },
  },
  {
    name: 'F01 what lifts the gate: the method named, idempotent: true, a key; not retry alone',
    parallel: true,
    async run(t) {
      const outage = new TypeError('Failed to fetch');
      const rows = [
        [{ retry: 1 }, 1],
        [{ retry: { limit: 1, methods: ['post'] } }, 2],
        [{ idempotent: true }, 2],
        [{ headers: { 'idempotency-key': '"k"' } }, 2],
      ];
      for (const [options, calls] of rows) {
        const fetch = t.scripted(outage, new Response('{}'));
        await t.settle(() => t.client({ fetch, retry: { limit: 1, delay: 1 } }).post('a', options).json());
        t.equal(fetch.calls.length, calls, `calls with ${t.show(options)}`);
      }
      const fetch = t.scripted(outage);
      await t.fails(() => t.client({ fetch, retry: 3 }).put('a', { idempotent: false }).json(), { retryStopped: 'method' });
      t.equal(fetch.calls.length, 1, 'calls of a PUT that is not idempotent');
    },
  },
  {
    name: 'F02 the browser re-sends by itself: one attempt of ours, one key',
    hosts: CHROMIUM,
    async run(t) {
      await t.home.script({ 'GET /prime': {}, 'POST /a': [{ before: 'reset' }, { json: { a: 1 } }] });
      const headers = { 'Idempotency-Key': '"k"' };
      for (let round = 0; round < 5; round += 1) {
        await t.works(() => t.client().get(`prime?${round}`).text());
        const { value: response, error } = await t.settle(() => t.client().post(`a?key=${round}`, { body: 'x', headers }));
        const { log } = await t.home.report();
        const posts = log.filter(({ method, key }) => method === 'POST' && key === String(round));
        for (const post of posts) t.equal(post.headers['idempotency-key'], '"k"', 'key');
        // The case is about a connection that was used before; browsers keep unused ones in store too.
        if (!posts[0].reused) continue;
        t.ok(response, `success, not ${t.show(error)}`);
        t.equal((await response.json()).a, 1);
        t.equal(t.lib.callInfo(response).attempts, 1, 'attempts of ours');
        t.between(posts.length, 1, 2, 'requests');
        return;
      }
      t.fail('no connection was used again');
    },
  },
  {
    name: 'F06 Retry-After, as the wait before the retry',
    parallel: true,
    async run(t) {
      const rows = [
        ...RETRY_AFTER,
        [() => rfc850(new Date(Date.now() + 10_500)), 10_000],
        [() => asctime(new Date(Date.now() + 10_500)), 10_000],
      ];
      for (const [given, expected] of rows) {
        const value = typeof given === 'function' ? given() : given;
        const values = Array.isArray(value) ? value : [value];
        const headers = [...values.map((one) => ['retry-after', one]), ['date', { dateIn: 0 }]];
        await t.home.script({ '*': [{ status: 429, headers }, { json: { a: 1 } }] });
        const events = t.recorder();
        const api = t.client({
          totalTimeout: 120_000, onEvent: events, retry: { limit: 1, statusCodes: [429], delay: 100, jitter: 'none' },
        });
        const controller = new AbortController();
        const call = api.get('a', { signal: controller.signal }).text().catch(() => {});
        await t.until(() => events.of('retry').length > 0, `the retry after ${t.show(value)}`);
        controller.abort();
        await call;
        const [{ waitMs }] = events.of('retry');
        if (Number.isNaN(expected)) {
          t.equal(waitMs, 100, `wait after ${t.show(value)}`);
        } else {
          // Dates know seconds only, and the moments of sending and of writing the script differ.
          const about = typeof given === 'function' ? 2_000 : typeof value === 'object' ? 1_000 : 0;
          t.between(waitMs, expected + 100 - about, expected + 100 + about, `wait after ${t.show(value)}`);
        }
      }
    },
  },
  {
    name: 'F06 a Retry-After in the distant future fails at once',
    parallel: true,
    async run(t) {
      const api = t.client({ totalTimeout: 120_000, retry: { limit: 1, statusCodes: [429] } });
      for (const value of ['99999999999', '9'.repeat(30), '9'.repeat(400)]) {
        await t.home.script({ '*': { status: 429, headers: { 'retry-after': value } } });
        const error = await t.fails(() => api.get('a').text(), { code: 'HTTP_ERROR', retryStopped: 'retry-after' });
        t.ok(error.retryAfterMs > 60_000 && error.retryAfterMs < Infinity, `retryAfterMs ${error.retryAfterMs} of ${value}`);
      }
      await t.saw(3);
    },
  },
  {
    name: 'F06 Retry-After is added to the jittered backoff, and waited for',
    async run(t) {
      await t.home.script({ '*': [{ status: 503, headers: { 'retry-after': 1 } }, { json: { a: 1 } }] });
      const api = t.client({ retry: { limit: 1, statusCodes: [503], delay: 100 } });
      t.same(await t.works(() => api.get('a').json(), [1_000, 1_200]), { a: 1 });
      await t.saw(2);
    },
  },
  {
    name: 'F08 429 and 503 are left alone by default',
    parallel: true,
    async run(t) {
      for (const status of [429, 503]) {
        await t.home.script({ '*': { status, headers: { 'retry-after': 1 } } });
        await t.fails(() => t.client({ retry: 3 }).get('a').json(), {
          code: 'HTTP_ERROR', status, retryAfterMs: 1_000, retryStopped: 'policy',
        }, [0, 50]);
      }
      await t.saw(2);
    },
  },
  {
    name: 'F13 navigator.onLine lies',
    async run(t) {
      const restore = offline(t);
      try {
        await t.home.script({ '*': { json: { a: 1 } } });
        t.same(await t.works(() => t.client({ retry: 1 }).get('a').json(), [0, 100]), { a: 1 });
        await t.saw(1);
        const down = await t.open({ refuse: true });
        await t.fails(() => t.client({ totalTimeout: 2_000, retry: 1 }).get(down.url('/a')).json(), {
          code: 'NETWORK_ERROR', retryStopped: 'limit',
        }, [100, 1_300]);
        const unwilling = t.client({ totalTimeout: 2_000, retry: { limit: 1, delay: 1, waitForOnline: false } });
        await t.fails(() => unwilling.get(down.url('/a')).json(), { code: 'NETWORK_ERROR', retryStopped: 'limit' }, [0, 300]);
      } finally {
        restore();
      }
    },
  },
  {
    name: 'F13 online ends the wait',
    hosts: BROWSERS,
    async run(t) {
      const restore = offline(t);
      const events = t.recorder();
      const fetch = t.scripted(new TypeError('Failed to fetch'), new Response('{"a":1}'));
      const api = t.client({ fetch, onEvent: events, retry: { limit: 1, delay: 1, backoffLimit: 4_000 } });
      const call = api.get('a').json();
      await t.until(() => events.of('retry').length > 0, 'the retry');
      await t.sleep(200);
      t.equal(fetch.calls.length, 1, 'calls while offline');
      restore();
      dispatchEvent(new Event('online'));
      t.same(await t.works(() => call, [0, 100]), { a: 1 });
    },
  },
  {
    name: 'F14 no attempt starts with less than minAttemptTime left',
    async run(t) {
      await t.home.script({ '*': { delay: 1_050, before: 'reset' } });
      const api = t.client({
        totalTimeout: 1_500, headersTimeout: false, minAttemptTime: 500, retry: { limit: 3, delay: 1 },
      });
      // A GET Firefox would send again by itself.
      await t.fails(() => api.post('a', { idempotent: true }).json(), {
        code: 'NETWORK_ERROR', retryStopped: 'deadline', outcome: 'unknown',
      }, [1_050, 1_150]);
      await t.saw(1);
    },
  },
  {
    name: 'F14 a first attempt with less than minAttemptTime left is not sent',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const hooks = { beforeRequest: [() => t.sleep(120)] };
      await t.fails(() => t.client({ totalTimeout: 200, minAttemptTime: 100, hooks }).get('a').json(), {
        code: 'DEADLINE_EXCEEDED', outcome: 'not-sent',
      }, [100, 250]);
      await t.saw(0);
    },
  },
  {
    name: 'F15 the second attempt of a DELETE finds nothing: the outcome of the first is unknown',
    async run(t) {
      await t.home.script({ 'DELETE /a': [{ commit: true, before: 'reset' }, { status: 404 }] });
      const error = await t.fails(() => t.client({ retry: { limit: 1, delay: 1 } }).delete('a').json(), {
        code: 'HTTP_ERROR', status: 404, outcome: 'unknown',
      });
      t.same(error.attempts.map(({ number, outcome, code, status, resend }) => [number, outcome, code, status, resend]), [
        [1, 'unknown', 'NETWORK_ERROR', undefined, false],
        [2, 'answered', 'HTTP_ERROR', 404, false],
      ], 'attempts');
      await t.saw(2);
    },
  },
  {
    name: 'status retries, opted in, end with the answer that came last',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': [{ status: 500 }, { status: 502 }, { json: { a: 1 } }], '/b': { status: 500, json: { m: 1 } } });
      const api = t.client({ retry: { limit: 2, delay: 1, statusCodes: [500, 502] } });
      const response = await t.works(() => api.get('a'));
      t.same([await response.json(), t.lib.callInfo(response).attempts], [{ a: 1 }, 3]);
      const error = await t.fails(() => api.get('b').json(), { code: 'HTTP_ERROR', status: 500, retryStopped: 'limit' });
      t.same([error.data, error.attempts.length], [{ m: 1 }, 3]);
      const raw = await t.works(() => api.fetch('b'));
      t.same([raw.status, await raw.json()], [500, { m: 1 }], 'by api.fetch');
      await t.saw(9);
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'shouldRetry replaces the rule about the kind of failure, and no more',
    parallel: true,
    async run(t) {
      const outage = new TypeError('Failed to fetch');
      const asked = [];
      const shouldRetry = async ({ error, retryCount }) => {
        asked.push([error.code, error.status, retryCount]);
        return error.status === 418 ? true : error.code === 'NETWORK_ERROR' ? false : undefined;
      };
      const api = (fetch, more) => t.client({ fetch, retry: { limit: 2, delay: 1, shouldRetry, ...more } });
      const teapot = t.scripted(new Response('', { status: 418 }), new Response('{"a":1}'));
      t.same(await t.works(() => api(teapot).get('a').json()), { a: 1 });
      const down = t.scripted(outage);
      await t.fails(() => api(down).get('a').json(), { code: 'NETWORK_ERROR', retryStopped: 'policy' });
      t.equal(down.calls.length, 1, 'calls after false');
      const busy = t.scripted(new Response('', { status: 503 }));
      await t.fails(() => api(busy, { statusCodes: [503] }).get('a').json(), { status: 503, retryStopped: 'limit' });
      t.equal(busy.calls.length, 3, 'calls after undefined, where the status is listed');
      const post = t.scripted(new Response('', { status: 418 }));
      await t.fails(() => api(post).post('a').json(), { status: 418, retryStopped: 'method' });
      t.same(asked[0], ['HTTP_ERROR', 418, 1], 'what it was asked');
    },
  },
  {
    name: 'delay and jitter as functions',
    parallel: true,
    async run(t) {
      const events = t.recorder();
      const fetch = t.scripted(new TypeError('Failed to fetch'));
      const delays = [];
      const api = t.client({
        fetch,
        onEvent: events,
        retry: {
          limit: 3,
          delay: (count) => {
            delays.push(count);
            return count * 10;
          },
          jitter: (span) => span + 1,
        },
      });
      await t.fails(() => api.get('a').json(), { code: 'NETWORK_ERROR', retryStopped: 'limit' });
      t.same(delays, [1, 2, 3], 'what delay was asked');
      t.same(events.of('retry').map((event) => event.waitMs), [11, 21, 31], 'waits');
    },
  },
  {
    name: 'callbacks that throw or answer nonsense are CALLBACK_ERROR',
    parallel: true,
    async run(t) {
      const thrown = new RangeError('secret words');
      const callbacks = {
        shouldRetry: () => { throw thrown; },
        delay: () => { throw thrown; },
        jitter: () => { throw thrown; },
      };
      for (const [name, callback] of Object.entries(callbacks)) {
        const fetch = t.scripted(new TypeError('Failed to fetch'));
        const api = t.client({ fetch, retry: { limit: 2, delay: 1, [name]: callback } });
        const error = await t.fails(() => api.get('a').json(), { code: 'CALLBACK_ERROR', outcome: 'unknown', originalError: thrown });
        t.equal(error.cause.name, 'RangeError', `${name}: the cause keeps the name`);
        t.lacks(error.message + JSON.stringify(error) + error.cause.message, 'secret words', name);
        t.equal(fetch.calls.length, 1, `calls, ${name}`);
      }
      for (const delay of [() => NaN, () => -1, () => 'soon']) {
        const fetch = t.scripted(new TypeError('Failed to fetch'));
        await t.fails(() => t.client({ fetch, retry: { limit: 2, delay } }).get('a').json(), { code: 'CALLBACK_ERROR' });
      }
    },
  },
  {
    name: 'a connect-src violation stops the retries',
    hosts: BROWSERS,
    home: ({ control, sink }) => ({
      staticHeaders: { 'content-security-policy': `connect-src 'self' ${control} ${sink}` },
    }),
    async run(t) {
      const other = await t.open({ script: { '*': {} } });
      const fetch = t.spy(globalThis, 'fetch');
      await t.fails(() => t.client({ retry: { limit: 3, delay: 30 } }).get(other.url('/a')).text(), {
        code: 'NETWORK_ERROR', retryStopped: 'policy', hint: 'csp',
      });
      fetch.restore();
      t.equal(fetch.calls.length, 1, 'calls of fetch');
      await t.saw(0, other);
    },
  },
  {
    name: 'G13 a connection that goes away under a POST does not say that it is safe to repeat',
    hosts: BROWSERS,
    async run(t) {
      for (const fault of [{ before: 'reset' }, { before: 'fin' }, { before: 'reset', goaway: true, dropConnection: true }]) {
        const server = await t.open({ tls: true, http2: true, script: { '*': { commit: true, ...fault } } });
        const error = await t.fails(() => t.client({ retry: 3 }).post(server.url('/a'), { body: 'x' }).text(), {
          code: 'NETWORK_ERROR', outcome: 'unknown', retryStopped: 'method',
        });
        t.equal(error.attempts.length, 1, `attempts, ${t.show(fault)}`);
        const { commits } = await server.report();
        // A stream that is reset Firefox opens anew by itself.
        if (t.host !== 'firefox' || fault.before !== 'reset') t.equal(commits, 1, `commits, ${t.show(fault)}`);
      }
    },
  },
  {
    name: 'I01 a page that is left starts nothing anew',
    hosts: BROWSERS,
    async run(t) {
      const rejects = [];
      const fetch = t.scripted(() => new Promise((resolve, reject) => rejects.push(reject)));
      const events = t.recorder();
      const api = t.client({ fetch, onEvent: events, headersTimeout: false, retry: { limit: 3, delay: 1 } });
      const pending = api.get('a').text();
      pending.catch(() => {});
      const waiting = t.client({ fetch: t.scripted(new TypeError('Failed to fetch')), retry: { limit: 1, delay: 100, jitter: 'none' } });
      const due = waiting.get('b').text();
      due.catch(() => {});
      await t.until(() => rejects.length === 1, 'the call');
      await t.sleep(20);
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      rejects[0](new TypeError('NetworkError when attempting to fetch resource.'));
      await t.fails(() => pending, { code: 'ABORTED', retryStopped: 'pagehide', outcome: 'unknown' });
      await t.fails(() => due, { code: 'NETWORK_ERROR', retryStopped: 'pagehide' }, [0, 200]);
      await t.fails(() => api.get('c').text(), { code: 'ABORTED', outcome: 'not-sent', retryStopped: 'pagehide' }, [0, 50]);
      t.equal(fetch.calls.length, 1, 'calls of fetch');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      t.equal(await t.works(() => t.client({ fetch: t.scripted(new Response('ok')) }).get('d').text()), 'ok');
    },
  },
  {
    name: 'I08 Safari and a dead connection: a POST without a key is not repeated, one with a key is',
    parallel: true,
    async run(t) {
      const script = () => t.scripted(new TypeError('Load failed'), new Response('{"a":1}'));
      const plain = script();
      await t.fails(() => t.client({ fetch: plain }).post('a', { json: {} }).json(), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      t.equal(plain.calls.length, 1, 'calls without a key');
      const keyed = script();
      const headers = { 'Idempotency-Key': '"k"' };
      t.same(await t.works(() => t.client({ fetch: keyed, retry: { limit: 1, delay: 1 } }).post('a', { json: {}, headers }).json()), { a: 1 });
      t.equal(keyed.calls.length, 2, 'calls with a key');
      for (const { input, init } of keyed.calls) {
        const sent = new Headers(init?.headers ?? input.headers);
        t.equal(sent.get('idempotency-key'), '"k"', 'the key');
      }
    },
  },
  {
    name: 'I10 a failure after 303 does not repeat the POST',
    async run(t) {
      await t.home.script({
        'POST /a': { commit: true, redirect: { status: 303, to: '/r' }, connection: 'close' },
        'GET /r': { before: 'reset' },
      });
      const error = await t.fails(() => t.client({ retry: 3 }).post('a', { json: {} }).json(), {
        code: 'NETWORK_ERROR', outcome: 'unknown', retryStopped: 'method',
      });
      t.equal(error.attempts.length, 1, 'attempts');
      const { log } = await t.home.report();
      t.equal(log.filter((entry) => entry.method === 'POST').length, 1, 'POSTs');
    },
  },
];
