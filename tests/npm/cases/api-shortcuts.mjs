// The shortcuts: requests, readers, results, streams, progress.

import { deferred } from '../harness/context.mjs';
import { RUNTIMES } from '../harness/hosts.mjs';

/** A Standard Schema that wants a number `a`. */
const schema = {
  '~standard': {
    version: 1,
    vendor: 'case',
    validate: (value) => (typeof value?.a === 'number' ? { value: { a: value.a + 1 } } : { issues: [{ message: 'a: a number', path: ['a'] }] }),
  },
};

export default [
  {
    name: 'every method',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const api = t.client();
      for (const method of ['get', 'post', 'put', 'patch', 'delete', 'query']) {
        t.equal((await t.works(() => api[method]('a').json())).method, method.toUpperCase(), method);
      }
      t.equal((await t.works(() => api.head('a'))).status, 200, 'head');
    },
  },
  {
    name: 'URLs, searchParams, headers',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const url = async (base, input, options) => (await t.works(() => t.client({ baseUrl: base }).get(input, options).json())).url;
      const { origin } = t.home;
      t.equal(await url(`${origin}/v1`, 'users/1'), '/v1/users/1', 'baseUrl gets its slash');
      t.equal(await url(`${origin}/v1/`, '/users'), '/users', 'an absolute path');
      t.equal(await url(new URL(`${origin}/v1/`), './x/../y'), '/v1/y', 'dots');
      t.equal(await url('http://nowhere.test', `${origin}/abs`), '/abs', 'an absolute URL');
      t.equal(await url(origin, 'a?x=1', { searchParams: { y: 2, z: undefined, t: true } }), '/a?x=1&y=2&t=true', 'searchParams');
      t.equal(await url(origin, 'a', { searchParams: [['q', 'a b'], ['q', '&']] }), '/a?q=a+b&q=%26', 'pairs');
      t.equal(await url(origin, 'a', { searchParams: 'q=1' }), '/a?q=1', 'text');
      t.equal(await url(origin, 'a', { searchParams: new URLSearchParams('q=2') }), '/a?q=2', 'URLSearchParams');
      const api = t.client({ headers: { 'x-a': '1', 'x-b': '1' } }).extend({ headers: { 'X-B': '2', 'x-c': '2' } });
      const { headers } = await t.works(() => api.get('a', { headers: { 'x-c': undefined, 'x-d': '3' } }).json());
      t.same([headers['x-a'], headers['x-b'], headers['x-c'], headers['x-d']], ['1', '2', undefined, '3'], 'headers by name');
      const later = t.client({ headers: async () => ({ 'x-a': 'later' }) });
      t.equal((await t.works(() => later.get('a').json())).headers['x-a'], 'later', 'a function of headers');
    },
  },
  {
    name: 'what the options make of a request, on the wire',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const { origin } = t.home;
      const api = t.client({ headers: { 'Content-Type': 'application/json', 'x-a': '1' } });
      const sent = (call) => t.works(() => call.json());
      t.equal((await sent(api.get(`${origin}/p?name=caf%E9&flag&a%20b`, { searchParams: { page: 2, none: null, ids: [1, 2] } }))).url, '/p?name=caf%E9&flag&a%20b&page=2&ids=1&ids=2', 'the query stays byte for byte');
      const form = await sent(api.post('p', { form: { a: [1, 2], from: new Date(0) } }));
      t.equal(form.body, 'a=1&a=2&from=1970-01-01T00%3A00%3A00.000Z', 'a form');
      t.equal(form.headers['content-type'].toLowerCase(), 'application/x-www-form-urlencoded;charset=utf-8', 'the type of a form');
      t.equal(form.headers['x-a'], '1', 'the other headers stay');
      const body = new FormData();
      body.set('a', '1');
      t.ok(/^multipart\/form-data; ?boundary=/.test((await sent(api.post('p', { body }))).headers['content-type']), 'the type of a FormData');
      t.equal((await sent(api.post('p', { json: 1, headers: { 'content-type': 'application/x' } }))).headers['content-type'], 'application/x', 'that of the call');
      t.equal((await sent(api.post('p', { body: '{}' }))).headers['content-type'], 'application/json', 'that of the client');
      t.equal((await sent(api('p'))).method, 'GET', 'the client itself');
      t.equal((await sent(api.get('p'))).headers.accept, 'application/json', 'Accept of json()');
      t.equal(JSON.parse(await t.works(() => api.post('p', { json: 1 }).text())).headers.accept, 'text/*', 'Accept of text()');
      t.equal((await sent(api.get('p', { headers: { accept: 'a/b' } }))).headers.accept, 'a/b', 'Accept of the caller');
      t.equal((await t.works(async () => (await api.get('p')).json())).headers.accept, '*/*', 'Accept of a Response');
      t.equal((await sent(api.request('p', { method: 'patch', json: 1 }))).method, 'PATCH', 'any method');
      t.equal((await sent(api.options('p'))).method, 'OPTIONS', 'OPTIONS');
    },
  },
  {
    name: 'a request that cannot be says why, and nothing is sent',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const api = t.client();
      const fails = async (call, text) => {
        const error = t.info(await t.fails(call, { code: 'INVALID_REQUEST', outcome: 'not-sent' }));
        t.ok(error.message.includes(text), error.message);
        t.lacks(error.message + JSON.stringify(error), 'S3CRET', 'the message');
      };
      for (const via of [(options) => api.get('a', options), (options) => api.fetch('a', options)]) {
        await fails(() => via({ json: { S3CRET: 1 } }), 'a GET has no body');
        await fails(() => via({ headers: { 'x-a': '1', 'X-Key': 'S3CRET\nx' } }), 'header X-Key: its value has a line break');
      }
      // Deno takes what can be iterated for bytes. A Request of Bun does not tell a text from other bodies.
      const iterable = RUNTIMES.includes(t.host) ? [] : [new Map()];
      for (const body of t.host === 'bun' ? [['S3CRET']] : [{ a: 'S3CRET' }, ['S3CRET'], ...iterable, { [Symbol.toStringTag]: 'FormData' }, { toString: () => '[object S3CRET]' }]) {
        await fails(() => api.post('a', { body }), 'fetch would send this body as its text: give json');
        await fails(() => api.post('a', { body: () => body }), 'fetch would send this body as its text: give json');
      }
      await fails(() => api.get(undefined), 'the URL is undefined');
      await fails(() => api.get({ url: 'S3CRET' }), 'the URL is object');
      await t.saw(0);
    },
  },
  {
    name: 'a body that fetch knows, or that has a text of its own, is sent',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { echo: true } });
      const form = new FormData();
      form.append('a', '1');
      const bodies = [
        [new Blob(['abc'], { type: 'text/plain;charset=UTF-8' }), 'abc'],
        [new TextEncoder().encode('abc').buffer, 'abc'],
        [new URL('http://a.test/b'), 'http://a.test/b'],
        [7, '7'],
        [form, 'name="a"'],
      ];
      for (const [body, text] of bodies) {
        const { body: got } = await t.works(() => t.client().post('a', { body }).json());
        t.ok(got.includes(text), `${text}: ${got}`);
      }
      const { body } = await t.works(async () => (await t.client().fetch('a', { method: 'POST', body: { a: 1 } })).json());
      t.equal(body, '[object Object]', 'api.fetch does what fetch does');
    },
  },
  {
    name: 'the promise is a Promise of the platform, and a Response comes out',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { json: { a: 1 } } });
      const promise = t.client().get('a');
      t.ok(promise instanceof Promise, 'instanceof Promise');
      const response = await t.works(() => promise);
      t.ok(response instanceof Response, 'instanceof Response');
      t.same(await response.json(), { a: 1 });
      const [one, two] = await Promise.all([promise, promise.then((same) => same)]);
      t.equal(one, two, 'one response');
      const chained = await t.client().get('a').then((r) => r.text().then(() => r.status)).finally(() => {});
      t.equal(chained, 200, 'then and finally');
    },
  },
  {
    name: 'a shortcut that is only read by its reader leaves no unhandled rejection, and neither does one that is only awaited',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { status: 500 } });
      const api = t.client();
      await t.fails(() => api.get('a').json(), { code: 'HTTP_ERROR' });
      await t.fails(() => api.get('a'), { code: 'HTTP_ERROR' });
      const { success } = await t.works(() => api.get('a').result());
      t.equal(success, false);
      await t.fails(async () => {
        for await (const chunk of api.get('a').stream()) void chunk;
      }, { code: 'HTTP_ERROR' });
      await t.sleep(50);
      t.equal(t.unhandled.length, 0, 'unhandled rejections');
    },
  },
  {
    name: 'throwHttpErrors',
    parallel: true,
    async run(t) {
      await t.home.script({ '*': { status: 404, json: { m: 1 } } });
      const api = t.client({ throwHttpErrors: false });
      t.same(await t.works(() => api.get('a').json()), { m: 1 });
      const only5xx = t.client({ throwHttpErrors: (status) => status >= 500 });
      t.equal((await t.read(() => only5xx.get('a'))).status, 404);
      await t.fails(() => only5xx.get('a', { throwHttpErrors: true }), { code: 'HTTP_ERROR', status: 404 });
    },
  },
  {
    name: 'error.data: JSON by its type, else text, at most 64 KiB, within the limits',
    async run(t) {
      await t.home.script({
        '/json': { status: 400, json: { m: 1 } },
        '/problem': { status: 400, body: '{"m":2}', headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
        '/text': { status: 400, body: 'no' },
        '/bad': { status: 400, body: '{', headers: { 'content-type': 'application/json' } },
        '/empty': { status: 400 },
        '/long': { status: 400, bytes: 1_000_000, fill: 'x' },
        '/endless': { status: 400, drip: { text: 'x'.repeat(1_000), every: 2 } },
        '/stall': { status: 400, chunks: [{ text: 'x' }], end: 'hang' },
        '/cut': { status: 400, body: 'x', contentLength: 2, end: 'cut' },
      });
      const api = t.strict();
      const data = async (path, bounds) => {
        const error = await t.fails(() => api.get(path).json(), { code: 'HTTP_ERROR', status: 400 }, bounds);
        t.lacks(JSON.stringify(error), '"data"', 'toJSON');
        return error.data;
      };
      t.same(await data('json'), { m: 1 });
      t.same(await data('problem'), { m: 2 });
      t.equal(await data('text'), 'no');
      t.equal(await data('bad'), '{', 'data that is no JSON');
      t.equal(await data('empty'), undefined, 'data of an empty body');
      for (const path of ['long', 'endless']) {
        const text = await data(path, [0, 3_000]);
        t.ok(text === undefined || text.length <= 65_536, `at most 64 KiB, ${path}`);
      }
      t.equal(await data('stall', [300, 450]), undefined, 'data of a body that stalls');
      // Firefox takes what there is of an error's body for all of it.
      t.equal(await data('cut'), t.host === 'firefox' ? 'x' : undefined, 'data of a body that breaks');
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'error.data is decoded by its charset, and parsed for JSON types only',
    parallel: true,
    async run(t) {
      const bytes = (...values) => Uint8Array.of(...values);
      const text = (value) => new TextEncoder().encode(value);
      const rows = [
        ['text/plain; charset=iso-8859-1', bytes(0x63, 0x61, 0x66, 0xe9), 'caf\u00e9'],
        ['text/plain;Charset="windows-1251"', bytes(0xcf, 0xf0), '\u041f\u0440'],
        ['application/json; charset=utf-16le', bytes(0x5b, 0, 0x31, 0, 0x5d, 0), [1]],
        ['text/plain; charset=no-such-thing', text('\u00e9'), '\u00e9'],
        ['application/json', text('\ufeff{"a":1}'), { a: 1 }],
        ['Application/JSON ; x=1', text('[]'), []],
        ['text/json', text('1'), 1],
        ['application/vnd.api+json;charset=utf-8', text('null'), null],
        ['application/json-seq', text('\u001e[1]\n'), '\u001e[1]\n'],
        ['application/json-patch', text('[]'), '[]'],
        ['application/jsonlines', text('1'), '1'],
        ['text/plain; profile="x/json"', text('1'), '1'],
        ['application/json', text(''), undefined],
        ['application/json', text('{"a":'), '{"a":'],
      ];
      for (const [type, body, expected] of rows) {
        const api = t.client({ fetch: async () => new Response(body, { status: 400, headers: { 'content-type': type } }) });
        const error = await t.fails(() => api.get('a'), { code: 'HTTP_ERROR' });
        t.same([error.data], [expected], type);
      }
    },
  },
  {
    name: '.result() never rejects',
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } }, '/404': { status: 404, json: { m: 1 } }, '/bad': { body: '{' }, '/hang': { before: 'hang' } });
      const api = t.strict();
      const good = await t.works(() => api.get('a').result());
      t.same([good.success, good.data, good.error, good.response.status], [true, { a: 1 }, undefined, 200]);
      const missing = await t.works(() => api.get('404').result());
      t.same([missing.success, missing.data, missing.error.code, missing.response.status], [false, undefined, 'HTTP_ERROR', 404]);
      const bad = await t.works(() => api.get('bad').result());
      t.same([bad.success, bad.error.code], [false, 'PARSE_ERROR']);
      const late = await t.works(() => api.get('hang').result());
      t.same([late.success, late.error.code, late.response], [false, 'TIMEOUT', undefined]);
      const wrong = await t.works(() => api.get('a', { timeout: 'soon' }).result());
      t.same([wrong.success, wrong.error.code], [false, 'INVALID_OPTION']);
      t.same((await t.works(() => api.get('a').result(schema))).data, { a: 2 }, 'with a schema');
      t.equal((await t.works(async () => (await api.get('a')).result())).success, true, 'of a Response');
    },
  },
  {
    name: 'schemas, sync and async',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } }, '/b': { json: { b: 1 } } });
      const api = t.client();
      t.same(await t.works(() => api.get('a').json(schema)), { a: 2 }, 'what the schema makes of it');
      const error = await t.fails(() => api.get('b').json(schema), { code: 'UNEXPECTED_RESPONSE', status: 200 });
      t.same(error.issues, [{ message: 'a: a number', path: ['a'] }], 'issues');
      t.lacks(JSON.stringify(error), 'issues', 'toJSON');
      const slow = { '~standard': { ...schema['~standard'], validate: async (value) => schema['~standard'].validate(value) } };
      t.same(await t.works(() => api.get('a').json(slow)), { a: 2 }, 'async');
      const throwing = { '~standard': { ...schema['~standard'], validate: () => { throw new Error('x'); } } };
      await t.fails(() => api.get('a').json(throwing), { code: 'CALLBACK_ERROR' });
      const never = { '~standard': { ...schema['~standard'], validate: () => deferred().promise } };
      await t.fails(() => api.get('a', { totalTimeout: 200 }).json(never), { code: 'DEADLINE_EXCEEDED', phase: 'hook' }, [200, 300]);
    },
  },
  {
    name: '.stream() at once, of the promise and of the Response',
    async run(t) {
      await t.home.script({ '/a': { body: 'abcdef', split: { sizes: [3], delay: 20 } }, '/404': { status: 404 } });
      const api = t.client();
      const stream = api.get('a').stream();
      t.ok(stream instanceof ReadableStream, 'a ReadableStream');
      t.equal(typeof stream[Symbol.asyncIterator], 'function', 'an async iterator');
      let text = '';
      for await (const chunk of stream) text += new TextDecoder().decode(chunk);
      t.equal(text, 'abcdef');
      const of = (await api.get('a')).stream();
      text = '';
      for await (const chunk of of) text += new TextDecoder().decode(chunk);
      t.equal(text, 'abcdef', 'of the Response');
      const reader = api.get('404').stream().getReader();
      await t.fails(() => reader.read(), { code: 'HTTP_ERROR', status: 404 });
      const controller = new AbortController();
      const aborted = api.get('a', { signal: controller.signal }).stream().getReader();
      controller.abort('stop');
      await t.fails(() => aborted.read(), { code: 'ABORTED', cause: 'stop' });
    },
  },
  {
    name: 'back-pressure: what is not read is not fetched',
    async run(t) {
      await t.home.script({ '/a': { bytes: 100_000_000 } });
      const api = t.client({ idleTimeout: 5_000 });
      const reader = api.get('a').stream().getReader();
      await reader.read();
      await t.sleep(300);
      // Nothing but what the sockets and the browser hold was sent.
      const { log: [{ state }] } = await t.home.report();
      t.equal(state, 'open', 'the answer is not through');
      await reader.cancel();
      await t.home.wait({ closes: 1 });
    },
  },
  {
    name: 'a stream that its consumer reads slowly is not idle',
    async run(t) {
      await t.home.script({ '/a': { body: 'abcdef', split: { sizes: [2] } } });
      const api = t.client({ idleTimeout: 150 });
      let text = '';
      for await (const chunk of api.get('a').stream()) {
        text += new TextDecoder().decode(chunk);
        await t.sleep(300);
      }
      t.equal(text, 'abcdef');
    },
  },
  {
    name: 'onDownloadProgress',
    async run(t) {
      await t.home.script({ '/known': { bytes: 100_000, split: { sizes: [10_000], delay: 2 } }, '/unknown': { chunks: [{ text: 'abc' }, { text: 'def', delay: 30 }] }, '/gzip': { bytes: 50_000, gzip: true }, '/204': { status: 204 } });
      for (const read of ['bytes', 'text', 'stream']) {
        const steps = [];
        const call = t.client().get('known', { onDownloadProgress: (progress, chunk) => steps.push([progress, chunk]) });
        if (read === 'stream') for await (const chunk of call.stream()) void chunk;
        else await t.works(() => call[read]());
        const [first] = steps[0];
        t.same([first.percent, first.transferredBytes, first.totalBytes], [0, 0, 100_000], `at the headers, ${read}`);
        const [last] = steps.at(-1);
        t.same([last.percent, last.transferredBytes, last.totalBytes], [1, 100_000, 100_000], `at the end, ${read}`);
        steps.reduce((before, [{ transferredBytes }]) => {
          t.ok(transferredBytes >= before, 'monotonic');
          return transferredBytes;
        }, 0);
        t.equal(steps.slice(1).reduce((sum, [, chunk]) => sum + (chunk?.length ?? 0), 0), 100_000, `chunks, ${read}`);
      }
      const steps = [];
      const onDownloadProgress = (progress) => steps.push(progress);
      await t.works(() => t.client().get('unknown', { onDownloadProgress }).text());
      t.equal(steps.at(-1).transferredBytes, 6, 'without Content-Length');
      for (const { percent } of steps) t.between(percent, 0, 1, 'percent');
      steps.length = 0;
      await t.works(() => t.client().get('gzip', { onDownloadProgress }).text());
      for (const { percent } of steps) t.between(percent, 0, 1, 'percent of what was compressed');
      t.equal(steps.at(-1).transferredBytes, 50_000, 'decompressed bytes');
    },
  },
  {
    name: 'observers that throw are reported and change nothing',
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      const reported = [];
      const target = typeof reportError === 'function' ? [globalThis, 'reportError'] : [console, 'error'];
      const spied = t.spy(...target, () => (error) => reported.push(error));
      try {
        const api = t.client({
          onEvent: () => { throw new Error('observer'); },
          onDownloadProgress: () => { throw new Error('observer'); },
        });
        t.same(await t.works(() => api.get('a').json()), { a: 1 });
        t.ok(reported.length > 0, 'the errors were reported');
        const rejecting = t.client({ onEvent: async () => { throw new Error('observer'); } });
        t.same(await t.works(() => rejecting.get('a').json()), { a: 1 });
        await t.sleep(20);
        t.equal(t.unhandled.length, 0, 'unhandled rejections');
      } finally {
        spied.restore();
      }
    },
  },
  {
    name: 'an event that is raised inside onEvent comes after it returned',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: { a: 1 } } });
      let depth = 0;
      let deepest = 0;
      let again = true;
      const inner = [];
      const api = t.client({
        onEvent: ({ type }) => {
          depth += 1;
          deepest = Math.max(deepest, depth);
          if (again && type === 'call-start') {
            again = false;
            inner.push(api.get('a').json());
          }
          depth -= 1;
        },
      });
      t.same(await t.works(() => api.get('a').json()), { a: 1 });
      t.same(await t.works(() => Promise.all(inner)), [{ a: 1 }]);
      t.equal(deepest, 1, 'depth');
    },
  },
];
