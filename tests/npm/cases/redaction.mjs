// M01: no secret that goes in comes out in anything that is logged.

import { random } from '../harness/random.mjs';

const SECRET = 'S3CRET';
const SEED = 20_261_130;
const CALLS = 600;
const AT_ONCE = 20;

/** An error as a careless layer below would make it. */
function leaky(draw) {
  const error = new (draw.pick([Error, TypeError, RangeError, SyntaxError]))(`refused token ${SECRET}`);
  error.config = { headers: { authorization: `Bearer ${SECRET}` } };
  error.cause = new Error(`at http://a.test/?sig=${SECRET}`);
  return draw.pick([error, error, error, SECRET, { message: SECRET }, Object.assign(error, { toJSON: () => SECRET })]);
}

/** What the caller gives, secrets everywhere but in names; in the path only where the client takes them out. */
function call(draw, isRedacting) {
  const thrower = () => { throw leaky(draw); };
  const rejecter = async () => { throw leaky(draw); };
  const options = { searchParams: draw.pick([undefined, { token: SECRET }, `token=${SECRET}`]) };
  if (draw.chance(0.7)) options.headers = draw.pick([{ authorization: `Bearer ${SECRET}`, 'X-API-KEY': SECRET }, () => ({ 'x-api-key': SECRET }), new Headers({ 'x-secret': SECRET })]);
  const method = draw.pick(['get', 'post', 'put', 'delete', 'fetch']);
  if (method === 'post' || method === 'put') Object.assign(options, draw.pick([{ json: { password: SECRET } }, { form: { password: SECRET } }, { body: SECRET }, { body: () => SECRET }, { body: rejecter }]));
  const odd = draw.chance(0.5) ? {} : draw.pick([
    { timeout: SECRET }, { [draw.pick(['retry', 'hooks', 'priority'])]: SECRET }, { headers: { 'x-a': `${SECRET}\r\nx` } }, { headers: { 'x-a': `${SECRET}\u4e2d` } },
    { headers: thrower }, { headers: rejecter }, { hooks: { beforeRequest: [thrower] } }, { hooks: { beforeRetry: [rejecter] } }, { hooks: { afterResponse: [rejecter] } },
    { hooks: { beforeError: [thrower] } }, { totalTimeout: 15 }, { headersTimeout: 5 }, { signal: AbortSignal.timeout(5) }, { maxResponseBytes: 4 },
    { retry: { limit: 1, shouldRetry: thrower } }, { retry: { limit: 1, delay: rejecter } }, { retry: { limit: 1, delay: 1, jitter: thrower } },
    { deadlineHeader: { name: 'x-left', crossOrigin: true } }, { throwHttpErrors: thrower }, { idempotent: SECRET },
  ]);
  const fallback = method !== 'fetch' && draw.chance(0.15) ? { fallback: draw.pick([thrower, rejecter]) } : {};
  const good = [`a?access_token=${SECRET}&sig=${SECRET}#${SECRET}`, `a?access_token=${SECRET}`, `http://b.test/a?${SECRET}`, `a?x=${'y'.repeat(300)}${SECRET}`, `foo:${SECRET}`, `data:,${SECRET}`];
  const bad = [`http://user:${SECRET}@a.test/a`, `http://${SECRET}:x@a.test/`, `//[${SECRET}`];
  if (isRedacting) good.push(`invites/${SECRET}/accept`, `http://b.test/${SECRET}?a=b`, `a/${'y'.repeat(300)}${SECRET}`);
  const url = draw.pick(draw.chance(0.85) ? good : bad);
  return { method, url, options: { ...options, ...odd, ...fallback } };
}

/** Where the token comes from, and what may go wrong there. */
function auth(draw) {
  const error = leaky(draw);
  const rejecter = async () => { throw error; };
  return { getToken: draw.pick([() => SECRET, () => SECRET, rejecter]), refreshToken: draw.pick([() => `${SECRET}2`, rejecter, () => null]) };
}

