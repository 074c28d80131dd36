use std::cell::{Cell, RefCell};
use std::rc::Weak;

use js_sys::{Function, global};
use steadfetch_core::time::Instant;
use wasm_bindgen::prelude::*;

use super::bindings::{clear_timeout, now, set_timeout};
use super::get;
use crate::driver::Driver;

/// The longest time that a timer of the platform can hold; a longer one fires at once.
const MOST: f64 = 2_147_483_647.0;

/// The one timer of a driver. Its closure is made once and kept.
pub(super) struct Timer {
    tick: RefCell<Option<Closure<dyn Fn()>>>,
    /// When it is armed for, and the platform's handle.
    armed: RefCell<Option<(Instant, JsValue)>>,
    /// It keeps a process of Node, Deno or Bun alive.
    held: Cell<bool>,
}

impl Timer {
    pub(super) fn new() -> Self {
        Self { tick: RefCell::new(None), armed: RefCell::new(None), held: Cell::new(true) }
    }

    pub(super) fn attach(&self, driver: &Weak<Driver>) {
        let owner = driver.clone();
        let tick = Closure::<dyn Fn()>::new(move || {
            if let Some(driver) = owner.upgrade() {
                driver.platform.timer.fired();
                driver.tick();
            }
        });
        if let Ok(mut place) = self.tick.try_borrow_mut() {
            *place = Some(tick);
        }
    }

    /// Sets it to this moment. One that is armed for an earlier moment stays: it then finds nothing to do.
    pub(super) fn arm(&self, at: Option<Instant>) {
        let armed = self.armed.try_borrow().ok().and_then(|armed| armed.as_ref().map(|(at, _)| *at));
        if let (Some(at), Some(armed)) = (at, armed)
            && armed <= at
        {
            return;
        }
        self.clear();
        let Some(at) = at else { return };
        let Some(tick) = self.callback() else { return };
        let wait = (at.to_f64() - now()).ceil().clamp(0.0, MOST);
        let handle = set_timeout(&tick, wait);
        // That is how every timer begins.
        self.held.set(true);
        if let Ok(mut armed) = self.armed.try_borrow_mut() {
            *armed = Some((at, handle));
        }
    }

    /// Whether it is to keep a process alive. A page's timers are numbers, and know of no process; so are those of the
    /// older ones of Deno 2, which has functions for it.
    pub(super) fn hold(&self, held: bool) {
        let handle = self.armed.try_borrow().ok().and_then(|armed| armed.as_ref().map(|(_, handle)| handle.clone()));
        let Some(handle) = handle else { return };
        if self.held.replace(held) == held {
            return;
        }
        let (owner, name) = if handle.is_object() {
            (handle.clone(), if held { "ref" } else { "unref" })
        } else {
            (get(&global(), "Deno"), if held { "refTimer" } else { "unrefTimer" })
        };
        if let Ok(act) = get(&owner, name).dyn_into::<Function>() {
            let _ = act.call1(&owner, &handle);
        }
    }

    fn callback(&self) -> Option<Function> {
        let tick = self.tick.try_borrow().ok()?;
        tick.as_ref().map(|tick| tick.as_ref().unchecked_ref::<Function>().clone())
    }

    fn fired(&self) {
        if let Ok(mut armed) = self.armed.try_borrow_mut() {
            *armed = None;
        }
    }

    fn clear(&self) {
        let armed = self.armed.try_borrow_mut().ok().and_then(|mut armed| armed.take());
        if let Some((_, handle)) = armed {
            clear_timeout(&handle);
        }
    }
}
