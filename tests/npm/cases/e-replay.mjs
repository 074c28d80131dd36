// Bodies of requests, and what happens to them when a request is sent again.

import { BROWSERS, CHROMIUM, NODE } from '../harness/hosts.mjs';

const resetOnce = [{ before: 'reset' }, { echo: true, connection: 'close' }];
const once = { limit: 1, delay: 1 };

/** Where streams cannot be uploaded the call ends before anything is sent. */
const streamsUp = (t) => t.host === 'chromium';

function streamOf(...texts) {
  const cancelled = [];
  const stream = new ReadableStream({
    async pull(controller) {
      const text = texts.shift();
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: (reason) => { cancelled.push(reason); },
  }, { highWaterMark: 0 });
  return { stream, cancelled };
}

export default [
  {
    name: 'E01 the body of a Request is whole in every attempt',
    async run(t) {
      await t.home.script({ '/a': resetOnce, '/b': resetOnce });
      const api = t.client({ retry: once });
      const request = new Request(t.home.url('/a'), { method: 'PUT', body: 'abc', headers: { 'X-A': '1' } });
      const answer = await (await t.works(() => api.fetch(request))).json();
      t.same([answer.method, answer.body, answer.headers['x-a']], ['PUT', 'abc', '1'], 'what was answered');
      t.equal(request.bodyUsed, true, 'bodyUsed of the argument, as with fetch');
      const again = new Request(t.home.url('/b'), { method: 'PUT', body: 'abc' });
      t.equal((await t.works(() => api.put(again).json())).body, 'abc', 'by a shortcut');
      const { log } = await t.home.report();
      t.same(log.map((entry) => entry.bodyBytes), [3, 3, 3, 3], 'lengths the server saw');
    },
  },
  {
    name: 'a body option beside a Request: its other headers stay, the type is that of the new body',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const request = (more) => new Request(t.home.url('/a'), { method: 'POST', headers: { 'X-A': '1', 'Idempotency-Key': 'k', ...more } });
      const api = t.client();
      const withBody = () => new Request(request(), { body: 'x' });
      const rows = {
        json: [{ json: { a: 1 } }, /^application\/json$/, '{"a":1}'],
        form: [{ form: { a: 1 } }, /^application\/x-www-form-urlencoded/, 'a=1'],
      };
      for (const [name, [options, type, body]] of Object.entries(rows)) {
        for (const call of [
          () => api.post(request(), options).json(),
          () => api.post(withBody(), options).json(),
          () => t.client({ headers: { 'X-B': '2' } }).post(withBody(), options).json(),
          async () => (await api.fetch(withBody(), options)).json(),
        ]) {
          const sent = await t.works(call);
          t.same([sent.method, sent.body, sent.headers['x-a'], sent.headers['idempotency-key']], ['POST', body, '1', 'k'], name);
          t.match(sent.headers['content-type'], type, `the type of ${name}`);
        }
      }
      const own = await t.works(() => api.post(request({ 'Content-Type': 'text/x' }), { body: 'y' }).json());
      t.same([own.body, own.headers['content-type'], own.headers['x-a']], ['y', 'text/x', '1'], 'body: as fetch does it');
      const replaced = await t.works(() => api.post(withBody(), { json: 1, headers: { 'X-C': '3' } }).json());
      t.same([replaced.headers['x-a'], replaced.headers['x-c'], replaced.headers['content-type']], [undefined, '3', 'application/json'], 'headers of the call replace them');
    },
  },
  {
    name: 'json beside a Request with a key: the write is repeated',
    async run(t) {
      await t.home.script({ '*': resetOnce });
      const request = new Request(t.home.url('/a'), { method: 'POST', headers: { 'Idempotency-Key': 'k' } });
      const sent = await t.works(() => t.client({ retry: once }).post(request, { json: 1 }).json());
      t.same([sent.body, sent.headers['idempotency-key']], ['1', 'k']);
      await t.saw(2);
    },
  },
  {
    name: 'E01 every kind of body that replays is the same in every attempt',
    async run(t) {
      const bodies = {
        // Bun names no type of a text.
        string: ['abc', t.host === 'bun' ? undefined : 'text/plain'],
        bytes: [new Uint8Array([97, 98, 99]), undefined],
        buffer: [new Uint8Array([97, 98, 99]).buffer, undefined],
        blob: [new Blob(['abc'], { type: 'text/x' }), 'text/x'],
        params: [new URLSearchParams({ abc: '' }), 'application/x-www-form-urlencoded'],
      };
      const api = t.client({ retry: once });
      for (const [name, [body, type]] of Object.entries(bodies)) {
        await t.home.script({ '*': resetOnce });
        const answer = await t.works(() => api.put(name, { body }).json());
        t.match(answer.body, /^abc=?$/, name);
        if (type) t.match(answer.headers['content-type'], new RegExp(`^${type}`), name);
      }
      await t.home.script({ '*': resetOnce });
      const json = await t.works(() => api.put('json', { json: { a: 1 } }).json());
      t.same([json.body, json.headers['content-type']], ['{"a":1}', 'application/json'], 'json');
      await t.home.script({ '*': resetOnce });
      const form = await t.works(() => api.put('form', { form: { a: 1, b: 'x y' } }).json());
      t.equal(form.body, 'a=1&b=x+y', 'form');
      await t.saw(14);
    },
  },
  {
    name: 'E01 a body function makes a new body for every attempt',
    async run(t) {
      await t.home.script({ '*': resetOnce });
      let calls = 0;
      const body = () => {
        calls += 1;
        return `body ${calls}`;
      };
      const answer = await t.works(() => t.client({ retry: once }).put('a', { body }).json());
      t.same([answer.body, calls], ['body 2', 2]);
    },
  },
  {
    name: 'E03 a stream body is sent once (custom fetch)',
    parallel: true,
    async run(t) {
      const { stream, cancelled } = streamOf('first');
      const fetch = t.scripted(async (url, { body }) => {
        const reader = body.getReader();
        await reader.read();
        reader.releaseLock();
        throw new TypeError('Failed to fetch');
      });
      await t.fails(() => t.client({ fetch, retry: { limit: 3, delay: 1 } }).put('a', { body: stream }).text(), {
        code: 'NETWORK_ERROR', retryStopped: 'body', outcome: 'unknown',
      });
      t.equal(fetch.calls.length, 1, 'calls');
      await t.until(() => cancelled.length > 0, 'the cancel of the stream');
      t.equal(cancelled.length, 1, 'cancels');
      t.ok(cancelled[0] !== undefined, 'the reason of the cancel');
    },
  },
  {
    name: 'E03 a stream body is sent once (HTTP/2)',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const server = await t.open({ tls: true, http2: true, script: { '*': { readBody: 'first', before: 'reset' } } });
      const { stream, cancelled } = streamOf('first');
      const call = () => t.client({ retry: { limit: 3, delay: 1 } }).put(server.url('/a'), { body: stream }).text();
      if (!streamsUp(t)) {
        await t.fails(call, { code: 'UNSUPPORTED', outcome: 'not-sent' });
        return t.saw(0, server);
      }
      await t.fails(call, { code: 'NETWORK_ERROR', retryStopped: 'body', outcome: 'unknown' });
      await t.saw(1, server);
      await t.until(() => cancelled.length > 0, 'the cancel of the stream');
      t.equal(cancelled.length, 1, 'cancels');
    },
  },
  {
    name: 'E03 a stream body arrives (HTTP/2)',
    hosts: CHROMIUM,
    parallel: true,
    async run(t) {
      const server = await t.open({ tls: true, http2: true, script: { '*': { echo: true } } });
      const body = new Blob(['abc', 'def']).stream();
      t.equal((await t.works(() => t.client().post(server.url('/a'), { body }).json())).body, 'abcdef', 'by a shortcut');
      const again = new Blob(['abc']).stream();
      const response = await t.works(() => t.client().fetch(server.url('/a'), { method: 'POST', body: again, duplex: 'half' }));
      t.equal((await response.json()).body, 'abc', 'by api.fetch');
    },
  },
  {
    name: 'E03 a stream body of a server arrives, over HTTP/1.1 too, and a lost one has no hint at HTTP/2',
    hosts: ['node', 'deno', 'bun'],
    parallel: true,
    async run(t) {
      await t.home.script({ '/echo': { echo: true }, '/lost': { readBody: 'first', before: 'reset' } });
      const body = () => new Blob(['abc']).stream();
      t.equal((await t.works(() => t.client().post('echo', { body: body() }).json())).body, 'abc', 'by a shortcut');
      const response = await t.works(() => t.client().fetch('echo', { method: 'PUT', body: body(), duplex: 'half' }));
      t.equal((await response.json()).body, 'abc', 'by api.fetch');
      await t.fails(() => t.client({ retry: 3 }).put('lost', { body: body() }).text(), { code: 'NETWORK_ERROR', retryStopped: 'body', hint: undefined });
    },
  },
  {
    name: 'E05 a stream upload over HTTP/1.1',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const spied = t.spy(globalThis, 'fetch');
      const { stream, cancelled } = streamOf('first');
      const call = () => t.client({ retry: 3 }).fetch('a', { method: 'POST', body: stream, duplex: 'half' });
      if (streamsUp(t)) {
        const error = await t.fails(call, { code: 'NETWORK_ERROR', hint: 'stream-upload-http2' });
        await t.until(() => cancelled.length > 0, 'the cancel of the stream');
        t.same(cancelled, [error], 'what it was cancelled with');
        t.equal(spied.calls.length, 1, 'calls of fetch');
      } else {
        await t.fails(call, { code: 'UNSUPPORTED' });
        t.equal(spied.calls.length, 0, 'calls of fetch');
      }
      spied.restore();
      await t.saw(0);
    },
  },
  {
    name: 'E05 Node uploads streams over HTTP/1.1',
    hosts: NODE,
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const body = new Blob(['abc']).stream();
      t.equal((await t.works(() => t.client().post('a', { body }).json())).body, 'abc');
    },
  },
  {
    name: 'E06 the boundary of a form fits its body in every attempt',
    async run(t) {
      await t.home.script({ '*': resetOnce });
      const body = new FormData();
      body.append('a', '1');
      body.append('file', new Blob(['content']), 'name.txt');
      const { multipart } = await t.works(() => t.client({ retry: once }).put('a', { body }).json());
      t.equal(multipart.found, true, 'the boundary occurs in the body');
      const { log, requests } = await t.home.report();
      t.equal(requests, 2, 'requests');
      for (const { headers, body: sent } of log) {
        const [, boundary] = /boundary=(.*)$/.exec(headers['content-type']);
        t.ok(sent.includes(boundary), `${boundary} occurs in the body`);
      }
    },
  },
  {
    name: 'E06 a multipart Content-Type set by hand, without a boundary',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const form = () => {
        const body = new FormData();
        body.append('a', '1');
        return { body, headers: { 'Content-Type': 'multipart/form-data' } };
      };
      const { multipart } = await t.works(() => t.client().post('a', form()).json());
      t.equal(multipart.found, true, 'dropped by a shortcut');
      const response = await t.works(() => t.client().fetch('a', { method: 'POST', ...form() }));
      t.equal((await response.json()).headers['content-type'], 'multipart/form-data', 'sent as given by api.fetch');
      await t.saw(2);
    },
  },
  {
    name: 'E08 a redirect with 307 keeps the body',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { redirect: { status: 307, to: '/b' } }, '/b': { echo: true } });
      const answer = await t.works(() => t.client().post('a', { json: { a: 1 } }).json());
      t.same([answer.method, answer.url, answer.body], ['POST', '/b', '{"a":1}']);
      await t.saw(2);
    },
  },
  {
    name: 'E08 a redirect with 307 cannot keep a stream',
    hosts: BROWSERS,
    parallel: true,
    async run(t) {
      const script = { '/a': { redirect: { status: 307, to: '/b' } }, '/b': { echo: true } };
      const server = await t.open({ tls: true, http2: true, script });
      const body = new Blob(['abc']).stream();
      const call = () => t.client({ retry: once }).put(server.url('/a'), { body }).json();
      if (!streamsUp(t)) return t.fails(call, { code: 'UNSUPPORTED' });
      await t.fails(call, { code: 'NETWORK_ERROR', retryStopped: 'body' });
      const { log } = await server.report();
      t.same(log.map((entry) => entry.route), ['/a'], 'what the server saw');
      return undefined;
    },
  },
  {
    name: 'E09 a file that changed between the attempts is not sent again',
    // WebKitGTK has no file system of the origin's own to make one in.
    hosts: ['chromium', 'firefox'],
    async run(t) {
      await t.home.script({ '*': [{ before: 'reset' }, { echo: true }] });
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('upload', { create: true });
      const write = async (text) => {
        const writable = await handle.createWritable();
        await writable.write(text);
        await writable.close();
      };
      await write('a long content');
      const file = await handle.getFile();
      const hooks = { beforeRequest: [] };
      const events = [];
      const fetch = async (...args) => {
        events.push('fetch');
        try {
          return await globalThis.fetch(...args);
        } catch (error) {
          await write('short');
          throw error;
        }
      };
      await t.fails(() => t.client({ retry: once, fetch, hooks }).put('a', { body: file }).text(), {
        code: 'INVALID_REQUEST', hint: 'body-changed', outcome: 'unknown',
      });
      t.between(events.length, 1, 2, 'calls of fetch');
      const { log } = await t.home.report();
      t.same(log.map((entry) => entry.bodyBytes), [14], 'lengths the server saw');
      await root.removeEntry('upload');
    },
  },
  {
    name: 'E09 a blob that can no longer be read is not sent again',
    async run(t) {
      await t.home.script({ '*': [{ before: 'reset' }, { echo: true }] });
      class Vanished extends Blob {
        slice() {
          const gone = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
          return Object.assign(new Blob(), { arrayBuffer: gone, text: gone, bytes: gone, stream: () => { throw new Error(); } });
        }
      }
      await t.fails(() => t.client({ retry: once }).put('a', { body: new Vanished(['abc']) }).text(), {
        code: 'INVALID_REQUEST', hint: 'body-changed', outcome: 'unknown',
      });
      await t.saw(1);
    },
  },
  {
    name: 'E10 keepalive bodies above 64 KiB',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3 });
      const kinds = {
        string: (length) => 'x'.repeat(length),
        bytes: (length) => new Uint8Array(length),
        blob: (length) => new Blob([new Uint8Array(length)]),
        'string of two-byte characters': (length) => '\u00e9'.repeat(length / 2) + 'x'.repeat(length % 2),
      };
      for (const [kind, make] of Object.entries(kinds)) {
        const send = (length) => () => api.post('a', { body: make(length), keepalive: true }).text();
        await t.fails(send(65_537), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 100]);
        await t.fails(() => api.fetch('a', { method: 'POST', body: make(65_537), keepalive: true }), { code: 'INVALID_REQUEST' });
        // Chromium gives what was in flight back a moment after the answer.
        await t.sleep(100);
        const { value, error } = await t.settle(send(65_536));
        t.equal(value, '', `64 KiB, ${kind}: ${t.show(error)}`);
      }
      await t.saw(4);
    },
  },
  {
    name: 'E10 keepalive bodies above 64 KiB: a form, and a Request that is read',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': {} });
      const api = t.client({ retry: 3 });
      const form = new FormData();
      form.append('text', 'x'.repeat(40_000));
      form.append('file', new Blob([new Uint8Array(25_537)]), 'name.txt');
      await t.fails(() => api.put('a', { body: form, keepalive: true }).text(), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 100]);
      const put = () => new Request(t.home.url('/a'), { method: 'PUT', body: 'x'.repeat(65_537) });
      const error = await t.fails(() => api.fetch(put(), { keepalive: true }), { code: 'INVALID_REQUEST', outcome: 'not-sent' }, [0, 100]);
      t.match(t.info(error).message, /keepalive/, 'the message');
      form.delete('file');
      t.equal(await t.works(() => api.put('a', { body: form, keepalive: true }).text()), '', 'a smaller form');
      await t.saw(1);
    },
  },
];
