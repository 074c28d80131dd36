import type { SchemaIssue } from './schema.js';

/**
 * What kind of failure ended a call. The list is closed. JOB_FAILED belongs to a policy that this version does not have: no
 * call ends with it yet.
 */
export type ErrorCode = SteadfetchError['code'];

/**
 * Where a call was when it ended. The list is closed; this version's calls are never in 'poll' or 'handshake'.
 *
 * - `load`: the engine itself was being loaded;
 * - `auth`: waiting for `getToken`;
 * - `refresh`: waiting for a token refresh;
 * - `queue`: waiting for a slot, or refused one, by the queue or by an open circuit;
 * - `headers`: an attempt was sent, its response headers had not come;
 * - `body`: the body was being received;
 * - `idle`: the body stood still, or nobody read it;
 * - `backoff`: waiting before a retry;
 * - `lookup`: the outcome of a lost write was being looked up (`outcomeLookup`), or was to be again;
 * - `hook`: waiting for a callback of yours.
 */
export type Phase =
  | 'load'
  | 'auth'
  | 'queue'
  | 'backoff'
  | 'refresh'
  | 'headers'
  | 'body'
  | 'idle'
  | 'lookup'
  | 'poll'
  | 'handshake'
  | 'hook';

/**
 * Whether the server may have acted on the request. The rule is the same for every code.
 *
 * - `not-sent`: no attempt started, or none had a connection. Nothing can have happened; repeating it is safe.
 * - `answered`: every attempt that was sent was answered by the server itself. What happened is what the answers say.
 * - `unknown`: all else. An attempt was lost, or a gateway answered for the server (502, 504, 520 to 529; RFC 9110,
 *   sections 15.6.3 and 15.6.5). The server may have done the work: look before you repeat a write.
 */
export type Outcome = 'not-sent' | 'answered' | 'unknown';

/**
 * The rule that ended the retries. The list is closed.
 *
 * - `limit`: `retry.limit` is used up;
 * - `method`: the method is not idempotent, and nothing lifted the gate;
 * - `body`: the request body cannot be sent again;
 * - `deadline`: the wait, or the attempt after it, does not fit `totalTimeout`;
 * - `retry-after`: the server asked for more than `retry.maxRetryAfter`;
 * - `circuit`: the circuit is open, or the call was its probe;
 * - `budget`: the retry budget of the origin is used up;
 * - `queue`: the queue refused the retry, or it waited there too long;
 * - `policy`: this kind of failure is not retried, `retry.shouldRetry` said no, or the page's CSP forbids the request;
 * - `pagehide`: the page was being left.
 */
export type RetryStopped =
  | 'limit'
  | 'method'
  | 'body'
  | 'deadline'
  | 'retry-after'
  | 'circuit'
  | 'budget'
  | 'queue'
  | 'policy'
  | 'pagehide';

/**
 * A known cause behind the code. The list is closed; 'buffered' belongs to a policy that this version does not have.
 *
 * - `cross-origin`: the request crosses origins, where browsers report a refusal by CORS as a network error;
 * - `non-safelisted-headers`: so does a header that needs a CORS preflight; the message names them;
 * - `stream-upload-http2`: a streamed upload needs HTTP/2;
 * - `body-changed`: the file behind the body changed or went away between two attempts;
 * - `empty-body`: there is no body where one belongs;
 * - `in-progress`: 409 to a write with an `Idempotency-Key`: the server is still busy with an earlier request of this key;
 * - `csp`: the page's Content-Security-Policy forbids it;
 * - `retry-after-hidden`: HTTP_ERROR of another origin, whose `Retry-After`, if there is one, CORS hides: the server shows it
 *   with `Access-Control-Expose-Headers: Retry-After`.
 */
export type Hint =
  | 'cross-origin'
  | 'non-safelisted-headers'
  | 'stream-upload-http2'
  | 'body-changed'
  | 'empty-body'
  | 'in-progress'
  | 'buffered'
  | 'csp'
  | 'retry-after-hidden';

/** What became of one attempt: an entry of `error.attempts`. */
export interface AttemptInfo {
  /** From 1. */
  readonly number: number;
  /** It was the extra send after a token refresh. */
  readonly resend: boolean;
  /** Whether the server may have acted on it. */
  readonly outcome: Outcome;
  /** How it failed; absent if it did not. */
  readonly code?: ErrorCode | undefined;
  /** Its status, if headers came. */
  readonly status?: number | undefined;
  /** Where it ended. */
  readonly phase: Phase;
  /** Its dispatch, in milliseconds since the start of the call. */
  readonly startMs: number;
  /** How long it took, in milliseconds. */
  readonly elapsedMs: number;
}

/** The request of a failed call. */
export interface RequestSummary {
  readonly method: string;
  /** The whole URL, with its query: mind where you print it. */
  readonly url: string;
}

