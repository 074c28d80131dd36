//! Every option: its name, kind, unit, default, scope, and what it is for.
//!
//! [`TABLE`] is the one source. The JavaScript validator, the option page of the documentation and the order in which
//! numbers cross the wasm border are generated from it.

use crate::backoff::Jitter;
#[cfg(feature = "guard")]
use crate::breaker::BreakerOptions;
use crate::budget::BudgetOptions;
#[cfg(feature = "guard")]
use crate::queue::QueueOptions;
use crate::time::Millis;

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A span in milliseconds, 1 or more; `false` or Infinity: no limit. Fractions above 1 round up.
    Limit = 0,
    /// A span in milliseconds, 0 or more; Infinity: no limit.
    Span,
    /// A whole number from 0 to 4 294 967 295.
    Count,
    /// A number of bytes, 1 or more; `false` or Infinity: no limit.
    Bytes,
    /// true or false.
    Flag,
    /// A list of HTTP statuses, 100 to 599.
    Statuses,
    /// A list of method names, in any case.
    Methods,
    /// A finite number of milliseconds, 0 or more, or a function of the retry's number that returns one.
    Delay,
    /// true, false, 'full', 'none', or a function from and to milliseconds.
    Jitter,
    /// A function.
    Function,
    /// A string.
    Text,
    /// A group of options, a number (its limit) or `false` (a limit of 0).
    Retry,
    /// A value with a check of its own.
    Special,
    /// A group of options, or `false`: without it.
    Group,
    /// A whole number from 1 to 4 294 967 295.
    Positive,
    /// A finite number, 0 or more, fractions and all.
    Amount,
    /// A number above 0, at most 1.
    Share,
}

/// Where an option may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Scope {
    /// `createClient`, `extend` and each call.
    Both = 0,
    /// `createClient` and `extend` only.
    Client,
    /// A call only.
    Call,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name; a group's member has a dot in it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The values in words, where the kind does not say it.
    pub values: &'static str,
    /// The default in words.
    pub default: &'static str,
    /// The default of `api.fetch`, where it is another one: it is handed to libraries that have limits of their own.
    pub fetch_default: Option<&'static str>,
    /// Where it may be given.
    pub scope: Scope,
    /// What it is for.
    pub doc: &'static str,
    /// Its place among the numbers that a call hands to the engine.
    pub slot: Option<u8>,
}

const fn row(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    scope: Scope,
    slot: Option<u8>,
    doc: &'static str,
) -> Row {
    Row { name, kind, values: "", default, fetch_default: None, scope, doc, slot }
}

impl Row {
    const fn values(self, values: &'static str) -> Self {
        Self { values, ..self }
    }

    const fn fetch_default(self, default: &'static str) -> Self {
        Self { fetch_default: Some(default), ..self }
    }

    /// The number that the words of a default stand for; NaN: there is none.
    #[must_use]
    pub fn number(&self, words: &str) -> f64 {
        match words {
            "false" if matches!(self.kind, Kind::Limit | Kind::Bytes) => f64::INFINITY,
            "false" => 0.0,
            "true" | "'full'" | "required" => 1.0,
            number => number.parse().unwrap_or(f64::NAN),
        }
    }
}

const fn special(
    name: &'static str,
    values: &'static str,
    default: &'static str,
    scope: Scope,
    doc: &'static str,
) -> Row {
    Row { name, kind: Kind::Special, values, default, fetch_default: None, scope, doc, slot: None }
}

