//! What a call asks before it sends, and what it owes afterwards: its circuit, its slot, its retry budget. (Before that
//! it asks for its token: see `token`.)
//!
//! A slot is held from the dispatch of an attempt to the end of its body. The circuit is asked before every attempt and
//! told once, how the call has ended.

use super::{
    Action, Call, CircuitState, Context, Counter, Entered, Guard, Head, Last, Phase, Reader, RetryStopped, Sink, State,
};
use crate::breaker::Verdict;
use crate::error::ErrorCode;
use crate::time::Millis;

/// A body that is as long as this at most, and says so, comes with its headers: its slot need not wait for it.
const SHORT: u64 = 64 * 1024;

impl Call {
    /// The attempt is ready: it gets a slot, waits for one, or is refused. `phase` is where the time went so far.
    pub(super) fn enter(&mut self, cx: &mut Context<impl Sink>, phase: Phase) {
        if !self.facts.fits(cx.now) {
            return self.come_too_late(cx, phase);
        }
        if self.joins(cx) {
            return;
        }
        match cx.guard.enter(cx.now, &self.facts, self.attempt > 1 || self.admitted, cx.id) {
            Entered::Slot => {
                self.slot = true;
                self.dispatch(cx, phase)
            }
            Entered::Waiting(ticket) => {
                self.state = State::Queued(ticket, cx.now);
                self.wake = cx.now + cx.guard.patience(&self.facts);
                cx.tally.count(&self.facts, Counter::Queued);
                if self.facts.callbacks.observe {
                    cx.act(Action::Queued { call: cx.id, attempt: self.attempt });
                }
            }
            Entered::Full => self.refuse_queue(cx, ErrorCode::QueueFull, None),
        }
    }

    /// Sends the attempt that has a slot, unless too little time is left for it, or its circuit is open.
    fn dispatch(&mut self, cx: &mut Context<impl Sink>, phase: Phase) {
        if self.forbidden_by_page(cx) {
            return self.leave(cx);
        }
        if !self.facts.fits(cx.now) {
            return self.come_too_late(cx, phase);
        }
        // The probe of a half-open circuit is the call: its resend needs no leave, and would get none.
        if self.is_resend() && self.is_probe(cx) {
            return self.send(cx);
        }
        match cx.guard.permit(cx.now, &self.facts) {
            Ok((permit, changed)) => {
                if Guard::ANY {
                    self.permit = Some(permit);
                }
                self.tell_circuit(cx, changed);
                self.send(cx)
            }
            Err(wait) => self.refuse_circuit(cx, wait),
        }
    }

    pub(super) fn come_too_late(&mut self, cx: &mut Context<impl Sink>, phase: Phase) {
        match self.last {
            Some(last) => self.conclude(cx, last, Some(RetryStopped::Deadline)),
            None => self.exceed(cx, phase),
        }
    }

    /// Whether it waits for a slot, and its circuit is this one.
    pub(in crate::engine) fn waits_for(&self, circuit: u64) -> bool {
        (matches!(self.state, State::Queued(..)) || self.waits_with_others()) && self.facts.keys.circuit == circuit
    }

    pub(super) fn on_admitted(&mut self, cx: &mut Context<impl Sink>) {
        self.slot = true;
        if let State::Queued(_, since) = self.state {
            let waited = cx.now.since(since);
            self.state = State::Prepare;
            let left = self.facts.deadline().since(cx.now);
            cx.tally.measure(&self.facts, |store| store.dispatched(waited, left));
        }
        self.admitted = true;
        if self.awaits_token(cx) {
            return;
        }
        self.dispatch(cx, Phase::Queue)
    }

    pub(super) fn on_refused(&mut self, cx: &mut Context<impl Sink>) {
        match cx.guard.refusal(cx.now, &self.facts) {
            Some(wait) if matches!(self.state, State::Queued(..)) || self.waits_with_others() => {
                self.refuse_circuit(cx, wait)
            }
            _ => {}
        }
    }

    /// `queue.timeout` has passed.
    pub(super) fn queue_timeout(&mut self, cx: &mut Context<impl Sink>) {
        cx.tally.measure(&self.facts, |store| store.timed_out(Phase::Queue));
        let limit = cx.guard.patience(&self.facts).limit();
        self.refuse_queue(cx, ErrorCode::QueueTimeout, limit)
    }

    fn refuse_queue(&mut self, cx: &mut Context<impl Sink>, code: ErrorCode, limit: Option<u64>) {
        let own = Last { limit, ..Last::new(code, Phase::Queue) };
        self.refuse_attempt(cx, own, RetryStopped::Queue)
    }

    pub(super) fn refuse_circuit(&mut self, cx: &mut Context<impl Sink>, wait: Millis) {
        let own = Last { retry_after: Some(wait), ..Last::new(ErrorCode::CircuitOpen, Phase::Queue) };
        self.refuse_attempt(cx, own, RetryStopped::Circuit)
    }

    /// The attempt is not sent. If it was a retry, what it was to repeat is the news.
    fn refuse_attempt(&mut self, cx: &mut Context<impl Sink>, own: Last, stopped: RetryStopped) {
        match self.last {
            Some(last) => self.conclude(cx, last, Some(stopped)),
            None => self.conclude(cx, own, None),
        }
    }

