//! What a call asks its `auth` for, and what a 401 means: wait for the refresh, then send once more.
//!
//! Nothing is held meanwhile. The 401 itself is kept until it is known whether there will be another answer.

use super::{Answer, Auths, Call, Context, Head, Last, Phase, RetryStopped, Sink, State};
use crate::error::ErrorCode;
use crate::refresh::AuthFailure;

impl Call {
    /// The attempt is ready: it needs something to send with. A resend has just been told that there is something.
    /// `phase` is where the time went so far.
    pub(super) fn authorize(&mut self, cx: &mut Context<impl Sink>, phase: Phase) {
        if Auths::ANY && !self.resend && self.facts.fits(cx.now) {
            match cx.auths.need(cx.now, &self.facts, cx.id, cx.hidden) {
                Answer::Wait(place) => {
                    self.state = State::Token(place);
                    return;
                }
                Answer::Fail(failure) => return self.fail_token(cx, failure),
                Answer::Send | Answer::Accept => {}
            }
        }
        self.enter(cx, phase)
    }

    /// A refresh has begun while it waited for its slot: what it would send is refused already. It waits for the token,
    /// and others may have the slot.
    pub(super) fn awaits_token(&mut self, cx: &mut Context<impl Sink>) -> bool {
        if !cx.auths.is_refreshing(&self.facts) || self.resend || cx.hidden || !self.facts.fits(cx.now) {
            return false;
        }
        let Answer::Wait(place) = cx.auths.need(cx.now, &self.facts, cx.id, cx.hidden) else { return false };
        self.release(cx);
        self.state = State::Token(place);
        true
    }

    /// The current attempt is the extra send after a refresh.
    pub(super) fn is_resend(&self) -> bool {
        Auths::ANY && self.resend
    }

    /// The answer asks for a refresh. It is the answer all the same if the call cannot be sent again; but the others
    /// are served.
    pub(super) fn on_unauthorized(&mut self, cx: &mut Context<impl Sink>, head: Head) {
        let last = Last::http(head);
        let answer = cx.auths.unauthorized(cx.now, &self.facts, cx.id, self.moment, self.resent);
        let stopped = match answer {
            Answer::Accept => {
                let fault = self.fault_of(head);
                return self.fail(cx, last, fault);
            }
            _ if self.forbidden_by_page(cx) => Some(RetryStopped::Pagehide),
            _ if !self.facts.replayable => Some(RetryStopped::Body),
            _ if !self.facts.fits(cx.now) => Some(RetryStopped::Deadline),
            _ => None,
        };
        if stopped.is_some() {
            if let Answer::Wait(place) = answer {
                cx.auths.leave(&self.facts, place);
            }
            self.last = Some(Last { stopped, ..last });
            return self.accept(cx);
        }
        self.finish(cx, Some(ErrorCode::HttpError), Phase::Headers);
        match answer {
            Answer::Wait(place) => {
                self.state = State::Token(place);
            }
            Answer::Fail(failure) => self.fail_token(cx, failure),
            Answer::Send | Answer::Accept => self.resend(cx, head),
        }
    }

    /// The wait is over.
    pub(super) fn on_told(&mut self, cx: &mut Context<impl Sink>, answer: Answer) {
        if !matches!(self.state, State::Token(_)) {
            return;
        }
        let phase = self.phase(cx);
        self.state = State::Prepare;
        match (answer, self.head) {
            (Answer::Fail(failure), _) => self.fail_token(cx, failure),
            (_, Some(head)) => self.resend(cx, head),
            _ => self.enter(cx, phase),
        }
    }

    /// There is something better to send with than what this answer has refused.
    fn resend(&mut self, cx: &mut Context<impl Sink>, head: Head) {
        let last = Last::http(head);
        self.last = Some(last);
        self.discard(cx);
        if self.forbidden_by_page(cx) {
            return self.leave(cx);
        }
        if !self.facts.fits(cx.now) {
            return self.conclude(cx, last, Some(RetryStopped::Deadline));
        }
        self.attempt = self.attempt.saturating_add(1);
        self.resend = true;
        self.prepare(cx)
    }

    /// There is nothing to send with. The status of a 401 stays with the failure, its body is of no use to anybody.
    fn fail_token(&mut self, cx: &mut Context<impl Sink>, failure: AuthFailure) {
        if self.head.is_some() {
            self.discard(cx);
        }
        let phase = if failure.code == ErrorCode::CallbackError { Phase::Auth } else { Phase::Refresh };
        let limit = if failure.timed_out { cx.auths.patience(&self.facts).limit() } else { None };
        let last = self.last_in_body(failure.code, phase, limit);
        self.conclude(cx, Last { session_lost: failure.session_lost, ..last }, None)
    }

    /// It ends before it is told.
    pub(super) fn forgo_token(&mut self, cx: &mut Context<impl Sink>) {
        if let State::Token(place) = self.state {
            self.state = State::Prepare;
            cx.auths.leave(&self.facts, place);
            if self.head.is_some() {
                self.discard(cx);
            }
        }
    }
}
