//! The end of an attempt and the one place where a call settles.

use super::{
    Action, Attempt, Auths, Call, Context, Counter, Duration, Failing, Head, Phase, RetryStopped, Sink, State,
};
use crate::error::ErrorCode;
use crate::outcome::Outcome;
use crate::time::Millis;

/// A failure while the call may still go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Last {
    pub(super) code: ErrorCode,
    pub(super) phase: Option<Phase>,
    pub(super) status: Option<u16>,
    pub(super) retry_after: Option<Millis>,
    pub(super) limit: Option<u64>,
    pub(super) bytes: u64,
    pub(super) session_lost: bool,
    pub(super) stopped: Option<RetryStopped>,
}

impl Last {
    pub(super) fn new(code: ErrorCode, phase: Phase) -> Self {
        Self {
            code,
            phase: Some(phase),
            status: None,
            retry_after: None,
            limit: None,
            bytes: 0,
            session_lost: false,
            stopped: None,
        }
    }

    pub(super) fn http(head: Head) -> Self {
        Self {
            status: Some(head.status),
            retry_after: head.retry_after,
            ..Self::new(ErrorCode::HttpError, Phase::Headers)
        }
    }
}

impl Call {
    /// A failure of the current attempt, with what is known of its answer.
    pub(super) fn last_in_body(&self, code: ErrorCode, phase: Phase, limit: Option<u64>) -> Last {
        Last { status: self.status(), limit, bytes: self.bytes, ..Last::new(code, phase) }
    }

    /// Of the current attempt.
    pub(super) fn outcome(&self) -> Outcome {
        if self.unsent { Outcome::NotSent } else { Outcome::of_attempt(self.status()) }
    }

    fn record(&self, cx: &Context<impl Sink>, code: Option<ErrorCode>, phase: Phase) -> Attempt {
        Attempt {
            number: self.attempt,
            resend: self.is_resend(),
            outcome: self.outcome(),
            code,
            status: self.status(),
            phase,
            start: self.sent.since(self.facts.started),
            elapsed: cx.now.since(self.sent),
        }
    }

    /// The current attempt, if one is out, is over.
    pub(super) fn finish(&mut self, cx: &mut Context<impl Sink>, code: Option<ErrorCode>, phase: Phase) {
        if !self.live {
            return;
        }
        self.live = false;
        self.deposit(cx);
        self.disembark(cx, code);
        self.release(cx);
        let attempt = self.record(cx, code, phase);
        if !self.follows() {
            cx.tally.measure(&self.facts, |store| {
                store.add(Counter::AttemptsEnded, 1);
                store.took(Duration::Attempt, attempt.elapsed);
            });
        }
        if self.facts.callbacks.observe {
            cx.act(Action::AttemptEnd { call: cx.id, attempt });
        }
        // Nobody will ask about the attempts of a call that went well: spare it the allocation.
        if code.is_some() {
            self.attempts.push(attempt);
        }
    }

    /// Stops the I/O of the current attempt.
    pub(super) fn abort(&mut self, cx: &mut Context<impl Sink>) {
        if self.live {
            cx.act(Action::Abort { call: cx.id, attempt: self.attempt });
        }
    }

    /// Cancels the body of an answer that is not the one.
    pub(super) fn discard(&self, cx: &mut Context<impl Sink>) {
        cx.act(Action::Discard { call: cx.id, attempt: self.attempt });
    }

