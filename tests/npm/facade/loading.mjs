// What `init` says about a file that is no engine, and how long it waits for one.

import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';

import { entry, fileUrl, packageDirectory } from '../harness/places.mjs';
import { join } from 'node:path';

let copies = 0;
/** The package, not yet loaded. */
const fresh = () => import(`${fileUrl(join(packageDirectory, entry('node')))}?loading${++copies}`);

const URL_GIVEN = 'https://user:secret@cdn.test/engine.wasm?token=secret';

/** What `init` of a URL rejects with, if the server gives that response. */
async function failure(respond) {
  const { init } = await fresh();
  mock.method(globalThis, 'fetch', respond);
  try {
    return await init(URL_GIVEN).then(() => assert.fail('it was loaded'), (error) => error);
  } finally {
    mock.restoreAll();
  }
}

/** A response as fetch gives it: with its URL. */
const at = (url, response) => Object.defineProperty(response, 'url', { value: url });

describe('init', () => {
  it('names the URL, the status and the content type of a file that is missing', async () => {
    const headers = { 'content-type': 'text/plain' };
    const error = await failure(async () => at('https://cdn.test/moved.wasm?token=secret', new Response('no', { status: 404, headers })));
    assert.equal(error.code, 'LOAD_FAILED');
    assert.match(error.message, /https:\/\/cdn\.test\/moved\.wasm: status 404, text\/plain/u);
    assert.doesNotMatch(error.message, /secret/u);
  });

  it('names them of a page in place of the file', async () => {
    const headers = { 'content-type': 'text/html' };
    const error = await failure(async () => new Response('<!doctype html>', { headers }));
    assert.match(error.message, /https:\/\/cdn\.test\/engine\.wasm: status 200, text\/html/u);
    assert.doesNotMatch(error.message, /secret/u);
  });

  it('names the URL where there is no answer', async () => {
    const error = await failure(async () => {
      throw new TypeError('fetch failed');
    });
    assert.match(error.message, /\(https:\/\/cdn\.test\/engine\.wasm; init has no fallback\)/u);
    assert.equal(error.cause.name, 'TypeError');
  });

  it('waits 30 seconds for a server that never answers, and the next call loads anew', async () => {
    const { createClient, init } = await fresh();
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(globalThis, 'fetch', () => new Promise(() => {}));
    try {
      const failed = init(URL_GIVEN).then(() => assert.fail('it was loaded'), (error) => error);
      mock.timers.tick(30_000);
      const error = await failed;
      assert.equal(error.code, 'LOAD_FAILED');
      assert.match(error.message, /no answer within 30000 ms/u);
    } finally {
      mock.timers.reset();
      mock.restoreAll();
    }
    const api = createClient({ fetch: async () => new Response('answer') });
    assert.equal(await api.get('https://api.test/').text(), 'answer');
  });
});

describe('an engine', () => {
  const { Module } = WebAssembly;
  after(() => {
    WebAssembly.Module = Module;
  });

  it('is in JavaScript for a browser that makes no large one of WebAssembly at once', async () => {
    const { createClient } = await fresh();
    let refused = 0;
    // As Chromium did before version 114, on the thread of a page. There it makes no instance of one either.
    WebAssembly.Module = class extends Module {
      constructor(bytes) {
        if (bytes.byteLength > 4_096) {
          refused += 1;
          throw new RangeError('WebAssembly.Module is disallowed on the main thread');
        }
        super(bytes);
      }

      static [Symbol.hasInstance](value) {
        return value instanceof Module;
      }
    };
    const api = createClient({ fetch: async () => new Response('answer') });
    const all = Promise.all(['a', 'b'].map((path) => api.get(`https://api.test/${path}`).text()));
    assert.deepEqual(await all, ['answer', 'answer']);
    assert.ok(refused > 0, 'the page has tried');
    assert.equal(await api.get('https://api.test/c').text(), 'answer');
  });
});
