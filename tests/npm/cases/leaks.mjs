// What calls leave behind, however they end: no timer, no listener, no slot of the engine, no memory.

import { random } from '../harness/random.mjs';
import { trackSlots } from '../harness/slots.mjs';

const encoder = new TextEncoder();
const json = (init) => new Response('{"a":1}', init);

/** A body of these pieces, and then `end`. */
const body = (end, ...pieces) => new ReadableStream({
  pull(controller) {
    const piece = pieces.shift();
    if (piece === undefined) return end(controller);
    controller.enqueue(encoder.encode(piece));
  },
});
const stalled = () => new Response(body(() => new Promise(() => {}), '{"a":'));
const hanging = ({ signal }) => new Promise((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
});

/** What a `fetch` that is made up does, by the path that is asked for. */
const STUBS = {
  good: () => json(),
  error: () => json({ status: 500 }),
  text: () => new Response('<p>'),
  empty: () => new Response(null, { status: 204 }),
  broken: () => new Response(body((controller) => controller.error(new TypeError('network error')), '{"a":')),
  lost: () => Promise.reject(new TypeError('Failed to fetch')),
  hang: hanging,
  stall: stalled,
  odd: () => 7,
};
const stub = async (url, init) => STUBS[new URL(url).pathname.slice(1)](init);

/** How calls end, and with which code: `signal` lasts as long as the application, one from `soon` until all are under way. */
const ENDINGS = {
  'a value': [(api, signal) => api.get('good', { signal }).json()],
  'a text, by fetch': [async (api, signal) => (await api.fetch('good', { signal })).text()],
  'no content': [(api, signal) => api.delete('empty', { signal }).json()],
  'a value with progress': [(api, signal) => api.get('good', { signal, onDownloadProgress() {} }).json()],
  'a result that failed': [(api, signal) => api.get('error', { signal }).result()],
  'a stream': [async (api, signal) => { for await (const chunk of api.get('good', { signal }).stream()) chunk.at(0); }],
  'a stream that is left': [async (api, signal) => { for await (const chunk of api.get('stall', { signal }).stream()) if (chunk) break; }],
  'a body that is cancelled': [async (api, signal) => (await api.fetch('stall', { signal })).body.cancel()],
  'a body and its copy': [async (api, signal) => {
    const response = await api.fetch('good', { signal });
    await Promise.all([response.clone().json(), response.text()]);
  }],
  'a body that nobody reads': [async (api, signal) => { await api.get('good', { signal, idleTimeout: 1 }); }],
  'a status': [(api, signal) => api.get('error', { signal }).json(), 'HTTP_ERROR'],
  'no JSON': [(api, signal) => api.get('text', { signal }).json(), 'PARSE_ERROR'],
  'too much': [(api, signal) => api.get('good', { signal, maxResponseBytes: 3 }).json(), 'RESPONSE_TOO_LARGE'],
  'a body that breaks': [(api, signal) => api.get('broken', { signal }).json(), 'NETWORK_ERROR'],
  'an outage': [(api, signal) => api.post('lost', { signal, body: 'x' }).json(), 'NETWORK_ERROR'],
  'an outage, retried': [(api, signal) => api.get('lost', { signal, retry: { limit: 2, delay: 0 } }).json(), 'NETWORK_ERROR'],
  'no response at all': [(api, signal) => api.post('odd', { signal }).json(), 'CALLBACK_ERROR'],
  'no headers in time': [(api, signal) => api.get('hang', { signal, headersTimeout: 1 }).json(), 'TIMEOUT'],
  'no body in time': [(api, signal) => api.get('stall', { signal, totalTimeout: 20 }).json(), 'DEADLINE_EXCEEDED'],
  'aborted before': [(api) => api.get('good', { signal: AbortSignal.abort() }).json(), 'ABORTED'],
  'aborted without headers': [(api, signal, soon) => api.get('hang', { signal: soon() }).json(), 'ABORTED'],
  'aborted in the body': [(api, signal, soon) => api.get('stall', { signal: soon() }).json(), 'ABORTED'],
  'aborted in the backoff': [
    (api, signal, soon) => api.get('lost', { signal: soon(), retry: { limit: 1, delay: 60_000, jitter: 'none' } }).json(), 'ABORTED',
  ],
  'a hook that throws': [(api, signal) => api.get('good', { signal, hooks: { beforeRequest: [() => { throw new Error('hook'); }] } }).json(), 'CALLBACK_ERROR'],
  'a hook that answers': [(api, signal) => api.get('hang', { signal, hooks: { beforeRequest: [() => json()] } }).json()],
  'a bad URL': [(api, signal) => api.get('http://user:pass@a.test/', { signal }).json(), 'INVALID_REQUEST'],
  'a bad option': [(api, signal) => api.get('good', { signal, timeout: 0 }).json(), 'INVALID_OPTION'],
};