/** What the server, or whatever is in its place, does. */
function answer(draw) {
  const headers = { 'retry-after': SECRET, 'x-token': SECRET, 'set-cookie': SECRET, location: `/?${SECRET}` };
  const broken = () => new ReadableStream({ start(controller) { controller.enqueue(new TextEncoder().encode(SECRET)); controller.error(leaky(draw)); } });
  return draw.pick([
    () => new Response(`{"token":"${SECRET}"}`, { headers }),
    () => new Response(`{"refresh_token":"${SECRET}"}`, { status: 500, headers: { ...headers, 'content-type': 'application/json' } }),
    () => new Response(SECRET, { status: 401, statusText: SECRET, headers }),
    () => new Response(`{"a": ${SECRET}`, { headers }),
    () => new Response(broken(), { headers }),
    () => { throw leaky(draw); },
    () => Promise.reject(leaky(draw)),
    () => Promise.reject(Object.assign(new TypeError(`Failed to fetch http://a.test/?${SECRET}`))),
    () => new Promise(() => {}),
    () => SECRET,
    () => ({ status: 500, statusText: SECRET, headers: new Headers(headers), text: async () => { throw leaky(draw); } }),
  ]);
}

/** Everything of a value that a log would show. */
function shownOf(value, inspect, depth = 0) {
  const texts = [String(value)];
  if (Object(value) !== value || depth > 6) return texts;
  texts.push(value.message, value.stack, JSON.stringify(value), JSON.stringify(value.toJSON?.()), inspect?.(value));
  try {
    const clone = structuredClone(value);
    texts.push(String(clone), clone.stack, clone.cause?.message, JSON.stringify(clone), inspect?.(clone));
  } catch {
    // Not every platform clones every error.
  }
  for (const one of [...Object.values(value), value.cause]) texts.push(...shownOf(one, inspect, depth + 1));
  return texts.filter((text) => text !== undefined);
}

