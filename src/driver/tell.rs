use std::rc::Rc;

use steadfetch_core::phase::Phase;
use steadfetch_core::time::Instant;

use super::{Call, Driver, Running};
use crate::event::{Event, EventKind};
use crate::options::duration;

impl Call {
    pub(super) fn tell_start(self: &Rc<Self>, driver: &Driver) {
        self.tell(driver, || EventKind::CallStart {
            method: self.request.method.as_ref().into(),
            url: self.request.target.as_str().into(),
        });
    }

    pub(super) fn tell(self: &Rc<Self>, driver: &Driver, kind: impl FnOnce() -> EventKind) {
        self.tell_in(driver, self.phase.get(), kind);
    }

    /// Tells it as something that happened in this phase.
    pub(crate) fn tell_in(self: &Rc<Self>, driver: &Driver, phase: Option<Phase>, kind: impl FnOnce() -> EventKind) {
        if self.observers.on_event.is_some() {
            self.observe(driver, phase, kind());
        }
    }

    // One copy of it is enough for all that is told.
    #[inline(never)]
    fn observe(self: &Rc<Self>, driver: &Driver, phase: Option<Phase>, kind: EventKind) {
        let Some(observer) = &self.observers.on_event else { return };
        let now = driver.platform.now();
        let event = Event {
            call_id: self.number,
            dependency: self.observers.dependency.clone(),
            operation: self.observers.operation.clone(),
            phase,
            attempt: self.attempts.get(),
            elapsed: duration(now.since(self.started.get())),
            remaining: match self.deadline.get() {
                Instant::NEVER => None,
                deadline => Some(duration(deadline.since(now))),
            },
            kind,
        };
        // What an observer does is nothing that a callback does.
        let inside = driver.inside.replace(0);
        driver.call_back(Running::Call(self.clone()), || observer(&event));
        driver.inside.set(inside);
    }
}