const CUT = { body: 'x', contentLength: 20, end: 'cut' };
const STALL = { chunks: [{ text: '{"a":' }], end: 'hang' };

/** What the fault server does, by path. */
const FAULTS = {
  '/good': { json: { a: 1 } },
  '/slow': { delay: 5, json: { a: 1 } },
  '/large': { bytes: 200_000 },
  '/busy': [{ status: 503, json: {} }, { json: { a: 1 } }],
  '/missing': { status: 404, json: { a: 1 } },
  '/from': { redirect: { status: 302, to: '/good' } },
  '/cut': CUT,
  '/lost': { before: 'reset' },
  '/hang': { before: 'hang' },
  '/stall': STALL,
};

/** Calls over the network, and the codes with which they may end; an abort may come too late. */
const REAL = [
  [(api, signal) => api.get('good', { signal }).json()],
  [async (api, signal) => (await api.fetch('good', { signal })).json()],
  [(api, signal) => api.get('large', { signal }).text()],
  [async (api, signal) => { for await (const chunk of api.get('large', { signal }).stream()) chunk.at(0); }],
  [async (api, signal) => { for await (const chunk of api.get('large', { signal }).stream()) if (chunk) break; }],
  [(api, signal) => api.get('from', { signal }).json()],
  [(api, signal, key) => api.put(`busy?key=${key}`, { signal, retry: { limit: 1, delay: 1, statusCodes: [503] } }).json()],
  [async (api, signal) => { await api.get('stall', { signal, idleTimeout: 20 }); }],
  [(api, signal) => api.get('missing', { signal }).json(), 'HTTP_ERROR'],
  [(api, signal) => api.get('large', { signal }).json(), 'PARSE_ERROR'],
  [(api, signal) => api.get('large', { signal, maxResponseBytes: 1_000 }).json(), 'RESPONSE_TOO_LARGE'],
  [(api, signal) => api.post('cut', { signal }).text(), 'NETWORK_ERROR'],
  [(api, signal) => api.post('lost', { signal }).text(), 'NETWORK_ERROR'],
  [(api, signal) => api.put('lost', { signal, retry: { limit: 1, delay: 1 } }).text(), 'NETWORK_ERROR'],
  [(api, signal) => api.post('hang', { signal, headersTimeout: 20 }).text(), 'TIMEOUT'],
  [(api, signal) => api.post('stall', { signal, totalTimeout: 50 }).text(), 'DEADLINE_EXCEEDED'],
  [(api, signal, key, after) => api.post('hang', { signal: after(20) }).text(), 'ABORTED'],
  [(api, signal, key, after) => api.get('stall', { signal: after(20) }).text(), 'ABORTED'],
  [(api, signal, key, after) => api.get('slow', { signal: after(10) }).json(), undefined, 'ABORTED'],
];

/** Tells of a call how it ended: its code, or `undefined`. */
const codeOf = async (t, call) => {
  try {
    await call;
    return undefined;
  } catch (error) {
    return t.info(error)?.code ?? t.show(error);
  }
};

/**
 * `round` again and again: of what calls take nothing may grow any more after `warm` rounds.
 *
 * @param {(signal: AbortSignal) => Promise<void>} round starts calls with that signal, among others, and sees them end
 * @param {number} most slots that it may need
 * @param {number} [pages] of wasm memory that chance may still ask for: how many calls are in which state at once
 */
async function nothingGrows(t, { warm, rounds, most, pages = 0 }, round) {
  const slots = trackSlots(t.memory);
  // For the whole life of an application, and any number of calls at once.
  const { signal } = new AbortController();
  const onSignal = t.trackListeners(signal);
  const onPage = trackPage();
  const run = async (times) => {
    for (let time = 0; time < times; time += 1) await round(signal);
    await t.until(() => t.timers.pending() === 0, 'the end of the timers');
    return { heap: await t.heap(), wasm: t.memory.bytes(), onPage: onPage.live() };
  };
  const before = await run(warm);
  const after = await run(rounds);
  t.equal(t.memory.instances(), 1, 'engines');
  t.between(slots.count(), 1, most, 'slots of the engine');
  t.between(after.wasm - before.wasm, 0, pages * 65_536, 'growth of the wasm memory');
  t.equal(onSignal.live(), 0, 'listeners of the signal');
  t.equal(after.onPage - before.onPage, 0, 'listeners of the page');
  if (after.heap !== undefined) t.between(after.heap - before.heap, -Infinity, 1e6, 'growth of the heap');
}

/** Counts the listeners of this realm. */
function trackPage() {
  let live = 0;
  for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
    const original = globalThis[name];
    if (original) globalThis[name] = (...args) => { live += step; original.apply(globalThis, args); };
  }
  return { live: () => live };
}

