// Generated from the tables of core/ by `cargo xtask generate`: change them there.

import type { ErrorCode, Outcome, Phase, RetryStopped } from '../errors.js';
import type { Circuit } from '../protection.js';

// Error codes by number, `error.name` where it is not SteadfetchError, what happened, and what to do next.
export const CODES: readonly (ErrorCode | '')[] = ['', 'INVALID_OPTION', 'INVALID_REQUEST', 'UNSUPPORTED', 'CALLBACK_ERROR', 'NETWORK_ERROR', 'TIMEOUT', 'DEADLINE_EXCEEDED', 'QUEUE_TIMEOUT', 'QUEUE_FULL', 'CIRCUIT_OPEN', 'ABORTED', 'HTTP_ERROR', 'PARSE_ERROR', 'UNEXPECTED_RESPONSE', 'RESPONSE_TOO_LARGE', 'AUTH_REFRESH_FAILED', '', 'LOAD_FAILED', 'ENGINE_DEAD'];
export const ERROR_NAMES: Readonly<Record<number, string>> = { 5: 'NetworkError', 6: 'TimeoutError', 7: 'TimeoutError', 8: 'TimeoutError', 11: 'AbortError', 12: 'HTTPError', 13: 'SyntaxError' };
export const WHAT: readonly string[] = ['', 'invalid option', 'invalid request', 'not supported on this platform', 'a callback failed', 'network error', 'timed out', 'total timeout exceeded', 'timed out waiting in the queue', 'the queue is full', 'the circuit is open', 'aborted', 'the server responded with an error status', 'the body is not valid JSON', 'unexpected response', 'the response body is too large', 'the token refresh failed', '', 'the engine failed to load', 'the engine crashed'];
export const ADVICE: readonly string[] = ['', 'correct the option', 'correct the request', 'use another API or platform', 'see originalError', 'check the connection, the URL and CORS; check outcome before repeating a write', 'raise the limit, or see retry.retryOnTimeout; check outcome before repeating a write', 'raise totalTimeout or request less; check outcome before repeating a write', 'raise queue.timeout or queue.concurrency, or send fewer requests', 'send fewer requests, or raise queue.limit', 'retry after retryAfterMs', 'see cause and outcome', 'see status and data', 'check the server\'s response', 'check the server\'s response', 'raise maxResponseBytes or request less', 'see cause and sessionLost', '', 'see cause, or import steadfetch/inline or steadfetch/js', 'please report this'];
export const INVALID_OPTION = 1;
export const INVALID_REQUEST = 2;
export const UNSUPPORTED = 3;
export const CALLBACK_ERROR = 4;
export const NETWORK_ERROR = 5;
export const TIMEOUT = 6;
export const DEADLINE_EXCEEDED = 7;
export const QUEUE_TIMEOUT = 8;
export const QUEUE_FULL = 9;
export const CIRCUIT_OPEN = 10;
export const ABORTED = 11;
export const HTTP_ERROR = 12;
export const PARSE_ERROR = 13;
export const UNEXPECTED_RESPONSE = 14;
export const RESPONSE_TOO_LARGE = 15;
export const AUTH_REFRESH_FAILED = 16;
export const JOB_FAILED = 17;
export const LOAD_FAILED = 18;
export const ENGINE_DEAD = 19;

// Phases: `error.phase`.
export const PHASES: readonly (Phase | '')[] = ['', 'load', 'auth', 'queue', 'backoff', 'refresh', 'headers', 'body', 'idle', 'lookup', '', '', 'hook'];
export const PHASE_LOAD = 1;
export const PHASE_AUTH = 2;
export const PHASE_QUEUE = 3;
export const PHASE_BACKOFF = 4;
export const PHASE_REFRESH = 5;
export const PHASE_HEADERS = 6;
export const PHASE_BODY = 7;
export const PHASE_IDLE = 8;
export const PHASE_LOOKUP = 9;
export const PHASE_POLL = 10;
export const PHASE_HANDSHAKE = 11;
export const PHASE_HOOK = 12;

