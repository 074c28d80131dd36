// The retry budget: in an outage a server gets the first attempts and few more.

import { held } from '../harness/held.mjs';

const quiet = (call) => {
  call.catch(() => {});
  return call;
};
const outage = () => new TypeError('Failed to fetch');
const NOTHING = { ratio: 0, perSecond: 0 };

export default [
  {
    name: 'F09 thirty callers in a full outage: ten retries in all, each call with its own last error',
    async run(t) {
      await t.home.script({ '*': { before: 'reset' } });
      const api = t.client({ retry: { limit: 3, delay: 1 }, retryBudget: { capacity: 10, ...NOTHING } });
      // A GET Firefox would send again by itself.
      const began = t.now();
      const results = await Promise.all(Array.from({ length: 30 }, (_, number) => t.settle(() => api.put(`a?${number}`).json())));
      t.took(t.now() - began, [0, 1_000], 'time until all had settled');
      const stops = results.map(({ error }) => {
        t.equal(error.code, 'NETWORK_ERROR');
        t.ok(error.message.includes('PUT'), `its own: ${error.message}`);
        return error.retryStopped;
      });
      t.equal(new Set(results.map(({ error }) => error)).size, 30, 'errors');
      for (const stop of stops) t.oneOf(stop, ['budget', 'limit']);
      t.between(stops.filter((stop) => stop === 'budget').length, 27, 30, 'stopped by the budget');
      t.equal(results.reduce((sum, { error }) => sum + error.attempts.length, 0), 40, 'attempts');
      await t.saw(40);
      const { retries, budgetRefusals } = api.metrics();
      t.same([retries, budgetRefusals], [10, stops.filter((stop) => stop === 'budget').length], 'the counts');
    },
  },
  {
    name: 'a status that the budget, or anything else, kept from a retry says so as an answer, and is counted once',
    parallel: true,
    async run(t) {
      const events = [];
      const api = t.client({
        fetch: t.scripted(() => new Response('x', { status: 503, headers: { 'retry-after': '0' } })),
        retry: { limit: 1, delay: 0, statusCodes: [503] },
        retryBudget: { capacity: 1, ...NOTHING },
        onEvent: (event) => event.type === 'call-end' && events.push(event.retryStopped),
      });
      const stops = [];
      for (let time = 0; time < 2; time += 1) {
        const response = await api.fetch('a');
        stops.push(t.lib.callInfo(response).retryStopped);
        await response.text();
      }
      await t.fails(() => api.get('a').json(), { code: 'HTTP_ERROR', retryStopped: 'budget' });
      t.same(stops, ['limit', 'budget'], 'callInfo');
      t.same(events, ['limit', 'budget', 'budget'], 'call-end');
      t.equal(api.metrics().budgetRefusals, 2, 'refusals');
      const good = await t.client({ fetch: t.scripted(() => new Response('x')) }).fetch('a');
      t.equal(t.lib.callInfo(good).retryStopped, undefined);
      await good.text();
    },
  },
  {
    name: 'F09 each first attempt saves a part of a retry',
    parallel: true,
    async run(t) {
      let down = true;
      const fetch = t.scripted(() => (down ? Promise.reject(outage()) : new Response('{}')));
      const api = t.client({ fetch, retry: { limit: 3, delay: 0 }, retryBudget: { capacity: 10, ratio: 0.1, perSecond: 0 } });
      // Until it is empty: what its own first attempts save is spent too.
      while (!(await api.get('a').result()).error.attempts.length || api.metrics().budgetRefusals === 0);
      for (let time = 0; api.metrics().retries * 10 < 100 + api.metrics().calls - 9 && time < 20; time += 1) await api.get('a').result();
      down = false;
      const { retries } = api.metrics();
      for (let time = 0; time < 10; time += 1) await api.get('a').json();
      down = true;
      // The eleventh tenth is that of this call.
      const { error } = await api.get('a').result();
      t.equal(error.retryStopped, 'budget');
      t.equal(api.metrics().retries - retries, 1, 'retries that ten calls have saved');
    },
  },
  {
    name: 'F09 N04 time refills the budget, up to its capacity',
    async run(t) {
      const clock = t.fakeClock();
      try {
        const fetch = t.scripted(outage());
        const api = t.client({ fetch, retry: { limit: 5, delay: 0 }, retryBudget: { capacity: 2, ratio: 0, perSecond: 0.5 } });
        const attempts = async () => {
          const before = fetch.calls.length;
          const result = api.get('a').result();
          await clock.advance(10);
          const { error } = await result;
          t.same([error.code, error.retryStopped], ['NETWORK_ERROR', 'budget']);
          return fetch.calls.length - before;
        };
        t.equal(await attempts(), 3, 'attempts with a full budget');
        t.equal(await attempts(), 1, 'with none left');
        await clock.advance(2_000);
        t.equal(await attempts(), 2, 'after two seconds');
        await clock.advance(3_600_000);
        t.equal(await attempts(), 3, 'after an hour');
      } finally {
        clock.restore();
      }
    },
  },
  {
    name: 'F11 loops around calls get no more than the budget, and are told why',
    async run(t) {
      await t.home.script({ '*': { before: 'reset' } });
      const api = t.client({ retry: { limit: 3, delay: 1 }, retryBudget: { capacity: 6, ...NOTHING } });
      const stops = [];
      for (let layer = 0; layer < 3; layer += 1) {
        const error = await t.fails(() => api.put('a').json(), { code: 'NETWORK_ERROR' });
        stops.push([error.retryStopped, error.attempts.length]);
      }
      t.same(stops, [['limit', 4], ['limit', 4], ['budget', 1]]);
      await t.saw(9);
    },
  },
  {
    name: 'the budget is for each origin; views share it, unless they have one of their own',
    parallel: true,
    async run(t) {
      const fetch = t.scripted(outage());
      const attempts = async (api, url = 'http://a.test/') => (await api.get(url).result()).error.attempts.length;
      const api = t.client({ fetch, retry: { limit: 2, delay: 0 }, retryBudget: { capacity: 2, ...NOTHING } });
      const own = api.extend({ retryBudget: { capacity: 1, ...NOTHING } });
      const none = api.extend({ retryBudget: false });
      t.equal(await attempts(api.extend({ timeout: 100 })), 3, 'of a view');
      t.equal(await attempts(api), 1, 'of the client, after its view');
      t.equal(await attempts(api.scope()), 1, 'of a scope');
      t.equal(await attempts(api, 'http://b.test/'), 3, 'of another origin');
      t.equal(await attempts(own), 2, 'of its own');
      t.equal(await attempts(own), 1, 'of its own, spent');
      for (let time = 0; time < 5; time += 1) t.equal(await attempts(none), 3, 'without');
      t.equal(await attempts(t.client({ fetch, retry: { limit: 2, delay: 0 } })), 3, 'of another client');
    },
  },
  {
    name: 'a status that the budget does not retry is the answer',
    parallel: true,
    async run(t) {
      const api = t.client({
        fetch: async () => new Response('{"a":1}', { status: 503 }),
        retry: { limit: 3, delay: 0, statusCodes: [503] }, retryBudget: { capacity: 1, ...NOTHING },
      });
      const error = await t.fails(() => api.get('a').json(), { code: 'HTTP_ERROR', status: 503, retryStopped: 'budget' });
      t.equal(error.attempts.length, 2, 'attempts');
      const response = await t.works(() => api.fetch('a'));
      t.same([response.status, await response.json()], [503, { a: 1 }], 'by api.fetch');
    },
  },
  {
    name: 'a retry that is never sent is given back to the budget',
    parallel: true,
    async run(t) {
      const fetch = held();
      const events = t.recorder();
      const api = t.client({ fetch, onEvent: events, retry: { limit: 1, delay: 60_000, jitter: 'none', backoffLimit: false }, totalTimeout: false, retryBudget: { capacity: 1, ...NOTHING } });
      for (let time = 0; time < 3; time += 1) {
        const controller = new AbortController();
        const call = quiet(api.get('a', { signal: controller.signal }).json());
        await t.turn();
        fetch.calls.at(-1).fail();
        await t.until(() => events.of('retry').length === time + 1, 'the backoff');
        controller.abort();
        await t.fails(() => call, { code: 'ABORTED' });
      }
      const down = t.scripted(outage());
      await t.fails(() => api.get('a', { fetch: down, retry: { delay: 0 } }).json(), { code: 'NETWORK_ERROR', retryStopped: 'limit' });
      t.equal(down.calls.length, 2, 'calls of fetch');
    },
  },
];
