//! Which kinds of failure are retried at all, before anything else is asked.

use crate::options::RetryOptions;

/// What went wrong with an attempt, as far as the retry policy asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No response headers: the platform reported a network error.
    Network,
    /// The headers did not come in time.
    HeadersTimeout,
    /// An answer with this status.
    Status(u16),
}

/// Whether this class of failure is retried.
///
/// | fault | retried |
/// |---|---|
/// | network error before the headers | always |
/// | timeout before the headers | with `retryOnTimeout` |
/// | a status | if `statusCodes` names it |
#[must_use]
pub fn is_retried(fault: Fault, options: &RetryOptions) -> bool {
    match fault {
        Fault::Network => true,
        Fault::HeadersTimeout => options.retry_on_timeout,
        Fault::Status(status) => options.status_codes.contains(status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::StatusSet;

    #[test]
    fn by_default_only_the_network_is_retried() {
        let options = RetryOptions::default();
        assert!(is_retried(Fault::Network, &options));
        assert!(!is_retried(Fault::HeadersTimeout, &options));
        for status in [401, 408, 429, 500, 502, 503, 504] {
            assert!(!is_retried(Fault::Status(status), &options), "{status}");
        }
    }

    #[test]
    fn statuses_and_timeouts_are_opted_in() {
        let options = RetryOptions {
            retry_on_timeout: true,
            status_codes: StatusSet::EMPTY.with(503),
            ..RetryOptions::default()
        };
        assert!(is_retried(Fault::HeadersTimeout, &options));
        assert!(is_retried(Fault::Status(503), &options));
        assert!(!is_retried(Fault::Status(500), &options));
    }
}
