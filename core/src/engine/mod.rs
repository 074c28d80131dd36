//! The engine: every call as a state machine, without any input or output.
//!
//! A driver feeds it ([`Engine::start`], [`Engine::on_event`], [`Engine::on_timeout`], [`Engine::cancel`]), and after
//! each of these performs what [`Engine::poll_action`] gives until it gives nothing, then arms one timer for
//! [`Engine::poll_timeout`]. The engine never calls out, so nothing can re-enter it.

mod action;
#[cfg(all(feature = "guard", not(feature = "late")))]
mod auth;
#[cfg(feature = "late")]
#[path = "late_auth.rs"]
mod auth;
#[cfg(not(feature = "guard"))]
#[path = "anonymous.rs"]
mod auth;
mod call;
mod event;
mod facts;
mod failure;
#[cfg(feature = "late")]
#[path = "auth.rs"]
mod full_auth;
#[cfg(feature = "late")]
#[path = "guard.rs"]
mod full_guard;
#[cfg(all(feature = "guard", not(feature = "late")))]
mod guard;
#[cfg(feature = "late")]
#[path = "late_guard.rs"]
mod guard;
#[cfg(not(feature = "guard"))]
#[path = "open.rs"]
mod guard;
mod sink;
mod tally;

pub use action::{Action, Question};
pub use event::{Demand, Event, Head, LookupVerdict};
pub use facts::{Callbacks, Facts, Given, Keys, Surface};
pub use failure::{Attempt, Failing, Failure};
pub use sink::{Actions, Sink};

pub use crate::slab::CallId;

use alloc::collections::VecDeque;

use crate::breaker::BreakerOptions;
use crate::budgets::Budgets;
use crate::circuits::CircuitView;
use crate::heap::Heap;
#[cfg(feature = "metrics")]
use crate::metrics::Store;
use crate::refresh::Verb;
#[cfg(feature = "guard")]
use crate::refresh::{AuthEvent, RefreshOptions};
use crate::rng::Rng;
use crate::slab::Slab;
use crate::time::{Instant, Millis};
use auth::Auths;
use call::{Call, Context, Input};
use guard::Guard;
use tally::Tally;

/// A timer that fires later than this lets a task pass first: an answer that is waiting there wins over it.
const LATE: Millis = Millis(50);
/// An answer comes in several tasks, its head and then its body: as long as something came, another task may pass, up
/// to so many.
const YIELDS: u8 = 8;

/// All calls of one driver, and where their actions go: to [`poll_action`](Engine::poll_action), unless the driver has a
/// [`Sink`] of its own.
pub struct Engine<S = Actions> {
    calls: Slab<Call>,
    timers: Heap,
    cx: Context<S>,
    /// Calls that are refused, because their circuit has opened while they waited.
    refused: VecDeque<CallId>,
    waiting_online: u32,
    /// How many tasks a late timer has let pass.
    yields: u8,
    /// It is to fire again at once.
    yielding: bool,
    /// Something has happened since it fired last.
    stirred: bool,
}

impl Engine {
    /// An engine whose jitter comes from this seed (`crypto.getRandomValues`).
    #[must_use]
    pub fn new(seed: [u32; 4]) -> Self {
        let mut engine = Self::bare(seed);
        engine.admit();
        engine
    }

    /// The same, but of circuits and queues only after [`admit`](Self::admit): with the feature `late` they are linked where
    /// that is named.
    #[must_use]
    pub fn bare(seed: [u32; 4]) -> Self {
        let mut engine = Self::with_sink(Actions::new());
        engine.seed(seed);
        engine
    }

    /// The next thing to do. Changes after every other `&mut self` method.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.cx.sink.pop_front()
    }
}

impl<S: Sink> Engine<S> {
    /// An engine that puts its actions there. Its jitter needs a [`seed`](Self::seed).
    #[must_use]
    pub const fn with_sink(sink: S) -> Self {
        Self {
            calls: Slab::new(),
            timers: Heap::new(),
            cx: Context {
                now: Instant(0),
                id: CallId { index: 0, generation: 0 },
                sink,
                rng: Rng::UNSEEDED,
                guard: Guard::new(),
                auths: Auths::new(),
                budgets: Budgets::new(),
                tally: Tally::new(),
                opened: 0,
                online: true,
                hidden: false,
            },
            refused: VecDeque::new(),
            waiting_online: 0,
            yields: 0,
            yielding: false,
            stirred: false,
        }
    }

