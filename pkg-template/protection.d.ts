/** What `key` functions are asked about: the request as it is before anything is sent. */
export interface RequestInfo {
  readonly url: string;
  readonly method: string;
  /** Without the token, and without what header functions give. */
  readonly headers: Headers;
  /** The call's `operation`. */
  readonly operation: string;
}

/**
 * So many attempts at once, so many calls that wait. A slot is held from the dispatch of an attempt to the end of its body;
 * a response without a body, or with a Content-Length of at most 64 KiB, frees it at its headers. Nothing holds one while it
 * waits for a retry.
 *
 * Retries go first, then the priorities 'high', 'auto', 'low' (fetch's own `priority` option); within a priority the keys
 * take turns, within a key it is first come, first served. Who has waited 2 s moves one priority up.
 */
export interface QueueOptions {
  /**
   * Attempts at once: a whole number, 1 or more. Browsers open 6 connections to a host over HTTP/1.1; what is above that
   * waits where nobody sees it.
   *
   * @default required
   */
  concurrency: number;
  /**
   * Calls that may wait for their first attempt: a whole number, 0 or more. One more is refused at once with QUEUE_FULL.
   * With 0 nothing waits.
   *
   * @default 100
   */
  limit?: number | undefined;
  /**
   * How long an attempt may wait for its slot: milliseconds, 1 or more; false or Infinity: as long as the total time
   * lasts. Passing it is QUEUE_TIMEOUT; of a retry it is its last real error, with `retryStopped: 'queue'`.
   *
   * @default false
   */
  timeout?: number | false | undefined;
  /**
   * `concurrency` and `limit` are for each origin of the request URL; false: for all together.
   *
   * @default true
   */
  perOrigin?: boolean | undefined;
  /**
   * Divides the turns: keys are served one after the other, so that one part of the page cannot keep the others waiting.
   * Throwing, or giving no string, is CALLBACK_ERROR.
   *
   * @default undefined
   * @example queue: { concurrency: 4, key: ({ operation }) => operation }
   */
  key?: ((request: RequestInfo) => string) | undefined;
}

/**
 * After enough failed calls in a row the calls to an origin fail at once with CIRCUIT_OPEN (`error.retryAfterMs` says when to
 * come again), until one probe at a time has shown that the server is back.
 *
 * A call counts once, by its final result. Failures are network errors, timeouts, deadlines after the dispatch and statuses
 * from 500 on; every other answer is a success, except 429 and opaque ones, which count neither way, like cancels, refusals
 * of the queue and mistakes of the caller.
 */
export interface CircuitBreakerOptions {
  /**
   * Failed calls in a row that open the circuit: a whole number, 1 or more.
   *
   * @default 5
   */
  failureThreshold?: number | undefined;
  /**
   * How long an open circuit refuses before it lets a probe through: milliseconds, 0 or more.
   *
   * @default 30000
   */
  resetTimeout?: number | undefined;
  /**
   * Probes in a row that have to succeed to close it: a whole number, 1 or more. A probe is not retried.
   *
   * @default 2
   */
  halfOpenSuccesses?: number | undefined;
  /**
   * In place of the threshold: the share of failed calls within `window` that opens it, above 0, at most 1.
   *
   * @default undefined
   */
  failureRate?: number | undefined;
  /**
   * For `failureRate`, how far it looks back: milliseconds, 0 or more.
   *
   * @default 30000
   */
  window?: number | undefined;
  /**
   * For `failureRate`, fewer calls within `window` than these say nothing: a whole number, 1 or more.
   *
   * @default 20
   */
  minimumCalls?: number | undefined;
  /**
   * The name of a request's circuit, in place of its origin. Throwing, or giving no string, is CALLBACK_ERROR. At most 256
   * circuits are kept; idle ones go first.
   *
   * @default undefined
   * @example circuitBreaker: { key: ({ url }) => new URL(url).pathname.split('/')[1] }
   */
  key?: ((request: RequestInfo) => string) | undefined;
}

/**
 * How many retries an origin gets: a token bucket. A quiet client can always retry; in an outage the server gets the first
 * attempts and little more. A retry that gets none ends its call with its last real error and `retryStopped: 'budget'`.
 */
