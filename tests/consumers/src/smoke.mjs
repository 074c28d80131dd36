// The smoke suite that runs inside every consumer: one check for each promise that a bundler, a minifier, a runtime or a framework
// can break. It uses no test framework, and nothing but the package and the platform, so that every bundler can swallow it.

import {
  HTTPError,
  SteadfetchError,
  callInfo,
  createClient,
  errorInfo,
  isAbortError,
  isHTTPError,
  isNetworkError,
  isSteadfetchError,
  isTimeoutError,
  ready,
  version,
} from 'steadfetch';

import { watchEngines } from './engines.mjs';

/** A limit that ends a check which would hang. */
const PATIENCE = 20_000;

/**
 * Runs all checks.
 * @param {string} query of the harness: `api` (origin of the faults), `control` (their control API), `key` (of this run)
 * @param {{ fetch?: typeof fetch }} [options] what the clients send with
 * @returns {Promise<{ version: string, engines: string[], texts: 'short' | 'long', results: { name: string, ok: boolean, message: string }[] }>}
 */
export async function smoke(query, options = {}) {
  const parameters = new URLSearchParams(query);
  const engines = watchEngines();
  const run = new Run(parameters.get('api'), parameters.get('control'), parameters.get('key'), options);
  const results = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    let message = '';
    try {
      await inTime(check(run));
    } catch (error) {
      message = describe(error);
    }
    results.push({ name, ok: message === '', message });
  }
  return { version, engines: engines(), texts: textsOf(), results };
}

/** Whether the messages of errors say what to do next: the entries for production leave that out. */
function textsOf() {
  try {
    createClient({ timeoutt: 1 });
  } catch (error) {
    return error.message.endsWith('; correct the option') ? 'long' : error.message.endsWith('timeoutt is not known; timeout?)') ? 'short' : error.message;
  }
}

/** One run of the suite: its faults, counted apart from those of other runs. */
class Run {
  constructor(api, control, key, options) {
    Object.assign(this, { api, control, key, options });
  }

  client(options) {
    return createClient({ baseUrl: this.api, searchParams: { key: this.key }, ...this.options, ...options });
  }

  /** Waits until the server has counted so much for `path`. */
  async seen(path, counts) {
    const query = new URLSearchParams({ path, key: this.key, timeout: 5_000, ...counts });
    const report = await (await fetch(`${this.control}/wait?${query}`)).json();
    const requests = () => JSON.stringify(report.log.filter(({ url }) => url.startsWith(path)));
    assert(!report.timedOut, report.timedOut && `the server saw no ${JSON.stringify(counts)} of ${path}: ${requests()}`);
  }
}

