import { createClient, retry, type CallOptions, type ClientOptions, type RetryOptions } from 'steadfetch';
import { assert, type Equal } from './equal.js';

// Every option takes undefined (its default), also under exactOptionalPropertyTypes: options are often passed through.
type OptionalAll<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];
assert<Equal<OptionalAll<ClientOptions>, never>>();
assert<Equal<OptionalAll<CallOptions>, never>>();
assert<Equal<OptionalAll<RetryOptions>, never>>();
function passThrough(timeout?: number, signal?: AbortSignal): void {
  void createClient({ timeout }).get('users', { signal, timeout });
}
void passThrough;

const api = createClient({
  baseUrl: 'https://example.test/v1/',
  name: 'shop',
  timeout: 5_000,
  headersTimeout: false,
  idleTimeout: Infinity,
  totalTimeout: 20_000,
  minAttemptTime: 0,
  reserve: 50,
  maxResponseBytes: 1 << 20,
  credentials: 'include',
  retry: {
    limit: 2,
    methods: ['get', 'PUT'],
    statusCodes: [500, 503],
    afterStatusCodes: [503],
    delay: (retryCount) => retryCount * 100,
    backoffLimit: false,
    maxRetryAfter: 1_000,
    jitter: (ms) => ms / 2,
    retryOnTimeout: true,
    waitForOnline: false,
    shouldRetry: async ({ error, retryCount }) => (error.code === 'HTTP_ERROR' ? retryCount < 2 : undefined),
  },
  headers: async () => ({ Authorization: 'Bearer token', 'X-Old': undefined }),
  searchParams: new URLSearchParams(),
  throwHttpErrors: (status) => status !== 404,
  fetch: globalThis.fetch,
  onDownloadProgress: ({ percent, transferredBytes, totalBytes }, chunk) => {
    assert<Equal<typeof percent | typeof transferredBytes | typeof totalBytes, number>>();
    void chunk?.byteLength;
  },
  hooks: {
    beforeRequest: [
      ({ request, options, retryCount }) => {
        assert<Equal<typeof retryCount, 0>>();
        request.headers.set('X-Trace', options.operation ?? '');
      },
      ({ request }) => new Request(request),
      async () => new Response('from the cache'),
    ],
    beforeRetry: [({ error, retryCount }) => void [error.outcome, retryCount]],
    afterResponse: [
      async ({ response }) => (response.ok ? undefined : new Response(await response.text(), response)),
      ({ response }) => (response.ok ? retry({ delay: 5 }) : undefined),
      async () => retry(),
    ],
    beforeError: [({ error }) => (error.code === 'ABORTED' ? error : new Error(error.message))],
  },
});
void api.extend({ headers: { 'X-Old': undefined }, retry: 0 }).extend({ retry: false });

// Members of fetch of a single runtime, and all others.
createClient({ dispatcher: {}, cf: { cacheTtl: 5 }, client: {}, unix: '/run/api.sock', tls: {}, targetAddressSpace: 'local' });
void api.get('users', { next: { revalidate: 60 }, proxy: 'http://proxy.test', init: { someday: true } });
void api.fetch('users', { cf: {}, dispatcher: {} });
createClient({ init: { someday: true }, parseJson: (text) => JSON.parse(text), stringifyJson: (value) => JSON.stringify(value) });
createClient({ hooks: { beforeRequest: undefined } });
// @ts-expect-error - text
createClient({ stringifyJson: () => 5 });
// @ts-expect-error - an object
createClient({ init: 'no' });
// @ts-expect-error - a typo
createClient({ timout: 5_000 });
// @ts-expect-error - not a number of milliseconds
createClient({ timeout: '5s' });
// @ts-expect-error - null is no default
createClient({ timeout: null });
// @ts-expect-error - true is no limit
createClient({ totalTimeout: true });
// @ts-expect-error - belongs to a call
createClient({ json: {} });
// @ts-expect-error - belongs to a call
createClient({ idempotent: true });
// @ts-expect-error - no such jitter
void api.get('users', { retry: { jitter: 'equal' } });
// @ts-expect-error - a hook returns nothing, a Request or a Response
createClient({ hooks: { beforeRequest: [() => 'text'] } });
// @ts-expect-error - a hook returns an Error
createClient({ hooks: { beforeError: [() => undefined] } });
