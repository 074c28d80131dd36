//! Whose request an attempt is: its own, or that of an equal call (`dedupe`).
//!
//! A call joins a flight when it asks to send, and leaves it with its attempt. The leader goes on as every call does: it waits for
//! a slot, asks the circuit, pays for a retry. The others follow: they cost the server nothing, so they need neither slot nor
//! leave nor budget, and say nothing about its circuit. Each has its own limits and its own end.

use super::{Action, Call, Context, Counter, Event, Input, News, Sink, State};
use crate::backoff::{self, Jitter};
use crate::breaker::{Permit, Verdict};
use crate::error::ErrorCode;
use crate::flights::{FlightId, Likeness, Rest, Role};
use crate::phase::Phase;
use crate::rng::Rng;
use crate::slab::CallId;
use crate::time::{Instant, Millis};

/// The next call that is to be told of the request that it shares.
pub(in crate::engine) fn news(cx: &mut Context<impl Sink>) -> Option<(CallId, Input)> {
    let (call, news) = cx.guard.flights()?.news()?;
    Some((call, Input::News(news)))
}

/// What a call has of a request that it shares.
#[derive(Default)]
pub(super) struct Shared {
    /// The request, from before it is sent.
    flight: Option<FlightId>,
    /// The one before.
    left: Option<FlightId>,
    /// What its backoff comes from, if it shared its last request.
    draw: Option<u32>,
    /// Since when something was known of its answer.
    known: Option<Instant>,
    /// The current attempt is the request of another call.
    follows: bool,
}

impl Call {
    /// Whether the current attempt is the request of another call.
    pub(super) fn follows(&self) -> bool {
        self.sharing.follows
    }

    /// Whether it waits for another call to send the request that both share.
    pub(super) fn waits_with_others(&self) -> bool {
        matches!(self.state, State::Following)
    }

    /// An attempt is about to be sent. True if that is settled: it follows another call, or must not be sent.
    pub(super) fn joins(&mut self, cx: &mut Context<impl Sink>) -> bool {
        if self.sharing.flight.is_some() {
            return false;
        }
        (self.sharing.follows, self.sharing.draw, self.sharing.known) = (false, None, None);
        if self.facts.keys.share == 0 {
            return false;
        }
        let draw = cx.rng.next_u32();
        let keys = &self.facts.keys;
        let likeness = Likeness { share: keys.share, lane: keys.lane, circuit: keys.circuit, auth: self.facts.auth };
        let Some(flights) = cx.guard.flights() else { return false };
        let joined = flights.join(cx.id, likeness, self.sharing.left, draw);
        self.sharing.flight = Some(joined.flight);
        self.sharing.draw = Some(joined.draw);
        match joined.role {
            Role::Leads => !self.pays(cx),
            Role::Waits => {
                self.state = State::Following;
                self.wake = cx.now + cx.guard.patience(&self.facts);
                true
            }
            Role::Follows => {
                self.follow(cx);
                true
            }
        }
    }

    /// Whether the attempt that leads is paid for, if it is a retry.
    fn pays(&mut self, cx: &mut Context<impl Sink>) -> bool {
        if self.attempt == 1 || self.is_resend() || self.facts.keys.budget == 0 {
            return true;
        }
        match (self.charge(cx), self.last) {
            (Some(stopped), Some(last)) => {
                self.conclude(cx, last, Some(stopped));
                false
            }
            _ => true,
        }
    }

    pub(super) fn on_news(&mut self, cx: &mut Context<impl Sink>, news: News) {
        if !matches!(self.state, State::Following) {
            return;
        }
        match news {
            News::Sent => self.follow(cx),
            News::Lead => {
                // It has waited for its turn.
                self.admitted = true;
                self.state = State::Prepare;
                if self.pays(cx) {
                    self.enter(cx, Phase::Queue);
                }
            }
        }
    }

