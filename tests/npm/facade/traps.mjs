// N01: an engine that traps settles every call, and the next call makes a new one.

import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';

// A trap is what an export throws. The package asks for `WebAssembly.Instance` when it needs an engine.
const RealInstance = WebAssembly.Instance;
let trapping = '';
let instances = 0;
WebAssembly.Instance = class {
  constructor(module) {
    instances += 1;
    const real = new RealInstance(module);
    this.exports = { ...real.exports };
    for (const [name, entry] of Object.entries(real.exports)) {
      if (typeof entry !== 'function') continue;
      this.exports[name] = (...args) => {
        if (trapping === name) throw new WebAssembly.RuntimeError('unreachable');
        return entry(...args);
      };
    }
  }
};

const { steadfetch, rejection } = await import('./package.mjs');
const { createClient, errorInfo } = steadfetch;

/** A fetch that answers when told, and hears its signals. */
function heldFetch() {
  const held = [];
  const fetch = (url, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      held.push({ signal, answer: () => resolve(new Response('{"a":1}')) });
    });
  return { fetch, held };
}

const answering = async () => new Response('{"a":1}');

describe('traps', { concurrency: false }, () => {
  it('settles the five calls that are under way, and aborts their I/O', async () => {
    const { fetch, held } = heldFetch();
    const api = createClient({ baseUrl: 'http://a.test/', fetch });
    await steadfetch.ready();
    const calls = [1, 2, 3, 4].map((n) => api.get(`x${n}`).json());
    const response = api.fetch('x5');
    trapping = 'head';
    held[0].answer();
    const results = await Promise.allSettled([...calls, response]);
    trapping = '';
    const infos = results.map(({ reason }) => errorInfo(reason));
    assert.deepEqual(infos.map(({ code }) => code), Array(5).fill('ENGINE_DEAD'));
    assert.deepEqual(infos.map(({ attempts }) => attempts.length), Array(5).fill(1));
    // The first one's headers had come.
    assert.deepEqual(infos.map(({ outcome }) => outcome), ['answered', ...Array(4).fill('unknown')]);
    assert.ok(held.every(({ signal }) => signal.aborted));
  });

  it('says that a call which lost an attempt before is unknown, though the next one was answered', async () => {
    let sent = 0;
    const fetch = async () => {
      if (!sent++) throw new TypeError('lost');
      trapping = 'head';
      return new Response('{}');
    };
    const error = await rejection(createClient({ baseUrl: 'http://a.test/', fetch, retry: { limit: 1, delay: 0 } }).get('x'));
    trapping = '';
    assert.deepEqual([error.code, error.outcome], ['ENGINE_DEAD', 'unknown']);
    assert.deepEqual(error.attempts.map(({ number, outcome }) => [number, outcome]), [[1, 'unknown'], [2, 'answered']]);
  });

  it('makes a new engine for the same client', async () => {
    const before = instances;
    const api = createClient({ baseUrl: 'http://a.test/', fetch: answering });
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await api.get('x').json(), { a: 1 });
    assert.equal(instances - before, 1);
  });

  it('rejects a body that is being read', async () => {
    const api = createClient({ baseUrl: 'http://a.test/', fetch: async () => new Response(new ReadableStream()) });
    const response = await api.fetch('x');
    const text = response.text();
    trapping = 'cancel';
    api.abortAll('now');
    trapping = '';
    assert.equal(errorInfo(await rejection(text)).code, 'ENGINE_DEAD');
  });

  it('is not sent any more after too many in a minute, and comes back after it', async () => {
    mock.method(performance, 'now', (() => { let time = 1e6; return () => (time += 1); })());
    try {
      const api = createClient({ baseUrl: 'http://a.test/', fetch: answering });
      trapping = 'start';
      const codes = [];
      for (let n = 0; n < 6; n += 1) codes.push(errorInfo(await rejection(api.get('x').json())));
      trapping = '';
      assert.ok(codes.every(({ code, outcome }) => code === 'ENGINE_DEAD' && outcome === 'not-sent'));
      const error = await rejection(api.get('x').json());
      assert.equal(error.code, 'ENGINE_DEAD', 'no new engine yet');
      mock.method(performance, 'now', () => 1e6 + 70_000);
      assert.deepEqual(await api.get('x').json(), { a: 1 });
    } finally {
      mock.restoreAll();
    }
  });
});
