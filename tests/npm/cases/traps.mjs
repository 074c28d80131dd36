// N01: an engine that dies takes nobody with it.

import { traps } from '../harness/traps.mjs';

/** The calls of a case, each in another state when the engine dies. */
async function underWay(t, api, signal) {
  const calls = {
    'without headers': api.get('gated?1', { signal }).json(),
    'without headers, by fetch': api.fetch('gated?2', { signal }),
    'in the body': api.get('stall', { signal }).text(),
    'in a body that the caller reads': (async () => (await api.fetch('stall?2', { signal })).text())(),
    'in the backoff': api.put('lost', { signal, retry: { limit: 1, delay: 60_000, jitter: 'none' } }).text(),
  };
  for (const call of Object.values(calls)) call.catch(() => {});
  await t.home.wait({ path: '/gated', requests: 2 });
  await t.home.wait({ path: '/lost', requests: 1 });
  await t.home.wait({ path: '/stall', requests: 2 });
  // Until the first byte of the bodies is here too.
  await t.sleep(50);
  return calls;
}

const SCRIPT = {
  '/gated': { gate: 'go', json: { a: 1 } },
  '/stall': { chunks: [{ text: 'x' }], end: 'hang' },
  '/lost': { before: 'reset' },
  '/ok': { json: { a: 1 } },
  '/after': { json: { a: 2 } },
};

/** What makes the engine run one of its exports, by the name of that. */
const OCCASIONS = {
  head: (t, api) => api.get('ok').text(),
  tick: (t, api) => api.get('ok', { fetch: () => new Promise(() => {}), totalTimeout: 30 }).text(),
  cancel: (t, api) => {
    const view = api.extend({});
    const call = view.get('ok', { fetch: () => new Promise(() => {}) }).text();
    view.abortAll('enough');
    return call;
  },
};

/** The same client works again, on an engine of its own. */
async function worksAgain(t, api, dead) {
  const values = await t.works(() => Promise.all([1, 2, 3].map((number) => api.get(`after?${number}`).json())));
  t.same(values, [{ a: 2 }, { a: 2 }, { a: 2 }], 'the next calls');
  t.equal(t.memory.instances(), dead + 1, 'engines');
}

async function dies(t, kind) {
  const { [kind]: trap } = traps();
  let trapping;
  t.memory.intercept((exports) => Object.fromEntries(Object.entries(exports).map(([name, value]) => [
    name,
    typeof value === 'function' ? (...args) => (name === trapping ? trap() : value(...args)) : value,
  ])));
  const controller = new AbortController();
  const listeners = t.trackListeners(controller.signal);
  const api = t.client();
  for (const [entry, occasion] of Object.entries(OCCASIONS)) {
    await t.home.script(SCRIPT);
    const calls = await underWay(t, api, controller.signal);
    const dead = t.memory.instances();
    trapping = entry;
    const last = occasion(t, api);
    last.catch(() => {});
    const failed = await t.fails(() => last, { code: 'ENGINE_DEAD' });
    trapping = undefined;
    t.ok(failed.originalError instanceof Error, `what was thrown is kept: ${t.show(failed.originalError)}`);
    for (const [what, call] of Object.entries(calls)) {
      const error = await t.fails(() => call, { code: 'ENGINE_DEAD' }, [0, 200]);
      t.equal(t.info(error).outcome, /body/.test(what) ? 'answered' : 'unknown', `outcome of a call ${what}, ${entry}`);
    }
    t.equal(t.timers.pending(), 0, `timers, ${entry}`);
    t.equal(listeners.live(), 0, `listeners, ${entry}`);
    await t.home.wait({ open: 0 });
    await worksAgain(t, api, dead);
  }
}

export default [
  {
    name: 'N01 a panic: what is under way settles, the same client works again',
    run: (t) => dies(t, 'panic'),
  },
  {
    name: 'N01 a stack overflow: what is under way settles, the same client works again',
    run: (t) => dies(t, 'overflow'),
  },
  {
    name: 'N01 out of memory: what is under way settles, the same client works again',
    async run(t) {
      await t.home.script(SCRIPT);
      t.memory.limit();
      const signals = [];
      const hang = (url, { signal }) => {
        signals.push(signal);
        return new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      };
      const api = t.client();
      const calls = [];
      // The engine is told of each call at once, and so are those whose engine dies.
      while (!signals[0]?.aborted && calls.length < 100_000) {
        const call = api.get('ok', { fetch: hang }).text();
        call.catch(() => {});
        calls.push(call);
      }
      t.between(calls.length, 10, 99_999, 'calls at once');
      for (const call of calls) await t.fails(() => call, { code: 'ENGINE_DEAD' }, [0, 200]);
      t.ok(signals.every(({ aborted }) => aborted), 'what was sent is aborted');
      t.equal(t.timers.pending(), 0, 'timers');
      await worksAgain(t, api, 1);
    },
  },
];