/** What is known of every failed call. */
export interface ErrorInfo {
  /** What kind of failure. */
  readonly code: ErrorCode;
  /** Where the call was; absent where there was no call yet, such as a wrong option of `createClient`. */
  readonly phase?: Phase | undefined;
  /** Whether the server may have acted. */
  readonly outcome: Outcome;
  /** Every attempt that went out. */
  readonly attempts: readonly AttemptInfo[];
  /** From the start of the call to its end, in milliseconds. */
  readonly elapsedMs: number;
  /** What the server asked to wait, in milliseconds: Retry-After (RFC 9110, section 10.2.3) or a rate limit's reset. */
  readonly retryAfterMs?: number | undefined;
  /** Why there was no further retry. */
  readonly retryStopped?: RetryStopped | undefined;
  /** The status of the last attempt, if its headers came. */
  readonly status?: number | undefined;
  /** A known cause behind the code. */
  readonly hint?: Hint | undefined;
  /** How many bytes of the body had come; undefined where the platform read it by itself, and does not say. */
  readonly bytesReceived?: number | undefined;
  /** The limit that was passed: milliseconds, or bytes for RESPONSE_TOO_LARGE. */
  readonly limit?: number | undefined;
  /**
   * The reason of the signal that aborted, or an error of ours. Of any other error a bare one that has its name, and for
   * NETWORK_ERROR in Node and Bun its system code (`cause.code`, such as 'ECONNREFUSED'), since foreign messages may hold
   * secrets; `originalError` has the whole.
   */
  readonly cause?: unknown;
  /**
   * The error body of HTTP_ERROR, in `shouldRetry` and hooks too, where a status rejects. Not enumerable.
   */
  readonly data?: unknown;
  /** What the schema objected to. Not enumerable. */
  readonly issues?: readonly SchemaIssue[] | undefined;
  /** The request. Not enumerable, since URLs may hold secrets. */
  readonly request?: RequestSummary | undefined;
  /** The response, if headers came. Not enumerable. */
  readonly response?: Response | undefined;
  /** The very error that a platform function or a callback of yours threw. Not enumerable. */
  readonly originalError?: unknown;
}

/** An `Error` with everything that is known of the call. */
export interface SteadfetchErrorBase extends Error, ErrorInfo {
  readonly cause?: unknown;
  /** The fields that are safe to log: no URL query, header, body or foreign message. */
  toJSON(): Record<string, unknown>;
}

/** An option has the wrong type, is out of range or is not known. The message names it. Nothing was sent. */
export interface InvalidOptionError extends SteadfetchErrorBase {
  readonly code: 'INVALID_OPTION';
  readonly name: 'SteadfetchError';
}

/** The request can never be sent as it is: bad URL, port, header, method, mode, body or signal. Nothing was sent. */
export interface InvalidRequestError extends SteadfetchErrorBase {
  readonly code: 'INVALID_REQUEST';
  readonly name: 'SteadfetchError';
}

/** The platform cannot do it, such as a streamed upload in Firefox. Nothing was sent. */
export interface UnsupportedError extends SteadfetchErrorBase {
  readonly code: 'UNSUPPORTED';
  readonly name: 'SteadfetchError';
}

/** A function of yours that returns a value to us threw (`originalError`), or returned a wrong value. */
export interface CallbackError extends SteadfetchErrorBase {
  readonly code: 'CALLBACK_ERROR';
  readonly name: 'SteadfetchError';
}

/**
 * The platform reported a network error: refused, reset, cut, blocked by CORS or CSP, or a body that does not match
 * `integrity`. Browsers do not say which; `hint` says what is known. Node and Bun give a system code, `cause.code`.
 */
export interface NetworkError extends SteadfetchErrorBase {
  readonly code: 'NETWORK_ERROR';
  readonly name: 'NetworkError';
  readonly phase: Phase;
}

/** `timeout`, `headersTimeout` or `idleTimeout` passed; `limit` is its value, `phase` says where. */
export interface TimeoutError extends SteadfetchErrorBase {
  readonly code: 'TIMEOUT';
  readonly name: 'TimeoutError';
  readonly phase: Phase;
  readonly limit: number;
}

/** `totalTimeout` passed; `limit` is its value, `phase` says where. */
export interface DeadlineExceededError extends SteadfetchErrorBase {
  readonly code: 'DEADLINE_EXCEEDED';
  readonly name: 'TimeoutError';
  readonly phase: Phase;
  readonly limit: number;
}

/** The call waited longer than `queue.timeout` for a slot; `limit` is its value. Nothing was sent. */
export interface QueueTimeoutError extends SteadfetchErrorBase {
  readonly code: 'QUEUE_TIMEOUT';
  readonly name: 'TimeoutError';
  readonly phase: 'queue';
  readonly limit: number;
}

