use std::cell::RefCell;
use std::rc::Weak;

use js_sys::Function;
use steadfetch_core::time::Instant;
use wasm_bindgen::prelude::*;

use super::bindings::{clear_timeout, now, set_timeout};
use crate::driver::Driver;

/// The longest time that a timer of the platform can hold; a longer one fires at once.
const MOST: f64 = 2_147_483_647.0;

/// The one timer of a driver. Its closure is made once and kept.
pub(super) struct Timer {
    tick: RefCell<Option<Closure<dyn Fn()>>>,
    /// When it is armed for, and the platform's handle.
    armed: RefCell<Option<(Instant, JsValue)>>,
}

impl Timer {
    pub(super) fn new() -> Self {
        Self { tick: RefCell::new(None), armed: RefCell::new(None) }
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
        if let Ok(mut armed) = self.armed.try_borrow_mut() {
            *armed = Some((at, handle));
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
