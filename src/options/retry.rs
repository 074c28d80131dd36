use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::options::RetryOptions;
use steadfetch_core::time::Millis;

use super::{Merged, limit, millis};
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
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().limit(4);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No retries: a limit of 0.
    ///
    /// ```
    /// use steadfetch::{Client, Retry};
    ///
    /// let api = Client::builder().retry(Retry::none()).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    #[must_use]
    pub fn none() -> Self {
        Self::new().limit(0)
    }

    /// Retries after the first attempt. Default 3.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().limit(4);
    /// ```
    #[must_use]
    pub fn limit(mut self, retries: u32) -> Self {
        self.limit = Some(retries);
        self
    }

    /// Methods that may be sent again, in any case. Default `GET HEAD OPTIONS PUT DELETE QUERY`.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().methods(["GET", "HEAD"]);
    /// ```
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
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().status_codes([502, 503, 504]);
    /// ```
    #[must_use]
    pub fn status_codes(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        let statuses = self.statuses("retry.status_codes", statuses);
        self.status_codes = Some(statuses);
        self
    }

    /// Those of [`status_codes`](Self::status_codes) whose `Retry-After` counts (RFC 9110, section 10.2.3): the wait is
    /// `Retry-After` plus the jittered backoff. Default 413, 429 and 503.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().after_status_codes([429, 503]);
    /// ```
    #[must_use]
    pub fn after_status_codes(mut self, statuses: impl IntoIterator<Item = u16>) -> Self {
        let statuses = self.statuses("retry.after_status_codes", statuses);
        self.after_status_codes = Some(statuses);
        self
    }

    /// The backoff of the first retry, doubled for each further one. Default 1 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().delay(Duration::from_millis(500));
    /// ```
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = Some(millis(delay));
        self.delay_with = None;
        self
    }

    /// The backoff as a function of the retry's number, from 1.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().delay_with(|retry| Duration::from_millis(100) * retry);
    /// ```
    #[must_use]
    pub fn delay_with(mut self, delay: impl Fn(u32) -> Duration + Send + Sync + 'static) -> Self {
        self.delay_with = Some(Arc::new(delay));
        self
    }

    /// The most that one backoff may wait, 1 ms or more; `None` for no limit. Default 10 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().backoff_limit(Duration::from_secs(5));
    /// ```
    #[must_use]
    pub fn backoff_limit(mut self, most: impl Into<Option<Duration>>) -> Self {
        match limit("retry.backoff_limit", most.into()) {
            Ok(most) => self.backoff_limit = Some(most),
            Err(name) => self.invalid = Some(name),
        }
        self
    }

    /// A server that asks for a longer wait than this gets no retry. `None` for no limit. Default 60 s.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().max_retry_after(Duration::from_secs(10));
    /// ```
    #[must_use]
    pub fn max_retry_after(mut self, most: impl Into<Option<Duration>>) -> Self {
        self.max_retry_after = Some(most.into().map_or(Millis::NONE, millis));
        self
    }

    /// Whether the wait is drawn uniformly from 0 to the backoff (full jitter), or is the whole of it. Default true.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().jitter(false);
    /// ```
    #[must_use]
    pub fn jitter(mut self, jitter: bool) -> Self {
        self.jitter = Some(if jitter { Jitter::Full } else { Jitter::None });
        self.jitter_with = None;
        self
    }

    /// The wait as a function of the backoff, at most [`backoff_limit`](Self::backoff_limit).
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// // Half of it at least.
    /// let retry = Retry::new().jitter_with(|wait| wait.mul_f64(0.75));
    /// ```
    #[must_use]
    pub fn jitter_with(mut self, jitter: impl Fn(Duration) -> Duration + Send + Sync + 'static) -> Self {
        self.jitter = Some(Jitter::Custom);
        self.jitter_with = Some(Arc::new(jitter));
        self
    }

    /// Retry an attempt whose headers did not come in time. Default false.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().retry_on_timeout(true);
    /// ```
    #[must_use]
    pub fn retry_on_timeout(mut self, retry: bool) -> Self {
        self.retry_on_timeout = Some(retry);
        self
    }

    /// While the browser says that it is offline, prolong a retry's wait until it is online, at most by
    /// [`backoff_limit`](Self::backoff_limit) and within the deadline. Default true.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// let retry = Retry::new().wait_for_online(true);
    /// ```
    #[must_use]
    pub fn wait_for_online(mut self, wait: bool) -> Self {
        self.wait_for_online = Some(wait);
        self
    }

    /// Asked for every failure before the headers and every status of 400 or above, with the number of the retry that
    /// it would be: `Some` replaces the rule about the kind of failure, `None` keeps it. Limit, method, body and
    /// deadline always win. [`Error::data`] is the error body, which is collected within the limits first.
    ///
    /// ```
    /// use steadfetch::Retry;
    ///
    /// // A 409 of this API means "try again".
    /// let retry = Retry::new().should_retry(|error, _| (error.status() == Some(409)).then_some(true));
    /// ```
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

    pub(crate) fn invalid(&self) -> Option<&'static str> {
        self.invalid
    }

    /// Puts what is said in force.
    pub(crate) fn apply(&self, merged: &mut Merged) {
        let set = |list: &Option<Vec<u16>>| list.as_ref().map(|list| list.iter().copied().collect());
        merged.statuses.retried = set(&self.status_codes).unwrap_or(merged.statuses.retried);
        merged.statuses.heeded = set(&self.after_status_codes).unwrap_or(merged.statuses.heeded);
        merged.methods = self.methods.clone().or(merged.methods.take());
        merged.should_retry = self.should_retry.clone().or(merged.should_retry.take());
        let options = &mut merged.options.retry;
        // A number and a function are one option.
        if self.delay.is_some() || self.delay_with.is_some() {
            options.delay = self.delay.unwrap_or(RetryOptions::default().delay);
            merged.delay.clone_from(&self.delay_with);
        }
        if let Some(jitter) = self.jitter {
            options.jitter = jitter;
            merged.jitter.clone_from(&self.jitter_with);
        }
        options.limit = self.limit.unwrap_or(options.limit);
        options.backoff_limit = self.backoff_limit.unwrap_or(options.backoff_limit);
        options.max_retry_after = self.max_retry_after.unwrap_or(options.max_retry_after);
        options.retry_on_timeout = self.retry_on_timeout.unwrap_or(options.retry_on_timeout);
        options.wait_for_online = self.wait_for_online.unwrap_or(options.wait_for_online);
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
    use crate::options::Settings;
    use steadfetch_core::status::RetryStatuses;

    /// What is in force when a client and a call say these.
    fn merged(client: Retry, call: Retry) -> Merged {
        let (mut of_client, mut of_call) = (Settings::default(), Settings::default());
        of_client.set_retry(client);
        of_call.set_retry(call);
        of_client.merge(&of_call)
    }

    #[test]
    fn nothing_said_is_the_default() {
        let merged = merged(Retry::new(), Retry::new());
        assert_eq!(merged.options.retry, RetryOptions::default());
        assert_eq!(merged.statuses, RetryStatuses::default());
    }

    #[test]
    fn a_number_replaces_the_limit_only() {
        let client = || Retry::new().status_codes([503]).delay_with(|_| Duration::ZERO);
        let limited = merged(client(), Retry::from(1));
        assert_eq!(limited.options.retry.limit, 1);
        assert!(limited.statuses.retried.contains(503));
        assert!(limited.delay.is_some());
        let delayed = merged(client(), Retry::new().delay(Duration::from_millis(3)));
        assert!(delayed.delay.is_none());
        assert_eq!(delayed.options.retry.delay, Millis(3));
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
        assert_eq!(merged(Retry::new(), Retry::new()).lists("POST"), None);
        assert_eq!(merged(Retry::new(), Retry::new().methods(["post"])).lists("POST"), Some(true));
        assert_eq!(merged(Retry::new().methods(["post"]), Retry::new()).lists("GET"), Some(false));
    }
}
