//! Performs what the engine asks for, and tells it what happened. It decides nothing.

mod auths;
mod call;
mod crashes;
mod families;
mod observers;
mod outgoing;
mod perform;
mod table;
mod tell;

pub(crate) use auths::{Authorization, Keeper};
pub(crate) use call::{Answer, Call, Notes};
pub(crate) use crashes::Running;
pub(crate) use observers::{News, Observer, Observers, OnEvent, OnProgress};
pub(crate) use outgoing::{Credential, Extra, Outgoing};
pub(crate) use tell::Listener;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use steadfetch_core::breaker::BreakerOptions;
use steadfetch_core::circuits::CircuitView;
use steadfetch_core::engine::{Action, CallId, Engine, Event};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::metrics::Store;
use steadfetch_core::time::Instant;

use crate::platform::Platform;
use crate::view::View;
use auths::Auths;
use crashes::Crashes;
use families::Families;
use table::Table;

type Tell = Box<dyn FnOnce(&mut Engine, Instant)>;

/// Something to tell the engine.
enum Input {
    Start(Rc<Call>),
    Event(Rc<Call>, u32, Event),
    /// `true`: by its client or scope.
    Cancel(Rc<Call>, bool),
    Tick,
    /// Anything else. A function, so that an app that has no use for it links nothing of it.
    Other(Tell),
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Online(bool),
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Hidden(bool),
}

/// One engine, its live calls, and the platform that does the work.
///
/// Whatever is performed may re-enter (an abort listener that aborts, an observer that starts a call): what comes in
/// then waits in `inputs` until its turn, and no borrow is held over a call that leaves this crate.
pub(crate) struct Driver {
    engine: RefCell<Engine>,
    calls: RefCell<Table<Rc<Call>>>,
    /// The call that is about to start: its observer is being told.
    starting: RefCell<Option<Rc<Call>>>,
    families: RefCell<Families>,
    auths: RefCell<Auths>,
    /// The number of the [`Auth`](crate::Auth) whose callback is running, or 0.
    pub(crate) inside: Cell<u32>,
    inputs: RefCell<VecDeque<Input>>,
    busy: Cell<bool>,
    crashes: Crashes,
    /// How many calls are more than a response that nobody reads.
    held: Cell<u32>,
    calls_started: Cell<u64>,
    pub(crate) platform: Platform,
    this: Weak<Driver>,
}

/// Says that the driver is free again, also if an observer panics.
struct Busy<'a>(&'a Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Driver {
    pub(crate) fn new(platform: Platform) -> Rc<Self> {
        let driver = Rc::new_cyclic(|this| Self {
            engine: RefCell::new(Engine::bare(platform.seed())),
            calls: RefCell::new(Table::new()),
            starting: RefCell::new(None),
            families: RefCell::new(Families::new()),
            auths: RefCell::default(),
            inside: Cell::new(0),
            inputs: RefCell::new(VecDeque::new()),
            busy: Cell::new(false),
            crashes: Crashes::default(),
            held: Cell::new(0),
            calls_started: Cell::new(0),
            platform,
            this: this.clone(),
        });
        driver.platform.attach(&driver.this);
        driver
    }

    /// A number for the next call.
    pub(crate) fn next_number(&self) -> u64 {
        let number = self.calls_started.get().wrapping_add(1);
        self.calls_started.set(number);
        number
    }

    pub(crate) fn start(&self, call: &Rc<Call>) {
        self.input(Input::Start(call.clone()));
    }

    pub(crate) fn event(&self, call: &Rc<Call>, attempt: u32, event: Event) {
        self.input(Input::Event(call.clone(), attempt, event));
    }

