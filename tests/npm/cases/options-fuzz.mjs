// Random options: refused before anything is sent, or carried out; never a trap, a hang or a rejection nobody hears of.

import { hostileInput, hostileOptions } from '../harness/hostile.mjs';
import { random } from '../harness/random.mjs';

const SEED = 20_261_129;
const TOTAL = 10_000;
const BATCH = 200;
const PATIENCE = 120;

const CODES = new Set([
  'INVALID_OPTION', 'INVALID_REQUEST', 'UNSUPPORTED', 'CALLBACK_ERROR', 'NETWORK_ERROR', 'TIMEOUT', 'DEADLINE_EXCEEDED', 'ABORTED',
  'HTTP_ERROR', 'PARSE_ERROR', 'UNEXPECTED_RESPONSE', 'RESPONSE_TOO_LARGE',
]);
const REFUSED = new Set(['INVALID_OPTION', 'INVALID_REQUEST', 'UNSUPPORTED']);

/** A fetch that answers most of the time, and counts by the number in the path. What it does hangs on that number alone. */
function stub() {
  const calls = new Map();
  const fetch = async (input, init) => {
    // As the platform: arguments that it does not take are refused with nothing sent.
    void new Request(input, init);
    const [, digits] = /stub\.test\/(\d+)/.exec(input?.url ?? String(input)) ?? [];
    const number = Number(digits);
    const call = (calls.get(number) ?? 0) + 1;
    calls.set(number, call);
    const fate = random(number * 10 + call).below(10);
    await new Promise((resolve) => setTimeout(resolve, fate));
    init?.signal?.throwIfAborted();
    if (fate === 0) throw new TypeError('Failed to fetch');
    if (fate === 1) return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
    if (fate === 2) return new Response('no json');
    if (fate === 3) return new Response(null, { status: 204 });
    return new Response('{"a":1}');
  };
  return { fetch, calls };
}

/** The ways into the library that take options. */
const WAYS = [
  (api, url, options) => api.get(url, options).json(),
  (api, url, options) => api.get(url, options),
  (api, url, options) => api.post(url, options).text(),
  (api, url, options) => api.put(url, options).result(),
  async (api, url, options) => {
    for await (const chunk of api.get(url, options).stream()) void chunk;
  },
  async (api, url, options) => (await api.fetch(url, options)).text(),
  async (api, url, options) => api.extend(options).get(url).bytes(),
];

async function fuzz(t, host) {
  const draw = random(SEED + (host === 'node' ? 1 : 0));
  const { fetch, calls } = stub();
  const original = globalThis.fetch;
  globalThis.fetch = fetch;
  // Observers that throw are reported, as they should be; nobody needs to read it here.
  const quiet = [t.spy(console, 'error', () => () => {}), ...(globalThis.reportError ? [t.spy(globalThis, 'reportError', () => () => {})] : [])];
  const counts = {};
  try {
    for (let done = 0; done < TOTAL; done += BATCH) {
      const api = t.lib.createClient({ totalTimeout: 5_000, baseUrl: 'http://stub.test/', retry: { delay: 1 } });
      const pending = new Set();
      const clients = [];
      for (let number = done; number < done + BATCH; number += 1) {
        const what = `object ${number} of seed ${SEED}`;
        const options = hostileOptions(draw);
        if (draw.chance(0.2)) {
          try {
            const client = t.lib.createClient(options);
            clients.push(client);
            counts.created = (counts.created ?? 0) + 1;
          } catch (error) {
            t.equal(error?.code, 'INVALID_OPTION', `createClient, ${what}`);
            t.ok(error.message.length < 2_000, `${what}: a message of ${error.message.length} characters`);
            counts.thrown = (counts.thrown ?? 0) + 1;
          }
          continue;
        }
        const input = hostileInput(draw, `http://stub.test/${number}`);
        const way = draw.below(WAYS.length);
        let promise;
        try {
          promise = WAYS[way](api, input, options);
        } catch (error) {
          t.fail(`${what}, way ${way}: threw ${t.show(error)} at once: ${error?.stack}`);
        }
        const entry = { number, way };
        pending.add(entry);
        promise.then(
          (value) => judge(t, value?.success === false ? value.error : undefined, entry, what),
          (error) => judge(t, error ?? new Error('nothing'), entry, what),
        ).then((code) => { counts[code] = (counts[code] ?? 0) + 1; }, (failure) => { entry.failure = failure; })
          .finally(() => (entry.failure ? undefined : pending.delete(entry)));
      }
      await Promise.race([t.until(() => pending.size === 0, 'the batch', PATIENCE).catch(() => {}), t.sleep(PATIENCE)]);
      for (const client of [api, ...clients]) client.close('fuzz');
      await t.until(() => [...pending].every(({ failure }) => failure) || pending.size === 0, () => 'all to settle', 2_000).catch(() => {});
      for (const { number, way, failure } of pending) {
        throw failure ?? new Error(`object ${number} of seed ${SEED}, way ${way}: pending after close`);
      }
    }
  } finally {
    globalThis.fetch = original;
    for (const { restore } of quiet) restore();
  }
  t.ok(counts.INVALID_OPTION > 1_000, `many were refused: ${t.show(counts)}`);
  t.ok(counts.fine > 300, `many went through: ${t.show(counts)}`);
  t.ok(!counts.ENGINE_DEAD, 'no trap');

  function judge(_, error, { number, way }, what) {
    if (error === undefined) return 'fine';
    const info = t.info(error);
    // An own error of a hook, or the reason of a hostile signal, comes out as it is.
    if (info === undefined) {
      const own = /^(e|hostile|r|a|i)$/.test(error.message ?? error) || way === 5;
      t.ok(own, `${what}, way ${way}: a foreign rejection ${t.show(error)} ${error?.stack}`);
      return 'foreign';
    }
    const told = `${info.code}: ${info.message} (${t.show(info.originalError)})`;
    t.ok(CODES.has(info.code), `${what}, way ${way}: ${told}`);
    t.ok(info.message.length < 2_000, `${what}: a message of ${info.message.length} characters`);
    if (REFUSED.has(info.code) && info.outcome === 'not-sent') {
      t.equal(calls.get(number) ?? 0, 0, `${what}, way ${way}: requests of ${told}`);
    }
    return info.code;
  }
}

export default [
  {
    name: 'ten thousand random options',
    timeout: 120_000,
    run: (t) => fuzz(t, t.host),
  },
];
