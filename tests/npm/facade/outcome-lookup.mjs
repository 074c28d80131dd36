// The option `outcomeLookup`: what became of a write whose attempt was lost.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { callInfo, createClient } = steadfetch;

const lost = () => new TypeError('Failed to fetch');
const answer = (status, body = '{}', headers) => new Response(body, { status, headers });
const url = (key) => `operations/${encodeURIComponent(key)}`;

/** A client whose writes and lookups are answered by a script each; an Error is thrown, a function called. */
function scripted(writes, lookups, options) {
  const seen = [];
  const next = async (script, init) => {
    const given = script.shift();
    const value = typeof given === 'function' ? await given(init) : given;
    if (value instanceof Error) throw value;
    return value ?? answer(500);
  };
  const fetch = (input, init) => {
    const { url, method } = new Request(input, { ...init, body: undefined });
    const headers = new Headers(init.headers);
    seen.push({ path: new URL(url).pathname, method, key: headers.get('idempotency-key'), token: headers.get('authorization') });
    return next(method === 'POST' ? writes : lookups, init);
  };
  const { outcomeLookup, ...rest } = options ?? {};
  const api = createClient({
    baseUrl: 'https://a.test/',
    fetch,
    idempotencyKey: 'k',
    retry: { limit: 2, delay: 1 },
    outcomeLookup: { url, interval: 1, ...outcomeLookup },
    ...rest,
  });
  return { api, seen, methods: () => seen.map(({ method }) => method).join(' ') };
}

