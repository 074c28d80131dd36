use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use steadfetch_core::engine::{self, CallId, Facts, Failure};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::gate::Gate;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::status::RetryStatuses;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};

use super::{Authorization, Driver, News, Observers, Outgoing};
use crate::error::{Attempt, Cause, Error, ErrorKind};
use crate::options::{Throw, duration};
use crate::platform::{Abort, Incoming, Subscription};
use crate::shared::Family;
use crate::view::View;

/// One call: what the driver holds for it while the engine decides about it.
pub(crate) struct Call {
    pub(crate) request: Outgoing,
    pub(crate) observers: Observers,
    pub(super) throw: Throw,
    pub(super) statuses: RetryStatuses,
    pub(super) gate: Gate,
    /// Its part in an [`Auth`](crate::Auth).
    pub(super) authorization: Option<Box<dyn Authorization>>,
    pub(super) view: Arc<View>,
    pub(super) family: Weak<Family>,
    pub(super) number: u64,
    /// Until it starts.
    facts: RefCell<Option<Facts>>,
    id: Cell<Option<CallId>>,
    given_up: Cell<bool>,
    /// By its client or scope.
    aborted: Cell<bool>,
    /// Nobody waits for it any more.
    dropped: Cell<bool>,
    pub(super) held: Cell<bool>,
    pub(super) started: Cell<Instant>,
    pub(super) deadline: Cell<Instant>,
    /// The attempt whose answer is waited for or being read.
    pub(super) live: Cell<Option<u32>>,
    pub(super) sent: Cell<Instant>,
    /// How long the current attempt waited for its headers, once they have come.
    pub(super) headers_after: Cell<Option<Millis>>,
    pub(super) attempts: Cell<u32>,
    pub(super) retries: Cell<u32>,
    pub(super) phase: Cell<Option<Phase>>,
    pub(super) abort: RefCell<Option<Abort>>,
    pub(super) incoming: RefCell<Option<Rc<Incoming>>>,
    pub(super) responded: Cell<Option<(u32, Millis, Option<RetryStopped>)>>,
    notes: RefCell<Notes>,
    /// The current attempt is the extra send after a token refresh.
    pub(super) resend: Cell<bool>,
    /// The attempts that are over.
    pub(super) record: RefCell<Vec<Attempt>>,
    ended: RefCell<Option<Result<(), Error>>>,
    /// For reads of a body that was given up unread: its call has ended well.
    abandoned: RefCell<Option<Error>>,
    waker: RefCell<Option<Waker>>,
    subscription: RefCell<Option<Subscription>>,
}

/// What the driver knows about a failure, and the engine does not ask.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    pub(crate) hint: Option<&'static str>,
    pub(crate) detail: Option<String>,
    pub(crate) data: Option<String>,
    pub(crate) issues: Option<String>,
}

impl Notes {
    /// Adds them to an error.
    #[inline(never)]
    pub(crate) fn on(self, error: Error) -> Error {
        error.with(|inner| {
            inner.hint = self.hint;
            inner.data = self.data;
            inner.issues = self.issues;
            if let Some(detail) = self.detail {
                inner.detail = detail.into();
            }
        })
    }
}

/// A response, when the engine gives it out.
pub(crate) struct Answer {
    pub(crate) incoming: Rc<Incoming>,
    pub(crate) attempts: u32,
    /// Since the call started.
    pub(crate) elapsed: Duration,
    /// Why it was not retried, if its status was one for that.
    pub(crate) stopped: Option<RetryStopped>,
}

/// Puts a value into a cell. No borrow is ever held over a call that leaves this crate, so it is free.
pub(super) fn put<T>(cell: &RefCell<T>, value: T) {
    let Ok(mut place) = cell.try_borrow_mut() else { return };
    let old = std::mem::replace(&mut *place, value);
    drop(place);
    // What an old value does when it is dropped must find the cell free.
    drop(old);
}

pub(super) fn take<T>(cell: &RefCell<Option<T>>) -> Option<T> {
    cell.try_borrow_mut().ok()?.take()
}

