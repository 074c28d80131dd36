// What the options of a call make of its URL, its body and its headers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient, errorInfo } = steadfetch;
const vectors = JSON.parse(readFileSync(new URL('../../vectors/search-params.json', import.meta.url), 'utf8'));

/** A client whose fetch notes what it is given. */
function recorder(options) {
  const seen = [];
  const fetch = async (input, init) => {
    seen.push(new Request(input, init));
    return new Response('{}');
  };
  return { seen, api: createClient({ baseUrl: 'https://api.test/', retry: 0, fetch, ...options }) };
}

/** The one request that a call sends. */
async function sent(call, options) {
  const { seen, api } = recorder(options);
  await (await call(api)).text();
  assert.equal(seen.length, 1);
  return seen[0];
}

/** The message of a call that is refused before anything is sent. */
async function refused(call, code, options) {
  const { seen, api } = recorder(options);
  const error = errorInfo(await rejection(call(api)));
  assert.equal(error?.code, code);
  assert.equal(error.outcome, 'not-sent');
  assert.equal(seen.length, 0);
  assert.doesNotMatch(JSON.stringify(error) + error.stack, /S3CRET/);
  return error.message;
}

const queryOf = async (searchParams, url = 'p') => new URL((await sent((api) => api.get(url, { searchParams }))).url).search;

describe('searchParams', () => {
  for (const { url, params, expected } of vectors) {
    it(`makes ${expected} of ${url}`, async () => {
      assert.equal((await sent((api) => api.get(url, { searchParams: params }))).url, expected);
      assert.equal((await sent((api) => api.fetch(url, { searchParams: new URLSearchParams(params) }))).url, expected);
    });
  }

  it('adds them to a relative URL, to that of a Request, and to that of baseUrl alike', async () => {
    assert.equal(await queryOf({ page: 2 }, '/p?name=caf%E9'), '?name=caf%E9&page=2');
    assert.equal((await sent((api) => api.get(new Request('https://api.test/?a+b'), { searchParams: { c: 1 } }))).url, 'https://api.test/?a+b&c=1');
    assert.equal((await sent((api) => api.get(''), { searchParams: { v: 1 } })).url, 'https://api.test/?v=1');
  });

  it('adds a string as it is, with or without its question mark', async () => {
    assert.equal(await queryOf('a=%E9&b+c', 'p?x'), '?x&a=%E9&b+c');
    assert.equal(await queryOf('?a=1'), '?a=1');
    assert.equal(await queryOf('a=#1'), '?a=%231');
    assert.equal(await queryOf(''), '');
  });

  it('repeats the key of a list, leaves out null and undefined, and writes dates in ISO', async () => {
    class Query {
      page = 2;
      ids = [1, 'two', null, 3n, undefined, true];
      none = null;
      nothing = undefined;
      empty = [];
      from = new Date(0);
      to = [new Date(1)];
      home = new URL('https://a.test/?b');
    }
    const expected = '?page=2&ids=1&ids=two&ids=3&ids=true&from=1970-01-01T00%3A00%3A00.000Z&to=1970-01-01T00%3A00%3A00.001Z&home=https%3A%2F%2Fa.test%2F%3Fb';
    assert.equal(await queryOf(new Query()), expected);
    assert.equal(await queryOf(Object.entries(new Query())), expected);
    assert.equal(await queryOf(new Map(Object.entries(new Query()))), expected);
    const request = await sent((api) => api.post('p', { form: new Query() }));
    assert.equal(await request.text(), expected.slice(1));
  });

  it('refuses all else, and names the key and the type', async () => {
    const values = [[{}, 'object'], [Symbol('S3CRET'), 'symbol'], [() => 'S3CRET', 'function'], [new Date(NaN), 'date'], [[['S3CRET']], 'array'], [new Map(), 'map']];
    for (const [value, type] of values) {
      for (const option of ['searchParams', 'form']) {
        const call = (given) => (api) => (option === 'form' ? api.post('p', { form: given }) : api.get('p', { searchParams: given }));
        for (const given of [{ filter: value }, { filter: [1, value] }, [['filter', value]]]) {
          if (type === 'array' && given.filter === value) continue;
          const message = await refused(call(given), 'INVALID_OPTION');
          assert.ok(message.includes(`${option}.filter: `) && message.includes(`, not ${type}`), message);
        }
      }
    }
  });

  it('refuses pairs that are none', async () => {
    for (const given of [['ab', 'cd'], [['a']], [['a', 1, 2]], [1], new Set(['ab'])]) {
      for (const option of ['searchParams', 'form']) {
        assert.match(await refused((api) => api.post('p', { [option]: given }), 'INVALID_OPTION'), new RegExp(`${option}: .*pairs`));
      }
    }
    await refused((api) => api.get('p', { searchParams: { get a() { throw new Error('S3CRET'); } } }), 'INVALID_OPTION');
  });
});

