// The recipes of docs/recipes.md do what they promise, with the library that they are about.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { QueryClient } from '@tanstack/query-core';

import { rejection, steadfetch } from './package.mjs';

const { createClient, errorInfo } = steadfetch;

/** A fetch that fails on every request, and counts them. */
function failing() {
  const count = async () => {
    count.requests++;
    throw new TypeError('Failed to fetch');
  };
  return Object.assign(count, { requests: 0 });
}

const AT_ONCE = { delay: 0 };

describe('recipes: TanStack Query', () => {
  it('multiplies retries where both retry', async () => {
    const fetch = failing();
    const api = createClient({ baseUrl: 'http://a.test/', fetch, retry: AT_ONCE, retryBudget: false });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: 3, retryDelay: 0 } } });
    await rejection(queries.fetchQuery({ queryKey: ['x'], queryFn: () => api.get('x').json() }));
    assert.equal(fetch.requests, 16);
    queries.clear();
  });

  it('sends the attempts of steadfetch and no more with retry: false', async () => {
    const fetch = failing();
    const api = createClient({ baseUrl: 'http://a.test/', fetch, retry: AT_ONCE });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const error = await rejection(queries.fetchQuery({ queryKey: ['x'], queryFn: () => api.get('x').json() }));
    assert.equal(fetch.requests, 4);
    assert.equal(error.code, 'NETWORK_ERROR');
    queries.clear();
  });

  it('lets TanStack Query retry what a retry can mend, and nothing else', async () => {
    const isFinal = (error) => errorInfo(error)?.code !== 'NETWORK_ERROR' && !(Number(errorInfo(error)?.status) >= 500);
    const retry = (count, error) => count < 3 && !isFinal(error);
    for (const [status, requests] of [[404, 1], [503, 4]]) {
      let seen = 0;
      const fetch = async () => (seen++, new Response('', { status }));
      const api = createClient({ baseUrl: 'http://a.test/', fetch, retry: false });
      const queries = new QueryClient({ defaultOptions: { queries: { retry, retryDelay: 0 } } });
      await rejection(queries.fetchQuery({ queryKey: ['x'], queryFn: () => api.get('x').json() }));
      assert.equal(seen, requests, `${status}`);
      queries.clear();
    }
  });

  it('takes null for a 204, and would refuse the undefined of .json()', async () => {
    const api = createClient({ baseUrl: 'http://a.test/', fetch: async () => new Response(null, { status: 204 }) });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    assert.equal(await queries.fetchQuery({ queryKey: ['null'], queryFn: async () => (await api.get('x').json()) ?? null }), null);
    const error = await rejection(queries.fetchQuery({ queryKey: ['undefined'], queryFn: () => api.get('x').json() }));
    assert.equal(errorInfo(error), undefined, 'it is an error of TanStack Query');
    queries.clear();
  });

  it('aborts the request of a query that is cancelled', async () => {
    let signal;
    let tell;
    const sent = new Promise((resolve) => { tell = resolve; });
    const fetch = (url, init) => {
      ({ signal } = init);
      tell();
      return new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const api = createClient({ baseUrl: 'http://a.test/', fetch });
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const query = rejection(queries.fetchQuery({ queryKey: ['x'], queryFn: ({ signal: of }) => api.get('x', { signal: of }).json() }));
    await sent;
    await queries.cancelQueries({ queryKey: ['x'] });
    await query;
    assert.equal(signal.aborted, true);
    queries.clear();
  });
});