impl Call {
    #[inline(never)]
    pub(crate) fn new(
        number: u64,
        request: Outgoing,
        observers: Observers,
        (throw, statuses): (Throw, RetryStatuses),
        facts: Facts,
        authorization: Option<Box<dyn Authorization>>,
        (view, family): (Arc<View>, Weak<Family>),
    ) -> Rc<Self> {
        Rc::new(Self {
            request,
            observers,
            throw,
            statuses,
            gate: facts.gate,
            authorization,
            view,
            family,
            number,
            facts: RefCell::new(Some(facts)),
            id: Cell::new(None),
            given_up: Cell::new(false),
            aborted: Cell::new(false),
            dropped: Cell::new(false),
            held: Cell::new(false),
            started: Cell::new(Instant::default()),
            deadline: Cell::new(Instant::NEVER),
            live: Cell::new(None),
            sent: Cell::new(Instant::default()),
            headers_after: Cell::new(None),
            attempts: Cell::new(0),
            retries: Cell::new(0),
            phase: Cell::new(None),
            abort: RefCell::new(None),
            incoming: RefCell::new(None),
            responded: Cell::new(None),
            notes: RefCell::default(),
            resend: Cell::new(false),
            record: RefCell::default(),
            ended: RefCell::new(None),
            abandoned: RefCell::new(None),
            waker: RefCell::new(None),
            subscription: RefCell::new(None),
        })
    }

    pub(super) fn id(&self) -> Option<CallId> {
        self.id.get()
    }

    pub(super) fn set_id(&self, id: Option<CallId>) {
        self.id.set(id);
    }

    /// The answer, once its headers have come.
    pub(crate) fn incoming(&self) -> Option<Rc<Incoming>> {
        self.incoming.try_borrow().ok()?.clone()
    }

    /// The attempt whose answer is waited for or being read.
    pub(crate) fn attempt(&self) -> u32 {
        self.attempts.get()
    }

    /// The caller gave up: if the call has not started, it never will.
    pub(crate) fn give_up(&self) {
        self.given_up.set(true);
    }

    /// The same, because nobody waits for it any more.
    pub(super) fn drop_off(&self) {
        self.dropped.set(true);
        self.give_up();
    }

