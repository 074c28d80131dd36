use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::phase::Phase;
use steadfetch_core::time::Instant;

use super::{Call, Driver, News, Observer, OnEvent, Running};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use crate::event::{Event, EventKind};
use crate::options::duration;
use crate::words::CircuitState;

impl Call {
    pub(super) fn tell(self: &Rc<Self>, driver: &Driver, news: News<'_>) {
        self.tell_in(driver, self.phase.get(), news);
    }

    /// Tells it as something that happened in this phase.
    pub(crate) fn tell_in(self: &Rc<Self>, driver: &Driver, phase: Option<Phase>, news: News<'_>) {
        if let Some(observer) = &self.observers.on_event {
            observer.observe(driver, self, phase, news);
        }
    }

    fn kind_of(&self, news: News<'_>) -> EventKind {
        match news {
            News::Start => EventKind::CallStart {
                method: self.request.method.as_ref().into(),
                url: self.request.target.as_str().into(),
            },
            News::Queued => EventKind::Queued,
            News::AttemptStart => EventKind::AttemptStart,
            News::AttemptEnd(attempt, headers_after) => {
                EventKind::AttemptEnd { attempt, headers_after: headers_after.map(duration) }
            }
            News::Retry(wait, code) => {
                EventKind::Retry { retry_count: self.retries.get(), wait: duration(wait), error: ErrorKind::of(code) }
            }
            News::Refresh(ok, elapsed) => EventKind::Refresh { ok, elapsed: duration(elapsed) },
            News::Circuit(state) => EventKind::CircuitChange {
                circuit: self.observers.circuit.clone().unwrap_or_default(),
                state: CircuitState::of(state),
            },
            News::End(error, status) => {
                // One that was never sent is taken back.
                let attempts = error.and_then(|error| error.attempts().len().try_into().ok());
                let attempts = attempts.unwrap_or_else(|| self.attempts.get());
                EventKind::CallEnd { error: error.cloned(), status, attempts }
            }
        }
    }
}

/// A function of the caller that is told of events.
pub(crate) struct Listener {
    tell: Box<dyn Fn(&Event)>,
    identity: usize,
}

impl Listener {
    /// That of one call.
    pub(crate) fn of_call(tell: impl Fn(&Event) + 'static) -> OnEvent {
        let tell: Rc<dyn Fn(&Event)> = Rc::new(tell);
        let identity = Rc::as_ptr(&tell).addr();
        Rc::new(Self { tell: Box::new(move |event| tell(event)), identity })
    }

    /// That of a client.
    pub(crate) fn of_client(tell: Arc<dyn Fn(&Event) + Send + Sync>) -> OnEvent {
        let identity = Arc::as_ptr(&tell).addr();
        Rc::new(Self { tell: Box::new(move |event| tell(event)), identity })
    }
}

impl Observer for Listener {
    fn observe(&self, driver: &Driver, call: &Rc<Call>, phase: Option<Phase>, news: News<'_>) {
        let now = driver.platform.now();
        let event = Event {
            call_id: call.number,
            dependency: call.observers.dependency.clone(),
            operation: call.observers.operation.clone(),
            phase: phase.map(crate::words::Phase::of),
            attempt: call.attempts.get(),
            elapsed: duration(now.since(call.started.get())),
            remaining: match call.deadline.get() {
                Instant::NEVER => None,
                deadline => Some(duration(deadline.since(now))),
            },
            kind: call.kind_of(news),
        };
        // What an observer does is nothing that a callback does.
        let inside = driver.inside.replace(0);
        driver.call_back(Running::Call(call.clone()), || (self.tell)(&event));
        driver.inside.set(inside);
    }

    fn mistaken(&self, client: &Client, operation: &Arc<str>, error: &Error) {
        let event = |kind| Event {
            call_id: client.0.backend.driver().map_or(0, |driver| driver.next_number()),
            dependency: client.0.name.clone(),
            operation: operation.clone(),
            phase: None,
            attempt: 0,
            elapsed: Duration::ZERO,
            remaining: None,
            kind,
        };
        let start = event(EventKind::CallStart { method: error.method().into(), url: error.url().into() });
        let end = EventKind::CallEnd { error: Some(error.clone()), status: None, attempts: 0 };
        let end = Event { kind: end, ..start.clone() };
        (self.tell)(&start);
        (self.tell)(&end);
    }

    fn identity(&self) -> usize {
        self.identity
    }
}
