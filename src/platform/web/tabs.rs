use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise, Reflect, global};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::bindings::{AbortController, Locks, list_of};
use super::{get, has_method, says, settled};

fn locks() -> JsValue {
    get(&get(&global(), "navigator"), "locks")
}

/// Whether tabs can wait for each other here (Web Locks, W3C).
pub(crate) fn has_locks() -> bool {
    has_method(&locks(), "request")
}

/// One request for the lock that the tabs of an origin share, and the lock that it gets.
pub(crate) struct TabLock {
    name: String,
    controller: AbortController,
    /// Frees the lock.
    free: RefCell<Option<Function>>,
    /// Who has it, by the platform's word.
    client: RefCell<Option<JsValue>>,
    held: Cell<bool>,
    /// It was taken from us.
    lost: Cell<bool>,
    /// It was given back, or given up.
    over: Cell<bool>,
}

impl TabLock {
    /// Asks for it; `steal`: takes it from whoever has it. The report is true when it is ours, false when there is none to
    /// be had.
    pub(crate) fn request(name: &str, steal: bool, report: impl Fn(bool) + 'static) -> Option<Rc<Self>> {
        let mut free = None;
        let until = Promise::new(&mut |resolve, _| free = Some(resolve));
        let lock = Rc::new(Self {
            name: name.to_owned(),
            controller: AbortController::new(),
            free: RefCell::new(free),
            client: RefCell::new(None),
            held: Cell::new(false),
            lost: Cell::new(false),
            over: Cell::new(false),
        });
        let options = Object::new();
        let (key, value) = if steal { ("steal", JsValue::TRUE) } else { ("signal", lock.controller.signal()) };
        // Our own plain object: nothing can refuse it.
        let _ = Reflect::set(&options, &JsValue::from_str(key), &value);
        let report = Rc::new(report);
        let granted = {
            let (lock, report) = (lock.clone(), report.clone());
            Closure::<dyn Fn() -> JsValue>::new(move || {
                if lock.over.get() {
                    return JsValue::UNDEFINED;
                }
                lock.held.set(true);
                spawn_local(lock.clone().arrive(report.clone()));
                until.clone().into()
            })
        };
        let request = locks().unchecked_into::<Locks>().request(name, &options, granted.as_ref().unchecked_ref());
        let kept = lock.clone();
        spawn_local(async move {
            let refused = match request {
                Ok(promise) => settled(&promise).await.is_err(),
                Err(_) => true,
            };
            // The platform may call it until here.
            drop(granted);
            if !refused {
                return;
            }
            if kept.held.get() {
                kept.lost.set(true);
            } else if !kept.over.get() {
                report(false);
            }
        });
        Some(lock)
    }

    async fn arrive(self: Rc<Self>, report: Rc<impl Fn(bool)>) {
        let client = self.holders().await.into_iter().next();
        if let Ok(mut place) = self.client.try_borrow_mut() {
            *place = client;
        }
        if !self.over.get() {
            report(true);
        }
    }

    /// Gives it back, or gives up waiting for it.
    pub(crate) fn release(&self) {
        self.over.set(true);
        self.controller.abort();
        let free = self.free.try_borrow_mut().ok().and_then(|mut free| free.take());
        if let Some(free) = free {
            let _ = free.call0(&JsValue::UNDEFINED);
        }
    }

    /// Whether nobody has taken it meanwhile. A tab that was frozen may not have heard of that yet: so the platform is
    /// asked.
    pub(crate) async fn is_ours(&self) -> bool {
        let holders = self.holders().await;
        let client = self.client.try_borrow().ok().and_then(|client| client.clone());
        !self.lost.get() && client.is_none_or(|client| holders.contains(&client))
    }

    /// The clients that have it: one or none.
    async fn holders(&self) -> Vec<JsValue> {
        let Ok(promise) = locks().unchecked_into::<Locks>().query() else { return Vec::new() };
        let Ok(state) = settled(&promise).await else { return Vec::new() };
        let held = get(&state, "held");
        if !Array::is_array(&held) {
            return Vec::new();
        }
        let ours = |lock: &JsValue| says(lock, "name", &self.name);
        list_of(&held).unwrap_or_default().iter().filter(ours).map(|lock| get(&lock, "clientId")).collect()
    }
}
