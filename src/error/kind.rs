use std::fmt;

use steadfetch_core::error::ErrorCode;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:ident,)*) => {
        /// What kind of failure ended a call. The same closed list as `error.code` of the npm package; [`code`] gives
        /// its words.
        ///
        /// [`code`]: Self::code
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $kind,)*
        }

        impl ErrorKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$kind),*];
        }

        impl ErrorKind {
            /// That of a code of the engine.
            pub(crate) const fn of(code: ErrorCode) -> Self {
                match code {
                    $(ErrorCode::$code => Self::$kind,)*
                }
            }

            /// The code of the engine.
            pub(crate) const fn engine_code(self) -> ErrorCode {
                match self {
                    $(Self::$kind => ErrorCode::$code,)*
                }
            }
        }
    };
}

kinds! {
    /// An option is out of range. Nothing was sent.
    InvalidOption = InvalidOption,
    /// The request can never be sent as it is: bad URL, header, method or body. Nothing was sent.
    InvalidRequest = InvalidRequest,
    /// The platform cannot do it, such as a streamed upload in Firefox, or any call of a client without a
    /// `transport` outside of a browser. Nothing was sent.
    Unsupported = Unsupported,
    /// A callback gave a value that makes no sense.
    Callback = CallbackError,
    /// The platform reported a network error: refused, reset, cut, blocked by CORS or CSP. Browsers do not say which.
    Network = NetworkError,
    /// `timeout`, `headers_timeout` or `idle_timeout` passed; [`phase`](crate::Error::phase) says where.
    Timeout = Timeout,
    /// `total_timeout` passed, that of the call or of its [`Scope`](crate::Scope); [`phase`](crate::Error::phase) says
    /// where.
    DeadlineExceeded = DeadlineExceeded,
    /// The call waited longer than [`Queue::timeout`](crate::Queue::timeout) for a slot.
    QueueTimeout = QueueTimeout,
    /// The queue had no place left. Nothing was sent.
    QueueFull = QueueFull,
    /// The circuit of this origin is open; [`retry_after`](crate::Error::retry_after) says for how long. Nothing was
    /// sent.
    CircuitOpen = CircuitOpen,
    /// The caller's signal, [`Client::abort_all`](crate::Client::abort_all) or [`close`](crate::Client::close), the end of
    /// a [`Scope`](crate::Scope) that fails fast ([`source`](std::error::Error::source) says why), or the leaving of the
    /// page.
    Aborted = Aborted,
    /// The server answered 400 or above; [`status`](crate::Error::status) and [`data`](crate::Error::data) say what.
    Http = HttpError,
    /// The body is not JSON, or there is none where one belongs.
    Parse = ParseError,
    /// The response is of the wrong kind: opaque, or JSON of another shape ([`issues`](crate::Error::issues)).
    UnexpectedResponse = UnexpectedResponse,
    /// The body passed `max_response_bytes`; it was cancelled.
    ResponseTooLarge = ResponseTooLarge,
    /// The 401 stands, because the token could not be refreshed.
    AuthRefreshFailed = AuthRefreshFailed,
    /// The job that was polled reported failure.
    JobFailed = JobFailed,
    /// The engine could not be loaded: of the npm package only.
    LoadFailed = LoadFailed,
    /// The engine stopped after an internal fault.
    EngineDead = EngineDead,
}

impl ErrorKind {
    /// The kind as the word that both APIs use, such as `"TIMEOUT"`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.engine_code().name()
    }
}

impl fmt::Display for ErrorKind {
    /// The word that both APIs use: [`code`](Self::code).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_kind() {
        for code in ErrorCode::ALL {
            assert_eq!(ErrorKind::of(code).engine_code(), code);
        }
        assert_eq!(ErrorKind::Http.code(), "HTTP_ERROR");
    }
}
