//! Circuits and lanes that come when a client asks for them ([`Engine::admit`](super::Engine::admit)): an app that has none links
//! nothing of them. Until then every way is open.

use alloc::boxed::Box;

use super::full_guard::Guard as Full;
use super::{Facts, Keys};
use crate::breaker::{BreakerOptions, CircuitState, Verdict};
use crate::circuits::CircuitView;
use crate::flights::{Course, FlightId, Flights, Joined, Likeness, News, Rest};
use crate::slab::CallId;
use crate::time::{Instant, Millis};

pub(super) use super::full_guard::{Entered, Permit, Ticket};

/// What [`Full`] does, without naming it.
trait Admission {
    fn refusal(&mut self, now: Instant, facts: &Facts) -> Option<Millis>;
    fn permit(&mut self, now: Instant, facts: &Facts) -> Result<(Permit, Option<CircuitState>), Millis>;
    fn report(&mut self, now: Instant, facts: &Facts, permit: Permit, verdict: Verdict) -> Option<CircuitState>;
    fn circuit(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView;
    fn enter(&mut self, now: Instant, facts: &Facts, again: bool, call: CallId) -> Entered;
    fn counts(&self) -> (usize, usize);
    fn patience(&self, facts: &Facts) -> Millis;
    fn leave(&mut self, ticket: Ticket);
    fn release(&mut self, now: Instant, facts: &Facts);
    fn admitted(&mut self) -> Option<CallId>;
    fn flights(&mut self) -> &mut dyn Flying;
}

/// What [`Flights`] do, without naming them.
pub(super) trait Flying {
    fn join(&mut self, call: CallId, likeness: Likeness, left: Option<FlightId>, draw: u32) -> Joined;
    fn take_off(&mut self, flight: FlightId, moment: u64, rest: Rest);
    fn course(&mut self, flight: FlightId) -> Option<Course>;
    fn close(&mut self, flight: FlightId, now: Instant) -> Option<Instant>;
    fn permit(&mut self, flight: FlightId) -> Option<Permit>;
    fn probes(&mut self, flight: FlightId) -> bool;
    fn slot(&mut self, flight: FlightId) -> bool;
    fn leave(&mut self, flight: FlightId, call: CallId) -> Option<Rest>;
    fn news(&mut self) -> Option<(CallId, News)>;
}

impl Flying for Flights {
    fn join(&mut self, call: CallId, likeness: Likeness, left: Option<FlightId>, draw: u32) -> Joined {
        Self::join(self, call, likeness, left, draw)
    }

    fn take_off(&mut self, flight: FlightId, moment: u64, rest: Rest) {
        Self::take_off(self, flight, moment, rest);
    }

    fn course(&mut self, flight: FlightId) -> Option<Course> {
        Self::course(self, flight)
    }

    fn close(&mut self, flight: FlightId, now: Instant) -> Option<Instant> {
        Self::close(self, flight, now)
    }

    fn permit(&mut self, flight: FlightId) -> Option<Permit> {
        Self::permit(self, flight)
    }

    fn probes(&mut self, flight: FlightId) -> bool {
        Self::probes(self, flight)
    }

    fn slot(&mut self, flight: FlightId) -> bool {
        Self::slot(self, flight)
    }

    fn leave(&mut self, flight: FlightId, call: CallId) -> Option<Rest> {
        Self::leave(self, flight, call)
    }

    fn news(&mut self) -> Option<(CallId, News)> {
        Self::news(self)
    }
}

impl Admission for Full {
    fn refusal(&mut self, now: Instant, facts: &Facts) -> Option<Millis> {
        Self::refusal(self, now, facts)
    }

    fn permit(&mut self, now: Instant, facts: &Facts) -> Result<(Permit, Option<CircuitState>), Millis> {
        Self::permit(self, now, facts)
    }

    fn report(&mut self, now: Instant, facts: &Facts, permit: Permit, verdict: Verdict) -> Option<CircuitState> {
        Self::report(self, now, facts, permit, verdict)
    }

    fn circuit(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView {
        Self::circuit(self, now, key, options)
    }

    fn enter(&mut self, now: Instant, facts: &Facts, again: bool, call: CallId) -> Entered {
        Self::enter(self, now, facts, again, call)
    }

    fn counts(&self) -> (usize, usize) {
        Self::counts(self)
    }

    fn patience(&self, facts: &Facts) -> Millis {
        Self::patience(self, facts)
    }

    fn leave(&mut self, ticket: Ticket) {
        Self::leave(self, ticket);
    }

    fn release(&mut self, now: Instant, facts: &Facts) {
        Self::release(self, now, facts);
    }

    fn admitted(&mut self) -> Option<CallId> {
        Self::admitted(self)
    }

    fn flights(&mut self) -> &mut dyn Flying {
        Self::flights(self)
    }
}

/// All circuits and all lanes, if there are any.
pub(super) struct Guard(Option<Box<dyn Admission>>);

impl Guard {
    /// There may be circuits and queues.
    pub(super) const ANY: bool = true;

    pub(super) const fn new() -> Self {
        Self(None)
    }

    /// There may be circuits and queues from now on.
    pub(super) fn come(&mut self) {
        self.0.get_or_insert_with(|| Box::new(Full::new()));
    }

    /// A call that starts before has neither to its end: it must not give back what it never had.
    pub(super) fn place(&self, keys: &mut Keys) {
        if self.0.is_none() {
            (keys.circuit, keys.lane, keys.turn, keys.share) = (0, 0, 0, 0);
        }
    }

    pub(super) fn refusal(&mut self, now: Instant, facts: &Facts) -> Option<Millis> {
        self.0.as_mut()?.refusal(now, facts)
    }

    pub(super) fn permit(&mut self, now: Instant, facts: &Facts) -> Result<(Permit, Option<CircuitState>), Millis> {
        self.0.as_mut().map_or(Ok((Permit::default(), None)), |full| full.permit(now, facts))
    }

    pub(super) fn report(
        &mut self,
        now: Instant,
        facts: &Facts,
        permit: Permit,
        verdict: Verdict,
    ) -> Option<CircuitState> {
        self.0.as_mut()?.report(now, facts, permit, verdict)
    }

    pub(super) fn circuit(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView {
        let open = CircuitView { state: CircuitState::Closed, failures: 0, retry_after: Millis::ZERO };
        self.0.as_mut().map_or(open, |full| full.circuit(now, key, options))
    }

    pub(super) fn enter(&mut self, now: Instant, facts: &Facts, again: bool, call: CallId) -> Entered {
        self.0.as_mut().map_or(Entered::Slot, |full| full.enter(now, facts, again, call))
    }

    pub(super) fn counts(&self) -> (usize, usize) {
        self.0.as_ref().map_or((0, 0), |full| full.counts())
    }

    pub(super) fn patience(&self, facts: &Facts) -> Millis {
        self.0.as_ref().map_or(Millis::NONE, |full| full.patience(facts))
    }

    pub(super) fn leave(&mut self, ticket: Ticket) {
        if let Some(full) = &mut self.0 {
            full.leave(ticket);
        }
    }

    pub(super) fn release(&mut self, now: Instant, facts: &Facts) {
        if let Some(full) = &mut self.0 {
            full.release(now, facts);
        }
    }

    pub(super) fn flights(&mut self) -> Option<&mut dyn Flying> {
        Some(self.0.as_mut()?.flights())
    }

    pub(super) fn admitted(&mut self) -> Option<CallId> {
        self.0.as_mut()?.admitted()
    }
}
