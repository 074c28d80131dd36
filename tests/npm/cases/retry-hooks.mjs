// What the callbacks around a retry are told, and what they can ask for.

import { BROWSERS } from '../harness/hosts.mjs';

const busy = { status: 503, json: { reason: 'busy' } };

export default [
  {
    name: 'error.data is the error body in shouldRetry, beforeRetry and beforeError',
    async run(t) {
      await t.home.script({ '*': [busy, { status: 503, json: { reason: 'again' } }, { status: 409, body: 'no' }] });
      const told = [];
      const look = (who) => ({ error }) => {
        told.push([who, error.status, error.data]);
        t.lacks(JSON.stringify(error), 'reason', 'toJSON');
      };
      const shouldRetry = (state) => {
        look('shouldRetry')(state);
        return state.error.status === 503;
      };
      const beforeError = (state) => {
        look('beforeError')(state);
        return state.error;
      };
      const api = t.client({ retry: { limit: 3, delay: 1, shouldRetry }, hooks: { beforeRetry: [look('beforeRetry')], beforeError: [beforeError] } });
      const error = await t.fails(() => api.get('a').json(), { code: 'HTTP_ERROR', status: 409, retryStopped: 'policy' });
      t.equal(error.data, 'no');
      t.same(told, [
        ['shouldRetry', 503, { reason: 'busy' }],
        ['beforeRetry', 503, { reason: 'busy' }],
        ['shouldRetry', 503, { reason: 'again' }],
        ['beforeRetry', 503, { reason: 'again' }],
        ['shouldRetry', 409, 'no'],
        ['beforeError', 409, 'no'],
      ]);
      await t.saw(3);
    },
  },
  {
    name: 'a body that was collected for a hook is no data of the next failure',
    async run(t) {
      await t.home.script({ '*': [busy, { before: 'reset' }] });
      const seen = [];
      const hooks = { beforeRetry: [({ error }) => void seen.push(error.data)] };
      const error = await t.fails(() => t.client({ retry: { limit: 1, delay: 1, statusCodes: [503] }, hooks }).post('a', { idempotent: true }), { code: 'NETWORK_ERROR' });
      t.same([error.data, seen], [undefined, [{ reason: 'busy' }]]);
    },
  },
  {
    name: 'a failure that stands after its retry was not sent keeps its data',
    async run(t) {
      await t.home.script({ '*': busy });
      const hooks = { beforeRetry: [() => new Promise(() => {})] };
      const api = t.client({ totalTimeout: 200, retry: { limit: 1, delay: 1_000, jitter: false, statusCodes: [503], shouldRetry() {} }, hooks });
      const error = await t.fails(() => api.get('a'), { code: 'HTTP_ERROR', retryStopped: 'deadline' });
      t.same(error.data, { reason: 'busy' });
    },
  },
  {
    name: 'an error body that stalls holds up no decision: data is undefined, the retry goes on',
    async run(t) {
      await t.home.script({ '*': [{ status: 503, chunks: [{ text: 'x' }], end: 'hang' }, { json: { ok: true } }] });
      const seen = [];
      const hooks = { beforeRetry: [({ error }) => void seen.push([error.code, error.data])] };
      const api = t.client({ idleTimeout: 100, retry: { limit: 1, delay: 1, statusCodes: [503] }, hooks });
      t.same(await t.works(() => api.get('a').json()), { ok: true });
      t.same(seen, [['HTTP_ERROR', undefined]]);
      await t.home.wait({ open: 0 });
    },
  },
  {
    name: 'a Response that no status rejects keeps its body for the caller',
    async run(t) {
      await t.home.script({ '*': busy });
      const seen = [];
      const shouldRetry = ({ error }) => {
        seen.push(error.data);
        return false;
      };
      const api = t.client({ retry: { limit: 1, shouldRetry } });
      t.same(await (await t.works(() => api.fetch('a'))).json(), { reason: 'busy' });
      t.same(await t.works(() => api.get('a', { throwHttpErrors: false }).json()), { reason: 'busy' });
      t.same(seen, [undefined, undefined]);
    },
  },
  {
    name: 'retry() of afterResponse makes a response a failed attempt',
    async run(t) {
      const { retry } = t.lib;
      await t.home.script({ '*': [{ json: { errors: ['not yet'] } }, { json: { errors: ['not yet'] } }, { json: { data: 1 } }] });
      const events = t.recorder();
      const read = [];
      const afterResponse = async ({ response, retryCount }) => {
        const body = await response.json();
        read.push([retryCount, body.errors !== undefined]);
        return body.errors ? retry({ delay: 5 }) : Response.json(body);
      };
      const never = () => t.fail('the hooks after it are not asked');
      const only = ({ retryCount }) => (retryCount < 2 ? never() : undefined);
      const api = t.client({ retry: { limit: 3, delay: 5_000, jitter: false, backoffLimit: 5_000 }, hooks: { afterResponse: [afterResponse, only] }, onEvent: events });
      t.same(await t.works(() => api.get('a').json()), { data: 1 });
      t.same(read, [[0, true], [1, true], [2, false]]);
      t.same(events.of('retry').map(({ waitMs, retryCount }) => [waitMs, retryCount]), [[5, 1], [5, 2]], 'delay in place of the backoff');
      t.equal(api.metrics().retries, 2);
      await t.saw(3);
    },
  },
  {
    name: 'retry() of afterResponse obeys every rule of retries; then the response is the answer',
    async run(t) {
      const { retry, callInfo } = t.lib;
      await t.home.script({ '*': { json: { a: 1 } } });
      const again = (options) => ({ afterResponse: [() => retry(options)] });
      const rows = [
        ['limit', { retry: { limit: 1, delay: 1 }, hooks: again() }, 2],
        ['limit', { retry: false, hooks: again({ delay: 0 }) }, 1],
        ['retry-after', { retry: { limit: 1, maxRetryAfter: 1_000 }, hooks: again({ delay: 1_001 }) }, 1],
        ['deadline', { retry: { limit: 1 }, hooks: again({ delay: 9_000 }) }, 1],
        ['budget', { retry: { limit: 1 }, retryBudget: { capacity: 0, ratio: 0, perSecond: 0 }, hooks: again({ delay: 1 }) }, 1],
      ];
      let sent = 0;
      for (const [stopped, options, requests] of rows) {
        const response = await t.works(() => t.client(options).get('a'));
        t.same([callInfo(response).retryStopped, await response.json()], [stopped, { a: 1 }]);
        sent += requests;
        await t.saw(sent);
      }
      const post = await t.works(() => t.client({ retry: 2, hooks: again() }).post('a'));
      t.same([callInfo(post).retryStopped, await post.json()], ['method', { a: 1 }], 'the idempotency gate');
      await t.saw(sent + 1);
      await t.home.script({ '*': busy });
      const error = await t.fails(() => t.client({ retry: 1, hooks: again({ delay: 1 }) }).get('a'), { code: 'HTTP_ERROR', status: 503, retryStopped: 'limit' });
      t.same([error.attempts.length, error.data], [2, { reason: 'busy' }]);
    },
  },
  {
    name: 'retry() takes milliseconds only',
    parallel: true,
    async run(t) {
      const { retry } = t.lib;
      for (const delay of [-1, NaN, Infinity, '7', null, {}, Symbol('x')]) {
        const error = await t.fails(async () => retry({ delay }), { code: 'INVALID_OPTION' });
        t.match(error.message, /delay/);
        const hooks = { afterResponse: [() => retry({ delay })] };
        await t.fails(() => t.client({ hooks, fetch: async () => new Response('') }).get('a'), { code: 'CALLBACK_ERROR' });
      }
    },
  },
  {
    name: 'a Retry-After that CORS hides has a hint',
    hosts: BROWSERS,
    async run(t) {
      const headers = { 'retry-after': '7' };
      const cors = { allowOrigin: '*' };
      const other = await t.open({ script: {
        '/hidden': { status: 429, headers, cors },
        '/shown': { status: 429, headers, cors: { ...cors, exposeHeaders: 'Retry-After' } },
        '/500': { status: 500, headers, cors },
      } });
      await t.home.script({ '/own': { status: 503 } });
      const api = t.client();
      const hint = async (url, options) => (await t.fails(() => api.get(url, options), { code: 'HTTP_ERROR' })).hint;
      t.equal(await hint(other.url('/hidden')), 'retry-after-hidden');
      t.equal(await hint(other.url('/shown')), undefined, 'one that is exposed');
      t.equal(await hint(other.url('/500')), undefined, 'a status without Retry-After');
      t.equal(await hint(other.url('/500'), { retry: { afterStatusCodes: [500] } }), 'retry-after-hidden');
      t.equal(await hint('own'), undefined, 'the same origin');
    },
  },
];
