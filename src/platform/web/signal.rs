use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::bindings::{AbortController, EventTarget};
use crate::driver::{Call, Driver};
use crate::view::View;

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

/// What stops the calls of others.
pub(crate) struct AbortSource(AbortController);

impl AbortSource {
    pub(crate) fn new() -> Self {
        Self(AbortController::new())
    }

    pub(crate) fn signal(&self) -> AbortSignal {
        self.0.signal().unchecked_into()
    }

    pub(crate) fn abort(&self) {
        self.0.abort();
    }
}

/// Our listener on a signal; dropped, it is removed.
pub(crate) struct Subscription {
    signal: AbortSignal,
    listener: Closure<dyn Fn()>,
}

impl Subscription {
    fn new(signal: AbortSignal, act: impl Fn() + 'static) -> Self {
        let subscription = Self { signal, listener: Closure::new(act) };
        let _ = subscription.signal.unchecked_ref::<EventTarget>().listen("abort", subscription.function());
        subscription
    }

    fn function(&self) -> &Function {
        self.listener.as_ref().unchecked_ref()
    }
}

/// Cancels the call when the signal fires. The call gives the subscription up when it ends.
pub(crate) fn subscribe(signal: Signal, driver: &Rc<Driver>, call: &Rc<Call>) {
    let (driver, weak) = (Rc::downgrade(driver), Rc::downgrade(call));
    call.subscribe(Subscription::new(signal.0, move || {
        if let (Some(driver), Some(call)) = (driver.upgrade(), weak.upgrade()) {
            driver.cancel(&call);
        }
    }));
}

thread_local! {
    /// Listeners for scopes. A scope knows nothing of JavaScript, and may be dropped anywhere.
    static SCOPES: RefCell<Vec<(Weak<View>, Subscription)>> = const { RefCell::new(Vec::new()) };
}

/// Closes the view when the signal fires. Listeners of scopes that are gone are removed by the next one.
pub(crate) fn close_by(signal: &AbortSignal, view: &Arc<View>) {
    if signal.aborted() {
        view.close();
        return;
    }
    let weak = Arc::downgrade(view);
    let subscription = Subscription::new(signal.clone(), move || {
        if let Some(view) = weak.upgrade() {
            view.close();
        }
    });
    let gone = SCOPES.with_borrow_mut(|scopes| {
        let gone: Vec<_> = scopes.extract_if(.., |(view, _)| view.strong_count() == 0).collect();
        scopes.push((Arc::downgrade(view), subscription));
        gone
    });
    // Removing a listener leaves the crate: nothing may be borrowed then.
    drop(gone);
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let _ = self.signal.unchecked_ref::<EventTarget>().unlisten("abort", self.function());
    }
}
