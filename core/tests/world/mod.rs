//! A scripted server and a virtual clock: what a driver and a network do, without either.
//!
//! Every rule that must hold for every call whatever happens is checked here, while the world runs: a test that uses
//! the world tests them all.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its own part")]

pub mod auth;

use std::collections::{BTreeMap, VecDeque};

use steadfetch_core::breaker::{BreakerOptions, CircuitState};
use steadfetch_core::engine::{
    Action, Attempt, CallId, Callbacks, Demand, Engine, Event, Facts, Failure, Given, Head, Keys, Question, Surface,
};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::options::Options;
use steadfetch_core::phase::Phase;
use steadfetch_core::queue::Priority;
use steadfetch_core::refresh::{AuthEvent, RefreshOptions};
use steadfetch_core::status::RetryStatuses;
use steadfetch_core::time::{Instant, Millis};

use auth::{Auth, Reply};

/// What becomes of one attempt, from its dispatch.
#[derive(Clone, Debug)]
pub struct Step {
    /// When fetch settles; `None`: never.
    pub after: Option<u64>,
    pub result: Settled,
}

#[derive(Clone, Debug)]
pub enum Settled {
    NetworkError,
    /// A network error before there was a connection.
    Unconnected,
    Refused(ErrorCode),
    /// 200 to the valid token of its `auth`, 401 to all else.
    Guarded,
    Answer {
        status: u16,
        length: Option<u64>,
        retry_after: Option<u64>,
        bodiless: bool,
        body: Body,
    },
}

/// Pieces of a body, each after a pause, and how it ends.
#[derive(Clone, Debug)]
pub struct Body {
    pub pieces: Vec<(u64, u64)>,
    pub end: BodyEnd,
}

#[derive(Clone, Debug)]
pub enum BodyEnd {
    Complete(Option<ErrorCode>),
    Broken,
    Silence,
    /// Nobody reads it; the flag is what a probe finds.
    Unread(bool),
    /// The reader stops after the pieces.
    Cancelled,
}

pub fn hang() -> Step {
    Step { after: None, result: Settled::NetworkError }
}
pub fn refuse(after: u64) -> Step {
    Step { after: Some(after), result: Settled::NetworkError }
}
pub fn unconnected(after: u64) -> Step {
    Step { after: Some(after), result: Settled::Unconnected }
}
pub fn guarded(after: u64) -> Step {
    Step { after: Some(after), result: Settled::Guarded }
}
pub fn answer(after: u64, status: u16) -> Step {
    let body = Body { pieces: vec![(0, 2)], end: BodyEnd::Complete(None) };
    Step {
        after: Some(after),
        result: Settled::Answer { status, length: None, retry_after: None, bodiless: false, body },
    }
}
pub fn answer_with(after: u64, status: u16, pieces: &[(u64, u64)], end: BodyEnd) -> Step {
    let body = Body { pieces: pieces.to_vec(), end };
    Step {
        after: Some(after),
        result: Settled::Answer { status, length: None, retry_after: None, bodiless: false, body },
    }
}
pub fn busy(after: u64, status: u16, wait: u64) -> Step {
    let mut step = answer(after, status);
    if let Settled::Answer { retry_after, .. } = &mut step.result {
        *retry_after = Some(wait);
    }
    step
}

/// The head of a response to a shortcut, as an event.
pub fn head(status: u16, bodiless: bool) -> Event {
    Event::Head(Head {
        status,
        length: None,
        retry_after: None,
        retried: false,
        heeded: false,
        demand: Demand::None,
        throw: true,
        bodiless,
        unauthorized: false,
    })
}

/// Facts of a GET with the defaults of the case list: headers and idle 300 ms, 5 s in all, no retries, delay 100 ms, cap 1 s.
pub fn facts() -> Facts {
    let mut options = Options {
        headers_timeout: Millis(300),
        idle_timeout: Millis(300),
        total_timeout: Millis(5_000),
        ..Options::default()
    };
    options.retry.limit = 0;
    options.retry.delay = Millis(100);
    options.retry.backoff_limit = Millis(1_000);
    Facts {
        started: Instant(0),
        options,
        keys: Keys::default(),
        auth: 0,
        priority: Priority::Auto,
        scope_deadline: Instant::NEVER,
        streams_upload: false,
        gate: Gate { method: Method::Get, listed: None, keyed: false, idempotent: None },
        replayable: true,
        keepalive: false,
        surface: Surface::Shortcut,
        timeout_given: Given::Default,
        total_given: Given::Default,
        callbacks: Callbacks { observe: true, ..Callbacks::default() },
    }
}

