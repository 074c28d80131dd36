use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::queue::QueueOptions;
use steadfetch_core::time::Millis;

use super::{Key, limit};
use crate::request_info::RequestInfo;

/// So many attempts at once for each origin, so many calls waiting for their turn, and no more.
///
/// A slot is held from the dispatch of an attempt to the end of its body, not during a backoff. Retries go before first
/// attempts, then [`priority`](crate::RequestBuilder::priority) decides; who has waited 2 s moves one priority up. A call
/// that cannot wait ends with [`QueueFull`](crate::ErrorKind::QueueFull), one that waits too long with
/// [`QueueTimeout`](crate::ErrorKind::QueueTimeout).
///
/// Defaults: up to 100 calls wait, for as long as their total time lasts.
///
/// ```
/// use std::time::Duration;
/// use steadfetch::{Client, Queue};
///
/// let api = Client::builder()
///     .base_url("https://api.example.test/")
///     .queue(Queue::new(6).limit(50).timeout(Duration::from_secs(5)))
///     .build()?;
/// # Ok::<(), steadfetch::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Queue {
    concurrency: u32,
    limit: u32,
    timeout: Option<Duration>,
    per_origin: bool,
    key: Option<Key>,
}

impl Queue {
    /// So many attempts at once, 1 or more.
    ///
    /// ```
    /// use steadfetch::Queue;
    ///
    /// let queue = Queue::new(6);
    /// ```
    pub const fn new(concurrency: u32) -> Self {
        Self { concurrency, limit: 100, timeout: None, per_origin: true, key: None }
    }

    /// Calls that may wait for their first attempt, 0 or more. Default 100.
    ///
    /// One more is refused at once: error [`QueueFull`](crate::ErrorKind::QueueFull).
    ///
    /// ```
    /// use steadfetch::Queue;
    ///
    /// let queue = Queue::new(6).limit(50);
    /// ```
    pub const fn limit(mut self, calls: u32) -> Self {
        self.limit = calls;
        self
    }

    /// How long an attempt may wait for a slot: 1 ms or more, `None` for no limit. Default no limit.
    ///
    /// Error [`QueueTimeout`](crate::ErrorKind::QueueTimeout).
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Queue;
    ///
    /// let queue = Queue::new(6).timeout(Duration::from_secs(2));
    /// ```
    pub fn timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.timeout = limit.into();
        self
    }

    /// Whether the numbers are for each origin of the request URL, or for all together. Default true.
    ///
    /// ```
    /// use steadfetch::Queue;
    ///
    /// let queue = Queue::new(6).per_origin(false);
    /// ```
    pub const fn per_origin(mut self, each: bool) -> Self {
        self.per_origin = each;
        self
    }

    /// Divides the turns: keys are served one after the other, so that none keeps the others waiting. Default one key
    /// for all.
    ///
    /// ```
    /// use steadfetch::Queue;
    ///
    /// let queue = Queue::new(6).key(|request| request.operation().to_owned());
    /// ```
    pub fn key(mut self, key: impl Fn(&RequestInfo<'_>) -> String + Send + Sync + 'static) -> Self {
        self.key = Some(Arc::new(key));
        self
    }

    /// The name of an option with a wrong value.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        if self.concurrency == 0 {
            return Some("queue.concurrency");
        }
        limit("queue.timeout", self.timeout).err()
    }

    pub(crate) fn options(&self) -> QueueOptions {
        QueueOptions {
            concurrency: self.concurrency,
            limit: self.limit,
            timeout: limit("", self.timeout).unwrap_or(Millis::NONE),
        }
    }

    pub(crate) fn is_per_origin(&self) -> bool {
        self.per_origin
    }

    /// Whose turn the request takes.
    pub(crate) fn turn(&self, request: &RequestInfo<'_>) -> Option<String> {
        self.key.as_ref().map(|key| key(request))
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("concurrency", &self.concurrency)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        let default = steadfetch_core::options::Options::default().queue;
        assert_eq!(Queue::new(default.concurrency).options(), default);
        assert!(Queue::new(1).is_per_origin());
    }

    #[test]
    fn wrong_values_are_named() {
        assert_eq!(Queue::new(0).invalid(), Some("queue.concurrency"));
        assert_eq!(Queue::new(1).timeout(Duration::ZERO).invalid(), Some("queue.timeout"));
        assert_eq!(Queue::new(1).limit(0).timeout(None).invalid(), None);
    }
}