    /// The same, because its client or scope is over.
    pub(super) fn abort(&self) {
        self.aborted.set(true);
        self.give_up();
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.given_up.get()
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn subscribe(&self, subscription: Subscription) {
        put(&self.subscription, Some(subscription));
    }

    /// In place of what was noted before.
    pub(crate) fn note(&self, notes: Notes) {
        put(&self.notes, notes);
    }

    /// Adds the body of an error to what was noted.
    pub(super) fn note_data(&self, data: String) {
        if let Ok(mut notes) = self.notes.try_borrow_mut() {
            notes.data = Some(data);
        }
    }

    /// How the call ended, if it has.
    pub(crate) fn ended(&self) -> Option<Result<(), Error>> {
        self.ended.try_borrow().ok()?.clone()
    }

    pub(crate) fn wake_by(&self, waker: &Waker) {
        let Ok(mut place) = self.waker.try_borrow_mut() else { return };
        match &mut *place {
            Some(known) => known.clone_from(waker),
            place @ None => *place = Some(waker.clone()),
        }
    }

    /// The response, once the engine gave it out.
    pub(crate) fn poll_response(&self, cx: &Context<'_>) -> Poll<Result<Answer, Error>> {
        if let Some(Err(error)) = self.ended() {
            return Poll::Ready(Err(error));
        }
        if let Some((attempts, elapsed, stopped)) = self.responded.get()
            && let Some(incoming) = self.incoming.try_borrow().ok().and_then(|incoming| incoming.clone())
        {
            return Poll::Ready(Ok(Answer { incoming, attempts, elapsed: duration(elapsed), stopped }));
        }
        self.wake_by(cx.waker());
        Poll::Pending
    }

    /// An error about a response that the engine has let go already, or that only its caller takes for one.
    #[inline(never)]
    pub(crate) fn error_after(&self, driver: &Driver, code: ErrorCode, status: u16) -> Error {
        let now = driver.platform.now();
        let mut attempts = self.record.try_borrow().map(|record| record.clone()).unwrap_or_default();
        if self.live.get().is_some() {
            attempts.push(Attempt::of(engine::Attempt {
                number: self.attempts.get(),
                resend: self.resend.get(),
                outcome: Outcome::of_attempt(Some(status)),
                code: None,
                status: Some(status),
                phase: Phase::Body,
                start: self.sent.get().since(self.started.get()),
                elapsed: now.since(self.sent.get()),
            }));
        }
        if let Some(last) = attempts.last_mut() {
            last.blame(ErrorKind::of(code));
        }
        self.name(Error::early(code, "")).with(|inner| {
            inner.phase = Some(Phase::Body);
            inner.outcome = Outcome::of_call(attempts.iter().map(Attempt::engine_outcome));
            inner.status = Some(status);
            inner.elapsed = duration(now.since(self.started.get()));
            inner.retry_after = self
                .incoming()
                .filter(|_| status >= 400)
                .and_then(|incoming| incoming.retry_after(driver.platform.wall()))
                .map(duration);
            inner.attempts = attempts;
        })
    }

    /// What the engine is to know, unless the call is over before it began.
    #[inline(never)]
    pub(super) fn begin(self: &Rc<Self>, driver: &Driver, now: Instant) -> Option<Facts> {
        let mut facts = take(&self.facts)?;
        facts.started = now;
        self.started.set(now);
        self.deadline.set(facts.deadline());
        self.tell(driver, News::Start);
        // An observer may have closed the client, or dropped the call.
        if self.view.is_closed() {
            self.abort();
        }
        if self.is_given_up() {
            self.settle(driver, Some(self.name(Error::early(ErrorCode::Aborted, ""))), None);
            return None;
        }
        facts.callbacks.should_retry = self.observers.should_retry.is_some();
        facts.callbacks.error_data = facts.callbacks.should_retry;
        facts.callbacks.delay = self.observers.delay.is_some();
        // Also without an observer: the attempts are kept, for errors about an answer that was given out.
        facts.callbacks.observe = true;
        Some(facts)
    }

    /// Nobody has read the body: who does so later gets this failure.
    pub(super) fn abandon(&self, failure: Failure) {
        put(&self.abandoned, Some(self.name(Error::of(failure))));
    }

    /// The engine's word that the call is over.
    #[inline(never)]
    pub(super) fn end(self: &Rc<Self>, driver: &Driver, result: Result<(), Failure>) {
        let mut status = None;
        if let Ok(incoming) = self.incoming.try_borrow() {
            status = incoming.as_ref().map(|incoming| incoming.status());
        }
        let result = result.map_err(|failure| {
            status = failure.status;
            let notes = self.notes.try_borrow_mut().map(|mut notes| std::mem::take(&mut *notes)).unwrap_or_default();
            let error = notes.on(self.name(Error::of(failure)));
            let cause = self.authorization.as_ref().and_then(|authorization| authorization.cause(&error));
            if cause.is_some() { error.with(|inner| inner.cause = cause) } else { error }
        });
        self.settle(driver, result.err(), status);
    }

    /// The one place where a call gives back what it holds.
    #[inline(never)]
    fn settle(self: &Rc<Self>, driver: &Driver, error: Option<Error>, status: Option<u16>) {
        self.live.set(None);
        driver.hold(self, false);
        put(&self.subscription, None);
        put(&self.abort, None);
        let error = error.map(|error| match error.kind() {
            ErrorKind::Aborted if self.aborted.get() => {
                error.with(|inner| inner.cause = self.view.failure().map(Cause::Own))
            }
            _ => error,
        });
        let late = error.clone().or_else(|| take(&self.abandoned));
        put(&self.ended, Some(late.map_or(Ok(()), Err)));
        if let (Some(error), Some(body)) = (&error, &self.request.body) {
            body.cancel(error);
        }
        self.phase.set(error.as_ref().and_then(Error::engine_phase));
        // Before anybody else is called: who waits for it has to know in any case.
        self.wake();
        self.tell(driver, News::End(error.as_ref(), status));
        self.fail_view(error.as_ref());
    }

    /// Tells its scope.
    fn fail_view(&self, error: Option<&Error>) {
        if let Some(error) = error
            && !self.dropped.get()
        {
            self.view.fail(error);
        }
    }

    /// The end of a call that the engine knows nothing of: before its start, or after its end.
    #[inline(never)]
    pub(super) fn end_early(self: &Rc<Self>, driver: &Driver, error: Error) {
        match self.ended() {
            // It was its own end that an observer could not bear.
            Some(ended) => self.fail_view(ended.err().as_ref()),
            None => self.settle(driver, Some(self.name(error)), None),
        }
    }

    /// Adds what the call knows of itself.
    #[inline(never)]
    pub(crate) fn name(&self, error: Error) -> Error {
        error.with(|inner| {
            inner.method = self.request.method.clone();
            inner.url.clone_from(&self.request.target);
        })
    }

    /// The same, with what was noted about the current attempt.
    pub(super) fn noted(&self, error: Error) -> Error {
        self.notes.try_borrow().map(|notes| notes.clone()).unwrap_or_default().on(self.name(error))
    }

    pub(super) fn wake(&self) {
        if let Some(waker) = take(&self.waker) {
            waker.wake();
        }
    }
}
