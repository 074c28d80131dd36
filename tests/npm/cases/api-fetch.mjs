// `api.fetch` beside the platform's own fetch: the same responses, the same requests, the same kinds of errors.

import { BROWSERS, CHROMIUM } from '../harness/hosts.mjs';

const MEMBERS = ['url', 'status', 'statusText', 'ok', 'redirected', 'type', 'bodyUsed'];

const describe = (response) => ({
  ...Object.fromEntries(MEMBERS.map((member) => [member, response[member]])),
  headers: Object.fromEntries([...response.headers].filter(([name]) => name !== 'date')),
});

/** What went out: without what differs from one request to the next anyway. */
const sent = ({ method, url, headers, body, bodyBase64, bodyBytes }) => ({
  method, url, body, bodyBase64, bodyBytes,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !['host', 'connection'].includes(name))),
});

/** Calls both ways and compares what came back and what the server saw. */
async function sideBySide(t, make, what) {
  const api = t.lib.createClient();
  const theirs = await fetch(...make());
  const ours = await t.works(() => api.fetch(...make()));
  t.same(describe(ours), describe(theirs), `response, ${what}`);
  const [a, b] = [await ours.text(), await theirs.text()];
  const isEcho = a.startsWith('{"') && a.includes('"bodyBytes"');
  t.same(isEcho ? sent(JSON.parse(a)) : a, isEcho ? sent(JSON.parse(b)) : b, `body, ${what}`);
  t.equal(ours.bodyUsed, theirs.bodyUsed, `bodyUsed after reading, ${what}`);
}

