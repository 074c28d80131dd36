// The caller gives up.

import { BROWSERS } from '../harness/hosts.mjs';
import { deferred } from '../harness/context.mjs';

const REASONS = [
  ['an Error', () => new Error('stop')],
  ['a string', () => 'bye'],
  ['null', () => null],
  ['undefined', () => undefined],
  ['an object', () => ({ a: 1 })],
];

const half = { chunks: [{ text: '{"a":' }], end: 'hang', headers: { 'content-type': 'application/json' } };

/** Aborts and measures: how long the settled call took from the abort on. */
async function aborted(t, controller, call, fields, reason) {
  const began = t.now();
  controller.abort(reason);
  const error = await t.fails(() => call, fields);
  t.took(t.now() - began, [0, 50], 'time from the abort');
  return error;
}

export default [
  {
    name: 'B01 a signal that was aborted before the call sends nothing',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const reason = new Error('E');
      const signal = AbortSignal.abort(reason);
      const api = t.client({ retry: 3 });
      const fields = { code: 'ABORTED', name: 'AbortError', cause: reason, outcome: 'not-sent' };
      const error = await t.fails(() => api.get('a', { signal }).json(), fields, [0, 10]);
      t.same(error.attempts, [], 'attempts');
      t.equal(error.retryStopped, undefined, 'retryStopped');
      const { error: raw, ms } = await t.settle(() => api.fetch('a', { signal }));
      t.equal(raw, reason, 'the rejection of api.fetch');
      t.took(ms, [0, 10]);
      const request = new Request(t.home.url('/a'), { signal });
      t.equal((await t.settle(() => api.fetch(request))).error, reason, "the rejection with the Request's own signal");
      t.equal((await t.read(() => api.fetch(request, { signal: null }))).status, 200, 'signal: null takes it away');
      await t.saw(1);
    },
  },
  {
    name: 'B02 the reason stays what it is, whatever it is',
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const api = t.client({ headersTimeout: false, retry: 3 });
      let requests = 0;
      for (const [what, make] of REASONS) {
        for (const surface of ['get', 'fetch']) {
          const controller = new AbortController();
          const call = api[surface]('a', { signal: controller.signal });
          requests += 1;
          await t.home.wait({ requests });
          const began = t.now();
          controller.abort(make());
          const { error, failed } = await t.settle(() => call);
          t.took(t.now() - began, [0, 30], `time from the abort with ${what}`);
          const { reason } = controller.signal;
          t.ok(failed, `${surface} rejects with ${what}`);
          if (surface === 'fetch') {
            t.equal(error, reason, `the rejection of api.fetch with ${what}`);
          } else {
            t.same([error.code, error.name, error.outcome, error.attempts.length], ['ABORTED', 'AbortError', 'unknown', 1]);
            t.equal(error.cause, reason, `cause with ${what}`);
            t.ok(t.lib.isAbortError(error), `isAbortError with ${what}`);
          }
          await t.home.wait({ closes: requests });
        }
      }
      await t.saw(requests);
    },
  },
  {
    name: 'B04 an abort while the body is read',
    async run(t) {
      await t.home.script({ '*': half });
      const api = t.client({ idleTimeout: 5_000 });
      const readers = {
        'shortcut .json()': (signal) => api.get('a', { signal }).json(),
        'shortcut .text()': (signal) => api.get('a', { signal }).text(),
        'shortcut .stream()': async (signal) => {
          for await (const chunk of api.get('a', { signal }).stream()) void chunk;
        },
        'json() of the Response': async (signal) => (await api.get('a', { signal })).json(),
        'text() of the Response': async (signal) => (await api.get('a', { signal })).text(),
        'a reader of the body': async (signal) => {
          const reader = (await api.get('a', { signal })).body.getReader();
          while (!(await reader.read()).done);
        },
      };
      let requests = 0;
      for (const [what, read] of Object.entries(readers)) {
        const controller = new AbortController();
        const call = read(controller.signal);
        call.catch(() => {});
        requests += 1;
        await t.home.wait({ requests });
        await t.sleep(100);
        const reason = new Error(what);
        await aborted(t, controller, call, { code: 'ABORTED', cause: reason, phase: 'body', outcome: 'answered' }, reason);
        await t.home.wait({ closes: requests, timeout: 300 + t.slack });
      }
      await t.saw(requests);
    },
  },
  {
    name: 'B04 the reason is kept where the platform gives a generic AbortError',
    async run(t) {
      const fetch = async (url, { signal }) => new Response(new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"a":'));
          const stop = () => controller.error(new DOMException('Fetch is aborted', 'AbortError'));
          signal.addEventListener('abort', stop, { once: true });
        },
      }));
      const api = t.client({ fetch, idleTimeout: 5_000 });
      const readers = [
        (signal) => api.get('a', { signal }).json(),
        (signal) => api.get('a', { signal }).text(),
        async (signal) => {
          for await (const chunk of api.get('a', { signal }).stream()) void chunk;
        },
      ];
      for (const read of readers) {
        const controller = new AbortController();
        const call = read(controller.signal);
        call.catch(() => {});
        await t.sleep(50);
        await aborted(t, controller, call, { code: 'ABORTED', cause: 'bye' }, 'bye');
      }
      const controller = new AbortController();
      const response = await api.fetch('a', { signal: controller.signal });
      const text = response.text();
      await t.sleep(20);
      controller.abort('bye');
      t.equal((await t.settle(() => text)).error, 'bye', 'the rejection by api.fetch');
    },
  },
  {
    name: 'B05 an abort during the backoff',
    async run(t) {
      const down = await t.open({ refuse: true });
      const events = t.recorder();
      const fetch = t.scripted((...args) => globalThis.fetch(...args));
      const api = t.client({
        fetch, onEvent: events, totalTimeout: 30_000, retry: { limit: 3, delay: 5_000, backoffLimit: 10_000, jitter: 'none' },
      });
      const controller = new AbortController();
      const reason = new Error('E');
      const call = api.get(down.url('/a'), { signal: controller.signal }).text();
      call.catch(() => {});
      await t.until(() => events.of('retry').length === 1, 'the retry event');
      t.equal(events.of('retry')[0].waitMs, 5_000, 'waitMs');
      const fields = { code: 'ABORTED', cause: reason, phase: 'backoff', outcome: 'unknown', retryStopped: undefined };
      await aborted(t, controller, call, fields, reason);
      t.equal(t.timers.pending(), 0, 'timers left');
      t.equal(fetch.calls.length, 1, 'calls of fetch');
    },
  },
  {
    name: 'B06 an abort while a callback of the caller is waited for',
    async run(t) {
      await t.home.script({ '*': { status: 503 } });
      const never = deferred().promise;
      const rows = {
        'beforeRequest': [{ hooks: { beforeRequest: [() => never] } }, 'not-sent', 0],
        'the headers function': [{ headers: () => never }, 'not-sent', 0],
        'shouldRetry': [{ retry: { limit: 1, statusCodes: [503], shouldRetry: () => never } }, 'answered', 1],
        'beforeRetry': [
          { retry: { limit: 1, delay: 1, statusCodes: [503] }, hooks: { beforeRetry: [() => never] } }, 'answered', 1,
        ],
        'afterResponse': [{ hooks: { afterResponse: [() => never] } }, 'answered', 1],
        'beforeError': [{ hooks: { beforeError: [() => never] } }, 'answered', 1],
      };
      for (const [what, [options, outcome, requests]] of Object.entries(rows)) {
        const before = await t.requests();
        const controller = new AbortController();
        const call = t.client(options).get('a', { signal: controller.signal }).json();
        call.catch(() => {});
        await t.sleep(100);
        await aborted(t, controller, call, { code: 'ABORTED', phase: 'hook', outcome, cause: what }, what);
        t.equal(await t.requests() - before, requests, `requests, ${what}`);
      }
      t.equal(t.timers.pending(), 0, 'timers left');
    },
  },
  {
    name: 'B07 a signal for the whole life of an application collects no listeners',
    timeout: 40_000,
    async run(t) {
      await t.home.script({ '*': { json: { a: 1 } } });
      const controller = new AbortController();
      const listeners = t.trackListeners(controller.signal);
      const api = t.client({ headersTimeout: 5_000, idleTimeout: 5_000 });
      const { signal } = controller;
      for (let warm = 0; warm < 50; warm += 1) await api.get('a', { signal }).json();
      const before = await t.heap();
      // One listener too many would show after a few; a growing heap needs more to be seen.
      const calls = before === undefined ? 400 : 2_000;
      for (let call = 0; call < calls; call += 1) {
        const { a } = call % 2 === 0
          ? await api.get('a', { signal }).json()
          : await (await api.fetch('a', { signal })).json();
        t.equal(a, 1);
      }
      t.ok(listeners.added >= calls, 'the signal was listened to');
      t.equal(listeners.live(), 0, 'listeners left');
      t.equal(listeners.most, 1, 'listeners at once');
      const after = await t.heap();
      if (before !== undefined) t.between(after - before, -Infinity, 5e6, 'growth of the heap');
    },
  },
  {
    name: 'B09 a page sets no timer for each of many calls',
    hosts: BROWSERS,
    async run(t) {
      const api = t.client({ fetch: async () => new Response('{}') });
      await t.works(() => api.get('a').json());
      const set = t.spy(globalThis, 'setTimeout');
      for (let call = 0; call < 50; call += 1) await t.works(() => api.get('a').json());
      set.restore();
      t.between(set.calls.length, 0, 20, 'timers that 50 calls set');
    },
  },
  {
    name: 'B09 a call that ends badly, and a client that is closed, leave no timer of the calls before',
    async run(t) {
      const good = async () => new Response('{}');
      const api = t.client({ fetch: good });
      const bad = async () => { throw new TypeError('down'); };
      const ends = {
        'an error': () => t.fails(() => api.get('a', { fetch: bad }).json(), { code: 'NETWORK_ERROR' }),
        'an abort': () => t.fails(() => api.get('a', { signal: AbortSignal.abort(), fetch: good }).json(), { code: 'ABORTED' }),
        'a refused option': () => t.fails(() => api.get('a', { timeout: 0 }).json(), { code: 'INVALID_OPTION' }),
        'abortAll': () => api.abortAll(),
        'close': () => api.close(),
      };
      for (const [what, end] of Object.entries(ends)) {
        await t.works(() => api.get('a').json());
        await end();
        t.equal(t.timers.pending(), 0, `timers after ${what}`);
      }
    },
  },
  {
    name: 'B09 no timer outlives its request',
    async run(t) {
      await t.home.script({ '*': { delay: 20, json: { a: 1 } } });
      const api = t.client({ timeout: 300, headersTimeout: 300, idleTimeout: 300, totalTimeout: 300 });
      for (let call = 0; call < 50; call += 1) {
        await t.works(() => api.get('a').json());
        t.between(t.timers.pending(), 0, t.idleTimers, `timers after call ${call}`);
      }
      await t.noTimers('timers after good calls');
      const broken = t.client({ fetch: () => { throw new Error('at once'); } });
      await t.fails(() => broken.get('a').json(), { code: 'NETWORK_ERROR' });
      t.equal(t.timers.pending(), 0, 'timers after a fetch that throws');
      await t.sleep(600);
      t.equal(t.unhandled.length, 0, 'unhandled rejections');
    },
  },
  {
    name: 'B12 an answer that is there wins over a late timer: twenty at once',
    async run(t) {
      await blocked(t, 20, 1_500, { headersTimeout: 500 });
    },
  },
  {
    name: 'B12 an answer whose body is there too wins over the limit of its attempt',
    async run(t) {
      for (let round = 0; round < 3; round += 1) await blocked(t, 1, 1_000, { timeout: 500 });
    },
  },
  {
    name: 'B12 an answer that is there wins over a late timer: one by one',
    timeout: 20_000,
    async run(t) {
      for (let round = 0; round < 4; round += 1) await blocked(t, 1, 900 + round * 200, { headersTimeout: 500 });
    },
  },
  {
    name: 'an abort inside a listener of the same signal, and in a row',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const api = t.client();
      const controller = new AbortController();
      const inner = new AbortController();
      const calls = [
        api.get('a?1', { signal: controller.signal }).text(),
        api.get('a?2', { signal: inner.signal }).text(),
        api.get('a?3', { signal: controller.signal }).text(),
      ];
      controller.signal.addEventListener('abort', () => inner.abort('inner'));
      await t.home.wait({ requests: 3 });
      controller.abort('outer');
      for (const [call, cause] of [[calls[0], 'outer'], [calls[1], 'inner'], [calls[2], 'outer']]) {
        await t.fails(() => call, { code: 'ABORTED', cause });
      }
    },
  },
];

