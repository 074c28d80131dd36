use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use steadfetch_core::phase::Phase;
use steadfetch_core::refresh::{AuthEvent, Verb};
use steadfetch_core::time::Instant;

use super::authorization::Granted;
use super::failure::FailureOf;
use super::inside::Inside;
use super::tokens::Tokens;
use super::unusable::Unusable;
use super::work::Work;
use super::{AuthContext, AuthError, LocalFuture, Refreshed};
use crate::builder::Config;
use crate::driver::{Authorization, Driver, Keeper, News, Running};
use crate::options::{Session, is_value, millis};
use crate::platform::TabLock;

/// What one thread knows of an [`Auth`](crate::Auth), and does for it.
pub(super) struct Desk {
    pub(super) session: Arc<Session>,
    home: Arc<Config>,
    lock_name: String,
    tokens: RefCell<Tokens>,
    /// What is running.
    works: RefCell<Vec<Rc<Work>>>,
    lock: RefCell<Option<Rc<TabLock>>>,
    pub(super) token_failure: FailureOf,
    pub(super) refresh_failure: FailureOf,
}

/// What a callback has come to. Looked at when its turn comes: until then the tokens may be others.
pub(super) type Report = Box<dyn FnOnce(&mut Tokens) -> AuthEvent>;

fn report(act: impl FnOnce(&mut Tokens) -> AuthEvent + 'static) -> Report {
    Box::new(act)
}

fn failed(lost: bool, status: u16) -> Report {
    report(move |_| AuthEvent::Failed { lost, status })
}

/// Whether a token can be sent.
fn check(token: String) -> Result<String, AuthError> {
    match token.as_str() {
        "" => Err(Unusable("the token is empty").into()),
        token if !is_value(token) => Err(Unusable("a token that no header can hold").into()),
        _ => Ok(token),
    }
}

impl Desk {
    /// Makes that of this thread, and makes it known to the engine.
    pub(super) fn open(driver: &Driver, session: &Arc<Session>, home: &Arc<Config>, lock_name: String) -> Rc<Self> {
        let desk = Rc::new(Self {
            session: session.clone(),
            home: home.clone(),
            lock_name,
            tokens: RefCell::default(),
            works: RefCell::default(),
            lock: RefCell::default(),
            token_failure: FailureOf::default(),
            refresh_failure: FailureOf::default(),
        });
        let gone = driver.keep(session.number, desk.clone());
        driver.with_engine(|engine| {
            gone.iter().for_each(|(gone, _)| engine.drop_auth(*gone));
            engine.set_auth(session.number, session.options());
        });
        desk
    }

    /// The token that is sent.
    pub(super) fn token(&self) -> Option<String> {
        self.tokens.try_borrow().ok()?.sent().map(str::to_owned)
    }

    fn report(self: &Rc<Self>, driver: &Driver, ticket: u64, report: Report) {
        let desk = self.clone();
        driver.tell_engine(move |engine, now| {
            if let Ok(mut tokens) = desk.tokens.try_borrow_mut() {
                engine.on_auth(now, desk.session.number, ticket, report(&mut tokens));
            }
        });
    }

    // The lock.

    fn take_lock(self: &Rc<Self>, driver: &Rc<Driver>, ticket: u64, steal: bool) {
        self.release_lock();
        self.refresh_failure.set(None);
        let (desk, driver_then) = (Rc::downgrade(self), Rc::downgrade(driver));
        let lock = TabLock::request(&self.lock_name, steal, move |locked| {
            if let (Some(desk), Some(driver)) = (desk.upgrade(), driver_then.upgrade()) {
                let event = if locked { AuthEvent::Locked } else { AuthEvent::NoLock };
                desk.report(&driver, ticket, report(move |_| event));
            }
        });
        if lock.is_none() {
            self.report(driver, ticket, report(|_| AuthEvent::NoLock));
        }
        if let Ok(mut place) = self.lock.try_borrow_mut() {
            *place = lock;
        }
    }

