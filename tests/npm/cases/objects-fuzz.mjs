// Every place where an object of the caller is touched is given a distorted one: at most its own call ends, with a typed error.

import { bystanders } from '../harness/bystanders.mjs';
import { distort } from '../harness/distort.mjs';
import { except } from '../harness/hosts.mjs';
import { random } from '../harness/random.mjs';

const SEED = 20_261_201;
const TOTAL = 1_600;
const BATCH = 40;

const answer = (init) => new Response('{"a":1}', init);
const okay = async () => answer();
const limits = { totalTimeout: 400, timeout: 300, idleTimeout: 100, retry: { limit: 1, delay: 1 } };
const schema = () => ({ '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value, issues: undefined }) } });
const stream = () => new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('{"a":1}'));
    controller.close();
  },
});
const withBody = (body) => Object.defineProperty(answer(), 'body', { value: body, configurable: true });
const rejecting = (make) => () => Promise.reject(make());

/** The realm of another window, or of another context of Node. There is none in a worker. */
async function foreignRealm(t) {
  if (t.host === 'node') {
    const { runInNewContext } = await import('node:vm');
    return runInNewContext('globalThis');
  }
  if (typeof document === 'undefined') return globalThis;
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentWindow;
}

/**
 * The places. Each gives `use` a maker of distorted objects.
 * @returns {Record<string, (make: (object: object) => object, t: object) => Promise<unknown>>}
 */
