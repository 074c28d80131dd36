use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::engine::Given;
use steadfetch_core::options::Options;
use steadfetch_core::queue;
use steadfetch_core::status::RetryStatuses;
use steadfetch_core::time::Millis;

use super::{
    AddKey, DeadlineHeader, Delay, IdempotencyKey, Init, JitterWith, Priority, Retry, ShouldRetry, limit, millis,
};
use crate::headers::HeaderChanges;

pub(crate) type ThrowFor = Arc<dyn Fn(u16) -> bool + Send + Sync>;

/// Which statuses of 400 and above are errors.
#[derive(Clone)]
pub(crate) enum Throw {
    All,
    None,
    For(ThrowFor),
}

/// What one option does to what is in force. A function, so that an app that never names an option links nothing of it.
type Change = Arc<dyn Fn(&mut Merged, Given) + Send + Sync>;

/// Whether a request to this origin carries the header of the deadline: its name. The other text is the base URL.
pub(crate) type DeadlineName = Arc<dyn Fn(&str, Option<&str>) -> Option<String> + Send + Sync>;

/// The options that both a client and a call take.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    /// In the order in which they were given.
    changes: Vec<Change>,
    pub(crate) headers: HeaderChanges,
    /// Encoded already.
    query: String,
    /// The query is that of the client that is extended: what is said now takes its place.
    query_inherited: bool,
    pub(crate) init: Init,
    /// The first option with a wrong value.
    invalid: Option<&'static str>,
}

/// What is in force for one call.
pub(crate) struct Merged {
    pub(crate) options: Options,
    pub(crate) statuses: RetryStatuses,
    /// The methods that are retried, if they are given.
    pub(crate) methods: Option<Vec<String>>,
    pub(crate) should_retry: Option<ShouldRetry>,
    pub(crate) delay: Option<Delay>,
    pub(crate) jitter: Option<JitterWith>,
    pub(crate) timeout_given: Given,
    pub(crate) total_given: Given,
    pub(crate) throw: Throw,
    pub(crate) priority: queue::Priority,
    pub(crate) deadline_header: Option<DeadlineName>,
    pub(crate) idempotency_key: Option<AddKey>,
    pub(crate) headers: HeaderChanges,
    pub(crate) query: String,
    pub(crate) init: Init,
}

impl Settings {
    fn limit(&mut self, name: &'static str, span: Option<Duration>) -> Option<Millis> {
        match limit(name, span) {
            Ok(span) => Some(span),
            Err(name) => {
                self.refuse(name);
                None
            }
        }
    }

    /// Keeps the name of a wrong option, to be reported where an error can be returned.
    pub(crate) fn refuse(&mut self, name: &'static str) {
        self.invalid.get_or_insert(name);
    }

    /// The same, if there is one.
    pub(crate) fn check(&mut self, wrong: Option<&'static str>) {
        self.invalid = self.invalid.or(wrong);
    }

    fn change(&mut self, change: impl Fn(&mut Merged, Given) + Send + Sync + 'static) {
        self.changes.push(Arc::new(change));
    }

    pub(crate) fn set_timeout(&mut self, span: Option<Duration>) {
        if let Some(span) = self.limit("timeout", span) {
            self.change(move |merged, given| {
                merged.options.timeout = span;
                merged.timeout_given = given;
            });
        }
    }

    pub(crate) fn set_headers_timeout(&mut self, span: Option<Duration>) {
        if let Some(span) = self.limit("headers_timeout", span) {
            self.change(move |merged, _| {
                merged.options.headers_timeout = span;
            });
        }
    }

    pub(crate) fn set_idle_timeout(&mut self, span: Option<Duration>) {
        if let Some(span) = self.limit("idle_timeout", span) {
            self.change(move |merged, _| {
                merged.options.idle_timeout = span;
            });
        }
    }

    pub(crate) fn set_total_timeout(&mut self, span: Option<Duration>) {
        if let Some(span) = self.limit("total_timeout", span) {
            self.change(move |merged, given| {
                merged.options.total_timeout = span;
                merged.total_given = given;
            });
        }
    }

    pub(crate) fn set_min_attempt_time(&mut self, span: Duration) {
        let span = millis(span);
        self.change(move |merged, _| merged.options.min_attempt_time = span);
    }

    pub(crate) fn set_reserve(&mut self, span: Duration) {
        let span = millis(span);
        self.change(move |merged, _| merged.options.reserve = span);
    }

    pub(crate) fn set_max_response_bytes(&mut self, bytes: Option<u64>) {
        if bytes == Some(0) {
            self.refuse("max_response_bytes");
        }
        let bytes = bytes.unwrap_or(u64::MAX);
        self.change(move |merged, _| merged.options.max_response_bytes = bytes);
    }