/// Every option.
pub const TABLE: &[Row] = &[
    row(
        "timeout",
        Kind::Limit,
        "10000",
        Scope::Both,
        Some(0),
        "Limit for one attempt, from dispatch to the end of its body. Fails with TIMEOUT, phase `headers` or `body`.",
    )
    .fetch_default("false"),
    row(
        "headersTimeout",
        Kind::Limit,
        "false",
        Scope::Both,
        Some(1),
        "Limit for one attempt, until the response headers arrive. Fails with TIMEOUT, phase `headers`.",
    ),
    row(
        "idleTimeout",
        Kind::Limit,
        "10000",
        Scope::Both,
        Some(2),
        "Limit for each pending read of the body, and for the time from the headers to the first read. Fails with \
         TIMEOUT, phase `idle`.",
    )
    .fetch_default("60000"),
    row(
        "totalTimeout",
        Kind::Limit,
        "30000",
        Scope::Both,
        Some(3),
        "Deadline for the whole call: loading, queueing, attempts, backoff, callbacks and body. Fails with \
         DEADLINE_EXCEEDED; `error.phase` names the phase at that moment.",
    )
    .fetch_default("300000"),
    row(
        "minAttemptTime",
        Kind::Span,
        "10",
        Scope::Both,
        Some(4),
        "Minimum time that must remain before the deadline for a new attempt to start.",
    ),
    row(
        "reserve",
        Kind::Span,
        "0",
        Scope::Both,
        Some(5),
        "Every attempt must end this long before the deadline. Use it to keep time for your own processing.",
    ),
    row(
        "maxResponseBytes",
        Kind::Bytes,
        "false",
        Scope::Both,
        Some(6),
        "Maximum size of a response body, counted after decompression. Fails with RESPONSE_TOO_LARGE.",
    ),
    row(
        "retry",
        Kind::Retry,
        "{}",
        Scope::Both,
        None,
        "Retry policy. A number sets `limit` only; `false` disables retries. Objects of client and call merge by key.",
    ),
    row("retry.limit", Kind::Count, "3", Scope::Both, Some(7), "Maximum number of retries after the first attempt."),
    row(
        "retry.methods",
        Kind::Methods,
        "['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY']",
        Scope::Both,
        None,
        "Methods that may be retried. The default is the idempotent methods of RFC 9110, section 9.2.2, and QUERY.",
    ),
    row(
        "retry.statusCodes",
        Kind::Statuses,
        "[]",
        Scope::Both,
        None,
        "Response statuses that are retried, regardless of `throwHttpErrors`. Empty unless you opt in, for example \
         `[500, 502, 503, 504]`.",
    ),
    row(
        "retry.afterStatusCodes",
        Kind::Statuses,
        "[413, 429, 503]",
        Scope::Both,
        None,
        "Statuses of `statusCodes` whose Retry-After header is honored: the wait is Retry-After plus the jittered \
         backoff.",
    ),
    row(
        "retry.delay",
        Kind::Delay,
        "1000",
        Scope::Both,
        Some(8),
        "Backoff before the first retry; it doubles with each further one. A function receives the retry's number, \
         from 1.",
    ),
    row("retry.backoffLimit", Kind::Limit, "10000", Scope::Both, Some(9), "Maximum backoff before one retry."),
    row(
        "retry.maxRetryAfter",
        Kind::Span,
        "60000",
        Scope::Both,
        Some(10),
        "If the server asks for a longer wait, the call is not retried; `error.retryAfterMs` has the requested wait.",
    ),
    row(
        "retry.jitter",
        Kind::Jitter,
        "'full'",
        Scope::Both,
        Some(11),
        "How the wait is drawn from the backoff. `true` or `'full'`: uniformly from 0 to the backoff; `false` or \
         `'none'`: the whole backoff; a function maps the backoff to the wait, at most `backoffLimit`.",
    ),
    row(
        "retry.retryOnTimeout",
        Kind::Flag,
        "false",
        Scope::Both,
        Some(12),
        "Also retry an attempt whose headers did not arrive in time.",
    ),
    row(
        "retry.waitForOnline",
        Kind::Flag,
        "true",
        Scope::Both,
        Some(13),
        "While `navigator.onLine` is false, a retry waits for the `online` event, at most `backoffLimit` longer and \
         within the deadline.",
    ),
    row(
        "retry.shouldRetry",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Called for every failure before the headers and for every status of 400 or above. `true` or `false` \
         replaces the rule about the kind of failure, `undefined` keeps it. Limit, method, body and deadline always \
         apply.",
    )
    .values("`({ error, retryCount }) => boolean | undefined`"),
    row(
        "retryBudget",
        Kind::Group,
        "{}",
        Scope::Client,
        None,
        "Limits retries per origin to a share of its traffic, so that an outage does not multiply requests. Without \
         tokens the call ends with `retryStopped: 'budget'`.",
    ),
    row(
        "retryBudget.capacity",
        Kind::Amount,
        "10",
        Scope::Client,
        Some(14),
        "Maximum number of saved tokens, and the number at the start. One retry costs one token.",
    ),
    row("retryBudget.ratio", Kind::Amount, "0.1", Scope::Client, Some(15), "Tokens added by each first attempt."),
    row("retryBudget.perSecond", Kind::Amount, "0.1", Scope::Client, Some(16), "Tokens added per second."),
    row(
        "circuitBreaker",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "After too many failed calls to an origin, calls to it fail at once with CIRCUIT_OPEN until a probe succeeds.",
    ),
    row(
        "circuitBreaker.failureThreshold",
        Kind::Positive,
        "5",
        Scope::Client,
        Some(17),
        "Number of consecutive failed calls that opens the circuit. A call counts once, by its final result.",
    ),
    row(
        "circuitBreaker.resetTimeout",
        Kind::Span,
        "30000",
        Scope::Client,
        Some(18),
        "How long an open circuit rejects calls before it allows a probe.",
    ),
    row(
        "circuitBreaker.halfOpenSuccesses",
        Kind::Positive,
        "2",
        Scope::Client,
        Some(19),
        "Number of consecutive successful probes that closes the circuit. Probes run one at a time and are not \
         retried.",
    ),
    row(
        "circuitBreaker.failureRate",
        Kind::Share,
        "undefined",
        Scope::Client,
        Some(20),
        "Opens the circuit at this share of failed calls within `window`, instead of at `failureThreshold`.",
    ),
    row(
        "circuitBreaker.window",
        Kind::Span,
        "30000",
        Scope::Client,
        Some(21),
        "With `failureRate`: the length of the sliding window.",
    ),
    row(
        "circuitBreaker.minimumCalls",
        Kind::Positive,
        "20",
        Scope::Client,
        Some(22),
        "With `failureRate`: minimum number of calls within `window` before the rate counts.",
    ),
    row(
        "circuitBreaker.key",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Names the circuit of a request. By default each origin has one circuit.",
    )
    .values("`({ url, method, headers, operation }) => string`"),
    row(
        "queue",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "Limits concurrent attempts and queued calls per origin. Fails with QUEUE_FULL or QUEUE_TIMEOUT.",
    ),
    row(
        "queue.concurrency",
        Kind::Positive,
        "required",
        Scope::Client,
        Some(23),
        "Maximum number of concurrent attempts. An attempt holds its slot from dispatch to the end of its body.",
    ),
    row(
        "queue.limit",
        Kind::Count,
        "100",
        Scope::Client,
        Some(24),
        "Maximum number of calls that wait for their first attempt. A further call fails with QUEUE_FULL.",
    ),
    row(
        "queue.timeout",
        Kind::Limit,
        "false",
        Scope::Client,
        Some(25),
        "Limit for the wait for a slot. Fails with QUEUE_TIMEOUT.",
    ),
    row(
        "queue.perOrigin",
        Kind::Flag,
        "true",
        Scope::Client,
        None,
        "`true`: `concurrency` and `limit` apply to each origin; `false`: to all origins together.",
    ),
    row(
        "queue.key",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Fairness key: queued calls with different keys are served round-robin.",
    )
    .values("`({ url, method, headers, operation }) => string`"),
    row(
        "auth",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "Adds a token to each request and refreshes it once after a 401, for all calls. Clients that receive the \
         same object share the token. `false` on a call omits the token.",
    ),
    row(
        "auth.getToken",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Returns the current token, or null. Called before every send. Leave it out if the session lives in a \
         cookie, or if only `refreshToken` provides tokens.",
    )
    .values("`({ signal, fetch }) => string | null`"),
    row(
        "auth.refreshToken",
        Kind::Function,
        "required",
        Scope::Client,
        None,
        "Renews the session. Returns the new token, `undefined` (call `getToken`), or `null` (the session is over). \
         If it fails, the calls that wait for it fail with AUTH_REFRESH_FAILED.",
    )
    .values("`({ signal, fetch }) => string | undefined | null`"),
    row(
        "auth.shouldRefresh",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Decides whether a response of 400 or above requires a refresh. Receives a clone. By default the status 401 \
         does.",
    )
    .values("`(response) => boolean`"),
    special(
        "auth.header",
        "name of a header",
        "'Authorization'",
        Scope::Client,
        "Name of the header that carries the token.",
    ),
    special("auth.scheme", "string", "'Bearer'", Scope::Client, "Prefix of the token in its header; `''` for none."),
    special(
        "auth.origins",
        "URLs",
        "the origin of baseUrl, else of the page",
        Scope::Client,
        "Origins that receive the token, and whose 401 triggers a refresh.",
    ),
    row(
        "auth.refreshTimeout",
        Kind::Limit,
        "10000",
        Scope::Client,
        None,
        "Limit for `refreshToken`, for `getToken`, and for the wait for the lock.",
    ),
    row(
        "auth.expiresAt",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Returns the expiry of a token. The token is refreshed before it expires.",
    )
    .values("`(token) => ms since 1970`"),
    row(
        "auth.refreshBefore",
        Kind::Span,
        "30000",
        Scope::Client,
        None,
        "With `expiresAt`: how long before the expiry the token is refreshed.",
    ),
    special(
        "auth.lock",
        "`'tab'`, `'origin'`",
        "'tab'",
        Scope::Client,
        "`'tab'`: the clients of a page share one refresh. `'origin'`: all tabs of the origin do (Web Locks).",
    ),
    row(
        "auth.lockName",
        Kind::Text,
        "'steadfetch:' and the first of origins",
        Scope::Client,
        None,
        "Name of the lock that the tabs share.",
    ),
    row(
        "auth.allowRedirects",
        Kind::Flag,
        "false",
        Scope::Client,
        None,
        "If `header` is not Authorization: follow redirects. Browsers then send that header to other origins too.",
    ),
    special(
        "deadlineHeader",
        "name, `{ name, crossOrigin }`",
        "undefined",
        Scope::Both,
        "Name of a request header that carries the remaining milliseconds, less `reserve`. Other origins receive it \
         only with `crossOrigin: true`, since it causes a CORS preflight.",
    ),
    special(
        "fallback",
        "`(error) => value`",
        "undefined",
        Scope::Call,
        "Provides a value instead of an error. Not called for ABORTED, INVALID_OPTION, INVALID_REQUEST and \
         CALLBACK_ERROR, and not available on `api.fetch`. Runs within `totalTimeout`, for at least 100 ms.",
    ),
    special(
        "idempotent",
        "boolean",
        "undefined",
        Scope::Call,
        "`true`: the request may be sent twice, whatever its method; `false`: it must not.",
    ),
    special(
        "idempotencyKey",
        "`'auto'`, string, `(request) => string`",
        "undefined",
        Scope::Both,
        "Sends `Idempotency-Key` with POST and PATCH, the same for every attempt, and allows their retries. `'auto'`: \
         128 random bits for each call. A header of that name that the caller sets is sent instead. 409 to a retry \
         means that the write is still running, and is retried.",
    ),
    row(
        "outcomeLookup",
        Kind::Group,
        "undefined",
        Scope::Both,
        None,
        "How to ask the server what became of a write with an idempotency key whose attempt was lost: with outcome \
         `unknown`, before any retry. `false`: not at all. An object replaces that of the client.",
    )
    .values("object, `false`"),
    row("outcomeLookup.url", Kind::Function, "required", Scope::Both, None, "Returns the URL to GET, by the key.")
        .values("`(key) => string`"),
    row(
        "outcomeLookup.interpret",
        Kind::Function,
        "by status",
        Scope::Both,
        None,
        "What a response of that URL says about the write; it receives a clone. By default 2xx means 'done', 202 \
         'pending', 404 'not-found'. 'done': the call resolves with that response. A lookup that fails counts as \
         'pending'.",
    )
    .values("`(response) => 'done' | 'pending' | 'not-found' | 'failed'`"),
    row(
        "outcomeLookup.interval",
        Kind::Span,
        "1000",
        Scope::Both,
        Some(26),
        "Time between two lookups; the first is made at once.",
    ),
    row(
        "outcomeLookup.limit",
        Kind::Positive,
        "5",
        Scope::Both,
        Some(27),
        "Maximum number of lookups for one attempt. After that the call fails with the error of the attempt.",
    ),
    row(
        "outcomeLookup.resendIfNotFound",
        Kind::Flag,
        "false",
        Scope::Both,
        Some(28),
        "After 'not-found': retry the write, by the rules of `retry`. Otherwise it is looked up again, since it may \
         still arrive.",
    ),
    special(
        "dedupe",
        "boolean, `(request) => string | false`",
        "false",
        Scope::Both,
        "Equal GET and HEAD requests that are under way at the same time become one, until its headers have come. Each caller \
         keeps its own signal, limits, reader and error. A function returns a word that stands for the URL and the headers, or \
         `false`. Not for `.stream()`, `api.fetch`, keepalive and `deadlineHeader`.",
    ),
    special(
        "baseUrl",
        "string, URL",
        "the page's URL",
        Scope::Client,
        "Base of relative URLs. Starts with `http://` or `https://`, or is relative to the page. A missing trailing \
         slash is added. Without a page a relative base makes calls fail with INVALID_REQUEST.",
    ),
    row("name", Kind::Text, "''", Scope::Client, None, "Name of the dependency. Events carry it as `dependency`."),
    row("operation", Kind::Text, "''", Scope::Call, None, "Name of the operation. Events carry it as `operation`."),
    special(
        "headers",
        "as fetch, `undefined` values, or a function",
        "{}",
        Scope::Both,
        "Request headers. Client and call merge by name; `undefined` removes a header.",
    ),
    special(
        "searchParams",
        "string, object, pairs, URLSearchParams",
        "undefined",
        Scope::Both,
        "Query parameters, appended to the URL. The URL's own query stays byte for byte. A list repeats its name; \
         null and undefined are left out.",
    ),
    special(
        "json",
        "any JSON value",
        "undefined",
        Scope::Call,
        "JSON request body. Sets Content-Type, unless the call's `headers` do.",
    ),
    special(
        "form",
        "object, pairs, URLSearchParams",
        "undefined",
        Scope::Call,
        "Request body as application/x-www-form-urlencoded. Sets Content-Type, unless the call's `headers` do.",
    ),
    special(
        "throwHttpErrors",
        "boolean, `(status) => boolean`",
        "true",
        Scope::Both,
        "Whether a status of 400 or above rejects a shortcut with HTTP_ERROR. `api.fetch` always resolves. Statuses \
         of `retry.statusCodes` are retried in any case.",
    ),
    special(
        "hooks",
        "`{ beforeRequest, beforeRetry, afterResponse, beforeError }`",
        "{}",
        Scope::Both,
        "Lifecycle hooks, as lists of functions. Hooks of a call run after those of its client; `undefined` removes \
         those of the client.",
    ),
    row(
        "parseJson",
        Kind::Function,
        "JSON.parse",
        Scope::Both,
        None,
        "Parses the text of a JSON body. A SyntaxError fails the call with PARSE_ERROR, any other error with \
         CALLBACK_ERROR.",
    )
    .values("`(text) => value`"),
    row(
        "stringifyJson",
        Kind::Function,
        "JSON.stringify",
        Scope::Both,
        None,
        "Serializes `json`. If it throws or does not return a string, the call fails with CALLBACK_ERROR.",
    )
    .values("`(value) => string`"),
    special(
        "init",
        "object",
        "{}",
        Scope::Both,
        "Further members of fetch's init, under any name. Names of options are refused here.",
    ),
    row(
        "fetch",
        Kind::Function,
        "globalThis.fetch",
        Scope::Both,
        None,
        "Custom fetch implementation. If it rejects, the call fails with NETWORK_ERROR. If it throws a \
         ReferenceError, SyntaxError or RangeError, or returns no response with a status, the call fails with \
         CALLBACK_ERROR.",
    ),
    row(
        "onEvent",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Called for every lifecycle event. An error it throws never fails a call.",
    )
    .values("`(event) => void`"),
    row(
        "onDownloadProgress",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Called after the headers and after each chunk with `{ percent, transferredBytes, totalBytes }`. An error it \
         throws never fails a call.",
    )
    .values("`(progress, chunk) => void`"),
    row(
        "timings",
        Kind::Flag,
        "false",
        Scope::Both,
        None,
        "Adds Resource Timing data to `attempt-end` events: `{ stalled, dns, connect, tls, request, response }`.",
    ),
    row(
        "redactUrl",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Rewrites the URLs in events, errors and messages. Receives origin and path. If it throws, only the origin \
         is shown.",
    )
    .values("`(url) => string`"),
];

