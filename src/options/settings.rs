use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::engine::Given;
use steadfetch_core::options::Options;
use steadfetch_core::queue;
use steadfetch_core::time::Millis;

use super::{DeadlineHeader, Init, Priority, Retry, limit, millis};
use crate::headers::HeaderChanges;

pub(crate) type ThrowFor = Arc<dyn Fn(u16) -> bool + Send + Sync>;

/// Which statuses of 400 and above are errors.
#[derive(Clone)]
pub(crate) enum Throw {
    All,
    None,
    For(ThrowFor),
}

/// The options that both a client and a call take. `None` is "not said".
#[derive(Clone, Default)]
pub(crate) struct Settings {
    timeout: Option<Millis>,
    headers_timeout: Option<Millis>,
    idle_timeout: Option<Millis>,
    total_timeout: Option<Millis>,
    min_attempt_time: Option<Millis>,
    reserve: Option<Millis>,
    max_response_bytes: Option<u64>,
    retry: Retry,
    throw: Option<Throw>,
    priority: Option<Priority>,
    deadline_header: Option<DeadlineHeader>,
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
    pub(crate) retry: Retry,
    pub(crate) timeout_given: Given,
    pub(crate) total_given: Given,
    pub(crate) throw: Throw,
    pub(crate) priority: queue::Priority,
    pub(crate) deadline_header: Option<DeadlineHeader>,
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

    pub(crate) fn set_timeout(&mut self, span: Option<Duration>) {
        self.timeout = self.limit("timeout", span);
    }

    pub(crate) fn set_headers_timeout(&mut self, span: Option<Duration>) {
        self.headers_timeout = self.limit("headers_timeout", span);
    }

    pub(crate) fn set_idle_timeout(&mut self, span: Option<Duration>) {
        self.idle_timeout = self.limit("idle_timeout", span);
    }

    pub(crate) fn set_total_timeout(&mut self, span: Option<Duration>) {
        self.total_timeout = self.limit("total_timeout", span);
    }

    pub(crate) fn set_min_attempt_time(&mut self, span: Duration) {
        self.min_attempt_time = Some(millis(span));
    }

    pub(crate) fn set_reserve(&mut self, span: Duration) {
        self.reserve = Some(millis(span));
    }

    pub(crate) fn set_max_response_bytes(&mut self, bytes: Option<u64>) {
        if bytes == Some(0) {
            self.refuse("max_response_bytes");
        }
        self.max_response_bytes = Some(bytes.unwrap_or(u64::MAX));
    }

    pub(crate) fn set_retry(&mut self, retry: &Retry) {
        self.retry.merge(retry);
    }

    pub(crate) fn set_throw(&mut self, throw: Throw) {
        self.throw = Some(throw);
    }

    /// Decides about the turn in our queue, and is told to the platform, which has a queue of its own.
    pub(crate) fn set_priority(&mut self, priority: Priority) {
        self.priority = Some(priority);
        self.init.set("priority", priority.as_str());
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
        self.deadline_header = Some(header);
    }

    /// The first option with a wrong value.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        self.invalid.or_else(|| self.retry.invalid())
    }

    /// What is in force for a call of a client with these settings.
    pub(crate) fn merge(&self, call: &Self) -> Merged {
        let default = Options::default();
        let pick = |call: Option<Millis>, client: Option<Millis>, default| call.or(client).unwrap_or(default);
        let given = |call: Option<Millis>, client: Option<Millis>| match (call, client) {
            (Some(_), _) => Given::Call,
            (None, Some(_)) => Given::Client,
            (None, None) => Given::Default,
        };
        let mut retry = self.retry.clone();
        retry.merge(&call.retry);
        let mut headers = self.headers.clone();
        headers.merge(&call.headers);
        let mut init = self.init.clone();
        init.merge(&call.init);
        let query = if call.query.is_empty() { &self.query } else { &call.query }.clone();
        Merged {
            options: Options {
                timeout: pick(call.timeout, self.timeout, default.timeout),
                headers_timeout: pick(call.headers_timeout, self.headers_timeout, default.headers_timeout),
                idle_timeout: pick(call.idle_timeout, self.idle_timeout, default.idle_timeout),
                total_timeout: pick(call.total_timeout, self.total_timeout, default.total_timeout),
                min_attempt_time: pick(call.min_attempt_time, self.min_attempt_time, default.min_attempt_time),
                reserve: pick(call.reserve, self.reserve, default.reserve),
                max_response_bytes: call
                    .max_response_bytes
                    .or(self.max_response_bytes)
                    .unwrap_or(default.max_response_bytes),
                retry: retry.options(),
                ..default
            },
            retry,
            timeout_given: given(call.timeout, self.timeout),
            total_given: given(call.total_timeout, self.total_timeout),
            priority: match call.priority.or(self.priority) {
                Some(Priority::High) => queue::Priority::High,
                Some(Priority::Low) => queue::Priority::Low,
                Some(Priority::Auto) | None => queue::Priority::Auto,
            },
            deadline_header: call.deadline_header.clone().or_else(|| self.deadline_header.clone()),
            throw: call.throw.clone().or_else(|| self.throw.clone()).unwrap_or(Throw::All),
            headers,
            query,
            init,
        }
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
