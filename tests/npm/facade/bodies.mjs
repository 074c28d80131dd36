// What is sent, and sent again.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient, errorInfo } = steadfetch;

/** A fetch that fails at first, then echoes what it was given. */
function failing(times) {
  const seen = [];
  const fetch = async (input, init) => {
    const request = new Request(input, init);
    seen.push({ url: request.url, method: request.method, headers: new Headers(request.headers), body: await request.text() });
    if (seen.length <= times) throw new TypeError('Failed to fetch');
    return new Response('{}');
  };
  return { fetch, seen };
}

const api = (fetch, options) => createClient({ baseUrl: 'http://a.test/', fetch, retry: { delay: 1 }, ...options });

describe('bodies', () => {
  it('sends a Request with a body again', async () => {
    const { fetch, seen } = failing(1);
    await api(fetch).fetch(new Request('http://a.test/x', { method: 'PUT', body: 'abc', headers: { 'X-A': '1' } }));
    assert.deepEqual(seen.map(({ method, body, headers }) => [method, body, headers.get('x-a')]), [['PUT', 'abc', '1'], ['PUT', 'abc', '1']]);
  });

  it('does not read the body of a Request that is sent once only', async () => {
    const { fetch, seen } = failing(1);
    const request = new Request('http://a.test/x', { method: 'POST', body: 'abc' });
    const error = await rejection(api(fetch).fetch(request));
    assert.equal(errorInfo(error).retryStopped, 'method');
    assert.deepEqual(seen.map(({ body }) => body), ['abc']);
  });

  it('asks a body function for each attempt, a stream too', async () => {
    const { fetch, seen } = failing(2);
    let count = 0;
    const body = () => new Blob([`body ${++count}`]).stream();
    await api(fetch).put('x', { body });
    assert.deepEqual(seen.map((one) => one.body), ['body 1', 'body 2', 'body 3']);
  });

  it('draws the boundary of a form anew, also when a hook has seen it', async () => {
    const { fetch, seen } = failing(1);
    const body = new FormData();
    body.set('a', '1');
    const hooks = { beforeRequest: [({ request }) => request.headers.set('x-hook', '1')] };
    await api(fetch, { hooks }).put('x', { body });
    assert.equal(seen.length, 2);
    for (const { headers, body: sent } of seen) {
      const boundary = /boundary=(.+)/.exec(headers.get('content-type'))[1];
      assert.ok(sent.includes(boundary));
      assert.equal(headers.get('x-hook'), '1');
    }
  });

  it('drops a multipart type without boundary in shortcuts only', async () => {
    const body = new FormData();
    const headers = { 'Content-Type': 'multipart/form-data' };
    const seen = [];
    const fetch = async (url, init) => {
      seen.push(new Headers(init.headers).get('content-type'));
      return new Response('{}');
    };
    await api(fetch).post('x', { body, headers });
    await api(fetch).fetch('x', { method: 'POST', body, headers });
    assert.deepEqual(seen, [null, 'multipart/form-data']);
  });

  it('refuses a file that cannot be read before it is sent again', async () => {
    const { fetch, seen } = failing(1);
    const body = new Blob(['abc']);
    body.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) });
    const error = await rejection(api(fetch).put('x', { body }).json());
    assert.deepEqual([error.code, error.hint, error.outcome], ['INVALID_REQUEST', 'body-changed', 'unknown']);
    assert.equal(seen.length, 1);
  });

  it('takes one of body, json and form', async () => {
    const { fetch, seen } = failing(0);
    assert.equal((await rejection(api(fetch).post('x', { body: 'a', json: 1 }))).code, 'INVALID_OPTION');
    assert.equal((await rejection(api(fetch).post('x', { json: 1n }))).code, 'INVALID_OPTION');
    const loop = {};
    loop.loop = loop;
    assert.equal((await rejection(api(fetch).post('x', { json: loop }))).code, 'INVALID_OPTION');
    assert.equal(seen.length, 0);
    await api(fetch).post('x', { form: { a: 1, b: undefined } });
    assert.equal(seen[0].body, 'a=1');
  });

  it('refuses what outlives the page and is too large', async () => {
    const { fetch, seen } = failing(0);
    const error = await rejection(api(fetch).post('x', { body: 'a'.repeat(65_537), keepalive: true }));
    assert.equal(error.code, 'INVALID_REQUEST');
    await api(fetch).post('x', { body: 'a'.repeat(65_536), keepalive: true });
    assert.equal(seen.length, 1);
    const form = new FormData();
    form.append('a', 'a'.repeat(40_000));
    form.append('b', new Blob(['a'.repeat(25_537)]));
    const whole = await rejection(api(fetch).post('x', { body: () => form, keepalive: true }));
    assert.deepEqual([whole.code, whole.outcome], ['INVALID_REQUEST', 'not-sent']);
    await api(fetch).post('x', { body: () => undefined, keepalive: true });
    assert.equal(seen.length, 2, 'there is nothing to measure');
  });
});
