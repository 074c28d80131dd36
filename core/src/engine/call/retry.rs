//! Whether there is another attempt, and when.
//!
//! The order of the questions is part of the contract: the kind of failure, the limit, the idempotency gate, the body,
//! the wait.

use super::{
    Action, Call, Context, Counter, Demand, ErrorData, Event, Head, Last, Question, RetryStopped, Sink, State,
};
use crate::backoff::{self, Jitter};
use crate::classify::{self, Fault};
use crate::error::ErrorCode;
use crate::phase::Phase;
use crate::time::Millis;

/// A wait that ends this much late was held up with its page: all of a laptop's waits end in one moment.
const OVERSLEPT: Millis = Millis(1_000);

impl Call {
    pub(super) fn fault_of(&self, head: Head) -> Fault {
        let running = self.facts.gate.is_write_running(head.status, self.retries);
        match head.demand {
            Demand::None => Fault::Status { retried: head.retried || running, heeded: head.heeded || running },
            Demand::Retry => Fault::Demanded { heeded: head.heeded, exact: false },
            Demand::RetryAfter => Fault::Demanded { heeded: true, exact: true },
        }
    }

    /// An attempt failed in a way that may be repeated. An answer with an error status still has its body.
    pub(super) fn fail(&mut self, cx: &mut Context<impl Sink>, last: Last, fault: Fault) {
        self.last = Some(last);
        self.fault = Some(fault);
        let has_body = self.head.is_some_and(|head| head.throw && head.status >= 400 && !head.bodiless);
        #[cfg(feature = "guard")]
        let is_looked_up = self.is_to_be_looked_up();
        #[cfg(not(feature = "guard"))]
        let is_looked_up = false;
        if (self.facts.callbacks.error_data || is_looked_up) && has_body {
            self.error_data = ErrorData::Awaited;
            return self.collect(cx);
        }
        self.consult(cx)
    }

    /// Asks `shouldRetry`, if there is one and time for a retry.
    pub(super) fn consult(&mut self, cx: &mut Context<impl Sink>) {
        let (Some(last), Some(fault)) = (self.last, self.fault) else { return };
        #[cfg(feature = "guard")]
        if self.is_to_be_looked_up() {
            return self.begin_lookup(cx);
        }
        if self.error_data == ErrorData::Collected && !self.facts.fits(cx.now) {
            let retried = classify::is_retried(fault, &self.facts.options.retry);
            return self.stop(cx, if retried { RetryStopped::Deadline } else { RetryStopped::Policy });
        }
        if self.facts.callbacks.should_retry && !matches!(fault, Fault::Demanded { .. }) {
            self.state = State::Ask(Question::ShouldRetry);
            let (call, attempt) = (cx.id, self.attempt);
            let retry = u64::from(self.retries).saturating_add(1);
            return self.tell_failing(cx, last, |sink, failing| sink.ask_should_retry(call, attempt, retry, failing));
        }
        self.judge(cx, None)
    }

    fn ask(&mut self, cx: &mut Context<impl Sink>, question: Question, value: u64) {
        self.state = State::Ask(question);
        cx.act(Action::Ask { call: cx.id, attempt: self.attempt, question, value, failure: None });
    }

    pub(super) fn on_answer(&mut self, cx: &mut Context<impl Sink>, question: Question, event: Event) {
        match (event, question) {
            (Event::Answer(answer), Question::ShouldRetry) => self.judge(cx, answer.map(|yes| yes != 0.0)),
            (Event::Answer(Some(ms)), _) if (0.0..f64::INFINITY).contains(&ms) => {
                let answer = Millis::from_f64(ms).min(self.facts.options.retry.backoff_limit);
                if question == Question::Delay { self.jitter(cx, answer) } else { self.schedule(cx, answer) }
            }
            (Event::Answer(_) | Event::CallbackFailed, _) => self.callback_failed(cx),
            _ => {}
        }
    }

    /// `verdict` is what `shouldRetry` said about the kind of failure.
    fn judge(&mut self, cx: &mut Context<impl Sink>, verdict: Option<bool>) {
        let Some(fault) = self.fault else { return };
        let retry = &self.facts.options.retry;
        let stopped = if !verdict.unwrap_or_else(|| classify::is_retried(fault, retry)) {
            RetryStopped::Policy
        } else if self.retries >= retry.limit {
            RetryStopped::Limit
        } else if !self.facts.gate.is_open() {
            RetryStopped::Method
        } else if !self.facts.replayable {
            RetryStopped::Body
        } else if self.retry_after() > retry.max_retry_after {
            RetryStopped::RetryAfter
        } else if matches!(fault, Fault::Demanded { exact: true, .. }) {
            self.bound = Millis::ZERO;
            return self.schedule(cx, Millis::ZERO);
        } else {
            let number = self.retries.saturating_add(1);
            if self.facts.callbacks.delay {
                return self.ask(cx, Question::Delay, u64::from(number));
            }
            let bound = backoff::bound(retry.delay, retry.backoff_limit, number);
            return self.jitter(cx, bound);
        };
        self.stop(cx, stopped)
    }

