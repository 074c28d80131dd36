// `timings`: what Resource Timing says of an attempt, in its attempt-end.

import { BROWSERS, except } from '../harness/hosts.mjs';

const TOLD = ['stalled', 'dns', 'connect', 'tls', 'request', 'response'];
/** Deno and Bun have no such entries. */
const WITH_ENTRIES = except('deno', 'bun');
/** What the slow server takes, in milliseconds, and how much less a coarse clock may make of it. */
const SLOW = 200;
const COARSE = 20;
/** Connections that a browser has for a host. */
const CONNECTIONS = 6;

const good = { '/a': { json: { a: 1 } }, '/slow': { delay: SLOW, json: { a: 1 } } };
const withheld = { headers: { 'timing-allow-origin': 'https://nobody.test' }, json: { a: 1 } };

/** The event, once it has been told. */
const told = (t, recorder, type, count = 1) => t.until(() => recorder.of(type).length >= count && recorder.of(type), `${count} ${type}`);

/** Counts the observers of entries that are at work. */
function trackObservers(t) {
  const active = new Set();
  const { prototype } = PerformanceObserver;
  const spies = [
    t.spy(prototype, 'observe', (observe) => function (options) {
      if (options.type === 'resource') active.add(this);
      return observe.call(this, options);
    }),
    t.spy(prototype, 'disconnect', (disconnect) => function () {
      active.delete(this);
      return disconnect.call(this);
    }),
  ];
  return { active: () => active.size, restore: () => spies.forEach((one) => one.restore()) };
}

