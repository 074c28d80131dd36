// The caller's code at four moments.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient } = steadfetch;

describe('hooks', () => {
  it('shows the merged options', async () => {
    let shown;
    const api = createClient({
      baseUrl: 'http://a.test/',
      fetch: async () => new Response('{}'),
      timeout: 5_000,
      retry: { limit: 1, jitter: false },
      hooks: { beforeRequest: [({ options }) => { shown = options; }] },
    });
    await api.get('x', { retry: 2, credentials: 'omit', operation: 'look' });
    assert.equal(shown.timeout, 5_000);
    assert.deepEqual(shown.retry, { limit: 2, jitter: false });
    assert.equal(shown.credentials, 'omit');
    assert.equal(shown.operation, 'look');
    const names = ['baseUrl', 'credentials', 'fetch', 'headers', 'hooks', 'method', 'name', 'operation', 'retry', 'throwHttpErrors', 'timeout'];
    assert.deepEqual(Object.keys(shown).sort(), names, 'nothing of our own');
  });

  it('keeps what beforeRetry did to the headers, and tells it of the failure', async () => {
    const seen = [];
    const fetch = async (url, { headers }) => {
      seen.push(new Headers(headers).get('x-try'));
      if (seen.length < 3) throw new TypeError('Failed to fetch');
      return new Response('{}');
    };
    const errors = [];
    const beforeRetry = ({ request, error, retryCount }) => {
      errors.push([error.code, error.attempts.length, retryCount]);
      if (retryCount === 1) request.headers.set('x-try', '1');
    };
    await createClient({ baseUrl: 'http://a.test/', fetch, retry: { delay: 1 }, hooks: { beforeRetry: [beforeRetry] } }).get('x');
    assert.deepEqual(seen, [null, '1', '1']);
    assert.deepEqual(errors, [['NETWORK_ERROR', 1, 1], ['NETWORK_ERROR', 2, 2]]);
  });

  it('sends the Request of a hook, its body in every attempt', async () => {
    const seen = [];
    const fetch = async (input, init) => {
      const request = new Request(input, init);
      seen.push([request.url, request.method, await request.text()]);
      if (seen.length < 2) throw new TypeError('Failed to fetch');
      return new Response('{}');
    };
    const beforeRequest = () => new Request('http://b.test/y', { method: 'PUT', body: 'new' });
    await createClient({ baseUrl: 'http://a.test/', fetch, retry: { delay: 1 }, hooks: { beforeRequest: [beforeRequest] } }).get('x');
    assert.deepEqual(seen, [['http://b.test/y', 'PUT', 'new'], ['http://b.test/y', 'PUT', 'new']]);
  });

  it('keeps the referrer policy that fetch would reset beside a Request', async () => {
    const sent = [];
    const fetch = async (input, init) => (sent.push(new Request(input, init).referrerPolicy), new Response(''));
    const policy = { referrerPolicy: 'no-referrer' };
    const api = createClient({ baseUrl: 'http://a.test/', fetch });
    const stream = new ReadableStream({ start: (controller) => controller.close() });
    await api.post('x', { body: stream, ...policy, hooks: { beforeRequest: [() => {}] } });
    await api.fetch('x', { method: 'POST', hooks: { beforeRequest: [({ request }) => new Request(request, policy)] } });
    assert.deepEqual(sent, ['no-referrer', 'no-referrer']);
  });

  it('asks a headers function once per call', async () => {
    let asked = 0;
    const seen = [];
    const fetch = async (url, { headers }) => {
      seen.push([headers.get('authorization'), headers.get('x-a')]);
      if (seen.length < 2) throw new TypeError('Failed to fetch');
      return new Response('{}');
    };
    const headers = async () => ({ authorization: `t${++asked}`, 'x-a': '1' });
    const api = createClient({ baseUrl: 'http://a.test/', fetch, headers, retry: { delay: 1 } });
    await api.get('x', { headers: { 'x-a': undefined } });
    assert.deepEqual(seen, [['t1', null], ['t1', null]]);
    const error = await rejection(createClient({ fetch, headers: () => 7 }).get('http://a.test/'));
    assert.equal(error.code, 'CALLBACK_ERROR');
  });

  it('does not repeat a request whose method a hook has changed', async () => {
    const sent = [];
    const fetch = async (request) => {
      sent.push(request.method);
      throw new TypeError('Failed to fetch');
    };
    const pay = ({ request }) => new Request(request.url, { method: 'POST', body: 'pay' });
    const options = { baseUrl: 'http://a.test/', fetch, retry: { limit: 3, delay: 1 } };
    const first = await rejection(createClient({ ...options, hooks: { beforeRequest: [pay] } }).get('x'));
    assert.deepEqual([sent, first.retryStopped], [['POST'], 'method']);
    sent.length = 0;
    const plain = async (input) => fetch(input.method ? input : { method: 'GET' });
    const second = await rejection(createClient({ ...options, fetch: plain, hooks: { beforeRetry: [pay] } }).get('x'));
    assert.deepEqual([sent, second.retryStopped], [['GET', 'POST'], 'method']);
  });

  it('does not repeat a write whose key a hook took away, or that has an empty one', async () => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      throw new TypeError('Failed to fetch');
    };
    const options = { baseUrl: 'http://a.test/', fetch, retry: { limit: 3, delay: 1 } };
    const drop = ({ request }) => request.headers.delete('idempotency-key');
    const api = createClient({ ...options, hooks: { beforeRequest: [drop] } });
    const dropped = await rejection(api.post('x', { headers: { 'idempotency-key': 'k' } }));
    assert.deepEqual([sent, dropped.retryStopped], [1, 'method']);
    const empty = await rejection(createClient(options).post('x', { headers: { 'idempotency-key': '' } }));
    assert.deepEqual([sent, empty.retryStopped], [2, 'method']);
  });

  it('does not send a retry whose key a hook has changed, added to, or taken away', async () => {
    const sent = [];
    const fetch = async (url, { headers }) => {
      sent.push(new Headers(headers).get('idempotency-key'));
      throw new TypeError('Failed to fetch');
    };
    let count = 0;
    const change = ({ request }) => request.headers.set('idempotency-key', `k${++count}`);
    const remove = ({ request }) => request.headers.delete('idempotency-key');
    const replace = ({ request }) => new Request(request, { headers: { 'idempotency-key': 'other' } });
    const options = { baseUrl: 'http://a.test/', fetch: async (input, init) => fetch(input, init ?? {}), retry: { limit: 3, delay: 1 } };
    const call = { headers: { 'idempotency-key': 'k' } };
    for (const hook of [change, remove, replace]) {
      const api = createClient({ ...options, hooks: { beforeRetry: [hook] } });
      for (const more of [{}, { idempotent: true }]) {
        sent.length = 0;
        const error = await rejection(api.post('x', { ...call, ...more }));
        assert.deepEqual([sent, error.code, error.retryStopped, error.outcome], [['k'], 'NETWORK_ERROR', 'method', 'unknown'], `${hook}`);
      }
    }
    sent.length = 0;
    count = 0;
    const once = createClient({ ...options, retry: { limit: 2, delay: 1 }, hooks: { beforeRequest: [change], beforeRetry: [() => {}] } });
    const error = await rejection(once.post('x', call));
    assert.deepEqual([sent, error.retryStopped], [['k1', 'k1', 'k1'], 'limit'], 'a beforeRequest hook may set it');
  });

  it("knows a call's key beside a function for headers, unless that takes it away", async () => {
    const sent = [];
    const fetch = async (url, { headers }) => {
      sent.push(new Headers(headers).get('idempotency-key'));
      throw new TypeError('Failed to fetch');
    };
    const options = { baseUrl: 'http://a.test/', fetch, retry: { limit: 1, delay: 1 } };
    const key = { 'idempotency-key': 'k' };
    const beside = await rejection(createClient({ ...options, headers: () => ({ 'x-a': '1' }) }).post('x', { headers: key }));
    assert.deepEqual([sent, beside.retryStopped], [['k', 'k'], 'limit']);
    sent.length = 0;
    const client = createClient({ ...options, headers: key });
    const without = await rejection(client.post('x', { headers: () => ({ 'idempotency-key': undefined }) }));
    assert.deepEqual([sent, without.retryStopped], [[null], 'method']);
    sent.length = 0;
    const hooks = { beforeRetry: [() => {}] };
    const other = await rejection(client.post('x', { headers: () => ({ 'idempotency-key': 'k2' }), hooks }));
    assert.deepEqual([sent, other.retryStopped], [['k2', 'k2'], 'limit']);
  });

  it('sends the body of the Request that a hook gave, not that of the body function, in a retry too', async () => {
    const seen = [];
    const fetch = async (input, init) => {
      seen.push(await new Request(input, init).text());
      throw new TypeError('Failed to fetch');
    };
    const swap = ({ request }) => new Request(request, { body: 'new' });
    const api = createClient({ baseUrl: 'http://a.test/', fetch, retry: { limit: 1, delay: 1 }, hooks: { beforeRequest: [swap] } });
    await rejection(api.put('x', { body: () => 'old' }));
    assert.deepEqual(seen, ['new', 'new']);
  });

  it('knows the answer when throwHttpErrors throws', async () => {
    const fetch = async () => new Response('no', { status: 404 });
    const throwHttpErrors = () => { throw new Error('mine'); };
    const error = await rejection(createClient({ baseUrl: 'http://a.test/', fetch, throwHttpErrors }).get('x'));
    assert.deepEqual([error.code, error.outcome, error.status], ['CALLBACK_ERROR', 'answered', 404]);
  });

  it('sends nothing when call-start closes the client', async () => {
    let sent = 0;
    const fetch = async () => new Response(`${++sent}`);
    const api = createClient({ baseUrl: 'http://a.test/', fetch, onEvent: ({ type }) => type === 'call-start' && api.close() });
    const error = await rejection(api.post('x', { json: 1 }));
    assert.deepEqual([error.code, error.outcome, sent], ['ABORTED', 'not-sent', 0]);
  });

  it('leaves undefined pairs out, and knows no percent without a length', async () => {
    const seen = [];
    const fetch = async (url) => {
      seen.push(url);
      return new Response('body');
    };
    const progress = [];
    const api = createClient({ baseUrl: 'http://a.test/', fetch });
    await api.get('x', { searchParams: [['a', 1], ['b', undefined]], onDownloadProgress: (one) => progress.push(one.percent) }).text();
    assert.deepEqual(seen, ['http://a.test/x?a=1']);
    assert.ok(progress.every((percent) => percent === 0), `${progress}`);
  });
});

describe('what a failed hook is counted as', () => {
  it('is what the caller gets, in events and metrics too', async () => {
    const ends = [];
    const api = createClient({
      fetch: async () => new Response('no', { status: 500 }),
      onEvent: (event) => event.type === 'call-end' && ends.push(event.code),
      hooks: {
        beforeError: [
          () => {
            throw new Error('oops');
          },
        ],
      },
    });
    assert.equal((await rejection(api.get('http://a.test/').json())).code, 'CALLBACK_ERROR');
    assert.deepEqual(ends, ['CALLBACK_ERROR']);
    assert.deepEqual(api.metrics().failed, { CALLBACK_ERROR: 1 });
  });

  it('keeps the outcome and the attempts for a fallback that throws, also where beforeError made the error', async () => {
    const api = createClient({
      fetch: async () => new Response('', { status: 503 }),
      hooks: { beforeError: [() => new Error('wrapped')] },
    });
    const fallback = () => { throw new Error('none'); };
    const error = await rejection(api.post('http://a.test/x', { fallback }).json());
    assert.deepEqual([error.code, error.outcome, error.status, error.attempts?.length], ['CALLBACK_ERROR', 'answered', 503, 1]);
  });
});