const placesIn = (t, realm) => {
  const client = (options) => t.lib.createClient({ baseUrl: 'http://a.test/', fetch: okay, ...limits, ...options });
  const responding = (make) => client({ fetch: async () => make(), retry: { limit: 1, delay: 1, statusCodes: [503] } });
  const Reply = realm.Response ?? Response;
  const Controller = realm.AbortController ?? AbortController;
  const places = {
    'a signal': (make) => client().get('a', { signal: make(new Controller().signal) }).json(),
    'a signal that aborts': async (make) => {
      const controller = new Controller();
      const call = client({ fetch: () => new Promise(() => {}) }).get('a', { signal: make(controller.signal) }).json();
      call.catch(() => {});
      const reason = make(new realm.Error('enough'));
      try {
        controller.abort(reason);
      } catch {
        // Node cannot abort a signal that is frozen.
      }
      return call;
    },
    'the signal of a scope': (make) => client().scope({ signal: make(new Controller().signal) }).get('a').json(),
    'options of a scope': (make) => client().scope(make({ totalTimeout: 300, failFast: true })).get('a').json(),
    'a reason of abortAll': (make) => {
      const api = client({ fetch: () => new Promise(() => {}) });
      const call = api.get('a').json();
      call.catch(() => {});
      api.abortAll(make(new realm.Error('enough')));
      return call;
    },
    'options of a call': (make) => client().post('a', make({ json: { a: 1 }, timeout: 200, headers: { a: 'b' } })).json(),
    'options, whole': (make) => t.lib.createClient(make({ ...limits, fetch: okay, baseUrl: 'http://a.test/' })).get('a').json(),
    'the init of fetch': async (make) => (await client().fetch('a', make({ method: 'POST', body: 'x', headers: { a: 'b' } }))).text(),
    retry: (make) => client({ retry: make({ limit: 1, delay: 1 }) }).get('a').json(),
    queue: (make) => client({ queue: make({ concurrency: 2 }) }).get('a').json(),
    hooks: (make) => client({ hooks: make({ beforeRequest: [() => {}] }) }).get('a').json(),
    auth: (make) => client({ auth: make({ getToken: () => 'x', refreshToken: () => 'y' }) }).get('a').json(),
    'a class as auth': (make) => client({ auth: make(new (class { getToken() { return 'x'; } refreshToken() { return 'y'; } })()) }).get('a').json(),
    'header objects': (make) => client().get('a', { headers: make({ a: 'b' }) }).json(),
    Headers: (make) => client().get('a', { headers: make(new Headers({ a: 'b' })) }).json(),
    'header lists': (make) => client().post('a', { headers: make([['a', 'b']]), body: 'x' }).json(),
    searchParams: (make) => client().get('a', { searchParams: make({ a: 1, b: [1, 2] }) }).json(),
    'values of searchParams': (make) => client().get('a', { searchParams: { a: make(new Date(0)) } }).json(),
    form: (make) => client().post('a', { form: make({ a: 1 }) }).json(),
    json: (make) => client().post('a', { json: make({ a: 1, toJSON: () => ({}) }) }).json(),
    'a URL': (make) => client().get(make(new URL('http://a.test/b'))).json(),
    'a Request': (make) => client().get(make(new (realm.Request ?? Request)('http://a.test/b', { headers: { a: 'b' } }))).json(),
    'a Request of fetch': async (make) => (await client().fetch(make(new Request('http://a.test/b')))).json(),
    bytes: (make) => client().put('a', { body: make(new Uint8Array(4)) }).json(),
    'a Blob': (make) => client().put('a', { body: make(new Blob(['x'])) }).json(),
    'a FormData': (make) => client().put('a', { body: make(new FormData()), keepalive: true }).json(),
    'a stream': (make) => client().post('a', { body: make(stream()), duplex: 'half' }).json(),
    'what an endless upload gives': (make) => client({ fetch: rejecting(() => new TypeError('x')) }).post('a', { body: make(stream()) }).json(),
    'a Response': (make) => responding(() => make(new Reply('{"a":1}'))).get('a').json(),
    'a Response, whole': (make) => responding(() => make(new Reply('{"a":1}', { status: 503 }))).get('a').text(),
    'a Response, streamed': async (make) => {
      for await (const chunk of responding(() => make(answer())).get('a').stream()) void chunk;
    },
    'a Response of api.fetch': async (make) => (await responding(() => make(new Reply('{"a":1}'))).fetch('a')).text(),
    'an unread Response': async (make) => void (await responding(() => make(answer())).fetch('a')),
    'a bare mock': (make) => responding(() => make({ status: 200, ok: true, headers: new Headers(), text: async () => '{"a":1}' })).get('a').json(),
    'headers of a Response': (make) => {
      const headers = make(new Headers({ 'content-length': '7', 'retry-after': '1' }));
      return responding(() => Object.defineProperty(answer({ status: 503 }), 'headers', { value: headers })).get('a', { maxResponseBytes: 100 }).json();
    },
    'a body': (make) => responding(() => withBody(make(stream()))).get('a', { maxResponseBytes: 100 }).json(),
    'a reader': (make) => responding(() => withBody({ getReader: () => make(stream().getReader()), cancel: async () => {} })).get('a', { maxResponseBytes: 9 }).text(),
    'what a reader gives': (make) => {
      const read = async () => make({ done: false, value: new Uint8Array(4) });
      return responding(() => withBody({ getReader: () => ({ read, cancel: async () => {} }) })).get('a', { maxResponseBytes: 100 }).text();
    },
    'a chunk': (make) => {
      const read = async () => ({ done: false, value: make(new Uint8Array(4)) });
      return responding(() => withBody({ getReader: () => ({ read, cancel: async () => {} }) })).get('a', { maxResponseBytes: 100, onDownloadProgress() {} }).text();
    },
    'what fetch throws': (make) => client({ fetch: rejecting(() => make(new realm.TypeError('Failed to fetch'))) }).get('a').json(),
    'what api.fetch throws': (make) => client({ fetch: rejecting(() => make(new TypeError('Failed to fetch'))) }).fetch('a'),
    'what a hook throws': (make) => client({ hooks: { beforeRequest: [rejecting(() => make(new realm.Error('hook')))] } }).get('a').json(),
    'what beforeRequest gives': (make) => client({ hooks: { beforeRequest: [() => make(answer())] } }).get('a').json(),
    'the request that beforeRequest gives': (make) => client({ hooks: { beforeRequest: [({ request }) => make(new Request(request))] } }).get('a').json(),
    'what afterResponse gives': (make) => client({ hooks: { afterResponse: [() => make(answer())] } }).get('a').json(),
    'what beforeError gives': (make) => client({ fetch: async () => answer({ status: 500 }), hooks: { beforeError: [() => make(new realm.Error('mine'))] } }).get('a').json(),
    'what refreshToken throws': (make) => client({
      fetch: async () => answer({ status: 401 }),
      auth: { getToken: () => 'x', refreshToken: rejecting(() => make(Object.assign(new Error('no'), { status: 401, sessionLost: true }))) },
    }).get('a').json(),
    'what shouldRetry throws': (make) => client({ fetch: rejecting(() => new TypeError('x')), retry: { limit: 1, shouldRetry: () => { throw make(new Error('x')); } } }).get('a').json(),
    'what shouldRefresh gets': (make) => client({
      fetch: async () => make(answer({ status: 403 })),
      auth: { getToken: () => 'x', refreshToken: () => 'y', shouldRefresh: ({ status }) => status === 403 },
    }).get('a').json(),
    thenables: (make) => client({ fetch: () => make({ then: (resolve) => resolve(answer()) }) }).get('a').json(),
    'what a fallback throws': (make) => client({ fetch: rejecting(() => new TypeError('x')) }).get('a', { fallback: () => { throw make(new Error('x')); } }).json(),
    'a schema': (make) => client().get('a').json(make(schema())),
    'the ~standard of a schema': (make) => client().get('a').json({ '~standard': make(schema()['~standard']) }),
    'a result of a schema': (make) => client().get('a').json({ '~standard': { validate: () => make({ value: 1, issues: undefined }) } }),
    'what an observer gives': (make) => client({ onEvent: () => make({ then() {} }), onDownloadProgress: () => make({}) }).get('a').json(),
  };
  return places;
};

