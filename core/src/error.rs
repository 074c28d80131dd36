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
            Self::InvalidRequest => "the request cannot be sent",
            Self::Unsupported => "not supported here",
            Self::CallbackError => "a callback threw",
            Self::NetworkError => "network error",
            Self::Timeout => "timed out",
            Self::DeadlineExceeded => "the total time is over",
            Self::QueueTimeout => "waited too long for a slot",
            Self::QueueFull => "the queue is full",
            Self::CircuitOpen => "the circuit is open",
            Self::Aborted => "cancelled",
            Self::HttpError => "the server answered with an error status",
            Self::ParseError => "the body is not valid JSON",
            Self::UnexpectedResponse => "unexpected response",
            Self::ResponseTooLarge => "the body is too large",
            Self::AuthRefreshFailed => "the token could not be refreshed",
            Self::JobFailed => "the job failed",
            Self::LoadFailed => "the engine could not be loaded",
            Self::EngineDead => "the engine stopped after an internal fault",
        }
    }

    /// The end of the message: what to do next.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::InvalidOption => "correct the option",
            Self::InvalidRequest => "correct the request; it was not retried",
            Self::Unsupported => "use another way, or another platform",
            Self::CallbackError => "see originalError",
            Self::NetworkError => "check the connection, the address, and CORS; see outcome before repeating a write",
            Self::Timeout => "raise the limit, or see retry.retryOnTimeout; see outcome before repeating a write",
            Self::DeadlineExceeded => "raise totalTimeout, or ask for less; see outcome before repeating a write",
            Self::QueueTimeout => "raise queue.timeout or queue.concurrency, or send less",
            Self::QueueFull => "send less, or raise queue.limit",
            Self::CircuitOpen => "wait for retryAfterMs",
            Self::Aborted => "see cause, and outcome: cancelling undoes nothing",
            Self::HttpError => "see status and data",
            Self::ParseError => "check what the server sends",
            Self::UnexpectedResponse => "check what the server sends",
            Self::ResponseTooLarge => "raise maxResponseBytes, or ask for less",
            Self::AuthRefreshFailed => "see cause and sessionLost",
            Self::JobFailed => "see status and data",
            Self::LoadFailed => {
                "see cause; serve the scripts of the package, or import steadfetch/inline or steadfetch/js"
            }
            Self::EngineDead => "the next call starts a new one; report it, please",
        }
    }

    /// What the code means, for the documentation.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::InvalidOption => "An option has the wrong type, is out of range or is not known. Nothing was sent.",
            Self::InvalidRequest => {
                "The request can never be sent as it is: bad URL, port, header, method, mode, body or signal. Nothing was \
                 sent."
            }
            Self::Unsupported => "The platform cannot do it, such as a streamed upload in Firefox. Nothing was sent.",
            Self::CallbackError => "A function of yours that returns a value to us threw, or returned a wrong value.",
            Self::NetworkError => {
                "The platform reported a network error: refused, reset, cut, blocked by CORS or CSP, or a body that does not \
                 match `integrity`. Browsers do not say which."
            }
            Self::Timeout => "`timeout`, `headersTimeout` or `idleTimeout` passed; `phase` says where.",
            Self::DeadlineExceeded => "`totalTimeout` passed; `phase` says where.",
            Self::QueueTimeout => "The call waited longer than `queue.timeout` for a slot.",
            Self::QueueFull => "The queue had no place left. Nothing was sent.",
            Self::CircuitOpen => "The circuit breaker of this origin is open. Nothing was sent.",
            Self::Aborted => {
                "Your signal, `abortAll()`, `close()`, or the leaving of the page. `cause` is the signal's reason."
            }
            Self::HttpError => "The server answered 400 or above; `status` and `data` say what.",
            Self::ParseError => "`.json()` got a body that is not JSON, or none at all where one belongs.",
            Self::UnexpectedResponse => "The response is of the wrong kind: opaque, or refused by the schema.",
            Self::ResponseTooLarge => "The body passed `maxResponseBytes`; it was cancelled.",
            Self::AuthRefreshFailed => "The 401 stands, because the token could not be refreshed.",
            Self::JobFailed => "The job that was polled reported failure.",
            Self::LoadFailed => {
                "The engine could not be loaded, neither as WebAssembly nor as JavaScript. Nothing was sent."
            }
            Self::EngineDead => {
                "The engine trapped. Every pending call ends so, and the next call starts a new engine."
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