const CHECKS = {
  async 'a call returns the JSON of its response'(run) {
    equal(await run.client().get('json').json(), { name: 'Ada' });
  },

  async 'ready() loads the engine'() {
    await ready();
  },

  async 'timeout covers the body and aborts the request'(run) {
    const error = await patiently('body', (timeout) => run.client({ timeout }).get('drip').text());
    equal([error.code, isTimeoutError(error), error instanceof SteadfetchError], ['TIMEOUT', true, true]);
    await run.seen('/drip', { open: 0 });
  },

  async 'idleTimeout ends a body that stands still'(run) {
    const error = await patiently('idle', (idleTimeout) => run.client({ idleTimeout }).get('stall').json());
    equal([error.code, error.phase], ['TIMEOUT', 'idle']);
    await run.seen('/stall', { open: 0 });
  },

  async 'totalTimeout ends a call whose server never answers'(run) {
    const error = await failure(run.client({ totalTimeout: 200 }).get('hang').text());
    equal([error.code, isTimeoutError(error), error.limit], ['DEADLINE_EXCEEDED', true, 200]);
    await run.seen('/hang', { open: 0 });
  },

  async "the caller's signal aborts a body, with its reason"(run) {
    const controller = new AbortController();
    const response = await run.client().get('stall', { signal: controller.signal });
    const reason = new Error('the caller left');
    const reading = failure(response.text());
    controller.abort(reason);
    const error = await reading;
    equal([error.code, isAbortError(error), error.cause === reason], ['ABORTED', true, true]);
    await run.seen('/stall', { open: 0 });
  },

  async 'a schema that refuses rejects with its issues'(run) {
    const error = await failure(run.client().get('json').json(schema('a number is needed')));
    equal([error.code, error.issues?.[0]?.message], ['UNEXPECTED_RESPONSE', 'a number is needed']);
    equal(await run.client().get('json').json(schema()), 'checked');
  },

  async 'callInfo() describes the call of a Response'(run) {
    const response = await run.client().get('json');
    const { attempts, via } = callInfo(response);
    equal([attempts, via, (await response.json()).name], [1, 'network', 'Ada']);
  },

  async 'onDownloadProgress counts the bytes of a download'(run) {
    const steps = [];
    const onDownloadProgress = ({ transferredBytes, totalBytes }) => steps.push([transferredBytes, totalBytes]);
    const bytes = await run.client().get('bytes', { onDownloadProgress }).bytes();
    equal([bytes.length, steps[0], steps.at(-1)], [100_000, [0, 100_000], [100_000, 100_000]]);
  },

  async 'stream() yields the whole body'(run) {
    let length = 0;
    for await (const chunk of run.client().get('bytes').stream()) length += chunk.length;
    equal(length, 100_000);
  },

  async 'idleTimeout ends a stream that stands still'(run) {
    const error = await patiently('idle', async (idleTimeout) => {
      for await (const chunk of run.client().get('stall', { idleTimeout }).stream()) void chunk;
    });
    equal([error.code, error.phase], ['TIMEOUT', 'idle']);
    await run.seen('/stall', { open: 0 });
  },

  async 'maxResponseBytes ends a body that is too large'(run) {
    const error = await failure(run.client({ maxResponseBytes: 1_000 }).get('bytes').text());
    equal([error.code, error.limit], ['RESPONSE_TOO_LARGE', 1_000]);
  },

  async 'a status of statusCodes is retried'(run) {
    const api = run.client({ retry: { statusCodes: [503], delay: 1 } });
    const response = await api.get('unsteady');
    equal([callInfo(response).attempts, await response.json()], [2, { steady: true }]);
  },

  async 'events() reads the events of a stream'(run) {
    const events = [];
    for await (const { event, data, id } of run.client().events('events', { reconnect: false })) events.push([event, data, id]);
    equal(events, [['message', 'one', ''], ['greeting', '{"a":1}', '7']]);
  },

  async 'dedupe shares one request'(run) {
    const api = run.client({ dedupe: true });
    equal(await Promise.all([1, 2, 3].map(() => api.get('json').json())), Array(3).fill({ name: 'Ada' }));
    equal(api.metrics().shared, 2);
  },

  async 'idempotencyKey sends a key'(run) {
    const { headers } = await run.client().post('echo', { json: 1, idempotencyKey: 'k1' }).json();
    equal(headers['idempotency-key'], 'k1');
  },

  async 'a 401 refreshes the token once for all calls'(run) {
    let token = 'stale';
    let refreshes = 0;
    const auth = {
      getToken: () => token,
      async refreshToken({ fetch }) {
        refreshes++;
        return (token = (await (await fetch(`${run.api}/token`)).json()).token);
      },
    };
    const api = run.client({ auth });
    const calls = [api.get('private').json(), api.post('private', { json: {} }).json()];
    equal([await Promise.all(calls), refreshes], [[{ secret: 7 }, { secret: 7 }], 1]);
  },

  async 'the queue bounds the attempts and the waiting calls'(run) {
    const api = run.client({ queue: { concurrency: 1, limit: 0 } });
    const first = failure(api.get('hang').text());
    const second = await failure(api.get('json').json());
    api.abortAll();
    equal([second.code, second.outcome, (await first).code], ['QUEUE_FULL', 'not-sent', 'ABORTED']);
  },

  async 'the circuit opens after failed calls'(run) {
    const api = run.client({ circuitBreaker: { failureThreshold: 2 } });
    for (let i = 0; i < 2; i++) equal((await failure(api.get('down').json())).status, 500);
    const error = await failure(api.get('json').json());
    equal([error.code, error.retryAfterMs > 0, api.circuits()[0].state], ['CIRCUIT_OPEN', true, 'open']);
  },

  async 'hooks run at the four moments of a call'(run) {
    const moments = [];
    const hooks = {
      beforeRequest: [({ request }) => void moments.push(`beforeRequest ${request.method}`)],
      beforeRetry: [({ retryCount }) => void moments.push(`beforeRetry ${retryCount}`)],
      afterResponse: [({ response }) => void moments.push(`afterResponse ${response.status}`)],
      beforeError: [({ error }) => (moments.push(`beforeError ${error.code}`), error)],
    };
    await failure(run.client({ hooks, retry: { limit: 1, statusCodes: [500], delay: 1 } }).get('down').json());
    const seen = ['beforeRequest GET', 'afterResponse 500', 'beforeRetry 1', 'afterResponse 500', 'beforeError HTTP_ERROR'];
    equal(moments, seen);
  },

  async 'errors have their classes, names, guards and data'(run) {
    const error = await failure(run.client().get('refused').json());
    equal([error.name, error.code, error.status, error.data], ['HTTPError', 'HTTP_ERROR', 422, { detail: 'no' }]);
    equal([error instanceof HTTPError, error instanceof SteadfetchError, error instanceof Error], [true, true, true]);
    const guards = [isSteadfetchError, isHTTPError, isTimeoutError, isAbortError, isNetworkError];
    equal(guards.map((guard) => guard(error)), [true, true, false, false, false]);
  },

  async 'a body that breaks off is a network error'(run) {
    const error = await failure(run.client().get('cut').text());
    equal([error.code, error.phase, isNetworkError(error)], ['NETWORK_ERROR', 'body', true]);
  },

  async 'an unknown option names the nearest one'(run) {
    let error;
    try {
      run.client({ timeuot: 1 });
    } catch (thrown) {
      error = thrown;
    }
    assert(error?.code === 'INVALID_OPTION' && /timeout/u.test(error.message), `got ${describe(error)}`);
  },

  async 'result() returns the error as a value'(run) {
    const { success, data, error } = await run.client().get('refused').result();
    equal([success, data, error?.code], [false, undefined, 'HTTP_ERROR']);
  },

  async 'extend() and metrics() work on one client'(run) {
    const api = run.client();
    await api.extend({ headers: { 'x-extended': '1' } }).get('json').json();
    equal([api.metrics().calls, api.metrics().succeeded], [1, 1]);
  },

  async 'onEvent receives the events of a call'(run) {
    const types = [];
    await run.client({ onEvent: ({ type }) => types.push(type) }).get('json').json();
    equal(types, ['call-start', 'attempt-start', 'attempt-end', 'call-end']);
  },

  async 'api.fetch resolves with a Response for every status'(run) {
    const response = await run.client().fetch('refused');
    equal([response.status, await response.json()], [422, { detail: 'no' }]);
    if (!run.options.fetch) assert(response instanceof Response, "the Response is not the platform's own");
  },

  async 'api.fetch keeps its limits over the body'(run) {
    const error = await patiently('idle', async (idleTimeout) => (await run.client({ idleTimeout }).fetch('stall')).text());
    equal([error.name, isTimeoutError(error), errorInfo(error)?.code], ['TimeoutError', true, 'TIMEOUT']);
    await run.seen('/stall', { open: 0 });
  },
};

