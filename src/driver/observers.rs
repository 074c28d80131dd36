use std::rc::Rc;
use std::sync::Arc;

use steadfetch_core::breaker::CircuitState;
use steadfetch_core::error::ErrorCode;
use steadfetch_core::phase::Phase;
use steadfetch_core::time::Millis;

use super::{Call, Driver};
use crate::client::Client;
use crate::error::{Attempt, Error};
use crate::options::{Delay, JitterWith, ShouldRetry};
use crate::progress::Progress;

/// The observer of a call. Behind a trait, so that an app that has none links nothing of what is told.
pub(crate) type OnEvent = Rc<dyn Observer>;
pub(crate) type OnProgress = Rc<dyn Fn(Progress)>;

/// What happened to a call, before it is an [`Event`](crate::Event).
pub(crate) enum News<'a> {
    Start,
    Queued,
    AttemptStart,
    AttemptEnd(Attempt, Option<Millis>),
    Retry(Millis, ErrorCode),
    Refresh(bool, Millis),
    Circuit(CircuitState),
    End(Option<&'a Error>, Option<u16>),
}

pub(crate) trait Observer {
    /// Something happened to a call, in this phase.
    fn observe(&self, driver: &Driver, call: &Rc<Call>, phase: Option<Phase>, news: News<'_>);

    /// A call cannot be made.
    fn mistaken(&self, client: &Client, operation: &Arc<str>, error: &Error);

    /// Tells one observer from another: who is told once of what concerns many calls.
    fn identity(&self) -> usize;
}

/// The callbacks of the caller.
#[derive(Default)]
pub(crate) struct Observers {
    pub(crate) dependency: Arc<str>,
    pub(crate) operation: Arc<str>,
    /// The name of its circuit.
    pub(crate) circuit: Option<Arc<str>>,
    pub(crate) on_event: Option<OnEvent>,
    pub(crate) on_progress: Option<OnProgress>,
    pub(crate) should_retry: Option<ShouldRetry>,
    pub(crate) delay: Option<Delay>,
    pub(crate) jitter: Option<JitterWith>,
}