describe('Content-Type', () => {
  const types = async (call, headers) => (await sent(call, { headers })).headers.get('content-type');
  const form = 'application/x-www-form-urlencoded;charset=UTF-8';

  it('is that of the body option, above that of the client', async () => {
    for (const headers of [undefined, {}, { 'Content-Type': 'application/json' }, { 'content-type': 'text/plain' }, () => ({ 'content-type': 'text/plain' })]) {
      assert.equal(await types((api) => api.post('p', { json: {} }), headers), 'application/json');
      assert.equal(await types((api) => api.post('p', { form: { a: 1 } }), headers), form);
      assert.equal(await types((api) => api.fetch('p', { method: 'POST', form: { a: 1 } }), headers), form);
      assert.equal(await types((api) => api.post('p', { json: {}, headers: { 'x-a': '1' } }), headers), 'application/json');
      assert.equal(await types((api) => api.post('p', { body: new URLSearchParams('a=1') }), headers), form);
      assert.match(await types((api) => api.post('p', { body: new FormData() }), headers), /^multipart\/form-data; ?boundary=/);
    }
    assert.equal(await types((api) => api.extend({ headers: { 'Content-Type': 'text/plain' } }).post('p', { json: {} }), { 'x-a': '1' }), 'application/json');
  });

  it('is that of the client for a body of no type', async () => {
    assert.equal(await types((api) => api.post('p', { body: '{}' }), { 'content-type': 'application/json' }), 'application/json');
    assert.equal(await types((api) => api.post('p', { body: new Uint8Array(1) }), { 'content-type': 'application/json' }), 'application/json');
  });

  it('of the call wins over that of its body option, and can be left out', async () => {
    for (const body of [{ json: {} }, { form: { a: 1 } }, { body: new URLSearchParams('a=1') }]) {
      for (const client of [undefined, { 'content-type': 'text/plain' }]) {
        const own = { headers: { 'CONTENT-type': 'application/vnd.x+json' } };
        assert.equal(await types((api) => api.post('p', { ...body, ...own }), client), 'application/vnd.x+json');
        assert.equal(await types((api) => api.post('p', { ...body, headers: async () => own.headers }), client), 'application/vnd.x+json');
      }
    }
    assert.equal(await types((api) => api.post('p', { json: 1, headers: { 'content-type': undefined } })), 'text/plain;charset=UTF-8');
  });

  it('replaces that of a Request whose body is replaced', async () => {
    const request = () => new Request('https://api.test/p', { method: 'POST', body: 'x', headers: { 'content-type': 'text/x', 'x-a': '1' } });
    for (const headers of [undefined, { 'content-type': 'text/plain' }]) {
      const json = await sent((api) => api.post(request(), { json: {} }), { headers });
      assert.deepEqual([json.headers.get('content-type'), json.headers.get('x-a')], ['application/json', '1']);
      const other = await sent((api) => api.post(request(), { form: { a: 1 } }), { headers });
      assert.deepEqual([other.headers.get('content-type'), other.headers.get('x-a')], [form, '1']);
      assert.equal((await sent((api) => api.post(request()), { headers })).headers.get('content-type'), 'text/x');
    }
  });
});

