//! The closed list of error codes, with the words that both APIs use for them.

/// What kind of failure ended a call: `error.code`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ErrorCode {
    /// An option has the wrong type or is out of range.
    InvalidOption = 1,
    /// The request itself cannot be sent.
    InvalidRequest,
    /// The platform cannot do what was asked.
    Unsupported,
    /// A callback of the caller threw.
    CallbackError,
    /// The platform reported a network error.
    NetworkError,
    /// A limit of one attempt passed.
    Timeout,
    /// The total time for the call passed.
    DeadlineExceeded,
    /// The call waited too long for a slot.
    QueueTimeout,
    /// The queue had no place left.
    QueueFull,
    /// The circuit of this origin is open.
    CircuitOpen,
    /// The caller, or the leaving of the page, cancelled the call.
    Aborted,
    /// The server answered with a status of 400 or above.
    HttpError,
    /// The body is not the JSON it should be.
    ParseError,
    /// The response is not of the kind that was asked for.
    UnexpectedResponse,
    /// The body is larger than `maxResponseBytes`.
    ResponseTooLarge,
    /// The token could not be refreshed.
    AuthRefreshFailed,
    /// A long-running job failed.
    JobFailed,
    /// The engine could not be loaded.
    LoadFailed,
    /// The engine stopped after an internal fault.
    EngineDead,
}

impl ErrorCode {
    /// Every code, in the order of their numbers.
    pub const ALL: [Self; 19] = [
        Self::InvalidOption,
        Self::InvalidRequest,
        Self::Unsupported,
        Self::CallbackError,
        Self::NetworkError,
        Self::Timeout,
        Self::DeadlineExceeded,
        Self::QueueTimeout,
        Self::QueueFull,
        Self::CircuitOpen,
        Self::Aborted,
        Self::HttpError,
        Self::ParseError,
        Self::UnexpectedResponse,
        Self::ResponseTooLarge,
        Self::AuthRefreshFailed,
        Self::JobFailed,
        Self::LoadFailed,
        Self::EngineDead,
    ];

