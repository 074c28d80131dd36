// Options of queue, circuits, budget, header, fallback and scope: what is refused, and that it says what.


/** Options that are no good, and what the message has to name. */
const BAD = [
  [{ queue: {} }, 'queue.concurrency'],
  [{ queue: { limit: 5 } }, 'queue.concurrency'],
  [{ queue: { concurrency: undefined } }, 'queue.concurrency'],
  ...[0, 1.5, -1, NaN, Infinity, '2', null, true, [], {}, 2 ** 32].map((value) => [{ queue: { concurrency: value } }, 'queue.concurrency']),
  ...[-1, 1.5, NaN, '5', null, false].map((value) => [{ queue: { concurrency: 1, limit: value } }, 'queue.limit']),
  ...[0, 0.4, -1, NaN, '5', null, true].map((value) => [{ queue: { concurrency: 1, timeout: value } }, 'queue.timeout']),
  ...[0, 'yes', null].map((value) => [{ queue: { concurrency: 1, perOrigin: value } }, 'queue.perOrigin']),
  ...['origin', 1, null, {}].map((value) => [{ queue: { concurrency: 1, key: value } }, 'queue.key']),
  [{ queue: { concurency: 1 } }, 'queue.concurrency?'],
  [{ queue: { concurrency: 1, perorigin: true } }, 'queue.perOrigin?'],
  ...[0, 1.5, -1, '5', null].map((value) => [{ circuitBreaker: { failureThreshold: value } }, 'circuitBreaker.failureThreshold']),
  ...[-1, NaN, '5', null, false].map((value) => [{ circuitBreaker: { resetTimeout: value } }, 'circuitBreaker.resetTimeout']),
  ...[0, 0.5, null].map((value) => [{ circuitBreaker: { halfOpenSuccesses: value } }, 'circuitBreaker.halfOpenSuccesses']),
  ...[0, 2, -0.1, NaN, null].map((value) => [{ circuitBreaker: { failureRate: value } }, 'circuitBreaker.failureRate']),
  ...[-1, 'x', null].map((value) => [{ circuitBreaker: { window: value } }, 'circuitBreaker.window']),
  ...[0, 1.5, null].map((value) => [{ circuitBreaker: { minimumCalls: value } }, 'circuitBreaker.minimumCalls']),
  [{ circuitBreaker: { key: 'origin' } }, 'circuitBreaker.key'],
  [{ circuitBreaker: { threshold: 5 } }, 'circuitBreaker.threshold'],
  [{ circuitBreaker: { failureTreshold: 5 } }, 'circuitBreaker.failureThreshold?'],
  [{ circuitBraker: {} }, 'circuitBreaker?'],
  ...['capacity', 'ratio', 'perSecond'].flatMap((name) => [-1, NaN, Infinity, '1', null, true].map((value) => [{ retryBudget: { [name]: value } }, `retryBudget.${name}`])),
  [{ retryBudget: { persecond: 1 } }, 'retryBudget.perSecond?'],
  [{ retrybudget: {} }, 'retryBudget?'],
  ...['queue', 'circuitBreaker', 'retryBudget'].flatMap((group) => [null, true, 5, 'on', [], [1], () => {}, NaN].map((value) => [{ [group]: value }, group])),
  [{ deadlineHeaders: 'x' }, 'deadlineHeader?'],
  ...['', 'a b', 'x\r\ny: z', null, 5, true, false, [], ['x']].map((value) => [{ deadlineHeader: value }, 'deadlineHeader']),
  ...[{}, { name: '' }, { name: 'a b' }, { name: 7 }, { name: null }].map((value) => [{ deadlineHeader: value }, 'deadlineHeader']),
  [{ fallback: () => 1 }, 'fallback'],
];

const OF_A_CLIENT = [{ queue: { concurrency: 1 } }, { queue: false }, { circuitBreaker: {} }, { circuitBreaker: false }, { retryBudget: {} }, { retryBudget: false }];

/** Scopes that cannot be. */
const BAD_SCOPES = [
  ...[0, 0.4, -1, NaN, '5', null, true].map((value) => [{ totalTimeout: value }, 'totalTimeout']),
  ...[-1, NaN, '5', null].map((value) => [{ reserve: value }, 'reserve']),
  ...[0, 1, 'yes', null].map((value) => [{ failFast: value }, 'failFast']),
  [{ timeout: 5 }, 'timeout'],
  [{ failfast: true }, 'failfast'],
];

