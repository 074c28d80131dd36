// Responses, requests, signals and errors that are not the platform's own: Proxies, polyfills, other implementations, other
// realms.

import { BROWSERS } from '../harness/hosts.mjs';

const bytes = (text) => new TextEncoder().encode(text);
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Pieces, and then the end, unless `hangs`. */
const streamOf = (pieces, hangs = false) =>
  new ReadableStream({
    pull(controller) {
      if (pieces.length) controller.enqueue(bytes(pieces.shift()));
      else if (!hangs) controller.close();
      return hangs && !pieces.length ? new Promise(() => {}) : undefined;
    },
  });

/** As instrumentation does it: every function belongs to the target. */
const bound = (response) =>
  new Proxy(response, {
    get(target, key) {
      const value = target[key];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** As a framework does it on a server, which keeps what was read. */
const recording = (kept) => (response) =>
  new Proxy(response, {
    get(target, key) {
      const text = async () => {
        const body = await target.text();
        kept.push(body);
        return body;
      };
      if (key === 'text') return text;
      if (key === 'json') return async () => JSON.parse(await text());
      return Reflect.get(target, key, target);
    },
  });

/** One that shows what is known to it, and nothing else. */
const closed = (response) =>
  new Proxy(response, {
    get(target, key) {
      if (typeof key === 'symbol') return undefined;
      const value = target[key];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** With a reader of its own on the object itself. */
const patched = (response) => {
  const text = response.text.bind(response);
  return Object.defineProperty(response, 'text', { value: () => text(), configurable: true, writable: true });
};

/** Every way in which a response may be wrapped. */
const WRAPPERS = { bound, recording: recording([]), closed, patched };

const read = {
  json: (value) => value.a,
  text: (value) => value,
  bytes: (value) => value.length,
  arrayBuffer: (value) => value.byteLength,
  blob: (value) => value.size,
};
const EXPECTED = { json: 1, text: '{"a":1}', bytes: 7, arrayBuffer: 7, blob: 7 };

/** A response of an implementation whose readers use its public `body`, which can be read once. */
class BodyReader {
  status = 200;
  headers;
  #body;
  #isUsed = false;
  constructor(body, headers) {
    this.#body = body;
    this.headers = new Headers(headers);
  }
  get body() {
    return this.#body;
  }
  get bodyUsed() {
    return this.#isUsed;
  }
  async arrayBuffer() {
    if (this.#isUsed) throw new TypeError('Already read');
    this.#isUsed = true;
    await undefined;
    const { body } = this;
    if (body.getReader) return new Response(body).arrayBuffer();
    const pieces = [];
    for await (const piece of body) pieces.push(piece);
    return new Blob(pieces).arrayBuffer();
  }
  async text() {
    return new TextDecoder().decode(await this.arrayBuffer());
  }
  async json() {
    return JSON.parse(await this.text());
  }
  async blob() {
    return new Blob([await this.arrayBuffer()]);
  }
  clone() {
    const [one, other] = this.body.tee();
    this.#body = one;
    return new BodyReader(other, this.headers);
  }
}

/** One of a polyfill: without `body`, and its readers call each other. */
class Polyfill {
  status = 200;
  bodyUsed = false;
  #text;
  constructor(text, headers) {
    this.#text = text;
    this.headers = new Headers(headers);
  }
  async blob() {
    if (this.bodyUsed) throw new TypeError('Already read');
    this.bodyUsed = true;
    return new Blob([this.#text]);
  }
  arrayBuffer() {
    return this.blob().then((blob) => blob.arrayBuffer());
  }
  text() {
    if (this.bodyUsed) throw new TypeError('Already read');
    this.bodyUsed = true;
    return Promise.resolve(this.#text);
  }
  json() {
    return this.text().then(JSON.parse);
  }
}

/** Not by an index that `Symbol.asyncIterator` gives to streams: as a stream of Node, it has nothing else. */
const iterable = (pieces) => ({
  async *[Symbol.asyncIterator]() {
    for (const piece of pieces) yield bytes(piece);
  },
});

const MADE = {
  'reads its public body': () => new BodyReader(streamOf(['{"a"', ':1}']), JSON_TYPE),
  'has a body that can only be iterated': () => new BodyReader(iterable(['{"a"', ':1}']), JSON_TYPE),
  'is a polyfill': () => new Polyfill('{"a":1}', JSON_TYPE),
  'has nothing but json': () => ({ status: 200, json: async () => ({ a: 1 }) }),
  'has nothing but text': () => ({ status: 200, text: async () => '{"a":1}' }),
};

const schema = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate } });
const refuses = schema(() => ({ issues: [{ message: 'no' }] }));

/** Replaces the global fetch for a while. */
async function withGlobal(fake, run) {
  const real = globalThis.fetch;
  globalThis.fetch = fake;
  try {
    return await run();
  } finally {
    globalThis.fetch = real;
  }
}

export default [
  ...Object.entries(WRAPPERS).map(([name, wrap]) => ({
    name: `foreign: a response that is wrapped (${name}) is read by every reader`,
    async run(t) {
      const real = globalThis.fetch;
      await t.home.script({ '*': { body: '{"a":1}', headers: JSON_TYPE } });
      const fake = async (...given) => wrap(await real(...given));
      for (const [how, look] of Object.entries(read)) {
        const events = t.recorder();
        const value = await t.works(() => t.client({ fetch: fake, onEvent: events }).get('a')[how]());
        t.equal(look(value), EXPECTED[how], `${how}() of a shortcut`);
        t.equal(events.of('call-end').map(({ ok }) => ok).join(), 'true', `the end of ${how}()`);
        const counted = await t.works(() => t.client({ fetch: fake, idleTimeout: 1_000 }).get('a')[how]());
        t.equal(look(counted), EXPECTED[how], `${how}() with a limit between the pieces`);
        const api = t.client({ fetch: fake });
        const response = await t.works(() => api.fetch('a'));
        t.equal(response.status, 200);
        t.equal(t.lib.callInfo(response).attempts, 1, 'callInfo');
        if (response[how]) t.equal(look(await t.works(() => response[how]())), EXPECTED[how], `${how}() of api.fetch`);
        // What hides its target is read without a word to its call.
        api.close();
      }
      await withGlobal(fake, async () => {
        t.equal(await t.works(() => t.client().get('a').text()), '{"a":1}', 'as the global fetch');
      });
    },
  })),
  ...Object.entries(WRAPPERS).map(([name, wrap]) => ({
    name: `foreign: a response that is wrapped (${name}) keeps its limits`,
    async run(t) {
      const made = (pieces, hangs) => async () => wrap(new Response(streamOf(pieces, hangs), { headers: JSON_TYPE }));
      const refused = await t.fails(() => t.client({ fetch: made(['{}']) }).get('a').json(refuses), { code: 'UNEXPECTED_RESPONSE' });
      t.equal(t.info(refused).issues[0].message, 'no', 'issues');
      await t.fails(() => t.client({ fetch: made(['{']) }).get('a').json(), { code: 'PARSE_ERROR' });
      await t.fails(() => t.strict({ fetch: made(['{'], true), timeout: 300, idleTimeout: 300 }).get('a').text(), {
        code: 'TIMEOUT',
      });
      await t.fails(() => t.client({ fetch: made(['12345678']), maxResponseBytes: 7 }).get('a').text(), { code: 'RESPONSE_TOO_LARGE' });
      const slow = t.strict({ fetch: made(['{'], true), timeout: 4_000, idleTimeout: 300 });
      await t.fails(() => slow.get('a').text(), { code: 'TIMEOUT', phase: 'idle' }, [300, 1_000]);
      // What hides its target shows the members of the platform, and only shortcuts know the limits.
      if (name === 'closed') return;
      const response = await t.works(() => slow.fetch('a'));
      const info = t.info(await t.fails(() => response.text(), { code: 'TIMEOUT', phase: 'idle' }));
      t.equal(info.status, 200);
    },
  })),
  {
    name: 'foreign: what a Proxy has in the place of a reader is called by shortcuts too',
    async run(t) {
      const kept = [];
      const fetch = async () => recording(kept)(new Response('{"a":1}'));
      t.same(await t.works(() => t.client({ fetch }).get('a').json()), { a: 1 });
      t.same(await t.works(() => t.client({ fetch, idleTimeout: 1_000 }).get('a').json()), { a: 1 });
      t.same(kept, ['{"a":1}', '{"a":1}']);
    },
  },
  {
    name: 'foreign: the stream of a wrapped response has its pieces and its limits',
    async run(t) {
      for (const wrap of [bound, recording([])]) {
        const api = t.strict({ fetch: async () => wrap(new Response(streamOf(['ab', 'cd'], true))) });
        const reader = (await t.works(() => api.get('a'))).stream().getReader();
        t.equal(new TextDecoder().decode((await reader.read()).value), 'ab');
        t.equal(new TextDecoder().decode((await reader.read()).value), 'cd');
        await t.fails(() => reader.read(), { code: 'TIMEOUT', phase: 'idle' });
        const copy = (await t.works(() => t.client({ fetch: async () => wrap(new Response('abc')) }).fetch('a'))).clone();
        t.equal(await copy.text(), 'abc', 'of a clone');
      }
    },
  },
  ...Object.entries(MADE).map(([name, make]) => ({
    name: `foreign: a response that ${name} is read by every reader, and never silently empty`,
    async run(t) {
      const fetch = async () => make();
      for (const [how, look] of Object.entries(read)) {
        for (const options of [{}, { idleTimeout: 1_000 }, { maxResponseBytes: 100 }]) {
          const what = `${how}() with ${Object.keys(options)}`;
          const api = t.client({ fetch, timeout: 4_000, idleTimeout: 5_000, ...options });
          t.equal(look(await t.works(() => api.get('a')[how]())), EXPECTED[how], what);
          const response = await t.works(() => api.fetch('a'));
          t.equal(look(await t.works(() => response[how]())), EXPECTED[how], `${what} of api.fetch`);
          if (name.startsWith('has nothing')) continue;
          t.equal((await t.works(() => response.text().catch((error) => error))).name, 'TypeError', `a second read after ${what}`);
        }
      }
      const pieces = [];
      for await (const piece of t.client({ fetch }).get('a').stream()) pieces.push(new TextDecoder().decode(piece));
      t.equal(pieces.join(''), '{"a":1}', 'the stream');
      const large = t.client({ fetch, maxResponseBytes: 6 });
      await t.fails(() => large.get('a').text(), { code: 'RESPONSE_TOO_LARGE' });
      const error = await t.fails(() => t.client({ fetch: async () => Object.assign(make(), { status: 404 }) }).get('a').json(), {
        code: 'HTTP_ERROR', status: 404,
      });
      t.ok(error.data !== undefined && error.data !== '', 'error.data');
    },
  })),
  {
    name: 'foreign: a copy of a response that reads its public body, and the original, have the body each',
    async run(t) {
      const api = t.client({ fetch: async () => new BodyReader(streamOf(['ab', 'cd'])) });
      const response = await t.works(() => api.fetch('a'));
      const copy = response.clone();
      t.same(await Promise.all([response.text(), copy.text()]), ['abcd', 'abcd']);
    },
  },
  {
    name: 'foreign: limits hold for a body that can only be iterated',
    async run(t) {
      let ended = 0;
      const body = {
        async *[Symbol.asyncIterator]() {
          try {
            yield bytes('ab');
            await new Promise(() => {});
          } finally {
            ended++;
          }
        },
        destroy: () => ended++,
      };
      const api = t.strict({ fetch: async () => ({ status: 200, text: async () => '', body }) });
      await t.fails(() => api.get('a').text(), { code: 'TIMEOUT', phase: 'idle', bytesReceived: 2 });
      t.equal(ended, 1, 'destroyed');
      const response = await t.works(() => api.fetch('a'));
      t.equal(response.body, body, 'its body is its own');
    },
  },
  {
    name: 'foreign: a response without a body and without readers is not taken for an empty one',
    async run(t) {
      const api = t.client({ fetch: async () => ({ status: 200, headers: new Headers() }) });
      const error = await t.fails(() => api.get('a').text(), { code: 'CALLBACK_ERROR' });
      t.match(error.message, /no body|neither a body/);
      await t.fails(() => api.get('b').stream().getReader().read(), { code: 'CALLBACK_ERROR' });
    },
  },
  {
    name: 'foreign: of two clients, one on top of the other, the limits of both hold',
    async run(t) {
      const inner = t.client({ fetch: async () => new Response(streamOf(['12345678'])), maxResponseBytes: 7 });
      const outer = t.client({ fetch: inner.fetch });
      const error = await t.fails(() => outer.get('a').text(), { code: 'NETWORK_ERROR', phase: 'body' });
      t.equal(t.info(error.originalError).code, 'RESPONSE_TOO_LARGE');
      const events = [t.recorder(), t.recorder()];
      const one = t.client({ fetch: async () => new Response('abc'), onEvent: events[0] });
      const two = t.client({ fetch: one.fetch, onEvent: events[1] });
      t.equal(await t.works(() => two.get('a').text()), 'abc');
      t.same(events.map((recorder) => recorder.of('call-end').map(({ ok }) => ok)), [[true], [true]]);
      for (const [name, wrap] of Object.entries(WRAPPERS)) {
        const api = t.client({ fetch: async (...given) => wrap(await inner.fetch(...given)) });
        await t.fails(() => api.get('a').text(), { code: 'NETWORK_ERROR', phase: 'body' });
        t.equal(await t.works(() => t.client({ fetch: async (...given) => wrap(await one.fetch(...given)) }).get('a').text()), 'abc', name);
      }
      const small = t.client({ fetch: t.client({ fetch: async () => new Response('12345678') }).fetch, maxResponseBytes: 7 });
      await t.fails(() => small.get('a').text(), { code: 'RESPONSE_TOO_LARGE' });
    },
  },
  ...Object.entries({
    'returns nothing': [() => undefined, /returned undefined/],
    'returns a string': [() => 'abc', /returned string/],
    'returns a response without a status': [() => ({ ok: false, json: async () => ({}) }), /without a numeric status/],
    'returns a response with the status as a string': [() => ({ status: '200', json: async () => ({}) }), /without a numeric status/],
    'throws a ReferenceError': [() => { throw new ReferenceError('x is not defined'); }, /ReferenceError/],
    'throws a SyntaxError': [async () => JSON.parse('{'), /SyntaxError/],
    'throws a RangeError': [() => 'a'.repeat(-1), /RangeError/],
  }).map(([what, [answer, words]]) => ({
    name: `foreign: a fetch that ${what} is at fault, at once and once`,
    async run(t) {
      const run = async (api, calls) => {
        for (const [index, start] of [() => api.get('a').json(), () => api.fetch('a')].entries()) {
          const error = t.info(await t.fails(start, { code: 'CALLBACK_ERROR', outcome: 'unknown' }));
          t.match(error.message, words);
          t.equal(error.attempts.length, 1, 'attempts');
          t.ok(error.originalError !== undefined, 'originalError');
          t.equal(calls(), index + 1, 'calls of fetch');
        }
      };
      const fetch = t.scripted(answer);
      await run(t.client({ fetch, retry: 3 }), () => fetch.calls.length);
      const fake = t.scripted(answer);
      await withGlobal(fake, () => run(t.client({ retry: 3 }), () => fake.calls.length));
    },
  })),
  {
    name: 'foreign: any other rejection of a custom fetch is a network error',
    async run(t) {
      for (const error of [new TypeError('fetch failed'), new Error('x'), new DOMException('x', 'SyntaxError'), 'text', undefined]) {
        const fetch = async () => { throw error; };
        await t.fails(() => t.client({ fetch }).get('a'), { code: 'NETWORK_ERROR', phase: 'headers' });
      }
      await t.fails(() => t.client({ fetch: async () => Response.error() }).get('a'), { code: 'NETWORK_ERROR' });
    },
  },
  {
    name: 'foreign: without a global fetch a call is UNSUPPORTED at once, and nothing was sent',
    async run(t) {
      await t.lib.ready();
      const events = t.recorder();
      await withGlobal(undefined, async () => {
        const api = t.client({ retry: 3, onEvent: events });
        for (const start of [() => api.get('a').json(), () => api.post('a', { json: 1 }), () => api.fetch('a')]) {
          const error = t.info(await t.fails(start, { code: 'UNSUPPORTED', outcome: 'not-sent' }));
          t.match(error.message, /no global fetch/);
          t.equal(error.attempts.length, 0, 'attempts');
        }
        t.equal(api.metrics().attempts, 0);
        t.equal(await t.works(() => t.client({ fetch: async () => new Response('a') }).get('a').text()), 'a');
      });
      t.equal(events.of('attempt-start').length, 0);
    },
  },
  {
    name: 'foreign: a Request of another implementation is rebuilt for the global fetch',
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const made = (more) => ({
        url: t.home.url('/a'), method: 'PUT', headers: new Headers({ 'x-a': '1', 'content-type': 'text/x' }), bodyUsed: false,
        cache: 'no-store', redirect: 'error', credentials: 'omit', referrer: 'about:client', integrity: '', signal: null,
        arrayBuffer: async () => bytes('abc').buffer, ...more,
      });
      const seen = [];
      const real = globalThis.fetch;
      const spy = (input, init) => {
        seen.push({ input, init });
        return real(input, init);
      };
      await withGlobal(spy, async () => {
        for (const start of [(request) => t.client().fetch(request), (request) => t.client().put(request)]) {
          for (const tag of [{}, { [Symbol.toStringTag]: 'Request' }, { body: iterable(['abc']) }]) {
            const response = await t.works(() => start(made(tag)));
            t.equal(response.status, 200);
            await response.text();
            const { input, init } = seen.at(-1);
            t.equal(String(input), t.home.url('/a'));
            t.equal(init.method, 'PUT');
            const { redirect, credentials, cache } = init;
            t.same({ redirect, credentials, cache }, { redirect: 'error', credentials: 'omit', cache: 'no-store' });
            t.equal(new Headers(init.headers).get('x-a'), '1');
            t.equal(await new Response(init.body).text(), 'abc');
          }
        }
        const controller = new AbortController();
        controller.abort('gone');
        const aborted = await t.fails(() => t.client().put(made({ signal: controller.signal })), { code: 'ABORTED', outcome: 'not-sent' });
        t.equal(aborted.cause, 'gone');
        const hooks = { beforeRequest: [() => made({})] };
        await t.read(() => t.client({ hooks }).put('b', { body: 'x' }));
        t.equal(await new Response(seen.at(-1).init.body).text(), 'abc', 'given by a hook');
        t.equal(new Headers(seen.at(-1).init.headers).get('x-a'), '1');
        await t.read(() => t.client().fetch(new Request(t.home.url('/c'), { headers: { 'x-a': '2' } })));
        t.ok(seen.at(-1).input instanceof Request, 'its own stays what it is');
      });
    },
  },
  {
    name: 'foreign: what only some implementations know reaches fetch when a hook returns a new Request',
    async run(t) {
      for (const body of [undefined, () => streamOf(['abc'])]) {
        const fetch = t.scripted(new Response('{}'));
        const given = body ? { method: 'POST', body: body(), duplex: 'half' } : {};
        const replaced = t.client({ fetch, hooks: { beforeRequest: [({ request }) => new Request(request.url, { headers: { 'x-a': '1' } })] } });
        await t.read(() => replaced.fetch('a', { ...given, dispatcher: 'one', next: { tags: ['a'] }, cf: { b: 1 } }));
        const changed = t.client({ fetch, hooks: { beforeRequest: [({ request }) => request.headers.set('x-a', '1')] } });
        await t.read(() => changed.fetch('a', { ...given, ...(body && { body: body() }), dispatcher: 'one', next: { tags: ['a'] }, cf: { b: 1 } }));
        for (const { init } of fetch.calls) {
          const { dispatcher, next, cf } = init;
          t.same({ dispatcher, next, cf }, { dispatcher: 'one', next: { tags: ['a'] }, cf: { b: 1 } });
        }
      }
    },
  },
  {
    name: 'foreign: a hook may return the response of a polyfill and an error of another realm',
    async run(t) {
      const given = () => new Polyfill('{"a":1}', JSON_TYPE);
      const early = t.client({ hooks: { beforeRequest: [given] } });
      t.same(await t.works(() => early.get('a').json()), { a: 1 });
      const late = t.client({ fetch: async () => new Response('x'), hooks: { afterResponse: [given] } });
      t.same(await t.works(() => late.get('a').json()), { a: 1 });
      const error = Object.create({ name: 'Error', toString: () => 'Error: a' }, { message: { value: 'a' } });
      const fails = (result) => t.client({ fetch: async () => new Response('', { status: 404 }), hooks: { beforeError: [() => result] } });
      t.equal((await t.settle(() => fails(error).get('a'))).error, error);
      await t.fails(() => fails({}).get('a'), { code: 'CALLBACK_ERROR' });
    },
  },
];
