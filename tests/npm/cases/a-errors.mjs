// Which kind of failure it was.

import { BROWSERS, NODE } from '../harness/hosts.mjs';

const OUTAGES = [
  ['Chromium', () => new TypeError('Failed to fetch')],
  ['Firefox', () => new TypeError('NetworkError when attempting to fetch resource.')],
  ['Safari, without a stack', () => Object.assign(new TypeError('Load failed'), { stack: undefined })],
  ['a stream', () => new TypeError('network error')],
  ['Safari offline', () => new TypeError('The Internet connection appears to be offline.')],
  ['Node', () => new TypeError('fetch failed')],
];

/** Requests that no server must ever see, by what is wrong with them. */
const MISTAKES = (t) => {
  const { host, port } = new URL(t.home.origin);
  const mistakes = {
    'a URL without a host': ['http://'],
    'credentials in the URL': [`http://user:hunter2@${host}/x`],
    'a header name with a blank': ['x', { headers: { 'a b': '1' } }],
    'a header value with a line break': ['x', { headers: { a: 'b\r\nc' } }],
    'a header value beyond Latin-1': ['x', { headers: { a: '\u4e2d' } }],
    'a GET with a body': ['x', { method: 'GET', body: 'abc' }],
    'mode navigate': ['x', { mode: 'navigate' }],
    'a signal that is none': ['x', { signal: {} }],
    'the method TRACE': ['x', { method: 'TRACE' }],
    'a method with a blank': ['x', { method: 'A B' }],
    'a port with letters': [`http://127.0.0.1:${port}x/`],
  };
  return Object.entries(mistakes).filter(([what]) => t.host !== 'bun' || !SENT_BY_BUN.includes(what));
};

/** Or taken for an outage by it. */
const SENT_BY_BUN = ['a GET with a body', 'mode navigate', 'a signal that is none', 'the method TRACE', 'a method with a blank'];

