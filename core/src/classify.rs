//! Which kinds of failure are retried at all, before anything else is asked.

use crate::options::RetryOptions;

/// What went wrong with an attempt, as far as the retry policy asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No response headers: the platform reported a network error.
    Network,
    /// The headers did not come in time.
    HeadersTimeout,
    /// An answer with an error status.
    Status {
        /// `retry.statusCodes` names it.
        retried: bool,
        /// `retry.afterStatusCodes` names it.
        heeded: bool,
    },
    /// An answer that a hook takes for a failure, whatever its status.
    Demanded {
        /// The wait that the answer asks for counts.
        heeded: bool,
        /// That is the whole wait.
        exact: bool,
    },
}

/// Whether this class of failure is retried.
///
/// | fault | retried |
/// |---|---|
/// | network error before the headers | always |
/// | timeout before the headers | with `retryOnTimeout` |
/// | a status | if `statusCodes` names it |
/// | an answer that a hook wants retried | always |
#[must_use]
pub fn is_retried(fault: Fault, options: &RetryOptions) -> bool {
    match fault {
        Fault::Network | Fault::Demanded { .. } => true,
        Fault::HeadersTimeout => options.retry_on_timeout,
        Fault::Status { retried, .. } => retried,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_only_the_network_is_retried() {
        let options = RetryOptions::default();
        assert!(is_retried(Fault::Network, &options));
        assert!(!is_retried(Fault::HeadersTimeout, &options));
        assert!(!is_retried(Fault::Status { retried: false, heeded: true }, &options));
    }

    #[test]
    fn statuses_and_timeouts_are_opted_in() {
        let options = RetryOptions { retry_on_timeout: true, ..RetryOptions::default() };
        assert!(is_retried(Fault::HeadersTimeout, &options));
        assert!(is_retried(Fault::Status { retried: true, heeded: false }, &options));
    }
}