    /// The caller's signal has fired.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn cancel(&self, call: &Rc<Call>) {
        call.give_up();
        self.input(Input::Cancel(call.clone(), false));
    }

    /// Nobody waits for the call any more.
    pub(crate) fn drop_off(&self, call: &Rc<Call>) {
        call.drop_off();
        self.input(Input::Cancel(call.clone(), false));
    }

    /// Ends every call of this view and of those made from it.
    pub(crate) fn abort(&self, view: &View) {
        let mut calls = Vec::new();
        if let Ok(live) = self.calls.try_borrow() {
            calls.extend(live.iter().cloned());
        }
        if let Ok(starting) = self.starting.try_borrow() {
            calls.extend(starting.iter().cloned());
        }
        if let Ok(inputs) = self.inputs.try_borrow() {
            // Those whose turn has not come yet.
            calls.extend(inputs.iter().filter_map(|input| match input {
                Input::Start(call) => Some(call.clone()),
                _ => None,
            }));
        }
        calls.retain(|call| call.view.is_within(view));
        // All are told before any of them is over: what an observer does then finds no call that would go on.
        calls.iter().for_each(|call| call.abort());
        // Those that wait for a slot leave before one gets free.
        let (live, waiting): (Vec<_>, Vec<_>) = calls.into_iter().partition(|call| call.live.get().is_some());
        for call in waiting.into_iter().chain(live) {
            self.input(Input::Cancel(call, true));
        }
    }

    /// A call is more than a response that nobody reads, or no longer: only such calls keep a process alive.
    pub(crate) fn hold(&self, call: &Call, held: bool) {
        if call.held.replace(held) != held {
            let calls = self.held.get();
            self.held.set(if held { calls.saturating_add(1) } else { calls.saturating_sub(1) });
        }
    }

    /// The call was given up before this attempt went out. Told at once: nothing may come between.
    fn not_sent(&self, call: &Call, attempt: u32) {
        let now = self.platform.now();
        if let Some(id) = call.id() {
            self.with_engine(|engine| engine.on_event(now, id, attempt, Event::Refused(ErrorCode::Aborted)));
        }
    }

    /// The engine is to know of circuits and queues. A function of the one that has them, so that an app without them links
    /// nothing of them.
    pub(crate) fn admit(&self, admit: Option<fn(&mut Engine)>) {
        if let Some(admit) = admit {
            self.with_engine(admit);
        }
    }

    /// How a circuit stands.
    pub(crate) fn circuit(&self, key: u64, options: &BreakerOptions) -> Option<CircuitView> {
        let now = self.platform.now();
        self.with_engine(|engine| engine.circuit(now, key, options))
    }

    /// The numbers of a client, if it has made a call in this thread.
    pub(crate) fn numbers(&self, family: u64) -> Option<Store> {
        self.with_engine(|engine| engine.metrics(family).cloned()).flatten()
    }

    /// Tells the engine something when its turn comes.
    pub(crate) fn tell_engine(&self, tell: impl FnOnce(&mut Engine, Instant) + 'static) {
        self.input(Input::Other(Box::new(tell)));
    }

    /// The timer has fired.
    pub(crate) fn tick(&self) {
        self.input(Input::Tick);
    }

    /// The browser has come online, or gone offline.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn set_online(&self, online: bool) {
        self.input(Input::Online(online));
    }

    /// The page is being left, or shown again.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn set_hidden(&self, hidden: bool) {
        self.input(Input::Hidden(hidden));
    }

    fn input(&self, input: Input) {
        let Ok(mut inputs) = self.inputs.try_borrow_mut() else { return };
        inputs.push_back(input);
        drop(inputs);
        if self.busy.get() {
            // Either we are in the midst of it, and it has its turn below, or a panic has left the mark.
            self.resume_later();
        } else {
            self.run();
        }
    }

    #[inline(never)]
    fn run(&self) {
        self.busy.set(true);
        let busy = Busy(&self.busy);
        self.end_crashed();
        loop {
            while let Some(action) = self.with_engine(Engine::poll_action).flatten() {
                self.perform(action);
            }
            let Some(input) = self.next_input() else { break };
            self.feed(input);
        }
        drop(busy);
        let at = self.with_engine(|engine| engine.poll_timeout()).flatten();
        self.platform.arm(&self.this, at, self.held.get() > 0);
    }

    fn next_input(&self) -> Option<Input> {
        self.inputs.try_borrow_mut().ok()?.pop_front()
    }

    /// The engine calls nothing, so it is never borrowed already.
    pub(crate) fn with_engine<R>(&self, act: impl FnOnce(&mut Engine) -> R) -> Option<R> {
        self.engine.try_borrow_mut().ok().map(|mut engine| act(&mut engine))
    }

    #[inline(never)]
    fn feed(&self, input: Input) {
        let now = self.platform.now();
        match input {
            Input::Start(call) => self.begin(now, &call),
            Input::Event(call, attempt, event) => {
                if let Some(id) = call.id() {
                    self.with_engine(|engine| engine.on_event(now, id, attempt, event));
                }
            }
            Input::Cancel(call, by_client) => {
                if let Some(id) = call.id() {
                    self.with_engine(|engine| engine.cancel(now, id, by_client));
                }
            }
            Input::Other(tell) => {
                self.with_engine(|engine| tell(engine, now));
            }
            Input::Tick => {
                let online = self.platform.online();
                self.with_engine(|engine| {
                    engine.set_online(now, online);
                    engine.on_timeout(now);
                });
            }
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Input::Online(online) => {
                self.with_engine(|engine| engine.set_online(now, online));
            }
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Input::Hidden(hidden) => {
                self.with_engine(|engine| engine.set_hidden(now, hidden));
            }
        }
    }

    #[inline(never)]
    fn begin(&self, now: Instant, call: &Rc<Call>) {
        call::put(&self.starting, Some(call.clone()));
        let facts = call.begin(self, now);
        call::put(&self.starting, None);
        let Some(facts) = facts else { return };
        self.hold(call, true);
        self.note_family(facts.keys.metrics, call);
        let Some(id) = self.with_engine(|engine| engine.start(now, facts)) else { return };
        call.set_id(Some(id));
        if let Ok(mut calls) = self.calls.try_borrow_mut() {
            calls.insert(id, call.clone());
        }
    }

    /// Keeps the numbers of clients that there are, and of no others.
    fn note_family(&self, number: u64, call: &Call) {
        let Ok(mut families) = self.families.try_borrow_mut() else { return };
        families.note(number, &call.family, |gone| {
            self.with_engine(|engine| engine.forget(gone));
        });
    }

    fn call(&self, id: CallId) -> Option<Rc<Call>> {
        self.calls.try_borrow().ok()?.get(id).cloned()
    }

    #[inline(never)]
    fn perform(&self, action: Action) {
        let Some(driver) = self.this.upgrade() else { return };
        match action {
            Action::Auth { auth, verb, ticket } => {
                if let Some(keeper) = self.keeper(auth) {
                    keeper.perform(&driver, verb, ticket);
                }
            }
            Action::WatchOnline(on) => self.platform.watch_online(&self.this, on),
            Action::End { call: id, result } => {
                let ended = self.calls.try_borrow_mut().ok().and_then(|mut calls| calls.remove(id));
                if let Some(call) = ended {
                    call.end(self, result.map_err(|failure| *failure));
                }
            }
            Action::Prepare { call: id, .. }
            | Action::Send { call: id, .. }
            | Action::Share { call: id, .. }
            | Action::Abort { call: id, .. }
            | Action::Discard { call: id, .. }
            | Action::Ask { call: id, .. }
            | Action::LookUp { call: id, .. }
            | Action::Retry { call: id, .. }
            | Action::AttemptEnd { call: id, .. }
            | Action::Respond { call: id, .. }
            | Action::Collect { call: id }
            | Action::BeforeError { call: id, .. }
            | Action::Probe { call: id }
            | Action::Abandon { call: id, .. }
            | Action::Queued { call: id, .. }
            | Action::Circuit { call: id, .. } => {
                if let Some(call) = self.call(id) {
                    call.perform(&driver, action);
                }
            }
        }
    }
}