/// A circuit that opens after so many failures, and closes after one probe that went well, 300 ms later.
pub fn breaker(failure_threshold: u32) -> BreakerOptions {
    BreakerOptions {
        failure_threshold,
        reset_timeout: Millis(300),
        half_open_successes: 1,
        ..BreakerOptions::default()
    }
}

pub fn retrying(limit: u32) -> Facts {
    let mut facts = facts();
    facts.options.retry.limit = limit;
    facts
}

/// What is known of a call from outside.
#[derive(Debug, Default)]
pub struct Seen {
    pub facts: Option<Facts>,
    pub script: VecDeque<Step>,
    /// (attempt, when)
    pub sent: Vec<(u32, u64)>,
    /// Those of them that were the request of another call.
    pub shared: Vec<u32>,
    /// Which request the last one is.
    request: usize,
    /// Those of them that were the extra send after a refresh.
    pub resent: Vec<u32>,
    /// The token of each, and its generation.
    pub tokens: Vec<(Option<u32>, u32)>,
    pub closed: Vec<(u32, u64)>,
    pub discarded: Vec<u32>,
    pub prepared: Vec<u32>,
    pub waits: Vec<u64>,
    pub asked: Vec<(Question, u64)>,
    pub queued: Vec<(u32, u64)>,
    pub circuit: Vec<(CircuitState, u64)>,
    pub lefts: Vec<Millis>,
    pub ended_attempts: Vec<Attempt>,
    pub responded: Option<u64>,
    pub attempts_at_response: u32,
    pub lookups: Vec<u64>,
    pub collected: bool,
    pub collects: usize,
    pub before_error: bool,
    pub cancelled: bool,
    pub end: Option<(u64, Result<(), Failure>)>,
    live: Option<u32>,
    /// The current attempt needs its slot no more.
    short: bool,
    unread: bool,
    /// What later reads of a body that was given up fail with.
    pub abandoned: Option<Failure>,
}

impl Seen {
    pub fn failure(&self) -> &Failure {
        match &self.end {
            Some((_, Err(failure))) => failure,
            other => panic!("expected a failure, found {other:?}"),
        }
    }
    pub fn ended_at(&self) -> u64 {
        self.end.as_ref().expect("still pending").0
    }
    pub fn ok(&self) -> bool {
        matches!(self.end, Some((_, Ok(()))))
    }
}

#[derive(Clone, Copy, Debug)]
enum Happening {
    Call(CallId, u32, Event),
    Auth(u32, u64, Reply),
}

/// A request that is out, perhaps of several calls.
#[derive(Clone, Debug)]
pub struct Request {
    at: u64,
    step: Step,
    /// Who waits for it, and when each has left.
    pub calls: Vec<(CallId, Option<u64>)>,
}

impl Request {
    /// When it was closed: with its last call.
    pub fn closed(&self) -> Option<u64> {
        self.calls.iter().map(|call| call.1).max().flatten().filter(|_| self.calls.iter().all(|call| call.1.is_some()))
    }
}

pub struct World {
    pub engine: Engine,
    pub requests: Vec<Request>,
    pub now: u64,
    pub calls: BTreeMap<CallId, Seen>,
    pub auths: BTreeMap<u32, Auth>,
    agenda: BTreeMap<(u64, u64), Happening>,
    serial: u64,
    /// How long `Prepare` takes; `None`: for ever.
    pub prepare: Option<u64>,
    /// Answers to `Ask` in order; when empty `None`. An inner `None` never answers.
    pub answers: VecDeque<Option<Event>>,
    /// What each lookup finds, and after how long; when empty none is answered.
    pub lookups: VecDeque<(u64, Event)>,
    /// How long `beforeError` hooks take; `None`: for ever.
    pub farewell: Option<u64>,
    /// Timers fire this much late.
    pub late: u64,
    pub watching_online: bool,
    pub online: bool,
    /// Which statuses are retried, and after which wait.
    pub statuses: RetryStatuses,
    /// What a hook asks for, of every answer.
    pub demand: Demand,
}

impl World {
    pub fn new() -> Self {
        Self::seeded([1, 2, 3, 4])
    }

