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
        "One attempt, from dispatch to the end of its body. Error TIMEOUT, phase headers or body.",
    )
    .fetch_default("false"),
    row(
        "headersTimeout",
        Kind::Limit,
        "false",
        Scope::Both,
        Some(1),
        "One attempt, until its response headers. Error TIMEOUT, phase headers.",
    ),
    row(
        "idleTimeout",
        Kind::Limit,
        "10000",
        Scope::Both,
        Some(2),
        "From the headers to the first read of the body, and each pending read. Error TIMEOUT, phase idle.",
    )
    .fetch_default("60000"),
    row(
        "totalTimeout",
        Kind::Limit,
        "30000",
        Scope::Both,
        Some(3),
        "The whole call: loading, attempts, waits, callbacks, body. Error DEADLINE_EXCEEDED, with the phase it was in.",
    )
    .fetch_default("300000"),
    row(
        "minAttemptTime",
        Kind::Span,
        "10",
        Scope::Both,
        Some(4),
        "No attempt starts with less of the total time left.",
    ),
    row("reserve", Kind::Span, "0", Scope::Both, Some(5), "Kept back of the total time from every attempt."),
    row(
        "maxResponseBytes",
        Kind::Bytes,
        "false",
        Scope::Both,
        Some(6),
        "The most bytes a body may have, counted after decompression. Error RESPONSE_TOO_LARGE.",
    ),
    row(
        "retry",
        Kind::Retry,
        "{}",
        Scope::Both,
        None,
        "How failed attempts are repeated. A number replaces `limit` only; false means no retries; objects merge by \
         key.",
    ),
    row("retry.limit", Kind::Count, "3", Scope::Both, Some(7), "Retries after the first attempt."),
    row(
        "retry.methods",
        Kind::Methods,
        "['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY']",
        Scope::Both,
        None,
        "Methods that may be sent again: by default those that RFC 9110, section 9.2.2, calls idempotent.",
    ),
    row(
        "retry.statusCodes",
        Kind::Statuses,
        "[]",
        Scope::Both,
        None,
        "Statuses that are retried, whatever throwHttpErrors says. None unless you opt in, for example [500, 502, 503, 504].",
    ),
    row(
        "retry.afterStatusCodes",
        Kind::Statuses,
        "[413, 429, 503]",
        Scope::Both,
        None,
        "Those of `statusCodes` whose Retry-After counts: the wait is Retry-After plus the jittered backoff.",
    ),
    row(
        "retry.delay",
        Kind::Delay,
        "1000",
        Scope::Both,
        Some(8),
        "Backoff of the first retry, doubled for each further one; or a function of the retry's number (from 1).",
    ),
    row("retry.backoffLimit", Kind::Limit, "10000", Scope::Both, Some(9), "The most that one backoff may wait."),
    row(
        "retry.maxRetryAfter",
        Kind::Span,
        "60000",
        Scope::Both,
        Some(10),
        "A server that asks for a longer wait than this gets no retry; `error.retryAfterMs` says what it asked for.",
    ),
    row(
        "retry.jitter",
        Kind::Jitter,
        "'full'",
        Scope::Both,
        Some(11),
        "How the wait is drawn from the backoff: uniformly from 0 to it (true, 'full'), the whole of it (false, \
         'none'), or what your function makes of it, at most `backoffLimit`.",
    ),
    row(
        "retry.retryOnTimeout",
        Kind::Flag,
        "false",
        Scope::Both,
        Some(12),
        "Retry an attempt whose headers did not come in time.",
    ),
    row(
        "retry.waitForOnline",
        Kind::Flag,
        "true",
        Scope::Both,
        Some(13),
        "While `navigator.onLine` is false, prolong a retry's wait until `online`, at most by `backoffLimit` and \
         within the deadline.",
    ),
    row(
        "retry.shouldRetry",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Asked for every failure before the headers and every status of 400 or above: true or false replaces the rule \
         about the kind of failure, undefined keeps it. `limit`, method, body and deadline always win.",
    ),
    row(
        "retryBudget",
        Kind::Group,
        "{}",
        Scope::Client,
        None,
        "How many retries each origin gets, a share of its traffic: in an outage there are few. A retry that gets none \
         ends its call with `retryStopped: 'budget'`.",
    ),
    row(
        "retryBudget.capacity",
        Kind::Amount,
        "10",
        Scope::Client,
        Some(14),
        "The most retries that are saved up; also what there is at the start.",
    ),
    row("retryBudget.ratio", Kind::Amount, "0.1", Scope::Client, Some(15), "What each first attempt adds."),
    row("retryBudget.perSecond", Kind::Amount, "0.1", Scope::Client, Some(16), "What each second adds."),
    row(
        "circuitBreaker",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "After enough failed calls in a row the calls to an origin fail at once, until a probe succeeds. Error \
         CIRCUIT_OPEN.",
    ),
    row(
        "circuitBreaker.failureThreshold",
        Kind::Positive,
        "5",
        Scope::Client,
        Some(17),
        "Failed calls in a row that open the circuit. A call counts once, by its final result.",
    ),
    row(
        "circuitBreaker.resetTimeout",
        Kind::Span,
        "30000",
        Scope::Client,
        Some(18),
        "How long an open circuit refuses before it lets a probe through.",
    ),
    row(
        "circuitBreaker.halfOpenSuccesses",
        Kind::Positive,
        "2",
        Scope::Client,
        Some(19),
        "Probes in a row, one at a time, that have to succeed to close it.",
    ),
    row(
        "circuitBreaker.failureRate",
        Kind::Share,
        "undefined",
        Scope::Client,
        Some(20),
        "In place of the threshold: the share of failed calls within `window` that opens it.",
    ),
    row(
        "circuitBreaker.window",
        Kind::Span,
        "30000",
        Scope::Client,
        Some(21),
        "For `failureRate`: how far it looks back.",
    ),
    row(
        "circuitBreaker.minimumCalls",
        Kind::Positive,
        "20",
        Scope::Client,
        Some(22),
        "For `failureRate`: fewer calls within `window` than these say nothing.",
    ),
    row(
        "circuitBreaker.key",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "The circuit of a request, as a string, in place of its origin: `({ url, method, headers, operation }) => \
         string`.",
    ),
    row(
        "queue",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "So many attempts at once for each origin, so many calls waiting. Errors QUEUE_FULL and QUEUE_TIMEOUT.",
    ),
    row(
        "queue.concurrency",
        Kind::Positive,
        "required",
        Scope::Client,
        Some(23),
        "Attempts at once, each from its dispatch to the end of its body.",
    ),
    row(
        "queue.limit",
        Kind::Count,
        "100",
        Scope::Client,
        Some(24),
        "Calls that may wait for their first attempt; one more is refused with QUEUE_FULL.",
    ),
    row(
        "queue.timeout",
        Kind::Limit,
        "false",
        Scope::Client,
        Some(25),
        "How long an attempt may wait for a slot. Error QUEUE_TIMEOUT.",
    ),
    row(
        "queue.perOrigin",
        Kind::Flag,
        "true",
        Scope::Client,
        None,
        "`concurrency` and `limit` are for each origin of the request URL; false: for all together.",
    ),
    row(
        "queue.key",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Divides the turns: keys are served one after the other. `({ url, method, headers, operation }) => string`.",
    ),
    row(
        "auth",
        Kind::Group,
        "false",
        Scope::Client,
        None,
        "Sends a token, and after a 401 refreshes it once for everybody. Clients with this very object share it. A call \
         takes false: without it.",
    ),
    row(
        "auth.getToken",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "Gives the token, or null: asked before every send. Without it the session lives in a cookie, or in what \
         `refreshToken` gives.",
    ),
    row(
        "auth.refreshToken",
        Kind::Function,
        "required",
        Scope::Client,
        None,
        "Renews the session: gives the new token, undefined (`getToken` has it), or null (the session is over). If it \
         fails, so do the calls that wait for it: AUTH_REFRESH_FAILED.",
    ),
    row(
        "auth.shouldRefresh",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "In place of the status 401: asked for a clone of each response of 400 or above, whether it calls for a refresh.",
    ),
    special("auth.header", "name of a header", "'Authorization'", Scope::Client, "The header that carries the token."),
    special(
        "auth.scheme",
        "string",
        "'Bearer'",
        Scope::Client,
        "What stands before the token in its header; '': nothing.",
    ),
    special(
        "auth.origins",
        "list of URLs",
        "the origin of baseUrl, else of the page",
        Scope::Client,
        "Where the token may go, and whose 401 counts.",
    ),
    row(
        "auth.refreshTimeout",
        Kind::Limit,
        "10000",
        Scope::Client,
        None,
        "How long `refreshToken`, `getToken`, or the wait for the lock may take.",
    ),
    row(
        "auth.expiresAt",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "When a token expires, in milliseconds since 1970: then it is refreshed before it is sent.",
    ),
    row("auth.refreshBefore", Kind::Span, "30000", Scope::Client, None, "With `expiresAt`: how long before."),
    special(
        "auth.lock",
        "'tab' or 'origin'",
        "'tab'",
        Scope::Client,
        "Who refreshes once: the clients of this page, or all tabs of this origin (Web Locks).",
    ),
    row(
        "auth.lockName",
        Kind::Text,
        "'steadfetch:' and the first of origins",
        Scope::Client,
        None,
        "The name of the lock that the tabs share.",
    ),
    row(
        "auth.allowRedirects",
        Kind::Flag,
        "false",
        Scope::Client,
        None,
        "With another header than Authorization: follow redirects, although browsers send the header along to other \
         origins.",
    ),
    special(
        "deadlineHeader",
        "string or { name, crossOrigin }",
        "undefined",
        Scope::Both,
        "The name of a request header that carries the milliseconds left of the total time, less `reserve`. Other \
         origins get it only with `crossOrigin: true`: it costs them a preflight.",
    ),
    special(
        "fallback",
        "function of the error",
        "undefined",
        Scope::Call,
        "What the readers of a shortcut give in place of an error, except for ABORTED, INVALID_OPTION, \
         INVALID_REQUEST and CALLBACK_ERROR. The promise of the response still rejects. It has what is left of \
         `totalTimeout`, 100 ms at least.",
    ),
    special(
        "idempotent",
        "boolean",
        "undefined",
        Scope::Call,
        "true: this very endpoint may be sent the request twice; false: it may not, whatever its method.",
    ),
    special(
        "baseUrl",
        "string or URL",
        "the page's URL",
        Scope::Client,
        "What relative URLs are resolved against. A missing slash at its end is added. A relative one is resolved against \
         the page; where there is none, its calls are INVALID_REQUEST.",
    ),
    row("name", Kind::Text, "''", Scope::Client, None, "The name of the dependency: `dependency` of its events."),
    row("operation", Kind::Text, "''", Scope::Call, None, "The name of the operation: `operation` of its events."),
    special(
        "headers",
        "HeadersInit with undefined values allowed, or a function that returns it",
        "{}",
        Scope::Both,
        "Request headers. Merged by name; undefined removes one.",
    ),
    special(
        "searchParams",
        "string, object, pairs or URLSearchParams",
        "undefined",
        Scope::Both,
        "Appended to the URL's query, whose text stays as it is. A list repeats its name; null and undefined are left out.",
    ),
    special(
        "json",
        "any JSON value",
        "undefined",
        Scope::Call,
        "The request body, as JSON, with its Content-Type; one in the call's `headers` wins.",
    ),
    special(
        "form",
        "object, pairs or URLSearchParams",
        "undefined",
        Scope::Call,
        "The request body, as application/x-www-form-urlencoded, with its Content-Type; one in the call's `headers` wins.",
    ),
    special(
        "throwHttpErrors",
        "boolean, or a function of the status",
        "true",
        Scope::Both,
        "Whether a status of 400 or above rejects a shortcut with HTTP_ERROR. `api.fetch` resolves, as fetch does. Statuses \
         in `retry.statusCodes` are retried all the same.",
    ),
    special(
        "hooks",
        "{ beforeRequest, beforeRetry, afterResponse, beforeError }, lists of functions",
        "{}",
        Scope::Both,
        "Your code at four moments of a call. Lists append; undefined in place of one removes those of the client.",
    ),
    row(
        "parseJson",
        Kind::Function,
        "JSON.parse",
        Scope::Both,
        None,
        "Reads the text of a JSON body. A SyntaxError that it throws is PARSE_ERROR, anything else CALLBACK_ERROR.",
    ),
    row(
        "stringifyJson",
        Kind::Function,
        "JSON.stringify",
        Scope::Both,
        None,
        "Writes the text of `json`. What it throws, or gives that is no string, is CALLBACK_ERROR.",
    ),
    special(
        "init",
        "object",
        "{}",
        Scope::Both,
        "Further members of fetch's init, by whatever name. Names of options are refused in it.",
    ),
    row(
        "fetch",
        Kind::Function,
        "globalThis.fetch",
        Scope::Both,
        None,
        "Custom fetch implementation, of any library. If it rejects, the call fails with NETWORK_ERROR; if it throws a \
         ReferenceError, SyntaxError or RangeError, or returns no response with a status, with CALLBACK_ERROR.",
    ),
    row(
        "onEvent",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Told what happens: call-start, attempt-start, attempt-end, retry, call-end. It can never fail a call.",
    ),
    row(
        "onDownloadProgress",
        Kind::Function,
        "undefined",
        Scope::Both,
        None,
        "Told of each chunk: { percent, transferredBytes, totalBytes }. It can never fail a call.",
    ),
    row(
        "timings",
        Kind::Flag,
        "false",
        Scope::Both,
        None,
        "attempt-end carries what Resource Timing knows: { stalled, dns, connect, tls, request, response }.",
    ),
    row(
        "redactUrl",
        Kind::Function,
        "undefined",
        Scope::Client,
        None,
        "What events, errors and messages show of an address: given origin and path, it returns a string. If it fails, \
         the origin alone is shown.",
    ),
];

