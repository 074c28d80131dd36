use std::fmt;
use std::time::Duration;

/// The limit that a call passed: [`Error::limit`](crate::Error::limit).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// A limit in time.
    Time(Duration),
    /// A limit in bytes: of [`ErrorKind::ResponseTooLarge`](crate::ErrorKind::ResponseTooLarge).
    Bytes(u64),
}

impl fmt::Display for Limit {
    /// `300 ms`, or `8 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(span) => write!(f, "{} ms", span.as_millis()),
            Self::Bytes(bytes) => write!(f, "{bytes} bytes"),
        }
    }
}
