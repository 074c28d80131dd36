// A 401: one refresh for everybody, one resend for each, and what happens when it fails.

import { deferred, madeUpSession, routes } from '../harness/session.mjs';

/** A token as an application keeps it, and how it is renewed with the given `fetch`. */
function keeper(more) {
  const kept = {
    token: 'old',
    refreshes: 0,
    auth: {
      getToken: () => kept.token,
      async refreshToken({ fetch, signal }) {
        kept.refreshes += 1;
        const response = await fetch('token', { method: 'POST', signal });
        if (!response.ok) await response.text();
        if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
        kept.token = (await response.json()).token;
        return kept.token;
      },
      ...more,
    },
  };
  return kept;
}

/** A client whose shortcuts read the body: one that nobody reads stays under way. */
function clientOf(t, options) {
  const reading = (api) => {
    const whole = (method) => async (...given) => {
      const response = await api[method](...given);
      await response.arrayBuffer();
      return response;
    };
    return { ...api, get: whole('get'), post: whole('post'), extend: (more) => reading(api.extend(more)) };
  };
  return reading(t.client(options));
}

const all = (count, make) => Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Every call must succeed with exactly one resend, after exactly one refresh, and without a retry. */
function checkStorm(t, api, responses, refreshes) {
  for (const response of responses) {
    const { attempts, resent } = t.lib.callInfo(response);
    t.same([response.status, attempts, resent], [200, 2, true], 'a call');
  }
  const metrics = api.metrics();
  t.same([refreshes, metrics.refreshes, metrics.resent, metrics.retries], [1, 1, responses.length, 0], 'refreshes, resends, retries');
}

