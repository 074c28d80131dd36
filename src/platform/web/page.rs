use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use js_sys::{Function, global};
use steadfetch_core::time::Instant;
use wasm_bindgen::prelude::*;

use super::bindings::{EventTarget, now};
use super::{get, has_method, text};
use crate::driver::Driver;

/// How many refusals of the Content Security Policy are remembered.
const REFUSALS: usize = 16;

/// What the browser says. Where it says nothing, as in Node, there is a network.
pub(super) fn online() -> bool {
    get(&get(&global(), "navigator"), "onLine").as_bool().unwrap_or(true)
}

/// What the page tells its scripts.
pub(super) struct Page {
    online: RefCell<Option<Closure<dyn Fn()>>>,
    watching: Cell<bool>,
    /// Kept, and never removed: they live as long as the page.
    listeners: RefCell<Vec<Listener>>,
    refused: Rc<RefCell<VecDeque<Refusal>>>,
}

type Listener = Closure<dyn Fn(JsValue)>;

/// A URL that the policy has refused, as the browser reports it: all of it, or its origin.
struct Refusal {
    url: String,
    at: Instant,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            online: RefCell::new(None),
            watching: Cell::new(false),
            listeners: RefCell::new(Vec::new()),
            refused: Rc::default(),
        }
    }

    pub(super) fn attach(&self, driver: &Weak<Driver>) {
        let owner = driver.clone();
        let listener = Closure::<dyn Fn()>::new(move || {
            if let Some(driver) = owner.upgrade() {
                driver.set_online(online());
            }
        });
        if let Ok(mut place) = self.online.try_borrow_mut() {
            *place = Some(listener);
        }
        for (name, hidden) in [("pagehide", true), ("pageshow", false)] {
            let owner = driver.clone();
            self.listen(name, move |_| {
                if let Some(driver) = owner.upgrade() {
                    driver.set_hidden(hidden);
                }
            });
        }
        let refused = self.refused.clone();
        self.listen("securitypolicyviolation", move |event| note(&refused, &event));
    }

    fn listen(&self, name: &str, act: impl Fn(JsValue) + 'static) {
        let Some(target) = target() else { return };
        let listener = Listener::new(act);
        if target.listen(name, listener.as_ref().unchecked_ref()).is_ok()
            && let Ok(mut listeners) = self.listeners.try_borrow_mut()
        {
            listeners.push(listener);
        }
    }

    pub(super) fn watch_online(&self, on: bool) {
        if self.watching.replace(on) == on {
            return;
        }
        let Some(target) = target() else { return };
        let listener = self.online.try_borrow().ok().and_then(|listener| {
            listener.as_ref().map(|listener| listener.as_ref().unchecked_ref::<Function>().clone())
        });
        let Some(listener) = listener else { return };
        let _ = if on { target.listen("online", &listener) } else { target.unlisten("online", &listener) };
    }

    /// Whether the page's policy has refused this URL since then. The report comes after the rejection, so it is looked
    /// for when a retry is due.
    pub(super) fn has_refused(&self, url: &str, since: Instant) -> bool {
        let same = |refusal: &Refusal| {
            refusal.at >= since
                && url.strip_prefix(&refusal.url).is_some_and(|rest| {
                    // An origin is no beginning of another one.
                    rest.is_empty() || refusal.url.ends_with('/') || rest.starts_with(['/', '?', '#'])
                })
        };
        self.refused.try_borrow().is_ok_and(|refused| refused.iter().any(same))
    }
}

/// The global, if it has events (Node's has not).
fn target() -> Option<EventTarget> {
    let global = JsValue::from(global());
    has_method(&global, "addEventListener").then(|| global.unchecked_into())
}

/// Keeps the URL of a request that the policy refused, not only reported.
fn note(refused: &RefCell<VecDeque<Refusal>>, event: &JsValue) {
    let word = |name: &str| text(event, name).unwrap_or_default();
    if word("disposition") != "enforce" || word("effectiveDirective") != "connect-src" {
        return;
    }
    let refusal = Refusal { url: word("blockedURI"), at: Instant::from_f64(now()) };
    let Ok(mut refused) = refused.try_borrow_mut() else { return };
    if refused.len() >= REFUSALS {
        refused.pop_front();
    }
    refused.push_back(refusal);
}
