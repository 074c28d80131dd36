use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::options::RetryOptions;
use steadfetch_core::status::RetryStatuses;
use steadfetch_core::time::Millis;

use super::{limit, millis};
use crate::error::Error;

pub(crate) type ShouldRetry = Arc<dyn Fn(&Error, u32) -> Option<bool> + Send + Sync>;
pub(crate) type Delay = Arc<dyn Fn(u32) -> Duration + Send + Sync>;
pub(crate) type JitterWith = Arc<dyn Fn(Duration) -> Duration + Send + Sync>;

/// How failed attempts are repeated.
///
/// What a call says replaces what its client says key by key; what neither says keeps its default. A bare number is a
/// [`limit`](Self::limit).
///
/// Defaults: 3 retries, of network errors before the headers only, of the methods that RFC 9110, section 9.2.2, calls
/// idempotent; waits drawn uniformly from 0 to `min(10 s, 1 s * 2^(n-1))`.
///
/// ```
/// use std::time::Duration;
/// use steadfetch::{Client, Retry};
///
/// let api = Client::builder()
///     .base_url("https://api.example.test/")
///     .retry(Retry::new().limit(5).status_codes([500, 502, 503, 504]).delay(Duration::from_millis(200)))
///     .build()?;
/// let once = api.get("health").retry(0);
/// # Ok::<(), steadfetch::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Retry {
    limit: Option<u32>,
    methods: Option<Vec<String>>,
    status_codes: Option<Vec<u16>>,
    after_status_codes: Option<Vec<u16>>,
    delay: Option<Millis>,
    delay_with: Option<Delay>,
    backoff_limit: Option<Millis>,
    max_retry_after: Option<Millis>,
    jitter: Option<Jitter>,
    jitter_with: Option<JitterWith>,
    retry_on_timeout: Option<bool>,
    wait_for_online: Option<bool>,
    should_retry: Option<ShouldRetry>,
    invalid: Option<&'static str>,
}

impl Retry {
    /// Nothing said yet: everything as the client, or the default, has it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No retries: a limit of 0.
    #[must_use]
    pub fn none() -> Self {
        Self::new().limit(0)
    }

    /// Retries after the first attempt. Default 3.
    #[must_use]
    pub fn limit(mut self, retries: u32) -> Self {
        self.limit = Some(retries);
        self
    }

    /// Methods that may be sent again, in any case. Default `GET HEAD OPTIONS PUT DELETE QUERY`.
    #[must_use]
    pub fn methods<M: Into<String>>(mut self, methods: impl IntoIterator<Item = M>) -> Self {
        let methods: Vec<String> = methods.into_iter().map(Into::into).collect();
        if methods.iter().any(String::is_empty) {
            self.invalid = Some("retry.methods");
        }
        self.methods = Some(methods);
        self
    }

    /// Statuses that are retried, 100 to 599, whatever `throw_http_errors` says. Default none; for example
    /// `[500, 502, 503, 504]`.
    #[must_use]
    pub fn status_codes(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        let statuses = self.statuses("retry.status_codes", statuses);
        self.status_codes = Some(statuses);
        self
    }

    /// Those of [`status_codes`](Self::status_codes) whose `Retry-After` counts (RFC 9110, section 10.2.3): the wait is
    /// `Retry-After` plus the jittered backoff. Default 413, 429 and 503.
    #[must_use]
    pub fn after_status_codes(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        let statuses = self.statuses("retry.after_status_codes", statuses);
        self.after_status_codes = Some(statuses);
        self
    }

