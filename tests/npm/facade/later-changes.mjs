// What the caller changes after the call has begun, or after the client was made: nothing of it is sent.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { steadfetch } from './package.mjs';

const { createClient } = steadfetch;

/** A client whose first attempt fails, and what its attempts were given. */
function flaky(options) {
  const seen = [];
  const fetch = async (input, init) => {
    seen.push(new Request(input, init));
    if (seen.length === 1) throw new TypeError('lost');
    return new Response('{}');
  };
  return { seen, api: createClient({ baseUrl: 'https://api.test/', fetch, retry: { limit: 1, delay: 0 }, ...options }) };
}

const KINDS = {
  'a plain object': [{ 'x-a': '1' }, (headers) => (headers['x-a'] = '2')],
  'Headers': [new Headers({ 'x-a': '1' }), (headers) => headers.set('x-a', '2')],
  'a list of pairs': [[['x-a', '1']], (headers) => (headers[0][1] = '2')],
  'a Map': [new Map([['x-a', '1']]), (headers) => headers.set('x-a', '2')],
};
const copyOf = (headers) => (headers.constructor === Object ? { ...headers } : Array.isArray(headers) ? headers.map((pair) => [...pair]) : new headers.constructor(headers));

describe('headers that the caller changes later', () => {
  const starts = {
    'api.fetch': (api, headers) => api.fetch('p', { headers }),
    'a shortcut': (api, headers) => api.get('p', { headers }),
    'api.fetch with a body': (api, headers) => api.fetch('p', { method: 'PUT', body: 'b', headers }),
  };
  for (const [kind, [given, change]] of Object.entries(KINDS)) {
    for (const [name, start] of Object.entries(starts)) {
      it(`${name}: sends ${kind} as at the call, in each attempt`, async () => {
        const { seen, api } = flaky();
        const headers = copyOf(given);
        const call = start(api, headers);
        change(headers);
        await call;
        assert.deepEqual(seen.map((request) => request.headers.get('x-a')), ['1', '1']);
      });

      it(`${name}: sends ${kind} as at the call, beside a function that gives others`, async () => {
        const { seen, api } = flaky({ headers: async () => ({ 'x-b': '3' }) });
        const headers = copyOf(given);
        const call = start(api, headers);
        change(headers);
        await call;
        assert.deepEqual(seen.map((request) => [request.headers.get('x-a'), request.headers.get('x-b')]), [['1', '3'], ['1', '3']]);
      });
    }

    it(`sends ${kind} of a client as when it was made`, async () => {
      const headers = copyOf(given);
      const { seen, api } = flaky({ headers });
      change(headers);
      await api.fetch('p');
      await api.extend({ headers: { 'x-b': '3' } }).get('p').text();
      assert.deepEqual(seen.map((request) => request.headers.get('x-a')), ['1', '1', '1']);
    });
  }

  it('are none of the client, for a fetch that adds its own', async () => {
    const seen = [];
    const fetch = async (input, init) => {
      seen.push({ ...init.headers });
      init.headers['x-own'] = '1';
      return new Response('{}');
    };
    const api = createClient({ baseUrl: 'https://api.test/', fetch, headers: { 'x-a': '1' } });
    for (const path of ['p', 'q']) await (await api.fetch(path)).text();
    assert.deepEqual(seen, [{ 'x-a': '1' }, { 'x-a': '1' }]);
  });
});

describe('other objects that the caller changes later', () => {
  it('searchParams of a client are those of when it was made', async () => {
    const kinds = {
      'an object': [{ a: '1', list: ['x'] }, (params) => params.list.push('y')],
      'a list': [[['a', '1'], ['list', 'x']], (params) => params.push(['list', 'y'])],
      'URLSearchParams': [new URLSearchParams('a=1&list=x'), (params) => params.append('list', 'y')],
    };
    for (const [kind, [searchParams, change]] of Object.entries(kinds)) {
      const { seen, api } = flaky({ searchParams });
      change(searchParams);
      await api.fetch('p');
      assert.deepEqual(seen.map(({ url }) => url), Array(2).fill('https://api.test/p?a=1&list=x'), kind);
    }
  });

  it('lists of retry options are those of when they were given', async () => {
    const statusCodes = [503];
    const methods = ['post'];
    let sent = 0;
    const fetch = async () => new Response(null, { status: sent++ ? 200 : 503 });
    const api = createClient({ baseUrl: 'https://api.test/', fetch, retry: { statusCodes, methods, delay: 0 } });
    statusCodes.pop();
    methods.pop();
    assert.equal((await api.post('p', { json: {} })).status, 200);
  });

  it('the body of api.fetch is that of the call, also if it waits for a slot', async () => {
    const bodies = {
      'bytes': [new Uint8Array([49]), (body) => body.fill(50)],
      'a buffer': [new Uint8Array([49]).buffer, (body) => new Uint8Array(body).fill(50)],
      'URLSearchParams': [new URLSearchParams('1'), (body) => body.append('2', '2')],
    };
    for (const [kind, [body, change]] of Object.entries(bodies)) {
      let leave;
      const seen = [];
      const fetch = async (input, init) => {
        if (init.body) seen.push(await new Response(init.body).text());
        else await new Promise((resolve) => (leave = resolve));
        return new Response(null);
      };
      const api = createClient({ baseUrl: 'https://api.test/', fetch, queue: { concurrency: 1 } });
      const first = api.fetch('p');
      const second = api.fetch('p', { method: 'POST', body });
      change(body);
      while (!leave) await new Promise((resolve) => setImmediate(resolve));
      leave();
      await Promise.all([first, second]);
      assert.match(seen[0], /^1=?$/, kind);
    }
  });
});
