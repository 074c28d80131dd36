//! Which limit of a call is due next, and what happens when it passes.

use super::{Action, Call, Context, Facts, Reader, Sink, State};
use crate::classify::Fault;
use crate::engine::call::ending::Last;
use crate::error::ErrorCode;
use crate::phase::Phase;
use crate::stop::RetryStopped;
use crate::time::Instant;

/// A limit. Of two that are due in the same moment the first in this order is the one that passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Limit {
    /// `totalTimeout`, less `reserve` while an attempt is running.
    Total = 1,
    /// `timeout`.
    Attempt = 2,
    /// `headersTimeout`.
    Headers = 4,
    /// `idleTimeout`.
    Idle = 8,
    /// Not a limit: the end of a wait.
    Wake = 16,
}

impl Call {
    /// The next moment at which something is due, [`Instant::NEVER`] if nothing is.
    pub(in crate::engine) fn next_timeout(&self) -> Instant {
        self.due().0
    }

    fn due(&self) -> (Instant, Limit) {
        let limits = self.limits();
        let mut due = (Instant::NEVER, Limit::Total);
        for limit in [Limit::Total, Limit::Attempt, Limit::Headers, Limit::Idle, Limit::Wake] {
            if limits & limit as u8 != 0 {
                let at = self.at(limit);
                if at < due.0 {
                    due = (at, limit);
                }
            }
        }
        due
    }

    /// The limits that there are in the present state, a bit each.
    fn limits(&self) -> u8 {
        const TOTAL: u8 = Limit::Total as u8;
        const ATTEMPT: u8 = Limit::Attempt as u8;
        const HEADERS: u8 = Limit::Headers as u8;
        const IDLE: u8 = Limit::Idle as u8;
        const WAKE: u8 = Limit::Wake as u8;
        let Facts { surface, timeout_given, .. } = &self.facts;
        match self.state {
            State::Prepare | State::Token(_) | State::Ask(_) => TOTAL,
            State::Queued(..) | State::Backoff { .. } | State::Offline => TOTAL | WAKE,
            #[cfg(feature = "guard")]
            State::Following => TOTAL | WAKE,
            #[cfg(feature = "guard")]
            State::Lookup => TOTAL,
            #[cfg(feature = "guard")]
            State::Unsettled => TOTAL | WAKE,
            State::Sent => TOTAL | ATTEMPT | HEADERS,
            State::Hook => TOTAL | ATTEMPT,
            State::Collect => TOTAL | ATTEMPT | IDLE,
            // The driver answers while it performs the actions.
            State::Body(Reader::Probing(_)) => 0,
            State::Body(reader) => {
                let attempt = if surface.covers_body(*timeout_given) { ATTEMPT } else { 0 };
                let idle = if matches!(reader, Reader::Unread | Reader::Waiting) { IDLE } else { 0 };
                TOTAL | attempt | idle
            }
            State::Farewell | State::Ended => WAKE,
        }
    }

    /// When this limit passes, in the present state.
    fn at(&self, limit: Limit) -> Instant {
        let Facts { options, surface, total_given, .. } = &self.facts;
        match limit {
            // A scope ends all that is in it.
            Limit::Total if matches!(self.state, State::Body(_)) && !surface.covers_body(*total_given) => {
                self.facts.scope_deadline
            }
            Limit::Total if self.live => self.facts.attempt_deadline(),
            Limit::Total => self.facts.deadline(),
            Limit::Attempt => self.sent + options.timeout,
            Limit::Headers => self.sent + options.headers_timeout,
            Limit::Idle => self.idle,
            Limit::Wake => self.wake,
        }
    }

    pub(super) fn on_timeout(&mut self, cx: &mut Context<impl Sink>) {
        let (at, limit) = self.due();
        if at > cx.now {
            return;
        }
        match limit {
            Limit::Wake => self.on_wake(cx),
            limit if matches!(self.state, State::Body(Reader::Unread)) => {
                self.state = State::Body(Reader::Probing(limit));
                cx.act(Action::Probe { call: cx.id });
            }
            limit => self.pass(cx, limit),
        }
    }

