/// <reference lib="esnext.disposable" />
import type { CallOptions, ClientOptions, FetchOptions } from './options.js';
import type { Circuit, Metrics, ScopeOptions } from './protection.js';
import type { EventsOptions, ServerSentEvent } from './server-sent-events.js';
import type { ClientResponse, ResponsePromise } from './response.js';

/** A shortcut. `T` is what its `.json()` and `.result()` give. */
export type Shortcut = <T = unknown>(url: string | URL | Request, options?: CallOptions) => ResponsePromise<T>;

/**
 * What `createClient` and `extend` give. Called as a function it is `request`. Its functions are bound: they may be passed on
 * without it.
 *
 * @example const user = await api('users/1').json<User>();
 */
export interface Client extends Shortcut {
  /**
   * A drop-in `fetch`: it takes what fetch takes, resolves with the platform's own Response for every status, and rejects
   * as the platform does: a TypeError for a network error and for a request that cannot be sent (of the latter
   * not the platform's own, which may quote secrets), the signal's own reason for an abort, a DOMException 'TimeoutError'
   * for a limit. `errorInfo(error)` has our fields of any of them. From the headers on only `idleTimeout`
   * holds, and those of `timeout` and `totalTimeout` that you gave yourself.
   *
   * @example
   * const response = await api.fetch('users/1', { signal });
   * if (!response.ok) throw new Error(`status ${response.status}`);
   */
  readonly fetch: (input: string | URL | Request, init?: FetchOptions) => Promise<ClientResponse>;
  /**
   * Server-sent events over fetch, with any method, headers and body. The stream connects when its first event is asked for, reads no faster
   * than its events are taken, and connects again by itself with `Last-Event-ID` and full jitter. Leaving the loop aborts the connection. 204
   * ends the iteration; a status of 4xx or another content type throws.
   *
   * @example for await (const { event, data } of api.events('feed')) console.log(event, JSON.parse(data));
   * @example for await (const { data } of api.events('chat', { method: 'POST', json: { prompt: 'Hello' } })) if (data !== '[DONE]') console.log(JSON.parse(data));
   */
  readonly events: (url: string | URL | Request, options?: EventsOptions) => AsyncIterableIterator<ServerSentEvent>;
  /**
   * A shortcut for any method: that of the options, else of the Request, else GET.
   *
   * @example await api.request('cache/users', { method: 'PURGE' });
   */
  readonly request: Shortcut;
  /**
   * GET (RFC 9110, section 9.3.1).
   *
   * @example const user = await api.get('users/1').json<User>();
   */
  readonly get: Shortcut;
  /**
   * POST (RFC 9110, section 9.3.3). Not sent twice unless you lift the gate: see `idempotent`.
   *
   * @example const order = await api.post('orders', { json: { sku: 1 } }).json<Order>();
   */
  readonly post: Shortcut;
  /** PUT (RFC 9110, section 9.3.4). */
  readonly put: Shortcut;
  /** PATCH (RFC 5789). Not sent twice unless you lift the gate: see `idempotent`. */
  readonly patch: Shortcut;
  /** DELETE (RFC 9110, section 9.3.5). */
  readonly delete: Shortcut;
  /** HEAD (RFC 9110, section 9.3.2). */
  readonly head: Shortcut;
  /** OPTIONS (RFC 9110, section 9.3.7). */
  readonly options: Shortcut;
  /** QUERY (draft-ietf-httpbis-safe-method-w-body): a safe method with a body. */
  readonly query: Shortcut;
  /**
   * A client with these options on top of this one's. Headers merge by name, `retry` by key, hooks append; all else
   * replaces. Throws INVALID_OPTION.
   *
   * @example const admin = api.extend({ headers: { 'X-Role': 'admin' }, timeout: 20_000 });
   */
  extend(options: ClientOptions): Client;
  /**
   * A client whose calls end together: they share a deadline, a signal and, with `failFast`, their first failure. Throws
   * INVALID_OPTION.
   *
   * @example
   * const page = api.scope({ totalTimeout: 3_000, failFast: true });
   * const [user, orders] = await Promise.all([page.get('user').json(), page.get('orders').json()]);
   */
  scope(options?: ScopeOptions): Client;
  /** The circuits that were asked of late, at most 256. Empty without `circuitBreaker`. */
  circuits(): Circuit[];
  /** What this client and its views have done: counts and percentiles. Plain data, without URLs. */
  metrics(): Metrics;
  /** Aborts every pending call of this client and of those made from it; `reason` becomes their `cause`. */
  abortAll(reason?: unknown): void;
  /** `abortAll`, and every later call of this client and of those made from it is ABORTED, not-sent. */
  close(reason?: unknown): void;
  /**
   * `close()`, where the platform has `Symbol.dispose`.
   *
   * @example using api = createClient();
   */
  [Symbol.dispose](): void;
}
