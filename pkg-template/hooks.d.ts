import type { SteadfetchError } from './errors.js';
import type { CallOptions, ClientOptions } from './options.js';

/** The options of the call that a hook looks at, merged with the client's. Its headers are those of `request`. */
export type HookOptions = Readonly<Omit<CallOptions, 'headers' | 'hooks'> & Pick<ClientOptions, 'baseUrl' | 'name'>>;

/**
 * Your code at four moments of a call. Each list runs in order, after those of the client; `undefined` in place of a list removes
 * those. A hook may be async, and the call's limits hold while it runs (phase 'hook'). A hook that throws ends the call with
 * CALLBACK_ERROR.
 *
 * @example
 * const api = createClient({
 *   hooks: { beforeRequest: [({ request }) => request.headers.set('X-Trace', newTraceId())] },
 * });
 */
export interface Hooks {
  /** Once per call, before its first attempt. */
  beforeRequest?: readonly BeforeRequestHook[] | undefined;
  /** Before each retry, after its wait. A retry whose `Idempotency-Key` it changes is not sent: `retryStopped` is 'method'. */
  beforeRetry?: readonly BeforeRetryHook[] | undefined;
  /** For each response, before its status is judged. */
  afterResponse?: readonly AfterResponseHook[] | undefined;
  /** Before a shortcut rejects. Not for `api.fetch`. */
  beforeError?: readonly BeforeErrorHook[] | undefined;
}

/** What `beforeRequest` gets. */
export interface BeforeRequestState {
  /** What will be sent. Change its headers in place, or return another. */
  readonly request: Request;
  readonly options: HookOptions;
  readonly retryCount: 0;
  /** The call's number, as in its events. */
  readonly callId: number;
  /** The number of the attempt that it is for, as in its events. */
  readonly attempt: number;
}

/** Returns a Request to send in its place, a Response to use without sending anything, or nothing. */
export type BeforeRequestHook = (
  state: BeforeRequestState,
) => Request | Response | void | Promise<Request | Response | void>;

/** What `beforeRetry` gets. */
export interface BeforeRetryState {
  /** What will be sent. Change its headers in place, or return another. */
  readonly request: Request;
  readonly options: HookOptions;
  /** What is being retried. For a shortcut `error.data` is the error body. */
  readonly error: SteadfetchError;
  /** The retry's number, from 1. */
  readonly retryCount: number;
  /** The call's number, as in its events. */
  readonly callId: number;
  /** The number of the attempt that it is for, as in its events. */
  readonly attempt: number;
}

/** Returns a Request to send in its place, a Response to use without sending anything, or nothing. */
export type BeforeRetryHook = (
  state: BeforeRetryState,
) => Request | Response | void | Promise<Request | Response | void>;

/** What `afterResponse` gets. */
export interface AfterResponseState {
  readonly request: Request;
  readonly options: HookOptions;
  /** The response itself, not a clone: a hook that reads its body has to return a new Response. */
  readonly response: Response;
  /** 0 for the first attempt. */
  readonly retryCount: number;
}

/** What `retry()` returns. */
export interface RetryDemand {
  readonly [demand: symbol]: number;
}

/**
 * Returns a Response to use in its place, what `retry()` returns to have it retried (the hooks after it are not asked then), or
 * nothing.
 */
export type AfterResponseHook = (
  state: AfterResponseState,
) => Response | RetryDemand | void | Promise<Response | RetryDemand | void>;

/** What `beforeError` gets. */
export interface BeforeErrorState {
  readonly error: SteadfetchError;
  /** How many retries were made. */
  readonly retryCount: number;
}

/** Returns the error that the call rejects with; what is no Error makes it CALLBACK_ERROR. */
export type BeforeErrorHook = (state: BeforeErrorState) => Error | Promise<Error>;
