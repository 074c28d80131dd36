//! A browser's window or worker, or Node, Deno or Bun.
//!
//! Every global is looked up when it is used, so that mocks and fake timers work, and `window` is never asked for.

mod address;
mod bindings;
mod exchange;
mod hint;
mod incoming;
mod page;
mod refused;
#[cfg(feature = "stream")]
mod rust_stream;
#[cfg(feature = "testing")]
mod scripted;
mod signal;
mod tabs;
mod timer;
mod upload;

pub(crate) use address::{is_local, own_origin, resolve, resolve_base};
pub(crate) use exchange::{Abort, AddInit, add_init};
pub(crate) use hint::hint_of;
pub(crate) use incoming::Incoming;
#[cfg(feature = "stream")]
pub(crate) use rust_stream::foreign_stream;
pub(crate) use signal::{AbortSource, Signal, Subscription, close_by, subscribe};
pub(crate) use tabs::{TabLock, has_locks};
pub(crate) use upload::foreign;

use std::borrow::Cow;
use std::future::Future;
use std::rc::{Rc, Weak};

use js_sys::{Reflect, Symbol, Uint32Array};
use steadfetch_core::time::Instant;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::Rejection;
use crate::auth::LocalFuture;
use crate::driver::{Driver, Extra, Outgoing};
use page::Page;
use timer::Timer;

/// The one backend of a page; a client of a test has a script in place of fetch.
#[derive(Clone, Default)]
pub(crate) struct Backend {
    #[cfg(feature = "testing")]
    pub(crate) script: Option<crate::testing::Script>,
}

thread_local! {
    static DRIVER: Rc<Driver> = Driver::new(Platform { timer: Timer::new(), page: Page::new() });
}

/// 128 of them.
pub(crate) fn random_bits() -> [u32; 4] {
    let bits = Uint32Array::new_with_length(4);
    let mut random = [0; 4];
    if bindings::random_values(&bits).is_ok() {
        bits.copy_to(&mut random);
    } else {
        // No Web Crypto: the platform's own generator spreads callers as well.
        random = std::array::from_fn(|_| (js_sys::Math::random() * f64::from(u32::MAX)) as u32);
    }
    random
}

impl Backend {
    #[cfg(feature = "testing")]
    pub(crate) fn new(script: crate::testing::Script) -> Self {
        Self { script: Some(script) }
    }

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
        self.clone()
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
    Backend::default().driver()
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
        random_bits()
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
        spawn(Box::pin(task));
    }

    pub(crate) fn fetch(
        &self,
        request: &Outgoing,
        extra: &Extra,
    ) -> Result<(Abort, impl Future<Output = Result<Incoming, Rejection>> + 'static), Rejection> {
        exchange::fetch(request, extra)
    }
}

/// The executor is generic: it exists once, for futures on the heap, and not once for each task.
#[inline(never)]
fn spawn(task: LocalFuture<()>) {
    wasm_bindgen_futures::spawn_local(task);
}

/// A member of an object, undefined if there is none, or no object. What throws is not caught elsewhere: an exception that
/// leaves the wasm runs no destructor.
// One copy: a call of it is shorter than what it does. The same goes for the others here.
#[inline(never)]
fn get(object: &JsValue, name: &str) -> JsValue {
    // Each exception that is caught leaves a slot of wasm-bindgen's table behind: do not cause any.
    if !object.is_object() && !object.is_function() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// A member that is a string.
#[inline(never)]
fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// Whether a member is this string.
#[inline(never)]
fn says(object: &JsValue, name: &str, word: &str) -> bool {
    text(object, name).is_some_and(|text| text == word)
}

/// Whether an object has this method.
#[inline(never)]
fn has_method(object: &JsValue, name: &str) -> bool {
    get(object, name).is_function()
}

/// Whether the platform calls an object by this name, of whichever realm it is.
#[inline(never)]
fn is_a(value: &JsValue, name: &str) -> bool {
    let tag = value.is_object().then(|| Reflect::get(value, &Symbol::to_string_tag()).ok()).flatten();
    tag.is_some_and(|tag| tag.as_string().as_deref() == Some(name))
}

/// What a foreign function has given: a promise, or the value itself.
#[inline(never)]
fn promised(given: &JsValue) -> Result<JsFuture, JsValue> {
    bindings::promise_of(given).map(JsFuture::from)
}

async fn settled(given: &JsValue) -> Result<JsValue, JsValue> {
    promised(given)?.await
}

/// How it ends is nobody's business, but one that rejects must not be reported as unhandled.
#[inline(never)]
fn forget(given: Result<JsValue, JsValue>) {
    if let Ok(promise) = given.and_then(|given| promised(&given)) {
        spawn(Box::pin(async move {
            let _ = promise.await;
        }));
    }
}

/// The bytes as text, by a label of the Encoding Standard; `None` if the platform does not know it.
pub(crate) fn decode(bytes: &[u8], label: &str) -> Option<String> {
    bindings::Decoder::new(label).and_then(|decoder| decoder.decode(bytes)).ok()
}

/// Bytes that are no UTF-8 as UTF-8: each sequence that is ill-formed becomes U+FFFD. The platform can do that.
#[cold]
pub(crate) fn decode_lossily(bytes: &[u8]) -> String {
    // In front of the text, another one is text.
    let marked = [b"\xef\xbb\xbf", bytes].concat();
    decode(&marked, "utf-8").unwrap_or_default()
}

/// The platform looks at the request itself, but does not say which header it means.
pub(crate) fn mistake_in(request: &Outgoing) -> Option<Cow<'static, str>> {
    super::wrong_header(request)
}

/// Whether it is a `ReadableStream`, of whichever realm, or what Node takes for one: anything with an async iterator.
#[inline(never)]
fn is_stream(value: &JsValue) -> bool {
    value.is_object()
        && (has_method(value, "getReader") || Reflect::has(value, &Symbol::async_iterator()).unwrap_or(false))
}

/// Whether a `ReadableStream` can be sent. Browsers that cannot send its name as text, or throw. Deno and Bun can, and have
/// no member that says so.
fn streams_uploads() -> bool {
    let prototype = get(&get(&global(), "Request"), "prototype");
    is_server() || prototype.is_object() && Reflect::has(&prototype, &JsValue::from_str("duplex")).unwrap_or(false)
}

/// Node, or what claims to be one of its versions, as Deno and Bun do. Servers stream uploads over HTTP/1.1 too.
fn is_server() -> bool {
    get(&get(&get(&global(), "process"), "versions"), "node").is_string()
}

#[inline(never)]
fn global() -> JsValue {
    js_sys::global().into()
}
