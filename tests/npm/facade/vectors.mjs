// Rules that both APIs follow, by the files in tests/vectors, which the tests of the Rust API run too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient } = steadfetch;

const read = (name) => JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8'));

/** Options by pairs of name and value, of which null leaves a header out. */
const headersOf = (pairs = []) => ({ headers: Object.fromEntries(pairs.map(([name, value]) => [name, value ?? undefined])) });

/** A row with `apis` is a rule that one API does not follow yet. */
function each(file, run) {
  const rows = read(file).filter(({ apis = ['javascript'] }) => apis.includes('javascript'));
  assert.ok(rows.length);
  for (const row of rows) it(JSON.stringify(row), () => run(row));
}

describe('the outcome of a call is that of its least certain attempt', () =>
  each('outcomes', async ({ answers, outcome }) => {
    const script = [...answers];
    const fetch = async () => {
      const answer = script.shift();
      if (answer === 'lost') throw new TypeError('Failed to fetch');
      return new Response('x', { status: answer });
    };
    const statusCodes = Array.from({ length: 100 }, (_, index) => 500 + index);
    const api = createClient({ fetch, retry: { limit: answers.length - 1, delay: 0, statusCodes }, retryBudget: false });
    const error = await rejection(api.put('https://api.test/'));
    assert.deepEqual([error.outcome, error.attempts.length], [outcome, answers.length]);
  }));

describe('an answer that has no body reads as nothing, and an empty one is no JSON', () =>
  each('empty-bodies', async ({ method, status, isNull }) => {
    const fetch = async () => new Response(isNull ? null : '', { status });
    const call = createClient({ fetch }).request('https://api.test/', { method }).json();
    if (isNull) return assert.equal(await call, undefined);
    const error = await rejection(call);
    assert.deepEqual([error.code, error.hint], ['PARSE_ERROR', 'empty-body']);
  }));

describe('a URL is resolved, and shown without its secrets', () =>
  each('urls', async ({ base, url, href, shown, error: code = 'HTTP_ERROR' }) => {
    const sent = [];
    const fetch = async (input) => {
      sent.push(new URL(input).href);
      return new Response('', { status: 404 });
    };
    const api = createClient({ fetch, ...(base && { baseUrl: base }) });
    const error = await rejection(api.get(url));
    assert.equal(error.code, code);
    assert.ok(!`${error} ${JSON.stringify(error)}`.includes('S3CRET'), `${error}`);
    assert.deepEqual(sent, href ? [new URL(href).href] : []);
    if (shown) assert.ok(error.message.includes(` GET ${shown} (`), error.message);
  }));

describe('headers are merged by name, and the last word wins', () =>
  each('headers', async ({ client, view, call, json, form, text, sent }) => {
    let seen;
    const fetch = async (input, init) => {
      seen = Object.fromEntries(new Headers(init.headers));
      // What the platform adds to a body of its own.
      const type = new Request(input, init).headers.get('content-type');
      if (form) seen['content-type'] = type;
      return new Response('');
    };
    const api = createClient({ fetch, ...headersOf(client) }).extend(headersOf(view));
    await api.post('https://api.test/', { ...headersOf(call), json, form: form && Object.fromEntries(form), body: text });
    assert.deepEqual(seen, sent);
  }));

describe('a limit is a millisecond or more', () =>
  each('time-limits', ({ option, ms, valid }) => {
    const make = () => createClient({ [option]: ms });
    if (valid) return make();
    assert.throws(make, (error) => error.code === 'INVALID_OPTION' && error.message.includes(option));
  }));

describe('a wrong value of an option is refused by its name', () =>
  each('options', ({ option, value, valid }) => {
    const [name, key] = option.split('.');
    const needed = { queue: { concurrency: 1 }, auth: { refreshToken: () => {}, origins: ['https://a.test'] } };
    const make = () => createClient({ [name]: key ? { ...needed[name], [key]: value } : value });
    if (valid) return make();
    assert.throws(make, (error) => error.code === 'INVALID_OPTION' && error.message.includes(option));
  }));

