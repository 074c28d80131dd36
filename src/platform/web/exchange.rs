use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;

use js_sys::{Object, Reflect, Uint8Array};
use steadfetch_core::error::ErrorCode;
use wasm_bindgen::prelude::*;

use super::bindings::{self, AbortController};
use super::refused::{is_unsent, refusal};
use super::{Incoming, get, has_method, says, settled, text};
use crate::body::{Body, KEEPALIVE_BYTES, Kind};
use crate::driver::{Extra, Outgoing};
use crate::options::Redirect;
use crate::platform::Rejection;
#[cfg(feature = "testing")]
use crate::testing::NO_REPLY;

/// Stops a request.
pub(crate) struct Abort {
    controller: AbortController,
    room: Cell<Option<Room>>,
}

impl Abort {
    pub(crate) fn abort(&self) {
        self.controller.abort();
    }

    /// The attempt is over: its body is no longer under way.
    pub(crate) fn sent(&self) {
        self.room.take();
    }
}

/// The share of one body in the 64 KiB that all keepalive requests have together; given back when it is dropped.
struct Room(usize);

thread_local! {
    static KEPT: Cell<usize> = const { Cell::new(0) };
}

impl Room {
    fn take(bytes: usize) -> Option<Self> {
        let kept = KEPT.get().saturating_add(bytes);
        (kept <= KEEPALIVE_BYTES).then(|| {
            KEPT.set(kept);
            Self(bytes)
        })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        KEPT.set(KEPT.get().saturating_sub(self.0));
    }
}

pub(super) fn set(object: &Object, name: &str, value: &JsValue) {
    // Our own plain object: nothing can refuse it.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

#[inline(never)]
fn init_of(request: &Outgoing, extra: &Extra, signal: &JsValue) -> Object {
    let init = Object::new();
    set(&init, "method", &JsValue::from_str(&request.method));
    set(&init, "signal", signal);
    let headers = js_sys::Array::new();
    for (name, value) in request.headers(extra) {
        headers.push(&js_sys::Array::of2(&JsValue::from_str(name), &JsValue::from_str(&value)));
    }
    if headers.length() > 0 {
        set(&init, "headers", &headers);
    }
    if let Some(body) = &request.body {
        match &body.0 {
            Kind::Text(text) => set(&init, "body", &JsValue::from_str(text)),
            Kind::Bytes(bytes) => set(&init, "body", &Uint8Array::from(bytes.as_slice())),
            Kind::Js(body) => body.give_to(&init),
        }
    }
    for (name, value) in request.init.members() {
        set(&init, name, &JsValue::from_str(value));
    }
    if let Some(add) = &request.add_init {
        add(&init);
    }
    if extra.refuses_redirects(request) {
        set(&init, "redirect", &JsValue::from_str(Redirect::Error.as_str()));
    }
    init
}

/// Adds members of the caller's own to a `RequestInit`. A function, so that an app that has none links nothing of it.
pub(crate) type AddInit = Rc<dyn Fn(&Object)>;

pub(crate) fn add_init(others: Option<AddInit>, name: &'static str, value: JsValue) -> AddInit {
    Rc::new(move |init| {
        if let Some(add) = &others {
            add(init);
        }
        set(init, name, &value);
    })
}

/// Calls fetch, in this very task.
pub(super) fn fetch(
    request: &Outgoing,
    extra: &Extra,
) -> Result<(Abort, impl Future<Output = Result<Incoming, Rejection>> + 'static), Rejection> {
    let controller = AbortController::new();
    let init = init_of(request, extra, &controller.signal());
    let keepalive = request.init.keepalive();
    // fetch rejects what goes beyond the room of all: that is sent without.
    let room = keepalive.then(|| Room::take(request.body.as_ref().and_then(Body::len).unwrap_or(0))).flatten();
    if room.is_some() {
        set(&init, "keepalive", &JsValue::TRUE);
    }
    let streams = request.body.as_ref().is_some_and(|body| !body.replays());
    let url = request.url.clone();
    #[cfg(feature = "testing")]
    let asked = match &request.script {
        Some(script) => {
            let given = super::scripted::fetch(script, request, extra, get(&init, "signal"));
            Ok(given.ok_or(Rejection::Refused(ErrorCode::Unsupported, Some(NO_REPLY.into())))?)
        }
        None => bindings::fetch(&url, &init),
    };
    #[cfg(not(feature = "testing"))]
    let asked = bindings::fetch(&url, &init);
    match asked {
        Ok(given) => {
            let abort = Abort { controller: controller.clone(), room: Cell::new(room) };
            Ok((abort, settle(given, (url, init, streams), controller)))
        }
        Err(_) if !has_method(&js_sys::global(), "fetch") => Err(Rejection::Refused(ErrorCode::Unsupported, None)),
        Err(error) => Err(rejection(&url, &init, streams, &error)),
    }
}

async fn settle(
    given: JsValue,
    (url, init, streams): (String, Object, bool),
    controller: AbortController,
) -> Result<Incoming, Rejection> {
    match settled(&given).await {
        Ok(response) => {
            if says(&response, "type", "error") {
                return Err(rejection(&url, &init, streams, &JsValue::UNDEFINED));
            }
            let status = get(&response, "status").as_f64();
            if status.is_none_or(|status| status.fract() != 0.0) {
                return Err(Rejection::Faulty(if response.is_object() {
                    "fetch returned a response without a numeric status".into()
                } else {
                    let kind = response.js_typeof().as_string().unwrap_or_default();
                    ["fetch returned ", &kind, ", not a Response"].concat().into()
                }));
            }
            Ok(Incoming::new(response.unchecked_into(), controller))
        }
        Err(_) if get(&get(&init, "signal"), "aborted").is_truthy() => Err(Rejection::Failed),
        Err(error) => Err(rejection(&url, &init, streams, &error)),
    }
}

/// Why fetch has rejected. The texts of its errors differ between engines.
#[inline(never)]
fn rejection(url: &str, init: &Object, streams: bool, error: &JsValue) -> Rejection {
    // Of the code in the place of fetch: it would be the same the next time.
    if let Some(name) = text(error, "name")
        && ["ReferenceError", "SyntaxError", "RangeError"].contains(&name.as_str())
    {
        return Rejection::Faulty(["fetch threw a ", &name].concat().into());
    }
    if streams {
        // It is locked by now.
        let _ = Reflect::delete_property(init, &JsValue::from_str("body"));
    }
    match refusal(url, init, error) {
        Some(detail) => Rejection::Refused(ErrorCode::InvalidRequest, Some(detail)),
        None if is_unsent(init, error) => Rejection::Unconnected,
        None => Rejection::Failed,
    }
}
