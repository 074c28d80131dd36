//! The options of a client and of a call: the names, defaults and checks of `steadfetch_core::options`.

mod auth;
mod circuit_breaker;
mod deadline_header;
mod idempotency_key;
mod init;
mod queue;
mod retry;
mod retry_budget;
mod scope;
mod settings;
mod shared;

pub use auth::{Auth, AuthLock};
pub use circuit_breaker::CircuitBreaker;
pub use deadline_header::DeadlineHeader;
pub use idempotency_key::IdempotencyKey;
pub use init::{Cache, Credentials, Mode, Priority, Redirect, ReferrerPolicy};
pub use queue::Queue;
pub use retry::Retry;
pub use retry_budget::RetryBudget;
pub use scope::Scope;

pub(crate) use auth::{Session, is_name, is_value};
pub(crate) use idempotency_key::{AddKey, IDEMPOTENCY_KEY};
pub(crate) use init::Init;
pub(crate) use retry::{Delay, JitterWith, ShouldRetry};
pub(crate) use settings::{Merged, Settings, Throw};
pub(crate) use shared::shared_options;

use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::time::Millis;

use crate::request_info::RequestInfo;

/// A function of the caller that says what a request belongs to.
pub(crate) type Key = Arc<dyn Fn(&RequestInfo<'_>) -> String + Send + Sync>;

/// Whole milliseconds, rounded up: a limit is never early.
pub(crate) fn millis(span: Duration) -> Millis {
    let rounded = span.saturating_add(Duration::from_nanos(999_999));
    Millis(u64::try_from(rounded.as_millis()).unwrap_or(u64::MAX))
}

pub(crate) fn duration(span: Millis) -> Duration {
    if span == Millis::NONE { Duration::MAX } else { Duration::from_millis(span.0) }
}

/// A limit, 1 ms or more; `None` is no limit.
pub(crate) fn limit(name: &'static str, span: Option<Duration>) -> Result<Millis, &'static str> {
    match span {
        None => Ok(Millis::NONE),
        Some(span) if span < Duration::from_millis(1) => Err(name),
        Some(span) => Ok(millis(span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c04_spans_round_up_and_zero_is_no_limit_at_all() {
        assert_eq!(millis(Duration::from_micros(1_001)), Millis(2));
        assert_eq!(millis(Duration::from_millis(7)), Millis(7));
        assert_eq!(millis(Duration::MAX), Millis::NONE);
        assert_eq!(limit("timeout", Some(Duration::ZERO)), Err("timeout"));
        assert_eq!(limit("timeout", Some(Duration::from_micros(400))), Err("timeout"));
        assert_eq!(limit("timeout", None), Ok(Millis::NONE));
        assert_eq!(limit("timeout", Some(Duration::from_millis(1 << 31))), Ok(Millis(1 << 31)));
    }
}
