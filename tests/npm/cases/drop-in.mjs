// `api.fetch` in the place of the platform's own fetch: its limits, its place as the global, the order of its checks.

import { BROWSERS } from '../harness/hosts.mjs';

/** Headers after `first` milliseconds, then a stream whose chunks come that far apart. */
const slowly = (first, ...gaps) => async (_, { signal }) => {
  const aborted = new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  aborted.catch(() => {});
  const wait = (ms) => Promise.race([aborted, new Promise((resolve) => { setTimeout(resolve, ms); })]);
  const left = [...gaps];
  await wait(first);
  return new Response(new ReadableStream({
    async pull(controller) {
      const gap = left.shift();
      if (gap === undefined) return controller.close();
      await wait(gap);
      controller.enqueue(new Uint8Array([120]));
    },
  }));
};

export default [
  {
    name: 'api.fetch waits minutes for an answer, and 60 s between the chunks of a stream',
    parallel: true,
    async run(t) {
      const rows = [
        ['headers after 290 s', {}, slowly(290_000), undefined],
        ['headers after 301 s', {}, slowly(301_000), 'DEADLINE_EXCEEDED'],
        ['chunks 59 s apart for 10 minutes', {}, slowly(1, ...Array(10).fill(59_000)), undefined],
        ['a chunk after 61 s', {}, slowly(1, 61_000), 'TIMEOUT'],
        ['timeout of the client', { timeout: 5_000 }, slowly(6_000), 'TIMEOUT'],
        ['idleTimeout of the client', { idleTimeout: 5_000 }, slowly(1, 6_000), 'TIMEOUT'],
        ['totalTimeout of the client', { totalTimeout: 5_000 }, slowly(6_000), 'DEADLINE_EXCEEDED'],
        ['the value that shortcuts have by default, given', { timeout: 10_000 }, slowly(12_000), 'TIMEOUT'],
      ];
      for (const [what, options, fetch, code] of rows) {
        const clock = t.fakeClock();
        try {
          const api = t.lib.createClient({ fetch, retry: false, ...options });
          for (const of of [api, api.extend({ name: 'extended' }), api.scope()]) {
            let ended;
            const call = (async () => (await of.fetch('http://a.test/')).text())();
            call.then(() => { ended = undefined; }, (error) => { ended = t.info(error).code; });
            await clock.advance(700_000);
            t.equal(ended, code, what);
          }
        } finally {
          clock.restore();
        }
      }
    },
  },
  {
    name: 'shortcuts keep their limits beside api.fetch, and a call can give both',
    parallel: true,
    async run(t) {
      const clock = t.fakeClock();
      try {
        const code = async (start) => {
          const failed = start().then(() => undefined, (error) => t.info(error).code);
          await clock.advance(40_000);
          return failed;
        };
        const api = t.lib.createClient({ fetch: slowly(12_000), retry: false });
        t.equal(await code(() => api.get('http://a.test/').text()), 'TIMEOUT', 'a shortcut');
        t.equal(await code(() => api.get('http://a.test/', { timeout: false }).text()), undefined, 'a shortcut without timeout');
        t.equal(await code(() => api.fetch('http://a.test/', { timeout: 11_000 })), 'TIMEOUT', 'api.fetch with timeout');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'a body that nobody reads is given up: a success in events, metrics, scope and circuit, an error only for late reads',
    async run(t) {
      await t.home.script({ '*': { drip: { bytes: 100, every: 5 } } });
      for (const how of ['fetch', 'post', 'stream']) {
        const events = t.recorder();
        const api = t.client({ idleTimeout: 200, onEvent: events, circuitBreaker: { failureThreshold: 1 } });
        const scope = api.scope({ failFast: true });
        const response = how === 'stream' ? { body: scope.get('a').stream() } : await t.works(() => scope[how]('a'));
        const { closes } = await t.home.report();
        await t.home.wait({ closes: closes + 1 });
        await t.until(() => events.of('call-end').length, 'the end of the call');
        const [ended] = events.of('call-end');
        t.same([ended.ok, ended.code, ended.status], [true, undefined, 200], `call-end, ${how}`);
        const [attempt] = events.of('attempt-end');
        t.same([attempt.code, attempt.phase], [undefined, 'body'], `attempt-end, ${how}`);
        const { succeeded, failed, inFlight } = api.metrics();
        t.same([succeeded, failed, inFlight], [1, {}, 0], `metrics, ${how}`);
        t.equal(api.circuits()[0].state, 'closed', `circuit, ${how}`);
        const late = how === 'stream' ? () => response.body.getReader().read() : () => response.text();
        await t.fails(late, { code: 'TIMEOUT', phase: 'idle', outcome: 'answered', limit: 200 });
        const sibling = await t.works(() => scope.fetch('b'));
        await sibling.body.cancel();
        api.close();
      }
    },
    needs: { circuitBreaker: {} },
  },
  {
    name: 'the connection of an opaque response is closed by abort, limits, the deadline of a scope and close()',
    hosts: BROWSERS,
    async run(t) {
      const away = await t.open({ script: { '*': { cors: false, headers: { 'content-type': 'image/png' }, drip: { bytes: 100, every: 5 } } } });
      const rows = {
        abort: (api, init) => [api, { ...init, timeout: false }, (controller) => controller.abort()],
        'abort after idleTimeout': (api, init) => [api, { ...init, idleTimeout: 1 }, async (controller) => {
          await t.until(() => api.metrics().inFlight === 0, 'the end of the call');
          controller.abort();
        }],
        timeout: (api, init) => [api, { ...init, timeout: 200 }],
        totalTimeout: (api, init) => [api, { ...init, totalTimeout: 200 }],
        scope: (api, init) => [api.scope({ totalTimeout: 200 }), init],
        close: (api, init) => [api, init, () => api.close()],
      };
      for (const [what, row] of Object.entries(rows)) {
        const controller = new AbortController();
        const client = t.lib.createClient({ idleTimeout: 4_000 });
        const [api, init, end] = row(client, { mode: 'no-cors', signal: controller.signal });
        const response = await t.works(() => api.fetch(away.url(`/${what[0]}`), init));
        t.equal(response.type, 'opaque', what);
        const { closes } = await away.report();
        await end?.(controller);
        await away.wait({ closes: closes + 1, timeout: 3_000 });
        await t.until(() => client.metrics().inFlight === 0, `the end of the call, ${what}`);
        client.close();
      }
    },
  },
];
