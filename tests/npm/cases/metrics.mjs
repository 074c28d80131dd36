// api.metrics() and api.circuits(): what is counted, that it is plain data, and that it does not grow.

import { held } from '../harness/held.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};
const outcomes = ({ succeeded, failed }) => Object.values(failed).reduce((sum, count) => sum + count, succeeded);

/** Every object of a snapshot, itself included. */
function* objectsIn(value) {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const one of Object.values(value)) yield* objectsIn(one);
}

/** How calls end, all of them. */
const ENDINGS = {
  good: (api) => api.get('good').json(),
  'by fetch': async (api) => (await api.fetch('good')).text(),
  stream: async (api) => { for await (const chunk of api.get('good').stream()) chunk.at(0); },
  left: async (api) => { for await (const chunk of api.get('good').stream()) if (chunk) break; },
  result: (api) => api.get('error').result(),
  status: (api) => api.get('error').json(),
  parse: (api) => api.get('text').json(),
  large: (api) => api.get('good', { maxResponseBytes: 3 }).json(),
  outage: (api) => api.get('lost', { retry: { limit: 2, delay: 0 } }).json(),
  timeout: (api) => api.get('hang', { headersTimeout: 5 }).json(),
  deadline: (api) => api.get('hang', { totalTimeout: 20 }).json(),
  idle: (api) => api.get('stall', { idleTimeout: 5 }).json(),
  aborted: (api) => api.get('hang', { signal: AbortSignal.timeout(10) }).json(),
  before: (api) => api.get('good', { signal: AbortSignal.abort() }).json(),
  hook: (api) => api.get('good', { hooks: { beforeRequest: [() => { throw new Error('hook'); }] } }).json(),
  request: (api) => api.get('http://').json(),
  option: (api) => api.get('good', { timeout: 0 }).json(),
  fallback: (api) => api.get('lost', { fallback: () => 1 }).json(),
  scope: (api) => api.scope({ totalTimeout: 10 }).get('hang').json(),
};

const stalled = () => new Response(new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(3)); } }));
const stub = (url, { signal }) => new Promise((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  const answers = {
    '/good': () => resolve(new Response('{"a":1}')),
    '/error': () => resolve(new Response('{}', { status: 500 })),
    '/text': () => resolve(new Response('<p>')),
    '/lost': () => reject(new TypeError('Failed to fetch')),
    '/stall': () => resolve(stalled()),
  };
  answers[new URL(url).pathname]?.();
});

