// What the caller has in place of an error.

import { held } from '../harness/held.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};
const outage = () => Promise.reject(new TypeError('Failed to fetch'));

/** Calls that fail, by their code; which of them a fallback replaces. */
const FAILURES = {
  NETWORK_ERROR: [outage, {}, true],
  HTTP_ERROR: [() => new Response('{"m":1}', { status: 500 }), {}, true],
  PARSE_ERROR: [() => new Response('<p>'), {}, true],
  RESPONSE_TOO_LARGE: [() => new Response('{"a":12345}'), { maxResponseBytes: 3 }, true],
  TIMEOUT: [({ signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); }), { headersTimeout: 10 }, true],
  DEADLINE_EXCEEDED: [({ signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); }), { totalTimeout: 20 }, true],
  INVALID_OPTION: [outage, { timeout: 0 }, false],
  INVALID_REQUEST: [outage, { signal: {} }, false],
  CALLBACK_ERROR: [outage, { hooks: { beforeRequest: [() => { throw new Error('hook'); }] } }, false],
  ABORTED: [outage, { signal: AbortSignal.abort('enough') }, false],
};

const cases = [
  {
    name: 'fallback: for the readers and .result(), not for the promise of the response, and not for what the caller did',
    parallel: true,
    async run(t) {
      for (const [code, [answer, options, replaces]] of Object.entries(FAILURES)) {
        const asked = [];
        const fallback = (error) => {
          asked.push(error);
          return { instead: true };
        };
        const api = t.client({ fetch: (url, init) => answer(init) });
        const start = () => api.get('a', { ...options, fallback });
        for (const reader of ['json', ...(code === 'PARSE_ERROR' ? [] : ['text', 'bytes', 'blob', 'arrayBuffer'])]) {
          if (replaces) t.same(await t.works(() => start()[reader]()), { instead: true }, `${reader} after ${code}`);
          else await t.fails(() => start()[reader](), { code });
        }
        t.same(asked.map((error) => error.code), replaces ? asked.map(() => code) : [], `what it is told after ${code}`);
        t.equal(asked.length > 0, replaces, `asked after ${code}`);
        const result = await start().result();
        t.same([result.success, result.data], replaces ? [true, { instead: true }] : [false, undefined], `result after ${code}`);
        t.equal(result.error?.code, replaces ? undefined : code, `the error of the result after ${code}`);
        // There the body is read by the caller.
        if (!/PARSE|LARGE/.test(code)) await t.fails(() => start(), { code });
      }
    },
  },
  {
    name: 'fallback: for what queue and circuit refuse, with nothing sent',
    parallel: true,
    async run(t) {
      const fetch = held();
      const api = t.client({ fetch, queue: { concurrency: 1, limit: 1, timeout: 30 }, circuitBreaker: { failureThreshold: 1 } });
      const told = [];
      const fallback = ({ code, outcome }) => told.push([code, outcome]);
      const holder = quiet(api.get('holder').json());
      const waiting = api.get('waiting', { fallback }).json();
      await t.works(() => api.get('full', { fallback }).json(), [0, 50]);
      await t.works(() => waiting, [0, 100]);
      fetch.calls[0].fail();
      await t.fails(() => holder, { code: 'NETWORK_ERROR' });
      await t.works(() => api.get('open', { fallback }).json(), [0, 50]);
      t.same(told, [['QUEUE_FULL', 'not-sent'], ['QUEUE_TIMEOUT', 'not-sent'], ['CIRCUIT_OPEN', 'not-sent']]);
      t.equal(fetch.calls.length, 1, 'calls of fetch');
    },
  },
  {
    name: 'fallback: any value, a promise of one, and not asked without need',
    parallel: true,
    async run(t) {
      const api = t.client({ fetch: outage });
      for (const value of [undefined, null, 0, '', false, [1]]) t.equal(await t.works(() => api.get('a', { fallback: () => value }).json()), value);
      t.equal(await t.works(() => api.get('a', { fallback: async () => 'later' }).json()), 'later');
      const never = () => t.fail('nothing has failed');
      const well = t.client({ fetch: async () => new Response('{"a":1}') });
      t.same(await t.works(() => well.get('a', { fallback: never }).json()), { a: 1 });
      t.same((await well.get('a', { fallback: never }).result()).data, { a: 1 });
    },
  },
  {
    name: 'fallback: one that throws or rejects is CALLBACK_ERROR, and its words stay inside',
    parallel: true,
    async run(t) {
      const thrown = new RangeError('secret words');
      const api = t.client({ fetch: outage });
      for (const fallback of [() => { throw thrown; }, async () => { throw thrown; }]) {
        const error = await t.fails(() => api.get('a', { fallback }).json(), { code: 'CALLBACK_ERROR', originalError: thrown });
        t.equal(error.cause.name, 'RangeError');
        t.lacks(`${error.message}${error.stack}${JSON.stringify(error)}${error.cause.message}`, 'secret words');
        const result = await api.get('a', { fallback }).result();
        t.same([result.success, result.error.code], [false, 'CALLBACK_ERROR']);
        t.same([result.error.outcome, result.error.phase], ['unknown', 'hook'], 'the outcome is that of the call');
        t.same(result.error.attempts.map(({ code, phase, outcome }) => [code, phase, outcome]), [['NETWORK_ERROR', 'headers', 'unknown']], 'and so are its attempts');
      }
      const full = t.client({ fetch: held(), queue: { concurrency: 1, limit: 0 } });
      const holder = quiet(full.get('holder').json());
      const error = await t.fails(() => full.get('a', { fallback: () => { throw thrown; } }).json(), { code: 'CALLBACK_ERROR', outcome: 'not-sent' });
      t.same(error.attempts, [], 'attempts of what was never sent');
      full.abortAll();
      await t.fails(() => holder, { code: 'ABORTED' });
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
