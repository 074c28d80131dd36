//! One call as a state machine.
//!
//! `mod` takes what comes in, `token` asks for what to send with, `admission` asks circuit and queue, `limits` knows which
//! limit is due, `lookup` asks about a lost write, `sharing` knows whose request it is, `retry` decides about another attempt, `ending` is the one place where a call settles.

mod admission;
mod ending;
mod limits;
#[cfg(feature = "guard")]
mod lookup;
mod retry;
#[cfg(feature = "guard")]
mod sharing;
#[cfg(not(feature = "guard"))]
#[path = "alone.rs"]
mod sharing;
mod token;

use alloc::vec::Vec;

use super::action::{Action, Question};
use super::auth::{Answer, Auths, Place};
use super::event::{Demand, Event, Head};
use super::facts::{Facts, Surface};
use super::failure::{Attempt, Failing};
use super::guard::{Entered, Guard, Permit, Ticket};
use super::sink::Sink;
use super::tally::Tally;
use crate::breaker::CircuitState;
use crate::budgets::Budgets;
use crate::classify::Fault;
use crate::error::ErrorCode;
#[cfg(feature = "guard")]
use crate::flights::News;
use crate::metrics::{Counter, Duration};
#[cfg(feature = "guard")]
use crate::outcome::Outcome;
use crate::phase::Phase;
use crate::rng::Rng;
use crate::slab::CallId;
use crate::stop::RetryStopped;
use crate::time::{Instant, Millis};
use ending::Last;
use limits::Limit;
use sharing::Shared;
pub(super) use sharing::news;

/// A body whose next piece is always ready leaves no timer its turn. This long after a limit it counts without one.
const STARVED: Millis = Millis(10_000);

/// What makes a call take a step.
#[derive(Clone, Copy)]
pub(super) enum Input {
    Begin,
    Event(u32, Event),
    Cancel {
        by_client: bool,
    },
    /// It has got the slot it waited for.
    Admitted,
    /// Its circuit has opened while it waited for a slot.
    Refused,
    /// About the request that it shares.
    #[cfg(feature = "guard")]
    News(News),
    /// Its wait for a token is over.
    Told(Answer),
    Timeout,
    Online,
    Pagehide,
}

/// What a step may use of the engine, and which step it is.
pub(super) struct Context<S> {
    pub(super) now: Instant,
    pub(super) id: CallId,
    pub(super) sink: S,
    pub(super) rng: Rng,
    pub(super) guard: Guard,
    pub(super) auths: Auths,
    pub(super) budgets: Budgets,
    pub(super) tally: Tally,
    /// The circuit that this step has opened.
    pub(super) opened: u64,
    pub(super) online: bool,
    pub(super) hidden: bool,
}

impl<S: Sink> Context<S> {
    // Where it is called the action is known, and so what becomes of it.
    #[inline(always)]
    pub(super) fn act(&mut self, action: Action) {
        self.sink.act(action);
    }
}

/// How the body of a response that was handed out is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reader {
    /// Nobody has touched it yet.
    Unread,
    /// The same, and this limit has passed: the driver was asked whether the platform took the body.
    Probing(Limit),
    /// A read is pending.
    Waiting,
    /// The reader is busy with what it has.
    Resting,
    /// The platform took it: nobody will tell us when it ends.
    Native,
}

/// The body of an error, where callbacks look at it before a retry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorData {
    Unread,
    /// It is being collected, and the retry is decided afterwards.
    Awaited,
    Collected,
}