    /// The failure as it stands.
    fn failing(&self, cx: &Context<impl Sink>, last: Last) -> Failing<'_> {
        Failing {
            code: last.code,
            phase: last.phase,
            stopped: last.stopped,
            status: last.status,
            retry_after: last.retry_after,
            limit: last.limit,
            bytes: last.bytes,
            elapsed: cx.now.since(self.facts.started),
            session_lost: Auths::ANY && last.session_lost,
            attempts: &self.attempts,
        }
    }

    /// Describes a failure while its attempt may still be out: one that is counts as one that failed so.
    pub(super) fn tell_failing<S: Sink>(
        &mut self,
        cx: &mut Context<S>,
        last: Last,
        tell: impl FnOnce(&mut S, &Failing<'_>),
    ) {
        let over = self.attempts.len();
        if self.live {
            self.attempts.push(self.record(cx, Some(last.code), last.phase.unwrap_or(Phase::Headers)));
        }
        let failing = self.failing(cx, last);
        tell(&mut cx.sink, &failing);
        self.attempts.truncate(over);
    }

    /// The call has failed. The `beforeError` hooks may look at it first, within the total time; a deadline that has
    /// passed already still leaves them a millisecond.
    pub(super) fn conclude(&mut self, cx: &mut Context<impl Sink>, last: Last, stopped: Option<RetryStopped>) {
        self.judge_failure(cx, last);
        self.let_go(cx);
        let last = Last { stopped: stopped.or(last.stopped), ..last };
        if self.facts.callbacks.before_error && last.code != ErrorCode::Aborted {
            let failing = self.failing(cx, last);
            cx.sink.before_error(cx.id, &failing);
            self.farewell = Some(last);
            self.state = State::Farewell;
            self.wake = self.facts.deadline().max(cx.now + Millis(1));
            return;
        }
        self.end(cx, Some(last))
    }

    /// The hooks have had their look: the failure stands.
    pub(super) fn part(&mut self, cx: &mut Context<impl Sink>) {
        if let Some(last) = self.farewell.take() {
            self.end(cx, Some(last));
        }
    }

    /// The call is over: well, or with this failure.
    pub(super) fn end(&mut self, cx: &mut Context<impl Sink>, failed: Option<Last>) {
        self.judge_success(cx);
        self.let_go(cx);
        cx.tally.measure(&self.facts, |store| {
            store.took(Duration::Call, cx.now.since(self.facts.started));
            match failed {
                Some(last) => store.failed(last.code),
                None => store.add(Counter::Succeeded, 1),
            }
        });
        match failed {
            Some(last) => {
                let failing = self.failing(cx, last);
                cx.sink.fail(cx.id, &failing);
            }
            None => cx.act(Action::End { call: cx.id, result: Ok(()) }),
        }
        self.state = State::Ended;
    }

    /// Stops the attempt and ends the call with it: what breaks after the headers is final.
    pub(super) fn break_off(
        &mut self,
        cx: &mut Context<impl Sink>,
        code: ErrorCode,
        phase: Phase,
        limit: Option<u64>,
        stopped: Option<RetryStopped>,
    ) {
        self.abort(cx);
        self.finish(cx, Some(code), phase);
        let last = self.last_in_body(code, phase, limit);
        self.conclude(cx, last, stopped)
    }

    /// The network is at fault, after the headers.
    pub(super) fn lose(&mut self, cx: &mut Context<impl Sink>) {
        self.break_off(cx, ErrorCode::NetworkError, Phase::Body, None, Some(RetryStopped::Policy))
    }

    /// The total time is over.
    pub(super) fn exceed(&mut self, cx: &mut Context<impl Sink>, phase: Phase) {
        cx.tally.measure(&self.facts, |store| store.timed_out(phase));
        let limit = self.total();
        self.break_off(cx, ErrorCode::DeadlineExceeded, phase, limit, Some(RetryStopped::Deadline))
    }

    /// The total time; that of the scope, if it is the shorter one.
    pub(super) fn total(&self) -> Option<u64> {
        self.facts.deadline().since(self.facts.started).limit()
    }

    /// The request itself is at fault.
    pub(super) fn refuse(&mut self, cx: &mut Context<impl Sink>, code: ErrorCode) {
        let last = Last { phase: None, ..Last::new(code, Phase::Headers) };
        self.conclude(cx, last, None)
    }

    pub(super) fn callback_failed(&mut self, cx: &mut Context<impl Sink>) {
        self.break_off(cx, ErrorCode::CallbackError, Phase::Hook, None, None)
    }

    pub(super) fn too_large(&mut self, cx: &mut Context<impl Sink>) {
        let limit = Some(self.facts.options.max_response_bytes);
        self.break_off(cx, ErrorCode::ResponseTooLarge, Phase::Body, limit, None)
    }

    /// The answer stands as an error.
    pub(super) fn http_error(&mut self, cx: &mut Context<impl Sink>) {
        let Some(head) = self.head else { return };
        let stopped = self.last.and_then(|last| last.stopped);
        self.finish(cx, Some(ErrorCode::HttpError), Phase::Headers);
        let last = Last { bytes: self.bytes, ..Last::http(head) };
        self.conclude(cx, last, stopped)
    }

    /// The caller gave up.
    pub(super) fn give_up(&mut self, cx: &mut Context<impl Sink>, stopped: Option<RetryStopped>) {
        let phase = self.phase(cx);
        self.break_off(cx, ErrorCode::Aborted, phase, None, stopped)
    }

    /// The page is being left. A retry that is not to be sent any more ends with the failure that it was to repeat.
    pub(super) fn leave(&mut self, cx: &mut Context<impl Sink>) {
        match self.last {
            Some(last) if !self.live => self.conclude(cx, last, Some(RetryStopped::Pagehide)),
            _ => {
                cx.tally.count(&self.facts, Counter::CancelledByPage);
                self.give_up(cx, Some(RetryStopped::Pagehide))
            }
        }
    }
}