export default [
  {
    name: 'timings: a slow server is told from a slow network, and the parts are the whole',
    hosts: WITH_ENTRIES,
    async run(t) {
      await t.home.script(good);
      const recorder = t.recorder();
      const api = t.client({ timings: true, onEvent: recorder });
      await t.works(() => api.get('/slow').json());
      const [{ timings, attemptMs }] = await told(t, recorder, 'attempt-end');
      t.same(Object.keys(timings).sort(), [...TOLD].sort());
      t.ok(timings.request >= SLOW - COARSE, `the server's time: ${JSON.stringify(timings)}`);
      const all = TOLD.reduce((sum, name) => sum + timings[name], 0);
      t.ok(all >= SLOW - COARSE && all < attemptMs + 1_000, `all of it: ${all} of ${attemptMs}`);
      t.equal(JSON.stringify(JSON.parse(JSON.stringify(timings))), JSON.stringify(timings), 'plain data');
    },
  },
  {
    name: 'timings: a wait for a connection of the browser is told from a slow server',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script(good);
      const recorder = t.recorder();
      const api = t.client({ timings: true, onEvent: recorder });
      const calls = Array.from({ length: CONNECTIONS + 1 }, (_, at) => api.get(`/slow?${at}`).json());
      await t.works(() => Promise.all(calls));
      const ends = await told(t, recorder, 'attempt-end', calls.length);
      const waited = ends.filter(({ timings }) => timings.stalled >= SLOW / 2);
      t.ok(waited.length >= 1, `one had to wait: ${JSON.stringify(ends.map(({ timings }) => timings))}`);
      for (const { timings } of ends) t.ok(timings.request >= SLOW - COARSE, `the server's time: ${timings.request}`);
    },
  },
  {
    name: 'timings: the call does not wait for what its events wait for',
    hosts: WITH_ENTRIES,
    async run(t) {
      const recorder = t.recorder();
      const api = t.client({ fetch: t.scripted(new Response('1')), timings: true, onEvent: recorder });
      await t.works(() => api.get('/a').json());
      t.same(recorder.types(), ['call-start', 'attempt-start'], 'no entry has come');
      await told(t, recorder, 'call-end');
      t.same(recorder.types(), ['call-start', 'attempt-start', 'attempt-end', 'call-end']);
    },
  },
  {
    name: 'timings: events keep their order',
    hosts: WITH_ENTRIES,
    async run(t) {
      await t.home.script({ '/a': [{ status: 503, json: {} }, { json: { a: 1 } }] });
      const recorder = t.recorder();
      const api = t.client({ timings: true, onEvent: recorder, retry: { limit: 1, delay: 0, statusCodes: [503] } });
      await t.works(() => api.get('/a').json());
      await told(t, recorder, 'call-end');
      t.same(recorder.types(), ['call-start', 'attempt-start', 'attempt-end', 'retry', 'attempt-start', 'attempt-end', 'call-end']);
      const elapsed = recorder.events.map(({ elapsedMs }) => elapsedMs);
      t.same(elapsed, [...elapsed].sort((one, other) => one - other), 'times of the moments, not of the telling');
      const [first, second] = recorder.of('attempt-end');
      t.same([first.attempt, first.status, second.attempt, second.status], [1, 503, 2, 200]);
      t.ok(second.timings, 'timings of the second');
    },
  },
  {
    name: 'timings: calls of one URL at the same time get one entry each',
    hosts: WITH_ENTRIES,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      const recorder = t.recorder();
      const api = t.client({ timings: true, onEvent: recorder });
      await t.works(() => Promise.all(Array.from({ length: 4 }, () => api.get('/a#part').json())));
      const ends = await told(t, recorder, 'attempt-end', 4);
      t.equal(ends.filter(({ timings }) => timings).length, 4, 'with timings');
    },
  },
  {
    name: 'timings: of two attempts at one URL each gets its own, whichever is over first',
    hosts: WITH_ENTRIES,
    async run(t) {
      const slow = { delay: 2 * SLOW, json: { a: 1 } };
      const fast = { delay: SLOW, json: { a: 1 } };
      for (const steps of [[slow, fast], [fast, slow]]) {
        // POST: Chromium lets one GET of a URL wait for the other.
        await t.home.script({ '/b': steps });
        const recorder = t.recorder();
        const api = t.client({ timings: true, onEvent: recorder });
        const before = await t.requests();
        const first = api.post('/b').json();
        await t.home.wait({ requests: before + 1 });
        await t.works(() => Promise.all([first, api.post('/b').json()]));
        const ends = await told(t, recorder, 'attempt-end', 2);
        const [one, other] = [...ends].sort((a, b) => a.callId - b.callId).map(({ timings }) => timings.request);
        t.equal(one > other, steps[0] === slow, `${one} and ${other}`);
      }
    },
  },
  {
    name: 'timings: another origin that does not allow it, a lost connection, an abort say nothing, and nothing is made up',
    hosts: WITH_ENTRIES,
    async run(t) {
      const other = await t.open({ script: { '/a': withheld, '/lost': { before: 'reset' }, '/hang': { before: 'hang' } } });
      const recorder = t.recorder();
      const api = t.client({ baseUrl: other.origin, timings: true, onEvent: recorder });
      await t.works(() => api.get('/a').json());
      await t.fails(() => api.post('/lost').json(), { code: 'NETWORK_ERROR' });
      await t.fails(() => api.get('/hang', { headersTimeout: 50 }).json(), { code: 'TIMEOUT' });
      await told(t, recorder, 'call-end', 3);
      const ends = recorder.of('attempt-end');
      t.equal(ends.length, 3);
      if (t.inBrowser) t.equal(ends[0].timings, undefined, 'of another origin');
      for (const { timings } of ends.filter((end) => end.timings)) {
        for (const name of TOLD) t.ok(timings[name] === undefined || timings[name] >= 0, `${name}: ${timings[name]}`);
      }
    },
  },
  {
    name: 'timings: a full buffer of the page changes nothing',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script(good);
      performance.setResourceTimingBufferSize(1);
      try {
        const recorder = t.recorder();
        const api = t.client({ timings: true, onEvent: recorder });
        for (let at = 0; at < 4; at++) await t.works(() => api.get(`/a?${at}`).json());
        const ends = await told(t, recorder, 'attempt-end', 4);
        t.equal(ends.filter(({ timings }) => timings).length, 4, 'with timings');
      } finally {
        performance.setResourceTimingBufferSize(250);
        performance.clearResourceTimings();
      }
    },
  },
  {
    name: 'timings: nobody looks for entries unless a call asks, and nobody does afterwards',
    hosts: WITH_ENTRIES,
    async run(t) {
      await t.home.script({ ...good, '/hang': { before: 'hang' }, '/lost': { before: 'reset' } });
      const observers = trackObservers(t);
      try {
        const recorder = t.recorder();
        const api = t.client({ onEvent: recorder });
        await t.works(() => api.get('/a').json());
        await t.works(() => t.client({ timings: true }).get('/a').json());
        t.equal(observers.active(), 0, 'without an observer of events, or without timings');
        const controller = new AbortController();
        const calls = [
          api.get('/slow', { timings: true }).json(),
          api.get('/hang', { timings: true, signal: controller.signal }).result(),
          api.post('/lost', { timings: true }).result(),
          api.get('/a', { timings: true, hooks: { beforeRequest: [() => new Response('1')] } }).json(),
        ];
        await t.until(() => recorder.of('attempt-start').length >= 4, 'the attempts');
        t.equal(observers.active(), 1, 'one for all');
        controller.abort();
        await t.works(() => Promise.all(calls));
        await t.until(() => observers.active() === 0, 'the end of the observer', 1_000);
        await told(t, recorder, 'call-end', 5);
      } finally {
        observers.restore();
      }
    },
  },
  {
    name: 'timings: where there are no entries the events come at once',
    async run(t) {
      const kept = Object.getOwnPropertyDescriptor(globalThis, 'PerformanceObserver');
      delete globalThis.PerformanceObserver;
      try {
        const recorder = t.recorder();
        const api = t.client({ fetch: t.scripted(new Response('1')), timings: true, onEvent: recorder });
        await t.works(() => api.get('http://a.test/').json());
        t.same(recorder.types(), ['call-start', 'attempt-start', 'attempt-end', 'call-end']);
        t.equal(recorder.of('attempt-end')[0].timings, undefined);
      } finally {
        if (kept) Object.defineProperty(globalThis, 'PerformanceObserver', kept);
      }
    },
  },
];
