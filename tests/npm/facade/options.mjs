// Options that cannot be.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient, isSteadfetchError } = steadfetch;

const refused = (options) => {
  try {
    createClient(options);
  } catch (error) {
    assert.equal(error.code, 'INVALID_OPTION');
    assert.equal(error.name, 'SteadfetchError');
    assert.ok(isSteadfetchError(error));
    assert.ok(error.message.length < 1_000);
    return error.message;
  }
  throw new Error('it was taken');
};

describe('options', () => {
  it('names the nearest one', () => {
    assert.match(refused({ timeOut: 1 }), /timeout\?/);
    assert.match(refused({ retries: 1 }), /retry\?/);
    assert.match(refused({ retry: { delays: 1 } }), /retry\.delay\?/);
    assert.match(refused({ hooks: { beforeRequests: [] } }), /beforeRequest\?/);
    assert.doesNotMatch(refused({ frobnicate: {} }), /\?/);
  });

  it('names ours for the name of another client', async () => {
    const names = {
      params: 'searchParams', query: 'searchParams', data: 'json', prefix: 'baseUrl', prefixUrl: 'baseUrl', baseURL: 'baseUrl',
      validateStatus: 'throwHttpErrors', withCredentials: 'credentials', responseType: '.json()', onRequest: 'hooks.beforeRequest',
      onResponse: 'hooks.afterResponse', interceptors: 'hooks', cancelToken: 'signal', maxContentLength: 'maxResponseBytes', adapter: 'fetch',
      retryDelay: 'retry.delay', retryStatusCodes: 'retry.statusCodes',
    };
    for (const [theirs, ours] of Object.entries(names)) {
      assert.ok(refused({ [theirs]: 1 }).includes(`(${theirs} is not known; ${ours}?)`), theirs);
      const error = await rejection(createClient().get('http://a.test/', { [theirs]: 1 }));
      assert.ok(error.message.includes(`(${theirs} is not known; ${ours}?)`), error.message);
    }
    assert.match(refused({ hooks: { init: [] } }), /hooks\.init is not known; hooks\.beforeRequest\?/);
    assert.match(refused({ body: 'x' }), /body belongs to a call/);
    assert.match(refused({ retry: { params: 1 } }), /retry\.params is not known\)/);
  });

  it('says what is expected, and repeats no text', () => {
    assert.match(refused({ timeout: 'secret' }), /timeout: number from 1, false, not string/);
    assert.doesNotMatch(refused({ timeout: 'secret' }), /secret/);
    assert.match(refused({ retry: { limit: Infinity } }), /totalTimeout/);
    assert.match(refused({ json: {} }), /belongs to a call/);
    for (const key of ['body', 'method', 'signal', 'window']) assert.match(refused({ [key]: 'x' }), new RegExp(`${key} belongs to a call`));
    assert.match(refused([]), /options: object, not array/);
    assert.match(refused(new Map()), /options: object, not map/);
    assert.match(refused(null), /options: object, not null/);
    assert.match(refused({ queue: [] }), /queue: object, false, not array/);
  });

  it('says so of a scope, too', () => {
    const refusedScope = (options) => {
      try {
        createClient().scope(options);
      } catch (error) {
        assert.equal(error.code, 'INVALID_OPTION');
        assert.equal(error.outcome, 'not-sent');
        return error;
      }
      throw new Error('it was taken');
    };
    const own = new Error('mine');
    for (const name of ['totalTimeout', 'reserve', 'signal', 'failFast']) {
      const error = refusedScope({ get [name]() { throw own; } });
      assert.equal(error.originalError, own, name);
      assert.match(error.message, new RegExp(`invalid option \\(${name}: reading it threw\\)`));
    }
    assert.match(refusedScope({ reserve: -1 }).message, /reserve/);
    refusedScope(new Proxy({}, { ownKeys() { throw own; } }));
    refusedScope(null);
    refusedScope([]);
  });

  it('names the function that gave no milliseconds, and what it gave', async () => {
    const fetch = async () => { throw new TypeError('Failed to fetch'); };
    for (const [given, shown] of [[NaN, 'NaN'], [-5, '-5'], [Infinity, 'Infinity'], ['5', 'string'], [null, 'null'], [{}, 'object']]) {
      for (const [name, retry] of [['retry.delay', { delay: () => given }], ['retry.jitter', { jitter: async () => given }]]) {
        const error = await rejection(createClient({ fetch, retry: { limit: 1, ...retry } }).get('http://a.test/'));
        assert.equal(error.code, 'CALLBACK_ERROR');
        assert.equal(error.phase, 'hook');
        assert.ok(error.message.includes(`(${name} gave ${shown}`), error.message);
        assert.ok(error.originalError instanceof TypeError);
      }
    }
  });

  it('advises retryOnTimeout where it would help', async () => {
    const stalled = () => new Response(new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(3)); } }));
    const never = { '~standard': { version: 1, vendor: 'x', validate: () => new Promise(() => {}) } };
    const rows = {
      headers: [(api) => api.get('http://a.test/', { headersTimeout: 5 }), (url, { signal }) => new Promise((_, reject) => { signal.onabort = () => reject(signal.reason); })],
      idle: [(api) => api.get('http://a.test/', { idleTimeout: 5 }).text(), async () => stalled()],
      body: [(api) => api.get('http://a.test/', { timeout: 20 }).text(), async () => stalled()],
      hook: [(api) => api.get('http://a.test/', { timeout: 20 }).json(never), async () => new Response('{}')],
    };
    for (const [phase, [start, fetch]] of Object.entries(rows)) {
      const error = await rejection(start(createClient({ fetch, retry: 0 })));
      assert.deepEqual([error.code, error.phase], ['TIMEOUT', phase]);
      assert.ok(error.message.includes(`ms, phase ${phase})`), error.message);
      assert.equal(error.message.includes('retryOnTimeout'), phase === 'headers', error.message);
      assert.match(error.message, /; raise the limit.*; check outcome before repeating a write/);
    }
  });

  it('refuses a method that contradicts the shortcut, and sends nothing', async () => {
    let sent = 0;
    const api = createClient({ baseUrl: 'http://a.test/', fetch: async () => new Response(`${++sent}`) });
    const error = await rejection(api.get('a', { method: 'DELETE' }));
    assert.equal(error.code, 'INVALID_REQUEST');
    assert.equal(sent, 0);
    assert.equal(await api.get('a', { method: 'get' }).text(), '1');
  });

  it('asks no custom fetch about what is no URL', async () => {
    const api = createClient({ fetch: async () => assert.fail('sent'), baseUrl: 'http://a.test/' });
    for (const url of ['http://a:99999/', 'http://999.1.1.1.1/x', 'https://[::1/', 'http://a%/']) {
      const error = await rejection(api.get(url));
      assert.equal(error.code, 'INVALID_REQUEST', url);
      assert.equal(error.outcome, 'not-sent');
      assert.ok((await rejection(api.fetch(url))) instanceof TypeError);
    }
  });

  it('lets many calls share a signal, without a warning of Node', async () => {
    const warnings = [];
    const keep = (warning) => warnings.push(`${warning}`);
    process.on('warning', keep);
    const { signal } = new AbortController();
    const api = createClient({ fetch: async () => new Response('{}') });
    await Promise.all(Array.from({ length: 30 }, () => api.get('http://a.test/', { signal }).text()));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    assert.deepEqual(warnings, []);
  });

  it('survives what is hostile', async () => {
    refused({ get timeout() { throw new Error('getter'); } });
    refused(new Proxy({}, { ownKeys() { throw new Error('proxy'); } }));
    refused({ ['x'.repeat(10_000_000)]: 1 });
    refused({ timeout: 'x'.repeat(10_000_000) });
    refused(7);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    refused(proxy);
    const fetch = async () => assert.fail('sent');
    const error = await rejection(createClient({ fetch }).get(proxy));
    assert.equal(error.code, 'INVALID_REQUEST');
  });

  it('reads what stands on a prototype', async () => {
    let seen;
    const api = createClient({ fetch: async (url, init) => { seen = init; return new Response('{}'); } });
    class Init {
      get method() { return 'PUT'; }
      get body() { return 'abc'; }
      get totalTimeout() { return 50; }
    }
    await api.fetch('http://a.test/', new Init());
    assert.deepEqual([seen.method, seen.body], ['PUT', 'abc']);
  });
});
