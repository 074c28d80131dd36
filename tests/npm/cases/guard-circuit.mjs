// The circuit breaker: what opens a circuit and what does not, probes, and what becomes of calls that wait.

import { held } from '../harness/held.mjs';
import { BROWSERS, CHROMIUM } from '../harness/hosts.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};
const outage = () => new TypeError('Failed to fetch');

/** State and failures of the one circuit that a client has. */
function circuitOf(api) {
  const [{ state, failures }, ...others] = api.circuits();
  return others.length > 0 ? `${others.length + 1} circuits` : `${state} ${failures}`;
}

/** Lets calls fail until the circuit is open. */
async function open(t, api, path, times) {
  for (let time = 0; time < times; time += 1) await t.fails(() => api.post(path).json());
  t.equal(api.circuits()[0].state, 'open', 'the circuit');
}

const cases = [
  {
    name: 'J01 B02 aborts never open a circuit, whatever their reason',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/ok': { json: { a: 1 } } });
      const api = t.client({ circuitBreaker: { failureThreshold: 3 } });
      const reasons = [new Error('E'), 'bye', null, undefined, { a: 1 }, new TypeError('Failed to fetch'), 7, '', new DOMException('x', 'TimeoutError'), []];
      await Promise.all(reasons.map(async (reason, number) => {
        const controller = new AbortController();
        const call = quiet(api.get(`hang?${number}`, { signal: controller.signal }).json());
        await t.sleep(20);
        controller.abort(reason);
        await t.fails(() => call, { code: 'ABORTED' });
      }));
      t.equal(circuitOf(api), 'closed 0');
      t.same(await t.works(() => api.get('ok').json()), { a: 1 });
      t.same(api.metrics().cancelled, { signal: 10 }, 'what is counted in place of that');
    },
  },
  {
    name: 'J02 A03 D06 answers below 500, mistakes, bodies too large and a full queue never open a circuit',
    async run(t) {
      await t.home.script({
        '/404': { status: 404 }, '/401': { status: 401 }, '/large': { bytes: 2_000 }, '/gated': { gate: 'go', json: {} }, '/ok': { json: { a: 1 } },
      });
      const api = t.client({ circuitBreaker: { failureThreshold: 3 }, queue: { concurrency: 1, limit: 0 } });
      const series = async (times, code, start) => {
        for (let time = 0; time < times; time += 1) await t.fails(start, { code });
        t.equal(circuitOf(api), 'closed 0', `after ${times} of ${code}`);
      };
      await series(20, 'HTTP_ERROR', () => api.get('404').json());
      await series(10, 'HTTP_ERROR', () => api.get('401').json());
      await series(5, 'RESPONSE_TOO_LARGE', () => api.get('large', { maxResponseBytes: 1_000 }).json());
      await series(5, 'INVALID_REQUEST', () => api.get('ok', { headers: { 'a b': 'c' } }).json());
      // Bun sends it.
      if (t.host !== 'bun') await series(5, 'INVALID_REQUEST', () => api.fetch('ok', { method: 'A B' }));
      await series(5, 'INVALID_OPTION', () => api.get('ok', { timeout: 0 }).json());
      await series(5, 'PARSE_ERROR', () => api.get('large').json());
      const running = quiet(api.get('gated').json());
      await series(5, 'QUEUE_FULL', () => api.get('ok').json());
      await t.home.release('go');
      await t.works(() => running);
      t.same(await t.works(() => api.get('ok').json()), { a: 1 });
    },
  },
  {
    name: 'A03 mistakes in the request touch neither circuit nor budget',
    parallel: true,
    async run(t) {
      const api = t.client({ retry: { limit: 3, delay: 1 }, circuitBreaker: { failureThreshold: 1 }, retryBudget: { capacity: 1, ratio: 0, perSecond: 0 } });
      for (const [input, init] of [['http://'], ['http://user:pass@a.test/'], ['a', { headers: { 'a b': 'c' } }], ['a', { headers: { a: 'b\r\nc' } }],
        ['a', { body: 'x' }], ['foo://x'], ['a', { signal: {} }], ['a', { mode: 'navigate' }]]) {
        // Bun sends a GET with a body, and knows no modes.
        if (t.host === 'bun' && init && ('body' in init || 'mode' in init)) continue;
        await t.fails(() => api.get(input, init).json(), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 50]);
      }
      t.same(api.circuits().map(({ state, failures }) => [state, failures]).filter(([state, failures]) => state !== 'closed' || failures), [], 'circuits');
      const { retries, attempts, budgetRefusals } = api.metrics();
      t.same([retries, attempts, budgetRefusals], [0, 0, 0], 'retries, attempts, refusals');
      await t.saw(0);
      const fetch = t.scripted(outage());
      await t.fails(() => api.get('a', { fetch }).json(), { code: 'NETWORK_ERROR', retryStopped: 'budget' });
      t.equal(fetch.calls.length, 2, 'the one retry that the budget has is still there');
    },
  },
  {
    name: 'J02 A11 429 and opaque answers count neither way',
    hosts: BROWSERS,
    async run(t) {
      const other = await t.open({ script: { '/429': { status: 429 }, '/opaque': { status: 500, cors: false }, '/500': { status: 500 }, '/404': { status: 404 } } });
      const api = t.client({ baseUrl: other.origin, circuitBreaker: { failureThreshold: 2 } });
      await t.fails(() => api.get('500').json(), { code: 'HTTP_ERROR' });
      t.equal(circuitOf(api), 'closed 1');
      await t.fails(() => api.get('429').json(), { status: 429 });
      t.equal((await t.works(() => api.fetch('opaque', { mode: 'no-cors' }))).type, 'opaque');
      t.equal(circuitOf(api), 'closed 1', 'after 429 and an opaque answer');
      await t.fails(() => api.get('404').json(), { status: 404 });
      t.equal(circuitOf(api), 'closed 0', 'after a 404');
      // The end of an opaque body cannot be seen: its call goes on until a limit.
      api.close();
    },
  },
  {
    name: 'what opens a circuit: outages, timeouts, deadlines, and 5xx at their headers',
    async run(t) {
      const down = await t.open({ refuse: true });
      await t.home.script({ '/hang': { before: 'hang' }, '/500': { status: 500, chunks: [{ text: 'x' }], end: 'hang' }, '/cut': { body: 'x', contentLength: 20, end: 'cut' } });
      const rows = [
        ['NETWORK_ERROR', (api) => api.get(down.url('/a')).json()],
        ['NETWORK_ERROR', (api) => api.post('cut').text()],
        ['TIMEOUT', (api) => api.post('hang', { headersTimeout: 30 }).json()],
        ['DEADLINE_EXCEEDED', (api) => api.post('hang', { totalTimeout: 40 }).json()],
        ['HTTP_ERROR', (api) => api.post('500', { idleTimeout: 30 }).json()],
      ];
      for (const [code, start] of rows) {
        const events = t.recorder();
        const api = t.client({ onEvent: events, circuitBreaker: { failureThreshold: 1 } });
        await t.fails(() => start(api), { code });
        t.equal(api.circuits()[0].state, 'open', `after ${code}`);
        t.same(events.of('circuit-change').map(({ state }) => state), ['open'], 'the event');
        t.equal(api.metrics().circuitsOpened, 1, 'circuits opened');
      }
      const events = t.recorder();
      const api = t.client({ onEvent: events, circuitBreaker: { failureThreshold: 1 } });
      const response = await t.works(() => api.fetch('500'));
      t.equal(api.circuits()[0].state, 'open', 'while the body of a 500 has not ended');
      await response.body.cancel();
    },
  },
  {
    name: 'E05 a stream upload that the platform refuses feeds no circuit',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3, circuitBreaker: { failureThreshold: 1 } });
      for (let time = 0; time < 3; time += 1) {
        const body = new Blob(['x']).stream();
        await t.fails(() => api.post('a', { body }).text(), { code: t.host === 'chromium' ? 'NETWORK_ERROR' : 'UNSUPPORTED' });
      }
      t.same(api.circuits().map(({ state, failures }) => [state, failures]).filter(([state, failures]) => state !== 'closed' || failures), []);
      await t.saw(0);
    },
  },
  {
    name: 'I01 what fails because the page is left feeds no circuit, and counts as cancelled',
    hosts: BROWSERS,
    async run(t) {
      if (typeof PageTransitionEvent === 'undefined') return;
      const fetch = held();
      const api = t.client({ fetch, retry: 3, circuitBreaker: { failureThreshold: 1 }, queue: { concurrency: 1 } });
      const pending = quiet(api.get('a').json());
      const waiting = quiet(api.get('b').json());
      await t.until(() => fetch.calls.length === 1, 'the call');
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      fetch.calls[0].fail(new TypeError('NetworkError when attempting to fetch resource.'));
      await t.fails(() => pending, { code: 'ABORTED', retryStopped: 'pagehide', outcome: 'unknown' });
      await t.fails(() => waiting, { code: 'ABORTED', outcome: 'not-sent' });
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      t.equal(circuitOf(api), 'closed 0');
      const { failed, cancelled, waiting: left } = api.metrics();
      t.same([failed, cancelled, left], [{ ABORTED: 2 }, { page: 2 }, 0], 'what is counted');
      const again = quiet(api.get('c').json());
      await t.until(() => fetch.calls.length === 2, 'the call after pageshow');
      fetch.calls[1].answer();
      t.same(await t.works(() => again), { a: 1 });
    },
  },
  {
    name: 'J06 one bad origin blocks no other; relative and absolute URLs of one share a circuit',
    async run(t) {
      const down = await t.open({ refuse: true });
      await t.home.script({ '*': { json: { b: 1 } } });
      const api = t.client({ baseUrl: down.origin, circuitBreaker: { failureThreshold: 5 } });
      for (let time = 0; time < 5; time += 1) await t.fails(() => api.get(time % 2 ? 'a' : down.url('/a')).json(), { code: 'NETWORK_ERROR' });
      await t.fails(() => api.get('a').json(), { code: 'CIRCUIT_OPEN' }, [0, 50]);
      await t.fails(() => api.get(down.url('/other')).json(), { code: 'CIRCUIT_OPEN' }, [0, 50]);
      t.same(await t.works(() => api.get(t.home.url('/a')).json()), { b: 1 });
      const states = Object.fromEntries(api.circuits().map(({ key, state }) => [key, state]));
      t.same(states, { [down.origin]: 'open', [t.home.origin]: 'closed' });
    },
  },
  {
    name: 'J06 ten thousand origins: 256 circuits are kept, and no more memory than for them',
    timeout: 60_000,
    async run(t) {
      const api = t.client({ fetch: async () => new Response('{}', { status: 500 }), circuitBreaker: { failureThreshold: 2 } });
      let bytes;
      for (let number = 0; number < 10_000; number += 100) {
        await Promise.all(Array.from({ length: 100 }, (_, more) => api.get(`http://h${number + more}.test/a`).result()));
        if (number === 2_000) bytes = t.memory.bytes();
      }
      t.equal(api.circuits().length, 256, 'circuits');
      t.equal(api.metrics().circuits.length, 256, 'in the metrics');
      t.equal(t.memory.bytes() - bytes, 0, 'growth of the wasm memory');
    },
  },
  {
    name: 'J08 a call counts once, however many attempts it took',
    async run(t) {
      await t.home.script({ '/a': [{ before: 'reset' }, { before: 'reset' }, { before: 'reset' }, { before: 'reset' }, { json: { a: 1 } }] });
      const api = t.client({ retry: { limit: 3, delay: 1 }, circuitBreaker: { failureThreshold: 3 } });
      // A GET Firefox would send again by itself.
      const error = await t.fails(() => api.put('a').json(), { code: 'NETWORK_ERROR', retryStopped: 'limit' });
      t.equal(error.attempts.length, 4, 'attempts');
      t.equal(circuitOf(api), 'closed 1');
      t.same(await t.works(() => api.put('a').json()), { a: 1 });
      t.equal(circuitOf(api), 'closed 0');
    },
  },
  {
    name: 'J09 an open circuit ends a call at once, without retries, and takes nothing from the budget',
    async run(t) {
      await t.home.script({ '*': { before: 'reset' } });
      const events = t.recorder();
      const api = t.client({
        onEvent: events, retry: { limit: 3, delay: 500 },
        circuitBreaker: { failureThreshold: 2, resetTimeout: 60_000 }, retryBudget: { capacity: 1, ratio: 0, perSecond: 0 },
      });
      await open(t, api, 'a', 2);
      const error = await t.fails(() => api.get('a').json(), { code: 'CIRCUIT_OPEN', outcome: 'not-sent', name: 'SteadfetchError' }, [0, 20]);
      t.between(error.retryAfterMs, 50_000, 60_000, 'retryAfterMs');
      t.equal(error.attempts.length, 0, 'attempts');
      t.equal(api.circuits()[0].retryAfterMs <= error.retryAfterMs, true, 'as the circuit says');
      const { retries, budgetRefusals, circuitsOpened, failed } = api.metrics();
      t.same([retries, budgetRefusals, circuitsOpened, failed], [0, 0, 1, { NETWORK_ERROR: 2, CIRCUIT_OPEN: 1 }]);
      t.same([events.of('retry').length, events.of('circuit-change').length], [0, 1], 'events: not fed back');
      await t.saw(2);
      // A view without a circuit has the same budget: all of it.
      await t.fails(() => api.extend({ circuitBreaker: false }).put('a', { retry: { limit: 3, delay: 1 } }).json(), { retryStopped: 'budget' });
      await t.saw(4);
    },
  },
  {
    name: 'a retry stops when others have opened its circuit meanwhile',
    parallel: true,
    async run(t) {
      const fetch = held();
      const events = t.recorder();
      const api = t.client({ fetch, onEvent: events, circuitBreaker: { failureThreshold: 1 }, retry: { limit: 3, delay: 500, jitter: 'none' } });
      const retried = quiet(api.get('a').json());
      const other = quiet(api.get('b', { retry: 0 }).json());
      await t.until(() => fetch.calls.length === 2, 'both calls');
      fetch.calls[0].fail();
      await t.until(() => events.of('retry').length === 1, 'the backoff');
      fetch.calls[1].fail();
      await t.fails(() => other, { code: 'NETWORK_ERROR' });
      const error = await t.fails(() => retried, { code: 'NETWORK_ERROR', retryStopped: 'circuit' });
      t.equal(error.attempts.length, 1, 'attempts');
      t.equal(fetch.calls.length, 2, 'calls of fetch');
    },
  },
  {
    name: 'J10 what waits is refused when the circuit opens',
    async run(t) {
      await t.home.script({ '*': { delay: 30, before: 'reset' } });
      const events = t.recorder();
      const api = t.client({ onEvent: events, circuitBreaker: { failureThreshold: 2 }, queue: { concurrency: 1, limit: 20 } });
      const calls = Array.from({ length: 12 }, (_, number) => t.settle(() => api.post(`a?${number}`).json()));
      await t.until(() => events.of('circuit-change').length === 1, 'the open circuit');
      const began = t.now();
      const results = await Promise.all(calls);
      t.took(t.now() - began, [0, 50], 'time to refuse those that waited');
      const codes = results.map(({ error }) => error.code);
      t.same(codes, [...Array(2).fill('NETWORK_ERROR'), ...Array(10).fill('CIRCUIT_OPEN')]);
      for (const { error } of results.slice(2)) {
        t.ok(error.retryAfterMs > 0, 'retryAfterMs');
        t.equal(error.outcome, 'not-sent');
      }
      await t.saw(2);
      const { inFlight, waiting, enqueued, dispatched } = api.metrics();
      t.same([inFlight, waiting, enqueued, dispatched], [0, 0, 11, 1], 'the counts');
    },
  },
  {
    name: 'failureRate, in place of the threshold',
    parallel: true,
    async run(t) {
      const statuses = [200, 500, 200, 500, 500, 200, 500, 500, 500];
      const fetch = async () => new Response('{}', { status: statuses.shift() });
      const api = t.client({ fetch, circuitBreaker: { failureRate: 0.6, minimumCalls: 9, failureThreshold: 1 } });
      for (let left = statuses.length; left > 0; left -= 1) {
        t.equal(api.circuits()[0]?.state ?? 'closed', 'closed', `with ${left} left`);
        await api.get('a').result();
      }
      t.equal(api.circuits()[0].state, 'open', 'six of nine');
    },
  },
  {
    name: 'a circuit of a name of the caller',
    parallel: true,
    async run(t) {
      const events = t.recorder();
      const key = ({ operation, method }) => `${method} ${operation}`;
      const fetch = async (url) => new Response('{}', { status: url.endsWith('bad') ? 500 : 200 });
      const api = t.client({ fetch, onEvent: events, circuitBreaker: { failureThreshold: 1, key } });
      await api.get('bad', { operation: 'search' }).result();
      await t.fails(() => api.get('good', { operation: 'search' }).json(), { code: 'CIRCUIT_OPEN' });
      t.same(await t.works(() => api.get('good', { operation: 'list' }).json()), {});
      t.same(api.circuits().map(({ key: name, state }) => [name, state]), [['GET search', 'open'], ['GET list', 'closed']]);
      t.equal(events.of('circuit-change')[0].circuit, 'GET search');
    },
  },
  {
    name: 'E05 a refused stream upload is no success of a circuit either',
    hosts: CHROMIUM,
    async run(t) {
      await t.home.script({ '*': { status: 500 } });
      const api = t.client({ circuitBreaker: { failureThreshold: 2 } });
      await t.fails(() => api.get('a').text(), { status: 500 });
      await t.fails(() => api.post('a', { body: new Blob(['x']).stream() }).text(), { code: 'NETWORK_ERROR' });
      t.equal(circuitOf(api), 'closed 1');
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