    /// The code with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number.wrapping_sub(1))).copied()
    }

    /// The code as users read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidOption => "INVALID_OPTION",
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::Unsupported => "UNSUPPORTED",
            Self::CallbackError => "CALLBACK_ERROR",
            Self::NetworkError => "NETWORK_ERROR",
            Self::Timeout => "TIMEOUT",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::QueueTimeout => "QUEUE_TIMEOUT",
            Self::QueueFull => "QUEUE_FULL",
            Self::CircuitOpen => "CIRCUIT_OPEN",
            Self::Aborted => "ABORTED",
            Self::HttpError => "HTTP_ERROR",
            Self::ParseError => "PARSE_ERROR",
            Self::UnexpectedResponse => "UNEXPECTED_RESPONSE",
            Self::ResponseTooLarge => "RESPONSE_TOO_LARGE",
            Self::AuthRefreshFailed => "AUTH_REFRESH_FAILED",
            Self::JobFailed => "JOB_FAILED",
            Self::LoadFailed => "LOAD_FAILED",
            Self::EngineDead => "ENGINE_DEAD",
        }
    }

    /// The `name` of the JavaScript error: the platform's own word where it has one.
    #[must_use]
    pub const fn js_name(self) -> &'static str {
        match self {
            Self::Timeout | Self::DeadlineExceeded | Self::QueueTimeout => "TimeoutError",
            Self::Aborted => "AbortError",
            Self::HttpError => "HTTPError",
            Self::NetworkError => "NetworkError",
            Self::ParseError => "SyntaxError",
            _ => "SteadfetchError",
        }
    }

    /// The start of the message: what happened.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::InvalidOption => "invalid option",
            Self::InvalidRequest => "invalid request",
            Self::Unsupported => "not supported on this platform",
            Self::CallbackError => "a callback failed",
            Self::NetworkError => "network error",
            Self::Timeout => "timed out",
            Self::DeadlineExceeded => "total timeout exceeded",
            Self::QueueTimeout => "timed out waiting in the queue",
            Self::QueueFull => "the queue is full",
            Self::CircuitOpen => "the circuit is open",
            Self::Aborted => "aborted",
            Self::HttpError => "the server responded with an error status",
            Self::ParseError => "the body is not valid JSON",
            Self::UnexpectedResponse => "unexpected response",
            Self::ResponseTooLarge => "the response body is too large",
            Self::AuthRefreshFailed => "the token refresh failed",
            Self::JobFailed => "the job failed",
            Self::LoadFailed => "the engine failed to load",
            Self::EngineDead => "the engine crashed",
        }
    }

    /// The end of the message: what to do next.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::InvalidOption => "correct the option",
            Self::InvalidRequest => "correct the request",
            Self::Unsupported => "use another API or platform",
            Self::CallbackError => "see originalError",
            Self::NetworkError => "check the connection, the URL and CORS; check outcome before repeating a write",
            Self::Timeout => "raise the limit, or see retry.retryOnTimeout; check outcome before repeating a write",
            Self::DeadlineExceeded => "raise totalTimeout or request less; check outcome before repeating a write",
            Self::QueueTimeout => "raise queue.timeout or queue.concurrency, or send fewer requests",
            Self::QueueFull => "send fewer requests, or raise queue.limit",
            Self::CircuitOpen => "retry after retryAfterMs",
            Self::Aborted => "see cause and outcome",
            Self::HttpError => "see status and data",
            Self::ParseError => "check the server's response",
            Self::UnexpectedResponse => "check the server's response",
            Self::ResponseTooLarge => "raise maxResponseBytes or request less",
            Self::AuthRefreshFailed => "see cause and sessionLost",
            Self::JobFailed => "see status and data",
            Self::LoadFailed => "see cause, or import steadfetch/inline or steadfetch/js",
            Self::EngineDead => "please report this",
        }
    }

    /// What the code means, for the documentation.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::InvalidOption => "An option has the wrong type, is out of range or is unknown. Nothing was sent.",
            Self::InvalidRequest => {
                "The request can never be sent as it is: bad URL, port, header, method, mode, body or signal. \
                 Nothing was sent."
            }
            Self::Unsupported => "The platform lacks a feature, such as streamed uploads in Firefox. Nothing was sent.",
            Self::CallbackError => "A callback of yours threw, or returned a wrong value.",
            Self::NetworkError => {
                "The platform reported a network error: refused, reset, cut, blocked by CORS or CSP, or a body that \
                 does not match `integrity`. Browsers do not say which; `hint` names a likely cause, and in Node \
                 and Bun `cause.code` the system code."
            }
            Self::Timeout => {
                "`timeout`, `headersTimeout` or `idleTimeout` expired. `phase` says where, `limit` is its value."
            }
            Self::DeadlineExceeded => "`totalTimeout` expired. `phase` says where, `limit` is its value.",
            Self::QueueTimeout => "The call waited longer than `queue.timeout` for a slot. Nothing was sent.",
            Self::QueueFull => "`queue.limit` calls were already waiting. Nothing was sent.",
            Self::CircuitOpen => {
                "The circuit of this origin is open; `retryAfterMs` says for how long. Nothing was sent."
            }
            Self::Aborted => {
                "Your signal, `abortAll()` or `close()` aborted the call, or the page was being left. `cause` is \
                 the signal's reason."
            }
            Self::HttpError => {
                "The server responded with a status of 400 or above. `status`, `response` and `data` have the \
                 details; `data` is the error body, up to 64 KiB, decoded by its charset and parsed if it is JSON."
            }
            Self::ParseError => "`.json()` received a body that is not JSON, or no body where one is required.",
            Self::UnexpectedResponse => "The response is opaque, or the schema rejected it (`issues`).",
            Self::ResponseTooLarge => "The body exceeded `maxResponseBytes` and was cancelled.",
            Self::AuthRefreshFailed => {
                "The server responded 401 and the token refresh failed. `cause` says why, `sessionLost` whether the \
                 user has to log in again."
            }
            Self::JobFailed => "Reserved: no call of this version ends with it.",
            Self::LoadFailed => {
                "The engine failed to load, both as WebAssembly and as JavaScript. Nothing was sent; the next call \
                 tries again."
            }
            Self::EngineDead => {
                "The engine crashed. Every pending call fails with this code, and the next call starts a new \
                 engine."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn numbers_are_places_in_the_list() {
        for (place, code) in ErrorCode::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, place + 1);
            assert_eq!(ErrorCode::from_number(code as u8), Some(code));
        }
        assert_eq!(ErrorCode::from_number(0), None);
    }
}
