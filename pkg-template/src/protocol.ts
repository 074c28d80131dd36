// Generated from core/src/border.rs by `cargo xtask generate`: change it there. The numbers that cross the border to the engine.

// Places in `OUT`, and how many there are before the actions.
export const OUT_LENGTH = 0;
export const OUT_DEADLINE = 1;
export const OUT_STARTED = 2;
export const OUT_SIZE = 3;

// Actions: the first number of one is its kind and its length, shifted.
export const ACTION_PREPARE = 1;
export const ACTION_SEND = 2;
export const ACTION_ABORT = 3;
export const ACTION_DISCARD = 4;
export const ACTION_ASK = 5;
export const ACTION_RETRY = 6;
export const ACTION_ATTEMPT_END = 7;
export const ACTION_RESPOND = 8;
export const ACTION_COLLECT = 9;
export const ACTION_BEFORE_ERROR = 10;
export const ACTION_PROBE = 11;
export const ACTION_WATCH_ONLINE = 12;
export const ACTION_QUEUED = 13;
export const ACTION_CIRCUIT = 14;
export const ACTION_AUTH = 15;
export const ACTION_ABANDON = 16;
export const ACTION_LOOK_UP = 17;
export const ACTION_SHARE = 18;
export const ACTION_END_WELL = 19;
export const ACTION_END_FAILED = 20;
export type ActionKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;
export const ACTION_KIND = 0;
export const ACTION_ID = 1;
export const ACTION_MASK = 31;
export const ACTION_SHIFT = 5;

// Places in an action, by its kind.
export const PREPARE_ATTEMPT = 2;
export const PREPARE_RESEND = 3;
export const SEND_ATTEMPT = 2;
export const SEND_LEFT = 3;
export const SEND_RESEND = 4;
export const ABORT_ATTEMPT = 2;
export const DISCARD_ATTEMPT = 2;
export const ASK_ATTEMPT = 2;
export const ASK_QUESTION = 3;
export const ASK_VALUE = 4;
export const ASK_FAILURE = 5;
export const RETRY_ATTEMPT = 2;
export const RETRY_WAIT = 3;
export const RETRY_CODE = 4;
export const ATTEMPT_END_ATTEMPT = 2;
export const RESPOND_ATTEMPTS = 2;
export const RESPOND_ELAPSED = 3;
export const RESPOND_STOPPED = 4;
export const BEFORE_ERROR_FAILURE = 2;
export const WATCH_ONLINE_WATCH = 2;
export const QUEUED_ATTEMPT = 2;
export const CIRCUIT_STATE = 2;
export const AUTH_VERB = 2;
export const AUTH_TICKET = 3;
export const ABANDON_FAILURE = 2;
export const LOOK_UP_ATTEMPT = 2;
export const SHARE_ATTEMPT = 2;
export const SHARE_LEFT = 3;
export const SHARE_RESEND = 4;
export const SHARE_WITH = 5;
export const END_FAILED_FAILURE = 2;

// Places in an attempt, and in a failure, behind which its attempts are.
export const ATTEMPT_NUMBER = 0;
export const ATTEMPT_RESEND = 1;
export const ATTEMPT_OUTCOME = 2;
export const ATTEMPT_CODE = 3;
export const ATTEMPT_STATUS = 4;
export const ATTEMPT_PHASE = 5;
export const ATTEMPT_START = 6;
export const ATTEMPT_ELAPSED = 7;
export const ATTEMPT_SIZE = 8;
export const FAILURE_CODE = 0;
export const FAILURE_PHASE = 1;
export const FAILURE_OUTCOME = 2;
export const FAILURE_STOPPED = 3;
export const FAILURE_STATUS = 4;
export const FAILURE_RETRY_AFTER = 5;
export const FAILURE_LIMIT = 6;
export const FAILURE_BYTES = 7;
export const FAILURE_ELAPSED = 8;
export const FAILURE_SESSION_LOST = 9;
export const FAILURE_ATTEMPTS = 10;
export const FAILURE_SIZE = 11;

// What the engine asks a callback.
export const SHOULD_RETRY = 1;
export const DELAY = 2;
export const JITTER = 3;
export type Question = 1 | 2 | 3;

// Events.
export const READY = 1;
export const STOP = 2;
export const REFUSED = 3;
export const FAILED = 4;
export const HOOKING = 5;
export const ANSWER = 6;
export const CALLBACK_FAILED = 7;
export const READING = 8;
export const BODY_END = 9;
export const DROPPED = 10;
export const STREAMING = 11;
export const PROBED = 12;
export const HOOKED = 13;
export const LENGTH = 14;
export const LOOKED_UP = 15;
export const SHARING = 16;
export type EventKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16;

// Flags of `head`.
export const THROW = 1;
export const BODILESS = 2;
export const UNAUTHORIZED = 4;
export const RETRIED = 8;
export const HEEDED = 16;
export const DEMANDED = 32;
export const EXACT = 64;

