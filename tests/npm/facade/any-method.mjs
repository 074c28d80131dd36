// The client as a function, any method, JSON by functions of the caller, and members of fetch by any name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient, errorInfo } = steadfetch;

/** A client whose fetch notes what it is given, and answers with a text. */
function recorder(options, text = '{}', status = 200) {
  const seen = [];
  const fetch = async (input, init) => {
    seen.push({ url: input.url ?? input, init });
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
  return { seen, api: createClient({ baseUrl: 'http://a.test/', retry: 0, fetch, ...options }) };
}

const refused = (options, make = createClient) => {
  try {
    make(options);
  } catch (error) {
    assert.equal(error.code, 'INVALID_OPTION');
    return error.message;
  }
  throw new Error('it was taken');
};

describe('any method', () => {
  it('is called by the client itself, a GET unless the options say otherwise', async () => {
    const { seen, api } = recorder();
    assert.deepEqual(await api('a').json(), {});
    await api('b', { method: 'delete' });
    await api.extend({ headers: { a: 'b' } })('c', { method: 'POST', json: 1 }).result();
    await api.scope()('d').text();
    assert.deepEqual(seen.map(({ url, init }) => [url.slice(14), init.method]), [['a', 'GET'], ['b', 'DELETE'], ['c', 'POST'], ['d', 'GET']]);
  });

  it('is called by request, in upper case if it is a known one, else as it is', async () => {
    const { seen, api } = recorder();
    const { request } = api;
    for (const method of ['patch', 'Put', 'QUERY', 'PURGE', 'purge', 'options']) await request('a', { method });
    await request(new Request('http://a.test/r', { method: 'PUT' }));
    await request('a');
    assert.deepEqual(seen.map(({ init }) => init.method), ['PATCH', 'PUT', 'QUERY', 'PURGE', 'purge', 'OPTIONS', 'PUT', 'GET']);
  });

  it('is retried by the rule of the method', async () => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      throw new TypeError('Failed to fetch');
    };
    const api = createClient({ baseUrl: 'http://a.test/', fetch, retry: { limit: 1, delay: 1 } });
    for (const [method, count] of [['put', 2], ['post', 1], ['PURGE', 1], ['options', 2]]) {
      sent = 0;
      const error = await rejection(api.request('a', { method }));
      assert.deepEqual([error.code, sent], ['NETWORK_ERROR', count], method);
    }
  });

  it('has a shortcut for OPTIONS, and status errors reject', async () => {
    const { seen, api } = recorder({}, '{}', 404);
    assert.equal((await rejection(api.options('a'))).status, 404);
    assert.equal((await rejection(api('a'))).status, 404);
    assert.equal(seen[0].init.method, 'OPTIONS');
  });

  it('that is none is refused', async () => {
    const api = createClient({ baseUrl: 'http://127.0.0.1:9/', retry: 0 });
    for (const method of ['a b', 'TRACE', '']) {
      const error = await rejection(api.request('a', { method }));
      assert.deepEqual([error.code, error.outcome], ['INVALID_REQUEST', 'not-sent'], method);
    }
  });
});

describe('parseJson', () => {
  const big = (text) => JSON.parse(text, (_, value, context) => value);

  it('reads the bodies of answers and of errors', async () => {
    const parseJson = (text) => ({ parsed: text });
    for (const options of [{}, { onDownloadProgress() {} }, { idleTimeout: 5 }]) {
      assert.deepEqual(await recorder({ parseJson, ...options }, '[1').api.get('a').json(), { parsed: '[1' });
    }
    assert.deepEqual(await recorder({}, '{}').api.get('a', { parseJson }).json(), { parsed: '{}' });
    assert.deepEqual(await (await recorder({ parseJson }).api.fetch('a')).json(), { parsed: '{}' });
    assert.deepEqual((await rejection(recorder({ parseJson }, '{"m":1}', 400).api.get('a'))).data, { parsed: '{"m":1}' });
    assert.equal(await recorder({ parseJson }, 'text').api.get('a').text(), 'text');
    assert.deepEqual(await recorder({ parseJson: big }, '[1]').api.get('a').json(), [1]);
  });

  it('is not asked where there is no body', async () => {
    const { api } = recorder({ parseJson: () => assert.fail('asked'), fetch: async () => new Response(null, { status: 204 }) });
    assert.equal(await api.get('a').json(), undefined);
  });

  it('that throws a SyntaxError is PARSE_ERROR, anything else CALLBACK_ERROR', async () => {
    class OtherSyntaxError extends SyntaxError {}
    const rows = [[new SyntaxError('S3CRET'), 'PARSE_ERROR'], [new OtherSyntaxError('S3CRET'), 'PARSE_ERROR'], [new RangeError('S3CRET'), 'CALLBACK_ERROR'], [undefined, 'CALLBACK_ERROR'], ['S3CRET', 'CALLBACK_ERROR']];
    for (const [thrown, code] of rows) {
      const parseJson = () => { throw thrown; };
      for (const read of [(api) => api.get('a').json(), async (api) => (await api.fetch('a')).json(), async (api) => { const response = await api.get('a'); return response.clone().json(); }]) {
        const error = errorInfo(await rejection(read(recorder({ parseJson }).api)));
        assert.deepEqual([error.code, error.outcome, error.originalError], [code, 'answered', thrown]);
        assert.equal(error.phase, code === 'PARSE_ERROR' ? 'body' : 'hook');
        assert.doesNotMatch(error.message + JSON.stringify(error), /S3CRET/);
      }
      assert.equal((await rejection(recorder({ parseJson }, '{"a":1}', 400).api.get('a'))).data, '{"a":1}', 'an error body stays text');
    }
  });
});