    pub(crate) fn set_retry(&mut self, retry: Retry) {
        self.check(retry.invalid());
        self.change(move |merged, _| retry.apply(merged));
    }

    pub(crate) fn set_throw(&mut self, throw: Throw) {
        self.change(move |merged, _| merged.throw = throw.clone());
    }

    /// Decides about the turn in our queue, and is told to the platform, which has a queue of its own.
    pub(crate) fn set_priority(&mut self, priority: Priority) {
        self.init.set("priority", priority.as_str());
        self.change(move |merged, _| {
            merged.priority = match priority {
                Priority::High => queue::Priority::High,
                Priority::Low => queue::Priority::Low,
                Priority::Auto => queue::Priority::Auto,
            };
        });
    }

    /// Where the query is written to.
    pub(crate) fn own_query(&mut self) -> &mut String {
        if std::mem::take(&mut self.query_inherited) {
            self.query.clear();
        }
        &mut self.query
    }

    /// These are the settings of a client that is to be extended.
    pub(crate) fn inherit(&mut self) {
        self.query_inherited = true;
    }

    pub(crate) fn set_deadline_header(&mut self, header: DeadlineHeader) {
        if !header.is_valid() {
            self.refuse("deadline_header");
        }
        let name: DeadlineName =
            Arc::new(move |origin, base| header.for_origin(origin, || crate::platform::own_origin(base)));
        self.change(move |merged, _| merged.deadline_header = Some(name.clone()));
    }

    pub(crate) fn set_idempotency_key(&mut self, key: IdempotencyKey) {
        self.check(key.invalid());
        self.change(move |merged, given| {
            let key = key.clone();
            let add: AddKey =
                Arc::new(move |request, operation, is_keyed| key.add(given, request, operation, is_keyed));
            merged.idempotency_key = Some(add);
        });
    }

    /// The first option with a wrong value.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        self.invalid
    }

    /// What is in force for a call of a client with these settings.
    #[inline(never)]
    pub(crate) fn merge(&self, call: &Self) -> Merged {
        let mut headers = self.headers.clone();
        headers.merge(&call.headers);
        let mut init = self.init.clone();
        init.merge(&call.init);
        let query = if call.query.is_empty() { &self.query } else { &call.query }.clone();
        let mut merged = Merged {
            options: Options::default(),
            statuses: RetryStatuses::default(),
            methods: None,
            should_retry: None,
            delay: None,
            jitter: None,
            timeout_given: Given::Default,
            total_given: Given::Default,
            throw: Throw::All,
            priority: queue::Priority::Auto,
            deadline_header: None,
            idempotency_key: None,
            headers,
            query,
            init,
        };
        for (settings, given) in [(self, Given::Client), (call, Given::Call)] {
            settings.changes.iter().for_each(|change| change(&mut merged, given));
        }
        merged
    }
}

impl Merged {
    /// Whether the methods that are retried, if they are given, include this one.
    pub(crate) fn lists(&self, method: &str) -> Option<bool> {
        self.methods.as_ref().map(|listed| listed.iter().any(|known| known.eq_ignore_ascii_case(method)))
    }
}

impl Throw {
    /// It is a function of the caller that says so.
    pub(crate) fn asks(&self) -> bool {
        matches!(self, Self::For(_))
    }

    pub(crate) fn throws(&self, status: u16) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::For(ask) => ask(status),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        let merged = Settings::default().merge(&Settings::default());
        assert_eq!(merged.options, Options::default());
        assert_eq!(merged.timeout_given, Given::Default);
    }

    #[test]
    fn a_call_wins_over_its_client() {
        let (mut client, mut call) = (Settings::default(), Settings::default());
        client.set_timeout(Some(Duration::from_secs(1)));
        client.set_total_timeout(Some(Duration::from_secs(9)));
        call.set_timeout(None);
        let merged = client.merge(&call);
        assert_eq!(merged.options.timeout, Millis::NONE);
        assert_eq!(merged.options.total_timeout, Millis(9_000));
        assert_eq!((merged.timeout_given, merged.total_given), (Given::Call, Given::Client));
    }

    #[test]
    fn the_urgency_of_a_call_is_told_to_queue_and_platform() {
        let (mut client, mut call) = (Settings::default(), Settings::default());
        client.set_priority(Priority::Low);
        assert_eq!(client.merge(&call).priority, queue::Priority::Low);
        call.set_priority(Priority::High);
        let merged = client.merge(&call);
        assert_eq!(merged.priority, queue::Priority::High);
        assert_eq!(merged.init.members().collect::<Vec<_>>(), [("priority", "high")]);
    }

    #[test]
    fn the_first_wrong_option_is_named() {
        let mut settings = Settings::default();
        settings.set_idle_timeout(Some(Duration::ZERO));
        settings.set_max_response_bytes(Some(0));
        assert_eq!(settings.invalid(), Some("idle_timeout"));
    }
}