    /// Why this retry may not be, now that nothing else stands against it: an open circuit, or an empty budget. Else it
    /// is paid for.
    pub(super) fn unaffordable(&mut self, cx: &mut Context<impl Sink>) -> Option<RetryStopped> {
        if self.is_probe(cx) || cx.guard.refusal(cx.now, &self.facts).is_some() {
            return Some(RetryStopped::Circuit);
        }
        if self.facts.keys.budget == 0 {
            return None;
        }
        self.deposit(cx);
        let refused = self.charge(cx);
        if Guard::ANY && self.facts.keys.share != 0 {
            // Of those who share the retry one pays, when it is sent: see `joins`.
            self.give_back(cx);
        }
        refused
    }

    /// The retry is paid for, or there is nothing left to pay with.
    pub(super) fn charge(&mut self, cx: &mut Context<impl Sink>) -> Option<RetryStopped> {
        self.charged = cx.budgets.take(cx.now, self.facts.keys.budget, &self.facts.options.budget);
        if self.charged {
            return None;
        }
        cx.tally.count(&self.facts, Counter::BudgetRefusals);
        Some(RetryStopped::Budget)
    }

    /// What was paid for is not sent.
    fn give_back(&mut self, cx: &mut Context<impl Sink>) {
        if core::mem::take(&mut self.charged) {
            cx.budgets.give_back(cx.now, self.facts.keys.budget, &self.facts.options.budget);
        }
    }

    /// The first attempt pays into the budget, once it is known that it went out.
    pub(super) fn deposit(&mut self, cx: &mut Context<impl Sink>) {
        if !self.deposited && self.facts.keys.budget != 0 {
            self.deposited = true;
            cx.budgets.deposit(cx.now, self.facts.keys.budget, &self.facts.options.budget);
        }
    }

    /// It has leave to find out whether the circuit may close.
    fn is_probe(&self, cx: &mut Context<impl Sink>) -> bool {
        Guard::ANY && (self.permit.is_some_and(|permit| permit.probe) || self.shares_probe(cx))
    }

    /// Gives the slot back.
    pub(super) fn release(&mut self, cx: &mut Context<impl Sink>) {
        if Guard::ANY && (self.slot || self.shared_slot(cx)) {
            self.slot = false;
            cx.guard.release(cx.now, &self.facts);
        }
    }

    /// Whatever the call still has that others wait for.
    pub(super) fn let_go(&mut self, cx: &mut Context<impl Sink>) {
        self.forgo_token(cx);
        #[cfg(feature = "guard")]
        self.forgo_lookup(cx);
        if let State::Queued(ticket, _) = self.state {
            self.state = State::Prepare;
            cx.guard.leave(ticket);
            cx.tally.count(&self.facts, Counter::LeftQueue);
        }
        self.give_back(cx);
        self.disembark(cx, Some(ErrorCode::Aborted));
        self.release(cx);
    }

    /// The head is the answer: a server error is a verdict already, and a short body needs no slot.
    pub(super) fn judge_head(&mut self, cx: &mut Context<impl Sink>, head: Head) {
        if head.status >= 500 {
            self.report(cx, Verdict::Failure);
        }
        self.measure(cx, if head.bodiless { Some(0) } else { head.length });
    }

    /// How long the body is.
    pub(super) fn measure(&mut self, cx: &mut Context<impl Sink>, length: Option<u64>) {
        if length.is_some_and(|length| length <= SHORT) {
            self.release(cx);
        }
    }

    /// The call has ended well, or as well as its head was.
    pub(super) fn judge_success(&mut self, cx: &mut Context<impl Sink>) {
        self.report(cx, self.verdict_of_head());
    }

    /// What a failure says about the server.
    pub(super) fn judge_failure(&mut self, cx: &mut Context<impl Sink>, last: Last) {
        let verdict = match last.code {
            // The body stayed unread, and its scope is over: that is no fault of the server.
            ErrorCode::DeadlineExceeded if matches!(self.state, State::Body(Reader::Unread | Reader::Probing(_))) => {
                self.verdict_of_head()
            }
            // It was answered; that the token did not come is not the fault of this server.
            ErrorCode::DeadlineExceeded if matches!(self.state, State::Token(_)) => Verdict::Neutral,
            ErrorCode::NetworkError if self.facts.streams_upload => Verdict::Neutral,
            ErrorCode::NetworkError | ErrorCode::Timeout | ErrorCode::DeadlineExceeded => Verdict::Failure,
            ErrorCode::HttpError
            | ErrorCode::ParseError
            | ErrorCode::UnexpectedResponse
            | ErrorCode::ResponseTooLarge => self.verdict_of_head(),
            _ => Verdict::Neutral,
        };
        self.report(cx, verdict);
    }

    /// 429 says that it is we who ask too much; an opaque answer says nothing.
    fn verdict_of_head(&self) -> Verdict {
        match self.status() {
            None | Some(0 | 429) => Verdict::Neutral,
            Some(status) if status >= 500 => Verdict::Failure,
            Some(_) => Verdict::Success,
        }
    }

    pub(super) fn report(&mut self, cx: &mut Context<impl Sink>, verdict: Verdict) {
        if !Guard::ANY {
            return;
        }
        let shared = if verdict == Verdict::Neutral { None } else { self.shared_permit(cx) };
        let Some(permit) = self.permit.take().or(shared) else { return };
        let changed = cx.guard.report(cx.now, &self.facts, permit, verdict);
        if changed == Some(CircuitState::Open) {
            cx.opened = self.facts.keys.circuit;
            cx.tally.count(&self.facts, Counter::CircuitsOpened);
        }
        self.tell_circuit(cx, changed);
    }

    fn tell_circuit(&self, cx: &mut Context<impl Sink>, changed: Option<CircuitState>) {
        if let Some(state) = changed
            && self.facts.callbacks.observe
        {
            cx.act(Action::Circuit { call: cx.id, state });
        }
    }
}
