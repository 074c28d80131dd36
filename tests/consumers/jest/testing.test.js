// The testing kit with the fake timers of Jest. A bare jsdom has no Response to answer with.

const { createClient } = require('steadfetch');
const { createScript } = require('steadfetch/testing');

const hasResponse = typeof Response === 'function';
const client = (script, options) => createClient({ baseUrl: 'https://api.test/', fetch: script.fetch, ...options });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a limit is over when the fake timers say so', async () => {
  const script = createScript();
  script.reply({ fault: 'never' });
  const error = client(script, { timeout: 10_000, retry: 0 }).get('a').json().catch((failed) => failed);
  await jest.advanceTimersByTimeAsync(9_999);
  expect(script.requests[0].outcome).toBe('pending');
  await jest.advanceTimersByTimeAsync(2);
  expect((await error).code).toBe('TIMEOUT');
});

(hasResponse ? test : test.skip)('waits before retries pass in no time', async () => {
  const script = createScript();
  script.reply({ fault: 'lost' }, { fault: 'lost' }, { json: [1] });
  const list = client(script, { retry: { limit: 2, delay: 1_000 } }).get('a').json();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await list).toEqual([1]);
  script.assertDone();
});