    fn release_lock(&self) {
        let lock = self.lock.try_borrow_mut().ok().and_then(|mut lock| lock.take());
        if let Some(lock) = lock {
            lock.release();
        }
    }

    fn has(&self, lock: &Rc<TabLock>) -> bool {
        self.lock.try_borrow().is_ok_and(|own| own.as_ref().is_some_and(|own| Rc::ptr_eq(own, lock)))
    }

    // The callbacks.

    fn ask_token(self: &Rc<Self>, driver: &Rc<Driver>, ticket: u64) {
        match &self.session.get_token {
            Some(get_token) => self.run(driver, ticket, false, |context| get_token(context), Self::asked),
            None => self.report(driver, ticket, failed(false, 0)),
        }
    }

    fn asked(self: &Rc<Self>, driver: &Driver, work: &Work, result: Result<Option<String>, AuthError>) -> Report {
        let token = result.and_then(|token| token.filter(|token| !token.is_empty()).map(check).transpose());
        match token {
            Err(error) => self.failed(work, error),
            // What comes too late is nobody's: the next call asks again.
            Ok(_) if work.is_aborted() => failed(false, 0),
            Ok(token) => {
                let expires = token.as_deref().map_or(Instant::NEVER, |token| self.expiry(driver, token));
                report(move |tokens| tokens.given(token, expires))
            }
        }
    }

    fn refresh(self: &Rc<Self>, driver: &Rc<Driver>, ticket: u64) {
        let lock = self.lock.try_borrow().ok().and_then(|lock| lock.clone());
        let Some(lock) = lock else { return self.call_refresh(driver, ticket) };
        let (desk, driver_then) = (self.clone(), driver.clone());
        driver.platform.spawn(async move {
            if !lock.is_ours().await {
                desk.report(&driver_then, ticket, report(|_| AuthEvent::Lost));
            } else if desk.has(&lock) {
                // Else its time has passed meanwhile.
                desk.call_refresh(&driver_then, ticket);
            }
        });
    }

    fn call_refresh(self: &Rc<Self>, driver: &Rc<Driver>, ticket: u64) {
        self.refresh_failure.set(None);
        let refresh_token = &self.session.refresh_token;
        self.run(driver, ticket, true, |context| refresh_token(context), Self::refreshed);
    }

    fn refreshed(self: &Rc<Self>, driver: &Driver, work: &Work, result: Result<Refreshed, AuthError>) -> Report {
        let checked = result.and_then(|refreshed| match refreshed {
            Refreshed::Token(token) => check(token).map(Refreshed::Token),
            other => Ok(other),
        });
        let (ok, report) = match checked {
            Err(error) => (false, self.failed(work, error)),
            Ok(Refreshed::SessionLost) => (false, failed(true, 0)),
            Ok(Refreshed::Renewed) => (true, report(|_| AuthEvent::Renewed)),
            Ok(Refreshed::Token(token)) => {
                let expires = self.expiry(driver, &token);
                (true, report(move |tokens| tokens.refreshed(token, expires)))
            }
        };
        work.report.set(Some(report));
        self.tell(driver, work, ok);
        work.report.take().unwrap_or_else(|| failed(false, 0))
    }

    fn failed(&self, work: &Work, error: AuthError) -> Report {
        let (lost, status) = (error.is_lost(), error.status());
        if !work.is_aborted() {
            self.failure_of(work).set(error.into_cause());
        }
        failed(lost, status)
    }

    fn failure_of(&self, work: &Work) -> &FailureOf {
        if work.refreshes { &self.refresh_failure } else { &self.token_failure }
    }

