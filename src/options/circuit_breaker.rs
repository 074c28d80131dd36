use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::breaker::BreakerOptions;

use super::{Key, millis};
use crate::request_info::RequestInfo;

/// After enough failed calls in a row the calls to an origin fail at once, until a probe shows that it is back.
///
/// A call counts once, by its final result: network errors, timeouts and statuses of 500 or above are failures; a
/// cancelled call, a mistake of the caller, 429 and opaque answers count neither way. An open circuit refuses with
/// [`CircuitOpen`](crate::ErrorKind::CircuitOpen), and [`Error::retry_after`](crate::Error::retry_after) says for how long;
/// then it lets one probe at a time through, without retries.
///
/// Defaults: 5 failed calls in a row open it for 30 s, 2 probes that succeed close it.
///
/// ```
/// use std::time::Duration;
/// use steadfetch::{CircuitBreaker, Client};
///
/// let api = Client::builder()
///     .base_url("https://api.example.test/")
///     .circuit_breaker(CircuitBreaker::new().failure_threshold(3).reset_timeout(Duration::from_secs(10)))
///     .build()?;
/// # Ok::<(), steadfetch::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct CircuitBreaker {
    failure_threshold: u32,
    reset_timeout: Duration,
    half_open_successes: u32,
    failure_rate: Option<f64>,
    window: Duration,
    minimum_calls: u32,
    key: Option<Key>,
}

impl CircuitBreaker {
    /// The defaults.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new();
    /// ```
    pub const fn new() -> Self {
        Self {
            failure_threshold: 5,
            reset_timeout: Duration::from_secs(30),
            half_open_successes: 2,
            failure_rate: None,
            window: Duration::from_secs(30),
            minimum_calls: 20,
            key: None,
        }
    }

    /// Failed calls in a row that open the circuit, 1 or more. Default 5.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().failure_threshold(3);
    /// ```
    pub const fn failure_threshold(mut self, calls: u32) -> Self {
        self.failure_threshold = calls;
        self
    }

    /// How long an open circuit refuses before it lets a probe through. Default 30 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().reset_timeout(Duration::from_secs(10));
    /// ```
    pub const fn reset_timeout(mut self, span: Duration) -> Self {
        self.reset_timeout = span;
        self
    }

    /// Probes in a row, one at a time, that have to succeed to close it, 1 or more. Default 2.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().half_open_successes(1);
    /// ```
    pub const fn half_open_successes(mut self, probes: u32) -> Self {
        self.half_open_successes = probes;
        self
    }

    /// In place of the threshold: the share of failed calls within [`window`](Self::window) that opens it, above 0, at
    /// most 1. Default none.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().failure_rate(0.5).minimum_calls(10);
    /// ```
    pub const fn failure_rate(mut self, share: f64) -> Self {
        self.failure_rate = Some(share);
        self
    }

    /// For [`failure_rate`](Self::failure_rate): how far it looks back. Default 30 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().failure_rate(0.5).window(Duration::from_secs(60));
    /// ```
    pub const fn window(mut self, span: Duration) -> Self {
        self.window = span;
        self
    }

    /// For [`failure_rate`](Self::failure_rate): fewer calls within the window than these say nothing, 1 or more. Default
    /// 20.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().failure_rate(0.5).minimum_calls(10);
    /// ```
    pub const fn minimum_calls(mut self, calls: u32) -> Self {
        self.minimum_calls = calls;
        self
    }

    /// The circuit of a request, in place of its origin. It is shown as it is by events and
    /// [`Client::circuits`](crate::Client::circuits): make it of nothing secret.
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    ///
    /// let breaker = CircuitBreaker::new().key(|request| request.operation().to_owned());
    /// ```
    pub fn key(mut self, key: impl Fn(&RequestInfo<'_>) -> String + Send + Sync + 'static) -> Self {
        self.key = Some(Arc::new(key));
        self
    }

    /// The name of an option with a wrong value.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        if self.failure_threshold == 0 {
            return Some("circuit_breaker.failure_threshold");
        }
        if self.half_open_successes == 0 {
            return Some("circuit_breaker.half_open_successes");
        }
        if self.failure_rate.is_some_and(|share| !(share > 0.0 && share <= 1.0)) {
            return Some("circuit_breaker.failure_rate");
        }
        (self.minimum_calls == 0).then_some("circuit_breaker.minimum_calls")
    }

    pub(crate) fn options(&self) -> BreakerOptions {
        BreakerOptions {
            failure_threshold: self.failure_threshold,
            reset_timeout: millis(self.reset_timeout),
            half_open_successes: self.half_open_successes,
            failure_rate: self.failure_rate,
            window: millis(self.window),
            minimum_calls: self.minimum_calls,
        }
    }

    /// The circuit of the request, if it is not that of its origin.
    pub(crate) fn circuit(&self, request: &RequestInfo<'_>) -> Option<String> {
        self.key.as_ref().map(|key| key(request))
    }
}

impl Default for CircuitBreaker {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for CircuitBreaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CircuitBreaker").field("failure_threshold", &self.failure_threshold).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        assert_eq!(CircuitBreaker::new().options(), BreakerOptions::default());
    }

    #[test]
    fn wrong_values_are_named() {
        let name = |breaker: CircuitBreaker| breaker.invalid();
        let new = CircuitBreaker::new;
        assert_eq!(name(new().failure_threshold(0)), Some("circuit_breaker.failure_threshold"));
        assert_eq!(name(new().half_open_successes(0)), Some("circuit_breaker.half_open_successes"));
        assert_eq!(name(new().minimum_calls(0)), Some("circuit_breaker.minimum_calls"));
        for share in [0.0, -0.5, 1.01, f64::NAN, f64::INFINITY] {
            assert_eq!(name(new().failure_rate(share)), Some("circuit_breaker.failure_rate"), "{share}");
        }
        assert_eq!(name(new().failure_rate(1.0).reset_timeout(Duration::ZERO)), None);
    }
}