/// How many numbers a call hands over for its options.
pub const SLOTS: usize = 26;

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
    /// How many attempts at once, how many waiting calls.
    pub queue: QueueOptions,
}

/// A number of bytes; `u64::MAX` is no limit.
pub type ByteLimit = u64;

impl Default for Options {
    fn default() -> Self {
        Self::from_slots(&[])
    }
}

/// The defaults, in the order of the slots.
const DEFAULTS: [f64; SLOTS] = [
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
];

impl Options {
    /// Options from the numbers of a call, in the order of the table's slots. NaN: the default; Infinity: no limit.
    /// The values have been validated where the caller gave them.
    #[must_use]
    pub fn from_slots(slots: &[f64]) -> Self {
        // A loop over numbers and one assignment: much smaller than an assignment for each that is given.
        let mut values = DEFAULTS;
        for (value, given) in values.iter_mut().zip(slots) {
            if !given.is_nan() {
                *value = *given;
            }
        }
        let [timeout, headers_timeout, idle_timeout, total_timeout, min_attempt_time, reserve, bytes, rest @ ..] =
            values;
        let [limit, delay, backoff_limit, max_retry_after, jitter, retry_on_timeout, wait_for_online, rest @ ..] = rest;
        let [capacity, ratio, per_second, _guard @ ..] = rest;
        #[cfg(feature = "guard")]
        let [threshold, reset, successes, failure_rate, window, minimum_calls, queue @ ..] = _guard;
        #[cfg(feature = "guard")]
        let [concurrency, queued, queue_timeout] = queue;
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
    fn nan_in_every_slot_gives_the_defaults() {
        assert_eq!(Options::from_slots(&[f64::NAN; SLOTS]), Options::default());
    }

    #[test]
    fn the_defaults_in_words_are_the_defaults() {
        // Reading the table's own words into slots must change nothing.
        let mut slots = [f64::NAN; SLOTS];
        for row in TABLE {
            if let Some(slot) = row.slot {
                slots[usize::from(slot)] = row.number(row.default);
            }
        }
        assert_eq!(Options::from_slots(&slots), Options::default());
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
