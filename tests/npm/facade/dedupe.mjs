// The option `dedupe`: equal requests that are under way at the same time become one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { callInfo, createClient } = steadfetch;

/** A client whose fetch waits for the test: `sent` has what came, each with `answer` and `fail`. */
function held(options) {
  const sent = [];
  const fetch = (input, init) =>
    new Promise((resolve, reject) => {
      const { url, headers, method } = new Request(input, init);
      init.signal.addEventListener('abort', () => reject(init.signal.reason));
      sent.push({ url, headers, method, signal: init.signal, answer: (body = '{"a":1}', more) => resolve(typeof body === 'object' ? body : new Response(body, more)), fail: () => reject(new TypeError('Failed to fetch')) });
    });
  return { sent, fetch, api: createClient({ baseUrl: 'https://a.test/', fetch, dedupe: true, retry: 0, ...options }) };
}

/** All microtasks, and a task. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A body that comes when the test wants. */
function slowBody() {
  let controller;
  const stream = new ReadableStream({ start: (given) => void (controller = given) });
  return { response: new Response(stream), push: (text) => controller.enqueue(new TextEncoder().encode(text)), close: () => controller.close(), fail: () => controller.error(new TypeError('broken')) };
}

function atRest(api) {
  const { calls, succeeded, failed, inFlight } = api.metrics();
  assert.equal(inFlight, 0, 'in flight');
  assert.equal(Object.values(failed).reduce((sum, count) => sum + count, succeeded), calls, 'outcomes');
}

/** Each of the calls sends a request of its own. */
async function shareNothing(api, sent, calls) {
  calls.map((call) => call.catch(() => {}));
  await turn();
  await turn();
  assert.equal(sent.length, calls.length);
  api.abortAll();
  await Promise.allSettled(calls);
  atRest(api);
}

