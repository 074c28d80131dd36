// `steadfetch/testing`: the script, the clock and the recorder, by themselves and with the fake timers of others. A process of its own:
// nothing else of it has to live with their time.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';

import { fileUrl, packageDirectory } from './harness/places.mjs';
import { rejection, steadfetch } from './facade/package.mjs';

const { createClient, errorInfo } = steadfetch;
const { createClock, createRecorder, createScript, followDate } = await import(fileUrl(join(packageDirectory, 'testing.js')));

const clientOf = (script, options) =>
  createClient({ baseUrl: 'https://api.test/v1/', fetch: script.fetch, retry: { limit: 2, delay: 1_000, statusCodes: [503] }, ...options });
/** Runs with a clock, and gives the real one back whatever happens. */
const withClock = async (run, options) => {
  const clock = createClock(options);
  try {
    return await run(clock);
  } finally {
    clock.restore();
  }
};

describe('testing: a script', () => {
  it('answers with its replies in their order, and keeps every attempt', async () => {
    const script = createScript();
    script.reply({ fault: 'lost' }, 503, { json: { name: 'Ada' }, headers: { 'x-a': '1' } });
    const api = clientOf(script, { retry: { limit: 2, delay: 1, statusCodes: [503] } });
    assert.deepEqual(await api.get('users/1', { searchParams: { a: 1 }, headers: { 'x-mine': 'yes' } }).json(), { name: 'Ada' });
    assert.deepEqual(script.requests.map(({ number, method, path, outcome }) => [number, method, path, outcome]), [
      [1, 'GET', '/v1/users/1?a=1', 'lost'], [2, 'GET', '/v1/users/1?a=1', 503], [3, 'GET', '/v1/users/1?a=1', 200],
    ]);
    assert.equal(script.requests[0].url, 'https://api.test/v1/users/1?a=1');
    assert.equal(script.requests[0].headers['x-mine'], 'yes');
    script.assertDone();
  });

  it('has routes: by method, path, query and origin, the newest first, the last reply again and again', async () => {
    const script = createScript();
    script.route('/v1/*', { body: 'any' }).route('GET users/*', 500).route('GET /v1/users/*', { body: 'one' }, { body: 'more' });
    script.route('/v1/users/2?full=1', { body: 'query' }).route('https://other.test/*', { body: 'other' });
    const api = clientOf(script);
    const text = (url, options) => api(url, options).text();
    assert.equal(await text('users/1'), 'one');
    assert.equal(await text('users/1?a=b'), 'more');
    assert.equal(await text('users/1'), 'more');
    assert.equal(await text('users/2?full=1'), 'query');
    assert.equal(await text('users/1', { method: 'PUT' }), 'any');
    assert.equal(await text('https://other.test/v1/x'), 'other');
    assert.throws(() => script.assertDone(), /route 'GET users\/\*': 0 of 1 replies used/);
  });

  it('tells what was sent, once or twice: text, JSON, forms, and a Request', async () => {
    const script = createScript();
    script.otherwise({ body: 'ok' });
    const api = clientOf(script);
    await api.post('a', { json: { a: 1 } }).text();
    await api.post('a', { form: { a: '1' } }).text();
    await api.fetch(new Request('https://api.test/b', { method: 'PUT', body: '{"b":2}' }));
    await script.fetch(new Request('https://api.test/c', { method: 'PUT', body: 'abc', headers: { 'x-a': '1' } }));
    const [json, form, given, direct] = script.requests;
    assert.deepEqual(await json.json(), { a: 1 });
    assert.deepEqual(await json.json(), { a: 1 });
    assert.equal(await form.text(), 'a=1');
    assert.deepEqual(await given.json(), { b: 2 });
    assert.equal(await direct.text(), 'abc');
    assert.equal(direct.headers['x-a'], '1');
  });

  it('follows functions, which see the request', async () => {
    const script = createScript();
    script.otherwise(async ({ headers, number }) => (headers.authorization === 'Bearer 2' ? { json: { number } } : 401));
    let token = 1;
    const auth = { getToken: () => `${token}`, refreshToken: async () => `${(token += 1)}` };
    assert.deepEqual(await clientOf(script, { auth }).get('a').json(), { number: 2 });
    assert.deepEqual(script.requests.map(({ outcome }) => outcome), [401, 200]);
  });

  it('takes a Response, and gives a copy of it to each request, with an address', async () => {
    const script = createScript();
    script.otherwise(Response.json({ a: 1 }));
    const api = clientOf(script);
    assert.deepEqual(await api.get('a').json(), { a: 1 });
    const response = await api.fetch('b');
    assert.equal(response.url, 'https://api.test/v1/b');
    assert.deepEqual(await response.json(), { a: 1 });
  });

  it('makes bodies in pieces, bodies that break, and bodies that stand still', async () => {
    const script = createScript();
    script.reply({ chunks: ['a', new Uint8Array([98])] }, { body: 'abc', end: 'cut' }, { body: 'abc', end: 'hang' }, { status: 204, body: 'x' });
    const api = clientOf(script);
    const pieces = [];
    for await (const piece of api.get('a').stream()) pieces.push(new TextDecoder().decode(piece));
    assert.deepEqual(pieces, ['a', 'b']);
    const cut = await rejection(api.get('a', { idleTimeout: 1_000 }).text());
    assert.deepEqual([cut.code, cut.phase, cut.bytesReceived], ['NETWORK_ERROR', 'body', 3]);
    const still = await rejection(api.get('a', { idleTimeout: 20 }).text());
    assert.deepEqual([still.code, still.phase], ['TIMEOUT', 'idle']);
    assert.equal(await api.get('a').text(), '');
  });

  it('ends what is aborted as fetch does: with the reason, before and after the headers', async () => {
    const script = createScript();
    script.reply({ fault: 'never' }, { delay: 60_000, json: 1 }, () => new Promise(() => {}), { body: 'a', end: 'hang' }, 200);
    const reason = new Error('enough');
    for (let count = 0; count < 3; count += 1) {
      const controller = new AbortController();
      const promise = script.fetch('https://a.test/', { signal: controller.signal });
      controller.abort(reason);
      assert.equal(await rejection(promise), reason);
      assert.equal(script.requests[count].outcome, 'aborted');
    }
    const controller = new AbortController();
    const response = await script.fetch('https://a.test/', { signal: controller.signal });
    const text = response.text();
    controller.abort(reason);
    assert.equal(await rejection(text), reason);
    assert.equal(await rejection(script.fetch('https://a.test/', { signal: AbortSignal.abort(reason) })), reason);
  });

  it('takes a request without a reply for a mistake: no retry, and assertDone names it', async () => {
    const script = createScript();
    script.reply(200, 200);
    await clientOf(script).get('a');
    script.reset();
    const error = await rejection(clientOf(script).get('b').json());
    assert.equal(error.code, 'CALLBACK_ERROR');
    assert.match(error.originalError.message, /no reply is left for GET \/v1\/b: add reply\(\), route\(\) or otherwise\(\)/);
    assert.equal(script.requests.length, 1);
    script.reply(200);
    assert.throws(() => script.assertDone(), /no reply was left for GET \/v1\/b; replies that nothing asked for: 1/);
  });

  for (const [what, reply, text] of [
    ['an unknown member', { stauts: 200 }, /a reply has no stauts: it may have status,/],
    ['two bodies', { json: 1, body: 'x' }, /one body, not json and body/],
    ['a status that no fetch gives', 101, /status is a whole number from 200 to 599, not 101/],
    ['a delay that is no number', { delay: '5' }, /delay is a number of milliseconds from 0, not 5/],
    ['an unknown fault', { fault: 'gone' }, /fault is 'lost' or 'never', not gone/],
    ['nothing', null, /a reply is a status, an object, a Response or a function, not null/],
    ['chunks that are no list', { chunks: 'abc' }, /chunks is an array/],
  ]) {
    it(`refuses ${what} when it is given`, async () => {
      const script = createScript();
      assert.throws(() => script.reply(reply), { name: 'TypeError', message: text });
      assert.throws(() => script.route('/a', reply), { name: 'TypeError', message: text });
      assert.throws(() => script.otherwise(reply), { name: 'TypeError', message: text });
    });
  }

  it('refuses a route without an address, or without a reply', () => {
    assert.throws(() => createScript().route('GET', 200).route('GET /a b', 200), /'GET \/a b' is no route/);
    assert.throws(() => createScript().route('/a'), /has no reply/);
  });
});