    fn pass(&mut self, cx: &mut Context<impl Sink>, limit: Limit) {
        if limit == Limit::Total { self.on_deadline(cx) } else { self.time_out(cx, limit) }
    }

    /// The body that nobody read through us is now known to have been taken by the platform, or not.
    pub(super) fn on_probed(&mut self, cx: &mut Context<impl Sink>, taken: bool, limit: Limit) {
        if taken {
            self.state = State::Body(Reader::Native);
            // Nobody will tell us when it ends.
            self.release(cx);
            if limit == Limit::Idle {
                // The other limits go on, if any covers the body; we hear no more of it.
                if self.next_timeout() == Instant::NEVER {
                    self.end_native(cx);
                }
                return;
            }
        } else if limit != Limit::Total || self.facts.scope_deadline.before(self.facts.options.reserve) > cx.now {
            return self.abandon(cx, limit);
        }
        self.pass(cx, limit)
    }

    /// The body stays unread: that is no failure of the call. Only its scope ends with all that is in it.
    fn abandon(&mut self, cx: &mut Context<impl Sink>, limit: Limit) {
        let (code, phase, passed) = match limit {
            Limit::Total => (ErrorCode::DeadlineExceeded, Phase::Body, self.total()),
            Limit::Idle => (ErrorCode::Timeout, Phase::Idle, self.facts.options.idle_timeout.limit()),
            _ => (ErrorCode::Timeout, Phase::Body, self.facts.options.timeout.limit()),
        };
        let last = self.last_in_body(code, phase, passed);
        let call = cx.id;
        self.tell_failing(cx, last, |sink, failing| sink.abandon(call, failing));
        self.abort(cx);
        self.end_native(cx);
    }

    fn end_native(&mut self, cx: &mut Context<impl Sink>) {
        self.finish(cx, None, Phase::Body);
        self.end(cx, None)
    }

    fn on_deadline(&mut self, cx: &mut Context<impl Sink>) {
        let waits = matches!(self.state, State::Token(_) | State::Queued(..) | State::Backoff { .. } | State::Offline)
            || self.waits_with_others();
        #[cfg(feature = "guard")]
        let waits = waits || matches!(self.state, State::Unsettled);
        if let (true, Some(last)) = (waits, self.last) {
            // What is waited for is a repetition of a call that has failed already: that failure is the news.
            return self.conclude(cx, last, Some(RetryStopped::Deadline));
        }
        if self.settle_quietly(cx) {
            return;
        }
        let phase = self.phase(cx);
        self.exceed(cx, phase)
    }

    /// A limit of one attempt has passed.
    pub(super) fn time_out(&mut self, cx: &mut Context<impl Sink>, limit: Limit) {
        if self.settle_quietly(cx) {
            return;
        }
        let phase = if limit == Limit::Idle { Phase::Idle } else { self.phase(cx) };
        let options = &self.facts.options;
        let passed = match limit {
            Limit::Headers => options.headers_timeout,
            Limit::Idle => options.idle_timeout,
            _ => options.timeout,
        };
        cx.tally.measure(&self.facts, |store| store.timed_out(phase));
        if matches!(self.state, State::Sent) {
            self.abort(cx);
            self.finish(cx, Some(ErrorCode::Timeout), phase);
            let last = Last { limit: passed.limit(), ..Last::new(ErrorCode::Timeout, phase) };
            return self.fail(cx, last, Fault::HeadersTimeout);
        }
        self.break_off(cx, ErrorCode::Timeout, phase, passed.limit(), Some(RetryStopped::Policy))
    }

    /// A limit that passes while an error's body is being read, or after the platform took the body, changes nothing
    /// about how the call ended: only the I/O stops.
    fn settle_quietly(&mut self, cx: &mut Context<impl Sink>) -> bool {
        match self.state {
            State::Collect => {
                self.abort(cx);
                self.collected(cx);
            }
            State::Body(Reader::Native) => {
                self.abort(cx);
                self.end_native(cx);
            }
            _ => return false,
        }
        true
    }
}
