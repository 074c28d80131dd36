// What tests do in place of a server: a made-up fetch, whose answers are objects. A bare jsdom has no Response, Request or TextEncoder.

const { HTTPError, createClient, isHTTPError, isNetworkError } = require('steadfetch');

const answer = (status, value) => ({
  ok: status < 400,
  status,
  json: async () => value,
  text: async () => JSON.stringify(value),
});
const client = (fetch) => createClient({ baseUrl: 'https://api.test/', retry: 0, fetch });

test('a made-up fetch is given the request, and its answer is read', async () => {
  const fetch = jest.fn(async () => answer(200, { name: 'Ada' }));
  const user = await client(fetch).post('users', { json: { name: 'Ada' }, headers: { 'x-mine': 'yes' } }).json();
  expect(user).toEqual({ name: 'Ada' });
  const [url, init] = fetch.mock.calls[0];
  expect([url, init.method, init.body]).toEqual(['https://api.test/users', 'POST', '{"name":"Ada"}']);
});

test('globalThis.fetch may be made up after the client', async () => {
  const { fetch } = globalThis;
  const api = client();
  globalThis.fetch = async () => answer(200, [1]);
  try {
    expect(await api.get('list').json()).toEqual([1]);
  } finally {
    globalThis.fetch = fetch;
  }
});

test('an error status is an HTTPError', async () => {
  const error = await client(async () => answer(404, {})).get('gone').json().catch((error) => error);
  expect([error instanceof HTTPError, isHTTPError(error), error.status]).toEqual([true, true, 404]);
});

test('a TypeError of a made-up fetch is a network error', async () => {
  const offline = async () => {
    throw new TypeError('Failed to fetch');
  };
  expect(isNetworkError(await client(offline).get('x').json().catch((error) => error))).toBe(true);
});

test('a time limit holds where the made-up fetch never answers', async () => {
  const api = client(() => new Promise(() => {}));
  expect(await api.get('x', { timeout: 20 }).json().catch(({ code }) => code)).toBe('TIMEOUT');
});