export default [
  {
    name: 'leaks: calls that end in every way leave nothing',
    wasm: true,
    timeout: 60_000,
    full: 300_000,
    async run(t) {
      const each = 4;
      const calls = each * Object.keys(ENDINGS).length;
      const api = t.client({ fetch: stub });
      const rounds = Math.ceil((t.full ? 100_000 : 8_000) / calls);
      // Bodies that nobody reads may last into the next round.
      await nothingGrows(t, { warm: 20, rounds, most: 2 * calls }, async (signal) => {
        const controllers = [];
        const soon = () => {
          controllers.push(new AbortController());
          return controllers.at(-1).signal;
        };
        const started = Object.entries(ENDINGS).flatMap(([name, [start, code]]) => Array.from(
          { length: each },
          () => codeOf(t, start(api, signal, soon)).then((found) => t.equal(found, code, `code of ${name}`)),
        ));
        await t.turn(2);
        controllers.forEach((controller) => controller.abort());
        await Promise.all(started);
      });
    },
  },
  {
    name: 'leaks: calls over the network, with every fault, leave nothing',
    wasm: true,
    timeout: 60_000,
    full: 300_000,
    async run(t) {
      const { below } = random(12);
      const origins = [t.home, await t.open()];
      const apis = [];
      for (const origin of origins) {
        await origin.script(FAULTS);
        // So many calls with a fault would use up a retry budget.
        apis.push(t.client({ baseUrl: origin.origin, retryBudget: false }));
      }
      /** Aborted after a random time up to `most`: wherever the call is by then. */
      const after = (most) => {
        const controller = new AbortController();
        t.sleep(below(most)).then(() => controller.abort());
        return controller.signal;
      };
      let last = 0;
      const one = async (signal, turn) => {
        const [start, ...codes] = REAL[turn];
        last += 1;
        const found = await codeOf(t, start(apis[last % apis.length], signal, last, after));
        t.oneOf(found, codes.length > 0 ? codes : [undefined], `code of ${start}`);
      };
      // As many as a browser sends to a host.
      const atOnce = 6;
      const rounds = Math.ceil((t.full ? 5_000 : 400) / REAL.length);
      // The platform keeps something of its first thousand requests.
      await nothingGrows(t, { warm: t.full ? 60 : 5, rounds, most: 2 * atOnce }, async (signal) => {
        const turns = REAL.keys();
        await Promise.all(Array.from({ length: atOnce }, async () => {
          for (const turn of turns) await one(signal, turn);
        }));
      });
      for (const origin of origins) await origin.wait({ open: 0 });
    },
  },
  {
    name: 'leaks: calls in a queue and behind a circuit, of clients that come and go, leave nothing',
    wasm: true,
    timeout: 60_000,
    full: 120_000,
    async run(t) {
      const { pick, chance } = random(34);
      const protection = {
        queue: { concurrency: 2, limit: 10, timeout: 5 },
        circuitBreaker: { failureThreshold: 6, resetTimeout: 1, halfOpenSuccesses: 1 },
        retryBudget: { capacity: 5 },
      };
      const each = 30;
      const started = (api, signal, controllers) => {
        const own = chance(0.3);
        if (own) controllers.push(new AbortController());
        const options = { signal: own ? controllers.at(-1).signal : signal, totalTimeout: 30, retry: { limit: 1, delay: 1 } };
        return codeOf(t, api.get(pick(['good', 'good', 'good', 'error', 'lost', 'hang', 'stall']), options).text());
      };
      const kept = t.client({ fetch: stub, ...protection });
      const seen = new Set();
      const rounds = Math.ceil((t.full ? 30_000 : 3_000) / (2 * each));
      await nothingGrows(t, { warm: t.full ? 100 : 20, rounds, most: 4 * each, pages: 2 }, async (signal) => {
        const passing = t.client({ fetch: stub, ...protection });
        const controllers = [];
        const calls = [kept, passing].flatMap((api) => Array.from({ length: each }, () => started(api, signal, controllers)));
        await t.turn(1);
        controllers.forEach((controller) => controller.abort());
        if (chance(0.5)) passing.close();
        for (const code of await Promise.all(calls)) seen.add(code);
        for (const api of [kept, passing]) {
          const { inFlight, waiting } = api.metrics();
          t.same({ inFlight, waiting }, { inFlight: 0, waiting: 0 }, 'slots that are taken');
        }
      });
      for (const code of [undefined, 'ABORTED', 'QUEUE_FULL', 'QUEUE_TIMEOUT', 'CIRCUIT_OPEN', 'DEADLINE_EXCEEDED', 'NETWORK_ERROR', 'HTTP_ERROR']) {
        t.ok(seen.has(code), `some calls ended so: ${code}; all: ${[...seen]}`);
      }
    },
  },
];
