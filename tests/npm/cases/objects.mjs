// Objects of the caller that are partial, or throw: the call that was given one ends, and no other notices.

import { bystanders } from '../harness/bystanders.mjs';

const thrower = () => { throw new Error('hostile'); };
const okay = async () => new Response('{"a":1}');

/** A signal as a library without AbortSignal makes one, with these members in place of its own. */
function signalWith(members) {
  const listeners = new Set();
  const signal = {
    aborted: false,
    reason: undefined,
    addEventListener: (type, listener) => listeners.add(listener),
    removeEventListener: (type, listener) => listeners.delete(listener),
  };
  const abort = (value, reason = { value }) => {
    Object.defineProperties(signal, { aborted: { value: true }, reason });
    for (const listener of listeners) listener.handleEvent({ target: signal });
  };
  return Object.assign(Object.defineProperties(signal, Object.getOwnPropertyDescriptors(members)), { abort });
}

const raising = (name) => Object.defineProperty({}, name, { get: thrower, enumerable: true, configurable: true });

/** Signals that no listener can be put on. */
const NO_SIGNALS = {
  'without removeEventListener': () => ({ aborted: false, addEventListener() {} }),
  'without addEventListener': () => ({ aborted: false, removeEventListener() {} }),
  'without aborted': () => ({ addEventListener() {}, removeEventListener() {} }),
  'whose addEventListener throws': () => signalWith({ addEventListener: thrower }),
  'whose aborted throws': () => signalWith(raising('aborted')),
  'whose addEventListener is a number': () => signalWith({ addEventListener: 7 }),
};

/** The ways to give a signal. */
const WAYS = {
  'a shortcut': (api, signal) => api.get('a', { signal }).json(),
  'api.fetch': async (api, signal) => (await api.fetch('a', { signal })).json(),
  'an extended client': (api, signal) => api.extend({ timeout: 100 }).get('a', { signal }).text(),
};

const SYMBOL = Symbol('secret');

/** Options whose value may be wrong in any way, as a client takes them and as a call does. */
const CLIENT_OPTIONS = [
  'timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout', 'minAttemptTime', 'reserve', 'maxResponseBytes', 'retry', 'baseUrl', 'name',
  'headers', 'throwHttpErrors', 'hooks', 'fetch', 'onEvent', 'onDownloadProgress', 'deadlineHeader', 'timings',
  'queue', 'circuitBreaker', 'retryBudget', 'auth', 'redactUrl', 'parseJson', 'stringifyJson', 'idempotencyKey',
];
const CALL_OPTIONS = ['idempotent', 'operation', 'searchParams', 'json', 'form', 'fallback'];
const GROUPS = {
  retry: [
    'limit', 'methods', 'statusCodes', 'afterStatusCodes', 'delay', 'backoffLimit', 'jitter', 'maxRetryAfter', 'retryOnTimeout', 'shouldRetry',
    'waitForOnline',
  ],
  queue: ['concurrency', 'limit', 'timeout', 'perOrigin', 'key'],
  circuitBreaker: ['failureThreshold', 'resetTimeout', 'halfOpenSuccesses', 'failureRate', 'window', 'minimumCalls', 'key'],
  retryBudget: ['capacity', 'ratio', 'perSecond'],
  auth: [
    'getToken', 'refreshToken', 'shouldRefresh', 'header', 'scheme', 'origins', 'refreshTimeout', 'expiresAt', 'refreshBefore', 'lock',
    'lockName', 'allowRedirects',
  ],
  hooks: ['beforeRequest', 'beforeRetry', 'afterResponse', 'beforeError'],
};