export interface RetryBudgetOptions {
  /**
   * The most retries that are saved up, and what there is at the start: a number, 0 or more.
   *
   * @default 10
   */
  capacity?: number | undefined;
  /**
   * What each first attempt adds: a number, 0 or more.
   *
   * @default 0.1
   */
  ratio?: number | undefined;
  /**
   * What each second adds: a number, 0 or more.
   *
   * @default 0.1
   */
  perSecond?: number | undefined;
}

/** What `deadlineHeader` takes beside a name. */
export interface DeadlineHeader {
  name: string;
  /** Other origins get it too. It costs each of them a CORS preflight, which has to allow the header. */
  crossOrigin?: boolean | undefined;
}

/** What `api.scope` takes. */
export interface ScopeOptions {
  /**
   * For all calls of the scope together, from now on: milliseconds, 1 or more; false or Infinity: no limit. It ends bodies
   * and streams too. Passing it is DEADLINE_EXCEEDED.
   *
   * @default false
   */
  totalTimeout?: number | false | undefined;
  /** Ends all calls of the scope: each is ABORTED, with the signal's reason as `cause`. */
  signal?: AbortSignal | null | undefined;
  /**
   * Kept back of the total time from every attempt: milliseconds, 0 or more.
   *
   * @default that of the client
   */
  reserve?: number | undefined;
  /**
   * The first call that fails aborts the others, and later ones: ABORTED, with that error as `cause`. A status under
   * `api.fetch` is no failure.
   *
   * @default false
   */
  failFast?: boolean | undefined;
}

/** A circuit, as `api.circuits()` shows it. */
export interface Circuit {
  /** The origin, or what `circuitBreaker.key` gave. */
  readonly key: string;
  /** An open one whose time is over shows as half-open when somebody asks to pass. */
  readonly state: 'closed' | 'open' | 'half-open';
  /** Failed calls in a row, while it is closed. */
  readonly failures: number;
  /** While it is open: milliseconds until it lets a probe through. */
  readonly retryAfterMs: number;
}

/** How long something took: over the latest 1 000 of its kind. `null` while there is none. */
export interface Durations {
  /** Of how many, since the client was made. */
  readonly count: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** What `api.metrics()` gives: plain data about this client and its views, since it was made. */
export interface Metrics {
  /** Calls that began. */
  readonly calls: number;
  /** Calls that ended well. */
  readonly succeeded: number;
  /** Calls that failed, by `error.code`. */
  readonly failed: Readonly<Record<string, number>>;
  /** Fetches that were sent. */
  readonly attempts: number;
  /** Attempts that took part in the request of another call (`dedupe`): they are none of `attempts`. */
  readonly shared: number;
  /** Fetches that are under way, to the end of their bodies. */
  readonly inFlight: number;
  /** Retries that were decided. */
  readonly retries: number;
  /** Calls that were sent once more after a token refresh: no retries. */
  readonly resent: number;
  /** Token refreshes of the `auth` that its calls had a part in. */
  readonly refreshes: number;
  /** Lookups of what became of a lost write (`outcomeLookup`). They are no calls. */
  readonly lookups: number;
  /** Retries that the budget refused. */
  readonly budgetRefusals: number;
  /** Attempts that had to wait for a slot. */
  readonly enqueued: number;
  /** Those of them that were sent. */
  readonly dispatched: number;
  /** Attempts that wait for a slot now. */
  readonly waiting: number;
  /** How often a circuit opened. */
  readonly circuitsOpened: number;
  /** Limits that passed, by the phase in which they did. */
  readonly timeouts: Readonly<Record<string, number>>;
  /** What was going on when a limit passed last. */
  readonly atTimeout: { readonly inFlight: number; readonly waiting: number };
  /** ABORTED calls by what ended them: 'signal', 'client' (abortAll, close, a scope), 'page'. */
  readonly cancelled: Readonly<Record<string, number>>;
  /** Milliseconds from a call to its end, also of those that were refused at once. */
  readonly callMs: Durations;
  /** Milliseconds from the dispatch of an attempt to the end of its body. */
  readonly attemptMs: Durations;
  /** Milliseconds that dispatched attempts have waited for their slot. */
  readonly queueMs: Durations;
  /** The share of the time that was left to them that they have waited, from 0 to 1. */
  readonly queueShare: Durations;
  /** As `api.circuits()`. */
  readonly circuits: readonly Circuit[];
}
