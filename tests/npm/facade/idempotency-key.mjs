// The option `idempotencyKey`: one key for all attempts of a write, and what 409 means then.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { callInfo, createClient } = steadfetch;

const KEY = /^"[0-9a-f]{32}"$/u;
const lost = () => new TypeError('Failed to fetch');
const answer = (status, headers) => new Response('{}', { status, headers });

/** A client whose fetch notes the keys that it is given, and answers by the script. */
function scripted(script, options) {
  const seen = [];
  const fetch = async (input, init) => {
    const { url, method, headers } = new Request(input, init);
    seen.push({ url, method, key: headers.get('idempotency-key') });
    const next = script.shift() ?? answer(200);
    if (next instanceof Error) throw next;
    return next;
  };
  return { seen, keys: () => seen.map(({ key }) => key), api: createClient({ baseUrl: 'https://a.test/', fetch, retry: { limit: 2, delay: 1 }, ...options }) };
}

describe('idempotencyKey', () => {
  it('auto sends the same new key with every attempt of a call', async () => {
    const { api, keys } = scripted([lost(), lost()], { idempotencyKey: 'auto' });
    await api.post('orders', { json: {} }).json();
    await api.patch('orders/1', { json: {} }).json();
    const [first, second, third, other] = keys();
    assert.match(first, KEY);
    assert.deepEqual([second, third], [first, first]);
    assert.match(other, KEY);
    assert.notEqual(other, first, 'another call is another write');
  });

  it('is the same on the resend after a token refresh', async () => {
    const auth = { getToken: () => 'old', refreshToken: () => 'new' };
    const { api, keys } = scripted([lost(), answer(401)], { idempotencyKey: 'auto', auth });
    await api.post('orders', { json: {} }).json();
    assert.equal(keys().length, 3);
    assert.equal(new Set(keys()).size, 1);
  });

  it('lifts the gate for one call, also of api.fetch', async () => {
    const { api, keys } = scripted([lost(), answer(200), lost(), answer(200)]);
    await api.post('orders', { json: {}, idempotencyKey: 'auto' }).json();
    await api.fetch('orders', { method: 'POST', body: 'a', idempotencyKey: '"k"' });
    assert.equal(keys().length, 4);
    assert.deepEqual(keys().slice(2), ['"k"', '"k"']);
  });

  it('sends the text of the caller as it is', async () => {
    const { api, keys } = scripted([]);
    await api.post('orders', { idempotencyKey: 'order-7' });
    assert.deepEqual(keys(), ['order-7']);
  });

  it('asks a function once for each call, with the request', async () => {
    const asked = [];
    const idempotencyKey = ({ url, method, headers, operation }) => asked.push([url, method, headers.get('x-a'), operation]) && `k${asked.length}`;
    const { api, keys } = scripted([lost()], { idempotencyKey, headers: { 'x-a': '1' } });
    await api.post('orders?a=1', { json: {}, operation: 'order' }).json();
    assert.deepEqual(asked, [['https://a.test/orders?a=1', 'POST', '1', 'order']]);
    assert.deepEqual(keys(), ['k1', 'k1']);
  });

  it('leaves a key among the headers of the caller alone', async () => {
    const header = { 'Idempotency-Key': '"own"' };
    const cases = [
      [{ headers: header }, {}],
      [{}, { headers: header }],
      [{}, { headers: () => header }],
      [{}, { hooks: { beforeRequest: [({ request }) => request.headers.set('idempotency-key', '"own"')] } }],
    ];
    for (const [client, call] of cases) {
      const { api, keys } = scripted([lost()], { ...client, idempotencyKey: 'auto' });
      await api.post('orders', { json: {}, ...call }).json();
      assert.deepEqual(keys(), ['"own"', '"own"']);
    }
    const { api, keys } = scripted([lost()], { idempotencyKey: 'auto' });
    await api.fetch(new Request('https://a.test/orders', { method: 'POST', body: 'a', headers: header }));
    assert.deepEqual(keys(), ['"own"', '"own"']);
  });

  it('goes with a function among the headers, and with the headers of a Request', async () => {
    const { api, keys, seen } = scripted([lost(), answer(200), lost()], { idempotencyKey: 'auto' });
    await api.post('orders', { json: {}, headers: () => ({ 'x-a': '1' }) }).json();
    await api.fetch(new Request('https://a.test/orders', { method: 'POST', body: 'a', headers: { 'x-a': '1' } }));
    assert.equal(seen.length, 4);
    for (const key of keys()) assert.match(key, KEY);
    assert.equal(new Set(keys()).size, 2);
  });

  it('of a client is skipped where the method has no use for it', async () => {
    const { api, keys } = scripted([], { idempotencyKey: 'auto' });
    for (const method of ['get', 'put', 'delete', 'head', 'query']) await api[method]('a');
    assert.deepEqual(keys(), [null, null, null, null, null]);
  });

  it('of a call with another method is INVALID_OPTION, and nothing is sent', async () => {
    for (const client of [{}, { idempotencyKey: 'auto' }]) {
      const { api, seen } = scripted([], client);
      const error = await rejection(api.put('a', { idempotencyKey: 'auto' }));
      assert.equal(error.code, 'INVALID_OPTION');
      assert.equal(error.outcome, 'not-sent');
      assert.match(error.message, /idempotencyKey.*POST.*PUT/u);
      assert.equal(seen.length, 0);
    }
  });

  it('refuses what no header can have', async () => {
    for (const bad of ['', ' ', 'a\nb', '\u4E2D', 5, null, true, {}]) {
      assert.throws(() => createClient({ idempotencyKey: bad }), ({ code, message }) => code === 'INVALID_OPTION' && message.includes('idempotencyKey'));
      const { api, seen } = scripted([]);
      assert.equal((await rejection(api.post('a', { idempotencyKey: bad }))).code, 'INVALID_OPTION');
      const error = await rejection(api.post('a', { idempotencyKey: () => bad }));
      assert.equal(error.code, 'CALLBACK_ERROR');
      assert.equal(error.outcome, 'not-sent');
      assert.equal(seen.length, 0);
    }
    const thrown = new Error('no');
    const error = await rejection(scripted([]).api.post('a', { idempotencyKey: () => { throw thrown; } }));
    assert.equal(error.code, 'CALLBACK_ERROR');
    assert.equal(error.originalError, thrown);
  });

  it('is in no error', async () => {
    const { api } = scripted([lost(), lost(), lost()]);
    const error = await rejection(api.post('a', { idempotencyKey: 'S3CRET' }));
    assert.equal(error.outcome, 'unknown');
    assert.ok(!`${error.message}${JSON.stringify(error)}`.includes('S3CRET'));
  });

  it('G05 waits and retries where the server is still busy with an earlier attempt', async () => {
    const { api, keys } = scripted([lost(), answer(409, { 'retry-after': '0' }), answer(201)], { idempotencyKey: 'auto' });
    const response = await api.post('orders', { json: {} });
    assert.equal(response.status, 201);
    assert.equal(callInfo(response).attempts, 3);
    assert.equal(new Set(keys()).size, 1);
  });

  it('G05 gives 409 to a first attempt as HTTP_ERROR with a hint', async () => {
    for (const [options, hint] of [[{ idempotencyKey: 'auto' }, 'in-progress'], [{ headers: { 'idempotency-key': 'k' } }, 'in-progress'], [{}, undefined]]) {
      const { api, seen } = scripted([answer(409)]);
      const error = await rejection(api.post('orders', { json: {}, ...options }));
      assert.equal(error.code, 'HTTP_ERROR');
      assert.equal(error.hint, hint);
      assert.equal(error.outcome, 'answered');
      assert.equal(seen.length, 1);
    }
    const { api } = scripted([answer(409)]);
    assert.equal((await rejection(api.put('orders/1', { headers: { 'idempotency-key': 'k' }, retry: { methods: ['PUT'] } }))).hint, undefined);
  });
});
