// The Accept of a shortcut is that of its reader, and it is sent with the values of the moment of the call.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient, ready } = steadfetch;

/** A client whose fetch notes the request that it is given. */
function recorder(options) {
  const seen = [];
  const fetch = (input, init) => {
    seen.push(new Request(input, init));
    return Promise.resolve(new Response('{}'));
  };
  return { seen, api: createClient({ baseUrl: 'http://a.test/', retry: 0, fetch, ...options }) };
}

const accepts = async (read, options) => {
  const { seen, api } = recorder(options);
  await read(api);
  assert.equal(seen.length, 1);
  return seen[0].headers.get('accept');
};

describe('Accept', () => {
  it('is that of the reader', async () => {
    assert.equal(await accepts((api) => api.get('a').json()), 'application/json');
    assert.equal(await accepts((api) => api.get('a').result()), 'application/json');
    assert.equal(await accepts((api) => api.get('a').text()), 'text/*');
    assert.equal(await accepts((api) => api.post('a', { json: 1 }).json()), 'application/json');
    for (const read of ['bytes', 'blob', 'arrayBuffer']) assert.equal(await accepts((api) => api.get('a')[read]()), null, read);
    assert.equal(await accepts((api) => api.get('a')), null);
    assert.equal(await accepts(async (api) => (await api.get('a')).json()), null);
    assert.equal(await accepts((api) => api.get('a').then((response) => response.json())), null);
    assert.equal(await accepts(async (api) => (await api.fetch('a')).json()), null);
  });

  it('is added to the other headers', async () => {
    const both = { 'x-a': '1' };
    for (const headers of [both, new Headers(both), Object.entries(both)]) {
      for (const [client, call] of [[headers, undefined], [undefined, headers], [{ 'x-b': '2' }, headers], [() => headers, undefined], [undefined, async () => headers]]) {
        const { seen, api } = recorder({ headers: client });
        await api.get('a', { headers: call }).json();
        assert.deepEqual([seen[0].headers.get('accept'), seen[0].headers.get('x-a')], ['application/json', '1']);
      }
    }
    const { seen, api } = recorder();
    await api.post(new Request('http://a.test/', { method: 'POST', body: 'x', headers: both })).json();
    await api.post('a', { json: 1 }).json();
    assert.deepEqual([seen[0].headers.get('accept'), seen[0].headers.get('x-a'), await seen[0].text()], ['application/json', '1', 'x']);
    assert.deepEqual([seen[1].headers.get('accept'), seen[1].headers.get('content-type')], ['application/json', 'application/json']);
  });

  it('is left to the caller who says it, or leaves it out', async () => {
    for (const headers of [{ ACCEPT: 'a/b' }, new Headers({ accept: 'a/b' }), [['Accept', 'a/b']], () => ({ accept: 'a/b' })]) {
      assert.equal(await accepts((api) => api.get('a').json(), { headers }), 'a/b');
      assert.equal(await accepts((api) => api.get('a', { headers }).json()), 'a/b');
      assert.equal(await accepts((api) => api.get('a', { headers }).text(), { headers: { 'x-a': '1' } }), 'a/b');
    }
    assert.equal(await accepts((api) => api.get('a', { headers: { Accept: undefined } }).json()), null);
    assert.equal(await accepts((api) => api.get(new Request('http://a.test/', { headers: { accept: 'a/b' } })).json()), 'a/b');
  });

  it('is of no account where the headers cannot be sent', async () => {
    const api = createClient({ baseUrl: 'http://127.0.0.1:9/', retry: 0 });
    for (const headers of [{ a: 'x\ny' }, [['a', 'x\ny']], { 'a b': '1' }]) {
      for (const promise of [api.get('a', { headers }).json(), api.extend({ headers }).get('a').json()]) {
        assert.equal((await rejection(promise)).code, 'INVALID_REQUEST');
      }
    }
  });

  it('is that of the first reader, and stays for a retry', async () => {
    let count = 0;
    const seen = [];
    const fetch = async (input, init) => {
      seen.push(new Headers(init.headers).get('accept'));
      if (++count < 3) throw new TypeError('Failed to fetch');
      return new Response('{}');
    };
    const promise = createClient({ fetch, retry: { delay: 1 } }).get('http://a.test/');
    const [text] = await Promise.all([promise.text(), promise.json().catch(() => {})]);
    assert.equal(text, '{}');
    assert.deepEqual(seen, ['text/*', 'text/*', 'text/*']);
  });

  it('of a keepalive call is left to the platform: it may be the last task of its page', async () => {
    const { seen, api } = recorder();
    await ready();
    const promise = api.post('a', { keepalive: true, json: 1 });
    assert.equal(seen.length, 1, 'sent at once');
    await promise.json();
    assert.equal(seen[0].headers.get('accept'), null);
  });
});