const cases = [
  {
    name: 'metrics: a call that leaves the queue for a refresh, and comes back, waits once',
    needs: { auth: { refreshToken() {} }, baseUrl: 'http://a.test' },
    async run(t) {
      let token = 'old';
      const fetch = async (url, { headers }) =>
        new Response('{}', { status: new Headers(headers).get('authorization') === 'Bearer new' ? 200 : 401 });
      const events = t.recorder();
      const auth = { getToken: () => token, refreshToken: async () => (token = 'new') };
      const api = t.client({ fetch, auth, queue: { concurrency: 1 }, onEvent: events });
      await t.works(() => Promise.all(['a', 'b', 'c'].map((path) => api.get(path).json())));
      const { waiting, enqueued, dispatched, queueMs, inFlight } = api.metrics();
      t.same([waiting, inFlight, enqueued - dispatched, queueMs.count - dispatched], [0, 0, 0, 0], 'nothing waits');
      t.equal(events.events.filter(({ type }) => type === 'queued').length, enqueued, 'events');
    },
  },
  {
    name: 'M04 N14 metrics: plain data, a snapshot, and calls are the sum of their outcomes',
    async run(t) {
      const api = t.client({ fetch: stub, retryBudget: false, queue: { concurrency: 5, limit: 1_000 }, circuitBreaker: { failureThreshold: 1_000 } });
      const empty = api.metrics();
      t.same([empty.calls, outcomes(empty), empty.callMs], [0, 0, { count: 0, p50: null, p95: null, p99: null }], 'before the first call');
      await Promise.all(Array.from({ length: 5 }, () => Object.values(ENDINGS).map((start) => start(api).catch(() => {}))).flat());
      const metrics = api.metrics();
      const calls = 5 * Object.keys(ENDINGS).length;
      t.same([metrics.calls, outcomes(metrics), metrics.callMs.count], [calls, calls, calls], 'calls, outcomes, durations');
      t.same([metrics.inFlight, metrics.waiting], [0, 0], 'in flight, waiting');
      t.same(JSON.parse(JSON.stringify(metrics)), metrics, 'through JSON and back');
      t.same(structuredClone(metrics), metrics, 'cloned');
      for (const object of objectsIn(metrics)) {
        t.oneOf(Object.getPrototypeOf(object), [Object.prototype, Array.prototype], 'a plain object');
        for (const value of Object.values(object)) {
          t.oneOf(typeof value, ['number', 'string', 'object'], 'a value');
          if (typeof value === 'number') t.ok(Number.isFinite(value) && value >= 0, `a number of JSON, not ${value}`);
        }
      }
      const text = JSON.stringify(metrics);
      await api.get('good').json();
      t.equal(JSON.stringify(metrics), text, 'what was given does not change');
      t.equal(api.metrics().calls, calls + 1, 'the next one does');
      metrics.failed.MINE = 1;
      t.equal(api.metrics().failed.MINE, undefined, 'changes to it stay there');
    },
  },
  {
    name: 'M03 ten thousand addresses make no further label',
    timeout: 60_000,
    async run(t) {
      const api = t.client({ fetch: async () => new Response(null, { status: 204 }), circuitBreaker: {}, queue: { concurrency: 100, limit: 1_000 } });
      const shape = () => [...objectsIn(api.metrics())].map((object) => Object.keys(object).join()).join('|');
      const round = async (from) => {
        for (let number = from; number < from + 5_000; number += 500) {
          await Promise.all(Array.from({ length: 500 }, (_, more) => api.get(`http://a.test/u/${number + more}?q=${number + more}`).text()));
        }
      };
      await round(0);
      const [before, bytes] = [shape(), t.memory.bytes()];
      await round(5_000);
      t.equal(shape(), before, 'what the metrics have');
      t.equal(t.memory.bytes() - bytes, 0, 'growth of the wasm memory');
      t.lacks(JSON.stringify([api.metrics(), api.circuits()]), '/u/', 'the metrics');
      t.equal(api.metrics().calls, 10_000, 'calls');
    },
  },
  {
    name: 'M04 metrics: attempts, retries, refusals and waits are each counted once',
    async run(t) {
      const fetch = held();
      const events = t.recorder();
      const api = t.client({ fetch, onEvent: events, queue: { concurrency: 1 }, circuitBreaker: { failureThreshold: 1 }, retry: { limit: 1, delay: 1 } });
      const retried = quiet(api.get('http://a.test/').json());
      const controller = new AbortController();
      const queued = quiet(api.get('http://a.test/', { signal: controller.signal }).json());
      await t.turn();
      t.same([api.metrics().inFlight, api.metrics().waiting], [1, 1], 'now');
      controller.abort();
      await t.fails(() => queued, { code: 'ABORTED' });
      fetch.calls[0].fail();
      await t.until(() => fetch.calls.length === 2, 'the retry');
      fetch.calls[1].answer();
      t.same(await t.works(() => retried), { a: 1 });
      const failing = quiet(api.post('http://b.test/').json());
      await t.until(() => fetch.calls.length === 3, 'the call that opens a circuit');
      fetch.calls[2].fail();
      await t.fails(() => failing, { code: 'NETWORK_ERROR' });
      await t.fails(() => api.get('http://b.test/').json(), { code: 'CIRCUIT_OPEN' });
      const { calls, succeeded, failed, attempts, inFlight, retries, budgetRefusals, enqueued, dispatched, waiting, circuitsOpened, cancelled, timeouts, attemptMs, queueMs, circuits } = api.metrics();
      t.same({ calls, succeeded, failed, attempts, inFlight, retries, budgetRefusals, enqueued, dispatched, waiting, circuitsOpened, cancelled, timeouts }, {
        calls: 4, succeeded: 1, failed: { ABORTED: 1, NETWORK_ERROR: 1, CIRCUIT_OPEN: 1 }, attempts: 3, inFlight: 0, retries: 1, budgetRefusals: 0,
        enqueued: 1, dispatched: 0, waiting: 0, circuitsOpened: 1, cancelled: { signal: 1 }, timeouts: {},
      });
      t.same([attemptMs.count, queueMs.count], [3, 0], 'durations');
      t.same(circuits, api.circuits().map((circuit, index) => ({ ...circuit, retryAfterMs: circuits[index].retryAfterMs })), 'circuits, as by circuits()');
      t.equal(events.of('attempt-start').length, attempts, 'attempts, as events tell');
      t.equal(events.of('call-end').length, calls, 'calls, as events tell');
    },
  },
  {
    name: 'M04 metrics: timeouts by phase, with what was going on, and cancellations by cause',
    async run(t) {
      const fetch = held();
      const api = t.client({ fetch, queue: { concurrency: 1, timeout: 20 } });
      const holder = quiet(api.get('a').json());
      await t.fails(() => api.get('b').json(), { code: 'QUEUE_TIMEOUT' });
      t.same(api.metrics().atTimeout, { inFlight: 1, waiting: 0 }, 'when the queue was left');
      const hook = () => new Promise(() => {});
      await t.fails(() => api.get('c', { totalTimeout: 20, hooks: { beforeRequest: [hook] } }).json(), { code: 'DEADLINE_EXCEEDED', phase: 'hook' });
      api.abortAll();
      await t.fails(() => holder, { code: 'ABORTED' });
      await t.fails(() => api.get('d', { headersTimeout: 20 }).json(), { code: 'TIMEOUT', phase: 'headers' });
      await t.fails(() => api.get('e', { totalTimeout: 20 }).json(), { code: 'DEADLINE_EXCEEDED', phase: 'headers' });
      const stall = { fetch: async () => stalled() };
      await t.fails(() => api.get('f', { ...stall, idleTimeout: 20 }).json(), { code: 'TIMEOUT', phase: 'idle' });
      await t.fails(() => api.get('g', { ...stall, timeout: 30 }).json(), { code: 'TIMEOUT', phase: 'body' });
      await t.fails(() => api.get('h', { signal: AbortSignal.timeout(10) }).json(), { code: 'ABORTED' });
      const view = api.scope();
      view.close();
      await t.fails(() => view.get('i').json(), { code: 'ABORTED' });
      const { timeouts, cancelled, calls } = api.metrics();
      t.same(timeouts, { queue: 1, hook: 1, headers: 2, idle: 1, body: 1 });
      t.same(cancelled, { client: 2, signal: 1 });
      t.equal(outcomes(api.metrics()), calls, 'outcomes');
    },
  },
  {
    name: 'M04 metrics: percentiles are those of the latest thousand, waits are told apart from calls',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const api = t.client({ fetch: held(), queue: { concurrency: 1 }, headersTimeout: false });
        const fetch = (ms) => () => new Promise((resolve) => setTimeout(() => resolve(new Response(null, { status: 204 })), ms));
        const calls = [100, 200].map((ms) => api.get('a', { fetch: fetch(ms) }).text());
        await clock.advance(310);
        await Promise.all(calls);
        const { callMs, attemptMs, queueMs, queueShare } = api.metrics();
        t.between(callMs.p50, 100, 102, 'half of the calls');
        t.between(callMs.p99, 300, 303, 'the longest call, its wait included');
        t.between(attemptMs.p99, 200, 202, 'the longest attempt');
        t.same(queueMs.count, 1);
        t.between(queueMs.p50, 100, 102, 'the wait');
        t.between(queueShare.p50, 100 / 8_000 - 0.001, 100 / 8_000 + 0.001, 'of 8 s');
      } finally {
        clock.restore();
      }
      const api = t.client({ fetch: async () => new Response(null, { status: 204 }) });
      for (let number = 0; number < 1_200; number += 1) await api.get('a').text();
      const { callMs } = api.metrics();
      t.equal(callMs.count, 1_200, 'of how many');
      t.ok(callMs.p50 <= callMs.p95 && callMs.p95 <= callMs.p99, `in order: ${t.show(callMs)}`);
    },
  },
  {
    name: 'M05 observers that throw or call again while queue and circuits are at work are reported once, and harm nothing',
    wasm: true,
    async run(t) {
      const place = globalThis.reportError ? globalThis : console;
      const reported = t.spy(place, globalThis.reportError ? 'reportError' : 'error', () => () => {});
      try {
        const fetch = held();
        let inner;
        const api = t.client({
          fetch, queue: { concurrency: 1 }, circuitBreaker: { failureThreshold: 1 },
          onEvent({ type }) {
            if (type === 'queued' && !inner) inner = quiet(api.get('inner').json());
            if (type === 'queued' || type === 'circuit-change') throw new Error(type);
          },
        });
        const calls = [quiet(api.get('a').json()), quiet(api.get('b').json())];
        for (let number = 0; number < 3; number += 1) {
          await t.until(() => fetch.calls.length > number, `call ${number}`);
          fetch.calls[number].answer();
        }
        t.same(await t.works(() => Promise.all([...calls, inner])), [{ a: 1 }, { a: 1 }, { a: 1 }]);
        const failing = quiet(api.post('c').json());
        await t.until(() => fetch.calls.length === 4, 'the last call');
        fetch.calls[3].fail();
        await t.fails(() => failing, { code: 'NETWORK_ERROR' });
        t.same(reported.calls.map(([error]) => error.message), ['queued', 'queued', 'circuit-change'], 'what is reported');
        t.equal(t.memory.instances(), 1, 'engines');
      } finally {
        reported.restore();
      }
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
