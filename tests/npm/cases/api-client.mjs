// The client: options, views, hooks, events, endings.

import { deferred } from '../harness/context.mjs';

export default [
  {
    name: 'unknown options name the nearest known one',
    parallel: true,
    async run(t) {
      const { createClient } = t.lib;
      const rows = { timout: 'timeout', baseURL: 'baseUrl', retries: 'retry', hook: 'hooks', totalTimout: 'totalTimeout' };
      for (const [wrong, right] of Object.entries(rows)) {
        const error = t.throws(() => createClient({ [wrong]: 1 }), undefined, wrong);
        t.same([error.code, error.outcome], ['INVALID_OPTION', 'not-sent'], wrong);
        t.match(error.message, new RegExp(`\\b${right}\\b`), wrong);
        t.equal(t.throws(() => t.client().extend({ [wrong]: 1 })).code, 'INVALID_OPTION', wrong);
        await t.fails(() => t.client().get('a', { [wrong]: 1 }), { code: 'INVALID_OPTION' });
      }
      t.match(t.throws(() => createClient({ retry: { limits: 1 } })).message, /retry\.limit\b/);
      t.match(t.throws(() => createClient({ retry: { limit: Infinity } })).message, /totalTimeout/);
      for (const options of [{ retry: { limit: -1 } }, { retry: { limit: 1.5 } }, { retry: 'often' }, { retry: { statusCodes: [99] } },
        { retry: { methods: 'GET' } }, { hooks: { beforeRequest: 7 } }, { hooks: { before: [] } }, { baseUrl: 'http://' },
        { operation: 'call only' }, { json: 1 }, { fetch: 'x' }, { name: 7 }, { headers: 7 }]) {
        t.equal(t.throws(() => createClient(options), undefined, t.show(options)).code, 'INVALID_OPTION', t.show(options));
      }
      await t.fails(() => t.client().get('a', { name: 'client only' }), { code: 'INVALID_OPTION' });
      await t.fails(() => t.client().get('a', { baseUrl: 'http://x.test' }), { code: 'INVALID_OPTION' });
    },
  },
  {
    name: 'every status listed at once',
    parallel: true,
    async run(t) {
      const every = Array.from({ length: 500 }, (_, index) => index + 100);
      const fetch = t.scripted(new Response('', { status: 599 }), new Response('', { status: 400 }), new Response('{"a":1}'));
      const api = t.client({ fetch, retry: { limit: 3, delay: 1, statusCodes: every, afterStatusCodes: every } });
      // Listed is 200 too: what is no error is not retried for it.
      const { value, error } = await t.settle(() => api.get('a').json());
      t.ok(value?.a === 1 || error?.code === 'INVALID_OPTION', `works, or is refused: ${t.show(error ?? value)}`);
      const after = t.client({ fetch: t.scripted(new TypeError('x'), new Response('{"a":1}')), retry: { limit: 1, delay: 1 } });
      t.same(await t.works(() => after.get('a').json()), { a: 1 }, 'the next call');
    },
  },
  {
    name: 'extend: headers by name, hooks append, retry by key, all else replaces',
    parallel: true,
    async run(t) {
      const order = [];
      const fetch = t.scripted(new Response('', { status: 503 }));
      const base = t.client({
        fetch, retry: { limit: 1, delay: 1, statusCodes: [503] }, hooks: { beforeRequest: [() => { order.push('base'); }] }, timeout: 5_000,
      });
      const api = base.extend({ retry: { limit: 2 }, hooks: { beforeRequest: [() => { order.push('view'); }] } });
      const error = await t.fails(() => api.get('a'), { code: 'HTTP_ERROR', retryStopped: 'limit' });
      t.equal(error.attempts.length, 3, 'attempts: limit of the view, statusCodes of its base');
      t.same(order, ['base', 'view'], 'order of the hooks');
      const none = await t.fails(() => api.get('a', { retry: false }), { code: 'HTTP_ERROR' });
      t.equal(none.attempts.length, 1, 'retry: false');
      const one = await t.fails(() => api.get('a', { retry: 1 }), { code: 'HTTP_ERROR' });
      t.equal(one.attempts.length, 2, 'a number replaces limit only');
      const same = await t.fails(() => base.get('a'), { code: 'HTTP_ERROR' });
      t.equal(same.attempts.length, 2, 'the base is as it was');
    },
  },
  {
    name: 'options that change after the call have no effect',
    parallel: true,
    async run(t) {
      const options = { retry: { limit: 1, statusCodes: [503], delay: 1 }, headers: { 'x-a': '1' } };
      const fetch = t.scripted(new Response('', { status: 503 }));
      const api = t.client({ fetch, ...options });
      options.retry.limit = 9;
      options.retry.statusCodes.length = 0;
      const error = await t.fails(() => api.get('a'), { code: 'HTTP_ERROR' });
      t.equal(error.attempts.length, 2, 'attempts');
    },
  },
  {
    name: 'hooks: when, with what, and what their answers do',
    async run(t) {
      await t.home.script({ '/a': [{ status: 503 }, { echo: true }], '/b': { echo: true } });
      const seen = [];
      const api = t.client({
        retry: { limit: 1, delay: 1, statusCodes: [503] },
        hooks: {
          beforeRequest: [({ request, options, retryCount }) => {
            seen.push(['beforeRequest', request instanceof Request, typeof options, retryCount]);
            const headers = new Headers(request.headers);
            headers.set('x-hook', 'one');
            return new Request(request, { headers });
          }],
          beforeRetry: [({ request, error, retryCount }) => {
            seen.push(['beforeRetry', request.headers.get('x-hook'), error.code, error.status, retryCount]);
            const headers = new Headers(request.headers);
            headers.set('x-retry', String(retryCount));
            return new Request(request, { headers });
          }],
          afterResponse: [({ request, response, retryCount }) => {
            seen.push(['afterResponse', request.method, response.status, retryCount]);
          }],
        },
      });
      const { headers } = await t.works(() => api.get('a').json());
      t.same([headers['x-hook'], headers['x-retry']], ['one', '1'], 'headers the server saw');
      t.same(seen, [
        ['beforeRequest', true, 'object', 0],
        ['afterResponse', 'GET', 503, 0],
        ['beforeRetry', 'one', 'HTTP_ERROR', 503, 1],
        ['afterResponse', 'GET', 200, 1],
      ]);
    },
  },
  {
    name: 'hooks: a Response of beforeRequest or beforeRetry is the answer',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(new TypeError('Failed to fetch'));
      const answer = () => new Response('{"hook":true}');
      const early = t.client({ fetch, hooks: { beforeRequest: [async () => answer()] } });
      const response = await t.works(() => early.get('a'));
      t.same([await response.json(), t.lib.callInfo(response).via, fetch.calls.length], [{ hook: true }, 'hook', 0]);
      const late = t.client({ fetch, retry: { limit: 1, delay: 1 }, hooks: { beforeRetry: [answer] } });
      t.same(await t.works(() => late.get('a').json()), { hook: true });
      t.equal(fetch.calls.length, 1, 'calls of fetch');
    },
  },
  {
    name: 'hooks: afterResponse may replace the response, beforeError the error',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(new Response('{"a":1}', { status: 200 }));
      const replaced = t.client({ fetch, hooks: { afterResponse: [async ({ response }) => new Response(JSON.stringify({ was: (await response.json()).a }))] } });
      t.same(await t.works(() => replaced.get('a').json()), { was: 1 });
      const mine = new Error('mine');
      const failing = t.client({ fetch: t.scripted(new Response('', { status: 404 })), hooks: { beforeError: [({ error, retryCount }) => {
        t.same([error.code, retryCount], ['HTTP_ERROR', 0]);
        return mine;
      }] } });
      t.equal((await t.settle(() => failing.get('a').json())).error, mine, 'the error of beforeError');
      const passing = t.client({ fetch: t.scripted(new Response('', { status: 404 })), hooks: { beforeError: [({ error }) => Object.assign(error, { extra: 1 })] } });
      const error = await t.fails(() => passing.get('a').json(), { code: 'HTTP_ERROR' });
      t.equal(error.extra, 1, 'the same error, changed');
      const silent = t.client({ fetch: t.scripted(new Response('', { status: 404 })), hooks: { beforeError: [() => {}] } });
      await t.fails(() => silent.get('a').json(), { code: 'CALLBACK_ERROR' });
    },
  },
  {
    name: 'hooks that throw are CALLBACK_ERROR, and their words stay inside',
    async run(t) {
      await t.home.script({ '/a': { status: 503 }, '/b': { json: {} } });
      const thrown = new RangeError('secret words');
      const stop = () => { throw thrown; };
      const rows = {
        beforeRequest: ['not-sent', 0],
        beforeRetry: ['answered', 1],
        afterResponse: ['answered', 1],
        beforeError: ['answered', 2],
      };
      for (const [name, [outcome, requests]] of Object.entries(rows)) {
        const before = await t.requests();
        const api = t.client({ retry: { limit: 1, delay: 1, statusCodes: [503] }, hooks: { [name]: [stop] } });
        const error = await t.fails(() => api.get('a').json(), { code: 'CALLBACK_ERROR', outcome, originalError: thrown });
        t.equal(error.cause?.name, 'RangeError', `${name}: name of the cause`);
        t.lacks(`${error.message} ${error.cause} ${JSON.stringify(error)}`, 'secret words', name);
        t.equal(await t.requests() - before, requests, `${name}: requests`);
      }
      const headers = t.client({ headers: stop });
      await t.fails(() => headers.get('b').json(), { code: 'CALLBACK_ERROR', outcome: 'not-sent' });
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'hooks that never return end with the total time, phase hook',
    async run(t) {
      const fetch = t.scripted(new Response('{}'));
      for (const name of ['beforeRequest', 'afterResponse']) {
        const api = t.client({ fetch, totalTimeout: 200, hooks: { [name]: [() => deferred().promise] } });
        await t.fails(() => api.get('a').json(), { code: 'DEADLINE_EXCEEDED', phase: 'hook' }, [200, 300]);
      }
    },
  },
  {
    name: 'events: what happens, in order, without secrets',
    async run(t) {
      await t.home.script({ '/users/1': [{ status: 503 }, { json: { a: 1 } }], '/404': { status: 404 } });
      const events = t.recorder();
      const api = t.client({ name: 'users', retry: { limit: 1, delay: 20, jitter: 'none', statusCodes: [503] }, onEvent: events });
      await t.works(() => api.get('users/1?token=hunter2#hunter3', { operation: 'read', headers: { 'x-key': 'hunter4' } }).json());
      t.same(events.types(), ['call-start', 'attempt-start', 'attempt-end', 'retry', 'attempt-start', 'attempt-end', 'call-end']);
      const [start, , end, retry, , last, done] = events.events;
      t.same([start.method, start.url, start.via], ['GET', t.home.url('/users/1'), 'network']);
      for (const event of events.events) {
        t.same([event.dependency, event.operation, event.callId], ['users', 'read', start.callId], event.type);
        t.between(event.elapsedMs, 0, 5_000, 'elapsedMs');
        t.between(event.remainingMs, 0, 8_000, 'remainingMs');
        t.equal(typeof event.attempt, 'number', `attempt of ${event.type}`);
      }
      t.same([end.outcome, end.code, end.status, end.resend], ['answered', 'HTTP_ERROR', 503, false], 'first attempt-end');
      t.same([retry.retryCount, retry.waitMs, retry.code], [1, 20, 'HTTP_ERROR'], 'retry');
      t.same([last.outcome, last.code, last.status], ['answered', undefined, 200], 'second attempt-end');
      t.same([done.ok, done.code, done.status, done.attempts], [true, undefined, 200, 2], 'call-end');
      t.lacks(JSON.stringify(events.events), 'hunter', 'the events');
      events.events.length = 0;
      await t.fails(() => api.get('404', { totalTimeout: false }).json(), { code: 'HTTP_ERROR' });
      const failed = events.of('call-end')[0];
      t.same([failed.ok, failed.code, failed.status, failed.outcome, failed.retryStopped, failed.attempts], [false, 'HTTP_ERROR', 404, 'answered', 'policy', 1]);
      t.equal(failed.remainingMs, null, 'remainingMs without a limit');
      events.events.length = 0;
      await t.fails(() => api.get('404', { signal: AbortSignal.abort() }).json(), { code: 'ABORTED' });
      t.ok(!events.types().includes('attempt-start'), 'no attempt of an aborted call');
    },
  },
  {
    name: 'events: what remains of the default limit',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': { json: {} } });
      const events = t.recorder();
      await t.works(() => t.lib.createClient({ baseUrl: t.home.origin, onEvent: events }).get('a').json());
      t.equal(events.types().join(), 'call-start,attempt-start,attempt-end,call-end', 'events');
      for (const { type, remainingMs } of events.events) t.between(remainingMs, 25_000, 30_000, `remainingMs of ${type}`);
    },
  },
  {
    name: 'callInfo',
    parallel: true,
    async run(t) {
      await t.home.script({ '/a': [{ status: 503 }, { json: {}, headers: { 'x-request-id': 'r-1', 'server-timing': 'db;dur=5;desc="x"' } }] });
      const response = await t.read(() => t.client({ retry: { limit: 1, delay: 1, statusCodes: [503] } }).get('a'));
      const info = t.lib.callInfo(response);
      t.same([info.attempts, info.resent, info.via, info.requestId], [2, false, 'network', 'r-1']);
      t.ok(info.callId, 'callId');
      t.ok(JSON.stringify(info.serverTiming ?? '').includes('db'), `serverTiming ${t.show(info.serverTiming)}`);
      t.between(info.elapsedMs, 0, 5_000, 'elapsedMs');
      for (const foreign of [new Response(), {}, null, undefined, 7]) t.equal(t.lib.callInfo(foreign), undefined, 'of a foreign value');
    },
  },
  {
    name: 'errors: fields, names, guards, and what a log sees',
    async run(t) {
      await t.home.script({ '/500': { status: 500, json: { token: 'hunter2' } }, '/hang': { before: 'hang' }, '/bad': { body: '{"hunter2' } });
      const api = t.client({ headers: { authorization: 'Bearer hunter2', 'x-api-key': 'hunter2' } });
      const { isSteadfetchError, isHTTPError, isTimeoutError, isAbortError, isNetworkError, SteadfetchError, HTTPError } = t.lib;
      const down = await t.open({ refuse: true });
      const controller = new AbortController();
      const aborted = api.get('hang?sig=hunter2', { signal: controller.signal }).text();
      aborted.catch(() => {});
      controller.abort(new Error('hunter2'));
      const rows = [
        [() => api.get('500?access_token=hunter2').json(), 'HTTPError', isHTTPError],
        [() => api.get('hang?access_token=hunter2', { headersTimeout: 100 }).json(), 'TimeoutError', isTimeoutError],
        [() => api.get('bad?access_token=hunter2').json(), 'SyntaxError', () => true],
        [() => api.get(`${down.url('/a')}?access_token=hunter2#hunter2`).json(), 'NetworkError', isNetworkError],
        [() => api.get('foo://hunter2').json(), 'SteadfetchError', () => true],
        [() => aborted, 'AbortError', isAbortError],
        [() => api.get('500', { throwHttpErrors: false, maxResponseBytes: 1 }).text(), 'SteadfetchError', () => true],
      ];
      const guards = [isHTTPError, isTimeoutError, isAbortError, isNetworkError];
      const isProduction = t.env.modules.package.endsWith('/production.js');
      for (const [start, name, guard] of rows) {
        const error = await t.fails(start, { name });
        t.ok(error instanceof SteadfetchError && error instanceof Error, `${name} instanceof SteadfetchError`);
        t.equal(error instanceof HTTPError, name === 'HTTPError', `${name} instanceof HTTPError`);
        t.ok(isSteadfetchError(error) && guard(error), `${name}: guard`);
        t.ok(guards.filter((one) => one(error)).length <= 1, `${name}: one guard at most`);
        const told = [error.message, error.stack, String(error), JSON.stringify(error), ...Object.values(error).map((value) => JSON.stringify(value))];
        if (name !== 'AbortError') told.push(String(error.cause), JSON.stringify(error.cause));
        t.lacks(told.join(' '), 'hunter2', `what ${name} tells`);
        if (typeof structuredClone === 'function' && name !== 'AbortError') {
          const copy = structuredClone(error);
          t.lacks(`${copy.message} ${copy.stack} ${JSON.stringify(copy)} ${copy.cause}`, 'hunter2', `structuredClone of ${name}`);
        }
        const hidden = ['request', 'response', 'originalError', 'data', 'issues', 'jobUrl'];
        for (const key of hidden) t.ok(!Object.keys(error).includes(key), `${key} is not enumerable`);
        if (isProduction) t.ok(error.message.startsWith(`${error.code.toLowerCase().replaceAll('_', ' ')}: GET `), `message: the code in words: ${error.message}`);
        else t.match(error.message, /^[^;]+; .+/, 'message: what happened; what to do');
      }
      const error = await t.fails(() => api.get('500?access_token=hunter2').json());
      t.same([error.request.method, error.request.url], ['GET', t.home.url('/500?access_token=hunter2')], 'error.request');
      t.ok(error.message.includes(t.home.url('/500')), `${error.message} names origin and path`);
      const [attempt] = error.attempts;
      t.same([attempt.number, attempt.resend, attempt.outcome, attempt.status, attempt.phase], [1, false, 'answered', 500, 'headers']);
      t.between(attempt.startMs, 0, 1_000, 'startMs');
      t.between(attempt.elapsedMs, 0, 1_000, 'elapsedMs');
      for (const guard of [isSteadfetchError, ...guards]) {
        for (const foreign of [new Error(), { name: 'HTTPError' }, { name: 'NetworkError' }, null, undefined, 'x']) t.equal(guard(foreign), false, 'a guard of a foreign value');
      }
    },
  },
  {
    name: 'isAbortError and isTimeoutError know the platform\'s own errors, of any realm, that api.fetch rejects with',
    parallel: true,
    async run(t) {
      const { errorInfo, isAbortError, isTimeoutError } = t.lib;
      await t.home.script({ '*': { before: 'hang' } });
      const api = t.client();
      const judge = (error) => [isAbortError(error), isTimeoutError(error)];
      const controller = new AbortController();
      const aborted = api.fetch('a', { signal: controller.signal });
      controller.abort();
      const reason = await t.fails(() => aborted);
      t.equal(reason, controller.signal.reason);
      t.same([errorInfo(reason), ...judge(reason)], [undefined, true, false], 'the reason of the signal itself');
      t.same(judge(await t.fails(() => api.fetch('b', { signal: AbortSignal.timeout(20) }))), [false, true], 'AbortSignal.timeout');
      t.same(judge(await t.fails(() => api.fetch('c', { headersTimeout: 20 }))), [false, true], 'a limit of ours');
      // Node's own modules abort with an Error of this name, and so do other realms.
      t.same(judge(Object.assign(new Error(), { name: 'AbortError' })), [true, false]);
      const trap = () => {
        throw new Error('touched');
      };
      const hostile = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap });
      for (const odd of [hostile, { get name() { return trap(); } }, Object.create(null), Symbol('AbortError'), 0n, 'AbortError', null, undefined]) {
        t.same(judge(odd), [false, false], 'a guard never throws');
      }
    },
  },
  {
    name: 'abortAll and close act on a view and its views',
    async run(t) {
      await t.home.script({ '/hang': { before: 'hang' }, '/a': { json: { a: 1 } } });
      const api = t.client({ headersTimeout: false });
      const view = api.extend({});
      // One URL each: Chromium's cache asks for a URL once at a time.
      let number = 0;
      const start = (client) => {
        const call = client.get(`hang?${number += 1}`).text();
        call.catch(() => {});
        return call;
      };
      const [outer, inner] = [start(api), start(view)];
      await t.home.wait({ requests: 2 });
      view.abortAll('view');
      await t.fails(() => inner, { code: 'ABORTED', cause: 'view', outcome: 'unknown' }, [0, 30]);
      t.same(await t.works(() => view.get('a').json()), { a: 1 }, 'a view goes on after abortAll');
      const other = start(view);
      api.abortAll('all');
      await t.fails(() => outer, { code: 'ABORTED', cause: 'all' });
      await t.fails(() => other, { code: 'ABORTED', cause: 'all' });
      const last = start(view);
      view.close('closed');
      await t.fails(() => last, { code: 'ABORTED', cause: 'closed' });
      await t.fails(() => view.get('a').json(), { code: 'ABORTED', outcome: 'not-sent' }, [0, 20]);
      t.same(await t.works(() => api.get('a').json()), { a: 1 }, 'the base lives on');
      const later = api.extend({});
      api.close();
      const error = await t.fails(() => later.get('a').json(), { code: 'ABORTED', outcome: 'not-sent' });
      t.ok(t.lib.isAbortError(error));
      api.close();
      if (Symbol.dispose) {
        const disposed = t.client();
        disposed[Symbol.dispose]();
        await t.fails(() => disposed.get('a').json(), { code: 'ABORTED', outcome: 'not-sent' });
      }
    },
  },
  {
    name: 'the package says what it is',
    parallel: true,
    async run(t) {
      t.match(t.lib.version, /^\d+\.\d+\.\d+/, 'version');
      const names = ['createClient', 'ready', 'init', 'callInfo', 'errorInfo', 'SteadfetchError', 'HTTPError', 'isSteadfetchError',
        'isHTTPError', 'isTimeoutError', 'isAbortError', 'isNetworkError', 'retry', 'version'];
      for (const name of names) t.ok(name in t.lib, `export ${name}`);
      t.equal(t.lib.default, undefined, 'no default export');
    },
  },
];
