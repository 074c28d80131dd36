// Where the engines differ, and what users see of it: nothing, or what is said here.

import { BROWSERS } from '../harness/hosts.mjs';

/** What is expected in this engine. */
const here = (t, table) => table[t.host];

/** One byte of a body, then nothing. */
const STALLED = { chunks: [{ text: '{' }], end: 'hang', headers: { 'content-type': 'application/json' } };

const streamOf = (text) => new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode(text));
    controller.close();
  },
});

/** What the platform itself does, for the cases that are about hiding it. */
const rejection = (promise) => promise.then(() => undefined, (error) => error);

export default [
  {
    name: 'engines: their words for an outage differ, what is reported does not',
    hosts: BROWSERS,
    async run(t) {
      const down = await t.open({ refuse: true });
      const words = here(t, {
        chromium: 'Failed to fetch', firefox: 'NetworkError when attempting to fetch resource.', webkit: 'Load failed',
      });
      const error = await t.fails(() => t.client().fetch(down.url('/a')), { code: 'NETWORK_ERROR', phase: 'headers' });
      t.equal(error.message, words, 'the TypeError of the platform');
      const own = await t.fails(() => t.client().get(down.url('/a')).json(), { code: 'NETWORK_ERROR', name: 'NetworkError' });
      t.lacks(own.message, words, 'our own words');
    },
  },
  {
    name: 'engines: a timeout of the caller keeps its name',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { before: 'hang' } });
      const platform = await rejection(fetch(t.home.url('/a'), { signal: AbortSignal.timeout(50) }));
      t.equal(platform.name, here(t, { chromium: 'TimeoutError', firefox: 'TimeoutError', webkit: 'AbortError' }), 'fetch alone');
      const signal = AbortSignal.timeout(50);
      const { error } = await t.settle(() => t.client().fetch('a', { signal }));
      t.equal(error, signal.reason, 'the rejection of api.fetch');
      t.equal(error.name, 'TimeoutError');
      const other = AbortSignal.timeout(50);
      const own = await t.fails(() => t.client().get('a', { signal: other }).json(), { code: 'ABORTED' });
      t.equal(own.cause, other.reason, 'cause');
    },
  },
  {
    name: 'engines: the reason of an abort survives, wherever the call is',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/stall': STALLED });
      const api = t.client();
      const stages = {
        'before the headers': (signal) => api.fetch('hang', { signal }),
        'during json()': async (signal) => (await api.fetch('stall', { signal })).json(),
        "during a reader's read()": async (signal) => {
          const reader = (await api.fetch('stall', { signal })).body.getReader();
          while (!(await reader.read()).done);
        },
        'during json() of a clone': async (signal) => (await api.fetch('stall', { signal })).clone().json(),
      };
      let requests = 0;
      for (const [stage, start] of Object.entries(stages)) {
        for (const reason of [new Error('enough'), 'bye', null]) {
          const controller = new AbortController();
          const call = start(controller.signal);
          call.catch(() => {});
          requests += 1;
          await t.home.wait({ requests });
          // Until the first byte is here too.
          await t.sleep(50);
          controller.abort(reason);
          const { error, failed } = await t.settle(() => call);
          t.ok(failed, `${stage}: it rejects`);
          t.equal(error, reason, stage);
        }
      }
    },
  },
  {
    name: 'engines: a streamed upload goes out, or is refused before anything is sent',
    hosts: BROWSERS,
    async run(t) {
      const script = { '*': { echo: true } };
      const [first, second] = await Promise.all([t.open({ script }), t.open({ tls: true, http2: true, script })]);
      const send = (origin) => t.client({ retry: 3 }).post(origin.url('/a'), { body: streamOf('abc') }).json();
      if (t.host === 'chromium') {
        t.equal((await t.works(() => send(second))).body, 'abc', 'over HTTP/2');
        await t.fails(() => send(first), { code: 'NETWORK_ERROR', hint: 'stream-upload-http2' });
        return;
      }
      // Firefox would send the text "[object ReadableStream]".
      for (const origin of [first, second]) {
        await t.fails(() => send(origin), { code: 'UNSUPPORTED', outcome: 'not-sent' });
        const options = { method: 'POST', body: streamOf('abc'), duplex: 'half' };
        await t.fails(() => t.client().fetch(origin.url('/a'), options), { code: 'UNSUPPORTED', outcome: 'not-sent' });
        await t.saw(0, origin);
      }
    },
  },
  {
    name: 'engines: an HTTP/2 connection that drops in the body ends the call, also where the platform hangs',
    hosts: BROWSERS,
    async run(t) {
      const step = { chunks: [{ text: 'x' }, { bytes: 0, delay: 50 }], end: 'reset', dropConnection: true };
      const origin = await t.open({ tls: true, http2: true, script: { '*': step } });
      const error = await t.fails(() => t.strict().get(origin.url('/a')).text(), { status: 200, outcome: 'answered' }, [0, 450]);
      t.same([error.code, error.phase], here(t, {
        chromium: ['NETWORK_ERROR', 'body'], firefox: ['NETWORK_ERROR', 'body'], webkit: ['TIMEOUT', 'idle'],
      }));
    },
  },
  {
    name: 'engines: streams are iterated where the platform cannot',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { body: 'abcdef', split: { sizes: [2], delay: 5 } } });
      const iterable = Symbol.asyncIterator in ReadableStream.prototype;
      t.equal(iterable, here(t, { chromium: true, firefox: true, webkit: false }), 'the platform iterates');
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of t.client().get('a').stream()) text += decoder.decode(chunk, { stream: true });
      t.equal(text, 'abcdef');
    },
  },
  {
    name: 'engines: who stops reading a body that stalls ends its request, also where cancel alone does not',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '/stall': STALLED, '/busy': [{ ...STALLED, status: 503 }, { json: 1 }] });
      const api = t.client({ retry: { limit: 1, delay: 1, statusCodes: [503] } });
      for await (const chunk of api.get('stall').stream()) {
        t.equal(chunk.length, 1);
        break;
      }
      await t.home.wait({ path: '/stall', closes: 1 });
      await (await api.fetch('stall')).body.cancel();
      await t.home.wait({ path: '/stall', closes: 2 });
      // The body of an answer that is not the last one.
      t.equal(await t.works(() => api.get('busy').json()), 1);
      await t.home.wait({ path: '/busy', closes: 1 });
    },
  },
  {
    name: "engines: the Response is the platform's own, and native consumers take it",
    hosts: BROWSERS,
    // Nobody tells when the platform is done with a body: its limits go on.
    leavesTimers: true,
    async run(t) {
      await t.home.script({ '/from': { redirect: { status: 302, to: '/to' } }, '/to': { json: { a: 1 } } });
      const response = await t.works(() => t.client().fetch('from'));
      t.same([response instanceof Response, response.url, response.redirected, response.type], [true, t.home.url('/to'), true, 'basic']);
      const copy = new Response(response.clone().body, response);
      t.same([copy.url, copy.type], ['', 'default'], 'what a rebuilt one would have lost');
      const cache = await caches.open('engines');
      const put = cache.put(t.home.url('/to'), response);
      t.equal(response.bodyUsed, true, 'bodyUsed right after cache.put');
      await t.works(() => put);
      t.same(await (await cache.match(t.home.url('/to'))).json(), { a: 1 }, 'what is in the cache');
      await caches.delete('engines');
    },
  },
  {
    name: "engines: what is known of a failure stays on the platform's own error",
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { before: 'reset' } });
      const error = await t.fails(() => t.client().fetch('a', { method: 'POST' }), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      t.ok(error instanceof TypeError && !(error instanceof t.lib.SteadfetchError), 'a TypeError');
      const again = await rejection(Promise.reject(error));
      t.equal(t.info(again).code, 'NETWORK_ERROR', 'after it was passed on');
    },
  },
  {
    name: 'engines: a body that is cut where the platform does not notice',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({
        '/chunked': { chunks: [{ text: '{"a":1}' }], end: 'cut' },
        '/half': { chunks: [{ text: '{"a":' }], end: 'cut' },
        '/error': { status: 500, body: 'x', contentLength: 20, end: 'cut' },
      });
      const api = t.client();
      // WebKit takes the end of the connection for the end of a chunked body.
      const chunked = await api.get('chunked').result();
      t.equal(chunked.error?.code, here(t, { chromium: 'NETWORK_ERROR', firefox: 'NETWORK_ERROR', webkit: undefined }), 'chunked');
      await t.fails(() => api.get('half').json(), {
        code: here(t, { chromium: 'NETWORK_ERROR', firefox: 'NETWORK_ERROR', webkit: 'PARSE_ERROR' }), phase: 'body',
      });
      // Firefox counts the bytes of good answers only.
      const error = await t.fails(() => api.get('error').json(), { code: 'HTTP_ERROR', status: 500 });
      t.equal(error.data, here(t, { chromium: undefined, firefox: 'x', webkit: undefined }), 'data');
    },
  },
  {
    name: 'engines: what a browser sends anew by itself is one attempt of ours',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { before: 'reset' } });
      const error = await t.fails(() => t.client().get('a').json(), { code: 'NETWORK_ERROR', outcome: 'unknown' });
      t.equal(error.attempts.length, 1, 'attempts');
      const requests = await t.requests();
      t.between(requests, 1, here(t, { chromium: 1, firefox: 10, webkit: 1 }), 'requests of the browser');
    },
  },
  {
    name: 'engines: a page that navigates away leaves no request and no false outage',
    hosts: BROWSERS,
    async run(t) {
      const page = `<script type="module">
        import { createClient } from ${JSON.stringify(t.env.modules.package)};
        const api = createClient({ baseUrl: location.origin, retry: { limit: 3, delay: 5000, jitter: 'none' } });
        api.get('api/a').json().catch((error) => parent.postMessage([error.code, error.retryStopped ?? null], '*'));
      </script>`;
      await t.home.script({
        '/frame': { body: page, headers: { 'content-type': 'text/html', connection: 'close' } }, '/api/a': { before: 'hang' },
      });
      const told = [];
      addEventListener('message', ({ data }) => told.push(data));
      const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: '/frame' }));
      await t.home.wait({ path: '/api/a', requests: 1 });
      frame.src = 'about:blank';
      await t.home.wait({ path: '/api/a', closes: 1 });
      await t.saw(2);
      // Firefox tells the page of its requests a moment before it tells that the page is left.
      const codes = here(t, { chromium: ['ABORTED'], firefox: ['ABORTED', 'NETWORK_ERROR'], webkit: ['ABORTED'] });
      for (const [code, stopped] of told) {
        t.oneOf(code, codes, 'what the page heard');
        t.equal(stopped, 'pagehide', 'retryStopped');
      }
    },
  },
  {
    name: 'engines: a body is read by BYOB readers too, where the platform has them',
    hosts: BROWSERS,
    async run(t) {
      await t.home.script({ '*': { body: 'abcdef' } });
      const has = here(t, { chromium: true, firefox: true, webkit: false });
      const own = await fetch(t.home.url('/own'));
      t.equal(await rejection((async () => own.body.getReader({ mode: 'byob' }).cancel())()) === undefined, has, 'the platform');
      const response = await t.works(() => t.client().fetch('a'));
      if (!has) {
        t.ok(await rejection((async () => response.body.getReader({ mode: 'byob' }))()), 'what we cover is refused alike');
        t.equal(await response.text(), 'abcdef');
        return;
      }
      const reader = response.body.getReader({ mode: 'byob' });
      let text = '';
      for (let piece = await reader.read(new Uint8Array(4)); !piece.done; piece = await reader.read(new Uint8Array(4))) {
        t.between(piece.value.byteLength, 1, 4, 'bytes of a piece');
        text += new TextDecoder().decode(piece.value);
      }
      t.equal(text, 'abcdef');
    },
  },
  {
    name: 'engines: what a platform offers, and what the rest of these cases lean on',
    hosts: BROWSERS,
    parallel: true,
    run(t) {
      const offers = {
        bytes: 'bytes' in Response.prototype,
        any: 'any' in AbortSignal,
        decompression: 'DecompressionStream' in globalThis,
        keepalive: 'keepalive' in Request.prototype,
        locks: 'locks' in navigator,
        scheduler: 'scheduler' in globalThis,
        connection: 'connection' in navigator,
        dispose: 'dispose' in Symbol,
      };
      const everywhere = { bytes: true, any: true, decompression: true, keepalive: true, locks: true };
      t.same(offers, { ...everywhere, ...here(t, {
        chromium: { scheduler: true, connection: true, dispose: true },
        firefox: { scheduler: true, connection: false, dispose: true },
        webkit: { scheduler: false, connection: false, dispose: false },
      }) });
      t.equal('dispose' in Symbol && Symbol.dispose in t.client(), offers.dispose, 'clients are disposable where that is known');
    },
  },
  {
    name: 'engines: limits that no timer and no signal of the platform takes',
    hosts: BROWSERS,
    async run(t) {
      // A timer of more than 31 bits fires at once, everywhere; a call with such a limit does not.
      const start = t.now();
      await new Promise((resolve) => setTimeout(resolve, 2 ** 31));
      t.between(t.now() - start, 0, 1_000, 'a timer of 2^31 ms');
      for (const odd of [-1, NaN, Infinity, 2 ** 53]) {
        t.ok(t.throws(() => AbortSignal.timeout(odd)) instanceof TypeError, `AbortSignal.timeout(${odd})`);
      }
      await t.home.script({ '*': { delay: 50, json: 1 } });
      t.equal(await t.works(() => t.client({ timeout: 2 ** 31, totalTimeout: 2 ** 53 }).get('a').json(), [50, 2_000]), 1);
    },
  },
];
