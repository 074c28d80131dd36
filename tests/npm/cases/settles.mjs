// Every call settles, whatever it is given by those around it.

import { held } from '../harness/held.mjs';

const forever = () => new Promise(() => {});
const chunk = new TextEncoder().encode('{"a":1}');
/** A body that gives a piece, and then nothing more; `seen` collects how it is cancelled. */
const stalling = (seen = []) => new ReadableStream({ start: (controller) => controller.enqueue(chunk), cancel: (reason) => { seen.push(reason); } });
/** Values that throw when they are looked at. */
const HOSTILE = {
  'a name that throws': () => Object.defineProperty(new Error('q'), 'name', { get() { throw new Error('looked at'); } }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};
const raise = (make) => () => { throw make(); };
const SHORT = { timeout: 200, totalTimeout: 300, idleTimeout: 100 };

export default [
  {
    name: 'what is thrown may throw when it is looked at: the call fails as with any other value, and no other call notices',
    parallel: true,
    async run(t) {
      const fetch = held();
      const other = t.client({ fetch }).get('other').json();
      await t.until(() => fetch.calls.length === 1, 'the other call');
      for (const [what, make] of Object.entries(HOSTILE)) {
        const bad = raise(make);
        const good = async () => new Response('{"a":1}');
        const rows = {
          fetch: [{ fetch: bad }, {}, 'NETWORK_ERROR'],
          'a body': [{ fetch: async () => new Response(new ReadableStream({ pull: bad })) }, { idleTimeout: 100 }, 'NETWORK_ERROR'],
          beforeRequest: [{ fetch: good, hooks: { beforeRequest: [bad] } }, {}, 'CALLBACK_ERROR'],
          headers: [{ fetch: good, headers: bad }, {}, 'CALLBACK_ERROR'],
          'a body function': [{ fetch: good }, { body: bad, method: 'post' }, 'CALLBACK_ERROR'],
          getToken: [{ fetch: good, auth: { getToken: bad, refreshToken: bad } }, {}, 'CALLBACK_ERROR'],
          refreshToken: [{ fetch: async () => new Response('', { status: 401 }), auth: { getToken: () => 'x', refreshToken: bad } }, {}, 'AUTH_REFRESH_FAILED'],
          shouldRetry: [{ fetch: () => Promise.reject(new TypeError('x')), retry: { limit: 1, shouldRetry: bad } }, {}, 'CALLBACK_ERROR'],
          fallback: [{ fetch: () => Promise.reject(new TypeError('x')) }, { fallback: bad }, 'CALLBACK_ERROR'],
        };
        for (const [where, [client, { method = 'get', ...call }, code]] of Object.entries(rows)) {
          // A stream of Deno that breaks with one leaves an unhandled rejection of its own.
          if (t.host === 'deno' && where === 'a body' && what === 'a revoked proxy') continue;
          const error = await t.fails(() => t.client(client)[method]('a', call).json(), { code });
          t.ok(error instanceof t.lib.SteadfetchError, `${what} of ${where}`);
        }
        const schema = { '~standard': { version: 1, vendor: 'x', validate: bad } };
        await t.fails(() => t.client({ fetch: good }).get('a').json(schema), { code: 'CALLBACK_ERROR' });
        const { error } = await t.settle(() => t.client({ fetch: bad }).fetch('a'));
        t.equal(t.info(error).code, 'NETWORK_ERROR', `${what}, by api.fetch`);
      }
      fetch.calls[0].answer(new Response('{"b":2}'));
      t.same(await t.works(() => other), { b: 2 });
    },
  },
  {
    name: 'a fallback has what is left of the call: limit, signal, scope and client end it',
    parallel: true,
    async run(t) {
      const fetch = async () => new Response('', { status: 503 });
      const late = { code: 'DEADLINE_EXCEEDED', phase: 'hook', outcome: 'answered', status: 503, limit: 250 };
      const api = t.client({ fetch, totalTimeout: 250 });
      await t.fails(() => api.get('a', { fallback: forever }).json(), late, [250, 300]);
      const { success, error } = await api.get('a', { fallback: forever }).result();
      t.same([success, error.code], [false, 'DEADLINE_EXCEEDED']);
      const reason = new Error('enough');
      const controller = new AbortController();
      const called = t.trackListeners(controller.signal);
      const patient = t.client({ fetch });
      const asked = [];
      const ask = () => { asked.push(1); return forever(); };
      const aborted = patient.get('a', { signal: controller.signal, fallback: ask }).json();
      const began = performance.now();
      const scoped = patient.scope({ totalTimeout: 200 }).get('a', { fallback: ask }).json();
      const closing = t.client({ fetch });
      const closed = closing.get('a', { fallback: ask }).json();
      await t.until(() => asked.length === 3, 'the fallbacks');
      controller.abort(reason);
      t.equal((await t.fails(() => aborted, { code: 'ABORTED', phase: 'hook' })).cause, reason);
      t.equal(called.live(), 0, 'listeners');
      closing.close(reason);
      t.equal((await t.fails(() => closed, { code: 'ABORTED' })).cause, reason);
      await t.fails(() => scoped, { code: 'DEADLINE_EXCEEDED' }, [0, 200]);
      t.ok(performance.now() - began >= 200, 'not early');
      await t.until(() => t.timers.pending() === 0, 'the end of the timers');
    },
  },
  {
    name: 'a fallback after the deadline has a moment, and gets an error that beforeError has made',
    parallel: true,
    async run(t) {
      const hanging = t.client({ fetch: forever, totalTimeout: 50 });
      t.same(await t.works(() => hanging.get('a', { fallback: async () => { await t.sleep(5); return 'kept'; } }).json()), 'kept');
      const own = new Error('wrapped');
      const api = t.client({ fetch: async () => new Response('', { status: 503 }), hooks: { beforeError: [() => own] } });
      const asked = [];
      const fallback = (error) => { asked.push(error); return 'kept'; };
      t.equal(await t.works(() => api.get('a', { fallback }).json()), 'kept');
      t.equal(asked[0], own);
    },
  },
  {
    name: 'what has no content by definition is read as empty, whatever a custom fetch puts into it',
    parallel: true,
    async run(t) {
      const seen = [];
      const heads = t.client({ ...SHORT, fetch: async () => new Response(stalling(seen)) });
      t.equal(await t.works(() => heads.head('a').json()), undefined);
      t.equal(await t.works(() => heads.head('a').text()), '');
      t.equal((await t.works(() => heads.head('a').bytes())).length, 0);
      t.equal((await t.works(() => heads.head('a').blob())).size, 0);
      const head = await heads.fetch('a', { method: 'HEAD' });
      t.equal(await t.works(() => head.text()), '');
      const { error } = await t.settle(() => head.json());
      t.equal(error.name, 'SyntaxError');
      const reader = heads.head('a').stream().getReader();
      t.equal((await t.works(() => reader.read())).done, true);
      t.equal(seen.length, 6, 'bodies that were cancelled');
      for (const status of [204, 205, 304]) {
        const made = { status, headers: new Headers(), body: null, text: forever, json: forever };
        t.equal(await t.works(() => t.client({ ...SHORT, fetch: async () => made }).get('a').json()), undefined, `${status}`);
      }
    },
  },
  {
    name: 'a body that was used before: one typed error at once, and the slot is free',
    parallel: true,
    async run(t) {
      const again = new Response('{"a":1}');
      const api = t.client({ fetch: async () => again, queue: { concurrency: 1 } });
      t.same(await t.works(() => api.get('a').json()), { a: 1 });
      await t.fails(() => api.get('a').json(), { code: 'UNEXPECTED_RESPONSE', phase: 'body', outcome: 'answered' }, [0, 50]);
      t.equal(await t.works(() => api.get('a', { fallback: () => 'kept' }).text()), 'kept');
      const { error } = await api.get('a').result();
      t.equal(error.code, 'UNEXPECTED_RESPONSE');
      const { error: platforms } = await t.settle(async () => (await api.fetch('a')).text());
      t.ok(platforms instanceof TypeError, 'by api.fetch');
      const { succeeded, failed, inFlight } = api.metrics();
      t.same([succeeded, failed, inFlight], [2, { UNEXPECTED_RESPONSE: 3 }, 0]);
    },
  },
  {
    name: 'a second reader of one body gets a typed error, and the first its value',
    parallel: true,
    async run(t) {
      const api = t.client({ fetch: async () => new Response('{"a":1}') });
      const promise = api.get('a');
      const [first, second] = [promise.json(), promise.result()];
      t.same(await t.works(() => first), { a: 1 });
      t.equal((await second).error.code, 'UNEXPECTED_RESPONSE');
      await t.fails(() => promise.text(), { code: 'UNEXPECTED_RESPONSE' });
      t.equal(api.metrics().succeeded, 1);
    },
  },
  {
    name: 'a response that is made without a body frees its slot for whoever wants it',
    parallel: true,
    async run(t) {
      const api = t.client({ fetch: async () => new Response(null), queue: { concurrency: 1 } });
      const responses = [await t.works(() => api.fetch('a')), await t.works(() => api.fetch('b')), await t.works(() => api.get('c'))];
      for (const response of responses) t.equal(await response.text(), '');
      t.equal(api.metrics().inFlight, 0);
    },
  },
  {
    name: 'the body of a 401 that no token follows is let go',
    parallel: true,
    async run(t) {
      const seen = [];
      const fetch = async () => new Response(stalling(seen), { status: 401 });
      const api = t.client({ fetch, auth: { getToken: () => 'x', refreshToken: () => { throw new Error('no'); } } });
      await t.fails(() => api.get('a').json(), { code: 'AUTH_REFRESH_FAILED', status: 401 });
      t.equal(seen.length, 1, 'cancels');
    },
  },
  {
    name: 'bytesReceived is what came, or not said where the platform counts it for itself',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { chunks: [{ text: '{"a' }, { text: 'b":' }], end: 'hang' } });
      // Long enough for the head to come, on a machine that does other things too.
      const api = t.client({ totalTimeout: 1_500 });
      const code = 'DEADLINE_EXCEEDED';
      await t.fails(() => api.get('a', { idleTimeout: false }).json(), { code, phase: 'body', bytesReceived: undefined });
      await t.fails(() => api.get('a', { idleTimeout: 5_000, timeout: false }).json(), { code, bytesReceived: 6 });
      const cut = new TextEncoder().encode('{"é":1}').slice(0, 3);
      const short = t.client({ fetch: async () => new Response(cut, { headers: { 'content-length': '3' } }) });
      await t.fails(() => short.get('a').json(), { code: 'PARSE_ERROR', bytesReceived: 3 });
    },
  },
];
