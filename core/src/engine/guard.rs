//! What stands between a call and the network: its circuit, and its lane in the queue.
//!
//! Without the feature `guard` there is neither: see [`open`](super::open).

use alloc::collections::VecDeque;

use super::Facts;
use crate::breaker::{BreakerOptions, CircuitState, Verdict};
use crate::circuits::{CircuitView, Circuits};
use crate::flights::Flights;
use crate::queue::{Priority, Queue};
use crate::slab::CallId;
use crate::time::{Instant, Millis};

pub(super) use crate::breaker::Permit;
pub(super) use crate::queue::{Entered, Ticket};

/// All circuits and all lanes.
pub(super) struct Guard {
    circuits: Circuits,
    queue: Queue,
    /// Calls that have got a slot and do not know yet.
    admitted: VecDeque<CallId>,
    flights: Flights,
}

impl Guard {
    /// There are circuits and queues.
    #[cfg_attr(feature = "late", allow(dead_code, reason = "the one that comes late says so"))]
    pub(super) const ANY: bool = true;

    pub(super) const fn new() -> Self {
        Self { circuits: Circuits::new(), queue: Queue::new(), admitted: VecDeque::new(), flights: Flights::new() }
    }

    /// Whether the call's circuit would refuse an attempt now, and for how long.
    pub(super) fn refusal(&mut self, now: Instant, facts: &Facts) -> Option<Millis> {
        self.circuits.refusal(now, facts.keys.circuit, &facts.options.breaker)
    }

    /// Leave to send an attempt, and whether the circuit is half-open from now on.
    pub(super) fn permit(&mut self, now: Instant, facts: &Facts) -> Result<(Permit, Option<CircuitState>), Millis> {
        if facts.keys.circuit == 0 {
            return Ok((Permit::default(), None));
        }
        let options = &facts.options.breaker;
        let before = self.circuits.view(now, facts.keys.circuit, options).state;
        let permit = self.circuits.ask(now, facts.keys.circuit, options)?;
        let after = self.circuits.view(now, facts.keys.circuit, options).state;
        Ok((permit, (after != before).then_some(after)))
    }

    /// What became of a call that had leave. The state of the circuit if this has changed it.
    pub(super) fn report(
        &mut self,
        now: Instant,
        facts: &Facts,
        permit: Permit,
        verdict: Verdict,
    ) -> Option<CircuitState> {
        if facts.keys.circuit == 0 {
            return None;
        }
        self.circuits.report(now, facts.keys.circuit, permit, verdict, &facts.options.breaker)
    }

    /// How a circuit stands.
    pub(super) fn circuit(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView {
        self.circuits.view(now, key, options)
    }

    /// Asks for a slot.
    pub(super) fn enter(&mut self, now: Instant, facts: &Facts, again: bool, call: CallId) -> Entered {
        if facts.keys.lane == 0 {
            return Entered::Slot;
        }
        let priority = if again { Priority::Again } else { facts.priority };
        self.queue.enter(now, facts.keys.lane, &facts.options.queue, facts.keys.turn, priority, call)
    }

    /// Slots that are held, and calls that wait for one.
    pub(super) fn counts(&self) -> (usize, usize) {
        self.queue.counts()
    }

    /// How long an attempt waits for a slot.
    pub(super) fn patience(&self, facts: &Facts) -> Millis {
        facts.options.queue.timeout
    }

    /// A waiting call gives up its place.
    pub(super) fn leave(&mut self, ticket: Ticket) {
        self.queue.leave(ticket);
    }

    /// A call gives its slot back. Who gets it is told by [`admitted`](Self::admitted).
    pub(super) fn release(&mut self, now: Instant, facts: &Facts) {
        if facts.keys.lane != 0 {
            self.admitted.extend(self.queue.release(now, facts.keys.lane, &facts.options.queue));
        }
    }

    /// Requests that equal attempts share.
    #[cfg(not(feature = "late"))]
    #[allow(clippy::unnecessary_wraps, reason = "the interface of the other guard")]
    pub(super) fn flights(&mut self) -> Option<&mut Flights> {
        Some(&mut self.flights)
    }

    /// The same, of one that is there.
    #[cfg(feature = "late")]
    pub(super) fn flights(&mut self) -> &mut Flights {
        &mut self.flights
    }

    /// The next call that has got a slot.
    pub(super) fn admitted(&mut self) -> Option<CallId> {
        self.admitted.pop_front()
    }
}