export default [
  {
    name: 'A01 an outage is an outage in the words of every engine',
    parallel: true,
    async run(t) {
      for (const [engine, outage] of OUTAGES) {
        const fetch = t.scripted(outage(), outage(), new Response('{}'));
        const events = t.recorder();
        const api = t.client({ fetch, retry: { limit: 2, delay: 10 }, onEvent: events });
        t.equal(await t.works(() => api.get('x').text(), [0, 200]), '{}', engine);
        t.equal(fetch.calls.length, 3, `calls, ${engine}`);
        t.same(events.of('retry').map((event) => event.code), ['NETWORK_ERROR', 'NETWORK_ERROR'], engine);
      }
    },
  },
  {
    name: 'A03 a mistake in the arguments is INVALID_REQUEST, by api.fetch the TypeError of the platform',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3 });
      for (const [what, args] of MISTAKES(t)) {
        const error = await t.fails(() => api.fetch(...args), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 50]);
        t.ok(error instanceof TypeError, `${what}: ${t.show(error)} is a TypeError`);
        t.equal(t.info(error).attempts.length, 0, `attempts, ${what}`);
        t.lacks(error.message, 'hunter2', what);
      }
      await t.saw(0);
    },
  },
  {
    name: 'A03 a mistake in the arguments is INVALID_REQUEST in a shortcut',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3 });
      for (const [what, [url, { method = 'GET', ...options } = {}]] of MISTAKES(t)) {
        if (method !== 'GET') continue;
        const start = () => api.get(url, options).text();
        const error = await t.fails(start, { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 50]);
        t.ok(t.lib.isSteadfetchError(error), `${what}: ${t.show(error)} is of ours`);
        t.lacks(JSON.stringify(error) + error.message + error.stack, 'hunter2', what);
      }
      await t.saw(0);
    },
  },
  {
    name: 'A03 a stream body without duplex',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const body = new ReadableStream({ start: (controller) => controller.close() });
      const code = ['firefox', 'webkit'].includes(t.host) ? 'UNSUPPORTED' : 'INVALID_REQUEST';
      await t.fails(() => t.client({ retry: 3 }).fetch('x', { method: 'POST', body }), { code, outcome: 'not-sent' }, [0, 50]);
      await t.saw(0);
    },
  },
  {
    name: 'A03 a used Request is INVALID_REQUEST',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const request = new Request(t.home.url('/x'), { method: 'POST', body: 'abc' });
      await request.text();
      await t.fails(() => t.client().fetch(request), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 50]);
      await t.saw(0);
    },
  },
  {
    name: 'A05 an unknown scheme is left to the platform, and not retried',
    parallel: true,
    async run(t) {
      const spied = t.spy(globalThis, 'fetch');
      const api = t.client({ retry: 3 });
      await t.fails(() => api.get('foo://x').text());
      const error = await t.fails(() => api.fetch('foo://x'));
      t.ok(error instanceof TypeError, 'the rejection of api.fetch is a TypeError');
      spied.restore();
      t.equal(spied.calls.length, 2, 'calls of fetch');
    },
  },
  {
    name: 'A05 a custom fetch may know other schemes',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(new Response('ok'));
      t.equal(await t.works(() => t.client({ fetch }).get('foo://x').text()), 'ok');
    },
  },
  {
    name: 'A05 data: and blob: work',
    parallel: true,
    async run(t) {
      const api = t.client();
      t.equal(await t.works(() => api.get('data:text/plain,hello').text()), 'hello');
      // Service workers make no such URLs.
      if (!URL.createObjectURL) return;
      const blob = URL.createObjectURL(new Blob(['there']));
      t.equal(await t.works(() => api.get(blob).text()), 'there');
    },
  },
  {
    name: 'A06 an answer without CORS headers is NETWORK_ERROR, hint cross-origin',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const gateway = await t.open({ script: { '*': { status: 401, cors: false } } });
      const api = t.client({ retry: { limit: 2, delay: 10 } });
      const fields = { code: 'NETWORK_ERROR', hint: 'cross-origin', outcome: 'unknown' };
      await t.fails(() => api.get(gateway.url('/a')).json(), { ...fields, retryStopped: 'limit' });
      await t.saw(3, gateway);
      await t.fails(() => api.post(gateway.url('/b'), { body: 'abc' }).json(), { ...fields, retryStopped: 'method' });
      await t.saw(4, gateway);
    },
  },
  {
    name: 'A08 a header that the preflight does not allow is named',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const step = { preflight: { allowHeaders: [] } };
      const fields = { code: 'NETWORK_ERROR', hint: 'non-safelisted-headers' };
      const api = t.client();

      const one = await t.open({ script: { '*': step } });
      const get = await t.fails(() => api.get(one.url('/a'), { headers: { 'X-Trace': '1' } }).text(), fields);
      t.match(get.message, /x-trace/i, 'the message names the header');
      await t.saw(0, one);

      const two = await t.open({ script: { '*': step } });
      const headers = { 'Idempotency-Key': '"k"' };
      const post = await t.fails(() => api.post(two.url('/a'), { body: 'abc', headers }).text(), fields);
      t.match(post.message, /idempotency-key/i, 'the message names the header');
      const report = await two.report();
      t.same([report.preflights, report.requests], [1, 0], 'preflights and requests');
    },
  },
  {
    name: 'A08 the defaults add no header that needs a preflight',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const other = await t.open({ script: { '*': { json: { a: 1 } } } });
      const api = t.lib.createClient();
      t.same(await t.works(() => api.get(other.url('/a')).json()), { a: 1 });
      t.same(await t.works(() => api.post(other.url('/b'), { body: 'abc' }).json()), { a: 1 });
      t.same(await t.works(async () => (await api.fetch(other.url('/c'))).json()), { a: 1 });
      const { preflights, requests } = await other.report();
      t.same([preflights, requests], [0, 3], 'preflights and requests');
    },
  },
  {
    name: 'A09 a status is an answer, not a network failure',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { status: 500, json: { m: 1 } } });
      const api = t.client({ retry: 3 });
      const error = await t.fails(() => api.get('a').json(), {
        code: 'HTTP_ERROR', name: 'HTTPError', status: 500, phase: 'headers', outcome: 'answered', retryStopped: 'policy',
      });
      t.same(error.data, { m: 1 }, 'error.data');
      t.ok(t.lib.isHTTPError(error) && error instanceof t.lib.HTTPError, 'an HTTPError');
      t.equal(error.response.status, 500, 'error.response.status');
      await t.saw(1);
      const response = await t.works(() => api.fetch('b'));
      t.same([response.status, response.ok, await response.json()], [500, false, { m: 1 }], 'by api.fetch');
      await t.saw(2);
    },
  },
  {
    name: 'A11 an opaque answer is no HTTP error and no JSON',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      for (const status of [200, 401]) {
        const other = await t.open({ script: { '*': { status, cors: false, json: { a: 1 } } } });
        const api = t.client({ retry: 3 });
        const response = await t.works(() => api.get(other.url('/a'), { mode: 'no-cors' }));
        t.same([response.type, response.status], ['opaque', 0], 'type and status');
        await t.fails(() => response.json(), { code: 'UNEXPECTED_RESPONSE' });
        await t.fails(() => api.get(other.url('/b'), { mode: 'no-cors' }).json(), { code: 'UNEXPECTED_RESPONSE' });
        await t.saw(2, other);
        const raw = await t.works(() => api.fetch(other.url('/c'), { mode: 'no-cors' }));
        t.same([raw.type, await raw.text()], ['opaque', ''], 'by api.fetch');
      }
    },
  },
  {
    name: "A13 redirect: 'error' is NETWORK_ERROR, once for a POST",
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { redirect: { to: '/b' } }, '/b': {} });
      const api = t.client({ retry: 3 });
      await t.fails(() => api.post('a', { body: 'abc', redirect: 'error' }).text(), {
        code: 'NETWORK_ERROR', retryStopped: 'method',
      });
      await t.saw(1);
    },
  },
  {
    name: 'A13 a redirect to an origin without CORS',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const login = await t.open({ script: { '*': { cors: false, body: 'login' } } });
      const other = await t.open({ script: { '*': { redirect: { to: login.url('/login') } } } });
      await t.home.script({ '/a': { redirect: { to: login.url('/login') } } });
      const api = t.client({ retry: { limit: 2, delay: 10 } });
      await t.fails(() => api.get(other.url('/a')).text(), { code: 'NETWORK_ERROR', hint: 'cross-origin' });
      t.between(await t.requests(other), 1, 3, 'requests');
      await t.fails(() => api.get('a').text(), { code: 'NETWORK_ERROR', hint: undefined });
      t.between(await t.requests(), 1, 3, 'requests');
    },
  },
  {
    name: 'A13 a redirect to an origin without CORS is no 401: no refresh',
    hosts: BROWSERS,
    parallel: true,
    needs: { auth: { refreshToken() {} }, baseUrl: 'http://a.test' },
    async run(t) {
      const login = await t.open({ script: { '*': { cors: false, status: 401 } } });
      const other = await t.open({ script: { '*': { redirect: { to: login.url('/login') } } } });
      let refreshes = 0;
      const refreshToken = () => `token ${(refreshes += 1)}`;
      const api = t.client({ auth: { refreshToken, origins: [t.home.origin, other.origin, login.origin] }, retry: { limit: 2, delay: 10 } });
      await t.fails(() => api.get(other.url('/a')).text(), { code: 'NETWORK_ERROR', hint: 'cross-origin' });
      t.between(await t.requests(other), 1, 3, 'requests');
      t.same([refreshes, api.metrics().refreshes], [0, 0], 'refreshes');
    },
  },
  {
    name: 'URLs that are all content: not retried, shown by their scheme, on no circuit of a server, without a hint',
    parallel: true,
    needs: { circuitBreaker: {} },
    async run(t) {
      // Service workers make none.
      if (!URL.createObjectURL) return;
      const revoked = URL.createObjectURL(new Blob(['x']));
      URL.revokeObjectURL(revoked);
      const api = t.client({ retry: { limit: 3, delay: 1 }, circuitBreaker: { failureThreshold: 5 } });
      for (const [url, scheme] of [[revoked, 'blob:'], ['data:text/plain;base64,!', 'data:']]) {
        const error = await t.fails(() => api.get(url).text(), { code: 'NETWORK_ERROR', retryStopped: 'method', hint: undefined });
        t.equal(error.attempts.length, 1, 'attempts');
        t.match(error.message, new RegExp(`: GET ${scheme}[^/]*$`), 'the message');
      }
      t.same(api.circuits().map(({ key, failures }) => [key, failures]), [['blob:', 1], ['data:', 1]], 'circuits');
      const good = URL.createObjectURL(new Blob(['good']));
      t.equal(await t.works(() => api.get(good).text()), 'good');
      URL.revokeObjectURL(good);
    },
  },
  {
    name: 'A14 fetch keeps its receiver',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { json: { a: 1 } } });
      for (const options of [{}, { fetch: globalThis.fetch }]) {
        t.same(await t.works(() => t.client(options).get('a').json()), { a: 1 });
      }
      const { fetch, get } = t.client();
      t.equal((await t.read(() => fetch('a'))).status, 200, 'api.fetch without its client');
      t.equal((await t.read(() => get('a'))).status, 200, 'api.get without its client');
    },
  },
  {
    name: 'A14 fetch keeps its receiver in a dedicated worker',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      const worker = new Worker('/npm/harness/in-worker.mjs', { type: 'module' });
      const answer = new Promise((resolve, reject) => {
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
      worker.postMessage({ module: t.env.modules.package, url: t.home.url('/a') });
      t.same(await t.works(() => answer), [{ a: 1 }, { a: 1 }], 'default and given fetch');
      worker.terminate();
    },
  },
  {
    name: 'A14 a relative URL without a base in Node is INVALID_REQUEST',
    hosts: NODE,
    parallel: true,
    async run(t) {
      const error = await t.fails(() => t.lib.createClient().get('a').text(), { code: 'INVALID_REQUEST' });
      t.match(error.message, /baseUrl/, 'the message names the way out');
    },
  },
];
