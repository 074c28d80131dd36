// The covered Response, whatever a custom fetch gives.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { callInfo, createClient, errorInfo } = steadfetch;

const client = (fetch, options) => createClient({ baseUrl: 'http://a.test/', fetch, ...options });

describe('responses', () => {
  it('takes the same Response twice', async () => {
    const one = new Response(null, { status: 204 });
    const api = client(async () => one);
    assert.equal(await api.get('x').json(), undefined);
    assert.equal(await api.get('x').text(), '');
    assert.equal(await api.get('x'), one);
    assert.equal(callInfo(one).attempts, 1);
  });

  it('takes a frozen Response, and one whose members throw', async () => {
    assert.equal(await client(async () => Object.freeze(new Response('a'))).get('x').text(), 'a');
    const hostile = { get status() { throw new Error('status'); } };
    assert.equal((await rejection(client(async () => hostile).get('x'))).code, 'CALLBACK_ERROR');
  });

  it('reads headers behind a get() that throws, as that of SvelteKit does', async () => {
    const fetch = async () => {
      const response = Response.json({ detail: 'no' }, { status: 422 });
      response.headers.get = () => {
        throw new Error('filterSerializedResponseHeaders does not list it');
      };
      return response;
    };
    assert.deepEqual((await rejection(client(fetch).get('x').json())).data, { detail: 'no' });
  });

  it('lets readers of the body bring a buffer, where the platform does', async () => {
    const source = new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(new Uint8Array([1, 2, 3]));
        controller.close();
      },
    });
    const response = await client(async () => new Response(source)).fetch('x');
    const reader = response.body.getReader({ mode: 'byob' });
    const { value } = await reader.read(new Uint8Array(8));
    assert.deepEqual([...value], [1, 2, 3]);
    assert.equal((await reader.read(new Uint8Array(8))).done, true);
  });

  it('leaves the chunks of a source that uses them again alone', async () => {
    const chunk = new Uint8Array([7, 7]);
    let left = 3;
    const source = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const response = await client(async () => new Response(source)).fetch('x');
    assert.deepEqual([...(await response.bytes())], [7, 7, 7, 7, 7, 7]);
  });

  it('reads a form, and tells one that is broken', async () => {
    const form = new FormData();
    form.set('a', '1');
    const got = await client(async () => new Response(form)).get('x').formData();
    assert.equal(got.get('a'), '1');
    const broken = async () => new Response('no form', { headers: { 'content-type': 'text/plain' } });
    assert.equal((await rejection(client(broken).get('x').formData())).code, 'PARSE_ERROR');
  });

  it('locks the body for one reader', async () => {
    const response = await client(async () => new Response('abc')).fetch('x');
    response.body.getReader();
    assert.ok((await rejection(response.text())) instanceof TypeError);
    assert.throws(() => response.clone(), TypeError);
  });

  it('gives api.fetch a SyntaxError of ours for an answer without a body', async () => {
    const response = await client(async () => new Response(null, { status: 204 })).fetch('x');
    const error = await rejection(response.json());
    assert.ok(error instanceof SyntaxError);
    assert.equal(errorInfo(error).hint, 'empty-body');
    assert.deepEqual(errorInfo(error).attempts.map(({ status }) => status), [204]);
  });

  it('says of a read after the end what became of all attempts: a lost one makes the outcome unknown', async () => {
    for (const more of [{}, { onEvent() {} }]) {
      for (const [first, last, expected] of [
        [() => Promise.reject(new TypeError('lost')), 204, [undefined, 204, 'unknown']],
        [async () => new Response(null, { status: 503 }), 204, [503, 204, 'answered']],
        [async () => new Response(null, { status: 502 }), 204, [502, 204, 'unknown']],
        [async () => new Response(null, { status: 503 }), 504, [503, 504, 'unknown']],
      ]) {
        let sent = 0;
        const api = client(() => (sent++ ? Promise.resolve(new Response(null, { status: last })) : first()), {
          retry: { limit: 1, delay: 0, statusCodes: [502, 503] },
          ...more,
        });
        const response = await api.fetch('x');
        for (const read of [() => response.json(), () => response.json(null)]) {
          const { attempts, outcome } = errorInfo(await rejection(read()));
          assert.deepEqual([...attempts.map(({ status }) => status), outcome], expected);
          assert.deepEqual(attempts.map(({ number }) => number), [1, 2]);
        }
      }
    }
  });

  it('ends a call when its stream is cancelled', async () => {
    const events = [];
    const source = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
    const api = client(async () => new Response(source), { onEvent: ({ type, ok }) => events.push([type, ok]) });
    for await (const chunk of api.get('x').stream()) {
      assert.equal(chunk.byteLength, 1);
      break;
    }
    assert.deepEqual(events.at(-1), ['call-end', true]);
  });
});
