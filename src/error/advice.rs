use super::ErrorKind;

impl ErrorKind {
    /// The end of a message: what to do next, in the names of this crate.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::InvalidOption => "correct the option",
            Self::InvalidRequest => "correct the request; it was not retried",
            Self::Unsupported => "use another way, or another platform",
            Self::Callback => "correct the callback; see source()",
            Self::Network => "check the connection, the URL and CORS; check outcome() before repeating a write",
            Self::Timeout => {
                "raise the limit, or see Retry::retry_on_timeout; check outcome() before repeating a write"
            }
            Self::DeadlineExceeded => "raise total_timeout or request less; check outcome() before repeating a write",
            Self::QueueTimeout => "raise the timeout or the concurrency of the Queue, or send fewer requests",
            Self::QueueFull => "send fewer requests, or raise the limit of the Queue",
            Self::CircuitOpen => "wait for retry_after()",
            Self::Aborted => "see source(), and outcome(): cancelling undoes nothing",
            Self::Http => "see status() and data()",
            Self::Parse | Self::UnexpectedResponse => "check what the server sends",
            Self::ResponseTooLarge => "raise max_response_bytes or request less",
            Self::AuthRefreshFailed => "see source() and session_lost()",
            Self::JobFailed => "see status() and data()",
            Self::LoadFailed => "it is of the npm package only",
            Self::EngineDead => "report it, please",
        }
    }
}