    pub fn seeded(seed: [u32; 4]) -> Self {
        Self {
            engine: Engine::new(seed),
            requests: Vec::new(),
            now: 0,
            calls: BTreeMap::new(),
            auths: BTreeMap::new(),
            agenda: BTreeMap::new(),
            serial: 0,
            prepare: Some(0),
            answers: VecDeque::new(),
            lookups: VecDeque::new(),
            farewell: Some(0),
            late: 0,
            watching_online: false,
            online: true,
            statuses: RetryStatuses::default(),
            demand: Demand::None,
        }
    }

    /// One whose calls retry these statuses.
    pub fn retrying(statuses: &[u16]) -> Self {
        let mut world = Self::new();
        world.statuses.retried = statuses.iter().copied().collect();
        world
    }

    /// Runs one call to its end.
    pub fn run_call(mut self, facts: Facts, script: impl IntoIterator<Item = Step>) -> Seen {
        let id = self.start(facts, script);
        self.run();
        self.assert_at_rest();
        self.calls.remove(&id).expect("started")
    }

    /// Makes an `auth` object.
    pub fn auth(&mut self, number: u32, options: RefreshOptions) -> &mut Auth {
        #[cfg(feature = "guard")]
        self.engine.set_auth(number, options);
        self.auths.entry(number).or_insert_with(|| Auth::new(options))
    }

    /// Somebody who was asked on behalf of an `auth` object says something.
    pub fn reply(&mut self, auth: u32, ticket: u64, reply: Reply) {
        let event = self.auths.get_mut(&auth).expect("an auth").report(ticket, reply);
        #[cfg(feature = "guard")]
        self.engine.on_auth(Instant(self.now), auth, ticket, event);
        #[cfg(not(feature = "guard"))]
        let _ = (auth, ticket, event);
        self.perform();
    }

    /// Anything is reported about any `auth` object.
    pub fn auth_event(&mut self, auth: u32, ticket: u64, event: AuthEvent) {
        #[cfg(feature = "guard")]
        self.engine.on_auth(Instant(self.now), auth, ticket, event);
        #[cfg(not(feature = "guard"))]
        let _ = (auth, ticket, event);
        self.perform();
    }

    pub fn start(&mut self, mut facts: Facts, script: impl IntoIterator<Item = Step>) -> CallId {
        facts.started = Instant(self.now);
        self.start_late(facts, script)
    }

    /// Starts a call that was asked for earlier.
    pub fn start_late(&mut self, facts: Facts, script: impl IntoIterator<Item = Step>) -> CallId {
        let id = self.engine.start(Instant(self.now), facts.clone());
        let seen = Seen { facts: Some(facts), script: script.into_iter().collect(), ..Seen::default() };
        assert!(self.calls.insert(id, seen).is_none(), "an id was given twice");
        self.perform();
        id
    }

    pub fn cancel(&mut self, id: CallId) {
        self.seen(id).cancelled = true;
        self.engine.cancel(Instant(self.now), id, false);
        self.perform();
    }

    pub fn hide(&mut self, hidden: bool) {
        self.engine.set_hidden(Instant(self.now), hidden);
        self.perform();
    }

    pub fn go_online(&mut self, online: bool) {
        self.online = online;
        if self.watching_online {
            self.engine.set_online(Instant(self.now), online);
            self.perform();
        }
    }

    pub fn event(&mut self, id: CallId, attempt: u32, event: Event) {
        let seen = self.calls.get_mut(&id).expect("a call that was never started");
        if seen.live == Some(attempt) {
            match event {
                Event::Head(head) => {
                    let auth = seen.facts.as_ref().map_or(0, |facts| facts.auth);
                    if let (true, true, Some(auth)) =
                        (head.unauthorized, seen.resent.is_empty(), self.auths.get_mut(&auth))
                    {
                        auth.refused = auth.refused.max(seen.tokens.last().map(|token| token.1));
                    }
                    seen.short = head.bodiless || head.length.is_some_and(|length| length <= 64 * 1024)
                }
                Event::Length(length) => seen.short |= length <= 64 * 1024,
                Event::Probed { taken: true } | Event::Refused(_) => seen.short = true,
                _ => {}
            }
        }
        self.engine.on_event(Instant(self.now), id, attempt, event);
        self.perform();
    }

    pub fn later(&mut self, after: u64, id: CallId, attempt: u32, event: Event) {
        self.serial += 1;
        self.agenda.insert((self.now + after, self.serial), Happening::Call(id, attempt, event));
    }

    /// Runs until nothing is due any more.
    pub fn run(&mut self) {
        self.run_until(u64::MAX - 1);
    }

    pub fn run_for(&mut self, ms: u64) {
        self.run_until(self.now + ms);
    }

