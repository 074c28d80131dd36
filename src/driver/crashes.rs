//! What becomes of the driver after a panic in a callback of the caller. On wasm32 nothing unwinds: the exception leaves the
//! module, no destructor runs, and what was under way stays marked. The marks are looked at in a task, below which nothing runs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use steadfetch_core::engine::Event;
use steadfetch_core::error::ErrorCode;

use super::call::{put, take};
use super::{Call, Driver, Input, Notes};
use crate::error::Error;

/// Whose callback is running.
#[derive(Clone)]
pub(crate) enum Running {
    /// One of a call, for which the driver waits.
    Call(Rc<Call>),
    /// One of a reader of its body, which is gone if that panics.
    Reader(Rc<Call>),
    /// One of an [`Auth`](crate::Auth), by its number, for this ticket of the engine.
    Auth(u32, u64),
}

#[derive(Default)]
pub(super) struct Crashes {
    /// The innermost last. Where a panic unwinds it is caught, and they need not be kept.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    running: RefCell<Vec<Running>>,
    /// Those that have panicked.
    crashed: RefCell<Vec<Running>>,
    /// A task will look for them.
    looking: Cell<bool>,
}

const DETAIL: &str = "a callback panicked";

impl Driver {
    /// Runs a callback of the caller. If it panics, its call ends, and nothing else is harmed.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn call_back<R>(&self, running: Running, act: impl FnOnce() -> R) -> R {
        self.before_callback(running);
        let result = act();
        let ended = self.crashes.running.try_borrow_mut().ok().and_then(|mut running| running.pop());
        drop(ended);
        result
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    #[inline(never)]
    fn before_callback(&self, running: Running) {
        if let Ok(mut place) = self.crashes.running.try_borrow_mut() {
            place.push(running);
        }
        // Afterwards nobody might come by. It also wakes the tasks that the same turn leaves behind.
        self.resume_later();
    }

    /// Runs a callback of the caller. If it panics, its call ends, and nothing else is harmed.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) fn call_back<R>(&self, running: Running, act: impl FnOnce() -> R) -> R {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
        catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
            if let Ok(mut crashed) = self.crashes.crashed.try_borrow_mut() {
                crashed.push(running);
            }
            self.resume_later();
            resume_unwind(panic)
        })
    }

    pub(super) fn resume_later(&self) {
        if self.crashes.looking.replace(true) {
            return;
        }
        let this = self.this.clone();
        self.platform.spawn(async move {
            if let Some(driver) = this.upgrade() {
                driver.crashes.looking.set(false);
                driver.resume();
            }
        });
    }

    /// Goes on where a panic has left off, if one has.
    fn resume(&self) {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        let stale = self.find_marks();
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let stale = false;
        let crashed = self.crashes.crashed.try_borrow().is_ok_and(|crashed| !crashed.is_empty());
        let inputs = self.inputs.try_borrow().is_ok_and(|inputs| !inputs.is_empty());
        if !self.busy.get() && (stale || crashed || inputs) {
            self.run();
        }
    }

    /// Nothing runs below a task of the event loop: a mark that is found there is stale.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn find_marks(&self) -> bool {
        self.inside.set(0);
        if let (Ok(mut running), Ok(mut crashed)) =
            (self.crashes.running.try_borrow_mut(), self.crashes.crashed.try_borrow_mut())
        {
            crashed.append(&mut running);
        }
        self.busy.replace(false)
    }

    /// Before anything else is done: what is still to be performed follows from what was known before.
    #[inline(never)]
    pub(super) fn end_crashed(&self) {
        while let Some(running) = self.crashes.crashed.try_borrow_mut().ok().and_then(|mut crashed| crashed.pop()) {
            self.end_one(running);
        }
    }

    #[inline(never)]
    fn end_one(&self, running: Running) {
        match running {
            Running::Auth(auth, ticket) => {
                if let (Some(keeper), Some(driver)) = (self.keeper(auth), self.this.upgrade()) {
                    keeper.crashed(&driver, ticket);
                }
            }
            Running::Reader(call) => {
                self.feed(Input::Event(call.clone(), call.attempt(), Event::Dropped));
                if let Some(incoming) = take(&call.incoming) {
                    incoming.cancel();
                }
            }
            Running::Call(call) => {
                put(&self.starting, None);
                if call.id().is_none() || call.ended().is_some() {
                    return call.end_early(self, Error::early(ErrorCode::CallbackError, DETAIL));
                }
                call.note(Notes { detail: Some(DETAIL.to_owned()), ..Notes::default() });
                // Where the engine waits for no answer of the callback, the call goes on.
                let attempt = call.attempt();
                self.feed(Input::Event(call, attempt, Event::CallbackFailed));
            }
        }
    }
}