describe('dedupe', () => {
  it('makes one request of a hundred equal ones, and each caller gets an answer of its own', async () => {
    const { api, sent } = held();
    const calls = Array.from({ length: 100 }, () => api.get('a', { searchParams: { b: 1 } }).json());
    await turn();
    assert.equal(sent.length, 1);
    sent[0].answer();
    const got = await Promise.all(calls);
    assert.deepEqual(got[99], { a: 1 });
    assert.equal(new Set(got).size, 100, 'none can change the value of another');
    const { attempts, shared } = api.metrics();
    assert.deepEqual([attempts, shared], [1, 99]);
    atRest(api);
  });

  it('gives each caller a Response, and says in callInfo and events that it was shared', async () => {
    const starts = [];
    const { api, sent } = held({ onEvent: (event) => event.type === 'attempt-start' && starts.push(event.shared) });
    const calls = [api.get('a'), api.get('a'), api.get('a')].map((call) => call.then((response) => response));
    await turn();
    sent[0].answer('text', { status: 201, headers: { 'x-a': 'b' } });
    const responses = await Promise.all(calls);
    assert.deepEqual(responses.map((response) => callInfo(response).via), ['network', 'shared', 'shared']);
    assert.deepEqual(starts, [undefined, true, true]);
    for (const response of responses) {
      assert.deepEqual([response.status, response.headers.get('x-a'), await response.text()], [201, 'b', 'text']);
    }
    atRest(api);
  });

  it('never shares what differs in method, URL, a header, the reader, or a member of init', async () => {
    const { api, sent, fetch } = held();
    const variants = [['a'], ['b'], ['a', { headers: { 'x-a': '1' } }], ['a', { headers: { 'x-a': '2' } }], ['a', { headers: { authorization: 'x' } }], ['a', { credentials: 'include' }], ['a', { cache: 'no-store' }], ['a', { mode: 'same-origin' }], ['a', { redirect: 'error' }], ['a', { priority: 'low' }], ['a', { integrity: 'sha256-a' }], ['a', { init: { cf: {} } }], ['a', { fetch: (...given) => fetch(...given) }]];
    await shareNothing(api, sent, [...variants.map(([path, options]) => api.get(path, options).json()), api.get('a').text(), api.head('a')]);
  });

  it('shares the same through another spelling: a Request, headers in another order and case', async () => {
    const { api, sent } = held();
    const all = [api.get('a', { headers: { 'X-A': '1', 'x-b': '2' } }), api.get(new URL('https://a.test/a'), { headers: [['x-b', '2'], ['x-a', '1']] }), api.extend({ headers: { 'x-a': '1' } }).get('a', { headers: { 'x-b': '2' } })].map((call) => call.json());
    await turn();
    assert.equal(sent.length, 1);
    sent[0].answer();
    await Promise.all(all);
  });

  it('shares nothing with another client, another auth or none', async () => {
    const auth = () => ({ getToken: () => 'same', refreshToken: () => 'same' });
    const { api, sent } = held();
    const { fetch } = { fetch: (input, init) => (sent.push({ signal: init.signal, answer() {} }), new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)))) };
    const other = createClient({ baseUrl: 'https://a.test/', fetch, dedupe: true });
    const [one, two] = [api.extend({ auth: auth() }), api.extend({ auth: auth() })];
    const all = [api, other, one, two, one].map((client) => client.get('a').json());
    all.map((call) => call.catch(() => {}));
    await turn();
    await turn();
    assert.equal(sent.length, 4, 'only the two calls of one auth share');
    for (const client of [api, other]) client.abortAll();
    await Promise.allSettled(all);
  });

  it('is for GET and HEAD through readers: writes, streams, api.fetch, keepalive and deadlineHeader share nothing', async () => {
    const { api, sent } = held();
    const twice = [() => api.post('a').json(), () => api.get('a').stream().getReader().read(), () => api.fetch('a'), () => api.get('a', { keepalive: true }).json(), () => api.get('a', { deadlineHeader: 'x-left' }).json(), () => api.get('a', { dedupe: false }).json()];
    await shareNothing(api, sent, twice.flatMap((call) => [call(), call()]));
  });

  it('a function gives the word that stands for URL and headers, but for those that say who asks', async () => {
    const asked = [];
    const { api, sent } = held({ dedupe: ({ url, method, headers, operation }) => (asked.push([url, method, headers.get('x-trace'), operation]), url.includes('alone') ? false : new URL(url).pathname) });
    const get = (path, options) => api.get(path, options).json();
    const all = [get('a?t=1', { headers: { 'x-trace': '1' }, operation: 'o' }), get('a?t=2', { headers: { 'x-trace': '2' } }), get('a', { headers: { authorization: 'x' } }), get('a', { headers: { cookie: 'x' } }), get('alone'), get('alone')];
    await turn();
    assert.equal(sent.length, 5);
    assert.deepEqual(asked[0], ['https://a.test/a?t=1', 'GET', '1', 'o']);
    for (const { answer } of sent) answer();
    await Promise.all(all);
    for (const wrong of [() => null, () => true, () => 1, () => { throw new Error('E'); }]) {
      const error = await rejection(api.get('a', { dedupe: wrong }).json());
      assert.deepEqual([error.code, error.outcome], ['CALLBACK_ERROR', 'not-sent']);
    }
    atRest(api);
  });

  it('refuses what is neither boolean nor function', async () => {
    for (const dedupe of ['url', 1, null, {}]) {
      assert.throws(() => createClient({ dedupe }), { code: 'INVALID_OPTION' });
      assert.equal((await rejection(createClient().get('https://a.test/', { dedupe }).json())).code, 'INVALID_OPTION');
    }
  });

  it('who leaves takes nobody along, whoever began it; the last one ends the request', async () => {
    const { api, sent } = held();
    const controllers = [0, 1, 2].map(() => new AbortController());
    const calls = controllers.map(({ signal }) => api.get('a', { signal }).json());
    await turn();
    controllers[0].abort('first');
    assert.equal((await rejection(calls[0])).cause, 'first');
    controllers[2].abort('third');
    await rejection(calls[2]);
    assert.equal(sent[0].signal.aborted, false);
    sent[0].answer();
    assert.deepEqual(await calls[1], { a: 1 });
    const last = controllers.map(() => new AbortController());
    const gone = last.map(({ signal }) => api.get('b', { signal }).json());
    await turn();
    for (const one of last) {
      assert.equal(sent[1].signal.aborted, false);
      one.abort();
    }
    assert.equal(sent[1].signal.aborted, true);
    await Promise.allSettled(gone);
    assert.equal(sent.length, 2);
    atRest(api);
  });

  it("one caller's limit ends its own call only, before the headers and in the body", async () => {
    const { api, sent } = held();
    const short = api.get('a', { timeout: 20 }).json();
    const long = api.get('a').json();
    assert.equal((await rejection(short)).code, 'TIMEOUT');
    const body = slowBody();
    const [shortBody, longBody] = [api.get('b', { totalTimeout: 30 }).text(), api.get('b').text()];
    await turn();
    sent[1].answer(body.response);
    body.push('one');
    assert.equal((await rejection(shortBody)).code, 'DEADLINE_EXCEEDED');
    body.push('two');
    body.close();
    assert.equal(await longBody, 'onetwo');
    sent[0].answer();
    assert.deepEqual(await long, { a: 1 });
    assert.equal(sent.length, 2);
    atRest(api);
  });

  it('a slow reader, a reader that stops, and one that never comes harm no other', async () => {
    let ends = 0;
    let finish;
    const allEnded = new Promise((resolve) => { finish = resolve; });
    const { api, sent } = held({ idleTimeout: 40, onEvent: ({ type }) => type === 'call-end' && (ends += 1) === 5 && finish() });
    const body = slowBody();
    const [slow, stops, never] = [api.get('a'), api.get('a'), api.get('a')];
    const readers = [slow, stops, never].map((call) => call.then((response) => response));
    const quick = [api.get('a'), api.get('a')].map((call) => call.then((response) => response.bytes()));
    await turn();
    assert.equal(sent.length, 1);
    sent[0].answer(body.response);
    const [slowResponse, stopping, unread] = await Promise.all(readers);
    const reader = slowResponse.body.getReader();
    const first = reader.read();
    await stopping.body.cancel();
    body.push('x'.repeat(100_000));
    body.close();
    assert.deepEqual((await Promise.all(quick)).map(({ length }) => length), [100_000, 100_000]);
    let bytes = (await first).value.length;
    for (let next; !(next = await reader.read()).done; ) bytes += next.value.length;
    assert.equal(bytes, 100_000);
    // An unread body keeps no process alive.
    const alive = setInterval(() => {}, 1_000);
    await allEnded;
    clearInterval(alive);
    assert.equal((await rejection(unread.text())).code, 'TIMEOUT');
    atRest(api);
  });

  it('each caller sees the error of the request, and the retry of all of them is one request too', async () => {
    const { api, sent } = held({ retry: { limit: 2, delay: 20 }, retryBudget: { capacity: 2, ratio: 0, perSecond: 0 } });
    const calls = Array.from({ length: 20 }, () => api.get('a').json());
    calls.map((call) => call.catch(() => {}));
    for (let at = 0; at < 3; at++) {
      while (sent.length === at) await turn();
      sent[at].fail();
      await turn();
    }
    for (const call of calls) {
      const error = await rejection(call);
      assert.deepEqual([error.code, error.attempts.length, error.retryStopped, error.outcome], ['NETWORK_ERROR', 3, 'limit', 'unknown']);
    }
    assert.equal(sent.length, 3);
    const { attempts, shared, retries } = api.metrics();
    assert.deepEqual([attempts, shared, retries], [3, 57, 40]);
    atRest(api);
  });

  it('an error status is an error for each caller, with its data', async () => {
    const { api, sent } = held();
    const calls = [api.get('a').json(), api.get('a').json(), api.get('a', { throwHttpErrors: false }).json()];
    calls.map((call) => call.catch(() => {}));
    await turn();
    sent[0].answer('{"why":1}', { status: 404, headers: { 'content-type': 'application/json' } });
    for (const call of calls.slice(0, 2)) {
      const error = await rejection(call);
      assert.deepEqual([error.code, error.status, error.data], ['HTTP_ERROR', 404, { why: 1 }]);
    }
    assert.deepEqual(await calls[2], { why: 1 });
    atRest(api);
  });

  it('refreshes a token once, and shares the resend', async () => {
    let refreshes = 0;
    let token = 'old';
    const auth = { getToken: () => token, refreshToken: async () => (refreshes++, (token = 'new')) };
    const { api, sent } = held({ auth });
    const calls = Array.from({ length: 10 }, () => api.get('a').json());
    while (!sent.length) await turn();
    assert.equal(sent[0].headers.get('authorization'), 'Bearer old');
    sent[0].answer('{}', { status: 401 });
    while (sent.length < 2) await turn();
    await turn();
    assert.equal(sent.length, 2);
    assert.equal(sent[1].headers.get('authorization'), 'Bearer new');
    sent[1].answer();
    assert.deepEqual((await Promise.all(calls))[9], { a: 1 });
    assert.equal(refreshes, 1);
    atRest(api);
  });

  it('an effect that runs twice, and gives up the first time, costs one request', async () => {
    const { api, sent } = held();
    const effect = () => {
      const controller = new AbortController();
      const result = api.get('a', { signal: controller.signal }).json();
      result.catch(() => {});
      return { stop: () => controller.abort(), result };
    };
    const first = effect();
    first.stop();
    const second = effect();
    await turn();
    assert.equal(sent.length, 1);
    sent[0].answer();
    assert.deepEqual(await second.result, { a: 1 });
    const error = await rejection(first.result);
    assert.deepEqual([error.code, error.outcome], ['ABORTED', 'not-sent']);
    atRest(api);
  });

  it('shares one slot of the queue, and calls of higher priority are not held up by others', async () => {
    const { api, sent } = held({ queue: { concurrency: 1, limit: 2 } });
    const first = api.get('first').json();
    const calls = Array.from({ length: 10 }, () => api.get('a').json());
    const urgent = api.get('a', { priority: 'high' }).json();
    await turn();
    sent[0].answer();
    await first;
    await turn();
    sent[1].answer();
    await urgent;
    await turn();
    sent[2].answer();
    await Promise.all(calls);
    assert.equal(sent.length, 3);
    atRest(api);
  });

  it('hooks run for each call, what they do to the headers decides, and each gets a response of its own', async () => {
    let calls = 0;
    const seen = new Set();
    const hooks = { beforeRequest: [({ request }) => void request.headers.set('x-n', `${++calls % 2}`)], afterResponse: [async ({ response }) => void seen.add(response)] };
    const { api, sent } = held({ hooks });
    const all = Array.from({ length: 4 }, () => api.get('a').json());
    while (sent.length < 2) await turn();
    await turn();
    assert.equal(sent.length, 2);
    for (const { answer } of sent) answer();
    await Promise.all(all);
    assert.equal(seen.size, 4);
    atRest(api);
  });

  it('what a fetch gives and cannot be copied is a fault of its code, for all but one', async () => {
    const { api, sent } = held();
    const all = [api.get('a').json(), api.get('a').json()];
    all.map((call) => call.catch(() => {}));
    await turn();
    sent[0].answer({ status: 200, headers: new Headers(), body: null, text: async () => '{"a":1}', json: async () => ({ a: 1 }) });
    assert.equal((await rejection(all[0])).code, 'CALLBACK_ERROR');
    assert.deepEqual(await all[1], { a: 1 });
    atRest(api);
  });

  it('an observer that cancels the call that was to send leaves the request to the others', async () => {
    const controller = new AbortController();
    const { api, sent } = held();
    const first = api.get('a', { signal: controller.signal, onEvent: ({ type }) => type === 'attempt-start' && controller.abort() }).json();
    const rest = [api.get('a').json(), api.get('a').json()];
    first.catch(() => {});
    await turn();
    assert.equal(sent.length, 1);
    sent[0].answer();
    await Promise.all(rest);
    assert.equal((await rejection(first)).outcome, 'not-sent');
    atRest(api);
  });

  it('calls that have ended leave nothing behind: the next one sends its own request', async () => {
    const { api, sent } = held();
    for (let at = 0; at < 3; at++) {
      const call = api.get('a').json();
      await turn();
      sent[at].answer();
      await call;
    }
    assert.equal(sent.length, 3);
    atRest(api);
  });
});