    /// Runs up to this moment, inclusive. Events go before timers that are due in the same moment.
    pub fn run_until(&mut self, until: u64) {
        for _ in 0..1_000_000 {
            let event = self.agenda.keys().next().copied();
            let timer = self.engine.poll_timeout().map(|at| at.0.max(self.now).saturating_add(self.late));
            match (event, timer) {
                (Some((at, _)), timer) if at <= until && timer.is_none_or(|timer| at <= timer) => {
                    self.now = self.now.max(at);
                    match self.agenda.pop_first().expect("just seen").1 {
                        Happening::Call(id, attempt, event) => self.event(id, attempt, event),
                        Happening::Auth(auth, ticket, reply) => self.reply(auth, ticket, reply),
                    }
                }
                (_, Some(at)) if at <= until => {
                    self.now = at;
                    self.engine.set_online(Instant(at), self.online);
                    self.engine.on_timeout(Instant(at));
                    self.perform();
                }
                _ => {
                    if until < u64::MAX - 1 {
                        self.now = self.now.max(until);
                    }
                    return;
                }
            }
        }
        panic!("the world does not come to rest");
    }

    /// The timer fires now, whatever it was armed for.
    pub fn tick(&mut self) {
        self.engine.on_timeout(Instant(self.now));
        self.perform();
    }

    pub fn seen(&mut self, id: CallId) -> &mut Seen {
        self.calls.get_mut(&id).expect("a call that was never started")
    }

