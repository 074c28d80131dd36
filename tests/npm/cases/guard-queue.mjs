// The queue: so many attempts at once, so many calls that wait, and what becomes of those that leave.

import { held } from '../harness/held.mjs';

/** Calls that nobody awaits here must not count as unhandled. */
const quiet = (call) => {
  call.catch(() => {});
  return call;
};

/** Whether a promise settles within one task. */
async function isSettledSoon(t, promise) {
  let isSettled = false;
  promise.then(() => { isSettled = true; }, () => { isSettled = true; });
  await t.turn(1);
  return isSettled;
}

/** What a client has to show when nothing is under way. */
function atRest(t, api) {
  const { calls, succeeded, failed, inFlight, waiting } = api.metrics();
  t.same([inFlight, waiting], [0, 0], 'in flight and waiting at the end');
  t.equal(Object.values(failed).reduce((sum, count) => sum + count, succeeded), calls, 'outcomes');
}

const cases = [
  {
    name: 'K01 G07 B02 B06 an abort in the queue settles within a task, with its reason, and nothing was sent',
    parallel: true,
    async run(t) {
      for (const reason of [new Error('E'), 'bye', null, { a: 1 }]) {
        const fetch = held();
        const api = t.client({ fetch, queue: { concurrency: 1 }, circuitBreaker: { failureThreshold: 1 } });
        const holder = quiet(api.get('holder').json());
        const controller = new AbortController();
        const listeners = t.trackListeners(controller.signal);
        const waiting = quiet(api.post('waiting', { json: {}, signal: controller.signal, retry: 3 }).json());
        await t.turn();
        t.equal(api.metrics().waiting, 1, 'waiting');
        controller.abort(reason);
        t.equal(api.metrics().waiting, 0, 'waiting, at once');
        t.ok(await isSettledSoon(t, waiting), 'settled within a task');
        const error = await t.fails(() => waiting, { code: 'ABORTED', phase: 'queue', outcome: 'not-sent', cause: reason });
        t.equal(error.attempts.length, 0, 'attempts');
        t.equal(listeners.live(), 0, 'listeners');
        fetch.calls[0].answer();
        t.same(await t.works(() => holder), { a: 1 });
        t.same(fetch.paths(), ['holder'], 'what was sent');
        t.equal(api.circuits()[0].failures, 0, 'failures of the circuit');
        atRest(t, api);
      }
    },
  },
  {
    name: 'K02 who leaves the queue leaves a place in it',
    parallel: true,
    async run(t) {
      const fetch = held();
      const api = t.client({ fetch, queue: { concurrency: 1, limit: 1 } });
      const first = quiet(api.get('first').json());
      const controller = new AbortController();
      const second = quiet(api.get('second', { signal: controller.signal }).json());
      await t.turn();
      await t.fails(() => api.get('no-place').json(), { code: 'QUEUE_FULL' });
      controller.abort();
      const third = quiet(api.get('third').json());
      await t.fails(() => second, { code: 'ABORTED' });
      fetch.calls[0].answer();
      await t.works(() => first);
      await t.until(() => fetch.calls.length === 2, 'the third call');
      fetch.calls[1].answer();
      t.same(await t.works(() => third), { a: 1 });
      t.same(fetch.paths(), ['first', 'third'], 'what was sent');
      atRest(t, api);
    },
  },
  {
    name: 'K06 a backoff holds no slot, and its retry goes ahead of those that wait',
    async run(t) {
      await t.home.script({
        '/a': [{ before: 'reset' }, { gate: 'a', json: { a: 1 } }],
        '/b': { json: { b: 1 } },
        '/c': { gate: 'c', json: { c: 1 } },
        '/d': { json: { d: 1 } },
      });
      // A GET Firefox would send again by itself.
      const retry = { limit: 3, delay: 400, jitter: 'none' };
      const events = t.recorder();
      const api = t.client({ queue: { concurrency: 1 }, onEvent: events });
      const a = quiet(api.put('a', { retry }).json());
      await t.until(() => events.of('retry').length === 1, 'the backoff');
      t.same(await t.works(() => api.get('b').json(), [0, 200]), { b: 1 });
      const c = quiet(api.get('c').json());
      await t.home.wait({ path: '/c', requests: 1 });
      const d = quiet(api.get('d').json());
      await t.until(() => events.of('queued').length === 2, 'the retry in the queue');
      await t.home.release('c');
      await t.home.wait({ path: '/a', requests: 2 });
      t.equal(events.of('attempt-start').length, 4, 'attempts before the last');
      await t.home.release('a');
      t.same(await t.works(() => Promise.all([a, c, d])), [{ a: 1 }, { c: 1 }, { d: 1 }]);
      const { log, maxOpen } = await t.home.report();
      t.same(log.map(({ route }) => route), ['/a', '/b', '/c', '/a', '/d'], 'what the server saw');
      t.equal(maxOpen, 1, 'open at once');
      atRest(t, api);
    },
  },
  {
    name: 'K07 the time in the queue has a limit of its own, which ends with the dispatch',
    async run(t) {
      await t.home.script({ '/blocker': { delay: 150, json: {} }, '/slow': { delay: 450, json: { a: 1 } }, '/late': { json: {} } });
      const api = t.client({ queue: { concurrency: 1, limit: 10, timeout: 300 } });
      const blocker = quiet(api.get('blocker').json());
      const slow = quiet(api.get('slow').json());
      const late = api.get('late', { retry: 3 }).json();
      const error = await t.fails(() => late, { code: 'QUEUE_TIMEOUT', phase: 'queue', outcome: 'not-sent', limit: 300, name: 'TimeoutError' }, [299, 340]);
      t.ok(t.lib.isTimeoutError(error), 'a timeout');
      t.same(await t.works(() => Promise.all([blocker, slow])), [{}, { a: 1 }]);
      await t.saw(2);
      const { timeouts, failed } = api.metrics();
      t.same([timeouts, failed], [{ queue: 1 }, { QUEUE_TIMEOUT: 1 }]);
      atRest(t, api);
    },
  },
  {
    name: 'K09 a full queue refuses at once, and feeds neither retries nor the circuit',
    async run(t) {
      await t.home.script({ '*': { gate: 'go', json: { a: 1 } } });
      for (const [limit, accepted] of [[2, 3], [0, 1]]) {
        const origin = await t.open({ script: { '*': { gate: 'go', json: { a: 1 } } } });
        const events = t.recorder();
        const api = t.client({
          baseUrl: origin.origin, onEvent: events, retry: 3,
          queue: { concurrency: 1, limit }, circuitBreaker: { failureThreshold: 1 },
        });
        const began = t.now();
        const calls = Array.from({ length: 10 }, (_, number) => t.settle(() => api.get(`a?${number}`).json()));
        const full = await Promise.all(calls.slice(accepted));
        t.took(t.now() - began, [0, 50], 'time to refuse them');
        for (const { error } of full) {
          t.same([error.code, error.phase, error.outcome, error.attempts], ['QUEUE_FULL', 'queue', 'not-sent', []]);
        }
        await origin.release('go');
        for (const { value } of await Promise.all(calls.slice(0, accepted))) t.same(value, { a: 1 });
        t.equal(events.of('retry').length, 0, 'retries');
        t.same(api.circuits().map(({ state, failures }) => [state, failures]), [['closed', 0]], 'the circuit');
        t.same(api.metrics().failed, { QUEUE_FULL: 10 - accepted });
        const { requests, maxOpen } = await origin.report();
        t.same([requests, maxOpen], [accepted, 1], 'requests, and open at once');
        atRest(t, api);
      }
    },
  },
  {
    name: 'K11 the limit is for each origin and each client; views share it, perOrigin: false is one for all',
    parallel: true,
    async run(t) {
      const fetch = held();
      const A = 'http://a.test/x';
      const B = 'http://b.test/x';
      const api = t.client({ fetch, queue: { concurrency: 2 } });
      const calls = [quiet(api.get(A).json()), quiet(api.get(A).json()), quiet(api.get(A).json()), quiet(api.get(B).json())];
      await t.turn();
      t.equal(fetch.out().length, 3, 'two of one origin, one of another');
      calls.push(quiet(api.extend({ headers: { a: 'b' } }).get(A).json()), quiet(api.scope().get(A).json()));
      await t.turn();
      t.equal(fetch.out().length, 3, 'views share the limit');
      t.equal(api.metrics().waiting, 3, 'waiting');
      calls.push(quiet(t.client({ fetch, queue: { concurrency: 2 } }).get(A).json()), quiet(api.extend({ queue: { concurrency: 1 } }).get(A).json()));
      await t.turn();
      t.equal(fetch.out().length, 5, 'another client, and a view with a queue of its own, do not');
      calls.push(quiet(api.extend({ queue: false }).get(A).json()));
      await t.turn();
      t.equal(fetch.out().length, 6, 'a view without');
      const all = t.client({ fetch, queue: { concurrency: 2, perOrigin: false } });
      calls.push(...[A, B, 'http://c.test/x'].map((url) => quiet(all.get(url).json())));
      await t.turn();
      t.equal(fetch.out().length, 8, 'one limit for all origins');
      while (fetch.out().length > 0) {
        fetch.out()[0].answer();
        await t.turn();
      }
      t.equal((await Promise.all(calls)).length, 12, 'all answered');
    },
  },
  {
    name: 'C09 waiting in the queue uses up the deadline, and what comes too late is never sent',
    async run(t) {
      await t.home.script({ '/blocker': { delay: 800, json: {} }, '/late': { json: {} } });
      const api = t.client({ queue: { concurrency: 1 } });
      const blocker = quiet(api.get('blocker').json());
      await t.fails(() => api.post('late', { json: {}, totalTimeout: 500 }).json(), {
        code: 'DEADLINE_EXCEEDED', phase: 'queue', outcome: 'not-sent',
      }, [499, 560]);
      await t.works(() => blocker);
      await t.saw(1);
      atRest(t, api);
    },
  },
  {
    name: 'a slot that comes with too little time left is passed on',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const fetch = held();
        const api = t.client({ fetch, queue: { concurrency: 1 }, headersTimeout: false, minAttemptTime: 10 });
        const holder = quiet(api.get('holder').json());
        const late = quiet(api.get('late', { totalTimeout: 500 }).json());
        const next = quiet(api.get('next').json());
        await clock.advance(495);
        fetch.calls[0].answer();
        await t.turn();
        const error = await late.catch((thrown) => thrown);
        t.same([error.code, error.phase, error.outcome], ['DEADLINE_EXCEEDED', 'queue', 'not-sent']);
        t.same(fetch.paths(), ['holder', 'next'], 'what was sent');
        fetch.calls[1].answer();
        t.same(await Promise.all([holder, next]), [{ a: 1 }, { a: 1 }]);
        atRest(t, api);
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'C13 with a queue the seventh call waits with us, and its limits begin with its dispatch',
    async run(t) {
      await t.home.script({ '/slow': { delay: 900, json: {} }, '/seventh': { json: { a: 7 } } });
      const api = t.client({ headersTimeout: false, queue: { concurrency: 6, limit: 10, timeout: 2_000 } });
      const slow = Array.from({ length: 6 }, (_, number) => quiet(api.get(`slow?${number}`).json()));
      t.same(await t.works(() => api.get('seventh', { headersTimeout: 500 }).json(), [800, 1_600]), { a: 7 });
      await t.works(() => Promise.all(slow));
      await t.saw(7);
      t.equal((await t.home.report()).maxOpen, 6, 'open at once');
    },
  },
  {
    name: 'D15 a body that nobody reads gives its slot back',
    async run(t) {
      await t.home.script({ '/endless': { drip: { bytes: 10, every: 20 } }, '/a': { json: { a: 1 } } });
      const api = t.client({ idleTimeout: 500, queue: { concurrency: 1 } });
      await t.works(() => api.post('endless'));
      t.same(await t.works(() => api.get('a').json(), [300, 1_200]), { a: 1 });
      await t.home.wait({ path: '/endless', closes: 1 });
      const response = await t.works(() => api.fetch('endless'));
      const next = quiet(api.get('a?2').json());
      await response.body.cancel();
      t.same(await t.works(() => next, [0, 200]), { a: 1 }, 'after a cancel');
      atRest(t, api);
    },
  },
  {
    name: 'a slot is held to the end of a long body, and to the headers of a short one',
    async run(t) {
      const chunks = [{ text: 'x' }, { text: 'y', gate: 'end' }];
      await t.home.script({
        '/chunked': { chunks },
        '/long': { bytes: 65_537 },
        '/short': { bytes: 65_536 },
        '/none': { status: 204 },
        '/next': { json: { a: 1 } },
      });
      const api = t.client({ idleTimeout: false, queue: { concurrency: 1 } });
      for (const [path, holds] of [['chunked', true], ['long', true], ['short', false], ['none', false]]) {
        const response = await t.works(() => api.fetch(path));
        const events = t.recorder();
        const next = quiet(api.get('next', { onEvent: events }).json());
        await t.until(() => events.of(holds ? 'queued' : 'attempt-start').length === 1, `the next call after ${path}`);
        t.equal(events.of('queued').length, holds ? 1 : 0, `waits for ${path}`);
        await t.home.release('end');
        await response.text();
        t.same(await t.works(() => next), { a: 1 });
      }
      atRest(t, api);
    },
  },
  {
    name: 'the order: retries, priorities, turns by key, first come first served',
    parallel: true,
    async run(t) {
      const fetch = held();
      const seen = [];
      const key = (request) => {
        seen.push(request);
        return request.operation;
      };
      const api = t.client({ fetch, queue: { concurrency: 1, key } });
      const start = (path, operation, priority) => quiet(api.get(path, { operation, priority, headers: { 'x-a': 'b' } }).json());
      const calls = [
        start('holder', 'k'),
        start('low', 'k', 'low'), start('k1', 'k'), start('k2', 'k', 'auto'), start('l1', 'l'), start('high', 'k', 'high'),
      ];
      for (let sent = 1; sent <= calls.length; sent += 1) {
        await t.until(() => fetch.calls.length === sent, `call ${sent}`);
        fetch.calls[sent - 1].answer();
      }
      await Promise.all(calls);
      t.same(fetch.paths(), ['holder', 'high', 'k1', 'l1', 'k2', 'low'], 'the order');
      t.equal(fetch.calls[1].init.priority, 'high', 'fetch is told too');
      const [{ url, method, headers, operation }] = seen;
      t.same([new URL(url).pathname, method, headers.get('x-a'), operation], ['/holder', 'GET', 'b', 'k'], 'what key is asked about');
    },
  },
  {
    name: 'events: queued comes before the dispatch, and only where there is a wait',
    parallel: true,
    async run(t) {
      const fetch = held();
      const events = t.recorder();
      const api = t.client({ fetch, queue: { concurrency: 1 }, onEvent: events });
      const calls = [quiet(api.get('a').json()), quiet(api.get('b', { operation: 'second' }).json())];
      await t.turn();
      t.same(events.types(), ['call-start', 'attempt-start', 'call-start', 'queued'], 'while it waits');
      const [queued] = events.of('queued');
      t.same([queued.phase, queued.operation, queued.attempt], ['queue', 'second', 0]);
      t.ok(queued.remainingMs > 0 && queued.elapsedMs >= 0, `its times, ${t.show(queued)}`);
      fetch.calls[0].answer();
      await t.until(() => fetch.calls.length === 2, 'the dispatch');
      fetch.calls[1].answer();
      await Promise.all(calls);
      t.equal(events.of('attempt-start').length, 2, 'dispatches');
      const { enqueued, dispatched, waiting, queueMs, queueShare } = api.metrics();
      t.same([enqueued, dispatched, waiting, queueMs.count, queueShare.count], [1, 1, 0, 1, 1], 'the counts');
      t.between(queueShare.p50, 0, 1, 'the share of the time');
    },
  },
  {
    name: 'a key that throws, or is no string, is CALLBACK_ERROR, and takes no place',
    parallel: true,
    async run(t) {
      const thrown = new RangeError('secret words');
      for (const group of ['queue', 'circuitBreaker']) {
        for (const key of [() => { throw thrown; }, () => 7, () => undefined, async () => 'a', () => null]) {
          const fetch = held();
          const options = group === 'queue' ? { concurrency: 1, limit: 0, key } : { failureThreshold: 1, key };
          const api = t.client({ fetch, [group]: options });
          for (let time = 0; time < 2; time += 1) {
            const error = await t.fails(() => api.get('a').json(), { code: 'CALLBACK_ERROR', outcome: 'not-sent' });
            t.lacks(error.message + JSON.stringify(error) + error.cause.message, 'secret words');
          }
          t.equal(fetch.calls.length, 0, 'calls of fetch');
          t.same(api.circuits(), [], 'circuits');
          atRest(t, api);
        }
      }
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
