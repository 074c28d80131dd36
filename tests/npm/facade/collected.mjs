// The body of an error is collected before a retry: what becomes of it is nothing to the attempts that follow.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { steadfetch } from './package.mjs';

const { createClient } = steadfetch;

/** A promise with its handles outside. */
function deferred() {
  const handles = {};
  handles.promise = new Promise((resolve, reject) => Object.assign(handles, { resolve, reject }));
  return handles;
}

/** A client whose fetch gives these, one after the other. */
const clientOf = (answers, options) =>
  createClient({
    baseUrl: 'http://a.test/',
    fetch: async (url, init) => answers.shift()(init),
    retry: { limit: 1, delay: 0, statusCodes: [503], shouldRetry: () => true },
    ...options,
  });

describe('the collected body of an error', () => {
  for (const [how, end] of [['fails', (late) => late.reject(new TypeError('late'))], ['comes', (late) => late.resolve('late')]]) {
    it(`leaves the next attempt alone when it ${how} too late`, async () => {
      const [late, sent, answer] = [deferred(), deferred(), deferred()];
      const api = clientOf(
        [() => ({ status: 503, headers: new Headers(), text: () => late.promise }), () => (sent.resolve(), answer.promise)],
        { timeout: false, idleTimeout: 20 },
      );
      const text = api.get('x', { timeout: false }).text();
      await sent.promise;
      end(late);
      // Whatever follows from that has its turn first.
      await new Promise((resolve) => setImmediate(resolve));
      answer.resolve(new Response('second'));
      assert.equal(await text, 'second');
    });
  }

  it('is not what is cancelled when a later answer is discarded', async () => {
    const cancelled = [];
    const body = (name) => new ReadableStream({ cancel: () => void cancelled.push(name), pull: (controller) => controller.enqueue(new Uint8Array([65])) }, { highWaterMark: 0 });
    const api = clientOf(
      [() => new Response('first', { status: 503 }), () => new Response(body('second'), { status: 500 }), () => new Response('third')],
      { retry: { limit: 2, delay: 0, statusCodes: [500, 503], shouldRetry: () => true }, throwHttpErrors: (status) => status === 503 },
    );
    assert.equal(await api.get('x').text(), 'third');
    assert.deepEqual(cancelled, ['second']);
  });

  it('that is empty can be read by a hook', async () => {
    let text;
    const api = clientOf([() => new Response(null, { status: 503 }), () => new Response('good')], {
      hooks: { beforeRetry: [async ({ error }) => { text = await error.response.text(); }] },
    });
    assert.equal(await api.get('x').text(), 'good');
    assert.equal(text, '');
  });

  it('is not the data of the error of a hook that throws', async () => {
    const api = clientOf([() => Response.json({ a: 1 }, { status: 503 })], { hooks: { beforeRetry: [() => { throw new Error('no'); }] } });
    const { error } = await api.get('x').result();
    assert.equal(error.code, 'CALLBACK_ERROR');
    assert.equal(error.data, undefined);
  });
});

describe('afterResponse', () => {
  it('may put the body into a response of its own', async () => {
    const api = createClient({
      baseUrl: 'http://a.test/',
      fetch: async () => new Response('whole'),
      hooks: { afterResponse: [({ response }) => new Response(response.body, { headers: { 'x-a': '1' } })] },
    });
    assert.equal(await api.get('x').text(), 'whole');
  });
});

describe('beforeRetry', () => {
  it('may give a response whose body takes longer than the timeout of the attempt before left', async () => {
    const body = new ReadableStream({
      async start(controller) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        controller.enqueue(new TextEncoder().encode('stored'));
        controller.close();
      },
    });
    const api = createClient({
      baseUrl: 'http://a.test/',
      fetch: async () => { throw new TypeError('lost'); },
      timeout: 20,
      retry: { limit: 1, delay: 40, jitter: false },
      hooks: { beforeRetry: [() => new Response(body)] },
    });
    assert.equal(await api.get('x').text(), 'stored');
  });
});