    /// The backoff of the first retry, doubled for each further one. Default 1 s.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = Some(millis(delay));
        self.delay_with = None;
        self
    }

    /// The backoff as a function of the retry's number, from 1.
    #[must_use]
    pub fn delay_with(mut self, delay: impl Fn(u32) -> Duration + Send + Sync + 'static) -> Self {
        self.delay_with = Some(Arc::new(delay));
        self
    }

    /// The most that one backoff may wait, 1 ms or more; `None` for no limit. Default 10 s.
    #[must_use]
    pub fn backoff_limit(mut self, most: impl Into<Option<Duration>>) -> Self {
        match limit("retry.backoff_limit", most.into()) {
            Ok(most) => self.backoff_limit = Some(most),
            Err(name) => self.invalid = Some(name),
        }
        self
    }

    /// A server that asks for a longer wait than this gets no retry. `None` for no limit. Default 60 s.
    #[must_use]
    pub fn max_retry_after(mut self, most: impl Into<Option<Duration>>) -> Self {
        self.max_retry_after = Some(most.into().map_or(Millis::NONE, millis));
        self
    }

    /// Whether the wait is drawn uniformly from 0 to the backoff (full jitter), or is the whole of it. Default true.
    #[must_use]
    pub fn jitter(mut self, jitter: bool) -> Self {
        self.jitter = Some(if jitter { Jitter::Full } else { Jitter::None });
        self.jitter_with = None;
        self
    }

    /// The wait as a function of the backoff, at most [`backoff_limit`](Self::backoff_limit).
    #[must_use]
    pub fn jitter_with(mut self, jitter: impl Fn(Duration) -> Duration + Send + Sync + 'static) -> Self {
        self.jitter = Some(Jitter::Custom);
        self.jitter_with = Some(Arc::new(jitter));
        self
    }

    /// Retry an attempt whose headers did not come in time. Default false.
    #[must_use]
    pub fn retry_on_timeout(mut self, retry: bool) -> Self {
        self.retry_on_timeout = Some(retry);
        self
    }

    /// While the browser says that it is offline, prolong a retry's wait until it is online, at most by
    /// [`backoff_limit`](Self::backoff_limit) and within the deadline. Default true.
    #[must_use]
    pub fn wait_for_online(mut self, wait: bool) -> Self {
        self.wait_for_online = Some(wait);
        self
    }

    /// Asked for every failure before the headers and every status of 400 or above, with the number of the retry that
    /// it would be: `Some` replaces the rule about the kind of failure, `None` keeps it. Limit, method, body and
    /// deadline always win. [`Error::data`] is the error body, which is collected within the limits first.
    #[must_use]
    pub fn should_retry(mut self, ask: impl Fn(&Error, u32) -> Option<bool> + Send + Sync + 'static) -> Self {
        self.should_retry = Some(Arc::new(ask));
        self
    }

    fn statuses(&mut self, name: &'static str, statuses: impl IntoIterator<Item = u16>) -> Vec<u16> {
        let statuses: Vec<u16> = statuses.into_iter().collect();
        if !statuses.iter().all(|status| (100..=599).contains(status)) {
            self.invalid = Some(name);
        }
        statuses
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        fn take<T: Clone>(to: &mut Option<T>, from: &Option<T>) {
            if from.is_some() {
                to.clone_from(from);
            }
        }
        take(&mut self.limit, &other.limit);
        take(&mut self.methods, &other.methods);
        take(&mut self.status_codes, &other.status_codes);
        take(&mut self.after_status_codes, &other.after_status_codes);
        // A number and a function are one option.
        if other.delay.is_some() || other.delay_with.is_some() {
            self.delay = other.delay;
            self.delay_with.clone_from(&other.delay_with);
        }
        take(&mut self.backoff_limit, &other.backoff_limit);
        take(&mut self.max_retry_after, &other.max_retry_after);
        if other.jitter.is_some() {
            self.jitter = other.jitter;
            self.jitter_with.clone_from(&other.jitter_with);
        }
        take(&mut self.retry_on_timeout, &other.retry_on_timeout);
        take(&mut self.wait_for_online, &other.wait_for_online);
        take(&mut self.should_retry, &other.should_retry);
        take(&mut self.invalid, &other.invalid);
    }

    pub(crate) fn invalid(&self) -> Option<&'static str> {
        self.invalid
    }

    /// Whether `methods`, if given, names this method.
    pub(crate) fn lists(&self, method: &str) -> Option<bool> {
        self.methods.as_ref().map(|listed| listed.iter().any(|known| known.eq_ignore_ascii_case(method)))
    }

    pub(crate) fn callbacks(&self) -> (Option<ShouldRetry>, Option<Delay>, Option<JitterWith>) {
        (self.should_retry.clone(), self.delay_with.clone(), self.jitter_with.clone())
    }

    pub(crate) fn options(&self) -> RetryOptions {
        let default = RetryOptions::default();
        RetryOptions {
            limit: self.limit.unwrap_or(default.limit),
            delay: self.delay.unwrap_or(default.delay),
            backoff_limit: self.backoff_limit.unwrap_or(default.backoff_limit),
            max_retry_after: self.max_retry_after.unwrap_or(default.max_retry_after),
            jitter: self.jitter.unwrap_or(default.jitter),
            retry_on_timeout: self.retry_on_timeout.unwrap_or(default.retry_on_timeout),
            wait_for_online: self.wait_for_online.unwrap_or(default.wait_for_online),
        }
    }

    /// Which statuses are retried, and after which wait.
    pub(crate) fn statuses_in_force(&self) -> RetryStatuses {
        let default = RetryStatuses::default();
        let set = |list: &Option<Vec<u16>>| list.iter().flatten().copied().collect();
        RetryStatuses {
            retried: set(&self.status_codes),
            heeded: if self.after_status_codes.is_some() { set(&self.after_status_codes) } else { default.heeded },
        }
    }
}

impl From<u32> for Retry {
    /// A limit.
    fn from(limit: u32) -> Self {
        Self::new().limit(limit)
    }
}

impl fmt::Debug for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry").field("limit", &self.limit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        assert_eq!(Retry::new().options(), RetryOptions::default());
        assert_eq!(Retry::new().statuses_in_force(), RetryStatuses::default());
    }

    #[test]
    fn a_number_replaces_the_limit_only() {
        let mut retry = Retry::new().status_codes([503]).delay_with(|_| Duration::ZERO);
        retry.merge(&Retry::from(1));
        assert_eq!(retry.options().limit, 1);
        assert!(retry.statuses_in_force().retried.contains(503));
        assert!(retry.callbacks().1.is_some());
        retry.merge(&Retry::new().delay(Duration::from_millis(3)));
        assert!(retry.callbacks().1.is_none());
        assert_eq!(retry.options().delay, Millis(3));
    }

    #[test]
    fn wrong_values_are_kept_for_the_report() {
        assert_eq!(Retry::new().status_codes([600]).invalid(), Some("retry.status_codes"));
        assert_eq!(Retry::new().backoff_limit(Duration::ZERO).invalid(), Some("retry.backoff_limit"));
        assert_eq!(Retry::new().backoff_limit(None).invalid(), None);
        assert_eq!(Retry::new().methods([""]).invalid(), Some("retry.methods"));
    }

    #[test]
    fn methods_are_named_in_any_case() {
        assert_eq!(Retry::new().lists("POST"), None);
        assert_eq!(Retry::new().methods(["post"]).lists("POST"), Some(true));
        assert_eq!(Retry::new().methods(["post"]).lists("GET"), Some(false));
    }
}
