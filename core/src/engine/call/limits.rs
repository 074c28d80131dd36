//! Which limit of a call is due next, and what happens when it passes.

use super::{Action, Call, Context, Flow, Reader, State};
use crate::classify::Fault;
use crate::engine::call::ending::Last;
use crate::error::ErrorCode;
use crate::phase::Phase;
use crate::stop::RetryStopped;
use crate::time::Instant;

/// A limit. Of two that are due in the same moment the first in this order is the one that passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    /// `totalTimeout`, less `reserve` while an attempt is running.
    Total,
    /// `timeout`.
    Attempt,
    /// `headersTimeout`.
    Headers,
    /// `idleTimeout`.
    Idle,
    /// Not a limit: the end of a wait.
    Wake,
}

impl Call {
    /// The next moment at which something is due, [`Instant::NEVER`] if nothing is.
    pub(in crate::engine) fn next_timeout(&self) -> Instant {
        self.due().0
    }

    fn due(&self) -> (Instant, Limit) {
        let facts = &self.facts;
        let surface = facts.surface;
        let never = Instant::NEVER;
        let attempt = self.sent + facts.options.timeout;
        let (total, attempt, headers, idle, wake) = match self.state {
            State::Prepare | State::Ask(_) => (facts.deadline(), never, never, never, never),
            State::Farewell(_) => (self.wake, never, never, never, never),
            // The driver answers while it performs the actions.
            State::Body(Reader::Probing(_)) => return (never, Limit::Total),
            State::Backoff { .. } | State::Offline => (facts.deadline(), never, never, never, self.wake),
            State::Sent => {
                let headers = self.sent + facts.options.headers_timeout;
                (facts.attempt_deadline(), attempt, headers, never, never)
            }
            State::Hook => (facts.attempt_deadline(), attempt, never, never, never),
            State::Collect => (facts.attempt_deadline(), attempt, never, self.idle, never),
            State::Body(reader) => {
                let total = if surface.covers_body(facts.total_given) { facts.attempt_deadline() } else { never };
                let attempt = if surface.covers_body(facts.timeout_given) { attempt } else { never };
                let idle = if matches!(reader, Reader::Unread | Reader::Waiting) { self.idle } else { never };
                (total, attempt, never, idle, never)
            }
        };
        let mut due = (total, Limit::Total);
        for next in [(attempt, Limit::Attempt), (headers, Limit::Headers), (idle, Limit::Idle), (wake, Limit::Wake)] {
            if next.0 < due.0 {
                due = next;
            }
        }
        due
    }

    pub(super) fn on_timeout(&mut self, cx: &mut Context<'_>) -> Flow {
        let (at, limit) = self.due();
        if at > cx.now {
            return Flow::Continue;
        }
        match limit {
            Limit::Wake => self.on_wake(cx),
            limit if matches!(self.state, State::Body(Reader::Unread)) => {
                self.state = State::Body(Reader::Probing(limit));
                cx.act(Action::Probe { call: cx.id });
                Flow::Continue
            }
            limit => self.pass(cx, limit),
        }
    }

    fn pass(&mut self, cx: &mut Context<'_>, limit: Limit) -> Flow {
        if limit == Limit::Total { self.on_deadline(cx) } else { self.time_out(cx, limit) }
    }

    /// The body that nobody read through us is now known to have been taken by the platform, or not.
    pub(super) fn on_probed(&mut self, cx: &mut Context<'_>, taken: bool, limit: Limit) -> Flow {
        if taken {
            self.state = State::Body(Reader::Native);
            if limit == Limit::Idle {
                // The other limits go on, if any covers the body; we hear no more of it.
                return if self.next_timeout() == Instant::NEVER { self.end_native(cx) } else { Flow::Continue };
            }
        }
        self.pass(cx, limit)
    }

    fn end_native(&mut self, cx: &mut Context<'_>) -> Flow {
        self.finish(cx, None, Phase::Body);
        self.end(cx, Ok(()))
    }

    fn on_deadline(&mut self, cx: &mut Context<'_>) -> Flow {
        match core::mem::replace(&mut self.state, State::Prepare) {
            State::Farewell(failure) => self.end(cx, Err(failure)),
            // What is waited for is a repetition of a call that has failed already: that failure is the news.
            state @ (State::Backoff { .. } | State::Offline) => {
                self.state = state;
                match self.last {
                    Some(last) => self.conclude(cx, last, Some(RetryStopped::Deadline)),
                    None => self.exceed(cx, Phase::Backoff),
                }
            }
            state => {
                self.state = state;
                if let Some(flow) = self.settle_quietly(cx) {
                    return flow;
                }
                let phase = self.phase();
                self.exceed(cx, phase)
            }
        }
    }

    /// A limit of one attempt has passed.
    pub(super) fn time_out(&mut self, cx: &mut Context<'_>, limit: Limit) -> Flow {
        if let Some(flow) = self.settle_quietly(cx) {
            return flow;
        }
        let phase = if limit == Limit::Idle { Phase::Idle } else { self.phase() };
        let options = &self.facts.options;
        let passed = match limit {
            Limit::Headers => options.headers_timeout,
            Limit::Idle => options.idle_timeout,
            _ => options.timeout,
        };
        let mut last = self.last_in_body(ErrorCode::Timeout, phase, passed.limit());
        let before_headers = matches!(self.state, State::Sent);
        self.abort(cx);
        self.finish(cx, Some(ErrorCode::Timeout), phase);
        if before_headers {
            last = Last { bytes: 0, ..last };
            return self.fail(cx, last, Fault::HeadersTimeout);
        }
        self.conclude(cx, last, Some(RetryStopped::Policy))
    }

    /// A limit that passes while an error's body is being read, or after the platform took the body, changes nothing
    /// about how the call ended: only the I/O stops.
    fn settle_quietly(&mut self, cx: &mut Context<'_>) -> Option<Flow> {
        match self.state {
            State::Collect => {
                self.abort(cx);
                Some(self.http_error(cx))
            }
            State::Body(Reader::Native) => {
                self.abort(cx);
                Some(self.end_native(cx))
            }
            _ => None,
        }
    }
}
