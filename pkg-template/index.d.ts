/**
 * `fetch` that always settles, never does harm twice, and says what happened.
 *
 * @example
 * import { createClient } from 'steadfetch';
 *
 * const api = createClient({ baseUrl: 'https://api.example.test/v1/', timeout: 5_000 });
 * const user = await api.get('users/1').json<User>();
 *
 * @module steadfetch
 */
import type { Client } from './client.js';
import type {
  AbortedError,
  DeadlineExceededError,
  HTTPError as HTTPErrorFields,
  NetworkError,
  QueueTimeoutError,
  SteadfetchError as AnyError,
  TimeoutError,
} from './errors.js';
import type { RetryDemand } from './hooks.js';
import type { ClientOptions } from './options.js';
import type { WasmModule } from './platform.js';
import type { CallInfo } from './response.js';

export type * from './auth.js';
export type * from './client.js';
export type * from './errors.js';
export type * from './events.js';
export type * from './hooks.js';
export type * from './options.js';
export type * from './protection.js';
export type * from './response.js';
export type * from './server-sent-events.js';
export type * from './result.js';
export type * from './retry.js';
export type * from './schema.js';

/**
 * Makes a client. Synchronous: the first call makes the engine. Throws INVALID_OPTION.
 *
 * @example const api = createClient({ baseUrl: 'https://api.example.test/v1/', retry: 2 });
 */
export function createClient(options?: ClientOptions): Client;

/**
 * Loads now, instead of with the first call, what the clients that there are will need. Rejects with LOAD_FAILED; the next call
 * tries again.
 *
 * @example await ready();
 */
export function ready(): Promise<void>;

/** Where `init` takes the engine's bytes from. */
export type InitSource = string | URL | Response | ArrayBuffer | ArrayBufferView | WasmModule;

/**
 * Loads the engine from a place of your own: a URL, a Response, bytes, or a compiled module. There is no fallback then. It serves
 * all clients: give it `steadfetch/steadfetch_bg.wasm`. Without an argument it is `ready()`. To be called before the first call: an
 * engine that is there stays.
 *
 * @example await init('/assets/steadfetch_bg.wasm');
 */
export function init(source?: InitSource | Promise<InitSource>): Promise<void>;

/**
 * Makes a response a failed attempt, when an `afterResponse` hook returns it: for servers that report a failure with status 200,
 * or say in the body how long to wait. All rules of retries hold: the limit, the idempotency gate, the deadline, the retry
 * budget, the circuit. `shouldRetry` is not asked. If there is no retry left, the response is the answer, and
 * `callInfo(response).retryStopped` says why.
 *
 * `delay`, in milliseconds, takes the place of backoff and Retry-After. One above `retry.maxRetryAfter` means no retry. Throws
 * INVALID_OPTION if it is none.
 *
 * @example
 * const api = createClient({
 *   hooks: {
 *     afterResponse: [
 *       async ({ response }) => {
 *         const body = await response.clone().json();
 *         if (body.error === 'busy') return retry({ delay: body.retryInMs });
 *       },
 *     ],
 *   },
 * });
 */
export function retry(options?: { delay?: number | undefined }): RetryDemand;

/** What is known about the call behind a response; undefined for a response that is not ours. */
export function callInfo(response: Response): CallInfo | undefined;

/**
 * Our error behind an error: itself, or what is attached to the platform's own that `api.fetch` rejects with; undefined
 * for an error that is not ours, such as your own signal's reason.
 *
 * @example
 * try { await api.fetch('users/1'); }
 * catch (error) { console.warn(errorInfo(error)?.code, errorInfo(error)?.outcome); }
 */
export function errorInfo(error: unknown): AnyError | undefined;

/** A class of errors, for `instanceof`; only a call makes them. */
export interface ErrorClass<T> extends Function {
  readonly prototype: T;
}

/**
 * The class of our errors, for `instanceof`. The guards below also know those of another copy of this package.
 *
 * What `api.fetch` rejects with are the platform's own errors. The guards are true for these too, but their fields are in
 * `errorInfo(error)`, not on themselves.
 */
export const SteadfetchError: ErrorClass<AnyError>;
/** Every error of a shortcut, told apart by `code`. */
export type SteadfetchError<E = unknown> = AnyError<E>;

/** The class of HTTP_ERROR, for `instanceof`. */
export const HTTPError: ErrorClass<HTTPErrorFields>;
/** HTTP_ERROR: the server answered 400 or above. */
export type HTTPError<E = unknown> = HTTPErrorFields<E>;

/** Whether it is an error of ours. */
export function isSteadfetchError(error: unknown): error is AnyError;
/** Whether it is HTTP_ERROR. The type of its body is your word; nothing checks it. */
export function isHTTPError<E = unknown>(error: unknown): error is HTTPErrorFields<E>;
/**
 * Whether a limit passed: TIMEOUT, DEADLINE_EXCEEDED or QUEUE_TIMEOUT. Also true for a TimeoutError of the platform, such as the
 * reason of an `AbortSignal.timeout` that `api.fetch` rejects with.
 */
export function isTimeoutError(error: unknown): error is TimeoutError | DeadlineExceededError | QueueTimeoutError;
/**
 * Whether it is ABORTED. Also true for an AbortError of the platform, such as the reason of your own signal that `api.fetch`
 * rejects with.
 */
export function isAbortError(error: unknown): error is AbortedError;
/** Whether it is NETWORK_ERROR. */
export function isNetworkError(error: unknown): error is NetworkError;

/** The version of this package. */
export const version: string;
