// What events, errors and messages say, and what they never say.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { rejection, steadfetch } from './package.mjs';

const { createClient } = steadfetch;
const SECRET = 'S3CRET';

/** All that can be seen of what a failed call has told: events, the error as text, as JSON, as a clone. */
function seen(events, error) {
  return JSON.stringify([events, error, error.message, error.stack, `${error}`, error.cause, structuredClone({ ...error })]);
}

async function outage(options, url = `http://a.test/invites/${SECRET}?token=${SECRET}#${SECRET}`) {
  const events = [];
  const fetch = async () => { throw new TypeError('Failed to fetch'); };
  const api = createClient({ fetch, retry: false, onEvent: (event) => events.push(event), ...options });
  return { events, error: await rejection(api.get(url)) };
}

/** Takes what goes to `reportError`. */
async function reported(run) {
  const errors = [];
  const kept = globalThis.reportError;
  globalThis.reportError = (error) => errors.push(error);
  try {
    await run();
  } finally {
    globalThis.reportError = kept;
  }
  return errors;
}

describe('redactUrl', () => {
  it('decides what is shown of an address, and is given no query', async () => {
    const given = new Set();
    const redactUrl = (url) => {
      given.add(url);
      return url.replace(/\/invites\/[^/]+/, '/invites/*');
    };
    const { events, error } = await outage({ redactUrl });
    assert.deepEqual([...given], [`http://a.test/invites/${SECRET}`]);
    assert.equal(events[0].url, 'http://a.test/invites/*');
    assert.match(error.message, /GET http:\/\/a\.test\/invites\/\*/);
    assert.ok(!seen(events, error).includes(SECRET));
    assert.match(error.request.url, new RegExp(SECRET), 'for code that asks');
  });

  it('shows the origin alone if it throws or gives no string, and says so', async () => {
    const broken = new Error('mine');
    for (const redactUrl of [() => { throw broken; }, () => undefined, async () => 'later', () => ({ toString: () => SECRET })]) {
      const errors = await reported(async () => {
        const { events, error } = await outage({ redactUrl });
        assert.equal(events[0].url, 'http://a.test');
        assert.equal(error.code, 'NETWORK_ERROR');
        assert.match(error.message, /GET http:\/\/a\.test \(|GET http:\/\/a\.test;/);
        assert.ok(!seen(events, error).includes(SECRET));
      });
      assert.ok(errors.length > 0 && errors.every((one) => one === broken || one instanceof TypeError), `${errors}`);
    }
  });

  it('is not asked about what is no URL, and of one that is all content sees the scheme', async () => {
    const given = [];
    const redactUrl = (url) => (given.push(url), url);
    assert.deepEqual(await reported(async () => {
      const { error } = await outage({ redactUrl }, 'http://[');
      assert.equal(error.code, 'INVALID_REQUEST');
    }), []);
    assert.deepEqual(given, []);
    await outage({ redactUrl }, `data:text/plain,${SECRET}`);
    assert.deepEqual([...new Set(given)], ['data:']);
  });

  it('belongs to the client', async () => {
    assert.throws(() => createClient({ redactUrl: 'x' }), { code: 'INVALID_OPTION' });
    const error = await rejection(createClient({ baseUrl: 'http://a.test' }).get('a', { redactUrl: (url) => url }));
    assert.equal(error.code, 'INVALID_OPTION');
  });
});

describe('events', () => {
  it('all say where they belong', async () => {
    const events = [];
    const fetch = async () => { throw new TypeError('Failed to fetch'); };
    const api = createClient({
      baseUrl: 'http://a.test/',
      fetch,
      name: 'shop',
      retry: { limit: 1, delay: 0 },
      queue: { concurrency: 1 },
      circuitBreaker: { failureThreshold: 1, resetTimeout: 0 },
      onEvent: (event) => events.push(event),
    });
    await Promise.allSettled([api.get('x', { operation: 'look' }).json(), api.get('y', { operation: 'look' }).json()]);
    for (const event of events) {
      assert.deepEqual([event.dependency, event.operation, typeof event.callId], ['shop', 'look', 'number'], event.type);
      assert.ok(event.phase && event.attempt >= 0 && event.elapsedMs >= 0 && event.remainingMs >= 0, event.type);
    }
    const types = new Set(events.map(({ type }) => type));
    assert.deepEqual([...types].sort(), ['attempt-end', 'attempt-start', 'call-end', 'call-start', 'circuit-change', 'queued', 'retry']);
    const change = events.find(({ type }) => type === 'circuit-change');
    assert.deepEqual([change.circuit, change.state, change.phase], ['http://a.test', 'open', 'queue']);
  });
});