/// How many numbers a call hands over for its options.
pub const SLOTS: usize = 29;

/// The retry policy of one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RetryOptions {
    /// Retries after the first attempt.
    pub limit: u32,
    /// Backoff of the first retry.
    pub delay: Millis,
    /// The most that one backoff waits.
    pub backoff_limit: Millis,
    /// The longest wait that a server may ask for.
    pub max_retry_after: Millis,
    /// How a wait is drawn.
    pub jitter: Jitter,
    /// Whether a timeout before the headers is retried.
    pub retry_on_timeout: bool,
    /// Whether a retry waits for the browser to be online.
    pub wait_for_online: bool,
}

impl Default for RetryOptions {
    fn default() -> Self {
        Options::default().retry
    }
}

/// How the outcome of a lost write is looked up.
#[cfg(feature = "guard")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookupOptions {
    /// Between two lookups.
    pub interval: Millis,
    /// Lookups of one attempt.
    pub limit: u32,
    /// Whether a write that the server does not know is sent again.
    pub resend_if_not_found: bool,
}

/// The options of one call, as far as a policy asks for them.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// One attempt, to the end of its body.
    pub timeout: Millis,
    /// One attempt, to its headers.
    pub headers_timeout: Millis,
    /// A body that stands still.
    pub idle_timeout: Millis,
    /// The whole call.
    pub total_timeout: Millis,
    /// Nothing starts with less left.
    pub min_attempt_time: Millis,
    /// Kept back from every attempt.
    pub reserve: Millis,
    /// The most bytes of a body.
    pub max_response_bytes: ByteLimit,
    /// The retry policy.
    pub retry: RetryOptions,
    /// How many retries an origin gets.
    pub budget: BudgetOptions,
    #[cfg(feature = "guard")]
    /// When a circuit opens and closes.
    pub breaker: BreakerOptions,
    #[cfg(feature = "guard")]
    /// How the outcome of a lost write is looked up.
    pub lookup: LookupOptions,
    #[cfg(feature = "guard")]
    /// How many attempts at once, how many waiting calls.
    pub queue: QueueOptions,
}

