// Scopes: views whose calls end together, by a deadline, a signal, or the first failure.

import { held } from '../harness/held.mjs';
import { except } from '../harness/hosts.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};

/** A rejection as a value. */
const errorOf = (call) => call.then(() => undefined, (error) => error);

const cases = [
  {
    name: 'scope: one deadline for all calls, from its beginning on',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/stall': { chunks: [{ text: 'x' }], end: 'hang' }, '/lost': { before: 'reset' }, '/ok': { json: { a: 1 } } });
      const lost = await t.open({ script: { '*': { before: 'reset' } } });
      const scope = t.client({ idleTimeout: false }).scope({ totalTimeout: 400 });
      const began = t.now();
      t.same(await t.works(() => scope.get('ok').json()), { a: 1 });
      await t.sleep(150);
      const calls = [
        [scope.post('hang').json(), 'headers'],
        [scope.fetch('hang?2'), 'headers'],
        [scope.get('stall?1').text(), 'body'],
        [(async () => (await scope.fetch('stall?2')).text())(), 'body'],
        [(async () => { for await (const chunk of scope.get('stall?3').stream()) chunk.at(0); })(), 'body'],
        [scope.extend({ totalTimeout: false }).post('hang?3').json(), 'headers'],
      ];
      const retried = scope.put(lost.url('/a'), { retry: { limit: 1, delay: 60_000, jitter: 'none', backoffLimit: false } }).json();
      await t.fails(() => retried, { code: 'NETWORK_ERROR', retryStopped: 'deadline' });
      await Promise.all(calls.map(async ([call, phase]) => {
        const error = await t.fails(() => call, { code: 'DEADLINE_EXCEEDED' });
        t.oneOf(t.info(error).phase, [phase, 'idle'], 'phase');
        t.took(t.now() - began, [399, 500], 'since the scope began');
      }));
      await t.fails(() => scope.get('ok').json(), { code: 'DEADLINE_EXCEEDED', outcome: 'not-sent' }, [0, 50]);
      t.same(await t.works(() => t.client().get('ok').json()), { a: 1 });
    },
  },
  {
    name: 'scope: the tighter of two limits holds, reserve is kept back, events know what is left',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const fetch = held();
        const events = t.recorder();
        const api = t.client({ fetch, onEvent: events, deadlineHeader: { name: 'x-left', crossOrigin: true }, headersTimeout: false, totalTimeout: 1_000 });
        const scope = api.scope({ totalTimeout: 600, reserve: 100 });
        await clock.advance(200);
        const call = errorOf(scope.get('a').json());
        await t.turn();
        const left = Number(new Headers(fetch.calls[0].init.headers).get('x-left'));
        t.between(left, 299, 300, 'the header: remaining, less the reserve');
        const { remainingMs } = events.of('attempt-start')[0];
        t.between(remainingMs, 399, 400, 'remainingMs');
        await clock.advance(298);
        t.equal(fetch.out().length, 1, 'out');
        await clock.advance(3);
        t.equal((await call)?.code, 'DEADLINE_EXCEEDED');
        const own = errorOf(scope.get('b', { totalTimeout: 50, reserve: 0 }).json());
        await clock.advance(52);
        t.equal((await own)?.code, 'DEADLINE_EXCEEDED', 'a limit of the call that is tighter');
        const inner = scope.scope({ totalTimeout: 60_000, reserve: 0 });
        const late = errorOf(inner.get('c').json());
        await clock.advance(48);
        t.equal((await late)?.code, 'DEADLINE_EXCEEDED', 'an inner scope ends with the outer one');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'scope: one cancellation for all calls, with the reason itself, in every state',
    async run(t) {
      const script = { '/hang': { before: 'hang' }, '/stall': { chunks: [{ text: 'x' }], end: 'hang' }, '/lost': { before: 'reset' } };
      for (const failFast of [false, true]) {
        for (const reason of [new Error('E'), 'bye', null, { a: 1 }]) {
          // A browser opens six connections to an origin.
          const [one, other] = [await t.open({ script }), await t.open({ script })];
          const controller = new AbortController();
          const listeners = t.trackListeners(controller.signal);
          const events = t.recorder();
          const scope = t.client({ baseUrl: one.origin, queue: { concurrency: 3 }, onEvent: events }).scope({ signal: controller.signal, failFast });
          const shortcuts = [
            scope.get('stall').text(),
            scope.extend({}).post('hang?1').text(),
            scope.scope({ failFast }).post('hang?2').text(),
            scope.post('hang?queued').json(),
            scope.scope().post(other.url('/hang')).result().then(({ error }) => Promise.reject(error)),
          ];
          // The failure of an attempt is none of the call: it ends no scope.
          shortcuts.push(scope.put(other.url('/lost'), { retry: { limit: 1, delay: 60_000, jitter: 'none', backoffLimit: false }, totalTimeout: false }).json());
          const fetches = [scope.fetch(other.url('/hang?3'), { method: 'POST' })];
          [...shortcuts, ...fetches].forEach(quiet);
          await one.wait({ requests: 3 });
          await other.wait({ requests: 3 });
          await t.until(() => events.of('retry').length === 1 && events.of('queued').length > 0, 'the backoff and the wait for a slot');
          controller.abort(reason);
          for (const call of shortcuts) await t.fails(() => call, { code: 'ABORTED', cause: reason }, [0, 50]);
          for (const call of fetches) t.equal(await call.then(() => 'success', (error) => error), reason, `by fetch, failFast ${failFast}`);
          t.equal(listeners.live(), 0, 'listeners');
          await t.fails(() => scope.get('a').json(), { code: 'ABORTED', cause: reason, outcome: 'not-sent' }, [0, 20]);
          t.equal(await scope.fetch('a').then(() => 'success', (error) => error), reason, 'a later fetch');
          t.equal(scope.metrics().cancelled.signal, 9, 'counted as such');
          await one.wait({ open: 0 });
          await other.wait({ open: 0 });
        }
      }
    },
  },
  {
    name: 'scope: a call has a signal of its own beside that of its scope',
    parallel: true,
    async run(t) {
      const fetch = held();
      const [own, outer] = [new AbortController(), new AbortController()];
      const scope = t.client({ fetch }).scope({ signal: outer.signal });
      const [one, other] = [quiet(scope.get('a', { signal: own.signal }).json()), quiet(scope.get('b').json())];
      await t.turn();
      own.abort('own');
      await t.fails(() => one, { code: 'ABORTED', cause: 'own' });
      t.equal(fetch.out().length, 1, 'the other one goes on');
      outer.abort('outer');
      await t.fails(() => other, { code: 'ABORTED', cause: 'outer' });
      t.same(scope.metrics().cancelled, { signal: 2 });
      const late = t.client({ fetch }).scope({ signal: outer.signal });
      await t.fails(() => late.get('c').json(), { code: 'ABORTED', cause: 'outer', outcome: 'not-sent' });
      t.equal(fetch.calls.length, 2, 'calls of fetch');
    },
  },
  {
    name: 'B07 scope: a signal for the whole life of an application collects no listeners',
    hosts: except('deno'),
    timeout: 30_000,
    async run(t) {
      const controller = new AbortController();
      if (t.host === 'node') (await import('node:events')).setMaxListeners(0, controller.signal);
      const listeners = t.trackListeners(controller.signal);
      const fetch = async (url) => (url.endsWith('7') ? Promise.reject(new TypeError('Failed to fetch')) : new Response('{}'));
      const api = t.client({ fetch });
      for (let round = 0; round < 500; round += 1) {
        const scope = api.scope({ signal: controller.signal, failFast: round % 2 === 0, totalTimeout: 1_000 });
        await Promise.all([0, 1, 2, 3].map((call) => scope.get(`a?${round}${call}`, { signal: controller.signal }).result()));
      }
      t.equal(listeners.live(), 0, 'listeners at the end');
      t.ok(listeners.added > 1_000, `the signal was listened to, ${listeners.added} times`);
      t.between(listeners.most, 1, 8, 'at once');
    },
  },
  {
    name: 'scope: failFast, the first failure ends the others and later calls, with itself as their cause',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/500': { delay: 50, status: 500 }, '/ok': { json: { a: 1 } } });
      for (const how of ['json', 'result']) {
        const api = t.client({ retry: 3 });
        const scope = api.scope({ failFast: true });
        const siblings = [scope.post('hang').json(), scope.extend({}).post('hang?1').json(), scope.scope().post('hang?2').json()].map(quiet);
        const fetched = quiet(scope.fetch('hang?3', { method: 'POST' }));
        const outside = quiet(api.post('hang?4').json());
        let first;
        if (how === 'json') first = await t.fails(() => scope.get('500').json(), { code: 'HTTP_ERROR', status: 500 });
        else first = (await scope.get('500').result()).error;
        for (const sibling of siblings) await t.fails(() => sibling, { code: 'ABORTED', cause: first, name: 'AbortError' }, [0, 50]);
        const error = await t.fails(() => fetched, { code: 'ABORTED', cause: first });
        t.ok(error instanceof DOMException && error.name === 'AbortError', `what fetch rejects with: ${t.show(error)}`);
        await t.fails(() => scope.get('ok').json(), { code: 'ABORTED', cause: first, outcome: 'not-sent' }, [0, 20]);
        await t.fails(() => scope.scope().get('ok').json(), { code: 'ABORTED', cause: first, outcome: 'not-sent' }, [0, 20]);
        t.same(await t.works(() => api.get('ok').json()), { a: 1 }, 'outside');
        api.abortAll('end');
        await t.fails(() => outside, { code: 'ABORTED', cause: 'end' });
        t.equal(api.metrics().failed.HTTP_ERROR, 1, 'failures counted');
      }
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'scope: failFast, what is a failure: not a status under api.fetch, but a mistake, a bad body, a queue that is full',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/500': { status: 500 }, '/text': { body: 'x' }, '/ok': { json: { a: 1 } } });
      const api = t.client({ queue: { concurrency: 3, limit: 0 } });
      const calm = api.scope({ failFast: true });
      t.equal((await t.works(() => calm.fetch('500'))).status, 500);
      t.equal((await t.works(() => calm.get('500', { throwHttpErrors: false }))).status, 500);
      t.same(await t.works(() => calm.get('ok').json()), { a: 1 }, 'the scope goes on');
      const rows = {
        INVALID_OPTION: (scope) => scope.get('ok', { timeout: 0 }).json(),
        INVALID_REQUEST: (scope) => scope.get('http://').json(),
        PARSE_ERROR: (scope) => scope.get('text').json(),
        ABORTED: (scope) => scope.get('ok', { signal: AbortSignal.abort('mine') }).json(),
        QUEUE_FULL: async (scope) => {
          [1, 2, 3].map((number) => quiet(api.post(`hang?${number}`).json()));
          await scope.get('ok').json();
        },
      };
      for (const [code, start] of Object.entries(rows)) {
        const scope = api.scope({ failFast: true });
        const sibling = quiet(scope.post('hang?sibling').json());
        const first = await t.fails(() => start(scope), { code });
        await t.fails(() => sibling, { code: 'ABORTED', cause: first }, [0, 50]);
      }
      api.abortAll();
    },
  },
  {
    name: 'scope: failFast does not stand between the calls and the reason of abortAll, close and an outer scope',
    parallel: true,
    async run(t) {
      const rows = {
        abortAll: (api) => api.abortAll('why'),
        close: (api) => api.close('why'),
        'abortAll of the scope': (api, scope) => scope.abortAll('why'),
        'close of the scope': (api, scope) => scope.close('why'),
      };
      for (const [row, end] of Object.entries(rows)) {
        const fetch = held();
        const api = t.client({ fetch });
        const scope = api.scope({ failFast: true });
        const calls = [1, 2, 3].map((number) => quiet(scope.get(`a${number}`).json()));
        calls.push(quiet(scope.scope({ failFast: true }).get('inner').json()));
        await t.turn();
        end(api, scope);
        for (const call of calls) await t.fails(() => call, { code: 'ABORTED', cause: 'why' });
        t.same(api.metrics().cancelled, { client: 4 }, row);
        t.equal(fetch.out().length, 0, 'out');
      }
      const fetch = held();
      const outer = t.client({ fetch }).scope({ failFast: true });
      const inner = [1, 2].map(() => outer.scope({ failFast: true }));
      const calls = inner.flatMap((scope) => [1, 2].map((number) => quiet(scope.get(`a${number}`).json())));
      await t.turn();
      fetch.calls[3].fail();
      const first = await t.fails(() => calls[3], { code: 'NETWORK_ERROR' });
      for (const call of calls.slice(0, 3)) await t.fails(() => call, { code: 'ABORTED', cause: first });
    },
  },
  {
    name: 'scope: close and dispose end it, and leave its client alone',
    parallel: true,
    async run(t) {
      const fetch = held();
      const api = t.client({ fetch });
      const scope = api.scope({ totalTimeout: 1_000 });
      const [inside, outside] = [quiet(scope.get('a').json()), quiet(api.get('b').json())];
      await t.turn();
      if (Symbol.dispose) scope[Symbol.dispose]();
      else scope.close();
      const error = await t.fails(() => inside, { code: 'ABORTED' });
      t.equal(error.cause.name, 'AbortError', 'the cause');
      await t.fails(() => scope.get('c').json(), { code: 'ABORTED', outcome: 'not-sent' });
      fetch.calls[1].answer();
      t.same(await t.works(() => outside), { a: 1 });
      t.equal(fetch.calls.length, 2, 'calls of fetch');
      await t.turn();
      await t.noTimers();
    },
  },
  {
    name: 'scope: a scope whose time is over sends nothing, in the queue and in hooks either',
    parallel: true,
    async run(t) {
      const fetch = held();
      const api = t.client({ fetch, queue: { concurrency: 1 } });
      const holder = quiet(api.get('holder').json());
      const scope = api.scope({ totalTimeout: 60 });
      const queued = quiet(scope.get('queued').json());
      const hooked = quiet(scope.get('hooked', { hooks: { beforeRequest: [() => new Promise(() => {})] } }).json());
      await t.fails(() => queued, { code: 'DEADLINE_EXCEEDED', phase: 'queue', outcome: 'not-sent' }, [0, 110]);
      await t.fails(() => hooked, { code: 'DEADLINE_EXCEEDED', phase: 'hook', outcome: 'not-sent' }, [0, 110]);
      fetch.calls[0].answer();
      await t.works(() => holder);
      t.same(fetch.paths(), ['holder'], 'what was sent');
      t.equal(api.metrics().waiting, 0, 'waiting');
    },
  },
  {
    name: 'scope: one of a client that is closed sends nothing, for the reason of its client',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(new Response('{}'));
      const api = t.client({ fetch });
      api.close('closed');
      const scope = api.scope({ failFast: true });
      await t.fails(() => scope.get('a').json(), { code: 'ABORTED', cause: 'closed', outcome: 'not-sent' });
      await t.fails(() => scope.get('b').json(), { code: 'ABORTED', cause: 'closed', outcome: 'not-sent' });
      t.equal(fetch.calls.length, 0, 'calls of fetch');
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