describe('a request that cannot be', () => {
  it('has no URL', async () => {
    for (const [value, type] of [[undefined, 'undefined'], [null, 'null'], [{ url: '/S3CRET' }, 'object']]) {
      for (const method of ['get', 'post', 'head']) {
        assert.match(await refused((api) => api[method](value), 'INVALID_REQUEST'), new RegExp(`the URL is ${type}.*string, URL or Request`));
      }
    }
    assert.equal((await sent((api) => api.get({ toString: () => 'of-its-own' }))).url, 'https://api.test/of-its-own');
    assert.equal((await sent((api) => api.get('undefined'))).url, 'https://api.test/undefined');
  });

  it('is a GET with a body, which the message says', async () => {
    const global = { fetch: undefined, baseUrl: 'http://127.0.0.1:9/' };
    for (const options of [{ json: {} }, { form: { a: 1 } }, { body: 'x' }, { body: () => 'x' }]) {
      assert.match(await refused((api) => api.get('p', options), 'INVALID_REQUEST', global), /a GET has no body.*api\.post/);
      assert.match(await refused((api) => api.head('p', options), 'INVALID_REQUEST', global), /a HEAD has no body/);
      assert.match(await refused((api) => api.fetch('p', options), 'INVALID_REQUEST', global), /a GET has no body/);
    }
    assert.ok((await rejection(recorder(global).api.fetch('p', { body: 'x' }))) instanceof TypeError);
  });

  it('has a header that cannot be sent, which the message names', async () => {
    const global = { fetch: undefined, baseUrl: 'http://127.0.0.1:9/' };
    const value = 'S3CRET\nx';
    const given = [{ 'X-Key': value }, { a: '1', 'X-Key': value }, [['X-Key', value]]];
    for (const headers of given) {
      const expected = /header X-Key: its value has a line break, or another character that no header can have/;
      assert.match(await refused((api) => api.get('p', { headers }), 'INVALID_REQUEST', global), expected);
      assert.match(await refused((api) => api.fetch('p', { headers }), 'INVALID_REQUEST', global), expected);
      assert.match(await refused((api) => api.get('p', { headers: { 'X-B': '1' } }), 'INVALID_REQUEST', { ...global, headers }), expected);
      assert.match(await refused((api) => api.get('p', { headers: { 'X-B': '1' } }), 'INVALID_REQUEST', { headers }), expected);
    }
    assert.match(await refused((api) => api.get('p', { headers: { 'S3CRET: x': '1' } }), 'INVALID_REQUEST', global), /a header has a name that none can have/);
    assert.match(await refused((api) => api.get('p', { headers: { 'x-a': '\u{1f600}' } }), 'INVALID_REQUEST', global), /header x-a: its value/);
  });

  it('has a body beside another one', async () => {
    assert.match(await refused((api) => api.post('p', { json: 1, form: { a: 1 } }), 'INVALID_OPTION'), /only one of body, json and form/);
  });
});

