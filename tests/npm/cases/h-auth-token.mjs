// Where the token goes, and where it never goes.

import { deferred, madeUpSession } from '../harness/session.mjs';

const SECRET = 'S3CRET';

const tokenOf = (init, name = 'authorization') => new Headers(init?.headers).get(name);

/** A `fetch` that says 200 to everybody, and keeps what it was given. */
function listener(t) {
  return t.scripted(() => new Response('{}', { headers: { 'content-length': '2' } }));
}

/** A client with a token that nobody refreshes. */
function clientOf(t, { auth, ...options } = {}) {
  return t.client({ auth: { getToken: () => 'mine', refreshToken: () => null, ...auth }, ...options });
}

export default [
  {
    name: 'the token is added last, in the calling task, and to a fresh object each time',
    parallel: true,
    async run(t) {
      const fetch = listener(t);
      const api = clientOf(t, { fetch, headers: { 'x-own': '1' } });
      await t.works(() => api.get('first').text());
      const init = { headers: { 'x-call': '2' } };
      const call = api.fetch('now', init);
      t.equal(fetch.calls.length, 2, 'it was sent before the call returned');
      await (await call).text();
      const { init: sent } = fetch.calls[1];
      t.same([tokenOf(sent), tokenOf(sent, 'x-own'), tokenOf(sent, 'x-call')], ['Bearer mine', '1', '2'], 'headers');
      t.same(init, { headers: { 'x-call': '2' } }, "the caller's own init");
    },
  },
  {
    name: 'hooks never see the token, whatever they do to the request; what they set themselves stays',
    parallel: true,
    async run(t) {
      const fetch = listener(t);
      const seen = [];
      const hook = ({ request }) => {
        seen.push(request.headers.get('authorization'));
        if (request.url.endsWith('own')) request.headers.set('Authorization', 'Basic own');
      };
      const api = clientOf(t, { fetch, hooks: { beforeRequest: [hook], afterResponse: [hook] } });
      await t.works(() => api.get('a').text());
      await t.works(() => api.get('own').text());
      t.same(fetch.calls.map(({ init }) => tokenOf(init)), ['Bearer mine', 'Basic own'], 'what was sent');
      t.ok(!seen.includes('Bearer mine'), 'no hook has seen it');
    },
  },
  {
    name: 'a hand-set Authorization is never replaced, nor refreshed, wherever it comes from',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(() => new Response('{}', { status: 401 }));
      let refreshes = 0;
      const auth = { refreshToken: () => { refreshes += 1; return 'new'; } };
      const ways = {
        call: (api) => api.get('a', { headers: { AUTHORIZATION: 'Basic own' } }),
        function: (api) => api.get('a', { headers: () => ({ authorization: 'Basic own' }) }),
        client: (api) => api.extend({ headers: { authorization: 'Basic own' } }).get('a'),
        Request: (api) => api.get(new Request(t.home.url('/a'), { headers: { authorization: 'Basic own' } })),
      };
      for (const [what, send] of Object.entries(ways)) {
        await t.fails(() => send(clientOf(t, { auth, fetch })), { code: 'HTTP_ERROR', status: 401 });
        const { input, init } = fetch.calls.at(-1);
        t.equal(tokenOf(init.headers ? init : input), 'Basic own', what);
      }
      t.same([fetch.calls.length, refreshes], [Object.keys(ways).length, 0], 'requests and refreshes');
      await t.fails(() => clientOf(t, { auth: { ...auth, header: 'x-key' }, fetch }).get('a', { headers: { authorization: 'Basic own' } }), { status: 401 });
      t.equal(refreshes, 0, 'refreshes with another header');
    },
  },
  {
    name: 'auth: false of a call and of a view: without a token, and its 401 is the answer',
    parallel: true,
    async run(t) {
      const session = madeUpSession('mine');
      const api = clientOf(t, { fetch: session.fetch });
      await t.fails(() => api.get('call', { auth: false }), { code: 'HTTP_ERROR', status: 401 });
      await t.fails(() => api.extend({ auth: false }).get('view'), { code: 'HTTP_ERROR', status: 401 });
      await t.works(() => api.get('with').text());
      t.same(session.calls.map(({ authorization }) => authorization), [null, null, 'Bearer mine']);
      t.equal(api.metrics().refreshes, 0, 'refreshes');
      await t.fails(() => api.get('a', { auth: {} }), { code: 'INVALID_OPTION' });
    },
  },
  {
    name: 'I06 the token goes to its origins only: no absolute URL takes it elsewhere, and a 401 from there refreshes nothing',
    parallel: true,
    async run(t) {
      const fetch = t.scripted((input) => new Response('{}', { status: /a\.test(:80)?\//i.test(input.url ?? input) ? 200 : 401 }));
      const api = clientOf(t, { fetch, baseUrl: 'http://a.test/v1/', throwHttpErrors: false });
      const urls = [
        'x', 'http://a.test/y', 'http://A.TEST:80/z', new URL('http://a.test/u'),
        'http://b.test/', 'https://a.test/', 'http://a.test:81/', 'http://a.test.b.test/', '//b.test/x', 'http://a.test@b.test/',
      ];
      const got = [];
      for (const url of urls) {
        const { error, value } = await t.settle(() => api.fetch(url));
        await value?.text();
        got.push(error ? error.name : tokenOf(fetch.calls.at(-1).init));
      }
      const mine = 'Bearer mine';
      t.same(got, [mine, mine, mine, mine, null, null, null, null, null, 'TypeError']);
      t.equal(api.metrics().refreshes, 0, 'refreshes');
      const two = clientOf(t, { fetch, auth: { origins: ['http://b.test/ignored', new URL('http://c.test')], refreshToken: () => 'new' } });
      for (const host of ['a', 'b', 'c']) await (await two.fetch(`http://${host}.test/`, { throwHttpErrors: false })).text();
      const sent = fetch.calls.slice(got.length - 1).map(({ input, init }) => [new URL(input).host[0], tokenOf(init)]);
      t.same(sent, [['a', null], ['b', mine], ['b', 'Bearer new'], ['c', 'Bearer new'], ['c', 'Bearer new']], 'origins of its own');
    },
  },
  {
    name: 'a hook that sends the request elsewhere sends no token there',
    parallel: true,
    async run(t) {
      const fetch = listener(t);
      const hooks = { beforeRequest: [({ request }) => new Request('http://b.test/x', request)] };
      await t.works(() => clientOf(t, { fetch, hooks }).get('a').text());
      t.equal(tokenOf(fetch.calls[0].init) ?? fetch.calls[0].input.headers.get('authorization'), null);
    },
  },
  {
    name: 'I06 a redirect to another origin: Authorization stays behind, and the 401 from there is the answer',
    async run(t) {
      const other = await t.open({ script: { '/there': { status: 401, json: {} } } });
      await t.home.script({ '/a': { redirect: { status: 302, to: other.url('/there') } } });
      const api = clientOf(t, { auth: { refreshToken: () => 'new' } });
      const { error, value } = await t.settle(() => api.fetch('a'));
      if (error) t.equal(t.info(error).code, 'NETWORK_ERROR');
      else await value.text();
      t.equal(api.metrics().refreshes, 0, 'refreshes');
      const { log } = await other.report();
      for (const { headers } of log) t.equal(headers.authorization, undefined, 'Authorization');
    },
  },
  {
    name: 'I06 a token in a header of its own follows no redirect, unless you say so',
    async run(t) {
      const other = await t.open({ script: { '*': { json: {}, preflight: {} } } });
      await t.home.script({
        '/a': { redirect: { status: 302, to: other.url('/there') } },
        '/same': { redirect: { status: 302, to: t.home.url('/b') } },
        '/b': { json: { b: 1 } },
      });
      const own = { header: 'X-Api-Key', scheme: '' };
      const api = clientOf(t, { auth: own });
      for (const path of ['a', 'same']) {
        const error = await t.fails(() => api.get(path), { code: 'NETWORK_ERROR' });
        t.ok(error.message.includes('auth.allowRedirects'), error.message);
      }
      await t.fails(() => api.get(new Request(t.home.url('/a'), { redirect: 'follow' })), { code: 'NETWORK_ERROR' });
      t.equal(await t.requests(other), 0, 'requests to the other origin');
      const { log } = await t.home.report();
      t.equal(log[0].headers['x-api-key'], 'mine', 'what home got');
      t.same(await t.works(() => clientOf(t, { auth: { ...own, allowRedirects: true } }).get('same').json()), { b: 1 });
      const manual = await t.works(() => api.fetch('same', { redirect: 'manual' }));
      t.ok(manual.type === 'opaqueredirect' || manual.status === 302, 'redirect: manual stays');
      await manual.text();
    },
  },
  {
    name: 'no token yet: sent without a header, and a 401 refreshes',
    parallel: true,
    async run(t) {
      for (const nothing of [null, undefined, '']) {
        const session = madeUpSession();
        const api = clientOf(t, { fetch: session.fetch, auth: { getToken: async () => nothing, refreshToken: () => 'new' } });
        await t.works(() => api.get('a').text());
        t.same(session.seen('a'), [null, 'Bearer new'], t.show(nothing));
      }
    },
  },
  {
    name: 'without getToken: what refreshToken gives is sent; if it gives nothing, the session is a cookie',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      const auth = { getToken: undefined, refreshToken: () => 'new' };
      await t.works(() => clientOf(t, { fetch: session.fetch, auth }).get('a').text());
      t.same(session.seen('a'), [null, 'Bearer new']);

      let isFresh = false;
      let refreshes = 0;
      const renewed = deferred();
      const cookies = t.scripted(() => new Response('{}', { status: isFresh ? 200 : 401 }));
      const api = clientOf(t, {
        fetch: cookies,
        credentials: 'include',
        auth: {
          getToken: undefined,
          async refreshToken() {
            refreshes += 1;
            await renewed.promise;
            isFresh = true;
          },
        },
      });
      const calls = Array.from({ length: 15 }, () => api.post('a', { json: 1 }).text());
      await t.until(() => refreshes, 'the refresh');
      renewed.resolve();
      await t.works(() => Promise.all(calls));
      t.same([refreshes, cookies.calls.length], [1, 30], 'refreshes and requests');
      t.ok(cookies.calls.every(({ init }) => tokenOf(init) === null), 'no header of ours');
    },
  },
  {
    name: 'refreshToken gives undefined: getToken has the token',
    parallel: true,
    async run(t) {
      const session = madeUpSession();
      let token = 'old';
      const auth = { getToken: async () => token, refreshToken: () => { token = 'new'; } };
      await t.works(() => clientOf(t, { fetch: session.fetch, auth }).get('a').text());
      t.same(session.seen('a'), ['Bearer old', 'Bearer new']);
    },
  },
  {
    name: 'somebody logs in as somebody else: the next call has the new token, without a refresh',
    parallel: true,
    async run(t) {
      const fetch = listener(t);
      let token = 'one';
      const api = clientOf(t, { fetch, auth: { getToken: () => token } });
      await t.works(() => api.get('a').text());
      token = 'two';
      await t.works(() => api.get('a').text());
      token = null;
      await t.works(() => api.get('a').text());
      t.same(fetch.calls.map(({ init }) => tokenOf(init)), ['Bearer one', 'Bearer two', null]);
    },
  },
  {
    name: 'an object of a class, with its own fields: its functions are its methods, and extend keeps who it is',
    parallel: true,
    async run(t) {
      class Session {
        #token = 'old';
        refreshes = 0;
        lockName = 'mine';
        getToken() {
          return this.#token;
        }
        refreshToken() {
          this.refreshes += 1;
          this.#token = 'new';
          return this.#token;
        }
        expiresAt() {
          return this.#token === 'never' ? 0 : undefined;
        }
        shouldRefresh(response) {
          return this.#token && response.status === 401;
        }
      }
      const fake = madeUpSession();
      const auth = new Session();
      const api = t.client({ fetch: fake.fetch, auth });
      await t.works(() => Promise.all([api.get('a').text(), api.extend({ name: 'b' }).get('b').text(), t.client({ fetch: fake.fetch, auth }).get('c').text()]));
      t.equal(auth.refreshes, 1, 'refreshes');
    },
  },
  {
    name: 'M01 no token is in any error, event, metric or message',
    parallel: true,
    async run(t) {
      const onEvent = t.recorder();
      const texts = [];
      const note = async (start) => {
        const { error } = await t.settle(start);
        t.ok(error, 'it fails');
        for (let one = error; one; one = one.cause) texts.push(one.message, one.stack, String(one), JSON.stringify(one));
      };
      const fails = (status) => t.scripted(() => new Response('{}', { status }));
      const refused = { refreshToken: () => { throw new Error(`refresh_token ${SECRET}`); } };
      const broken = { getToken: () => `${SECRET}\n${SECRET}` };
      const brokenRefresh = { refreshToken: () => `${SECRET}\u0000` };
      const base = { getToken: () => SECRET };
      await note(() => clientOf(t, { onEvent, fetch: fails(500), auth: base }).get('a'));
      await note(() => clientOf(t, { onEvent, fetch: fails(401), auth: { ...base, ...refused } }).get('a'));
      await note(() => clientOf(t, { onEvent, fetch: fails(401), auth: { ...base, ...brokenRefresh } }).get('a'));
      await note(() => clientOf(t, { onEvent, fetch: fails(200), auth: broken }).get('a'));
      await note(() => clientOf(t, { onEvent, fetch: t.scripted(new TypeError('Failed to fetch')), auth: base }).get('a'));
      await note(() => clientOf(t, { onEvent, fetch: () => new Promise(() => {}), totalTimeout: 20, auth: base }).get('a'));
      texts.push(JSON.stringify(onEvent.events));
      for (const text of texts) t.lacks(text ?? '', SECRET);
      await t.fails(() => clientOf(t, { fetch: fails(200), auth: broken }).get('a'), { code: 'CALLBACK_ERROR', phase: 'auth', outcome: 'not-sent' });
    },
  },
  {
    name: 'A06 a 401 without CORS headers is a network error: no refresh, retried as one, a POST not',
    hosts: ['chromium', 'firefox', 'webkit'],
    async run(t) {
      // Firefox keeps the answer of a preflight; each method has a path of its own.
      const other = await t.open({ script: { '*': { status: 401, cors: false, preflight: { cors: true } } } });
      let refreshes = 0;
      const auth = { origins: [other.origin], refreshToken: () => { refreshes += 1; return 'new'; } };
      const api = clientOf(t, { auth, retry: { limit: 2, delay: 10 } });
      await t.fails(() => api.get(other.url('/get')), { code: 'NETWORK_ERROR', hint: 'cross-origin' });
      await t.saw(3, other);
      await t.fails(() => api.post(other.url('/post'), { json: 1 }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      await t.saw(4, other);
      t.equal(refreshes, 0, 'refreshes');
    },
  },
  {
    name: 'a beacon that leaves with its page takes the token that is at hand, in the same task',
    hosts: ['chromium', 'firefox', 'webkit'],
    async run(t) {
      const fetch = listener(t);
      const api = clientOf(t, { fetch, auth: { getToken: async () => 'mine' } });
      await t.works(() => api.get('first').text());
      let beacon;
      const leave = () => { beacon = api.post('beacon', { json: 1, keepalive: true }); };
      addEventListener('pagehide', leave, { once: true });
      dispatchEvent(new Event('pagehide'));
      t.equal(fetch.calls.length, 2, 'sent before the page is gone');
      t.equal(tokenOf(fetch.calls[1].init), 'Bearer mine');
      dispatchEvent(new Event('pageshow'));
      await t.works(() => beacon.text());
    },
  },
  {
    name: 'in Node, without a page: auth needs baseUrl or origins',
    hosts: ['node'],
    parallel: true,
    async run(t) {
      const auth = { getToken: () => 'mine', refreshToken: () => null };
      t.equal(t.throws(() => t.lib.createClient({ auth })).code, 'INVALID_OPTION');
      t.lib.createClient({ auth: { ...auth, origins: ['http://a.test'] } });
      t.lib.createClient({ baseUrl: 'http://a.test', auth });
      t.equal(t.throws(() => t.lib.createClient().extend({ auth })).code, 'INVALID_OPTION');
    },
  },
  {
    name: 'options of auth that are no good are INVALID_OPTION',
    parallel: true,
    async run(t) {
      const good = { getToken: () => 'mine', refreshToken: () => null };
      const bad = [
        null, true, 'x', 5, [], {}, { getToken: good.getToken }, { ...good, getToken: 'x' }, { ...good, refreshToken: null },
        { ...good, header: '' }, { ...good, header: 'a b' }, { ...good, header: 5 }, { ...good, scheme: 'a\nb' }, { ...good, scheme: null },
        { ...good, origins: [] }, { ...good, origins: 'http://a.test' }, { ...good, origins: ['a.test'] }, { ...good, origins: ['data:,x'] },
        { ...good, refreshTimeout: 0 }, { ...good, refreshTimeout: '5' }, { ...good, refreshBefore: -1 }, { ...good, expiresAt: 5 },
        { ...good, lock: true }, { ...good, lock: 'page' }, { ...good, lockName: 5 }, { ...good, allowRedirects: 1 }, { ...good, shouldRefresh: 401 },
        { ...good, refresh: () => {} },
      ];
      for (const auth of bad) t.equal(t.throws(() => t.client({ auth }), undefined, t.show(auth)).code, 'INVALID_OPTION', t.show(auth));
      t.match(t.throws(() => t.client({ auth: { ...good, refreshtoken: 1 } })).message, /auth\.refreshToken/, 'the nearest name');
      for (const auth of [false, undefined, good, { ...good, scheme: '', refreshTimeout: false, lock: 'tab' }]) t.client({ auth });
    },
  },
];
