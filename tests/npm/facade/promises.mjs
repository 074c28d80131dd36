// What a shortcut returns: no promise, but one in the eyes of whatever takes promises.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import { steadfetch } from './package.mjs';

const { callInfo, createClient } = steadfetch;

const down = async () => {
  throw new TypeError('down');
};
const client = (fetch = async () => Response.json({ a: 1 })) => createClient({ baseUrl: 'http://a.test/', fetch, retry: false });

async function unhandled(act) {
  const seen = [];
  const others = process.rawListeners('unhandledRejection');
  const listener = (reason) => seen.push(reason.code);
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listener);
  try {
    await act();
    for (let time = 0; time < 4; time += 1) await turn();
  } finally {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  }
  return seen;
}

describe('the promise of a shortcut', () => {
  it('is a Promise by its class, its tag and its members', async () => {
    const promise = client().get('a');
    assert.ok(promise instanceof Promise);
    assert.equal(promise.constructor, Promise);
    assert.equal(Object.prototype.toString.call(promise), '[object Promise]');
    assert.ok(promise.then(() => {}) instanceof Promise);
    assert.ok(promise.catch(() => {}) instanceof Promise);
    assert.ok(promise.finally(() => {}) instanceof Promise);
    await promise;
  });

  it('is taken by await, all, race, any, allSettled and resolve', async () => {
    const api = client();
    const [one, two] = await Promise.all([api.get('a'), api.get('b')]);
    assert.ok(one instanceof Response && two instanceof Response);
    assert.ok((await Promise.race([api.get('a')])) instanceof Response);
    assert.ok((await Promise.any([api.get('a')])) instanceof Response);
    assert.equal((await Promise.allSettled([client(down).get('a')]))[0].reason.code, 'NETWORK_ERROR');
    assert.ok((await Promise.resolve(api.get('a'))) instanceof Response);
    assert.ok((await (async () => api.get('a'))()) instanceof Response);
  });

  it('is taken by the assertions of node:assert', async () => {
    await assert.rejects(client(down).get('a'), { code: 'NETWORK_ERROR' });
    await assert.doesNotReject(client().get('a'));
  });

  it('runs then, catch and finally like a promise', async () => {
    const seen = [];
    await client().get('a').finally(() => seen.push('finally'));
    await client(down).get('a').catch(({ code }) => seen.push(code));
    await client(down).get('a').then(undefined, ({ code }) => seen.push(code));
    assert.deepEqual(seen, ['finally', 'NETWORK_ERROR', 'NETWORK_ERROR']);
  });

  it('gives one response, covered, however often and however late it is asked', async () => {
    const promise = client().get('a');
    assert.deepEqual(await promise.json(), { a: 1 });
    const response = await promise;
    assert.equal(await promise, response);
    assert.equal(callInfo(response).attempts, 1);
    await assert.rejects(response.json(), { code: 'UNEXPECTED_RESPONSE' });
    const other = client().get('a');
    const text = other.text();
    const early = await other;
    assert.equal(callInfo(early).attempts, 1);
    assert.equal(await text, '{"a":1}');
  });

  it('covers the response of an error that its reader has met', async () => {
    const promise = client(async () => new Response('{')).get('a');
    const error = await promise.json().catch((reason) => reason);
    assert.equal(error.code, 'PARSE_ERROR');
    assert.equal(callInfo(error.response).attempts, 1);
    assert.equal(await promise, error.response);
  });

  it('is reported as unhandled when nothing handles it, before or after it has failed', async () => {
    assert.deepEqual(await unhandled(() => void client(down).get('a')), ['NETWORK_ERROR']);
    assert.deepEqual(await unhandled(() => void client(down).get('a', { timeout: 0 })), ['INVALID_OPTION']);
    assert.deepEqual(await unhandled(() => void client(down).get('a').text()), ['NETWORK_ERROR']);
    assert.deepEqual(await unhandled(() => void client(down).get('a').then(() => {})), ['NETWORK_ERROR']);
  });

  it('is not reported where it is handled, or where its reader is', async () => {
    assert.deepEqual(await unhandled(() => client(down).get('a').catch(() => {})), []);
    assert.deepEqual(await unhandled(() => client(down).get('a', { timeout: 0 }).catch(() => {})), []);
    assert.deepEqual(await unhandled(() => client(down).get('a').text().catch(() => {})), []);
    assert.deepEqual(await unhandled(() => client(down).get('a').result()), []);
    assert.deepEqual(await unhandled(() => Promise.allSettled([client(down).get('a')])), []);
  });

  it('is settled once where a schema turns wrong while the answer is under way, and nothing is reported', async () => {
    const make = () => {
      let looks = 0;
      return { get '~standard'() { return (looks += 1) > 1 ? undefined : { validate: (value) => ({ value }) }; } };
    };
    for (const options of [{}, { idleTimeout: 100 }]) {
      const api = client().extend(options);
      assert.deepEqual(await unhandled(() => assert.rejects(api.get('a').json(make()), { code: 'INVALID_OPTION', outcome: 'answered' })), []);
    }
  });
});