    /// The request of another call is this attempt.
    fn follow(&mut self, cx: &mut Context<impl Sink>) {
        if self.forbidden_by_page(cx) {
            return self.leave(cx);
        }
        if !self.facts.fits(cx.now) {
            return self.come_too_late(cx, Phase::Queue);
        }
        let course = self.sharing.flight.and_then(|flight| cx.guard.flights()?.course(flight));
        let Some(course) = course else { return };
        // The leader speaks for all of them.
        self.report(cx, Verdict::Neutral);
        self.goes_out(cx);
        self.sharing.follows = true;
        self.deposited = true;
        self.moment = course.moment;
        cx.tally.count(&self.facts, Counter::Shared);
        let left = self.facts.attempt_deadline().since(cx.now);
        let (call, attempt, resend) = (cx.id, self.attempt, self.is_resend());
        cx.act(Action::Share { call, attempt, left, resend, with: course.with });
    }

    /// It sends the request that others wait for.
    pub(super) fn take_off(&mut self, cx: &mut Context<impl Sink>) {
        if let Some(flight) = self.sharing.flight
            && let Some(flights) = cx.guard.flights()
        {
            let rest = Rest { slot: core::mem::take(&mut self.slot), permit: self.permit.take() };
            flights.take_off(flight, self.moment, rest);
        }
    }

    /// Something is known of the answer: nobody joins the request any more. That this call was never sent says nothing about
    /// the others.
    pub(super) fn close(&mut self, cx: &mut Context<impl Sink>, event: Event) {
        let known = !matches!(event, Event::Refused(ErrorCode::Aborted));
        if known
            && let Some(flight) = self.sharing.flight
            && let Some(flights) = cx.guard.flights()
        {
            self.sharing.known = flights.close(flight, cx.now);
        }
    }

    /// The attempt is over, or will not be. What its request holds stays with the others, if there are any; but what has become
    /// of the request is for this call to say, if it is not only its own limit that has passed.
    pub(super) fn disembark(&mut self, cx: &mut Context<impl Sink>, code: Option<ErrorCode>) {
        if let Some(flight) = self.sharing.flight.take()
            && let Some(flights) = cx.guard.flights()
        {
            let own = matches!(
                code,
                Some(ErrorCode::Timeout | ErrorCode::DeadlineExceeded | ErrorCode::Aborted | ErrorCode::CallbackError)
            );
            if !own {
                self.permit = self.permit.take().or(flights.permit(flight));
            }
            if let Some(rest) = flights.leave(flight, cx.id) {
                self.slot |= rest.slot;
                self.permit = self.permit.take().or(rest.permit);
            }
            self.sharing.left = Some(flight);
        }
    }

    pub(super) fn shares_probe(&self, cx: &mut Context<impl Sink>) -> bool {
        match (self.sharing.flight, cx.guard.flights()) {
            (Some(flight), Some(flights)) => flights.probes(flight),
            _ => false,
        }
    }

    pub(super) fn shared_slot(&self, cx: &mut Context<impl Sink>) -> bool {
        match (self.sharing.flight, cx.guard.flights()) {
            (Some(flight), Some(flights)) => flights.slot(flight),
            _ => false,
        }
    }

    pub(super) fn shared_permit(&self, cx: &mut Context<impl Sink>) -> Option<Permit> {
        cx.guard.flights()?.permit(self.sharing.flight?)
    }

    /// When a wait that begins now ends. The waits of calls that shared a request end in the same moment, as they began.
    pub(super) fn wake_after(&self, cx: &Context<impl Sink>, wait: Millis) -> Instant {
        self.sharing.known.unwrap_or(cx.now) + wait
    }

    /// A backoff. Calls that shared a request wait equally long, so that they share its retry.
    pub(super) fn draw(&self, cx: &mut Context<impl Sink>, jitter: Jitter, bound: Millis) -> Millis {
        match self.sharing.draw {
            Some(draw) => backoff::draw(jitter, bound, &mut Rng::new([draw, 1, 2, 3])),
            _ => backoff::draw(jitter, bound, &mut cx.rng),
        }
    }
}
