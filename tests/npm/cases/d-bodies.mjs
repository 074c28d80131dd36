// Bodies of responses.

import { CHROMIUM, except } from '../harness/hosts.mjs';

const bytesOf = (text) => new TextEncoder().encode(text);

/** Every way to read a whole text, on the surfaces and paths that differ inside. */
const texts = (api, path) => ({
  'shortcut .text()': () => api.get(path).text(),
  'shortcut .text() with progress': () => api.get(path, { onDownloadProgress() {} }).text(),
  'text() of a Response': async () => (await api.fetch(path)).text(),
  'text() of a Response, by chunks': async () => (await api.fetch(path, { maxResponseBytes: 1e9 })).text(),
  'text() of a clone': async () => (await api.fetch(path)).clone().text(),
});

export default [
  {
    name: 'D01 a body that must be empty is undefined as JSON',
    parallel: true,
    async run(t) {
      const json = { 'content-type': 'application/json' };
      await t.home.script({
        '/204': { status: 204 },
        '/205': { status: 205, headers: json },
        '/304': { status: 304 },
        '/head': { contentLength: 20, headers: json },
      });
      const api = t.client({ retry: 3 });
      for (const path of ['204', '205', '304']) {
        t.equal(await t.works(() => api.get(path).json()), undefined, path);
        t.equal(await t.works(async () => (await api.get(path)).json()), undefined, `${path}, of the Response`);
      }
      t.equal(await t.works(() => api.head('head').json()), undefined, 'HEAD');
      await t.saw(7);
    },
  },
  {
    name: 'D01 an empty 200 is no JSON',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { headers: { 'content-type': 'application/json' } } });
      const api = t.client({ retry: 3 });
      await t.fails(() => api.get('a').json(), {
        code: 'PARSE_ERROR', name: 'SyntaxError', status: 200, hint: 'empty-body', phase: 'body', outcome: 'answered',
      });
      await t.saw(1);
      t.equal(await t.works(() => api.get('a').text()), '', 'text()');
    },
  },
  {
    name: 'D01 api.fetch: json() of 204 rejects as the platform does, with our fields',
    parallel: true,
    async run(t) {
      await t.home.script({ '/204': { status: 204 }, '/bad': { body: '{"secret": hunter2}' } });
      const api = t.client();
      for (const path of ['204', 'bad']) {
        const error = await t.fails(async () => (await api.fetch(path)).json(), { code: 'PARSE_ERROR' });
        t.ok(error instanceof SyntaxError, `${t.show(error)} is a SyntaxError`);
        t.lacks(error.message, 'hunter2', 'the message');
      }
    },
  },
  {
    name: 'bad JSON is PARSE_ERROR, with the position and without the text',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { body: '{"a": hunter2}', headers: { 'content-type': 'application/json' } } });
      const error = await t.fails(() => t.client({ retry: 3 }).get('a').json(), { code: 'PARSE_ERROR', status: 200 });
      const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause?.message}`;
      t.lacks(told, 'hunter2', 'what the error tells');
      await t.saw(1);
    },
  },
  {
    name: 'D02 a chunked body that is cut off is a network error, though its JSON was complete',
    // It takes the cut for the end.
    hosts: except('webkit'),
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { chunks: [{ text: '{"a":1}' }], end: 'cut' } });
      const fields = { code: 'NETWORK_ERROR', phase: 'body', status: 200, outcome: 'answered', retryStopped: 'policy' };
      const api = t.client({ retry: 3 });
      await t.fails(() => api.get('a').json(), fields);
      const error = await t.fails(async () => (await api.fetch('a')).json(), fields);
      t.ok(error instanceof TypeError, 'by api.fetch a TypeError');
      await t.fails(() => api.get('a').text(), fields);
      await t.saw(3);
    },
  },
  {
    name: 'D03 a Content-Length that is never reached is a network error',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { body: '{"a":1}', contentLength: 20, end: 'cut' } });
      await t.fails(() => t.client({ retry: 3 }).get('a').json(), { code: 'NETWORK_ERROR', phase: 'body', status: 200 });
      await t.saw(1);
    },
  },
  {
    name: 'D04 a Content-Length that is too small',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { body: '{"a":1}', contentLength: 3, connection: 'close' } });
      const call = () => t.client({ retry: 3 }).get('a').json();
      if (t.host === 'firefox') {
        const { error } = await t.settle(call);
        t.oneOf(error?.code, ['PARSE_ERROR', 'NETWORK_ERROR']);
      } else {
        await t.fails(call, { code: 'PARSE_ERROR', status: 200, bytesReceived: 3 });
      }
      await t.saw(1);
    },
  },
  {
    name: 'D06 the size limit counts what was decompressed',
    async run(t) {
      const zeros = { bytes: 1_000_000, fill: '0', gzip: true };
      await t.home.script({ '/a': zeros, '/b': { chunks: [{ bytes: 400_000 }, { bytes: 400_000 }], end: 'hang', gzip: true } });
      const api = t.client({ retry: 3, maxResponseBytes: 100_000 });
      const sizes = [];
      const { prototype } = ReadableStreamDefaultReader;
      const read = t.spy(prototype, 'read', (original) => async function (...args) {
        const result = await original.apply(this, args);
        if (result.value) sizes.push(result.value.length);
        return result;
      });
      try {
        for (const path of ['a', 'b']) {
          sizes.length = 0;
          const error = await t.fails(() => api.get(path).text(), {
            code: 'RESPONSE_TOO_LARGE', limit: 100_000, status: 200, outcome: 'answered', phase: 'body',
          });
          t.between(error.bytesReceived, 100_001, 1_000_000, 'bytesReceived');
          const before = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
          t.ok(before <= 100_000, `no read after the limit was passed (${sizes})`);
        }
      } finally {
        read.restore();
      }
      await t.home.wait({ path: '/b', closes: 1, timeout: 300 + t.slack });
      await t.saw(2);
      t.equal((await t.works(() => api.get('a', { maxResponseBytes: 1_000_000 }).text())).length, 1_000_000);
      t.equal((await t.works(() => api.get('a', { maxResponseBytes: false }).text())).length, 1_000_000);
    },
  },
  {
    name: 'D06 a Content-Length above the limit is refused before anything is read',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { body: 'x', contentLength: 5_000, end: 'hang' } });
      const api = t.client({ maxResponseBytes: 4_999 });
      await t.fails(() => api.get('a').text(), { code: 'RESPONSE_TOO_LARGE', limit: 4_999, bytesReceived: 0 }, [0, 200]);
      await t.home.wait({ closes: 1 });
      await t.home.script({ '*': { contentLength: 5_000 } });
      t.equal((await t.works(() => api.head('b'))).status, 200, 'HEAD has no body to be too large');
    },
  },
  {
    name: 'D08 a byte order mark before JSON',
    parallel: true,
    async run(t) {
      const bodyBase64 = btoa('\xef\xbb\xbf{"a":1}');
      await t.home.script({ '*': { bodyBase64, headers: { 'content-type': 'application/json' } } });
      const api = t.client();
      for (const [what, read] of Object.entries(texts(api, 'a'))) {
        t.equal(await t.works(read), '{"a":1}', what);
      }
      t.same(await t.works(() => api.get('a').json()), { a: 1 });
      t.same(await t.works(() => api.get('a', { onDownloadProgress() {} }).json()), { a: 1 }, 'with progress');
      t.same(await t.works(async () => (await api.fetch('a')).json()), { a: 1 }, 'by api.fetch');
      t.equal((await t.works(() => api.get('a').bytes())).length, 10, 'bytes() keeps it');
    },
  },
  {
    name: 'D10 characters of four bytes, cut everywhere',
    parallel: true,
    timeout: 60_000,
    async run(t) {
      const expected = '\u{1F980}'.repeat(25_000);
      await t.home.script({ '*': { body: expected, split: { sizes: [1, 2, 3] } } });
      const api = t.client({ totalTimeout: false });
      const { 'shortcut .text()': whole, 'shortcut .text() with progress': pieces } = texts(api, 'a');
      for (const [what, read] of Object.entries({ whole, pieces })) {
        const text = await t.works(read);
        t.ok(text === expected, `${what}: identical (${text.length} of ${expected.length}, ${text.indexOf('\ufffd')})`);
      }
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of api.get('a').stream()) text += decoder.decode(chunk, { stream: true });
      t.ok(text + decoder.decode() === expected, 'identical by .stream()');
    },
  },
  {
    name: 'D11 a long stream is not kept, and nothing clones a response',
    timeout: 60_000,
    full: 120_000,
    async run(t) {
      // Several times what it may keep.
      const size = t.full ? 200_000_000 : 60_000_000;
      const used = async () => (await t.heap() ?? 0) + t.memory.bytes();
      await t.home.script({ '*': { bytes: size } });
      const clone = t.spy(Response.prototype, 'clone');
      const events = t.recorder();
      let progress = 0;
      const api = t.client({
        onEvent: events, maxResponseBytes: 300_000_000, onDownloadProgress: ({ transferredBytes }) => { progress = transferredBytes; },
        idleTimeout: 5_000, totalTimeout: false, timeout: false,
      });
      const before = await used();
      let peak = 0;
      let received = 0;
      let sampled = 0;
      for await (const chunk of api.get('a').stream()) {
        received += chunk.length;
        if (received - sampled < 10_000_000) continue;
        sampled = received;
        peak = Math.max(peak, await used());
      }
      t.equal(received, size, 'bytes received');
      t.equal(progress, size, 'bytes by progress');
      t.equal(clone.calls.length, 0, 'calls of Response.clone');
      clone.restore();
      t.between(peak - before, -Infinity, 16e6, 'growth of the memory');
      t.equal(events.of('call-end')[0]?.ok, true, 'call-end');
    },
  },
  {
    name: 'D13 a stream that breaks is not begun again',
    async run(t) {
      const chunks = Array.from({ length: 10 }, (_, index) => ({ text: `chunk ${index};`, delay: 10 }));
      await t.home.script({ '*': { chunks: [...chunks, { bytes: 0, delay: 50 }], end: 'reset' } });
      const expected = chunks.map(({ text }) => text).join('');
      const api = t.client({ retry: 3 });
      let got = '';
      const error = await t.fails(async () => {
        for await (const chunk of api.get('a').stream()) got += new TextDecoder().decode(chunk);
      }, { code: 'NETWORK_ERROR', phase: 'body', status: 200 });
      t.equal(got, expected, 'what the consumer saw');
      t.equal(error.bytesReceived, expected.length, 'bytesReceived');
      t.equal(error.attempts.length, 1, 'attempts');
      await t.saw(1);
    },
  },
  {
    name: 'D15 a body that nobody reads is given up',
    async run(t) {
      await t.home.script({ 'POST /a': { drip: { bytes: 1_000, every: 5 } }, 'GET /b': { json: { a: 1 } } });
      const api = t.strict({ idleTimeout: 500 });
      const response = await t.works(() => api.post('a'));
      t.equal(response.status, 200);
      await t.home.wait({ path: '/a', closes: 1, timeout: 1_200 });
      t.same(await t.works(() => api.get('b').json(), [0, 1_200]), { a: 1 });
      await t.until(() => t.timers.pending() === 0, 'the end of timers');
      await t.fails(() => response.text(), { code: 'TIMEOUT', phase: 'idle' });
    },
  },
  {
    name: 'a body that the platform reads is not idle',
    hosts: CHROMIUM,
    // Nobody tells when the platform is done: the other limits go on.
    leavesTimers: true,
    async run(t) {
      await t.home.script({ '*': { drip: { bytes: 16, every: 50, count: 20 } } });
      const api = t.client({ idleTimeout: 200 });
      const response = await t.works(() => api.fetch('a'));
      const cache = await caches.open('case');
      await t.works(() => cache.put(t.home.url('/a'), response));
      const stored = await cache.match(t.home.url('/a'));
      t.equal((await stored.arrayBuffer()).byteLength, 320, 'bytes in the cache');
      await caches.delete('case');
    },
  },
  {
    name: 'every reader gives what the platform gives',
    parallel: true,
    async run(t) {
      await t.home.script({
        '/a': { body: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      });
      const api = t.client();
      const call = () => api.get('a');
      t.same([...await t.works(() => call().bytes())], [...bytesOf('a=1&b=2')], 'bytes()');
      t.equal((await t.works(() => call().arrayBuffer())).byteLength, 7, 'arrayBuffer()');
      const blob = await t.works(() => call().blob());
      t.same([blob.size, blob.type], [7, 'application/x-www-form-urlencoded'], 'blob()');
      const form = await t.works(() => call().formData());
      t.same([form.get('a'), form.get('b')], ['1', '2'], 'formData()');
      for (const member of ['bytes', 'arrayBuffer', 'blob', 'formData']) {
        const options = { onDownloadProgress() {}, maxResponseBytes: 100 };
        t.ok(await t.works(() => api.get('a', options)[member]()), `${member}() by chunks`);
        t.ok(await t.works(async () => (await api.fetch('a'))[member]()), `${member}() of the Response`);
      }
    },
  },
];