/** Starts calls that are answered after 50 ms, with a limit of 500 ms, and blocks the thread for longer. */
async function blocked(t, count, span, limits) {
  const origins = await Promise.all(Array.from({ length: Math.ceil(count / 5) }, () => t.open({
    script: { '*': { delay: 50, json: { a: 1 } } },
  })));
  const before = (await Promise.all(origins.map((origin) => t.requests(origin)))).reduce((sum, one) => sum + one, 0);
  const api = t.client({ ...limits, totalTimeout: 60_000 });
  const calls = Array.from({ length: count }, (_, index) => api.get(origins[index % origins.length].url(`/a?${index}`)).json());
  if (t.inBrowser) await t.turn(1);
  // The network of Node lives in this very thread: what was not sent before cannot have been answered.
  else await Promise.all(origins.map((origin) => origin.wait({ requests: count / origins.length })));
  const end = performance.now() + span;
  while (performance.now() < end);
  const results = await Promise.allSettled(calls);
  for (const { status, reason, value } of results) {
    t.equal(status, 'fulfilled', `call, rejected with ${t.show(reason)}`);
    t.same(value, { a: 1 });
  }
  const seen = (await Promise.all(origins.map((origin) => t.requests(origin)))).reduce((sum, one) => sum + one, 0);
  t.equal(seen - before, count, 'requests');
}
