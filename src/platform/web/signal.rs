use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::bindings::{AbortController, EventTarget};
use super::{get, has_method};
use crate::driver::{Call, Driver};
use crate::view::View;

/// The caller's signal, or what is said to be one.
#[derive(Clone)]
pub(crate) struct Signal(AbortSignal);

/// It takes no listener.
#[derive(Debug)]
pub(crate) struct NoSignal;

impl Signal {
    pub(crate) fn new(signal: AbortSignal) -> Self {
        Self(signal)
    }

    fn check(&self) -> Result<(), NoSignal> {
        let has = |name| has_method(&self.0, name);
        let is_one =
            has("addEventListener") && has("removeEventListener") && get(&self.0, "aborted").as_bool().is_some();
        if is_one { Ok(()) } else { Err(NoSignal) }
    }

    fn aborted(&self) -> bool {
        get(&self.0, "aborted").is_truthy()
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
    pub(super) fn new(signal: Signal, act: impl Fn() + 'static) -> Result<Self, NoSignal> {
        signal.check()?;
        let subscription = Self { signal: signal.0, listener: Closure::new(act) };
        let listening = subscription.signal.unchecked_ref::<EventTarget>().listen("abort", subscription.function());
        listening.map(|()| subscription).map_err(|_| NoSignal)
    }

    fn function(&self) -> &Function {
        self.listener.as_ref().unchecked_ref()
    }
}

/// Cancels the call when the signal fires. The call gives the subscription up when it ends.
pub(crate) fn subscribe(signal: Signal, driver: &Rc<Driver>, call: &Rc<Call>) -> Result<(), NoSignal> {
    let (driver, weak) = (Rc::downgrade(driver), Rc::downgrade(call));
    let is_aborted = signal.aborted();
    let subscription = Subscription::new(signal, move || {
        if let (Some(driver), Some(call)) = (driver.upgrade(), weak.upgrade()) {
            driver.cancel(&call);
        }
    })?;
    if is_aborted {
        call.give_up();
    } else {
        call.subscribe(subscription);
    }
    Ok(())
}

thread_local! {
    /// Listeners for scopes. A scope knows nothing of JavaScript, and may be dropped anywhere.
    static SCOPES: RefCell<Vec<(Weak<View>, Subscription)>> = const { RefCell::new(Vec::new()) };
}

/// Closes the view when the signal fires. Listeners of scopes that are gone are removed by the next one.
pub(crate) fn close_by(signal: &AbortSignal, view: &Arc<View>) -> Result<(), NoSignal> {
    let weak = Arc::downgrade(view);
    let signal = Signal::new(signal.clone());
    let is_aborted = signal.aborted();
    let subscription = Subscription::new(signal, move || {
        if let Some(view) = weak.upgrade() {
            view.close();
        }
    })?;
    if is_aborted {
        view.close();
        return Ok(());
    }
    let gone = SCOPES.with_borrow_mut(|scopes| {
        let gone: Vec<_> = scopes.extract_if(.., |(view, _)| view.strong_count() == 0).collect();
        scopes.push((Arc::downgrade(view), subscription));
        gone
    });
    // Removing a listener leaves the crate: nothing may be borrowed then.
    drop(gone);
    Ok(())
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let _ = self.signal.unchecked_ref::<EventTarget>().unlisten("abort", self.function());
    }
}