describe('baseUrl', () => {
  const refusedBase = (baseUrl) => {
    try {
      createClient({ baseUrl });
    } catch (error) {
      assert.equal(error.code, 'INVALID_OPTION');
      assert.doesNotMatch(error.message, /S3CRET/);
      return error.message;
    }
    throw new Error(`${baseUrl} was taken`);
  };

  it('without its scheme is refused with advice', () => {
    for (const base of ['localhost:4510/v1', 'localhost:4510', 'api.S3CRET.test:443/', '127.0.0.1:80', 'my-host:1/a?b#c']) {
      assert.match(refusedBase(base), /baseUrl: .*http:\/\//);
    }
    for (const base of ['http://localhost:4510/v1', 'https://a.test:443', 'app://localhost:1/', new URL('https://a.test')]) createClient({ baseUrl: base });
  });

  it('of a page is taken without a page too: its call says what is missing', async () => {
    for (const baseUrl of ['/api', './api/', 'api', '//a.test/x', '?a']) {
      const message = await refused((api) => api.get('users'), 'INVALID_REQUEST', { baseUrl });
      assert.match(message, /baseUrl is relative, and there is no page.*absolute/);
      assert.equal((await sent((api) => api.get('https://b.test/'), { baseUrl })).url, 'https://b.test/');
    }
    const auth = { refreshToken: async () => 'a' };
    await refused((api) => api.get('users'), 'INVALID_REQUEST', { baseUrl: '/api', auth });
    // The token goes to the origin of baseUrl, and nobody knows which that is.
    assert.equal((await sent((api) => api.get('https://b.test/'), { baseUrl: '/api', auth })).headers.get('authorization'), null);
    assert.ok((await sent((api) => api.get('https://b.test/'), { baseUrl: '/api', deadlineHeader: 'x-left' })).url);
  });

  it('that is none is refused', () => {
    for (const base of ['http://', 'https://[::1', 5, {}, null, '']) {
      if (base === '') createClient({ baseUrl: base });
      else assert.match(refusedBase(base), /baseUrl: /);
    }
  });
});

describe('schemas', () => {
  const invalid = [null, {}, 5, 'x', () => {}, { parse() {} }, { '~standard': {} }, { get '~standard'() { throw new Error('S3CRET'); } }];

  it('that are none are refused, by the promise and by the Response', async () => {
    for (const schema of invalid) {
      const { api } = recorder();
      for (const read of [() => api.get('p').json(schema), async () => (await api.get('p')).json(schema), async () => (await api.fetch('p')).json(schema)]) {
        const error = errorInfo(await rejection(read()));
        assert.equal(error.code, 'INVALID_OPTION');
        assert.match(error.message, /schema: .*Standard Schema.*, not (null|object|5|string|function)/);
      }
      assert.equal((await api.get('p').result(schema)).error.code, 'INVALID_OPTION');
    }
    assert.deepEqual(await recorder().api.get('p').json(undefined), {});
  });

  it('that are none are refused in the same way, however late they are seen', async () => {
    const ways = {
      'of a shortcut': [(api) => api.get('p').json(null), 'not-sent', 0],
      'of result()': [(api) => api.get('p').result(null).then(({ error }) => Promise.reject(error)), 'not-sent', 0],
      'of a Response': [async (api) => (await api.get('p')).json(null), 'answered', 1],
      'of one of api.fetch': [async (api) => (await api.fetch('p')).json(null), 'answered', 1],
      'of a Response that was empty': [async (api) => (await api.get('empty')).json(null), 'answered', 1],
    };
    for (const [name, [read, outcome, attempts]] of Object.entries(ways)) {
      const events = [];
      const fetch = async (url) => new Response(String(url).endsWith('empty') ? null : '{}');
      const api = createClient({ baseUrl: 'https://api.test/', fetch, onEvent: (event) => event.type === 'call-end' && events.push(event) });
      const error = errorInfo(await rejection(read(api)));
      assert.deepEqual([error.code, error.phase, error.outcome, error.attempts.length], ['INVALID_OPTION', undefined, outcome, attempts], name);
      assert.equal(events.length, 1, name);
      if (!name.endsWith('empty')) assert.deepEqual([events[0].code, events[0].phase], ['INVALID_OPTION', undefined], name);
      const { inFlight, waiting } = api.metrics();
      assert.deepEqual([inFlight, waiting], [0, 0], name);
    }
  });

  it('that are functions are taken', async () => {
    const schema = Object.assign(() => {}, { '~standard': { validate: (value) => ({ value: [value] }) } });
    assert.deepEqual(await recorder().api.get('p').json(schema), [{}]);
  });
});