describe('testing: a clock', () => {
  it('runs limits and waits in no time, each at its own', () => withClock(async (clock) => {
    const script = createScript();
    script.reply({ fault: 'never' }, { fault: 'lost' }, { delay: 5_000, json: 1 });
    const recorder = createRecorder();
    const began = clock.now();
    const api = clientOf(script, { timeout: 8_000, totalTimeout: 60_000, retry: { limit: 2, delay: 1_000, retryOnTimeout: true }, onEvent: recorder.onEvent });
    assert.equal(await clock.settle(api.get('a').json()), 1);
    const [first, second, third] = script.requests.map(({ time }) => time - began);
    assert.equal(first, 0);
    assert.ok(second >= 8_000 && second <= 9_010, `${second}`);
    assert.ok(third > second && clock.now() - began >= third + 5_000 - 1);
    assert.deepEqual(recorder.lines(), [
      'call-start', 'attempt-start #1', 'attempt-end #1 TIMEOUT', 'retry #1 TIMEOUT', 'attempt-start #2', 'attempt-end #2 NETWORK_ERROR',
      'retry #2 NETWORK_ERROR', 'attempt-start #3', 'attempt-end #3 200', 'call-end #3 200',
    ]);
    assert.equal(recorder.of('retry').length, 2);
  }));

  it('goes on as far as it is told', () => withClock(async (clock) => {
    const script = createScript();
    script.otherwise({ fault: 'never' });
    const call = clientOf(script, { timeout: 5_000, retry: 0 }).get('a').json();
    let code;
    call.catch((error) => { code = error.code; });
    await clock.advance(4_999);
    assert.equal(code, undefined);
    await clock.advance(1);
    assert.equal(code, 'TIMEOUT');
  }));

  it('has timers, intervals and dates', () => withClock(async (clock) => {
    const told = [];
    const start = Date.now();
    assert.equal(start, Date.parse('2026-12-01T00:00:00Z'));
    const timer = setTimeout(() => told.push('never'), 10);
    setTimeout((word) => told.push(word, Date.now() - start), 20, 'twenty');
    const interval = setInterval(() => told.push('tick'), 15);
    clearTimeout(timer);
    await clock.advance(30);
    clearInterval(interval);
    await clock.advance(100);
    assert.deepEqual(told, ['tick', 'twenty', 20, 'tick']);
    assert.equal(new Date().getTime() - start, 130);
    assert.equal(new Date(5).getTime(), 5);
    assert.ok(new Date() instanceof Date);
    assert.equal(clock.pending, 0);
  }, { now: new Date('2026-12-01T00:00:00Z') }));

  it('clears timers that were set before it', async () => {
    let fired = false;
    const timer = setTimeout(() => { fired = true; }, 5);
    await withClock(async () => clearTimeout(timer));
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    assert.equal(fired, false);
  });

  it('says why a promise does not settle', () => withClock(async (clock) => {
    const tick = setInterval(() => {}, 1_000);
    await assert.rejects(clock.settle(new Promise(() => {}), 10_000), /after 10000 ms the promise has not settled/);
    clearInterval(tick);
  }));

  it('gives back what was there, and stands alone', async () => {
    const before = [setTimeout, clearTimeout, setInterval, clearInterval, Date, performance.now];
    const clock = createClock();
    assert.notEqual(setTimeout, before[0]);
    assert.throws(() => createClock(), /another clock is not restored yet/);
    clock.restore();
    clock.restore();
    assert.deepEqual([setTimeout, clearTimeout, setInterval, clearInterval, Date, performance.now], before);
    await assert.rejects(clock.advance(1), /the clock is restored/);
    const script = createScript();
    script.otherwise({ fault: 'never' });
    assert.equal((await rejection(clientOf(script, { timeout: 20, retry: 0 }).get('a').json())).code, 'TIMEOUT', 'real limits hold again');
  });

  it('serves a client that was there before, whose next call goes by the real time again', async () => {
    const script = createScript();
    script.otherwise({ fault: 'never' });
    const api = clientOf(script, { timeout: 40, retry: 0 });
    const calls = [rejection(api.get('a').json())];
    await withClock(async (clock) => {
      calls.push(rejection(api.get('b').json()));
      assert.equal((await rejection(clock.settle(api.get('c', { timeout: 200 }).json()))).code, 'TIMEOUT');
      calls.push(rejection(api.get('d').json()));
    });
    calls.push(rejection(api.get('e').json()));
    for (const { code } of await Promise.all(calls)) assert.equal(code, 'TIMEOUT');
  });
});

describe('testing: the fake timers of others', () => {
  const script = createScript();
  const slow = () => {
    script.reset();
    script.reply({ delay: 60_000 });
    return rejection(clientOf(script, { timeout: 10_000, retry: 0 }).get('a').json());
  };

  it('node:test', async () => {
    const { now } = performance;
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const restore = followDate();
    try {
      const error = slow();
      await new Promise(setImmediate);
      mock.timers.tick(10_000);
      for (let turn = 0; turn < 5; turn += 1) {
        await new Promise(setImmediate);
        mock.timers.tick(1);
      }
      assert.equal(errorInfo(await error).code, 'TIMEOUT');
    } finally {
      restore();
      mock.timers.reset();
    }
    assert.equal(performance.now, now);
  });

  it('Sinon', async () => {
    const { install } = await import('@sinonjs/fake-timers');
    const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    try {
      const error = slow();
      await clock.tickAsync(10_000);
      assert.equal((await error).code, 'TIMEOUT');
    } finally {
      clock.uninstall();
    }
  });
});
