use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::bindings::EventTarget;
use crate::driver::{Call, Driver};

/// The caller's signal.
pub(crate) struct Signal(AbortSignal);

impl Signal {
    pub(crate) fn new(signal: AbortSignal) -> Self {
        Self(signal)
    }

    pub(crate) fn aborted(&self) -> bool {
        self.0.aborted()
    }
}

/// Our listener on a signal; dropped, it is removed.
pub(crate) struct Subscription {
    signal: AbortSignal,
    listener: Closure<dyn Fn()>,
}

impl Subscription {
    fn function(&self) -> &Function {
        self.listener.as_ref().unchecked_ref()
    }
}

/// Cancels the call when the signal fires. The call gives the subscription up when it ends.
pub(crate) fn subscribe(signal: Signal, driver: &Rc<Driver>, call: &Rc<Call>) {
    let (driver, weak) = (Rc::downgrade(driver), Rc::downgrade(call));
    let listener = Closure::<dyn Fn()>::new(move || {
        if let (Some(driver), Some(call)) = (driver.upgrade(), weak.upgrade()) {
            driver.cancel(&call);
        }
    });
    let subscription = Subscription { signal: signal.0, listener };
    let _ = subscription.signal.unchecked_ref::<EventTarget>().listen("abort", subscription.function());
    call.subscribe(subscription);
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let _ = self.signal.unchecked_ref::<EventTarget>().unlisten("abort", self.function());
    }
}