// Outcomes: `error.outcome`.
export const OUTCOMES: readonly (Outcome | '')[] = ['', 'not-sent', 'answered', 'unknown'];
export const OUTCOME_NOT_SENT = 1;
export const OUTCOME_ANSWERED = 2;
export const OUTCOME_UNKNOWN = 3;

// Why there was no further retry: `error.retryStopped`.
export const STOPPED: readonly (RetryStopped | '')[] = ['', 'limit', 'method', 'body', 'deadline', 'retry-after', 'circuit', 'budget', 'queue', 'policy', 'pagehide'];
export const STOPPED_LIMIT = 1;
export const STOPPED_METHOD = 2;
export const STOPPED_BODY = 3;
export const STOPPED_DEADLINE = 4;
export const STOPPED_RETRY_AFTER = 5;
export const STOPPED_CIRCUIT = 6;
export const STOPPED_BUDGET = 7;
export const STOPPED_QUEUE = 8;
export const STOPPED_POLICY = 9;
export const STOPPED_PAGEHIDE = 10;

// What a circuit is doing.
export const CIRCUIT_STATES: readonly (Circuit['state'] | '')[] = ['', 'closed', 'open', 'half-open'];

// Methods that the engine knows; any other one is 0.
export const METHODS: readonly string[] = ['', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY', 'POST', 'PATCH'];

// The defaults of the options that the engine asks for, by their places; and those that `api.fetch` has in their place.
export const DEFAULTS: readonly number[] = [10000, Infinity, 10000, 30000, 10, 0, Infinity, 3, 1000, 10000, 60000, 1, 0, 1, 10, 0.1, 0.1, 5, 30000, 2, Infinity, 30000, 20, 1, 100, Infinity, 1000, 5, 0];
export const FETCH_DEFAULTS: Readonly<Record<number, number>> = { 0: Infinity, 2: 60000, 3: 300000 };

// What values an option takes.
export const KIND_LIMIT = 0;
export const KIND_SPAN = 1;
export const KIND_COUNT = 2;
export const KIND_BYTES = 3;
export const KIND_FLAG = 4;
export const KIND_STATUSES = 5;
export const KIND_METHODS = 6;
export const KIND_DELAY = 7;
export const KIND_JITTER = 8;
export const KIND_FUNCTION = 9;
export const KIND_TEXT = 10;
export const KIND_RETRY = 11;
export const KIND_SPECIAL = 12;
export const KIND_GROUP = 13;
export const KIND_POSITIVE = 14;
export const KIND_AMOUNT = 15;
export const KIND_SHARE = 16;

// Where an option may be given.
export const SCOPE_BOTH = 0;
export const SCOPE_CLIENT = 1;
export const SCOPE_CALL = 2;

// Each option: kind, scope, and its place among the numbers of a call, if it has one.
export const OPTIONS: Readonly<Record<string, readonly [kind: number, scope: number, slot?: number]>> = {
  timeout: [0, 0, 0],
  headersTimeout: [0, 0, 1],
  idleTimeout: [0, 0, 2],
  totalTimeout: [0, 0, 3],
  minAttemptTime: [1, 0, 4],
  reserve: [1, 0, 5],
  maxResponseBytes: [3, 0, 6],
  retry: [11, 0],
  'retry.limit': [2, 0, 7],
  'retry.methods': [6, 0],
  'retry.statusCodes': [5, 0],
  'retry.afterStatusCodes': [5, 0],
  'retry.delay': [7, 0, 8],
  'retry.backoffLimit': [0, 0, 9],
  'retry.maxRetryAfter': [1, 0, 10],
  'retry.jitter': [8, 0, 11],
  'retry.retryOnTimeout': [4, 0, 12],
  'retry.waitForOnline': [4, 0, 13],
  'retry.shouldRetry': [9, 0],
  retryBudget: [13, 1],
  'retryBudget.capacity': [15, 1, 14],
  'retryBudget.ratio': [15, 1, 15],
  'retryBudget.perSecond': [15, 1, 16],
  circuitBreaker: [13, 1],
  'circuitBreaker.failureThreshold': [14, 1, 17],
  'circuitBreaker.resetTimeout': [1, 1, 18],
  'circuitBreaker.halfOpenSuccesses': [14, 1, 19],
  'circuitBreaker.failureRate': [16, 1, 20],
  'circuitBreaker.window': [1, 1, 21],
  'circuitBreaker.minimumCalls': [14, 1, 22],
  'circuitBreaker.key': [9, 1],
  queue: [13, 1],
  'queue.concurrency': [14, 1, 23],
  'queue.limit': [2, 1, 24],
  'queue.timeout': [0, 1, 25],
  'queue.perOrigin': [4, 1],
  'queue.key': [9, 1],
  auth: [13, 1],
  'auth.getToken': [9, 1],
  'auth.refreshToken': [9, 1],
  'auth.shouldRefresh': [9, 1],
  'auth.header': [12, 1],
  'auth.scheme': [12, 1],
  'auth.origins': [12, 1],
  'auth.refreshTimeout': [0, 1],
  'auth.expiresAt': [9, 1],
  'auth.refreshBefore': [1, 1],
  'auth.lock': [12, 1],
  'auth.lockName': [10, 1],
  'auth.allowRedirects': [4, 1],
  deadlineHeader: [12, 0],
  fallback: [12, 2],
  idempotent: [12, 2],
  idempotencyKey: [12, 0],
  outcomeLookup: [13, 0],
  'outcomeLookup.url': [9, 0],
  'outcomeLookup.interpret': [9, 0],
  'outcomeLookup.interval': [1, 0, 26],
  'outcomeLookup.limit': [14, 0, 27],
  'outcomeLookup.resendIfNotFound': [4, 0, 28],
  dedupe: [12, 0],
  baseUrl: [12, 1],
  name: [10, 1],
  operation: [10, 2],
  headers: [12, 0],
  searchParams: [12, 0],
  json: [12, 2],
  form: [12, 2],
  throwHttpErrors: [12, 0],
  hooks: [12, 0],
  parseJson: [9, 0],
  stringifyJson: [9, 0],
  init: [12, 0],
  fetch: [9, 0],
  onEvent: [9, 0],
  onDownloadProgress: [9, 0],
  timings: [4, 0],
  redactUrl: [9, 1],
};

// The headers that say how long to wait, first match wins, each with the number of its kind.
export const RETRY_AFTER_HEADERS: readonly (readonly [name: string, source: number])[] = [['retry-after', 0], ['ratelimit-reset', 1], ['x-ratelimit-retry-after', 0], ['x-ratelimit-reset', 1], ['x-rate-limit-reset', 1]];

// The statuses whose Retry-After counts, unless the caller says which.
export const RETRY_AFTER_STATUSES: readonly number[] = [413, 429, 503];

// The system codes of network errors that come before the request.
export const UNSENT_CODES: readonly string[] = ['ECONNREFUSED', 'ConnectionRefused', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_CHAIN_TOO_LONG', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REJECTED', 'CERT_REVOKED', 'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'CRL_HAS_EXPIRED', 'CRL_NOT_YET_VALID', 'CRL_SIGNATURE_FAILURE', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERROR_IN_CERT_NOT_AFTER_FIELD', 'ERROR_IN_CERT_NOT_BEFORE_FIELD', 'ERROR_IN_CRL_LAST_UPDATE_FIELD', 'ERROR_IN_CRL_NEXT_UPDATE_FIELD', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'UNABLE_TO_GET_CRL', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'];

// The version of the package.
export const VERSION = '0.1.0';

// The export by which the module of this version is known.
export const ENGINE = 'v0.1.0';