/**
 * Calls with a limit that is raised until the limit ends the call in the phase that is meant: on a machine under load a short one
 * may pass before the headers have come.
 */
async function patiently(phase, call) {
  for (const limit of [150, 1_000]) {
    const error = await failure(call(limit));
    if ((errorInfo(error) ?? error).phase === phase) return error;
  }
  return failure(call(5_000));
}

/** A Standard Schema that refuses with this issue, or takes everything. */
const schema = (issue) => ({
  '~standard': { version: 1, vendor: 'smoke', validate: () => (issue ? { issues: [{ message: issue }] } : { value: 'checked' }) },
});

const failure = (promise) =>
  promise.then(
    (value) => {
      throw new Error(`resolved with ${JSON.stringify(value)}, where it should reject`);
    },
    (error) => error,
  );

function assert(holds, message) {
  if (!holds) throw new Error(message);
}

function equal(found, right) {
  const [one, other] = [found, right].map((value) => JSON.stringify(value));
  assert(one === other, `expected ${other}, got ${one}`);
}

/** The error, and what is known of why: bundled stacks are no help. */
function describe(error) {
  const { code, hint, originalError } = error ?? {};
  const more = [code && `code ${code}`, hint && `hint ${hint}`, originalError && `from ${originalError}`].filter(Boolean);
  return [String(error?.stack?.includes(error.message) ? error.stack : error), ...more].join('; ');
}

function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still pending after ${PATIENCE} ms`)), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
