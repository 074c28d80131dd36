import { createClient, type Circuit, type Client, type Metrics, type SteadfetchError } from 'steadfetch';
import { assert, type Equal } from './equal.js';

const api = createClient({
  queue: { concurrency: 6, limit: 0, timeout: false, perOrigin: true, key: ({ url, operation }) => url + operation },
  circuitBreaker: { failureThreshold: 5, failureRate: 0.5, key: ({ method, headers }) => method + headers.get('x') },
  retryBudget: { capacity: 10, ratio: 0.1, perSecond: 0.1 },
  deadlineHeader: { name: 'X-Deadline', crossOrigin: true },
});
createClient({
  idempotencyKey: ({ url, method }) => `${method} ${url}`,
  outcomeLookup: {
    url: (key: string) => `operations/${key}`,
    interpret: async (response: Response) => (response.ok ? 'done' : 'failed'),
    interval: 500,
    limit: 3,
    resendIfNotFound: true,
  },
});
createClient({ outcomeLookup: false }).post('a', { outcomeLookup: { url: (key) => key } });
// @ts-expect-error: a URL is required
createClient({ outcomeLookup: {} });
// @ts-expect-error: no such finding
createClient({ outcomeLookup: { url: (key) => key, interpret: () => 'maybe' } });
createClient({ queue: false, circuitBreaker: false, retryBudget: false, deadlineHeader: 'X-Deadline' });
api.extend({ queue: { concurrency: 1 } });

// @ts-expect-error - how many at once has no default
createClient({ queue: { limit: 5 } });
// @ts-expect-error - a share, no string
createClient({ circuitBreaker: { failureRate: '50 %' } });
// @ts-expect-error - of the client
api.get('x', { queue: { concurrency: 1 } });

const scope = api.scope({ totalTimeout: 3_000, signal: new AbortController().signal, reserve: 50, failFast: true });
assert<Equal<typeof scope, Client>>();
api.scope();
// @ts-expect-error - no such option of a scope
api.scope({ timeout: 5 });

const circuits = api.circuits();
assert<Equal<typeof circuits, Circuit[]>>();
assert<Equal<Circuit['state'], 'closed' | 'open' | 'half-open'>>();
const metrics = api.metrics();
assert<Equal<typeof metrics, Metrics>>();
assert<Equal<typeof metrics.attemptMs.p95, number | null>>();

void api.get('x', { fallback: (error) => assert<Equal<typeof error, SteadfetchError>>() }).json();
// @ts-expect-error - a raw response has no readers to give something else
void api.fetch('x', { fallback: () => 1 });
