//! Asks what became of a write whose attempt was lost, before anything else is decided about it.
//!
//! The write has an idempotency key, and the server can be asked about it by that key. The driver asks and reports a verdict, or
//! the head of the answer to be handed out; how often, and what follows, is decided here.

use super::{Action, Call, Context, Counter, ErrorData, Event, Instant, Outcome, Phase, RetryStopped, Sink, State};
use crate::engine::event::LookupVerdict;

impl Call {
    /// Whether the attempt that has just failed may have been carried out, and can be asked about.
    pub(super) fn is_to_be_looked_up(&self) -> bool {
        self.facts.callbacks.lookup && self.facts.gate.keyed && !self.is_looked_up && self.outcome() == Outcome::Unknown
    }

    pub(super) fn begin_lookup(&mut self, cx: &mut Context<impl Sink>) {
        self.is_looked_up = true;
        self.lookups = 0;
        // The lookup may need it.
        self.release(cx);
        self.look_up(cx)
    }

    pub(super) fn look_up(&mut self, cx: &mut Context<impl Sink>) {
        if self.forbidden_by_page(cx) {
            return self.stop(cx, RetryStopped::Pagehide);
        }
        if !self.facts.fits(cx.now) {
            return self.stop(cx, RetryStopped::Deadline);
        }
        self.lookups = self.lookups.saturating_add(1);
        self.state = State::Lookup;
        cx.tally.count(&self.facts, Counter::Lookups);
        cx.act(Action::LookUp { call: cx.id, attempt: self.attempt });
    }

    pub(super) fn on_lookup(&mut self, cx: &mut Context<impl Sink>, event: Event) {
        match event {
            Event::LookedUp(verdict) => self.on_verdict(cx, verdict),
            // It was carried out: this is its answer.
            Event::Head(head) => {
                let code = self.last.map(|last| last.code);
                self.finish(cx, code, Phase::Headers);
                self.head = Some(head);
                self.error_data = ErrorData::Unread;
                self.bytes = 0;
                // The limit of the attempt is not that of this body.
                self.sent = Instant::NEVER;
                self.accept(cx)
            }
            Event::CallbackFailed => self.callback_failed(cx),
            _ => {}
        }
    }

    fn on_verdict(&mut self, cx: &mut Context<impl Sink>, verdict: LookupVerdict) {
        let options = self.facts.options.lookup;
        match verdict {
            LookupVerdict::Failed => self.stop(cx, RetryStopped::Policy),
            LookupVerdict::NotFound if options.resend_if_not_found => self.consult(cx),
            _ if self.lookups >= options.limit => self.stop(cx, RetryStopped::Limit),
            _ => {
                self.wake = cx.now + options.interval;
                if !self.facts.fits(self.wake) {
                    return self.stop(cx, RetryStopped::Deadline);
                }
                self.state = State::Unsettled;
            }
        }
    }

    /// Stops the lookup that is under way.
    pub(super) fn forgo_lookup(&mut self, cx: &mut Context<impl Sink>) {
        if matches!(self.state, State::Lookup) {
            self.state = State::Prepare;
            cx.act(Action::Abort { call: cx.id, attempt: self.attempt });
        }
    }
}
