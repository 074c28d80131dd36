// The testing kit with the fake timers of Vitest.

import { createClient } from 'steadfetch';
import { createScript } from 'steadfetch/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a limit is over when the fake timers say so', async () => {
  const script = createScript();
  script.reply({ delay: 60_000 });
  const error = createClient({ baseUrl: 'https://api.test/', fetch: script.fetch, timeout: 10_000, retry: 0 }).get('a').json().catch((failed) => failed);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(script.requests[0].outcome).toBe('pending');
  await vi.advanceTimersByTimeAsync(2);
  expect((await error).code).toBe('TIMEOUT');
  expect(script.requests[0].outcome).toBe('aborted');
});

test('waits before retries pass in no time', async () => {
  const script = createScript();
  script.reply({ fault: 'lost' }, { fault: 'lost' }, { json: [1] });
  const api = createClient({ baseUrl: 'https://api.test/', fetch: script.fetch, retry: { limit: 2, delay: 1_000 } });
  const list = api.get('a').json();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await list).toEqual([1]);
  expect(script.requests.map(({ outcome }) => outcome)).toEqual(['lost', 'lost', 200]);
  script.assertDone();
});