describe('stringifyJson', () => {
  it('writes the body of json', async () => {
    const stringifyJson = (value) => `<${value.a}>`;
    const { seen, api } = recorder({ stringifyJson });
    await api.post('a', { json: { a: 1 } });
    await api.fetch('a', { method: 'PUT', json: { a: 2 } });
    await api.post('a', { json: { a: 3 }, stringifyJson: JSON.stringify });
    assert.deepEqual(seen.map(({ init }) => init.body), ['<1>', '<2>', '{"a":3}']);
    assert.equal(new Headers(seen[0].init.headers).get('content-type'), 'application/json');
  });

  it('that throws, or gives no string, is CALLBACK_ERROR, and nothing is sent', async () => {
    const own = new Error('S3CRET');
    for (const [stringifyJson, thrown] of [[() => { throw own; }, own], [() => undefined], [() => Symbol('S3CRET')], [async () => 'S3CRET'], [() => 5]]) {
      const { seen, api } = recorder({ stringifyJson });
      const error = await rejection(api.post('a', { json: { a: 'S3CRET' } }));
      assert.deepEqual([error.code, error.phase, error.outcome, error.originalError, seen.length], ['CALLBACK_ERROR', 'hook', 'not-sent', thrown, 0]);
      assert.match(error.message, /stringifyJson/);
      assert.doesNotMatch(error.message + JSON.stringify(error), /S3CRET/);
    }
  });

  it('and parseJson are functions', () => {
    for (const name of ['parseJson', 'stringifyJson']) assert.match(refused({ [name]: JSON }), new RegExp(`${name}: function, not json`));
  });
});

describe('init', () => {
  const members = 'client unix tls proxy verbose decompress targetAddressSpace browsingTopics adAuctionHeaders sharedStorageWritable attributionReporting cf next dispatcher agent'.split(' ');

  it('of single runtimes passes to fetch, from a client and from a call', async () => {
    for (const name of members) {
      const value = {};
      const { seen, api } = recorder({ [name]: value });
      await api.get('a');
      await recorder().api.get('a', { [name]: value });
      await api.extend({ headers: { a: '1' } }).get('b');
      await api.fetch('c');
      for (const { init } of seen) assert.equal(init[name], value, name);
    }
  });

  it('takes any other member, of a client and of a call', async () => {
    const { seen, api } = recorder({ init: { someday: 1, cache: 'no-store', nothing: undefined } });
    await api.get('a', { init: { today: 2, someday: 3 } });
    await api.fetch('a', { init: { today: 2 } });
    await api.extend({ init: { view: 4 } }).get('a');
    const [one, two, three] = seen.map(({ init }) => init);
    assert.deepEqual([one.someday, one.today, one.cache, 'nothing' in one, 'init' in one], [3, 2, 'no-store', false, false]);
    assert.deepEqual([two.someday, two.today], [1, 2]);
    assert.deepEqual([three.someday, three.view], [1, 4]);
    const { seen: others, api: call } = recorder();
    await call.request('a', { init: { method: 'PUT', body: 'x' } });
    assert.deepEqual([others[0].init.method, others[0].init.body], ['PUT', 'x']);
  });

  it('refuses what is an option of its own, and what belongs to a call', async () => {
    for (const name of ['timeout', 'headers', 'retry', 'init', 'json', 'baseUrl']) {
      assert.match(refused({ init: { [name]: 1 } }), new RegExp(`init\\.${name} is an option of its own: give it beside init`));
      const error = await rejection(recorder().api.get('a', { init: { [name]: 1 } }));
      assert.equal(error.code, 'INVALID_OPTION');
    }
    for (const name of ['method', 'body', 'signal', 'window']) assert.match(refused({ init: { [name]: 'x' } }), new RegExp(`${name} belongs to a call`));
    for (const [value, type] of [[null, 'null'], ['x', 'string'], [[], 'array'], [new Map(), 'map']]) assert.match(refused({ init: value }), new RegExp(`init: object, not ${type}`));
  });
});

describe('hooks that are undefined', () => {
  it('remove those of the client, and append again later', async () => {
    const ran = [];
    const note = (name) => () => void ran.push(name);
    const { api } = recorder({ hooks: { beforeRequest: [note('one')], afterResponse: [note('after')] } });
    const bare = api.extend({ hooks: { beforeRequest: undefined } });
    await bare.get('a');
    assert.deepEqual(ran.splice(0), ['after']);
    await bare.extend({ hooks: { beforeRequest: [note('two')] } }).get('a');
    assert.deepEqual(ran.splice(0), ['two', 'after']);
    await api.get('a', { hooks: { beforeRequest: undefined, afterResponse: [] } });
    assert.deepEqual(ran.splice(0), ['after']);
    await api.get('a');
    assert.deepEqual(ran.splice(0), ['one', 'after'], 'those of the client itself stay');
    await api.extend({ hooks: undefined }).get('a');
    assert.deepEqual(ran.splice(0), ['one', 'after'], 'no hooks at all change nothing');
  });

  it('are not null, and no list of anything else', () => {
    for (const [given, type] of [[null, 'null'], [() => {}, 'function'], [['x'], 'array']]) {
      assert.match(refused({ hooks: { beforeRequest: given } }), new RegExp(`hooks\\.beforeRequest: a list of functions, .*not ${type}`));
    }
    assert.match(refused({ hooks: [] }), /hooks: object, not array/);
  });
});
