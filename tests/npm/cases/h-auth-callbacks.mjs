// The callbacks of `auth`: what they may do, and what they cannot break.

import { deferred, madeUpSession } from '../harness/session.mjs';

const isOver = (t, api) => {
  const { inFlight, waiting } = api.metrics();
  t.same([inFlight, waiting], [0, 0], 'in flight and waiting at the end');
};

export default [
  {
    name: 'H08 getToken calls the same client: that call goes without a token, and nobody waits for himself',
    parallel: true,
    async run(t) {
      let api;
      for (const ask of [
        () => api.get('profile').text(),
        ({ fetch }) => fetch('profile').then((response) => response.text()),
        async ({ signal }) => {
          await Promise.resolve();
          return api.get('profile', { signal }).text();
        },
      ]) {
        const session = madeUpSession(undefined);
        const fetch = async (input, init) => {
          const response = await session.fetch(input, init);
          return new Response(await response.text());
        };
        const auth = { getToken: async (tools) => `is-${(await ask(tools)).length}`, refreshToken: () => null, refreshTimeout: 2_000 };
        api = t.client({ fetch, auth, queue: { concurrency: 1 } });
        await t.works(() => api.get('data').text(), [0, 500]);
        t.same([session.seen('profile'), session.seen('data')], [[null], ['Bearer is-11']]);
        isOver(t, api);
      }
    },
  },
  {
    name: 'H08 a listener of refresh calls the client: it resolves',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      let inner;
      const api = t.client({
        fetch: session.fetch,
        auth: { getToken: () => 'old', refreshToken: async () => 'new' },
        onEvent({ type }) {
          if (type === 'refresh') inner = api.get('inner').text();
        },
      });
      await t.works(() => api.get('data').text());
      t.equal(await t.works(() => inner), '{"ok":true}');
      t.same(session.seen('inner'), ['Bearer new']);
    },
  },
  {
    name: 'a call that a callback starts later with nothing of ours is an ordinary one: it ends with refreshTimeout',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const auth = {
        getToken: () => 'old',
        async refreshToken() {
          await Promise.resolve();
          await api.get('ordinary').text();
          return 'new';
        },
        refreshTimeout: 50,
      };
      const api = t.client({ fetch: session.fetch, auth });
      const error = await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED', sessionLost: false }, [50, 100]);
      t.match(error.message, /use the fetch that refreshToken was given/, 'the message names the fix');
    },
  },
  {
    name: 'a call that getToken starts later with nothing of ours names the fix too',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const auth = {
        async getToken() {
          await Promise.resolve();
          await api.get('ordinary').text();
          return 'new';
        },
        refreshToken: () => null,
        refreshTimeout: 50,
      };
      const api = t.client({ fetch: session.fetch, auth });
      const error = await t.fails(() => api.get('data'), { code: 'CALLBACK_ERROR', phase: 'auth' }, [50, 100]);
      t.match(error.message, /use the fetch that getToken was given/, 'the message names the fix');
    },
  },
  {
    name: 'a refresh that takes too long by itself is not blamed on a call',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const api = t.client({ fetch: session.fetch, auth: { getToken: () => 'old', refreshToken: () => new Promise(() => {}), refreshTimeout: 50 } });
      const error = await t.fails(() => api.get('data'), { code: 'AUTH_REFRESH_FAILED' }, [50, 100]);
      t.ok(!error.message.includes('was given'), error.message);
      t.equal(error.cause.name, 'TimeoutError');
    },
  },
  {
    name: 'the fetch of the callbacks has the defaults of api.fetch, and the limits that the client was given',
    // On a clock of its own nothing is loaded.
    needs: { queue: { concurrency: 1 } },
    async run(t) {
      for (const [limits, at, code] of [
        [{}, 61_000, 'TIMEOUT idle'],
        [{ timeout: 20_000 }, 20_000, 'TIMEOUT body'],
        [{ totalTimeout: 25_000 }, 25_000, 'DEADLINE_EXCEEDED body'],
        [{ idleTimeout: 15_000 }, 16_000, 'TIMEOUT idle'],
      ]) {
        for (const name of ['getToken', 'refreshToken']) {
          let heard;
          const callback = async ({ fetch }) => {
            const response = await fetch('profile');
            heard = 'headers';
            await response.text().catch((error) => (heard = `${t.lib.errorInfo(error).code} ${t.lib.errorInfo(error).phase}`));
            return 'new';
          };
          const session = madeUpSession('new');
          const fetch = (input, init) =>
            String(input).endsWith('profile')
              ? new Promise((resolve) => setTimeout(resolve, 1_000)).then(() => new Response(new ReadableStream()))
              : session.fetch(input, init);
          const clock = t.fakeClock();
          try {
            const auth = { getToken: () => 'old', refreshToken: () => null, refreshTimeout: 200_000, [name]: callback };
            const api = t.lib.createClient({ baseUrl: 'http://a.test/', fetch, auth, ...limits });
            const call = api.fetch('data', { totalTimeout: false, timeout: false });
            await clock.advance(at - 2);
            t.equal(heard, 'headers', `${name}, ${JSON.stringify(limits)}: before`);
            await clock.advance(3);
            t.equal(heard, code, `${name}, ${JSON.stringify(limits)}: after`);
            await call;
          } finally {
            clock.restore();
          }
        }
      }
    },
  },
  {
    name: 'one getToken for all who ask while it thinks; who throws or hangs is CALLBACK_ERROR, phase auth, not-sent',
    parallel: true,
    async run(t) {
      const session = madeUpSession('slow');
      const token = deferred();
      let asked = 0;
      const slow = t.client({ fetch: session.fetch, auth: { getToken: () => { asked += 1; return token.promise; }, refreshToken: () => null } });
      const calls = Promise.all(Array.from({ length: 10 }, () => slow.get('a').text()));
      await t.until(() => asked, 'getToken');
      token.resolve('slow');
      await t.works(() => calls);
      t.equal(asked, 1, 'asked');
      const fields = { code: 'CALLBACK_ERROR', phase: 'auth', outcome: 'not-sent' };
      const thrown = new Error('no');
      const bad = {
        'it throws': [() => { throw thrown; }, thrown],
        'it rejects': [() => Promise.reject(thrown), thrown],
        'a number': [() => 5],
        'an object': [() => ({})],
        'a thenable that throws': [() => ({ then() { throw thrown; } }), thrown],
        'a getter that throws': [() => ({ get then() { throw thrown; } }), thrown],
        'it hangs': [() => new Promise(() => {})],
      };
      for (const [what, [getToken, original]] of Object.entries(bad)) {
        const api = t.client({ fetch: session.fetch, auth: { getToken, refreshToken: () => null, refreshTimeout: 30 } });
        const error = await t.fails(() => api.get('never'), fields);
        if (original) t.equal(error.originalError, original, what);
        await t.fails(() => api.fetch('never'), fields);
      }
      t.same(session.seen('never'), [], 'what was sent');
    },
  },
  {
    name: 'what refreshToken must not give is AUTH_REFRESH_FAILED, and the session is not lost',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      for (const value of [5, '', {}, true, 'a\nb']) {
        const api = t.client({ fetch: session.fetch, auth: { getToken: () => 'old', refreshToken: () => value } });
        const error = await t.fails(() => api.get('a'), { code: 'AUTH_REFRESH_FAILED', sessionLost: false, status: 401 });
        t.equal(error.cause.name, 'TypeError', t.show(value));
      }
    },
  },
  {
    name: 'expiresAt that throws: a token of getToken is CALLBACK_ERROR, a refreshed one is used all the same',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const reported = [];
      const { reportError } = globalThis;
      globalThis.reportError = (error) => reported.push(error.message);
      try {
        const expiresAt = (token) => {
          if (token === 'bad' || token === 'new') throw new Error(`of ${token.length}`);
        };
        const auth = { expiresAt, refreshToken: () => 'new' };
        await t.works(() => t.client({ fetch: session.fetch, auth: { ...auth, getToken: () => 'old' } }).get('a').text());
        t.same(reported, ['of 3']);
        await t.fails(() => t.client({ fetch: session.fetch, auth: { ...auth, getToken: () => 'bad' } }).get('a'), { code: 'CALLBACK_ERROR', phase: 'auth' });
      } finally {
        globalThis.reportError = reportError;
      }
    },
  },
  {
    name: 'shouldRefresh decides in place of the status, with a copy whose rest is let go; the answer stays whole',
    parallel: true,
    async run(t) {
      let cancelled = 0;
      const copies = [];
      /** A body of which nobody reads the second half. */
      const body = (text) => new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
        },
        cancel() {
          cancelled += 1;
        },
      });
      const asked = [];
      const auth = {
        getToken: () => 'old',
        refreshToken: () => 'new',
        async shouldRefresh(response) {
          copies.push(response);
          asked.push(response.status);
          const reader = response.body.getReader();
          const { value } = await reader.read();
          reader.releaseLock();
          return new TextDecoder().decode(value) === 'expired';
        },
      };
      const fetch = t.scripted((input, init) => {
        const isOld = new Headers(init.headers).get('authorization') === 'Bearer old';
        if (`${input}`.endsWith('fine')) return new Response('{}');
        if (`${input}`.endsWith('forbidden')) return new Response('forbidden', { status: 401 });
        return isOld ? new Response(body('expired'), { status: 403 }) : new Response('{}');
      });
      const api = t.client({ fetch, auth });
      await t.works(() => api.get('fine').text());
      t.same(asked, [], 'asked about 200');
      await t.works(() => api.get('data').text());
      t.same(asked, [403], 'asked about 403');
      await t.until(() => cancelled === 1, 'the end of the first answer');
      const error = await t.fails(() => api.get('forbidden'), { code: 'HTTP_ERROR', status: 401 });
      t.equal(error.data, 'forbidden', 'the answer is still whole');
      t.equal(api.metrics().refreshes, 1, 'refreshes');
      await t.fails(() => api.get('http://other.test/forbidden'), { code: 'HTTP_ERROR', status: 401 });
      t.equal(asked.length, 2, 'not asked about another origin');
      const broken = t.client({ fetch, auth: { ...auth, shouldRefresh: () => { throw new Error('no'); } } });
      await t.fails(() => broken.get('forbidden'), { code: 'CALLBACK_ERROR', status: 401, outcome: 'answered' });
    },
  },
  {
    name: 'shouldRefresh looks at what the hooks made of an answer',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const hooks = { afterResponse: [async ({ response }) => new Response(`seen ${await response.text()}`, { status: response.status })] };
      const texts = [];
      const auth = {
        getToken: () => 'old',
        refreshToken: () => 'new',
        shouldRefresh: async (response) => texts.push(await response.text()) > 0,
      };
      t.equal(await t.works(() => t.client({ fetch: session.fetch, auth, hooks }).get('a').text()), 'seen {"ok":true}');
      t.same(texts, ['seen {"ok":true}']);
    },
  },
  {
    name: 'N01 the engine dies while a token is being fetched: all settle, the next call starts anew and keeps what came',
    wasm: true,
    async run(t) {
      let isTrapping = false;
      t.memory.intercept((exports) => Object.fromEntries(Object.entries(exports).map(([name, value]) => [
        name,
        typeof value !== 'function' ? value : (...args) => {
          if (isTrapping && name === 'tick') throw new WebAssembly.RuntimeError('unreachable');
          return value(...args);
        },
      ])));
      const session = madeUpSession();
      const refresh = deferred();
      let signal;
      let refreshes = 0;
      const auth = {
        getToken: () => 'old',
        refreshToken(tools) {
          refreshes += 1;
          ({ signal } = tools);
          return refresh.promise;
        },
      };
      const api = t.client({ fetch: session.fetch, auth });
      const calls = Array.from({ length: 5 }, () => api.get('data').text());
      for (const call of calls) call.catch(() => {});
      await t.until(() => refreshes && session.calls.length === 5, 'the refresh');
      await t.turn();
      isTrapping = true;
      await t.fails(() => api.get('x', { totalTimeout: 20 }).text(), { code: 'ENGINE_DEAD' });
      isTrapping = false;
      for (const call of calls) await t.fails(() => call, { code: 'ENGINE_DEAD' }, [0, 200]);
      t.ok(signal.aborted, 'the callback is told');
      refresh.resolve('new');
      await t.turn();
      await t.works(() => Promise.all([1, 2, 3].map(() => api.get('after').text())));
      t.same([session.seen('after'), refreshes], [Array(3).fill('Bearer new'), 1], 'a token that came late is kept');
    },
  },
  {
    name: 'N01 the engine dies while it has the lock of the tabs: another one gets it',
    wasm: true,
    hosts: ['chromium', 'firefox', 'webkit'],
    async run(t) {
      let isTrapping = false;
      t.memory.intercept((exports) => Object.fromEntries(Object.entries(exports).map(([name, value]) => [
        name,
        typeof value !== 'function' ? value : (...args) => {
          if (isTrapping && name === 'tick') throw new WebAssembly.RuntimeError('unreachable');
          return value(...args);
        },
      ])));
      const session = madeUpSession();
      let isCalled = false;
      const auth = {
        lock: 'origin',
        getToken: () => 'old',
        refreshToken() {
          isCalled = true;
          return new Promise(() => {});
        },
      };
      const api = t.client({ fetch: session.fetch, auth });
      const call = api.get('data').text();
      call.catch(() => {});
      await t.until(() => isCalled, 'the refresh');
      const { held } = await navigator.locks.query();
      t.same(held.map(({ name }) => name), [`steadfetch:${t.home.origin}`], 'locks');
      isTrapping = true;
      await t.fails(() => api.get('x', { totalTimeout: 20 }).text(), { code: 'ENGINE_DEAD' });
      isTrapping = false;
      await t.fails(() => call, { code: 'ENGINE_DEAD' }, [0, 200]);
      await navigator.locks.request(`steadfetch:${t.home.origin}`, { signal: AbortSignal.timeout(2_000) }, () => {});
    },
  },
  {
    name: 'where there are no Web Locks, or none are given, a tab refreshes by itself',
    hosts: ['chromium', 'firefox', 'webkit', 'node'],
    async run(t) {
      const replace = (locks) => Object.defineProperty(globalThis.navigator ?? {}, 'locks', { value: locks, configurable: true });
      for (const locks of [undefined, { request: () => Promise.reject(new DOMException('no', 'SecurityError')), query: () => Promise.reject(new Error('no')) }]) {
        if (globalThis.navigator) replace(locks);
        const session = madeUpSession();
        const auth = { lock: 'origin', getToken: () => 'old', refreshToken: () => 'new' };
        await t.works(() => t.client({ fetch: session.fetch, auth }).get('data').text(), [0, 500]);
      }
    },
  },
  {
    name: 'N02 callbacks and observers that call and abort: all settle, nothing is re-entered',
    async run(t) {
      const session = madeUpSession();
      let depth = 0;
      const calls = [];
      const start = (path) => {
        const call = api.get(path).text();
        call.catch(() => {});
        calls.push(call);
      };
      const again = () => {
        if (depth >= 200) return;
        depth += 1;
        start('again');
      };
      const auth = {
        getToken() {
          again();
          return 'old';
        },
        refreshToken() {
          again();
          return 'new';
        },
      };
      const api = t.client({ fetch: session.fetch, auth, onEvent: again });
      for (let call = 0; call < 200; call += 1) start('data');
      await t.turn(1);
      api.abortAll('enough');
      for (let call = 0; call < 10; call += 1) start('after');
      for (const call of calls) await t.settle(() => call);
      isOver(t, api);
      const { calls: count, succeeded, failed } = api.metrics();
      t.equal(Object.values(failed).reduce((sum, one) => sum + one, succeeded), count, 'outcomes');
    },
  },
  {
    name: 'an auth object that nobody has any more takes along what the engine knows of it',
    wasm: true,
    hosts: ['node', 'chromium'],
    timeout: 30_000,
    async run(t) {
      let dropped = 0;
      t.memory.intercept((exports) => Object.fromEntries(Object.entries(exports).map(([name, value]) => [
        name,
        name !== 'drop_auth' ? value : (...args) => {
          dropped += 1;
          return value(...args);
        },
      ])));
      const session = madeUpSession('mine');
      const one = () => t.client({ fetch: session.fetch, auth: { getToken: () => 'mine', refreshToken: () => null } }).get('a').text();
      for (let request = 0; request < 50; request += 1) await t.works(one);
      for (let round = 0; round < 100 && dropped < 40; round += 1) {
        await t.heap();
        await t.sleep(20);
      }
      t.between(dropped, 40, 50, 'dropped');
    },
  },
];
