//! The engine of pages whose clients ask for neither circuits nor a queue: every way is open.

use super::Facts;
use crate::breaker::{BreakerOptions, CircuitState, Verdict};
use crate::circuits::CircuitView;
use crate::slab::CallId;
use crate::time::{Instant, Millis};

pub(super) use crate::breaker::Permit;

/// A place that nobody has.
#[derive(Clone, Copy)]
pub(super) enum Ticket {}

/// What became of a call that asked for a slot.
#[allow(dead_code, reason = "the names of a queue that there is not")]
pub(super) enum Entered {
    Slot,
    Waiting(Ticket),
    Full,
}

pub(super) struct Guard;

#[allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "the interface of the other guard")]
impl Guard {
    /// Code that only circuits and queues need is left out of the module.
    pub(super) const ANY: bool = false;

    pub(super) const fn new() -> Self {
        Self
    }

    pub(super) fn refusal(&mut self, _: Instant, _: &Facts) -> Option<Millis> {
        None
    }

    pub(super) fn permit(&mut self, _: Instant, _: &Facts) -> Result<(Permit, Option<CircuitState>), Millis> {
        Ok((Permit::default(), None))
    }

    pub(super) fn report(&mut self, _: Instant, _: &Facts, _: Permit, _: Verdict) -> Option<CircuitState> {
        None
    }

    pub(super) fn circuit(&mut self, _: Instant, _: u64, _: &BreakerOptions) -> CircuitView {
        CircuitView { state: CircuitState::Closed, failures: 0, retry_after: Millis::ZERO }
    }

    pub(super) fn enter(&mut self, _: Instant, _: &Facts, _: bool, _: CallId) -> Entered {
        Entered::Slot
    }

    pub(super) fn patience(&self, _: &Facts) -> Millis {
        Millis::NONE
    }

    pub(super) fn counts(&self) -> (usize, usize) {
        (0, 0)
    }

    pub(super) fn leave(&mut self, ticket: Ticket) {
        match ticket {}
    }

    pub(super) fn release(&mut self, _: Instant, _: &Facts) {}

    pub(super) fn admitted(&mut self) -> Option<CallId> {
        None
    }
}