/** A fetch that ends with its signal only. */
const silent = ({ signal }) =>
  new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('outcomeLookup', () => {
  it('G01 a write that was done without an answer resolves with what the lookup got', async () => {
    const { api, seen, methods } = scripted([silent], [answer(200, '{"id":7}')], { headersTimeout: 20 });
    const response = await api.post('orders', { json: {} });
    assert.deepEqual(await response.json(), { id: 7 });
    assert.deepEqual(callInfo(response).via, 'lookup');
    assert.equal(callInfo(response).attempts, 1);
    assert.equal(methods(), 'POST GET');
    assert.deepEqual([seen[1].path, seen[1].key], ['/operations/k', null]);
  });

  it('is read by the shortcut that was called first, by result(), and by api.fetch', async () => {
    const lookup = () => [answer(200, '{"id":7}')];
    assert.deepEqual(await scripted([lost()], lookup()).api.post('orders').json(), { id: 7 });
    assert.deepEqual((await scripted([lost()], lookup()).api.post('orders').result()).data, { id: 7 });
    const response = await scripted([lost()], lookup()).api.fetch('orders', { method: 'POST', body: 'a' });
    assert.deepEqual([await response.text(), callInfo(response).via], ['{"id":7}', 'lookup']);
    const stream = scripted([lost()], lookup()).api.post('orders').stream();
    assert.equal(await new Response(stream).text(), '{"id":7}');
  });

  it('looks again while the write is pending, unknown, or the lookup fails', async () => {
    const { api, methods } = scripted([lost()], [answer(202), answer(404), answer(503), lost(), answer(200)]);
    assert.equal(callInfo(await api.post('orders')).via, 'lookup');
    assert.equal(methods(), 'POST GET GET GET GET GET');
    assert.deepEqual([api.metrics().calls, api.metrics().attempts, api.metrics().lookups], [1, 1, 5]);
  });

  it('ends with the error of the attempt after so many lookups', async () => {
    const { api, methods } = scripted([lost()], [], { outcomeLookup: { limit: 2 } });
    const error = await rejection(api.post('orders'));
    assert.deepEqual([error.code, error.outcome, error.retryStopped], ['NETWORK_ERROR', 'unknown', 'limit']);
    assert.equal(methods(), 'POST GET GET');
  });

  it('sends a write again that is not found, with its key, if the caller says so', async () => {
    const { api, seen, methods } = scripted([lost(), answer(201)], [answer(404)], { outcomeLookup: { resendIfNotFound: true } });
    const response = await api.post('orders', { json: {} });
    assert.deepEqual([response.status, callInfo(response).via, callInfo(response).attempts], [201, 'network', 2]);
    assert.equal(methods(), 'POST GET POST');
    assert.deepEqual([seen[0].key, seen[2].key], ['k', 'k']);
  });

  it('asks interpret, which may read the body that the caller reads too', async () => {
    const asked = [];
    const interpret = async (response) => {
      const { state } = await response.json();
      asked.push(state);
      return state;
    };
    const states = ['pending', 'not-found', 'done'].map((state) => answer(200, JSON.stringify({ state })));
    const { api } = scripted([lost()], states, { outcomeLookup: { interpret } });
    assert.deepEqual(await api.post('orders').json(), { state: 'done' });
    assert.deepEqual(asked, ['pending', 'not-found', 'done']);
    const failed = scripted([lost()], [answer(200, '{"state":"failed"}')], { outcomeLookup: { interpret } });
    const error = await rejection(failed.api.post('orders'));
    assert.deepEqual([error.code, error.outcome, error.retryStopped], ['NETWORK_ERROR', 'unknown', 'policy']);
  });

  it('a callback that throws, or returns anything else, is CALLBACK_ERROR with the outcome of the write', async () => {
    const thrown = new Error('no');
    const wrong = [
      { url: () => { throw thrown; } },
      { url: () => 5 },
      { url: () => 'https://user:S3CRET@a.test/' },
      { interpret: () => { throw thrown; } },
      { interpret: () => 'maybe' },
      { interpret: () => undefined },
    ];
    for (const outcomeLookup of wrong) {
      const { api } = scripted([lost()], [answer(200)], { outcomeLookup });
      const error = await rejection(api.post('orders'));
      assert.deepEqual([error.code, error.outcome], ['CALLBACK_ERROR', 'unknown']);
      assert.ok(!`${error} ${JSON.stringify(error)}`.includes('S3CRET'), `${error}`);
    }
  });

  it('refreshes the token of a lookup', async () => {
    let token = 'old';
    const auth = { getToken: () => token, refreshToken: () => (token = 'new') };
    const { api, seen } = scripted([lost()], [answer(401), answer(200)], { auth });
    assert.equal(callInfo(await api.post('orders')).via, 'lookup');
    assert.deepEqual(seen.map(({ token }) => token), ['Bearer old', 'Bearer old', 'Bearer new']);
  });

  it('has a slot of the queue while its write waits for it', async () => {
    const { api } = scripted([answer(502)], [answer(200, '{"id":7}')], { queue: { concurrency: 1 } });
    const response = await api.fetch('orders', { method: 'POST', body: 'a' });
    assert.deepEqual([response.status, await response.text()], [200, '{"id":7}']);
  });

  it('leaves the answer of a gateway to api.fetch if nothing is found', async () => {
    const { api } = scripted([answer(502, 'bad')], [], { outcomeLookup: { limit: 1 } });
    const response = await api.fetch('orders', { method: 'POST', body: 'a' });
    assert.deepEqual([response.status, await response.text(), callInfo(response).retryStopped], [502, 'bad', 'limit']);
    const error = await rejection(scripted([answer(502, 'bad')], [], { outcomeLookup: { limit: 1 } }).api.post('orders'));
    assert.deepEqual([error.code, error.status, error.data, error.outcome], ['HTTP_ERROR', 502, 'bad', 'unknown']);
  });

  it('is stopped by the signal of the caller and by the deadline', async () => {
    const controller = new AbortController();
    let ended = 0;
    const hanging = (init) => {
      init.signal.addEventListener('abort', () => (ended += 1));
      controller.abort('enough');
      return silent(init);
    };
    const error = await rejection(scripted([lost()], [hanging]).api.post('orders', { signal: controller.signal }));
    assert.deepEqual([error.code, error.phase, error.outcome, error.cause], ['ABORTED', 'lookup', 'unknown', 'enough']);
    const late = await rejection(scripted([lost()], [silent]).api.post('orders', { totalTimeout: 40 }));
    assert.deepEqual([late.code, late.phase, late.outcome], ['DEADLINE_EXCEEDED', 'lookup', 'unknown']);
    assert.equal(ended, 1);
  });

  it('has no part in calls without a key, nor in those that were answered', async () => {
    const { api, methods } = scripted([answer(500)], [], { idempotencyKey: undefined, retry: 0 });
    assert.equal((await rejection(api.post('orders', { headers: { 'idempotency-key': 'own' } }))).status, 500);
    assert.equal((await rejection(api.get('orders'))).status, 500);
    assert.equal(methods(), 'POST GET');
    const unkeyed = scripted([lost()], [], { idempotencyKey: undefined });
    assert.equal((await rejection(unkeyed.api.post('orders'))).retryStopped, 'method');
    assert.equal(unkeyed.methods(), 'POST');
  });

  it('works with a key among the headers of the caller, and of one call alone', async () => {
    const own = scripted([lost()], [answer(200)], { idempotencyKey: undefined });
    assert.equal(callInfo(await own.api.post('orders', { headers: { 'idempotency-key': 'own' } })).via, 'lookup');
    assert.equal(own.seen[1].path, '/operations/own');
    const plain = scripted([lost()], [answer(202), answer(200)], { outcomeLookup: undefined });
    const api = plain.api.extend({ outcomeLookup: false });
    assert.equal(callInfo(await api.post('orders', { outcomeLookup: { url, interval: 1 } })).via, 'lookup');
    const off = scripted([lost(), answer(201)], []);
    assert.equal(callInfo(await off.api.post('orders', { outcomeLookup: false })).via, 'network');
    assert.equal(off.methods(), 'POST POST');
  });

  it('refuses bad options, and a call that has no key', async () => {
    const bad = [5, {}, { url: 'a' }, { url, interval: -1 }, { url, limit: 0 }, { url, resendIfNotFound: 1 }, { url, interpret: 'a' }, { url, limt: 1 }];
    for (const outcomeLookup of bad) {
      assert.throws(() => createClient({ outcomeLookup }), ({ code, message }) => code === 'INVALID_OPTION' && message.includes('outcomeLookup'));
      const { api, seen } = scripted([], []);
      assert.equal((await rejection(api.post('a', { outcomeLookup }))).code, 'INVALID_OPTION');
      assert.equal(seen.length, 0);
    }
    const { api, seen } = scripted([], [], { idempotencyKey: undefined });
    const error = await rejection(api.post('a', { outcomeLookup: { url } }));
    assert.deepEqual([error.code, error.outcome, seen.length], ['INVALID_OPTION', 'not-sent', 0]);
  });
});
