// Bodies that are read again: of an error whose body was collected, and of a response that was read already. And bodies that
// break while only the end of their stream is awaited.

import { BROWSERS, RUNTIMES, except } from '../harness/hosts.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const FAULT = { status: 422, body: '{"field":"name"}', headers: { ...JSON_TYPE, 'x-request-id': 'r1' } };

/** Libraries that replace the global Promise have one of their own, made of the platform's. */
function otherPromise() {
  const Native = globalThis.Promise;
  const then = Native.prototype.then;
  return class OtherPromise {
    #inner;
    constructor(run) {
      this.#inner = new Native(run);
    }
    then(...given) {
      return new OtherPromise((resolve, reject) => then.apply(this.#inner, given).then(resolve, reject));
    }
    catch(handle) {
      return this.then(undefined, handle);
    }
    finally(run) {
      return this.then((value) => (run(), value), (error) => { run(); throw error; });
    }
    static resolve(value) {
      return value instanceof OtherPromise ? value : new OtherPromise((resolve) => resolve(value));
    }
    static reject(error) {
      return new OtherPromise((_, reject) => reject(error));
    }
    static all = (list) => OtherPromise.resolve(Native.all(list));
    static allSettled = (list) => OtherPromise.resolve(Native.allSettled(list));
    static race = (list) => OtherPromise.resolve(Native.race(list));
  };
}

export default [
  {
    name: 'bodies: the response of an HTTP_ERROR has the body that was collected, for every reader',
    async run(t) {
      await t.home.script({ '*': FAULT });
      const read = {
        json: (value) => value.field,
        text: (value) => value,
        bytes: (value) => new TextDecoder().decode(value),
        arrayBuffer: (value) => new TextDecoder().decode(value),
        blob: (value) => `${value.size} ${value.type}`,
      };
      // Bun adds it to every type of a text.
      const type = `application/json${t.host === 'bun' ? ';charset=utf-8' : ''}`;
      const expected = { json: 'name', text: FAULT.body, bytes: FAULT.body, arrayBuffer: FAULT.body, blob: `16 ${type}` };
      for (const options of [{}, { idleTimeout: 1_000 }, { hooks: { afterResponse: [() => {}] } }]) {
        for (const [how, look] of Object.entries(read)) {
          const error = await t.fails(() => t.client(options).get('a').json(), { code: 'HTTP_ERROR', status: 422 });
          t.equal(error.data.field, 'name', 'error.data');
          const { response } = error;
          t.equal(response.status, 422);
          t.equal(response.headers.get('x-request-id'), 'r1');
          t.equal(response.url, t.home.url('/a'));
          t.equal(response.bodyUsed, false, 'bodyUsed');
          const copy = response.clone();
          t.equal(copy.status, 422, 'the status of a copy');
          t.equal(look(await t.works(() => response[how]())), expected[how], how);
          t.equal(response.bodyUsed, true, 'bodyUsed after it was read');
          t.equal(await t.works(() => copy.text()), FAULT.body, 'a copy');
          await t.fails(() => response.text(), { code: 'UNEXPECTED_RESPONSE' });
        }
      }
      const { response } = await t.fails(() => t.client().get('a').json(), { code: 'HTTP_ERROR' });
      t.equal(await t.works(() => new Response(response.body).text()), FAULT.body, 'its stream');
      const { error } = await t.works(() => t.client().get('a').result());
      t.same(await error.response.json(), { field: 'name' }, 'of result()');
    },
  },
  {
    name: 'bodies: the form and the broken JSON of an HTTP_ERROR are read as those of any response',
    async run(t) {
      const form = { status: 400, body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      await t.home.script({ '/form': form, '/broken': { ...FAULT, body: '{' }, '/none': { status: 404 } });
      const one = await t.fails(() => t.client().get('form').json(), { code: 'HTTP_ERROR' });
      t.equal((await t.works(() => one.response.formData())).get('a'), '1');
      const two = await t.fails(() => t.client().get('broken').json(), { code: 'HTTP_ERROR' });
      t.equal(two.data, '{');
      await t.fails(() => two.response.json(), { code: 'PARSE_ERROR', status: 422 });
      const three = await t.fails(() => t.client().get('none').json(), { code: 'HTTP_ERROR' });
      t.equal(await t.works(() => three.response.text()), '');
    },
  },
  {
    name: 'bodies: the response of an HTTP_ERROR with a body above 64 KiB says that it was not kept',
    async run(t) {
      const answer = (size) => async () => new Response('a'.repeat(size), { status: 500 });
      const whole = await t.fails(() => t.client({ fetch: answer(65_536) }).get('a'), { code: 'HTTP_ERROR' });
      t.equal((await t.works(() => whole.response.text())).length, 65_536);
      const { response, data } = await t.fails(() => t.client({ fetch: answer(65_537) }).get('a'), { code: 'HTTP_ERROR' });
      t.equal(data.length, 65_536);
      for (const how of ['json', 'text', 'bytes', 'arrayBuffer', 'blob', 'formData']) {
        const error = await t.fails(() => response[how](), { code: 'RESPONSE_TOO_LARGE', status: 500 });
        t.match(error.message, /65536 bytes.*throwHttpErrors/);
      }
      await t.fails(() => response.body.getReader().read(), { code: 'RESPONSE_TOO_LARGE' });
      t.equal(response.status, 500);
    },
  },
  {
    name: 'bodies: the response of an HTTP_ERROR whose body broke off says so',
    async run(t) {
      await t.home.script({
        '/cut': { ...FAULT, chunks: [{ text: '{' }], end: 'reset', body: undefined },
        '/stall': { ...FAULT, chunks: [{ text: '{' }], end: 'hang', body: undefined },
      });
      for (const path of ['cut', 'stall']) {
        const { response, data } = await t.fails(() => t.strict().get(path).json(), { code: 'HTTP_ERROR', status: 422 });
        t.equal(data, undefined);
        const error = await t.fails(() => response.json(), { code: 'NETWORK_ERROR', phase: 'body', status: 422 });
        t.match(error.message, /broke off/);
      }
    },
  },
  {
    name: 'bodies: a body that is read twice says so, in the words of the platform under api.fetch',
    async run(t) {
      for (const options of [{}, { idleTimeout: 1_000 }]) {
        const api = t.client({ fetch: async () => new Response('{"a":1}'), ...options });
        const own = await t.works(() => api.get('a'));
        t.same(await own.json(), { a: 1 });
        const error = await t.fails(() => own.json(), { code: 'UNEXPECTED_RESPONSE', phase: 'body' });
        t.match(error.message, /read already.*clone/);
        t.lacks(error.message, 'server sends');
        const response = await t.works(() => api.fetch('a'));
        await response.json();
        const { error: platform } = await t.settle(() => response.json());
        t.ok(platform instanceof TypeError, 'a TypeError');
      }
    },
  },
  {
    name: 'bodies: a reader that was taken and given back leaves the body whole',
    // Bun counts that as read.
    hosts: except('bun'),
    async run(t) {
      const response = await t.works(() => t.client({ fetch: async () => new Response('abc') }).fetch('a'));
      response.body.getReader().releaseLock();
      t.equal(await t.works(() => response.text()), 'abc');
    },
  },
  {
    name: 'bodies: `closed` of a reader rejects when the body breaks, though nothing is read',
    hosts: [...BROWSERS, ...RUNTIMES],
    async run(t) {
      const cut = () => {
        let fail;
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array(1));
            fail = () => controller.error(new TypeError('cut'));
          },
        });
        return { response: new Response(body), cut: () => fail() };
      };
      const events = t.recorder();
      for (const start of [(api) => api.fetch('a').then(({ body }) => body), (api) => api.get('a').stream()]) {
        const made = cut();
        const api = t.client({ fetch: async () => made.response, onEvent: events });
        const stream = await t.works(() => start(api));
        const reader = stream.getReader();
        const closed = reader.closed.catch((error) => error);
        await t.turn(3);
        made.cut();
        const error = await t.works(() => closed);
        t.equal(t.info(error).code, 'NETWORK_ERROR');
        t.equal(t.info(error).phase, 'body');
        t.equal(api.metrics().inFlight, 0, 'in flight');
      }
      t.same(events.of('call-end').map(({ code }) => code), ['NETWORK_ERROR', 'NETWORK_ERROR']);
      const failing = t.client({ fetch: async () => { throw new TypeError('down'); } });
      const { error } = await t.settle(() => failing.get('a').stream().getReader().closed);
      t.equal(t.info(error).code, 'NETWORK_ERROR', 'of a call that fails');
    },
  },
  {
    name: 'bodies: calls work after a library has replaced the global Promise',
    async run(t) {
      await t.lib.ready();
      const real = globalThis.Promise;
      const api = t.client({ fetch: async () => new Response('{"a":1}') });
      globalThis.Promise = otherPromise();
      const results = [];
      try {
        results.push(api.get('a').json(), api.get('a').text(), api.get('a').result(), api.get('a').then((response) => response.json()));
        results.push(api.fetch('a').then((response) => response.json()), api.get('a').stream().getReader().read());
        results.push(t.client({ fetch: async () => new Response('', { status: 500 }) }).get('a', { fallback: () => 7 }).json());
        t.equal(typeof api.get('a').catch, 'function');
        t.equal(await api.get('a').text(), '{"a":1}');
        results.push(real.resolve(api.get('a').finally(() => {}).then((response) => response.text())));
      } finally {
        globalThis.Promise = real;
      }
      const [json, text, result, chained, fetched, piece, fallback, last] = await t.works(() => Promise.all(results));
      t.same([json, chained, fetched], [{ a: 1 }, { a: 1 }, { a: 1 }]);
      t.same([text, last], ['{"a":1}', '{"a":1}']);
      t.same(result.data, { a: 1 });
      t.equal(new TextDecoder().decode(piece.value), '{"a":1}');
      t.equal(fallback, 7);
      t.same(await t.works(() => api.get('a').json()), { a: 1 }, 'after it is back');
      api.close();
    },
  },
];