describe('a call', () => {
  it('is sent at once by its reader, and without one in a microtask of its task', async () => {
    await ready();
    const { seen, api } = recorder();
    const read = api.get('a').json();
    assert.equal(seen.length, 1);
    const streamed = api.get('b').stream();
    assert.equal(seen.length, 2);
    const bare = [api.get('c'), api.get('d')];
    assert.equal(seen.length, 2);
    let hasPassed = false;
    setImmediate(() => (hasPassed = true));
    await Promise.resolve();
    assert.deepEqual(seen.map(({ url }) => url.at(-1)), ['a', 'b', 'c', 'd']);
    assert.equal(hasPassed, false);
    await Promise.all([read, ...bare, streamed.cancel()]);
  });

  it('that is aborted before is not sent', async () => {
    await ready();
    for (const abort of [(api, controller) => controller.abort('x'), (api) => api.abortAll('x'), (api) => api.close('x')]) {
      const { seen, api } = recorder();
      const controller = new AbortController();
      const promise = api.get('a', { signal: controller.signal });
      abort(api, controller);
      const error = await rejection(promise);
      assert.deepEqual([error.code, error.outcome, error.cause, seen.length], ['ABORTED', 'not-sent', 'x', 0]);
      assert.equal(api.metrics().inFlight, 0);
    }
  });

  it('with a schema that is none is not sent', async () => {
    const { seen, api } = recorder();
    for (const schema of [null, {}]) {
      const error = await rejection(api.get('a').json(schema));
      assert.deepEqual([error.code, error.outcome], ['INVALID_OPTION', 'not-sent']);
      assert.equal((await api.get('a').result(schema)).error.code, 'INVALID_OPTION');
    }
    assert.equal(seen.length, 0);
  });

  it('sends its body and headers as they were when it was made', async () => {
    await ready();
    const { seen, api } = recorder();
    const bytes = new Uint8Array([65, 66, 67]);
    const view = new DataView(new Uint8Array([65, 66, 67, 68]).buffer, 1, 2);
    const buffer = new Uint8Array([65]).buffer;
    const search = new URLSearchParams('a=1');
    const form = new FormData();
    form.set('a', '1');
    form.set('f', new File(['x'], 'name.txt', { type: 'text/x' }));
    const headers = { 'x-a': '1' };
    const list = new Headers(headers);
    const calls = [bytes, view, buffer, search, form].map((body) => api.post('a', { body, headers }));
    calls.push(api.get('a', { headers: list }));
    bytes.fill(0);
    view.setUint8(0, 0);
    new Uint8Array(buffer).fill(0);
    search.set('a', '2');
    form.set('a', '2');
    headers['x-a'] = '2';
    list.set('x-a', '2');
    await Promise.all(calls);
    assert.deepEqual(seen.map((request) => request.headers.get('x-a')), Array(6).fill('1'));
    const [one, two, three, four, five] = seen;
    assert.deepEqual([await one.text(), await two.text(), await three.text(), await four.text()], ['ABC', 'BC', 'A', 'a=1']);
    const sent = await five.formData();
    assert.deepEqual([sent.get('a'), sent.get('f').name, sent.get('f').type], ['1', 'name.txt', 'text/x']);
  });
});