// Places in `IN`, the flags of a call, and what else a number there means.
export const FACT_STARTED = 0;
export const FACT_METHOD = 1;
export const FACT_FLAGS = 2;
export const FACT_TIMEOUT_GIVEN = 3;
export const FACT_TOTAL_GIVEN = 4;
export const FACT_IDEMPOTENT = 5;
export const FACT_LISTED = 6;
export const FACT_BUDGET = 7;
export const FACT_CIRCUIT = 8;
export const FACT_LANE = 9;
export const FACT_TURN = 10;
export const FACT_PRIORITY = 11;
export const FACT_SCOPE_DEADLINE = 12;
export const FACT_AUTH = 13;
export const FACT_SHARE = 14;
export const FACT_OPTIONS = 15;
export const CALL_REPLAYABLE = 1;
export const CALL_KEEPALIVE = 2;
export const CALL_PREPARE = 4;
export const CALL_SHOULD_RETRY = 8;
export const CALL_DELAY = 16;
export const CALL_BEFORE_ERROR = 32;
export const CALL_OBSERVE = 64;
export const CALL_KEYED = 128;
export const CALL_FETCH = 256;
export const CALL_STREAMS_UPLOAD = 512;
export const CALL_ERROR_DATA = 1024;
export const CALL_LOOKUP = 2048;
export const CHOICE_NOT_GIVEN = 0;
export const CHOICE_TRUE = 1;
export const CHOICE_FALSE = 2;
export const PRIORITIES: readonly string[] = ['', 'high', 'auto', 'low'];

// Places of options among the numbers of a call, and what a number means for `retry.jitter`.
export const TIMEOUT_SLOT = 0;
export const HEADERS_TIMEOUT_SLOT = 1;
export const IDLE_TIMEOUT_SLOT = 2;
export const TOTAL_TIMEOUT_SLOT = 3;
export const MIN_ATTEMPT_TIME_SLOT = 4;
export const RESERVE_SLOT = 5;
export const MAX_RESPONSE_BYTES_SLOT = 6;
export const RETRY_LIMIT_SLOT = 7;
export const RETRY_DELAY_SLOT = 8;
export const RETRY_BACKOFF_LIMIT_SLOT = 9;
export const RETRY_MAX_RETRY_AFTER_SLOT = 10;
export const RETRY_JITTER_SLOT = 11;
export const RETRY_RETRY_ON_TIMEOUT_SLOT = 12;
export const RETRY_WAIT_FOR_ONLINE_SLOT = 13;
export const RETRY_BUDGET_CAPACITY_SLOT = 14;
export const RETRY_BUDGET_RATIO_SLOT = 15;
export const RETRY_BUDGET_PER_SECOND_SLOT = 16;
export const CIRCUIT_BREAKER_FAILURE_THRESHOLD_SLOT = 17;
export const CIRCUIT_BREAKER_RESET_TIMEOUT_SLOT = 18;
export const CIRCUIT_BREAKER_HALF_OPEN_SUCCESSES_SLOT = 19;
export const CIRCUIT_BREAKER_FAILURE_RATE_SLOT = 20;
export const CIRCUIT_BREAKER_WINDOW_SLOT = 21;
export const CIRCUIT_BREAKER_MINIMUM_CALLS_SLOT = 22;
export const QUEUE_CONCURRENCY_SLOT = 23;
export const QUEUE_LIMIT_SLOT = 24;
export const QUEUE_TIMEOUT_SLOT = 25;
export const OUTCOME_LOOKUP_INTERVAL_SLOT = 26;
export const OUTCOME_LOOKUP_LIMIT_SLOT = 27;
export const OUTCOME_LOOKUP_RESEND_IF_NOT_FOUND_SLOT = 28;
export const JITTER_NONE = 0;
export const JITTER_FULL = 1;
export const JITTER_CUSTOM = 2;

// What is to be done for an `auth` object, and what is reported about it.
export const VERB_ADOPT = 1;
export const VERB_ABORT = 2;
export const VERB_UNLOCK = 3;
export const VERB_ASK_TOKEN = 4;
export const VERB_LOCK = 5;
export const VERB_STEAL = 6;
export const VERB_CALL_REFRESH = 7;
export type Verb = 1 | 2 | 3 | 4 | 5 | 6 | 7;
export const AUTH_TOKEN = 1;
export const AUTH_REFRESHED = 2;
export const AUTH_RENEWED = 3;
export const AUTH_FAILED = 4;
export const AUTH_LOCKED = 5;
export const AUTH_NO_LOCK = 6;
export const AUTH_LOST = 7;
export type AuthEventKind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

// Places in what `circuit` gives.
export const CIRCUIT_VIEW_STATE = 0;
export const CIRCUIT_VIEW_FAILURES = 1;
export const CIRCUIT_VIEW_RETRY_AFTER = 2;
export const CIRCUIT_VIEW_SIZE = 3;