/** As many calls wait as `queue.limit` allows. Nothing was sent. */
export interface QueueFullError extends SteadfetchErrorBase {
  readonly code: 'QUEUE_FULL';
  readonly name: 'SteadfetchError';
  readonly phase: 'queue';
}

/** The circuit is open: `retryAfterMs` says for how long. 0: its probe is out. Nothing was sent. */
export interface CircuitOpenError extends SteadfetchErrorBase {
  readonly code: 'CIRCUIT_OPEN';
  readonly name: 'SteadfetchError';
  readonly phase: 'queue';
  readonly retryAfterMs: number;
}

/** Your signal, `abortAll()`, `close()`, or the leaving of the page. `cause` is the signal's reason. */
export interface AbortedError extends SteadfetchErrorBase {
  readonly code: 'ABORTED';
  readonly name: 'AbortError';
}

/**
 * The server answered 400 or above.
 *
 * @template E The type of the error body.
 *
 * @example
 * try {
 *   await api.post('orders', { json: order });
 * } catch (error) {
 *   if (isHTTPError<{ detail: string }>(error) && error.status === 422) show(error.data?.detail);
 *   else throw error;
 * }
 */
export interface HTTPError<E = unknown> extends SteadfetchErrorBase {
  readonly code: 'HTTP_ERROR';
  readonly name: 'HTTPError';
  readonly phase: Phase;
  readonly status: number;
  /**
   * The error body, at most 64 KiB of it, read within the limits of the call: the value if its Content-Type says JSON
   * and it is JSON, else its text, decoded by the charset of its Content-Type (then `E` does not fit it); undefined if it is
   * empty or could not be read.
   */
  readonly data: E | undefined;
  /** Its readers and `clone()` read the body that was collected. Above 64 KiB they reject with RESPONSE_TOO_LARGE. */
  readonly response: Response;
}

/** `.json()` got a body that is not JSON, or none at all where one belongs. */
export interface ParseError extends SteadfetchErrorBase {
  readonly code: 'PARSE_ERROR';
  readonly name: 'SyntaxError';
  readonly phase: Phase;
}

/** The response is of the wrong kind: opaque, or refused by the schema (`issues`). */
export interface UnexpectedResponseError extends SteadfetchErrorBase {
  readonly code: 'UNEXPECTED_RESPONSE';
  readonly name: 'SteadfetchError';
}

/** The body passed `maxResponseBytes`; it was cancelled. `limit` is that number. */
export interface ResponseTooLargeError extends SteadfetchErrorBase {
  readonly code: 'RESPONSE_TOO_LARGE';
  readonly name: 'SteadfetchError';
  readonly phase: Phase;
  readonly limit: number;
}

/**
 * The engine could not be loaded, neither as WebAssembly nor as JavaScript. Nothing was sent; the next call tries again. See
 * `steadfetch/inline` and `steadfetch/js`.
 */
export interface LoadFailedError extends SteadfetchErrorBase {
  readonly code: 'LOAD_FAILED';
  readonly name: 'SteadfetchError';
}

/** The engine stopped after an internal fault. Every pending call ends so, and the next call starts a fresh engine. */
export interface EngineDeadError extends SteadfetchErrorBase {
  readonly code: 'ENGINE_DEAD';
  readonly name: 'SteadfetchError';
}

/**
 * A call was answered 401, and the token could not be refreshed; or it waited for that. `cause` is what `refreshToken` threw, or
 * a TimeoutError; `status` and `response` are those of the 401.
 */
export interface AuthRefreshFailedError extends SteadfetchErrorBase {
  readonly code: 'AUTH_REFRESH_FAILED';
  readonly name: 'SteadfetchError';
  /** Whether the session is over, so that the user has to log in again. false for a network error and the like. */
  readonly sessionLost: boolean;
}

/** The error of a policy that this version does not have. */
export interface ReservedError extends SteadfetchErrorBase {
  readonly code: 'JOB_FAILED';
  readonly name: 'SteadfetchError';
}

/**
 * Every error of a shortcut: one of these, told apart by `code`.
 *
 * @example
 * const { error } = await api.get('users/1').result<User>();
 * switch (error?.code) {
 *   case 'HTTP_ERROR': return show(error.status);          // a number here
 *   case 'TIMEOUT': return show(`nothing in ${error.limit} ms`);
 *   case 'NETWORK_ERROR': return show(error.outcome);
 * }
 */
export type SteadfetchError<E = unknown> =
  | InvalidOptionError
  | InvalidRequestError
  | UnsupportedError
  | CallbackError
  | NetworkError
  | TimeoutError
  | DeadlineExceededError
  | QueueTimeoutError
  | QueueFullError
  | CircuitOpenError
  | AbortedError
  | HTTPError<E>
  | ParseError
  | UnexpectedResponseError
  | ResponseTooLargeError
  | LoadFailedError
  | EngineDeadError
  | AuthRefreshFailedError
  | ReservedError;