const GOOD = [
  { queue: { concurrency: 1 } },
  { queue: { concurrency: 2 ** 32 - 1, limit: 0, timeout: false, perOrigin: false, key: () => '' } },
  { queue: { concurrency: 1, limit: 2 ** 32 - 1, timeout: Infinity } },
  { queue: { concurrency: 1, limit: undefined, timeout: 2 ** 53 - 1 } },
  { queue: false },
  { circuitBreaker: {} },
  { circuitBreaker: { failureThreshold: 1, resetTimeout: 0, halfOpenSuccesses: 1, failureRate: 1, window: 0, minimumCalls: 1 } },
  { circuitBreaker: { resetTimeout: Infinity, failureRate: 0.001 } },
  { circuitBreaker: false },
  { retryBudget: { capacity: 0, ratio: 0, perSecond: 0 } },
  { retryBudget: { capacity: 2 ** 53, ratio: 0.5, perSecond: 0.001 } },
  { retryBudget: {} },
  { retryBudget: false },
  { deadlineHeader: 'x-deadline' },
  { deadlineHeader: { name: 'x-deadline', crossOrigin: true } },
  { deadlineHeader: { name: 'x-deadline', crossOrigin: undefined } },
  { queue: undefined, circuitBreaker: undefined, retryBudget: undefined, deadlineHeader: undefined },
];

function refuses(t, run, name) {
  const error = t.throws(run);
  t.equal(t.info(error)?.code, 'INVALID_OPTION', `the code for ${name}: ${t.show(error)}`);
  t.equal(error.outcome, 'not-sent');
  t.ok(error.message.includes(name), `a message that names ${name}: ${error.message}`);
}

export default [
  {
    name: 'options that are no good: createClient and extend throw, and name them',
    parallel: true,
    async run(t) {
      for (const [options, name] of BAD) {
        refuses(t, () => t.lib.createClient(options), name);
        refuses(t, () => t.client().extend(options), name);
      }
    },
  },
  {
    name: 'options of a client are refused in a call',
    parallel: true,
    async run(t) {
      const api = t.client({ fetch: t.scripted(new Response('{}')) });
      for (const options of OF_A_CLIENT) {
        const [name] = Object.keys(options);
        const error = await t.fails(() => api.get('a', options).json(), { code: 'INVALID_OPTION', outcome: 'not-sent' });
        t.ok(error.message.includes(name), error.message);
        await t.fails(() => api.fetch('a', options), { code: 'INVALID_OPTION' });
      }
      const error = await t.fails(() => api.fetch('a', { fallback: () => 1 }), { code: 'INVALID_OPTION' });
      t.ok(error.message.includes('fallback'), error.message);
      for (const fallback of [1, 'x', null, {}]) await t.fails(() => api.get('a', { fallback }).json(), { code: 'INVALID_OPTION' });
    },
  },
  {
    name: 'options of a scope that are no good',
    parallel: true,
    async run(t) {
      const api = t.client();
      for (const [options, name] of BAD_SCOPES) refuses(t, () => api.scope(options), name);
      for (const signal of [{}, 'x', 5]) {
        const error = t.throws(() => api.scope({ signal }));
        t.oneOf(t.info(error)?.code, ['INVALID_OPTION', 'INVALID_REQUEST']);
        t.ok(error.message.includes('signal'), error.message);
      }
      for (const options of [undefined, {}, { totalTimeout: false, signal: null, reserve: 0, failFast: false }, { totalTimeout: undefined, signal: undefined, reserve: undefined, failFast: undefined }]) {
        t.equal(typeof api.scope(options).get, 'function');
      }
      t.equal(t.info(t.throws(() => api.scope(null)))?.code, 'INVALID_OPTION', 'null');
    },
  },
  {
    name: 'N14 options at the ends of what is allowed are taken, and calls work with them',
    parallel: true,
    async run(t) {
      for (const options of GOOD) {
        const api = t.client({ fetch: t.scripted(new Response('{"a":1}')), ...options });
        t.same(await t.works(() => api.get('a').json()), { a: 1 }, t.show(options));
        t.same(await t.works(() => api.extend(options).get('a').json()), { a: 1 }, `extended with ${t.show(options)}`);
      }
    },
  },
];