#[derive(Clone, Copy)]
enum State {
    /// The driver makes the attempt ready.
    Prepare,
    /// Waiting for a token; with a head: of which a 401 says that it is needed.
    Token(Place),
    /// Waiting for a slot since then.
    Queued(Ticket, Instant),
    /// Waiting for another call to send the request that both share.
    #[cfg(feature = "guard")]
    Following,
    /// Fetch is under way.
    Sent,
    /// Hooks look at the head.
    Hook,
    /// A callback of the caller decides.
    Ask(Question),
    /// Waiting before a retry.
    Backoff { redrawn: bool },
    /// The driver asks what became of a lost write.
    #[cfg(feature = "guard")]
    Lookup,
    /// Waiting before it is asked again.
    #[cfg(feature = "guard")]
    Unsettled,
    /// A backoff, prolonged because the browser is offline.
    Offline,
    /// The response was handed out.
    Body(Reader),
    /// The response is an error, its body is read for `data`.
    Collect,
    /// The `beforeError` hooks look at the failure.
    Farewell,
    /// It is over.
    Ended,
}

/// One call.
pub(super) struct Call {
    facts: Facts,
    state: State,
    /// The number of the current attempt.
    attempt: u32,
    retries: u32,
    /// The current attempt was sent and has not ended.
    live: bool,
    sent: Instant,
    /// The token that it was sent with.
    moment: u64,
    /// It has failed without a connection.
    unsent: bool,
    /// It is the extra send after a token refresh.
    resend: bool,
    /// There was one.
    resent: bool,
    /// Of the current attempt, once it has come.
    head: Option<Head>,
    idle: Instant,
    wake: Instant,
    /// What the current wait was drawn from.
    bound: Millis,
    bytes: u64,
    error_data: ErrorData,
    /// The last real failure, while a retry of it is being decided or waited for.
    last: Option<Last>,
    fault: Option<Fault>,
    /// The current attempt was lost, and has been asked about.
    #[cfg(feature = "guard")]
    is_looked_up: bool,
    /// How often it was.
    #[cfg(feature = "guard")]
    lookups: u32,
    /// What the `beforeError` hooks look at.
    farewell: Option<Last>,
    /// It has a slot of its lane.
    slot: bool,
    /// It has waited for one before: it does not queue up anew.
    admitted: bool,
    /// Leave of its circuit, until what became of it is known.
    permit: Option<Permit>,
    #[cfg_attr(not(feature = "guard"), allow(dead_code, reason = "nothing in it"))]
    sharing: Shared,
    /// The retry that was decided is paid for, and not sent yet.
    charged: bool,
    /// Its first attempt has paid into the budget.
    deposited: bool,
    /// Attempts that are over and went out.
    attempts: Vec<Attempt>,
}

