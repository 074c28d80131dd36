// `api.events`: server-sent events over fetch.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient } = steadfetch;

const STREAM = { 'content-type': 'text/event-stream' };
const bytes = (text) => new TextEncoder().encode(text);

/** A body of these chunks. An Error breaks it, a promise is waited for; without either it ends in order. */
function bodyOf(chunks, seen = {}) {
  const left = [...chunks];
  return new ReadableStream(
    {
      async pull(controller) {
        seen.pulls = (seen.pulls ?? 0) + 1;
        const next = await left.shift();
        if (next instanceof Error) controller.error(next);
        else if (next === undefined) controller.close();
        else controller.enqueue(typeof next === 'string' ? bytes(next) : next);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
}

const stream = (...chunks) => new Response(bodyOf(chunks), { headers: STREAM });
const lost = () => new TypeError('terminated');

/** A client whose connections are answered by a script. */
function scripted(answers, options) {
  const seen = [];
  const script = [...answers];
  const fetch = async (input, init) => {
    const request = new Request(input, { ...init, signal: undefined });
    seen.push({ method: request.method, headers: Object.fromEntries(request.headers), signal: init.signal, body: await request.clone().text() });
    const answer = script.shift() ?? new Response(null, { status: 204 });
    const value = typeof answer === 'function' ? await answer(init) : answer;
    if (value instanceof Error) throw value;
    return value;
  };
  const ends = [];
  const onEvent = (event) => event.type === 'attempt-end' && ends.push(event.code);
  const api = createClient({ baseUrl: 'https://a.test/', fetch, onEvent, retry: { delay: 1, backoffLimit: 2 }, ...options });
  return { api, seen, ends };
}

async function all(iterable) {
  const events = [];
  for await (const event of iterable) events.push(event);
  return events;
}

const data = async (iterable) => (await all(iterable)).map((event) => event.data);
const never = new Promise(() => {});
/** A fetch that ends with its signal only. */
const silent = ({ signal }) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('api.events', () => {
  it('L02 L04 parses every stream of the vectors of all drivers, cut anywhere', async () => {
    const { vectors } = JSON.parse(await readFile(new URL('../../vectors/event-streams.json', import.meta.url), 'utf8'));
    assert.ok(vectors.length);
    for (const { text, limit, events: expected, tooLarge } of vectors) {
      const whole = bytes(text);
      for (let at = 0; at <= whole.length; at++) {
        const chunks = [whole.slice(0, at), whole.slice(at)].filter(({ length }) => length);
        const { api } = scripted([stream(...chunks)]);
        const events = [];
        let code;
        try {
          for await (const event of api.events('feed', { reconnect: false, ...(limit && { maxEventBytes: limit }) })) events.push(event);
        } catch (error) {
          code = error.code;
        }
        assert.deepEqual(events, expected, `${JSON.stringify(text)} cut at ${at}`);
        assert.equal(code, tooLarge ? 'RESPONSE_TOO_LARGE' : undefined, `${JSON.stringify(text)} cut at ${at}`);
      }
    }
  });

  it('sends Accept, the headers of client and call, any method and a body', async () => {
    const { api, seen } = scripted([stream('data: 1\n\ndata: [DONE]\n\n')], { headers: { 'x-a': '1' } });
    assert.deepEqual(await data(api.events('chat', { method: 'POST', json: { prompt: 'hi' }, headers: { 'x-b': '2' } })), ['1', '[DONE]']);
    const [{ method, headers, body }] = seen;
    assert.deepEqual([seen.length, method, headers.accept, headers['x-a'], headers['x-b'], body], [1, 'POST', 'text/event-stream', '1', '2', '{"prompt":"hi"}']);
  });

  it('connects when the first event is asked for, and no sooner', async () => {
    const { api, seen } = scripted([stream('data: 1\n\n')]);
    const events = api.events('feed');
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(seen.length, 0);
    assert.equal((await events.next()).value.data, '1');
    await events.return();
  });

  it('connects again after an end and after a loss, with the last complete ID, until a 204', async () => {
    const { api, seen, ends } = scripted([stream('id: 7\ndata: 1\n\n'), stream('id: 8\ndata: 2\n\nid: 9\ndata: cut', lost()), stream('data: 3\n\n')]);
    const events = await all(api.events('feed', { lastEventId: '6' }));
    assert.deepEqual(events.map((event) => [event.data, event.id]), [['1', '7'], ['2', '8'], ['3', '8']]);
    assert.deepEqual(seen.map(({ headers }) => headers['last-event-id']), ['6', '7', '8', '8']);
    assert.deepEqual(ends, [undefined, 'NETWORK_ERROR', undefined, undefined]);
  });

  it('a POST does not connect again: its end is the end, and a loss throws', async () => {
    const ended = scripted([stream('data: 1\n\n')]);
    assert.deepEqual(await data(ended.api.events('chat', { method: 'POST' })), ['1']);
    const cut = scripted([stream('data: 1\n\n', lost())]);
    const events = cut.api.events('chat', { method: 'POST' });
    assert.equal((await events.next()).value.data, '1');
    const error = await rejection(events.next());
    assert.deepEqual([error.code, error.phase, error.outcome, cut.seen.length], ['NETWORK_ERROR', 'body', 'unknown', 1]);
    assert.deepEqual(await events.next(), { done: true, value: undefined });
  });

  it('a POST with an idempotency key connects again with the same key', async () => {
    const { api, seen } = scripted([stream('data: 1\n\n', lost()), stream('data: 2\n\n')]);
    assert.deepEqual(await data(api.events('chat', { method: 'POST', idempotencyKey: 'auto' })), ['1', '2']);
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 1);
    assert.ok(keys[0]);
  });

  it('L05 a 4xx and another content type throw, at once', async () => {
    for (const [answer, code, status] of [
      [() => new Response('', { status: 403 }), 'HTTP_ERROR', 403],
      [() => new Response('', { status: 404 }), 'HTTP_ERROR', 404],
      [() => new Response('', { status: 401 }), 'HTTP_ERROR', 401],
      [() => new Response('<p>', { headers: { 'content-type': 'text/html' } }), 'UNEXPECTED_RESPONSE', 200],
    ]) {
      const { api, seen } = scripted([answer]);
      const error = await rejection(api.events('feed').next());
      assert.deepEqual([error.code, error.status, seen.length], [code, status, 1]);
    }
  });

  it('L05 a 401 refreshes the token once and connects', async () => {
    let refreshes = 0;
    const auth = { getToken: () => 'old', refreshToken: () => `new${++refreshes}` };
    const { api, seen } = scripted([new Response('', { status: 401 }), stream('data: 1\n\n')], { auth });
    assert.deepEqual(await data(api.events('feed', { reconnect: false })), ['1']);
    assert.deepEqual([refreshes, seen.length, seen[1].headers.authorization], [1, 2, 'Bearer new1']);
  });

  it('L07 waits at least the server’s reconnection time, and its Retry-After', async (t) => {
    const at = [];
    const timed = (answer) => () => (at.push(performance.now()), answer());
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '1' } });
    const { api } = scripted([timed(() => stream('retry: 60\ndata: 1\n\n')), timed(() => new Response('', { status: 503 })), timed(busy), timed(() => stream('data: 2\n\n'))]);
    assert.deepEqual(await data(api.events('feed')), ['1', '2']);
    const waits = at.slice(1).map((time, index) => time - at[index]);
    assert.ok(waits[0] >= 58 && waits[1] >= 58, `${waits}`);
    assert.ok(waits[2] >= 998, `${waits}`);
  });

  it('goes on for as many connections as it takes, without a retry of the budget', async () => {
    const count = 60;
    const { api } = scripted(Array.from({ length: count }, (_, index) => (index % 2 ? lost() : stream(`data: ${index}\n\n`))), { retryBudget: { capacity: 1, ratio: 0, perSecond: 0 } });
    assert.equal((await data(api.events('feed'))).length, count / 2);
    assert.equal(api.metrics().retries, 0);
  });

  it('L01 silence for idleTimeout breaks the connection, comments do not', async () => {
    const slow = async (text) => (await new Promise((resolve) => setTimeout(resolve, 60)), text);
    const alive = () => new Response(new ReadableStream({
      async start(controller) {
        for (const text of [':\n\n', ':\n\n', ':\n\n', 'id: 7\ndata: 1\n\n']) controller.enqueue(bytes(await slow(text)));
      },
    }), { headers: STREAM });
    const { api, seen, ends } = scripted([alive, stream('data: 2\n\n')]);
    assert.deepEqual(await data(api.events('feed', { idleTimeout: 150 })), ['1', '2']);
    assert.equal(ends[0], 'TIMEOUT');
    assert.equal(seen[1].headers['last-event-id'], '7');
    assert.equal(seen[0].signal.aborted, true);
    const once = scripted([stream(never)]);
    const error = await rejection(once.api.events('feed', { idleTimeout: 20, reconnect: false }).next());
    assert.deepEqual([error.code, error.phase], ['TIMEOUT', 'idle']);
  });

  it('L09 an event over the limit throws, and is not asked for again', async () => {
    const seen = {};
    const body = bodyOf(Array.from({ length: 100 }, () => 'x'.repeat(1000)), seen);
    const connection = scripted([new Response(body, { headers: STREAM })]);
    const error = await rejection(connection.api.events('feed', { maxEventBytes: 10_000 }).next());
    assert.deepEqual([error.code, connection.seen.length], ['RESPONSE_TOO_LARGE', 1]);
    assert.match(error.message, /maxEventBytes 10000/);
    assert.ok(seen.pulls <= 13, `${seen.pulls} pulls`);
  });

  it('L11 what the loop throws leaves it, and aborts the connection', async () => {
    const body = {};
    const { api, seen } = scripted([new Response(bodyOf(['data: 1\n\n', 'data: 2\n\n', never], body), { headers: STREAM })]);
    const failure = new Error('mine');
    const error = await rejection((async () => { for await (const event of api.events('feed')) throw failure; })());
    assert.equal(error, failure);
    assert.deepEqual([seen.length, body.cancelled || seen[0].signal.aborted], [1, true]);
  });

  it('reads no faster than its events are taken', async () => {
    const body = {};
    const { api } = scripted([new Response(bodyOf(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n', never], body), { headers: STREAM })]);
    const events = api.events('feed');
    await events.next();
    const { pulls } = body;
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(body.pulls, pulls);
    assert.ok(pulls <= 2, `${pulls} pulls`);
    await events.return();
  });

  it('ends a pending next at return(), while it connects, reads and waits', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '50' } });
    for (const answer of [silent, () => stream(never), busy]) {
      const { api, seen } = scripted([answer]);
      const events = api.events('feed');
      const next = events.next();
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(await events.return(), { done: true, value: undefined });
      assert.deepEqual(await next, { done: true, value: undefined });
      assert.equal(seen.length, 1);
    }
  });

  it('the signal, close() and a scope end it wherever it is, with the reason', async () => {
    const busy = () => new Response('', { status: 503, headers: { 'retry-after': '50' } });
    const reason = new Error('enough');
    for (const answer of [silent, () => stream(never), busy]) {
      for (const how of ['signal', 'close', 'scope']) {
        const { api } = scripted([answer]);
        const controller = new AbortController();
        const client = how === 'scope' ? api.scope({ signal: controller.signal }) : api;
        const pending = rejection(client.events('feed', how === 'signal' ? { signal: controller.signal } : {}).next());
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (how === 'close') api.close(reason);
        else controller.abort(reason);
        const error = await pending;
        assert.deepEqual([error.code, error.cause], ['ABORTED', reason], `${how} ${answer}`);
      }
    }
    const early = scripted([]);
    const error = await rejection(early.api.events('feed', { signal: AbortSignal.abort(reason) }).next());
    assert.deepEqual([error.code, error.cause, error.outcome, early.seen.length], ['ABORTED', reason, 'not-sent', 0]);
  });

  it('totalTimeout holds for the life of the stream, that of the client does not', async () => {
    const slow = () => stream('data: 1\n\n', new Promise((resolve) => setTimeout(resolve, 60, 'data: 2\n\n')));
    const { api } = scripted([slow], { totalTimeout: 30, timeout: 30 });
    assert.deepEqual(await data(api.events('feed')), ['1', '2']);
    const limited = scripted([stream('data: 1\n\n'), stream('data: 2\n\n', never)]);
    const events = limited.api.events('feed', { totalTimeout: 80 });
    assert.equal((await events.next()).value.data, '1');
    assert.equal((await events.next()).value.data, '2');
    assert.equal((await rejection(events.next())).code, 'DEADLINE_EXCEEDED');
  });

  it('timeout covers each connection until its headers', async () => {
    const slow = () => stream('data: 1\n\n', new Promise((resolve) => setTimeout(resolve, 60, 'data: 2\n\n')));
    const { api, ends } = scripted([silent, slow]);
    assert.deepEqual(await data(api.events('feed', { timeout: 30 })), ['1', '2']);
    assert.equal(ends[0], 'TIMEOUT');
  });

  it('takes no slot of the queue', async () => {
    const { api } = scripted([stream(never), new Response('{}')], { queue: { concurrency: 1 } });
    const events = api.events('feed');
    const next = events.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(await api.get('other').json(), {});
    await events.return();
    await next;
  });

  it('refuses mistakes before anything is sent', async () => {
    for (const [options, name] of [
      [{ reconnect: 1 }, 'reconnect'], [{ maxEventBytes: 0 }, 'maxEventBytes'], [{ maxEventBytes: '1' }, 'maxEventBytes'], [{ maxEventBytes: NaN }, 'maxEventBytes'],
      [{ lastEventId: 'a\nb' }, 'lastEventId'], [{ lastEventId: 7 }, 'lastEventId'], [{ idleTimeout: 'x' }, 'idleTimeout'], [{ totalTimeout: null }, 'totalTimeout'], [{ lastEventID: 'a' }, 'lastEventID'],
    ]) {
      const { api, seen } = scripted([]);
      const error = await rejection(api.events('feed', options).next());
      assert.deepEqual([error.code, seen.length], ['INVALID_OPTION', 0], name);
      assert.ok(error.message.includes(name), error.message);
    }
  });

  it('a thousand connections leave no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
      const own = signal[name];
      signal[name] = function (...given) {
        listeners += step;
        return own.apply(signal, given);
      };
    }
    const { api } = scripted(Array.from({ length: 1000 }, () => () => stream('retry: 0\ndata: 1\n\n')), { retry: { delay: 0 } });
    assert.equal((await all(api.events('feed', { signal }))).length, 1000);
    assert.equal(listeners, 0);
    assert.equal(api.metrics().inFlight, 0);
  });
});