describe('only what can do no harm twice is sent again', () =>
  each('gate', async ({ method, key, idempotent, methods, url = 'https://api.test/', retried }) => {
    let calls = 0;
    const fetch = async () => {
      if (calls++) return new Response(null);
      throw new TypeError('Failed to fetch');
    };
    const api = createClient({ fetch, retry: { limit: 1, delay: 0, methods } });
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    const call = api.request(url, { method, headers, idempotent });
    if (retried) return void (await call);
    assert.equal((await rejection(call)).retryStopped, 'method');
  }));

describe('a write carries the same key with every attempt', () =>
  each('idempotency-keys', async ({ method, client, call, header, sent, error: code }) => {
    const keys = [];
    const fetch = async (input, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key') || null);
      if (keys.length === 1) throw new TypeError('Failed to fetch');
      return new Response(null);
    };
    const api = createClient({ fetch, retry: { limit: 1, delay: 0 }, ...(client !== undefined && { idempotencyKey: client }) });
    const options = { method, ...(call !== undefined && { idempotencyKey: call }), ...(header !== undefined && { headers: { 'Idempotency-Key': header } }) };
    const error = await api.request('https://api.test/', options).then(() => undefined, (thrown) => thrown);
    if (code) return assert.deepEqual([error.code, keys], [code, []]);
    if (sent === 'auto') {
      assert.match(keys[0], /^"[0-9a-f]{32}"$/u);
      sent = keys[0];
    }
    assert.deepEqual([...new Set(keys)], [sent]);
    if (sent) assert.equal(keys.length, 2);
  }));

describe('a conflict means a running write only for a retry with a key', () =>
  each('conflicts', async ({ method, key, idempotent, answers, error: code, hint }) => {
    const script = [...answers];
    const fetch = async () => {
      const answer = script.shift();
      if (answer === 'lost') throw new TypeError('Failed to fetch');
      return new Response('x', { status: answer });
    };
    const api = createClient({ fetch, retry: { limit: 3, delay: 0 } });
    const error = await api
      .request('https://api.test/', { method, idempotent, ...(key && { headers: { 'Idempotency-Key': key } }) })
      .then(() => undefined, (thrown) => thrown);
    assert.deepEqual([error?.code, error?.hint, script], [code, hint, []]);
  }));

describe('a token goes to its origins only', () =>
  each('token-origins', async ({ base: baseUrl, url, origins, headers, auth: own, sent }) => {
    let seen;
    const fetch = async (_, init) => {
      seen = new Headers(init.headers).get('authorization');
      return new Response(null);
    };
    const api = createClient({ baseUrl, fetch, auth: { getToken: () => 'S3CRET', refreshToken: () => {}, origins } });
    await api.get(url, { headers, ...(own === false && { auth: false }) });
    assert.equal(seen === 'Bearer S3CRET', sent);
  }));

describe('what is shown of a URL is what redactUrl makes of it', () =>
  each('redaction', async ({ url, replace, fails, gives, shown }) => {
    const sent = [];
    const fetch = async (input) => {
      sent.push(new URL(input).href);
      return new Response('', { status: 404 });
    };
    const redactUrl = (given) => {
      if (fails) throw new Error('the redactor fails');
      return gives ?? (replace ? given.replaceAll(replace, '...') : given);
    };
    const kept = globalThis.reportError;
    globalThis.reportError = () => {};
    const error = await rejection(createClient({ fetch, redactUrl }).get(url)).finally(() => (globalThis.reportError = kept));
    assert.equal(error.code, 'HTTP_ERROR');
    assert.ok(error.message.includes(` GET ${shown} (`), error.message);
    assert.ok(!`${error} ${JSON.stringify(error)}`.includes('S3CRET'), `${error}`);
    assert.deepEqual(sent, [new URL(url).href]);
  }));

