// Writes against a shop on a real database, which commits an order and then loses the answer. Its database says what is true.

import { BROWSERS } from '../harness/hosts.mjs';

const HOSTS = ['node', ...BROWSERS];
/** Writes that are under way at a time. Browsers have six connections for a host. */
const AT_A_TIME = 6;
const FAULTS = { seed: 7, lost: 0.3, reset: 0.1, tokenRequests: 100 };
const PATIENT = {
  retryBudget: false,
  retry: { limit: 10, retryOnTimeout: true, delay: 50 },
  timeout: 1_000,
  headersTimeout: false,
  totalTimeout: 120_000,
};

/** Makes so many writes, and asks the database about them. */
async function sell(t, faults, options) {
  const count = t.full ? 1_000 : 150;
  await t.home.script({ '/orders*': { orders: { ...FAULTS, ...faults } } });
  const report = () => fetch(t.home.url('/orders/report'), { cache: 'no-store' }).then((response) => response.json());
  let token = 'none';
  const auth = {
    getToken: () => token,
    refreshToken: async ({ fetch }) => (token = (await (await fetch('orders/token', { method: 'POST' })).json()).token),
  };
  /** Attempts of each write that may have been carried out: not those that the server refused for want of a token. */
  const attempts = {};
  const onEvent = ({ type, operation, status }) => {
    if (type === 'attempt-start') attempts[operation] = (attempts[operation] ?? 0) + 1;
    if (type === 'attempt-end' && status === 401) attempts[operation] -= 1;
  };
  const api = t.client({ ...PATIENT, auth, onEvent, ...options });
  const made = {};
  const errors = {};
  const references = Array.from({ length: count }, (_, number) => `${number}`);
  const rest = [...references];
  const sellOne = async (reference) => {
    try {
      made[reference] = await api.post('orders', { searchParams: { reference }, operation: `write ${reference}`, json: {} }).json();
    } catch (error) {
      errors[reference] = error;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (rest.length) await sellOne(rest.pop());
  }));
  // What was committed late is in the database only now.
  let found = await report();
  while (found.running) {
    await t.sleep(100);
    found = await report();
  }
  const { orders, requests } = found;
  /** Whether the browser has repeated a request below fetch, where nobody above can see it. */
  const isRepeated = (reference) => (requests[reference] ?? 0) > (attempts[`write ${reference}`] ?? 0);
  return { api, references, made, errors, orders, isRepeated, attempts };
}

function sameOrders(t, { references, made, errors, orders }) {
  t.same(Object.keys(errors).map((reference) => `${errors[reference]}`), [], 'errors');
  t.same(references.filter((reference) => !orders[reference]), [], 'lost');
  t.same(references.filter((reference) => orders[reference] > 1), [], 'doubled');
  t.same(references.filter((reference) => made[reference].reference !== reference), [], 'answers of other writes');
}

export default [
  {
    name: 'G01 G03 G05 keyed writes through lost answers, resets, timeouts and expired tokens are each made once',
    hosts: HOSTS,
    needs: { queue: { concurrency: 1 }, idempotencyKey: 'auto' },
    timeout: 60_000,
    full: 300_000,
    async run(t) {
      const sold = await sell(t, {}, { idempotencyKey: 'auto' });
      sameOrders(t, sold);
      t.ok(sold.api.metrics().retries > sold.references.length / 5, 'retries');
    },
  },
  {
    name: 'G01 keyed writes whose outcome is looked up are each made once',
    hosts: HOSTS,
    needs: { queue: { concurrency: 1 }, idempotencyKey: 'auto' },
    timeout: 60_000,
    full: 300_000,
    async run(t) {
      const url = (key) => `orders/${encodeURIComponent(key)}`;
      const outcomeLookup = { url, interval: 100, limit: 30, resendIfNotFound: true };
      const sold = await sell(t, {}, { idempotencyKey: 'auto', outcomeLookup });
      sameOrders(t, sold);
      t.ok(sold.api.metrics().lookups > sold.references.length / 5, 'lookups');
    },
  },
  {
    name: 'F01 F02 G13 writes without a key are never doubled by us, and every outcome is true',
    hosts: HOSTS,
    needs: { queue: { concurrency: 1 } },
    timeout: 60_000,
    full: 300_000,
    async run(t) {
      const sold = await sell(t, { busy: 0.05, gateway: 0.05 });
      const { references, made, errors, orders, isRepeated, attempts } = sold;
      const own = references.filter((reference) => !isRepeated(reference));
      t.ok(own.length > references.length / 2, `writes that the browser has not repeated: ${own.length}`);
      t.same(references.filter((reference) => attempts[`write ${reference}`] > 1), [], 'sent more than once by us');
      t.same(own.filter((reference) => orders[reference] > 1), [], 'doubled');
      t.same(own.filter((reference) => made[reference] && orders[reference] !== 1), [], 'made, but not there');
      // Answered with an error means that the answer is to be believed: the shop was busy, and took no order.
      const wrong = own.filter((reference) => errors[reference] && errors[reference].outcome !== 'unknown' && orders[reference]);
      t.same(wrong.map((reference) => `${errors[reference]}`), [], 'there, but said to be answered or not sent');
      const outcomes = new Set(own.map((reference) => errors[reference]?.outcome));
      t.same([...outcomes].sort(), ['answered', 'unknown', undefined], 'outcomes');
    },
  },
];
