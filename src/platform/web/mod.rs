//! A browser's window or worker, or Node, Deno or Bun.
//!
//! Every global is looked up when it is used, so that mocks and fake timers work, and `window` is never asked for.

mod address;
mod bindings;
mod exchange;
mod hint;
mod incoming;
mod page;
mod signal;
mod tabs;
mod timer;
mod upload;

pub(crate) use address::{own_origin, resolve, resolve_base};
pub(crate) use exchange::Abort;
pub(crate) use hint::hint_of;
pub(crate) use incoming::Incoming;
pub(crate) use signal::{AbortSource, Signal, Subscription, close_by, subscribe};
pub(crate) use tabs::{TabLock, has_locks};
pub(crate) use upload::{Upload, is_form, is_locked, look_at, size_of};

use std::borrow::Cow;
use std::future::Future;
use std::rc::{Rc, Weak};

use js_sys::{Reflect, Uint32Array};
use steadfetch_core::time::Instant;
use wasm_bindgen::JsValue;

use super::Rejection;
use crate::driver::{Driver, Extra, Outgoing};
use page::Page;
use timer::Timer;

/// The one backend of a page.
#[derive(Clone, Copy, Default)]
pub(crate) struct Backend;

thread_local! {
    static DRIVER: Rc<Driver> = Driver::new(Platform { timer: Timer::new(), page: Page::new() });
}

impl Backend {
    /// The driver of this thread: one engine and one timer for every client.
    // Making it is much code, and one copy of it is enough for a page.
    #[inline(never)]
    pub(crate) fn driver(&self) -> Option<Rc<Driver>> {
        DRIVER.try_with(Rc::clone).ok()
    }

    pub(crate) fn known_driver(&self) -> Option<Rc<Driver>> {
        self.driver()
    }

    pub(crate) fn uncounted(&self) -> Self {
        *self
    }

    pub(crate) fn can_send(&self) -> bool {
        true
    }

    pub(crate) fn now(&self) -> Option<Instant> {
        Some(Instant::from_f64(bindings::now()))
    }
}

/// The one of this thread.
pub(crate) fn drivers() -> Option<Rc<Driver>> {
    Backend.driver()
}

pub(crate) struct Platform {
    timer: Timer,
    page: Page,
}

impl Platform {
    /// Called once, when the driver is there.
    pub(crate) fn attach(&self, driver: &Weak<Driver>) {
        self.timer.attach(driver);
        self.page.attach(driver);
    }

    pub(crate) fn seed(&self) -> [u32; 4] {
        let bits = Uint32Array::new_with_length(4);
        let mut seed = [0; 4];
        if bindings::random_values(&bits).is_ok() {
            bits.copy_to(&mut seed);
        } else {
            // No Web Crypto: the platform's own generator spreads callers as well.
            seed = std::array::from_fn(|_| (js_sys::Math::random() * f64::from(u32::MAX)) as u32);
        }
        seed
    }

    pub(crate) fn now(&self) -> Instant {
        Instant::from_f64(bindings::now())
    }

    pub(crate) fn wall(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    pub(crate) fn online(&self) -> bool {
        page::online()
    }

    pub(crate) fn watch_online(&self, _: &Weak<Driver>, on: bool) {
        self.page.watch_online(on);
    }

    /// The page's Content Security Policy has refused this URL since then.
    pub(crate) fn is_blocked(&self, request: &Outgoing, since: Instant) -> bool {
        self.page.has_refused(&request.url, since)
    }

    pub(crate) fn arm(&self, _: &Weak<Driver>, at: Option<Instant>, held: bool) {
        self.timer.arm(at);
        self.timer.hold(held);
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        wasm_bindgen_futures::spawn_local(task);
    }

    pub(crate) fn fetch(
        &self,
        request: &Outgoing,
        extra: &Extra,
    ) -> Result<(Abort, impl Future<Output = Result<Incoming, Rejection>> + 'static), Rejection> {
        exchange::fetch(request, extra)
    }
}

/// A member of an object, undefined if there is none, or no object.
fn get(object: &JsValue, name: &str) -> JsValue {
    // Each exception that is caught leaves a slot of wasm-bindgen's table behind: do not cause any.
    if object.is_undefined() || object.is_null() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// The platform looks at the request itself, but does not say which header it means.
pub(crate) fn mistake_in(request: &Outgoing) -> Option<Cow<'static, str>> {
    super::wrong_header(request)
}

/// Whether it is a `ReadableStream`, of whichever realm.
pub(crate) fn is_stream(value: &JsValue) -> bool {
    value.is_object() && get(value, "getReader").is_function()
}

/// Whether a `ReadableStream` can be sent. Browsers that cannot send its name as text, or throw. Deno and Bun can, and have
/// no member that says so.
pub(crate) fn streams_uploads() -> bool {
    let prototype = get(&get(&global(), "Request"), "prototype");
    is_server() || prototype.is_object() && Reflect::has(&prototype, &JsValue::from_str("duplex")).unwrap_or(false)
}

/// Node, or what claims to be one of its versions, as Deno and Bun do. Servers stream uploads over HTTP/1.1 too.
fn is_server() -> bool {
    get(&get(&get(&global(), "process"), "versions"), "node").is_string()
}

fn global() -> JsValue {
    js_sys::global().into()
}
