import type { SteadfetchError } from './errors.js';

/** What `retry.shouldRetry` is asked about. */
export interface ShouldRetryState {
  /** The failure as it stands. For a shortcut `error.data` is the error body, which is collected within the limits first. */
  readonly error: SteadfetchError;
  /** The number of the retry that would come, from 1. */
  readonly retryCount: number;
}

/**
 * How failed attempts are repeated. By default only a network error before the response headers is, of an idempotent
 * request, up to 3 times, with full jitter, and only if the wait fits `totalTimeout`.
 */
export interface RetryOptions {
  /**
   * Retries after the first attempt: a whole number from 0 to 4 294 967 295. To retry until the time is over, give a
   * large one and `totalTimeout`.
   *
   * @default 3
   */
  limit?: number | undefined;
  /**
   * Methods that may be sent again, in any case of letters. The default are those that RFC 9110, section 9.2.2, calls
   * idempotent, and QUERY. To name POST here says that every POST of this client may be sent twice; for one endpoint use
   * `idempotent`, or send an `Idempotency-Key` header that your server honours.
   *
   * @default ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY']
   */
  methods?: readonly string[] | undefined;
  /**
   * Statuses that are retried. None unless you opt in. `throwHttpErrors: false` changes nothing about it: the last response is
   * then what the call resolves with.
   *
   * @default []
   * @example { retry: { statusCodes: [500, 502, 503, 504] } }
   */
  statusCodes?: readonly number[] | undefined;
  /**
   * Those of `statusCodes` whose Retry-After counts (RFC 9110, section 10.2.3): the wait is then Retry-After plus the
   * jittered backoff, so that the waiting clients do not all come back in one instant.
   *
   * @default [413, 429, 503]
   */
  afterStatusCodes?: readonly number[] | undefined;
  /**
   * Backoff of the first retry in milliseconds, doubled for each further one; or a function of the retry's number
   * (from 1) that returns milliseconds.
   *
   * @default 1000
   */
  delay?: number | ((retryCount: number) => number | Promise<number>) | undefined;
  /**
   * The most that one backoff may wait, in milliseconds; false or Infinity: no limit.
   *
   * @default 10000
   */
  backoffLimit?: number | false | undefined;
  /**
   * A server that asks for a longer wait than this, in milliseconds, gets no retry: the call ends at once, and
   * `error.retryAfterMs` says what it asked for. Infinity: no limit.
   *
   * @default 60000
   */
  maxRetryAfter?: number | undefined;
  /**
   * How the wait is drawn from the backoff: uniformly from 0 to it (true, 'full'), the whole of it (false, 'none'), or
   * what your function makes of its milliseconds, at most `backoffLimit`.
   *
   * @default 'full'
   */
  jitter?: boolean | 'full' | 'none' | ((delayMs: number) => number | Promise<number>) | undefined;
  /**
   * Retry an attempt whose headers did not come in time. Off, since the server may still be working on it.
   *
   * @default false
   */
  retryOnTimeout?: boolean | undefined;
  /**
   * While `navigator.onLine` is false, prolong a retry's wait until the browser is online, at most by `backoffLimit` and
   * within `totalTimeout`.
   *
   * @default true
   */
  waitForOnline?: boolean | undefined;
  /**
   * Asked for every failure before the headers and every status of 400 or above. true or false replaces the rule about
   * the kind of failure, undefined keeps it; the limit, the method, the body and the deadline always win.
   *
   * @default undefined
   * @example { retry: { shouldRetry: ({ error }) => error.status === 409 || undefined } }
   */
  shouldRetry?: ((state: ShouldRetryState) => boolean | undefined | Promise<boolean | undefined>) | undefined;
}
