//! Why there was no further retry.

/// The rule that ended the retries of a failed call: `error.retryStopped`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RetryStopped {
    /// `retry.limit` was used up.
    Limit = 1,
    /// The method is not idempotent, and nothing lifted the gate.
    Method,
    /// The request body cannot be sent again.
    Body,
    /// The wait, or the attempt after it, does not fit the total deadline.
    Deadline,
    /// The server asked for a longer wait than `retry.maxRetryAfter`.
    RetryAfter,
    /// The circuit was open.
    Circuit,
    /// The retry budget was empty.
    Budget,
    /// The queue refused the retry, or it waited there too long.
    Queue,
    /// This kind of failure is not retried, `retry.shouldRetry` said no, or the page's CSP forbids the request.
    Policy,
    /// The page was being left.
    Pagehide,
}

crate::words::display!(RetryStopped);

impl RetryStopped {
    /// Every reason, in the order of their numbers.
    pub const ALL: &[Self] = &[
        Self::Limit,
        Self::Method,
        Self::Body,
        Self::Deadline,
        Self::RetryAfter,
        Self::Circuit,
        Self::Budget,
        Self::Queue,
        Self::Policy,
        Self::Pagehide,
    ];

    /// The reason with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number.wrapping_sub(1))).copied()
    }

    /// The word used in errors and events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Method => "method",
            Self::Body => "body",
            Self::Deadline => "deadline",
            Self::RetryAfter => "retry-after",
            Self::Circuit => "circuit",
            Self::Budget => "budget",
            Self::Queue => "queue",
            Self::Policy => "policy",
            Self::Pagehide => "pagehide",
        }
    }
}