const cases = [
  {
    name: 'M01 redaction: no secret of a request, a response, a callback or a layer below in any event, error, metric or circuit',
    timeout: 60_000,
    async run(t) {
      // As console.log shows it; browsers show what they like, but no more than is there.
      const inspect = t.inBrowser ? undefined : (await import('node:util')).inspect;
      const events = [];
      const leaks = [];
      const codes = {};
      const look = (what, value, told) => {
        for (const text of shownOf(value, inspect)) if (text.includes(SECRET)) leaks.push(`${what} of ${t.show(told)}: ${text.slice(0, 300)}`);
      };
      const quiet = [t.spy(console, 'error', () => () => {}), ...(globalThis.reportError ? [t.spy(globalThis, 'reportError', () => () => {})] : [])];
      try {
        for (let round = 0; round < CALLS / AT_ONCE; round += 1) {
          const draw = random(SEED + round);
          const isRedacting = draw.chance(0.5);
          const error = leaky(draw);
          const keys = draw.chance(0.2) ? { key: () => { throw error; } } : {};
          const api = t.client({
            baseUrl: `http://a.test/base/?key=${SECRET}`, onEvent: (event) => events.push(event), totalTimeout: 60,
            retry: { limit: 2, delay: 1, statusCodes: [500, 401] }, queue: { concurrency: 3, limit: 10, timeout: 40, ...keys }, circuitBreaker: { failureThreshold: 2, resetTimeout: 20 },
            ...(isRedacting ? { redactUrl: (url) => url.replaceAll(SECRET, '*') } : {}),
            ...(draw.chance(0.4) ? { auth: auth(draw) } : {}),
            ...(draw.chance(0.3) ? { headers: { cookie: SECRET, 'x-client': SECRET } } : {}),
          });
          const scope = api.scope({ failFast: draw.chance(0.2) });
          await Promise.all(Array.from({ length: AT_ONCE }, async (_, number) => {
            // What a call does hangs on its own numbers alone, not on when it is at which point.
            const its = random(SEED * 2 + round * AT_ONCE + number);
            const { method, url, options } = call(its, isRedacting);
            const one = its.chance(0.5) ? api : scope;
            const fetch = answer(its);
            const told = { method, url, options: Object.keys(options), fetch: `${fetch}` };
            try {
              const promise = one[method](url, { ...options, fetch });
              const reader = its.pick(['json', 'text', 'result']);
              const got = await (method === 'fetch' ? promise.then((response) => response.json()) : promise[reader]());
              if (reader === 'result' && got?.error) throw got.error;
              codes.well = (codes.well ?? 0) + 1;
            } catch (error) {
              const info = t.info(error);
              codes[info?.code ?? 'foreign'] = (codes[info?.code ?? 'foreign'] ?? 0) + 1;
              if (!info) return;
              look('the error', info, told);
              // By api.fetch a network error is the very error of the layer below.
              if (info.code !== 'NETWORK_ERROR' || error !== info.originalError) look('the rejection', error, told);
            }
          }));
          look('the metrics', api.metrics(), 'a round');
          look('the circuits', api.circuits(), 'a round');
        }
      } finally {
        quiet.forEach((one) => one.restore());
      }
      for (const event of events) look(`the event ${event.type}`, event, event.phase);
      t.equal([...new Set(leaks)].map((one) => one.slice(0, 200)).slice(0, 3).join('\n'), '', `leaks, ${leaks.length} in all`);
      for (const code of ['well', 'NETWORK_ERROR', 'HTTP_ERROR', 'PARSE_ERROR', 'CALLBACK_ERROR', 'INVALID_OPTION', 'INVALID_REQUEST', 'CIRCUIT_OPEN', 'ABORTED', 'AUTH_REFRESH_FAILED']) {
        t.ok(codes[code] > 0, `calls that end with ${code}: ${t.show(codes)}`);
      }
      for (const type of ['call-start', 'queued', 'attempt-start', 'attempt-end', 'retry', 'circuit-change', 'refresh', 'call-end']) {
        t.ok(events.some((event) => event.type === type), `events ${type}`);
      }
    },
  },
  {
    name: 'M01 redaction: what the platform says of a request that it refuses may quote it, what api.fetch says does not',
    async run(t) {
      const inspect = t.inBrowser ? undefined : (await import('node:util')).inspect;
      const api = t.client({ retry: 0 });
      const rows = {
        header: ['a', { headers: { authorization: `Bearer ${SECRET}\nx` } }],
        'header with another': ['a', { headers: { authorization: `Bearer ${SECRET}\nx`, 'x-a': undefined } }],
        name: ['a', { headers: { [`${SECRET} x`]: 'a' } }],
        url: [`http://u:${SECRET}@[x`, {}],
        port: [`http://a.test:${SECRET}/`, {}],
      };
      for (const [name, [url, options]] of Object.entries(rows)) {
        const error = await t.fails(() => api.fetch(url, options), { code: 'INVALID_REQUEST', outcome: 'not-sent' });
        t.ok(error instanceof TypeError, `${name}: a TypeError`);
        for (const text of shownOf(error, inspect)) t.lacks(text, SECRET, name);
      }
    },
  },
  {
    name: 'M01 redaction: a failing call over the network, whose server repeats what it was sent',
    async run(t) {
      await t.home.script({ '/echo': { status: 500, echo: true }, '/lost': { before: 'reset' }, '/text': { body: SECRET }, '/hang': { before: 'hang' } });
      const events = t.recorder();
      const inspect = t.inBrowser ? undefined : (await import('node:util')).inspect;
      const api = t.client({ onEvent: events, headers: { authorization: `Bearer ${SECRET}`, 'x-api-key': SECRET }, circuitBreaker: {} });
      const options = { searchParams: { access_token: SECRET, sig: SECRET }, json: { refresh_token: SECRET } };
      const rows = {
        HTTP_ERROR: () => api.post('echo', options).json(),
        NETWORK_ERROR: () => api.post('lost', options).json(),
        PARSE_ERROR: () => api.post('text', options).json(),
        TIMEOUT: () => api.post('hang', { ...options, headersTimeout: 30 }).json(),
        ABORTED: () => api.post('hang', { ...options, signal: AbortSignal.timeout(30) }).json(),
      };
      for (const [code, start] of Object.entries(rows)) {
        const error = await t.fails(start, { code });
        for (const text of shownOf(error, inspect)) t.lacks(text, SECRET, code);
        if (code === 'HTTP_ERROR') t.ok(JSON.stringify(error.data).includes(SECRET), 'the code that asks gets it');
      }
      for (const text of [events.events, api.metrics(), api.circuits()]) t.lacks(JSON.stringify(text), SECRET);
    },
  },
];

export default cases.map((one) => ({ needs: { queue: { concurrency: 1 } }, ...one }));
