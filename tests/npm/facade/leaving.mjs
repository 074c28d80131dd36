// Calls that end together: those that wait are not sent first.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { steadfetch } from './package.mjs';

const { createClient } = steadfetch;

/** A client with one slot, whose fetch counts, and settles when it is told to. */
function client(options) {
  const sent = [];
  const api = createClient({
    queue: { concurrency: 1 },
    retry: 0,
    fetch: (url, { signal }) =>
      new Promise((resolve, reject) => {
        sent.push({ url, resolve, reject });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    ...options,
  });
  return { api, sent };
}

const calls = (api, count) => Array.from({ length: count }, (_, at) => api.get(`https://a.test/${at}`).json());
const outcomes = (settled) => settled.map(({ reason }) => `${reason.code} ${reason.outcome}`);

describe('leaving', () => {
  it('sends nothing that waits when a client is closed', async () => {
    const { api, sent } = client();
    await createClient().fetch('data:,');
    const all = calls(api, 10);
    while (!sent.length) await new Promise(setImmediate);
    api.close();
    const settled = await Promise.allSettled(all);
    assert.equal(sent.length, 1);
    assert.deepEqual(outcomes(settled), ['ABORTED unknown', ...new Array(9).fill('ABORTED not-sent')]);
  });

  it('sends nothing more of a scope whose first call fails', async () => {
    const { api, sent } = client();
    const scope = api.scope({ failFast: true });
    const all = calls(scope, 5);
    const other = api.get('https://a.test/other').json();
    other.catch(() => {});
    while (!sent.length) await new Promise(setImmediate);
    sent[0].reject(new TypeError('gone'));
    const settled = await Promise.allSettled(all);
    assert.deepEqual(outcomes(settled), ['NETWORK_ERROR unknown', ...new Array(4).fill('ABORTED not-sent')]);
    for (const { reason } of settled.slice(1)) assert.equal(reason.cause, settled[0].reason);
    assert.deepEqual(sent.map(({ url }) => url), ['https://a.test/0', 'https://a.test/other'], 'the slot goes to whoever waits next');
    api.close();
  });

  it('does not send what an observer of attempt-start cancels', async () => {
    const controller = new AbortController();
    const { api, sent } = client({ onEvent: ({ type }) => type === 'attempt-start' && controller.abort('enough') });
    const [{ reason }] = await Promise.allSettled([api.get('https://a.test/', { signal: controller.signal }).json()]);
    assert.equal(`${reason.code} ${reason.outcome} ${reason.cause} ${reason.attempts.length}`, 'ABORTED not-sent enough 0');
    assert.equal(sent.length, 0);
    assert.equal(api.metrics().attempts, 0);
    assert.equal(api.metrics().inFlight, 0);
  });
});
