// The probes of a half-open circuit: one at a time, and never stuck.

import { held } from '../harness/held.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};

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
    name: 'J04 a probe that is cancelled gives its place to the next, one that times out opens anew: ten times',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const fetch = held();
        const api = t.client({
          fetch, headersTimeout: 100, circuitBreaker: { failureThreshold: 1, resetTimeout: 300, halfOpenSuccesses: 1 }, retry: { limit: 3, delay: 1, retryOnTimeout: true },
        });
        const begin = async (path, options) => {
          const ending = api.get(path, options).json().then(() => 'well', ({ code }) => code);
          await t.turn();
          return () => ending;
        };
        for (let cycle = 0; cycle < 10; cycle += 1) {
          const failing = await begin('down', { retry: 0 });
          fetch.calls.at(-1).fail();
          t.equal(await failing(), 'NETWORK_ERROR');
          await clock.advance(301);
          const controller = new AbortController();
          const sent = fetch.calls.length;
          const probe = await begin('probe', { signal: controller.signal });
          const second = await begin('second');
          t.equal(await second(), 'CIRCUIT_OPEN', 'while the probe is out');
          await clock.advance(50);
          controller.abort();
          t.equal(await probe(), 'ABORTED');
          t.equal(api.circuits()[0].state, 'half-open', 'after an abort of the probe');
          // Row 2: the next probe meets its limit, and is not retried.
          const late = await begin('late');
          await clock.advance(101);
          t.equal(await late(), 'TIMEOUT');
          t.equal(fetch.calls.length, sent + 2, 'two probes, no retry');
          const [{ state, retryAfterMs }] = api.circuits();
          t.equal(state, 'open', 'after a timeout of the probe');
          t.between(retryAfterMs, 299, 300, 'a new cool-down');
          const refused = await begin('refused');
          t.equal(await refused(), 'CIRCUIT_OPEN');
          await clock.advance(301);
          const last = await begin('last');
          fetch.calls.at(-1).answer();
          t.equal(await last(), 'well');
          t.equal(circuitOf(api), 'closed 0', `cycle ${cycle}`);
        }
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'J04 half-open, fifty calls at once: exactly one is sent',
    timeout: 30_000,
    async run(t) {
      const rows = {
        'at once': {},
        'after a hook that waits': { hooks: { beforeRequest: [() => t.sleep(5)] } },
        'with a queue': { queue: { concurrency: 100 } },
      };
      for (const [row, options] of Object.entries(rows)) {
        const origin = await t.open({ script: { '/down': { status: 503 }, '/a': { gate: 'go', json: { a: 1 } } } });
        const events = t.recorder();
        const api = t.client({
          baseUrl: origin.origin, onEvent: events, retry: 3, ...options,
          circuitBreaker: { failureThreshold: 2, resetTimeout: 300, halfOpenSuccesses: 1 },
        });
        await open(t, api, 'down', 2);
        await t.until(() => api.circuits()[0].retryAfterMs === 0, 'the end of the cool-down');
        const calls = Array.from({ length: 50 }, (_, number) => t.settle(() => api.get(`a?${number}`).json()));
        await origin.wait({ path: '/a', requests: 1 });
        t.equal(api.circuits()[0].state, 'half-open', `the circuit, ${row}`);
        let settled = 0;
        calls.forEach((call) => call.then(() => { settled += 1; }));
        await t.until(() => settled === 49, `the refusal of the others, ${row}`);
        t.equal((await origin.report()).routes.find(({ path }) => path === '/a').requests, 1, `sent, ${row}`);
        await origin.release('go');
        const results = await Promise.all(calls);
        t.equal(results.filter(({ value }) => value).length, 1, `answered, ${row}`);
        for (const { error, failed } of results) {
          if (!failed) continue;
          t.same([error.code, error.outcome, error.attempts.length], ['CIRCUIT_OPEN', 'not-sent', 0], row);
        }
        t.equal(circuitOf(api), 'closed 0', row);
        t.same(events.of('circuit-change').map(({ state, circuit }) => [state, circuit]), ['open', 'half-open', 'closed'].map((state) => [state, origin.origin]), `events, ${row}`);
        await t.works(() => Promise.all(Array.from({ length: 5 }, (_, number) => api.get(`a?again=${number}`).json())));
      }
    },
  },
  {
    name: 'J04 half-open, fifty calls in the queue that all passed the first look: exactly one is sent',
    parallel: true,
    async run(t) {
      const fetch = held();
      const key = ({ url }) => new URL(url).pathname;
      const api = t.client({ fetch, queue: { concurrency: 1 }, circuitBreaker: { key, failureThreshold: 1, resetTimeout: 0, halfOpenSuccesses: 1 } });
      const failing = quiet(api.post('a').json());
      await t.turn();
      fetch.calls[0].fail();
      await t.fails(() => failing, { code: 'NETWORK_ERROR' });
      const holder = quiet(api.get('holder').json());
      const calls = Array.from({ length: 50 }, () => quiet(api.get('a').json()));
      await t.turn();
      t.equal(api.metrics().waiting, 50, 'waiting');
      fetch.calls[1].answer();
      await t.works(() => holder);
      await t.until(() => fetch.calls.length === 3, 'the probe');
      fetch.calls[2].answer();
      const codes = (await Promise.allSettled(calls)).map(({ status, reason }) => (status === 'fulfilled' ? 'well' : reason.code));
      t.equal(codes.filter((code) => code === 'well').length, 1, `answered of ${codes}`);
      t.equal(codes.filter((code) => code === 'CIRCUIT_OPEN').length, 49, 'refused');
      t.equal(fetch.calls.length, 3, 'sent');
    },
  },
  {
    name: 'C10 the cool-down does not look at the wall clock',
    async run(t) {
      await t.home.script({ '/down': { status: 500 }, '/ok': { json: { a: 1 } } });
      const { now } = Date;
      for (const jump of [3_600_000, -3_600_000]) {
        const api = t.client({ circuitBreaker: { failureThreshold: 1, resetTimeout: 300, halfOpenSuccesses: 1 } });
        const opened = performance.now();
        await open(t, api, 'down', 1);
        try {
          Date.now = () => now() + jump;
          await t.fails(() => api.get('ok').json(), { code: 'CIRCUIT_OPEN' });
          let result;
          do {
            await t.sleep(5);
            result = await api.get('ok').result();
          } while (!result.success);
          t.took(performance.now() - opened, [299, 400], 'until a probe was let through');
        } finally {
          Date.now = now;
        }
        t.equal(circuitOf(api), 'closed 0');
        const { callMs, attemptMs } = api.metrics();
        for (const { p50, p99 } of [callMs, attemptMs]) t.ok(p50 >= 0 && p99 < 10_000, `durations ${p50}, ${p99}`);
      }
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