export default [
  {
    name: 'H01 twenty 401 at once: one refresh, twenty resends, no retry',
    async run(t) {
      await t.home.script(routes('Bearer new', { delay: 100, json: { token: 'new' } }));
      const kept = keeper();
      const api = clientOf(t, { auth: kept.auth });
      await t.lib.ready();
      const began = t.now();
      const responses = await t.works(() => all(20, (index) => api.get(`data?${index}`)));
      t.took(t.now() - began, [100, 500]);
      checkStorm(t, api, responses, kept.refreshes);
      await t.saw(41);
    },
  },
  ...[15, 200, 1_000].map((count) => ({
    name: `H01 a storm of ${count} and its stragglers: one refresh, every call 200, POST too`,
    timeout: 30_000,
    async run(t) {
      const session = madeUpSession();
      session.held.add('late');
      const refresh = deferred();
      const kept = keeper({
        refreshToken() {
          kept.refreshes += 1;
          return refresh.promise;
        },
      });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch, retry: 3 });
      const late = Math.ceil(count / 5);
      const calls = all(count, (index) => {
        const path = index < late ? 'late' : 'data';
        return index % 2 ? api.get(path) : api.post(path, { json: { index } });
      });
      await t.until(() => kept.refreshes, 'the refresh');
      const during = all(5, () => api.get('during'));
      refresh.resolve('new');
      t.same((await t.works(() => during)).map(({ status }) => status), [200, 200, 200, 200, 200], 'calls that start during it');
      t.same(session.seen('during'), Array(5).fill('Bearer new'), 'they have waited for the token');
      // The answers to what was sent before the refresh come after it.
      session.release();
      checkStorm(t, api, await t.works(() => calls), kept.refreshes);
      t.equal(session.calls.length, 2 * count + 5, 'requests');
    },
  })),
  {
    name: 'H01 no backoff: nothing but the refresh is waited for',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const session = madeUpSession();
        const kept = keeper({ refreshToken: () => 'new' });
        const api = clientOf(t, { auth: kept.auth, fetch: session.fetch, retry: { limit: 3, delay: 60_000, jitter: 'none' } });
        const call = api.post('data', { json: 1 });
        await clock.advance(0);
        t.equal((await call).status, 200);
      } finally {
        clock.restore();
      }
    },
  },
  ...Object.entries({
    'the given fetch': ({ fetch }) => fetch('token', { method: 'POST' }),
    'the given signal': async ({ signal }, api) => {
      await Promise.resolve();
      return api.fetch('token', { method: 'POST', signal });
    },
    'auth: false': async (_, api) => {
      await Promise.resolve();
      return api.fetch('token', { method: 'POST', auth: false });
    },
    'a call before its first await': (_, api) => api.fetch('token', { method: 'POST' }),
  }).map(([what, refresh]) => ({
    name: `H02 the refresh itself is answered 401, by ${what}: it waits for nobody, and nobody loops`,
    async run(t) {
      await t.home.script({ '/data': { status: 401, json: {} }, '/token': { status: 401, json: {} } });
      const kept = keeper({
        async refreshToken(tools) {
          const response = await refresh(tools, api);
          await response.text();
          if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
          return 'new';
        },
      });
      const api = clientOf(t, { auth: kept.auth });
      const failed = (path) => t.fails(
        () => api.get(path), { code: 'AUTH_REFRESH_FAILED', status: 401, sessionLost: true, outcome: 'answered', phase: 'refresh' }, [0, 300],
      );
      const [error] = await all(5, (index) => failed(`data?${index}`));
      t.equal(error.response.status, 401, 'the response');
      t.equal(error.originalError.message, 'refused', 'originalError');
      await t.saw(6);
      await failed('data?later');
      await t.saw(8);
    },
  })),
  {
    name: 'H04 a second 401 is the answer, for who started the refresh and for who waited',
    async run(t) {
      await t.home.script(routes('nobody has it', { json: { token: 'new' } }));
      const kept = keeper();
      const api = clientOf(t, { auth: kept.auth, retry: { limit: 3, statusCodes: [500] } });
      const errors = await all(2, (index) => t.fails(() => api.get(`data?${index}`), { code: 'HTTP_ERROR', status: 401 }));
      for (const { attempts } of errors) t.same(attempts.map(({ resend, status }) => [resend, status]), [[false, 401], [true, 401]]);
      t.equal(kept.refreshes, 1, 'refreshes');
      await t.saw(5);
    },
  },
  {
    name: 'H06 a refresh that hangs fails its waiters at its timeout; the next call starts another',
    async run(t) {
      await t.home.script(routes('Bearer new', [{ before: 'hang' }, { json: { token: 'new' } }]));
      const kept = keeper({ refreshTimeout: 500 });
      const api = clientOf(t, { auth: kept.auth });
      const fields = { code: 'AUTH_REFRESH_FAILED', sessionLost: false, phase: 'refresh' };
      const errors = await all(5, (index) => t.fails(() => api.get(`data?${index}`), fields, [500, 560]));
      t.equal(errors[0].cause.name, 'TimeoutError', 'cause');
      await t.home.wait({ path: '/token', closes: 1 });
      t.equal((await t.works(() => api.get('data?6'))).status, 200);
      t.equal(kept.refreshes, 2, 'refreshes');
    },
  },
  {
    name: 'H06 a callback that heeds no signal: what it gives late is used after all, once',
    async run(t) {
      const session = madeUpSession();
      const first = deferred();
      const kept = keeper({ refreshToken: () => first.promise, refreshTimeout: 30 });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch });
      await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED' }, [30, 100]);
      t.same(api.metrics().timeouts, { refresh: 1 });
      first.resolve('new');
      await t.turn();
      t.equal((await t.works(() => api.get('data'))).status, 200);
      t.same(session.seen('data'), ['Bearer old', 'Bearer new']);
    },
  },
  {
    name: 'waiters have their own deadlines, phase refresh; the refresh goes on for others',
    async run(t) {
      const session = madeUpSession();
      const refresh = deferred();
      const kept = keeper({ refreshToken: () => refresh.promise });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch });
      const patient = api.get('data');
      await t.fails(
        () => api.get('data', { totalTimeout: 100 }), { code: 'DEADLINE_EXCEEDED', phase: 'refresh', outcome: 'answered' }, [100, 150],
      );
      refresh.resolve('new');
      t.equal((await t.works(() => patient)).status, 200);
    },
  },
  {
    name: 'H09 all slots of the queue are taken by those who wait for the token: the refresh needs none',
    async run(t) {
      await t.home.script(routes('Bearer new', { json: { token: 'new' } }));
      const kept = keeper();
      const api = t.client({ auth: kept.auth, queue: { concurrency: 2 } });
      const bodies = await t.works(() => all(4, (index) => api.get(`data?${index}`).json()), [0, 1_000]);
      t.equal(bodies.length, 4);
      t.equal(kept.refreshes, 1, 'refreshes');
      const { inFlight, waiting } = api.metrics();
      t.same([inFlight, waiting], [0, 0], 'in flight and waiting at the end');
      const { maxOpen } = await t.home.report();
      t.between(maxOpen, 1, 3, 'requests at once');
    },
  },
  {
    name: 'B06 B11 the call that started the refresh is cancelled: at once, and the others get their token',
    async run(t) {
      await t.home.script(routes('Bearer new', { delay: 300, json: { token: 'new' } }));
      const kept = keeper();
      const api = clientOf(t, { auth: kept.auth });
      const controller = new AbortController();
      const first = api.get('data?a', { signal: controller.signal });
      first.catch(() => {});
      await t.home.wait({ path: '/token', requests: 1 });
      const others = all(2, (index) => api.get(`data?${index}`));
      const reason = new Error('enough');
      controller.abort(reason);
      await t.fails(() => first, { code: 'ABORTED', phase: 'refresh', cause: reason }, [0, 20]);
      t.same((await t.works(() => others)).map(({ status }) => status), [200, 200]);
      t.equal(kept.refreshes, 1, 'refreshes');
    },
  },
  {
    name: 'B11 all who waited are gone: the refresh ends, and its token is there for the next',
    async run(t) {
      const session = madeUpSession();
      const refresh = deferred();
      const kept = keeper({ refreshToken: () => refresh.promise });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch });
      const call = api.get('data');
      call.catch(() => {});
      await t.until(() => session.calls.length === 1 && api.metrics().refreshes === 1, 'the refresh');
      api.abortAll('enough');
      await t.fails(() => call, { code: 'ABORTED' });
      refresh.resolve('new');
      await t.turn();
      await t.works(() => api.get('data'));
      t.same(session.seen('data'), ['Bearer old', 'Bearer new']);
    },
  },
  {
    name: 'the fetch of a callback has the options of the client, and nothing of the call that came first',
    parallel: true,
    async run(t) {
      const seen = [];
      const fetch = async (url, init) => {
        const { pathname, search } = new URL(url);
        seen.push([pathname + search, init.method, init.body, new Headers(init.headers).get('x-client'), new Headers(init.headers).get('x-call')]);
        return new Response(null, { status: pathname === '/token' || seen.length > 2 ? 204 : 401 });
      };
      const auth = {
        getToken: () => 'old',
        async refreshToken({ fetch: bound }) {
          await bound('token', { method: 'PUT' });
          return 'new';
        },
      };
      const api = t.client({ auth, fetch, headers: { 'x-client': '1' } });
      await t.works(() => api.extend({ searchParams: 'view=1' }).post('a', { json: { a: 1 }, headers: { 'x-call': '1' } }));
      t.same(seen[1], ['/token', 'PUT', undefined, '1', null]);
    },
  },
  {
    name: 'H14 two clients, one auth object: one refresh, both 200',
    async run(t) {
      await t.home.script(routes('Bearer new', [{ json: { token: 'new' } }, { status: 400 }]));
      const kept = keeper();
      const one = clientOf(t, { auth: kept.auth });
      const other = clientOf(t, { auth: kept.auth }).extend({ timeout: 4_000 });
      const [a, b] = await t.works(() => Promise.all([one.get('data?a'), other.get('data?b')]));
      t.same([a.status, b.status, kept.refreshes], [200, 200, 1]);
      one.close();
      kept.token = 'old';
      t.equal((await t.works(() => other.get('data?c'))).status, 200, 'the other one when the first is closed');
    },
  },
  {
    name: 'H15 the network fails the refresh: the session is not lost; a refresh that the server refuses: it is',
    async run(t) {
      // On a connection that was used before, Chromium would send it again by itself.
      await t.home.script({
        '/data': { status: 401, connection: 'close' },
        '/token': [{ before: 'reset', readBody: 'all' }, { status: 400, json: {} }],
      });
      const kept = keeper();
      const api = clientOf(t, { auth: kept.auth });
      const error = await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED', sessionLost: false });
      t.equal(t.info(error.cause).code, 'NETWORK_ERROR', 'cause');
      await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED', sessionLost: true });
      t.equal(kept.refreshes, 2, 'refreshes');
    },
  },
  {
    name: 'H15 a callback that repeats by itself, and one that says that the session is over',
    async run(t) {
      const session = madeUpSession();
      let tries = 0;
      const patient = keeper({
        async refreshToken() {
          for (;;) {
            tries += 1;
            if (tries === 3) return 'new';
          }
        },
      });
      t.equal((await t.works(() => clientOf(t, { auth: patient.auth, fetch: session.fetch }).get('data'))).status, 200);
      const says = {
        null: () => null,
        sessionLost: () => { throw Object.assign(new Error('over'), { sessionLost: true }); },
        'a status of 403': () => { throw Object.assign(new Error('over'), { response: { status: 403 } }); },
      };
      for (const [what, refreshToken] of Object.entries(says)) {
        const api = clientOf(t, { auth: keeper({ refreshToken }).auth, fetch: session.fetch });
        const error = await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED', sessionLost: true, status: 401 });
        t.equal(error.toJSON().sessionLost, true, what);
        const raw = await t.fails(() => api.fetch('data'), { code: 'AUTH_REFRESH_FAILED', sessionLost: true });
        t.ok(raw instanceof t.lib.SteadfetchError, `api.fetch rejects with a SteadfetchError: ${what}`);
      }
    },
  },
  {
    name: 'H16 the resend of a POST is lost: outcome unknown, no third request, no retry spent',
    // Firefox sends again what is reset before the first byte, a POST not.
    async run(t) {
      await t.home.script({
        routes: [
          { path: '/a', when: { headers: { authorization: 'Bearer new' } }, steps: [{ before: 'reset', readBody: 'all' }] },
          { path: '/a', steps: [{ status: 401, connection: 'close' }] },
        ],
      });
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth, retry: 3 });
      const error = await t.fails(() => api.post('a', { json: 1 }), { code: 'NETWORK_ERROR', outcome: 'unknown', retryStopped: 'method' });
      t.same(error.attempts.map(({ resend, status }) => [resend, status]), [[false, 401], [true, undefined]]);
      t.equal(api.metrics().retries, 0, 'retries');
      await t.saw(2);
    },
  },
  {
    name: 'G03 a POST that may be repeated: refused, 401, refresh, 200: one retry and one resend',
    async run(t) {
      const session = madeUpSession();
      let isUp = false;
      const hooks = { beforeRetry: [({ retryCount }) => { t.equal(retryCount, 1, 'retryCount'); }] };
      const fetch = async (...args) => {
        if (isUp) return session.fetch(...args);
        isUp = true;
        throw new TypeError('Failed to fetch');
      };
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth, fetch, hooks, retry: { limit: 2, delay: 1 } });
      const response = await t.works(() => api.post('data', { json: 1, idempotent: true }));
      t.same([response.status, t.lib.callInfo(response).attempts], [200, 3]);
      const { retries, resent } = api.metrics();
      t.same([retries, resent], [1, 1], 'retries and resends');
    },
  },
  {
    name: 'G03 a POST with a key: lost, 401, refresh, 200: the same key in all requests',
    async run(t) {
      const keys = [];
      const session = madeUpSession();
      const fetch = async (url, init) => {
        keys.push(new Headers(init.headers).get('idempotency-key'));
        if (keys.length === 1) throw new TypeError('Failed to fetch');
        return session.fetch(url, init);
      };
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth, fetch, retry: { limit: 2, delay: 1 } });
      const key = `"${crypto.randomUUID()}"`;
      const response = await t.works(() => api.post('data', { json: 1, headers: { 'Idempotency-Key': key } }));
      t.equal(response.status, 200);
      t.same(keys, [key, key, key], 'keys');
      const { retries, resent } = api.metrics();
      t.same([retries, resent], [1, 1], 'retries and resends');
    },
  },
  {
    name: 'a body that cannot be sent again: the refresh runs, and the 401 is the answer',
    async run(t) {
      const session = madeUpSession();
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch });
      const body = new ReadableStream({ start(controller) { controller.close(); } });
      await t.fails(() => api.post('data', { body }), { code: 'HTTP_ERROR', status: 401, retryStopped: 'body' });
      t.equal((await t.works(() => api.post('data', { json: 1 }))).status, 200);
      t.same(session.seen('data'), ['Bearer old', 'Bearer new']);
      t.equal(api.metrics().refreshes, 1, 'refreshes');
    },
  },
  {
    name: 'E01 a Request with a body is sent whole after a refresh, POST too',
    async run(t) {
      await t.home.script({
        routes: [
          { path: '/a', when: { headers: { authorization: 'Bearer new' } }, steps: [{ echo: true }] },
          { path: '/a', steps: [{ status: 401 }] },
        ],
      });
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth });
      for (const method of ['PUT', 'POST']) {
        kept.token = `old-${method}`;
        const request = new Request(t.home.url('/a'), { method, body: 'abc', headers: { 'x-own': '1' } });
        const { body, headers } = await t.works(async () => (await api.fetch(request)).json());
        t.same([body, headers['x-own']], ['abc', '1'], method);
      }
      const { log } = await t.home.report();
      t.same(log.map(({ bodyBytes }) => bodyBytes), [3, 3, 3, 3], 'bytes of each body');
    },
  },
  {
    name: 'H13 the client clock an hour ahead: a token that looks expired when it is new is sent all the same',
    async run(t) {
      const session = madeUpSession('t1');
      let number = 1;
      let refreshes = 0;
      const { now } = Date;
      const expires = now() + 600_000;
      const auth = {
        getToken: () => `t${number}`,
        refreshToken() {
          refreshes += 1;
          number += 1;
          session.token = `t${number}`;
          return session.token;
        },
        expiresAt: () => expires,
      };
      Date.now = () => now() + 3_600_000;
      try {
        const api = clientOf(t, { auth, fetch: session.fetch });
        for (let call = 0; call < 10; call += 1) t.equal((await t.works(() => api.get('data'))).status, 200);
      } finally {
        Date.now = now;
      }
      t.between(refreshes, 0, 1, 'refreshes');
    },
  },
  {
    name: 'H13 the client clock an hour behind: a 401 says that the token has expired, one refresh',
    async run(t) {
      const session = madeUpSession('t2');
      let token = 't1';
      const { now } = Date;
      const expires = now();
      let refreshes = 0;
      const auth = {
        getToken: () => token,
        refreshToken() {
          refreshes += 1;
          token = 't2';
          return token;
        },
        expiresAt: () => expires,
      };
      Date.now = () => now() - 3_600_000;
      try {
        const api = clientOf(t, { auth, fetch: session.fetch });
        const responses = await t.works(() => all(10, () => api.get('data')));
        t.same(responses.map(({ status }) => status), Array(10).fill(200));
      } finally {
        Date.now = now;
      }
      t.equal(refreshes, 1, 'refreshes');
    },
  },
  {
    name: 'a token that expires soon is refreshed before it is sent, once; if that fails, the old one goes on',
    async run(t) {
      const session = madeUpSession('old');
      const at = { old: Date.now() + 60_000, new: Date.now() + 3_600_000 };
      let fails = true;
      let refreshes = 0;
      const auth = {
        getToken: () => session.token,
        refreshToken() {
          refreshes += 1;
          if (fails) throw new Error('offline');
          session.token = 'new';
          return 'new';
        },
        expiresAt: (token) => at[token],
        refreshBefore: 3_000_000,
      };
      // An expiry that is near when the token is new is still an expiry: only what has passed is not believed.
      const api = clientOf(t, { auth, fetch: session.fetch });
      t.same((await t.works(() => all(3, () => api.get('data')))).map(({ status }) => status), [200, 200, 200]);
      t.equal(refreshes, 1, 'a refresh that fails');
      fails = false;
      const other = clientOf(t, { auth: { ...auth }, fetch: session.fetch });
      await t.works(() => all(3, () => other.get('data')));
      t.equal(refreshes, 2, 'a refresh that works');
      t.same(session.seen('data').slice(3), Array(3).fill('Bearer new'));
    },
  },
  {
    name: 'M04 what is counted and told: one refresh, one resend, no retry',
    async run(t) {
      const session = madeUpSession();
      const onEvent = t.recorder();
      const kept = keeper({ refreshToken: () => 'new' });
      const api = clientOf(t, { auth: kept.auth, fetch: session.fetch, onEvent, name: 'shop' });
      await t.works(() => api.get('data', { operation: 'look' }));
      t.same(onEvent.types(), ['call-start', 'attempt-start', 'attempt-end', 'refresh', 'attempt-start', 'attempt-end', 'call-end']);
      const [told] = onEvent.of('refresh');
      t.same([told.ok, told.phase, told.dependency, told.operation, told.callId], [true, 'refresh', 'shop', 'look', onEvent.events[0].callId]);
      t.between(told.refreshMs, 0, 1_000, 'refreshMs');
      t.same(onEvent.of('attempt-end').map(({ resend, status }) => [resend, status]), [[false, 401], [true, 200]]);
      const { calls, succeeded, attempts, retries, resent, refreshes } = api.metrics();
      t.same({ calls, succeeded, attempts, retries, resent, refreshes }, { calls: 1, succeeded: 1, attempts: 2, retries: 0, resent: 1, refreshes: 1 });
    },
  },
];