    /// What its jitter comes from (`crypto.getRandomValues`).
    pub fn seed(&mut self, seed: [u32; 4]) {
        self.cx.rng = Rng::new(seed);
    }

    /// Where the actions have gone.
    pub fn sink(&mut self) -> &mut S {
        &mut self.cx.sink
    }

    /// Starts a call. Ask [`poll_action`](Self::poll_action) what to do.
    pub fn start(
        &mut self,
        now: Instant,
        #[cfg_attr(not(feature = "late"), allow(unused_mut))] mut facts: Facts,
    ) -> CallId {
        #[cfg(feature = "late")]
        self.cx.guard.place(&mut facts.keys);
        self.cx.tally.open(facts.keys.metrics);
        let id = self.calls.insert(Call::new(facts));
        self.step(now, id, Input::Begin);
        id
    }

    /// Something happened to an attempt of a call. Ignored if the call is over or the attempt is no longer the current
    /// one.
    pub fn on_event(&mut self, now: Instant, id: CallId, attempt: u32, event: Event) {
        self.stirred = true;
        self.step(now, id, Input::Event(attempt, event));
    }

    /// The caller gave the call up, or (`by_client`) its client or scope did. Whatever state it is in, it ends as
    /// `Aborted`.
    pub fn cancel(&mut self, now: Instant, id: CallId, by_client: bool) {
        self.step(now, id, Input::Cancel { by_client });
    }

    /// Calls may have this number as their [`auth`](Facts::auth) from now on. One that is known already stays as it is.
    /// 0 is no number.
    #[cfg(feature = "guard")]
    pub fn set_auth(&mut self, auth: u32, options: RefreshOptions) {
        if auth != 0 {
            self.cx.auths.set(auth, options);
        }
    }

    /// There will be no call with this number any more. What is under way ends first.
    #[cfg(feature = "guard")]
    pub fn drop_auth(&mut self, auth: u32) {
        self.cx.auths.drop(auth);
    }

    /// Something happened to an `auth` object: an answer to [`Action::Auth`], with its ticket. Ignored if it is not what
    /// is being waited for.
    #[cfg(feature = "guard")]
    pub fn on_auth(&mut self, now: Instant, auth: u32, ticket: u64, event: AuthEvent) {
        self.stirred = true;
        self.cx.auths.on_event(now, auth, ticket, event);
        self.settle(now);
    }

    /// Calls that start from now on may have circuits and lanes. Without the feature `late` they always may.
    pub fn admit(&mut self) {
        #[cfg(feature = "late")]
        self.cx.guard.come();
    }

    /// How the circuit of this key stands.
    #[must_use]
    pub fn circuit(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView {
        self.cx.guard.circuit(now, key, options)
    }

    /// How many attempts hold a slot, and how many wait for one, over all queues.
    #[must_use]
    pub fn queued(&self) -> (usize, usize) {
        self.cx.guard.counts()
    }

    /// The numbers of a client, if it has made a call.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub fn metrics(&mut self, key: u64) -> Option<&Store> {
        self.cx.tally.get(key)
    }

    /// A client is gone: nobody will ask for its numbers.
    #[cfg(feature = "metrics")]
    pub fn forget(&mut self, key: u64) {
        self.cx.tally.forget(key);
    }

    /// The time of [`poll_timeout`](Self::poll_timeout) has come, or it may have.
    pub fn on_timeout(&mut self, now: Instant) {
        let stirred = core::mem::replace(&mut self.stirred, false);
        let late = now.since(self.least()) > LATE;
        self.yielding = late && (self.yields == 0 || stirred) && self.yields < YIELDS;
        if self.yielding {
            self.yields = self.yields.saturating_add(1);
            return;
        }
        self.yields = 0;
        loop {
            let call = self.timers.least().filter(|(at, _)| *at <= now.0);
            // Of two that are due in the same moment the call's own limit is the one that passed.
            let earlier = |at: Instant| at <= now && call.is_none_or(|(other, _)| at.0 < other);
            if let Some((_, auth)) = self.cx.auths.least().filter(|(at, _)| earlier(*at)) {
                self.cx.auths.on_timeout(now, auth);
                self.settle(now);
            } else if let Some((_, slot)) = call {
                match self.calls.id_at(slot) {
                    Some(id) => self.step(now, id, Input::Timeout),
                    None => self.timers.set(slot, Instant::NEVER.0),
                }
            } else {
                return;
            }
        }
    }

