// Clients that have nothing to do with what a case does, and must not notice it.

import { held } from './held.mjs';

/** One has a call under way, the other one has made none. */
export async function bystanders(t) {
  const fetch = held();
  const busy = t.client({ fetch, timeout: false, headersTimeout: false, totalTimeout: false });
  const idle = t.client({ fetch: async () => new Response('{"c":3}') });
  const pending = busy.get('pending').json();
  pending.catch(() => {});
  await t.until(() => fetch.calls.length === 1, 'the pending call');
  const engines = t.memory.instances();
  return {
    /** @param {string} after what they must not notice */
    async unharmed(after) {
      t.same(await t.works(() => idle.get('a').json()), { c: 3 }, `an idle client, after ${after}`);
      fetch.calls[0].answer(new Response('{"b":2}'));
      t.same(await t.works(() => pending), { b: 2 }, `the pending call, after ${after}`);
      for (const { metrics } of [busy, idle]) {
        const { calls, succeeded, failed, inFlight } = metrics();
        t.same([calls - succeeded, { ...failed }, inFlight], [0, {}, 0], `the metrics, after ${after}`);
      }
      t.equal(t.memory.instances(), engines, `engines, after ${after}`);
    },
  };
}