    /// What the server asked to wait, where that counts.
    fn retry_after(&self) -> Millis {
        match (self.fault, self.last) {
            (
                Some(Fault::Status { heeded: true, .. } | Fault::Demanded { heeded: true, .. }),
                Some(Last { retry_after: Some(wait), .. }),
            ) => wait,
            _ => Millis::ZERO,
        }
    }

    fn jitter(&mut self, cx: &mut Context<impl Sink>, bound: Millis) {
        self.bound = bound;
        let jitter = self.facts.options.retry.jitter;
        if jitter == Jitter::Custom {
            return self.ask(cx, Question::Jitter, bound.0);
        }
        let wait = self.draw(cx, jitter, bound);
        self.schedule(cx, wait)
    }

    /// The wait is known: it begins, if it and an attempt after it fit the deadline.
    fn schedule(&mut self, cx: &mut Context<impl Sink>, drawn: Millis) {
        let wait = self.retry_after() + drawn;
        let wake = self.wake_after(cx, wait);
        if !self.facts.fits(wake) {
            return self.stop(cx, RetryStopped::Deadline);
        }
        if let Some(stopped) = self.unaffordable(cx) {
            return self.stop(cx, stopped);
        }
        let code = self.last.map_or(ErrorCode::NetworkError, |last| last.code);
        if self.live {
            self.finish(cx, Some(code), Phase::Headers);
            self.discard(cx);
        }
        if self.facts.options.retry.jitter == Jitter::Custom {
            self.bound = drawn;
        }
        self.retries = self.retries.saturating_add(1);
        cx.tally.count(&self.facts, Counter::Retries);
        self.wake = wake;
        self.state = State::Backoff { redrawn: false };
        if self.facts.callbacks.observe {
            cx.act(Action::Retry { call: cx.id, attempt: self.attempt, wait, code });
        }
    }

    /// There is no retry. An answer with an error status is then the answer.
    pub(super) fn stop(&mut self, cx: &mut Context<impl Sink>, stopped: RetryStopped) {
        let Some(last) = self.last else { return };
        if self.live {
            self.last = Some(Last { stopped: Some(stopped), ..last });
            return self.accept(cx);
        }
        self.conclude(cx, last, Some(stopped))
    }

    pub(super) fn on_wake(&mut self, cx: &mut Context<impl Sink>) {
        match self.state {
            State::Farewell => return self.part(cx),
            State::Queued(..) => return self.queue_timeout(cx),
            #[cfg(feature = "guard")]
            State::Following => return self.queue_timeout(cx),
            #[cfg(feature = "guard")]
            State::Unsettled => return self.look_up(cx),
            _ => {}
        }
        let retry = &self.facts.options.retry;
        if matches!(self.state, State::Backoff { redrawn: false }) && cx.now.since(self.wake) > OVERSLEPT {
            let wait = self.draw(cx, retry.jitter, self.bound);
            self.wake = cx.now + wait;
            self.state = State::Backoff { redrawn: true };
            // If it no longer fits, the retry below finds out when it is due.
            if !self.facts.fits(self.wake) {
                self.retry(cx);
            }
            return;
        }
        let asleep = !matches!(self.state, State::Offline);
        if asleep && retry.wait_for_online && !cx.online {
            let until = (cx.now + retry.backoff_limit).min(self.facts.last_start());
            if until > cx.now {
                self.wake = until;
                self.state = State::Offline;
                return;
            }
        }
        self.retry(cx)
    }

    /// The wait is over.
    pub(super) fn retry(&mut self, cx: &mut Context<impl Sink>) {
        let stopped = if self.forbidden_by_page(cx) {
            Some(RetryStopped::Pagehide)
        } else if !self.facts.fits(self.wake.max(cx.now)) {
            Some(RetryStopped::Deadline)
        } else {
            cx.guard.refusal(cx.now, &self.facts).map(|_| RetryStopped::Circuit)
        };
        if let (Some(stopped), Some(last)) = (stopped, self.last) {
            return self.conclude(cx, last, Some(stopped));
        }
        self.attempt = self.attempt.saturating_add(1);
        self.resend = false;
        self.prepare(cx)
    }
}