export default [
  {
    name: 'the response is the one of the platform',
    parallel: true,
    async run(t) {
      await t.home.script({
        '/a': { json: { a: 1 }, headers: { 'x-a': '1' } },
        '/to': { redirect: { to: '/a' } },
        '/404': { status: 404, body: 'no' },
        '/204': { status: 204 },
        '/500': { status: 500 },
      });
      for (const path of ['/a', '/to', '/404', '/204', '/500']) {
        await sideBySide(t, () => [t.home.url(path)], path);
      }
      const response = await t.works(() => t.lib.createClient().fetch(t.home.url('/to')));
      t.ok(response instanceof Response, 'instanceof Response');
      t.same([response.redirected, response.url], [true, t.home.url('/a')], 'after a redirect');
      t.same(await response.json(), { a: 1 });
    },
  },
  {
    name: 'the request is the one of the platform',
    parallel: true,
    async run(t) {
      await t.home.script({ '/e*': { echo: true } });
      const url = t.home.url('/e?q=1');
      const rows = {
        'a string': () => [url],
        'a URL': () => [new URL(url)],
        'an object with a string in it': () => [{ toString: () => url }],
        'a Request': () => [new Request(url, { method: 'PUT', body: 'abc', headers: { 'x-a': '1' } })],
        'a Request and init': () => [new Request(url, { method: 'PUT', body: 'abc' }), { method: 'POST', body: 'def' }],
        'a Request whose headers init replaces': () => [new Request(url, { headers: { 'x-a': '1' } }), { headers: { 'x-b': '2' } }],
        'init that is a Request': () => [url, new Request(url, { method: 'DELETE', headers: { 'x-a': '1' } })],
        'init with a prototype': () => [url, Object.create({ method: 'POST', body: 'abc' })],
        'headers as pairs': () => [url, { headers: [['a', '1'], ['a', '2'], ['b', '3']] }],
        'headers as Headers': () => [url, { headers: new Headers({ a: '1' }) }],
        'a form': () => [url, { method: 'POST', body: new URLSearchParams({ a: '1' }) }],
        'bytes': () => [url, { method: 'POST', body: new Uint8Array([0, 255, 1]) }],
        'a blob': () => [url, { method: 'POST', body: new Blob(['abc'], { type: 'text/x' }) }],
        'lower case of a known method': () => [url, { method: 'post', body: 'abc' }],
        'a method of its own': () => [url, { method: 'PURGE' }],
        'null for init': () => [url, undefined],
        'credentials, cache, referrer': () => [url, { credentials: 'omit', cache: 'no-store', referrer: '' }],
      };
      // Bun names no type of a text, but that of the Blob it is read into, so that it can be sent again.
      if (t.host === 'bun') delete rows['a Request'];
      for (const [what, make] of Object.entries(rows)) await sideBySide(t, make, what);
    },
  },
  {
    name: 'what fetch does not know is passed on, as frameworks expect',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(new Response('ok'));
      const next = { revalidate: 1 };
      await t.read(() => t.client({ fetch }).fetch('a', { next, cf: 'x', dispatcher: 7, anything: true, timeout: 1_000, retry: 1 }));
      const [{ init }] = fetch.calls;
      t.equal(init.next, next, 'next');
      t.same([init.cf, init.dispatcher, init.anything], ['x', 7, true]);
      t.equal('timeout' in init || 'retry' in init, false, 'our own options are not');
    },
  },
  {
    name: 'relative URLs are resolved against the page',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      await t.home.script({ '/npm/harness/x': { body: 'relative' }, '/abs': { body: 'absolute' } });
      const api = t.lib.createClient();
      t.equal(await t.works(async () => (await api.fetch('x')).text()), 'relative');
      t.equal(await t.works(async () => (await api.fetch('/abs')).text()), 'absolute');
      t.equal(await t.works(async () => (await api.fetch(new Request('/abs'))).text()), 'absolute');
    },
  },
  {
    name: 'clone() of a response is covered too',
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } }, '/stall': { chunks: [{ text: 'x' }], end: 'hang' }, '/cut': { body: 'x', contentLength: 2, end: 'cut' } });
      const api = t.strict();
      const response = await t.works(() => api.fetch('a'));
      const copy = response.clone();
      t.ok(copy instanceof Response, 'instanceof Response');
      t.same([copy.url, copy.status], [response.url, 200]);
      t.same([await copy.json(), await response.json()], [{ a: 1 }, { a: 1 }]);
      const stalled = (await api.fetch('stall')).clone();
      await t.fails(() => stalled.text(), { code: 'TIMEOUT', phase: 'idle' }, [0, 450]);
      const cut = (await api.fetch('cut')).clone();
      const error = await t.fails(() => cut.text(), { code: 'NETWORK_ERROR', phase: 'body' });
      t.ok(error instanceof TypeError, 'a TypeError');
    },
  },
  {
    name: 'clone() after the body was read throws as the platform does',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      const response = await t.works(() => t.client().fetch('a'));
      await response.text();
      t.ok(t.throws(() => response.clone()) instanceof TypeError, 'a TypeError');
      const { error } = await t.settle(() => response.text());
      t.ok(error instanceof TypeError, `a second read rejects with ${t.show(error)}`);
    },
  },
  {
    name: 'body: a stream, always the same one',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { body: 'abcdef', split: { sizes: [2] } }, '/204': { status: 204 } });
      const api = t.client();
      const response = await t.works(() => api.fetch('a'));
      t.ok(response.body instanceof ReadableStream, 'a ReadableStream');
      t.equal(response.body, response.body, 'identity');
      t.equal(response.bodyUsed, false, 'bodyUsed before');
      const reader = response.body.getReader();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text += new TextDecoder().decode(part.value);
      }
      t.same([text, response.bodyUsed], ['abcdef', true]);
      // Chromium has a stream there too.
      const native = (await fetch(t.home.url('/204'))).body;
      t.equal((await api.fetch('204')).body === null, native === null, 'whether 204 has a body');
      const piped = [];
      await (await api.fetch('a')).body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({
        write: (chunk) => { piped.push(chunk); },
      }));
      t.equal(piped.join(''), 'abcdef', 'through pipes');
    },
  },
  {
    name: 'cancel of the body ends the request',
    async run(t) {
      await t.home.script({ '/a': { drip: { bytes: 1_000, every: 5 } } });
      const api = t.client();
      const one = await t.works(() => api.fetch('a'));
      await one.body.cancel('enough');
      await t.home.wait({ closes: 1 });
      const two = await t.works(() => api.fetch('a'));
      const reader = two.body.getReader();
      await reader.read();
      await reader.cancel('enough');
      await t.home.wait({ closes: 2 });
      for await (const chunk of api.get('a').stream()) {
        t.ok(chunk instanceof Uint8Array, 'a chunk');
        break;
      }
      await t.home.wait({ closes: 3 });
    },
  },
  {
    name: 'native consumers take the response',
    hosts: CHROMIUM,
    // Nobody tells when the platform is done with a body: its limits go on.
    leavesTimers: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      const api = t.client();
      const cache = await caches.open('case');
      const response = await t.works(() => api.fetch('a'));
      await cache.put(t.home.url('/a'), response);
      t.same(await (await cache.match(t.home.url('/a'))).json(), { a: 1 }, 'cache.put');
      t.equal(response.bodyUsed, true, 'bodyUsed');
      await caches.delete('case');
      const { instance } = await WebAssembly.instantiateStreaming(api.fetch('/pkg/steadfetch_bg.wasm'), imports()).catch((error) => {
        // Its imports are none of ours: what counts is that the response was taken.
        t.ok(error instanceof WebAssembly.LinkError || error instanceof TypeError, `${t.show(error)} comes after the download`);
        return { instance: true };
      });
      t.ok(instance, 'instantiateStreaming');
      t.same(await new Response((await api.fetch('a')).body).json(), { a: 1 }, 'new Response(body)');
    },
  },
  {
    name: 'errors are of the kinds of the platform, with our fields attached',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/stall': { chunks: [{ text: '{' }], end: 'hang' }, '/bad': { body: '{' } });
      const down = await t.open({ refuse: true });
      const api = t.strict();
      const { errorInfo } = t.lib;
      const network = await t.fails(() => api.fetch(down.url('/a')), { code: 'NETWORK_ERROR', name: 'NetworkError' });
      t.ok(network instanceof TypeError && network.name === 'TypeError', 'a TypeError');
      const timeout = await t.fails(() => api.fetch('hang'), { code: 'TIMEOUT' });
      t.ok(timeout instanceof DOMException && timeout.name === 'TimeoutError', 'a DOMException TimeoutError');
      const deadline = await t.fails(() => api.fetch('hang', { totalTimeout: 50 }), { code: 'DEADLINE_EXCEEDED' });
      t.ok(deadline instanceof DOMException && deadline.name === 'TimeoutError', 'a DOMException TimeoutError');
      const idle = await t.fails(async () => (await api.fetch('stall')).text(), { code: 'TIMEOUT', phase: 'idle' });
      t.ok(idle instanceof DOMException && idle.name === 'TimeoutError', 'a DOMException TimeoutError');
      const parse = await t.fails(async () => (await api.fetch('bad')).json(), { code: 'PARSE_ERROR' });
      t.ok(parse instanceof SyntaxError, 'a SyntaxError');
      const option = await t.fails(() => api.fetch('a', { timeout: 'soon' }), { code: 'INVALID_OPTION' });
      t.equal(t.lib.isSteadfetchError(option), true, 'isSteadfetchError');
      const controller = new AbortController();
      const call = api.fetch('hang', { signal: controller.signal });
      controller.abort();
      const { error } = await t.settle(() => call);
      t.equal(error, controller.signal.reason, "the caller's own reason");
      const closing = t.client();
      const open = closing.fetch('hang');
      await t.turn();
      closing.abortAll('bye');
      const ended = await t.fails(() => open, { code: 'ABORTED', cause: 'bye' });
      t.ok(ended instanceof DOMException && ended.name === 'AbortError', 'a DOMException AbortError');
      for (const foreign of [new Error('x'), null, undefined, 'text', 7, {}]) t.equal(errorInfo(foreign), undefined, 'errorInfo of a foreign value');
      t.lacks(Object.keys(network).join(), 'steadfetch', 'enumerable keys');
    },
  },
  {
    name: 'what a custom fetch returns gets our members, whatever it is',
    parallel: true,
    async run(t) {
      const odd = { ok: true, status: 200, headers: new Headers(), body: null, bodyUsed: false, text: async () => '{"odd":true}' };
      const response = await t.works(() => t.client({ fetch: async () => odd }).fetch('a'));
      t.equal(response.status, 200);
      t.same(await t.works(() => response.json()), { odd: true }, 'json()');
      for (const nothing of [undefined, null, 7, 'text']) {
        const { error, failed } = await t.settle(() => t.client({ fetch: async () => nothing }).get('a').text());
        t.ok(failed && t.info(error), `a typed error for ${t.show(nothing)}: ${t.show(error)}`);
      }
    },
  },
  {
    name: 'a custom fetch that throws, rejects oddly, or is a thenable',
    parallel: true,
    async run(t) {
      const rows = [
        () => { throw new TypeError('sync'); },
        () => { throw 'text'; },
        async () => { throw undefined; },
        () => Promise.reject(null),
        () => ({ then(_, reject) { reject(new Error('thenable')); } }),
        () => ({ then() { throw new Error('thenable'); } }),
        () => ({ get then() { throw new Error('getter'); } }),
      ];
      for (const fetch of rows) {
        await t.fails(() => t.client({ fetch }).get('a').text(), { code: 'NETWORK_ERROR', outcome: 'unknown', phase: 'headers' });
        await t.fails(() => t.client({ fetch }).fetch('a'), { code: 'NETWORK_ERROR' });
      }
      const twice = () => ({ then(resolve, reject) { resolve(new Response('one')); reject(new Error()); resolve(new Response('two')); } });
      t.equal(await t.works(() => t.client({ fetch: twice }).get('a').text()), 'one');
    },
  },
  {
    name: 'globals are looked up when they are used',
    parallel: true,
    async run(t) {
      const api = t.client();
      const spied = t.spy(globalThis, 'fetch', () => async () => new Response('mock'));
      try {
        t.equal(await t.works(() => api.get('a').text()), 'mock');
      } finally {
        spied.restore();
      }
      t.equal(spied.calls.length, 1, 'calls of the mock');
    },
  },
];

/** An imports object that has whatever is asked for. */
function imports() {
  const any = new Proxy({}, { get: () => () => 0, has: () => true });
  return new Proxy({}, { get: () => any, has: () => true });
}