describe('the body of a keepalive request has 64 KiB at most', () =>
  each('keepalive', async ({ text, times, bytes, keepalive = true, valid }) => {
    let calls = 0;
    const fetch = async () => (calls++, new Response(null));
    const call = createClient({ fetch }).post('https://api.test/', { keepalive, body: text ? text.repeat(times) : new Uint8Array(bytes) });
    if (valid) return void (await call);
    const error = await rejection(call);
    assert.deepEqual([error.code, calls], ['INVALID_REQUEST', 0]);
    assert.match(error.message, /keepalive/);
  }));

describe('pairs are written as the platform writes a form', () =>
  each('pairs', async ({ value, written }) => {
    const sent = [];
    const fetch = async (input, { body }) => {
      sent.push([`${input}`, `${body ?? ''}`]);
      return new Response(null);
    };
    const api = createClient({ fetch });
    for (const option of ['form', 'searchParams']) {
      const call = api.post('https://api.test/', { [option]: value });
      if (written !== null) {
        await call;
        continue;
      }
      const error = await rejection(call);
      assert.equal(error.code, 'INVALID_OPTION');
      assert.ok(error.message.includes(option), error.message);
    }
    assert.deepEqual(sent, written === null ? [] : [['https://api.test/', written], [`https://api.test/${written && '?'}${written}`, '']]);
  }));

describe('a value in place of an error is for what the caller is not to blame for', () =>
  each('fallback', async ({ status, lost, url = 'a', option, closed, text = 'x', asked }) => {
    const fetch = async () => {
      if (lost) throw new TypeError('Failed to fetch');
      return new Response(text, { status });
    };
    const api = createClient({ baseUrl: 'https://api.test/', fetch, retry: 0 });
    if (closed) api.close();
    let calls = 0;
    const fallback = () => (calls++, 'fallback');
    const value = await api.get(url, { fallback, ...(option && { timeout: 0 }) }).json().catch((error) => error);
    assert.equal(calls, asked ? 1 : 0);
    assert.equal(value === 'fallback', asked === true);
    assert.equal(value instanceof Error, asked === false);
  }));

describe('events and metrics have one name in both APIs', () => {
  const names = read('telling');
  const events = {};
  const script = [401, 'lost', 200, 200, 200, 'slow', 'slow', 500];
  const fetch = async (_, { signal }) => {
    const answer = script.shift();
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    if (answer !== 'slow') return new Response('x', { status: answer });
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const api = createClient({
    baseUrl: 'https://api.test/',
    fetch,
    auth: { getToken: () => 'old', refreshToken: () => 'new' },
    queue: { concurrency: 1 },
    circuitBreaker: { failureThreshold: 1 },
    retry: { delay: 0 },
    onEvent: (event) => (events[event.type] = event),
  });

  it('events', async () => {
    await api.get('a').text();
    await Promise.all([api.get('a').text(), api.get('a').text()]);
    const aborted = rejection(api.get('a').text());
    await new Promise((resolve) => setTimeout(resolve));
    api.abortAll();
    await aborted;
    const holder = new AbortController();
    const held = rejection(api.get('a', { signal: holder.signal }).text());
    await rejection(api.extend({ totalTimeout: 20 }).get('a').text());
    holder.abort();
    await held;
    await rejection(api.get('a').text());
    assert.deepEqual(Object.keys(events).sort(), Object.keys(names.events).sort());
    for (const [type, event] of Object.entries(events)) {
      assert.deepEqual(Object.keys(event).sort(), [...names.event, ...names.events[type]].sort(), type);
    }
  });

  it('metrics', () => {
    const metrics = api.metrics();
    for (const [part, expected] of Object.entries(names.metrics)) {
      const value = part.split('.').filter(Boolean).reduce((whole, step) => whole[step], metrics);
      // The caller's own signal is a cause of its own. Calls of Rust share no requests.
      const found = Object.keys(value).filter((name) => (part !== 'cancelled' || name !== 'signal') && name !== 'shared');
      assert.deepEqual(found.sort(), [...expected].sort(), part);
    }
  });
});