    /// Calls a callback. Its future is polled at once: a token that is at hand costs no turn of the event loop.
    fn run<T: 'static>(
        self: &Rc<Self>,
        driver: &Rc<Driver>,
        ticket: u64,
        refreshes: bool,
        call: impl FnOnce(AuthContext) -> LocalFuture<Result<T, AuthError>>,
        done: fn(&Rc<Self>, &Driver, &Work, Result<T, AuthError>) -> Report,
    ) {
        let work = Rc::new(Work::new(ticket, refreshes, driver.platform.now()));
        if let Ok(mut works) = self.works.try_borrow_mut() {
            works.push(work.clone());
        }
        let context = work.context(&self.home);
        let mut running = Inside::new(driver.clone(), self.session.number, ticket, || call(context));
        let (desk, driver_then) = (self.clone(), driver.clone());
        let finish = move |result| {
            let running = Running::Auth(desk.session.number, ticket);
            let report = driver_then.call_back(running, || done(&desk, &driver_then, &work, result));
            desk.forget(&work);
            desk.report(&driver_then, ticket, report);
        };
        match Pin::new(&mut running).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => finish(result),
            Poll::Pending => driver.platform.spawn(async move { finish(running.await) }),
        }
    }

    fn forget(&self, work: &Rc<Work>) {
        if let Ok(mut works) = self.works.try_borrow_mut() {
            works.retain(|other| !Rc::ptr_eq(other, work));
        }
    }

    fn work(&self, ticket: u64) -> Option<Rc<Work>> {
        let works = self.works.try_borrow().ok()?;
        works.iter().find(|work| work.ticket == ticket).cloned()
    }

    fn abort(&self, driver: &Driver, ticket: u64) {
        if let Some(work) = self.work(ticket) {
            self.failure_of(&work).set(None);
            if work.refreshes {
                self.tell(driver, &work, false);
            }
            work.abort();
        }
    }

    /// When a token expires, on the clock that never jumps.
    fn expiry(&self, driver: &Driver, token: &str) -> Instant {
        let at = self.session.expires_at.as_ref().and_then(|expires_at| expires_at(token));
        let Some(at) = at else { return Instant::NEVER };
        let at = driver.platform.now() + millis(at);
        Instant(at.0.saturating_sub(driver.platform.wall()))
    }

    /// Tells, once for each observer, how a refresh went.
    fn tell(&self, driver: &Driver, work: &Work, ok: bool) {
        if work.told.replace(true) {
            return;
        }
        let elapsed = driver.platform.now().since(work.began);
        let mut told = Vec::new();
        for call in driver.calls_with(self.session.number) {
            let Some(observer) = call.observers.on_event.as_ref().map(|observer| observer.identity()) else { continue };
            if !told.contains(&observer) {
                told.push(observer);
                call.tell_in(driver, Some(Phase::Refresh), News::Refresh(ok, elapsed));
            }
        }
    }
}

impl Keeper for Desk {
    fn perform(self: Rc<Self>, driver: &Rc<Driver>, verb: Verb, ticket: u64) {
        match verb {
            Verb::Adopt => {
                if let Ok(mut tokens) = self.tokens.try_borrow_mut() {
                    tokens.adopt();
                }
            }
            Verb::Abort => self.abort(driver, ticket),
            Verb::Unlock => self.release_lock(),
            Verb::AskToken => self.ask_token(driver, ticket),
            Verb::Lock | Verb::Steal => self.take_lock(driver, ticket, verb == Verb::Steal),
            Verb::CallRefresh => self.refresh(driver, ticket),
        }
    }

    fn crashed(self: Rc<Self>, driver: &Rc<Driver>, ticket: u64) {
        let Some(work) = self.work(ticket) else { return };
        self.forget(&work);
        // What it had come to before an observer panicked.
        let report = work.report.take().unwrap_or_else(|| self.failed(&work, Unusable("a callback panicked").into()));
        self.report(driver, ticket, report);
    }

    fn authorize(self: Rc<Self>, origins: Vec<String>) -> Box<dyn Authorization> {
        Box::new(Granted { desk: self, origins })
    }

    fn is_gone(&self) -> bool {
        let idle = self.works.try_borrow().is_ok_and(|works| works.is_empty())
            && self.lock.try_borrow().is_ok_and(|lock| lock.is_none());
        idle && Arc::strong_count(&self.session) <= 1
    }
}