/// A number of bytes; `u64::MAX` is no limit.
pub type ByteLimit = u64;

impl Default for Options {
    fn default() -> Self {
        Self::from_slots(&DEFAULTS)
    }
}

/// The defaults, in the order of the slots. A driver fills in what its caller has not given.
pub const DEFAULTS: [f64; SLOTS] = [
    10_000.0,
    f64::INFINITY,
    10_000.0,
    30_000.0,
    10.0,
    0.0,
    f64::INFINITY,
    3.0,
    1_000.0,
    10_000.0,
    60_000.0,
    Jitter::Full as u8 as f64,
    0.0,
    1.0,
    10.0,
    0.1,
    0.1,
    5.0,
    30_000.0,
    2.0,
    f64::INFINITY,
    30_000.0,
    20.0,
    1.0,
    100.0,
    f64::INFINITY,
    1_000.0,
    5.0,
    0.0,
];

impl Options {
    /// Options from the numbers of a call, in the order of the table's slots. Infinity: no limit. The values have been
    /// validated where the caller gave them; one that was not given has its default ([`DEFAULTS`]).
    #[must_use]
    pub fn from_slots(slots: &[f64; SLOTS]) -> Self {
        let [timeout, headers_timeout, idle_timeout, total_timeout, min_attempt_time, reserve, bytes, rest @ ..] =
            *slots;
        let [limit, delay, backoff_limit, max_retry_after, jitter, retry_on_timeout, wait_for_online, rest @ ..] = rest;
        let [capacity, ratio, per_second, _guard @ ..] = rest;
        #[cfg(feature = "guard")]
        let [threshold, reset, successes, failure_rate, window, minimum_calls, queue @ ..] = _guard;
        #[cfg(feature = "guard")]
        let [concurrency, queued, queue_timeout, interval, lookups, resend] = queue;
        Self {
            timeout: Millis::from_f64(timeout),
            headers_timeout: Millis::from_f64(headers_timeout),
            idle_timeout: Millis::from_f64(idle_timeout),
            total_timeout: Millis::from_f64(total_timeout),
            min_attempt_time: Millis::from_f64(min_attempt_time),
            reserve: Millis::from_f64(reserve),
            max_response_bytes: Millis::from_f64(bytes).0,
            retry: RetryOptions {
                limit: limit as u32,
                delay: Millis::from_f64(delay),
                backoff_limit: Millis::from_f64(backoff_limit),
                max_retry_after: Millis::from_f64(max_retry_after),
                jitter: match jitter as u32 {
                    0 => Jitter::None,
                    1 => Jitter::Full,
                    _ => Jitter::Custom,
                },
                retry_on_timeout: retry_on_timeout != 0.0,
                wait_for_online: wait_for_online != 0.0,
            },
            budget: BudgetOptions { capacity, ratio, per_second },
            #[cfg(feature = "guard")]
            breaker: BreakerOptions {
                failure_threshold: threshold as u32,
                reset_timeout: Millis::from_f64(reset),
                half_open_successes: successes as u32,
                failure_rate: (failure_rate <= 1.0).then_some(failure_rate),
                window: Millis::from_f64(window),
                minimum_calls: minimum_calls as u32,
            },
            #[cfg(feature = "guard")]
            lookup: LookupOptions {
                interval: Millis::from_f64(interval),
                limit: lookups as u32,
                resend_if_not_found: resend != 0.0,
            },
            #[cfg(feature = "guard")]
            queue: QueueOptions {
                concurrency: concurrency as u32,
                limit: queued as u32,
                timeout: Millis::from_f64(queue_timeout),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_slot_is_taken_once() {
        let slots: BTreeSet<u8> = TABLE.iter().filter_map(|row| row.slot).collect();
        assert_eq!(slots, (0..SLOTS as u8).collect());
        assert_eq!(TABLE.iter().filter(|row| row.slot.is_some()).count(), SLOTS);
    }

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn the_defaults_in_words_are_the_defaults() {
        for row in TABLE {
            let Some(slot) = row.slot else { continue };
            let (number, default) = (row.number(row.default), DEFAULTS[usize::from(slot)]);
            // Not given, a failure rate is one that is never reached.
            assert!(number == default || number.is_nan() && default == f64::INFINITY, "{}", row.name);
        }
    }

    #[test]
    fn a_drop_in_fetch_has_longer_limits_by_default() {
        let limits = TABLE.iter().filter_map(|row| Some((row.name, row.number(row.fetch_default?))));
        let expected = [("timeout", f64::INFINITY), ("idleTimeout", 60_000.0), ("totalTimeout", 300_000.0)];
        assert_eq!(limits.collect::<alloc::vec::Vec<_>>(), expected);
    }

    #[test]
    fn each_slot_reaches_its_option() {
        let slots: [f64; SLOTS] = core::array::from_fn(|slot| slot as f64 + 100.0);
        let options = Options::from_slots(&slots);
        assert_eq!(options.timeout, Millis(100));
        assert_eq!(options.headers_timeout, Millis(101));
        assert_eq!(options.idle_timeout, Millis(102));
        assert_eq!(options.total_timeout, Millis(103));
        assert_eq!(options.min_attempt_time, Millis(104));
        assert_eq!(options.reserve, Millis(105));
        assert_eq!(options.max_response_bytes, 106);
        assert_eq!(options.retry.limit, 107);
        assert_eq!(options.retry.delay, Millis(108));
        assert_eq!(options.retry.backoff_limit, Millis(109));
        assert_eq!(options.retry.max_retry_after, Millis(110));
        assert_eq!(options.retry.jitter, Jitter::Custom);
        assert!(options.retry.retry_on_timeout && options.retry.wait_for_online);
        assert_eq!(options.budget, BudgetOptions { capacity: 114.0, ratio: 115.0, per_second: 116.0 });
        #[cfg(feature = "guard")]
        {
            assert_eq!(options.breaker.failure_threshold, 117);
            assert_eq!(options.breaker.reset_timeout, Millis(118));
            assert_eq!(options.breaker.half_open_successes, 119);
            assert_eq!(options.breaker.failure_rate, None, "a share is at most 1");
            assert_eq!(options.breaker.window, Millis(121));
            assert_eq!(options.breaker.minimum_calls, 122);
            assert_eq!(options.queue, QueueOptions { concurrency: 123, limit: 124, timeout: Millis(125) });
        }
    }
}