impl Call {
    pub(super) fn new(facts: Facts) -> Self {
        Self {
            facts,
            state: State::Prepare,
            attempt: 1,
            retries: 0,
            live: false,
            sent: Instant::NEVER,
            moment: 0,
            unsent: false,
            resend: false,
            resent: false,
            head: None,
            idle: Instant::NEVER,
            wake: Instant::NEVER,
            bound: Millis::ZERO,
            bytes: 0,
            error_data: ErrorData::Unread,
            last: None,
            fault: None,
            #[cfg(feature = "guard")]
            is_looked_up: false,
            #[cfg(feature = "guard")]
            lookups: 0,
            farewell: None,
            slot: false,
            admitted: false,
            permit: None,
            sharing: Shared::default(),
            charged: false,
            deposited: false,
            attempts: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, cx: &mut Context<impl Sink>, input: Input) {
        match input {
            Input::Begin => self.begin(cx),
            Input::Event(attempt, event) => self.on_event(cx, attempt, event),
            Input::Cancel { by_client } => {
                let by = if by_client { Counter::CancelledByClient } else { Counter::CancelledBySignal };
                cx.tally.count(&self.facts, by);
                self.give_up(cx, None)
            }
            Input::Admitted => self.on_admitted(cx),
            Input::Refused => self.on_refused(cx),
            #[cfg(feature = "guard")]
            Input::News(news) => self.on_news(cx, news),
            Input::Told(answer) => self.on_told(cx, answer),
            Input::Timeout => self.on_timeout(cx),
            Input::Online => self.on_online(cx),
            Input::Pagehide => self.on_pagehide(cx),
        }
    }

    fn begin(&mut self, cx: &mut Context<impl Sink>) {
        cx.tally.count(&self.facts, Counter::Calls);
        if self.forbidden_by_page(cx) {
            return self.leave(cx);
        }
        if let Some(wait) = cx.guard.refusal(cx.now, &self.facts) {
            return self.refuse_circuit(cx, wait);
        }
        if self.facts.callbacks.prepare && self.facts.fits(cx.now) {
            return self.prepare(cx);
        }
        let phase = if cx.now > self.facts.started { Phase::Load } else { Phase::Headers };
        self.authorize(cx, phase)
    }

    /// The driver makes the next attempt ready.
    fn prepare(&mut self, cx: &mut Context<impl Sink>) {
        self.head = None;
        self.error_data = ErrorData::Unread;
        self.state = State::Prepare;
        cx.act(Action::Prepare { call: cx.id, attempt: self.attempt, resend: self.is_resend() });
    }

    /// While the page is being left only the first attempt of a request that outlives its page may start.
    fn forbidden_by_page(&self, cx: &Context<impl Sink>) -> bool {
        cx.hidden && (self.last.is_some() || self.head.is_some() || !self.facts.keepalive)
    }

    /// The attempt is out.
    fn goes_out(&mut self, cx: &Context<impl Sink>) {
        self.state = State::Sent;
        self.live = true;
        self.unsent = false;
        self.sent = cx.now;
        self.last = None;
        self.head = None;
        self.bytes = 0;
        self.charged = false;
        #[cfg(feature = "guard")]
        {
            self.is_looked_up = false;
        }
        self.resent |= self.is_resend();
    }

    fn send(&mut self, cx: &mut Context<impl Sink>) {
        self.goes_out(cx);
        self.moment = cx.auths.moment(&self.facts);
        cx.tally.count(&self.facts, Counter::Attempts);
        if self.is_resend() {
            cx.tally.count(&self.facts, Counter::Resends);
        }
        self.take_off(cx);
        let left = self.facts.attempt_deadline().since(cx.now);
        cx.act(Action::Send { call: cx.id, attempt: self.attempt, left, resend: self.is_resend() });
    }

    // A function of its own: within `step` it makes the wasm module 1 % larger.
    #[inline(never)]
    fn on_event(&mut self, cx: &mut Context<impl Sink>, attempt: u32, event: Event) {
        match event {
            // These two belong to the call, not to an attempt.
            Event::Streaming => {
                self.facts.surface = Surface::Stream;
                return;
            }
            Event::Hooked => return self.part(cx),
            Event::Sharing(share) => {
                if Guard::ANY {
                    self.facts.keys.share = share;
                }
                return;
            }
            _ if attempt != self.attempt => return,
            _ => {}
        }
        match self.state {
            State::Prepare => self.on_prepared(cx, event),
            State::Sent | State::Hook => self.on_sent(cx, event),
            State::Ask(question) => self.on_answer(cx, question, event),
            #[cfg(feature = "guard")]
            State::Lookup => self.on_lookup(cx, event),
            #[cfg(feature = "guard")]
            State::Unsettled => {}
            State::Body(reader) => self.on_body(cx, reader, event),
            State::Collect => self.on_collect(cx, event),
            State::Token(_)
            | State::Queued(..)
            | State::Backoff { .. }
            | State::Offline
            | State::Farewell
            | State::Ended => {}
            #[cfg(feature = "guard")]
            State::Following => {}
        }
    }

    fn on_prepared(&mut self, cx: &mut Context<impl Sink>, event: Event) {
        match event {
            Event::Ready if self.forbidden_by_page(cx) => self.leave(cx),
            Event::Ready => self.authorize(cx, Phase::Hook),
            Event::Stop(reason) => match self.last {
                Some(last) => self.conclude(cx, last, Some(reason)),
                None => self.refuse(cx, ErrorCode::InvalidRequest),
            },
            Event::Refused(code) => self.refuse(cx, code),
            // A hook supplied the response: there is no attempt to judge, so it is the answer.
            Event::Head(head) => {
                self.head = Some(head);
                self.bytes = 0;
                // The limit of the attempt before, if there was one, is not that of this body.
                self.sent = Instant::NEVER;
                self.accept(cx)
            }
            Event::CallbackFailed => self.callback_failed(cx),
            _ => {}
        }
    }

    fn on_sent(&mut self, cx: &mut Context<impl Sink>, event: Event) {
        self.close(cx, event);
        match event {
            Event::Hooking { status } if matches!(self.state, State::Sent) => {
                self.head = Some(Head {
                    status,
                    length: None,
                    retry_after: None,
                    retried: false,
                    heeded: false,
                    demand: Demand::None,
                    throw: false,
                    bodiless: false,
                    unauthorized: false,
                });
                self.state = State::Hook;
            }
            Event::Head(head) => {
                self.head = Some(head);
                if Auths::ANY && head.unauthorized {
                    self.on_unauthorized(cx, head)
                } else if head.status >= 400 || head.demand != Demand::None {
                    let fault = self.fault_of(head);
                    self.fail(cx, Last::http(head), fault)
                } else {
                    self.accept(cx)
                }
            }
            Event::Failed | Event::Unconnected => {
                self.unsent = matches!(event, Event::Unconnected) && self.head.is_none();
                if cx.hidden {
                    return self.leave(cx);
                }
                if matches!(self.state, State::Hook) {
                    return self.lose(cx);
                }
                self.finish(cx, Some(ErrorCode::NetworkError), Phase::Headers);
                self.fail(cx, Last::new(ErrorCode::NetworkError, Phase::Headers), Fault::Network)
            }
            // The platform never sent it: it does not count as an attempt.
            Event::Refused(code) => {
                self.live = false;
                let counted = if self.follows() { Counter::Shared } else { Counter::Attempts };
                cx.tally.measure(&self.facts, |store| store.take_back(counted));
                self.charged = !self.follows() && self.attempt > 1 && !self.is_resend() && self.facts.keys.budget != 0;
                // It was cancelled when it was about to be sent.
                if code == ErrorCode::Aborted { self.give_up(cx, None) } else { self.refuse(cx, code) }
            }
            Event::CallbackFailed => self.callback_failed(cx),
            _ => {}
        }
    }

    /// The current head is the answer.
    fn accept(&mut self, cx: &mut Context<impl Sink>) {
        let Some(head) = self.head else { return };
        self.judge_head(cx, head);
        if head.status >= 400 && head.throw {
            if head.bodiless || self.error_data == ErrorData::Collected {
                return self.http_error(cx);
            }
            return self.collect(cx);
        }
        if head.length.is_some_and(|length| length > self.facts.options.max_response_bytes) {
            return self.too_large(cx);
        }
        let attempts = (self.attempts.len() as u32).saturating_add(u32::from(self.live));
        let elapsed = cx.now.since(self.facts.started);
        let stopped = self.last.and_then(|last| last.stopped);
        cx.act(Action::Respond { call: cx.id, attempts, elapsed, stopped });
        if head.bodiless {
            self.finish(cx, None, Phase::Body);
            return self.end(cx, None);
        }
        self.state = State::Body(Reader::Unread);
        self.idle = cx.now + self.facts.options.idle_timeout;
    }

    fn on_body(&mut self, cx: &mut Context<impl Sink>, reader: Reader, event: Event) {
        match event {
            Event::Reading => self.read(cx, Reader::Waiting),
            Event::Chunk { bytes, more } => {
                self.bytes = self.bytes.saturating_add(bytes);
                if self.bytes > self.facts.options.max_response_bytes {
                    return self.too_large(cx);
                }
                self.read(cx, if more { Reader::Waiting } else { Reader::Resting });
                self.feed_timers(cx);
            }
            Event::BodyEnd(Ok(())) | Event::Dropped => {
                self.finish(cx, None, Phase::Body);
                self.end(cx, None)
            }
            Event::BodyEnd(Err(code)) => {
                // It has ended: there is nothing to stop.
                self.finish(cx, Some(code), Phase::Body);
                self.break_off(cx, code, Phase::Body, None, None)
            }
            Event::Failed if cx.hidden => self.leave(cx),
            Event::Failed => self.lose(cx),
            Event::Length(length) => self.measure(cx, Some(length)),
            Event::Probed { taken } => {
                if let Reader::Probing(limit) = reader {
                    self.on_probed(cx, taken, limit);
                }
            }
            _ => {}
        }
    }

    fn read(&mut self, cx: &Context<impl Sink>, reader: Reader) {
        self.state = State::Body(reader);
        self.idle = cx.now + self.facts.options.idle_timeout;
    }

    /// A piece of a body has come: a limit that passed long ago counts.
    fn feed_timers(&mut self, cx: &mut Context<impl Sink>) {
        if self.next_timeout() + STARVED < cx.now {
            self.on_timeout(cx);
        }
    }

    /// Reads the start of the body for `data`.
    fn collect(&mut self, cx: &mut Context<impl Sink>) {
        self.state = State::Collect;
        self.idle = cx.now + self.facts.options.idle_timeout;
        cx.act(Action::Collect { call: cx.id });
    }

    /// No more of the body will be collected.
    fn collected(&mut self, cx: &mut Context<impl Sink>) {
        if self.error_data == ErrorData::Awaited {
            self.error_data = ErrorData::Collected;
            return self.consult(cx);
        }
        self.http_error(cx)
    }

    fn on_collect(&mut self, cx: &mut Context<impl Sink>, event: Event) {
        match event {
            Event::Chunk { bytes, .. } => {
                self.bytes = self.bytes.saturating_add(bytes);
                self.idle = cx.now + self.facts.options.idle_timeout;
                if self.bytes > self.facts.options.max_response_bytes {
                    // The status is the news: what is too large is not kept, and that is all.
                    self.abort(cx);
                    return self.collected(cx);
                }
                self.feed_timers(cx);
            }
            Event::BodyEnd(_) | Event::Failed | Event::Dropped => self.collected(cx),
            _ => {}
        }
    }

    fn on_pagehide(&mut self, cx: &mut Context<impl Sink>) {
        let waits =
            matches!(self.state, State::Prepare | State::Token(_) | State::Queued(..)) || self.waits_with_others();
        if waits && self.forbidden_by_page(cx) {
            self.leave(cx);
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    pub(super) fn waits_for_online(&self) -> bool {
        matches!(self.state, State::Offline)
    }

    fn on_online(&mut self, cx: &mut Context<impl Sink>) {
        if !matches!(self.state, State::Offline) {
            return;
        }
        self.wake = cx.now;
        self.retry(cx)
    }

    fn phase(&self, cx: &mut Context<impl Sink>) -> Phase {
        match self.state {
            State::Prepare | State::Hook | State::Ask(_) | State::Farewell | State::Ended => Phase::Hook,
            State::Sent => Phase::Headers,
            #[cfg(feature = "guard")]
            State::Lookup | State::Unsettled => Phase::Lookup,
            State::Token(_) => cx.auths.phase(&self.facts),
            State::Queued(..) => Phase::Queue,
            #[cfg(feature = "guard")]
            State::Following => Phase::Queue,
            State::Backoff { .. } | State::Offline => Phase::Backoff,
            State::Body(_) | State::Collect => Phase::Body,
        }
    }

    fn status(&self) -> Option<u16> {
        self.head.map(|head| head.status)
    }
}