export default [
  {
    name: 'an option that is a symbol, or whose getter throws, is named in INVALID_OPTION',
    async run(t) {
      const fetch = t.scripted(okay);
      const refused = (options) => t.throws(() => t.lib.createClient({ baseUrl: 'http://a.test/', ...options }), undefined, t.show(options));
      const named = (error, name, code = 'INVALID_OPTION') => {
        t.equal(error.code, code, `${name}: ${error.message}`);
        t.ok(error.message.includes(name), `${name}: ${error.message}`);
        t.lacks(error.message, 'secret', name);
      };
      for (const name of CLIENT_OPTIONS) {
        named(refused({ [name]: SYMBOL }), name);
        named(t.throws(() => t.lib.createClient(raising(name))), name);
      }
      for (const [group, members] of Object.entries(GROUPS)) {
        for (const member of members) {
          named(refused({ [group]: { [member]: SYMBOL } }), `${group}.${member}`);
          named(refused({ [group]: raising(member) }), `${group}.${member}`);
        }
      }
      const api = t.client({ fetch });
      for (const name of CALL_OPTIONS) {
        named(await t.fails(() => api.post('a', { [name]: SYMBOL })), name);
        named(await t.fails(() => api.post('a', raising(name))), name);
      }
      for (const name of ['totalTimeout', 'reserve', 'signal', 'failFast']) {
        named(t.throws(() => api.scope({ [name]: SYMBOL })), name);
        named(t.throws(() => api.scope(raising(name))), name);
      }
      for (const searchParams of [{ a: SYMBOL }, [['a', SYMBOL]], [[SYMBOL, 'a']], { a: [SYMBOL] }, raising('a')]) {
        named(await t.fails(() => api.get('a', { searchParams })), 'searchParams');
      }
      named(await t.fails(() => api.get(SYMBOL)), 'URL', 'INVALID_REQUEST');
      named(await t.fails(() => api.get({ toString: thrower })), 'URL', 'INVALID_REQUEST');
      named(await t.fails(() => api.get('a', { method: SYMBOL })), 'method', 'INVALID_REQUEST');
      named(await t.fails(() => api.get('a', { signal: SYMBOL })), 'signal', 'INVALID_REQUEST');
      for (const headers of [[[SYMBOL, 'a']], { a: SYMBOL }, raising('a'), { [Symbol.iterator]: thrower }]) {
        named(await t.fails(() => api.post('a', { headers, body: 'x' })), 'header', 'INVALID_REQUEST');
      }
      t.equal(fetch.calls.length, 0, 'requests');
    },
  },
  {
    name: 'what a page has put on Object.prototype is no option',
    async run(t) {
      // `headers` would be taken by the platform itself.
      const names = [...CLIENT_OPTIONS, ...CALL_OPTIONS, ...Object.values(GROUPS).flat(), 'foo', 'failFast', 'kept'].filter((name) => name !== 'headers');
      class Options {
        timeout = 5_000;
      }
      for (const name of new Set(names)) {
        for (const value of [undefined, 1, () => {}]) {
          const results = [];
          Object.prototype[name] = value;
          try {
            const api = t.lib.createClient({ fetch: okay, baseUrl: 'http://a.test/', retry: { limit: 1 }, queue: { concurrency: 9 } });
            const view = api.extend(new Options()).scope({ totalTimeout: 5_000 });
            results.push(api.get('a').json(), view.post('b', { json: { a: 1 } }).json(), api.fetch('c', new Options()).then((response) => response.json()));
            results.push(api.metrics(), api.circuits());
            results.push(...(await Promise.allSettled(results)));
            results.push(api.metrics());
          } catch (error) {
            t.fail(`${name}: ${String(value)}: ${error?.stack}`);
          } finally {
            delete Object.prototype[name];
          }
          for (const { value: got, reason } of results.slice(5, 8)) t.same(got, { a: 1 }, `${name}: ${String(value)}: ${t.show(reason)}`);
          const { calls, succeeded, failed } = results.at(-1);
          t.same([calls, succeeded, failed], [3, 3, {}], `${name}: ${String(value)}: the metrics`);
        }
      }
    },
  },
  {
    name: 'a signal that takes no listener is INVALID_REQUEST for its call, and no other call notices',
    parallel: true,
    async run(t) {
      const others = await bystanders(t);
      const fetch = t.scripted(okay);
      const api = t.client({ fetch });
      for (const [what, make] of Object.entries(NO_SIGNALS)) {
        for (const [way, call] of Object.entries(WAYS)) {
          let promise;
          try {
            promise = call(api, make());
          } catch (error) {
            t.fail(`${way}, a signal ${what}: it threw at once ${t.show(error)}`);
          }
          const error = await t.fails(() => promise, { code: 'INVALID_REQUEST', outcome: 'not-sent' });
          t.match(error.message, /signal/, `${way}, a signal ${what}`);
        }
        const { error } = await t.settle(async () => api.scope({ signal: make() }).get('a').json());
        t.oneOf(error?.code, ['INVALID_OPTION', 'INVALID_REQUEST'], `a scope with a signal ${what}`);
      }
      t.equal(fetch.calls.length, 0, 'requests');
      t.equal(api.metrics().inFlight, 0);
      await others.unharmed('these signals');
    },
  },
  {
    name: 'a signal whose removeEventListener or reason throws aborts its call, or lets it end',
    parallel: true,
    async run(t) {
      const others = await bystanders(t);
      const hang = () => new Promise(() => {});
      for (const [what, members] of Object.entries({
        removeEventListener: { removeEventListener: thrower },
        'nothing': {},
      })) {
        t.same(await t.works(() => t.client({ fetch: okay }).get('a', { signal: signalWith(members) }).json()), { a: 1 }, what);
        const signal = signalWith(members);
        const call = t.client({ fetch: hang }).get('a', { signal }).json();
        await t.turn();
        signal.abort('enough');
        t.equal((await t.fails(() => call, { code: 'ABORTED' })).cause, 'enough', what);
      }
      const signal = signalWith({});
      const reasonless = t.client({ fetch: hang }).get('a', { signal }).json();
      await t.turn();
      signal.abort(undefined, { get: thrower });
      t.equal((await t.fails(() => reasonless, { code: 'ABORTED' })).cause, undefined, 'a reason that throws');
      const late = signalWith({});
      let reads = 0;
      Object.defineProperty(late, 'aborted', { get: () => (reads++ > 0 ? thrower() : false), configurable: true });
      const { error } = await t.settle(() => t.client({ fetch: okay }).get('a', { signal: late }).json());
      t.oneOf(error?.code, [undefined, 'INVALID_REQUEST'], 'a signal whose aborted throws later');
      await others.unharmed('these signals');
    },
  },
  {
    name: 'one call whose signal throws when it is looked at does not keep abortAll, close or a scope from the others',
    parallel: true,
    async run(t) {
      const hang = () => new Promise(() => {});
      for (const [what, end] of Object.entries({
        abortAll: (view) => view.abortAll('enough'),
        close: (view) => view.close('enough'),
      })) {
        const api = t.client({ fetch: hang });
        const signals = [signalWith({}), signalWith({})];
        const calls = [undefined, ...signals, undefined].map((signal) => api.get('a', { signal }).json());
        await t.turn();
        for (const signal of signals) Object.defineProperty(signal, 'aborted', { get: thrower });
        end(api);
        for (const call of calls) t.equal((await t.fails(() => call, { code: 'ABORTED' })).cause, 'enough', what);
      }
      const scope = t.client({ fetch: (url) => (/bad/.test(url) ? Promise.reject(new TypeError('x')) : hang()) }).scope({ failFast: true });
      const signal = signalWith({});
      const sibling = scope.get('a', { signal }).json();
      const other = scope.get('b').json();
      await t.turn();
      Object.defineProperty(signal, 'aborted', { get: thrower });
      await t.fails(() => scope.get('bad').json(), { code: 'NETWORK_ERROR' });
      for (const call of [sibling, other]) await t.fails(() => call, { code: 'ABORTED' });
    },
  },
  {
    name: 'a response that throws in a member, or says what is no number, ends its call and no other',
    timeout: 30_000,
    async run(t) {
      const others = await bystanders(t);
      const responseWith = (members) => Object.defineProperties(
        new Response('{"a":1}'),
        Object.getOwnPropertyDescriptors(members),
      );
      const odd = { valueOf: thrower, toString: thrower };
      const RESPONSES = {
        'a status that throws': () => responseWith(raising('status')),
        'a symbol as status': () => responseWith({ status: Symbol('s') }),
        'a status that throws when it is counted': () => responseWith({ status: odd }),
        'a bodyUsed that throws': () => responseWith(raising('bodyUsed')),
        'a body that throws': () => responseWith(raising('body')),
        'a body whose reader throws': () => responseWith({ body: { getReader: thrower, cancel: thrower } }),
        'a reader that throws': () => responseWith({ body: { getReader: () => ({ read: thrower, cancel: thrower }) } }),
        'a text that throws': () => responseWith({ text: thrower }),
        'a type that throws': () => responseWith(raising('type')),
        'headers that throw': () => responseWith(raising('headers')),
        'headers that give what is no text': () => responseWith({ status: 503, headers: { get: () => odd } }),
        'headers that give a symbol': () => responseWith({ status: 503, headers: { get: () => Symbol('h') } }),
        'a clone that throws': () => responseWith({ clone: thrower }),
        'chunks without a length': () => new Response(new ReadableStream({
          start(controller) {
            controller.enqueue({ byteLength: odd });
            controller.close();
          },
        })),
      };
      for (const [what, make] of Object.entries(RESPONSES)) {
        const clients = {
          plain: {},
          limited: { maxResponseBytes: 1_000, retry: { limit: 1, delay: 1, statusCodes: [503] } },
          progress: { onDownloadProgress() {}, onEvent() {} },
          hooks: { hooks: { afterResponse: [() => {}] } },
        };
        for (const [kind, options] of Object.entries(clients)) {
          const api = t.client({ fetch: async () => make(), totalTimeout: 400, idleTimeout: 50, ...options });
          for (const [way, call] of Object.entries({
            json: () => api.get('a').json(),
            fetch: async () => (await api.fetch('a')).text(),
            stream: async () => {
              for await (const chunk of api.get('a').stream()) void chunk;
            },
            'api.fetch, unread': () => api.fetch('a').then(() => {}),
          })) {
            const { error, failed } = await t.settle(call);
            if (!failed) continue;
            const info = t.info(error);
            t.ok(info || way === 'fetch', `${what}, ${kind}, ${way}: ${t.show(error)}`);
            if (info) t.oneOf(info.code, ['CALLBACK_ERROR', 'NETWORK_ERROR', 'HTTP_ERROR', 'UNEXPECTED_RESPONSE', 'TIMEOUT'], `${what}, ${kind}, ${way}`);
          }
          await t.until(() => api.metrics().inFlight === 0, `the end of the calls with ${what}, ${kind}`);
        }
      }
      await others.unharmed('these responses');
    },
  },
];