/** An error may throw when it is looked at. */
function shown(error) {
  try {
    return `${error?.stack}`;
  } catch {
    return 'that throws when it is looked at';
  }
}

async function fuzz(t) {
  const draw = random(SEED + t.host.length);
  const realm = await foreignRealm(t);
  const others = await bystanders(t);
  const places = placesIn(t, realm);
  const names = Object.keys(places);
  // Observers that throw are reported, as they should be; nobody needs to read it here.
  const quiet = [t.spy(console, 'error', () => () => {}), ...(globalThis.reportError ? [t.spy(globalThis, 'reportError', () => () => {})] : [])];
  const counts = {};
  const faults = [];
  try {
    for (let done = 0; done < TOTAL; done += BATCH) {
      const calls = [];
      for (let number = done; number < done + BATCH; number += 1) {
        const place = names[number % names.length];
        let how = 'untouched';
        const make = (object) => {
          const [label, made] = distort(draw, object);
          how = label;
          return made;
        };
        const what = () => `number ${number} of seed ${SEED}: ${place}, ${how}`;
        calls.push(t.settle(async () => places[place](make)).then(
          ({ error, failed }) => judge(place, what(), failed, error),
          ({ message }) => faults.push(`${what()}: ${message}`),
        ));
      }
      await Promise.all(calls);
    }
  } finally {
    for (const { restore } of quiet) restore();
  }
  if (faults.length) t.fail(`${faults.length} faults: ${faults.slice(0, 10).join('\n')}`);
  t.ok(counts.fine > TOTAL / 10, `many went through: ${t.show(counts)}`);
  await others.unharmed('all of these objects');

  function judge(place, what, failed, error) {
    const info = failed ? t.info(error) : undefined;
    // What the caller made itself comes out as it is.
    const isOwn = /beforeError|a signal that aborts|abortAll/.test(place);
    const isPlatforms = /api.fetch|of fetch|streamed/.test(place);
    // A promise that is resolved with an object looks for its `then`, and rejects with what that throws.
    const isThen = /looks$/.test(what) && /Response|gives|mock|thenable/.test(place);
    if (failed && !info && !isOwn && !isPlatforms && !isThen) faults.push(`${what}: a foreign rejection ${shown(error)}`);
    const code = failed ? (info?.code ?? 'foreign') : 'fine';
    if (code === 'ENGINE_DEAD') faults.push(`${what}: ${code} ${shown(info.originalError)}`);
    counts[code] = (counts[code] ?? 0) + 1;
  }
}

export default [
  {
    name: 'objects of the caller that are distorted end their own call at most',
    timeout: 60_000,
    // Deno 2.9.6 itself ends with a broken heap.
    hosts: except('deno'),
    // The full module from the start: the bystanders see a second engine as a crash.
    needs: { queue: { concurrency: 1 } },
    run: fuzz,
  },
];