    /// Whether the browser says that it is online. To be kept true before `on_timeout`, and at once when it changes
    /// while [`WatchOnline`](Action::WatchOnline) is in force.
    pub fn set_online(&mut self, now: Instant, online: bool) {
        let was = core::mem::replace(&mut self.cx.online, online);
        if online && !was && self.waiting_online > 0 {
            self.each(now, Input::Online);
        }
    }

    /// The page is being left (`pagehide`) or shown again (`pageshow`).
    pub fn set_hidden(&mut self, now: Instant, hidden: bool) {
        self.cx.hidden = hidden;
        if hidden {
            self.each(now, Input::Pagehide);
        }
    }

    /// When to call [`on_timeout`](Self::on_timeout) at the latest. A moment in the past means: after one more task.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        let least = if self.yielding { Instant(0) } else { self.least() };
        (least != Instant::NEVER).then_some(least)
    }

    /// The first limit that passes.
    fn least(&self) -> Instant {
        let call = Instant(self.timers.least_rank());
        self.cx.auths.least().map_or(call, |(at, _)| at.min(call))
    }

    /// How many calls are live.
    #[must_use]
    pub fn live(&self) -> usize {
        self.calls.len()
    }

    fn each(&mut self, now: Instant, input: Input) {
        for slot in 0..self.calls.slots() {
            if let Some(id) = self.calls.id_at(slot) {
                self.step(now, id, input);
            }
        }
    }

    /// A step of one call, and of those that it sets free or refuses: one after the other, however many there are.
    fn step(&mut self, now: Instant, id: CallId, input: Input) {
        self.step_one(now, id, input);
        self.settle(now);
    }

    /// What a step, or an answer about a token, means for others.
    fn settle(&mut self, now: Instant) {
        loop {
            // The token before those who are to send it. Then who has a slot already: nothing else may end that call in
            // between.
            if let Some((auth, action, client)) = self.cx.auths.action() {
                if action.verb == Verb::CallRefresh {
                    self.cx.tally.refreshes(client);
                }
                self.cx.act(Action::Auth { auth, verb: action.verb, ticket: action.ticket });
            } else if let Some(id) = self.cx.guard.admitted() {
                self.step_one(now, id, Input::Admitted);
            } else if let Some((id, news)) = call::news(&mut self.cx) {
                self.step_one(now, id, news);
            } else if Guard::ANY
                && let Some(id) = self.refused.pop_front()
            {
                self.step_one(now, id, Input::Refused);
            } else if let Some((id, answer)) = self.cx.auths.told() {
                self.step_one(now, id, Input::Told(answer));
            } else {
                return;
            }
        }
    }

    fn step_one(&mut self, now: Instant, id: CallId, input: Input) {
        let Some(call) = self.calls.get_mut(id) else { return };
        let waited = call.waits_for_online();
        self.cx.now = now;
        self.cx.id = id;
        self.cx.opened = 0;
        call.step(&mut self.cx, input);
        let opened = self.cx.opened;
        let waits = call.waits_for_online();
        if call.has_ended() {
            self.timers.set(id.index, Instant::NEVER.0);
            self.calls.remove(id);
        } else {
            self.timers.set(id.index, call.next_timeout().0);
        }
        if waits != waited {
            let before = self.waiting_online;
            self.waiting_online = if waits { before.saturating_add(1) } else { before.saturating_sub(1) };
            if (before == 0) != (self.waiting_online == 0) {
                self.cx.act(Action::WatchOnline(waits));
            }
        }
        if Guard::ANY && opened != 0 {
            for slot in 0..self.calls.slots() {
                if let Some(id) = self.calls.id_at(slot)
                    && self.calls.get_mut(id).is_some_and(|call| call.waits_for(opened))
                {
                    self.refused.push_back(id);
                }
            }
        }
    }
}