    fn perform(&mut self) {
        while let Some(action) = self.engine.poll_action() {
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        let now = self.now;
        match action {
            Action::Prepare { call, attempt, resend } => {
                let seen = self.alive(call);
                assert!(!resend || seen.resent.is_empty(), "one resend");
                seen.prepared.push(attempt);
                if let Some(after) = self.prepare {
                    self.later(after, call, attempt, Event::Ready);
                }
            }
            Action::Queued { call, attempt } => self.alive(call).queued.push((attempt, now)),
            Action::Circuit { call, state } => self.alive(call).circuit.push((state, now)),
            Action::Send { call, attempt, left, resend } => self.send(call, attempt, left, resend, None),
            Action::Share { call, attempt, left, resend, with } => {
                assert_ne!(call, with, "a call that follows itself");
                self.send(call, attempt, left, resend, Some(with));
            }
            Action::Abort { call, attempt } => {
                let seen = self.alive(call);
                seen.closed.push((attempt, now));
                seen.live = None;
                self.part(call);
                // The platform's own AbortError comes late, and must change nothing.
                self.later(1, call, attempt, Event::Failed);
            }
            Action::Discard { call, attempt } => {
                let seen = self.alive(call);
                seen.discarded.push(attempt);
                seen.live = None;
                self.part(call);
            }
            Action::Ask { call, attempt, question, value, failure } => {
                let seen = self.alive(call);
                seen.asked.push((question, value));
                assert_eq!(failure.is_some(), question == Question::ShouldRetry);
                if let Some(failure) = failure {
                    assert_eq!(failure.attempts.len(), seen.sent.len(), "the failure knows every attempt");
                }
                if let Some(event) = self.answers.pop_front().unwrap_or(Some(Event::Answer(None))) {
                    self.later(0, call, attempt, event);
                }
            }
            Action::LookUp { call, attempt } => {
                let seen = self.alive(call);
                seen.lookups.push(now);
                // An answer that is kept meanwhile has given its slot back: the lookup may need it.
                seen.short = true;
                if let Some((after, event)) = self.lookups.pop_front() {
                    self.later(after, call, attempt, event);
                }
            }
            Action::Retry { call, wait, .. } => self.alive(call).waits.push(wait.0),
            Action::AttemptEnd { call, attempt } => {
                let seen = self.alive(call);
                seen.live = None;
                seen.ended_attempts.push(attempt);
                self.part(call);
            }
            Action::Respond { call, attempts, .. } => {
                let seen = self.alive(call);
                assert!(seen.responded.replace(now).is_none(), "two responses");
                seen.attempts_at_response = attempts;
            }
            Action::Collect { call } => {
                let seen = self.alive(call);
                seen.collected = true;
                seen.collects += 1;
            }
            Action::BeforeError { call, .. } => {
                let seen = self.alive(call);
                assert!(!seen.before_error, "beforeError runs once");
                seen.before_error = true;
                if let Some(after) = self.farewell {
                    self.later(after, call, 0, Event::Hooked);
                }
            }
            Action::Probe { call } => {
                let taken = self.alive(call).unread;
                let attempt = self.alive(call).sent.last().map_or(1, |sent| sent.0);
                self.event(call, attempt, Event::Probed { taken });
            }
            Action::Abandon { call, failure } => {
                let seen = self.alive(call);
                assert!(seen.abandoned.replace(*failure).is_none(), "given up twice");
            }
            Action::Auth { auth, verb, ticket } => {
                let keeper = self.auths.get_mut(&auth).expect("an auth");
                if let Some((after, reply)) = keeper.act(now, verb, ticket) {
                    self.serial += 1;
                    self.agenda.insert((now + after, self.serial), Happening::Auth(auth, ticket, reply));
                }
            }
            Action::WatchOnline(watch) => {
                assert_ne!(self.watching_online, watch);
                self.watching_online = watch;
            }
            Action::End { call, result } => {
                let seen = self.alive(call);
                let attempts = seen.sent.len();
                if let Err(failure) = &result {
                    assert!(failure.attempts.len() <= attempts);
                    assert_eq!(failure.elapsed, Instant(now).since(seen.facts.as_ref().expect("facts").started));
                    let numbers: Vec<u32> = failure.attempts.iter().map(|attempt| attempt.number).collect();
                    assert!(numbers.is_sorted(), "attempts in order");
                }
                seen.end = Some((now, result.map_err(|failure| *failure)));
            }
        }
    }

    fn send(&mut self, call: CallId, attempt: u32, left: Millis, resend: bool, with: Option<CallId>) {
        let now = self.now;
        let auth = self.seen(call).facts.as_ref().map_or(0, |facts| facts.auth);
        let token = self.auths.get(&auth).map_or((None, 0), |auth| (auth.current, auth.generation));
        let shared = with.map(|with| self.calls[&with].request);
        // The one that was to send it did not: the driver sends it for the next.
        let unsent = |at: &usize| matches!(self.requests[*at].step.result, Settled::Refused(ErrorCode::Aborted));
        let shared = shared.filter(|at| !unsent(at));
        // It is sent with the token of the first.
        let token = shared.map_or(token, |at| *self.calls[&self.requests[at].calls[0].0].tokens.last().expect("sent"));
        let seen = self.alive(call);
        seen.tokens.push(token);
        if resend {
            seen.resent.push(attempt);
            assert_eq!(seen.resent.len(), 1, "one resend");
            assert!(auth != 0, "a resend without a refresh");
        }
        seen.lefts.push(left);
        seen.short = false;
        let facts = seen.facts.clone().expect("facts");
        assert_eq!(seen.live, None, "two live attempts of one call");
        assert!(attempt > seen.sent.last().map_or(0, |sent| sent.0), "attempt numbers rise");
        assert!(Instant(now) < facts.attempt_deadline(), "nothing starts after the deadline");
        let least = facts.options.min_attempt_time.0;
        assert!(
            facts.attempt_deadline().since(Instant(now)).0 >= least,
            "nothing starts with less than minAttemptTime left"
        );
        seen.sent.push((attempt, now));
        if with.is_some() {
            seen.shared.push(attempt);
        }
        seen.live = Some(attempt);
        let most = facts.options.retry.limit as usize + 1 + seen.resent.len();
        assert!(seen.sent.len() <= most, "fetches <= limit + 1 + one resend");
        let own = seen.script.pop_front().unwrap_or_else(hang);
        let at = shared.unwrap_or_else(|| {
            self.requests.push(Request { at: now, step: own, calls: Vec::new() });
            self.requests.len() - 1
        });
        let request = &mut self.requests[at];
        assert!(request.calls.is_empty() || request.closed().is_none(), "a request that was given up is shared");
        request.calls.push((call, None));
        let (since, mut step) = (now - request.at, request.step.clone());
        step.after = step.after.map(|after| after.saturating_sub(since));
        self.seen(call).request = at;
        self.settle(call, attempt, step);
        #[cfg(feature = "guard")]
        {
            let (lane, slots) = (facts.keys.lane, facts.options.queue.concurrency);
            assert!(lane == 0 || self.occupied(lane) <= slots, "more slots than there are");
        }
    }

    /// A call waits for its request no more.
    fn part(&mut self, call: CallId) {
        let (now, seen) = (self.now, self.seen(call));
        if seen.sent.is_empty() {
            return;
        }
        let request = seen.request;
        for member in &mut self.requests[request].calls {
            if member.0 == call {
                member.1.get_or_insert(now);
            }
        }
    }

    fn alive(&mut self, call: CallId) -> &mut Seen {
        let seen = self.calls.get_mut(&call).expect("an action for an unknown call");
        assert!(seen.end.is_none(), "an action for a call that is over: {seen:?}");
        seen
    }

    fn settle(&mut self, call: CallId, attempt: u32, step: Step) {
        let Some(after) = step.after else { return };
        match step.result {
            Settled::NetworkError => self.later(after, call, attempt, Event::Failed),
            Settled::Unconnected => self.later(after, call, attempt, Event::Unconnected),
            Settled::Refused(code) => self.later(after, call, attempt, Event::Refused(code)),
            Settled::Guarded => {
                let seen = self.seen(call);
                let (auth, token) = (seen.facts.as_ref().expect("facts").auth, seen.tokens.last().expect("sent").0);
                let good = self.auths.get(&auth).is_some_and(|auth| token == Some(auth.valid));
                self.settle(call, attempt, answer(after, if good { 200 } else { 401 }));
            }
            Settled::Answer { status, length, retry_after, bodiless, body } => {
                let facts = self.seen(call).facts.clone().expect("facts");
                let throw = facts.surface == Surface::Shortcut;
                let unauthorized = status == 401 && facts.auth != 0;
                let retry_after = retry_after.map(Millis);
                let (retried, heeded) = (self.statuses.retried.contains(status), self.statuses.heeded.contains(status));
                let demand = self.demand;
                let head = Head { status, length, retry_after, retried, heeded, demand, throw, bodiless, unauthorized };
                self.later(after, call, attempt, Event::Head(head));
                if let BodyEnd::Unread(taken) = body.end {
                    self.seen(call).unread = taken;
                    return;
                }
                let mut at = after;
                self.later(at, call, attempt, Event::Reading);
                for (pause, bytes) in body.pieces {
                    at += pause;
                    self.later(at, call, attempt, Event::Chunk { bytes, more: true });
                }
                match body.end {
                    BodyEnd::Complete(None) => self.later(at, call, attempt, Event::BodyEnd(Ok(()))),
                    BodyEnd::Complete(Some(code)) => self.later(at, call, attempt, Event::BodyEnd(Err(code))),
                    BodyEnd::Broken => self.later(at, call, attempt, Event::Failed),
                    BodyEnd::Cancelled => self.later(at, call, attempt, Event::Dropped),
                    BodyEnd::Silence | BodyEnd::Unread(_) => {}
                }
            }
        }
    }

    /// How many attempts hold a slot of this lane.
    pub fn occupied(&self, lane: u64) -> u32 {
        let in_lane = |seen: &Seen| seen.facts.as_ref().is_some_and(|facts| facts.keys.lane == lane);
        let holds = |request: &&Request| {
            let last = self.requests.iter().position(|other| core::ptr::eq(other, *request));
            let seen =
                || request.calls.iter().map(|call| &self.calls[&call.0]).filter(|seen| Some(seen.request) == last);
            // It needs its slot until all are done with it, or one of them knows that the rest of it is short.
            let live = seen().any(|seen| in_lane(seen) && seen.live.is_some() && seen.end.is_none());
            live && !seen().any(|seen| seen.short)
        };
        self.requests.iter().filter(holds).count() as u32
    }

    /// Every call is over and nothing is left behind.
    pub fn assert_at_rest(&self) {
        assert_eq!(self.engine.live(), 0, "live calls");
        assert_eq!(self.engine.queued(), (0, 0), "slots or places that are never given back");
        assert_eq!(self.engine.poll_timeout(), None, "a timer is left");
        assert!(self.auths.values().all(|auth| !auth.locked), "a lock that is never given back");
        for (id, seen) in &self.calls {
            assert!(seen.end.is_some(), "{id:?} is pending: {seen:?}");
        }
    }
}

/// Runs one call to its end.
pub fn run(facts: Facts, script: impl IntoIterator<Item = Step>) -> Seen {
    World::new().run_call(facts, script)
}

/// The same, with statuses that are retried.
pub fn run_retrying(statuses: &[u16], facts: Facts, script: impl IntoIterator<Item = Step>) -> Seen {
    World::retrying(statuses).run_call(facts, script)
}

pub fn code(seen: &Seen) -> ErrorCode {
    seen.failure().code
}

pub fn phase(seen: &Seen) -> Option<Phase> {
    seen.failure().phase
}
