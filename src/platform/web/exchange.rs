use std::future::Future;

use js_sys::{Object, Promise, Reflect, Uint8Array};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::outcome::Outcome;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::bindings::{self, AbortController, Request};
use super::{Incoming, get, is_stream};
use crate::body::{Body, Kind};
use crate::driver::{Extra, Outgoing};
use crate::options::Redirect;
use crate::platform::Rejection;

/// Stops a request.
pub(crate) struct Abort(AbortController);

impl Abort {
    pub(crate) fn abort(&self) {
        self.0.abort();
    }
}

pub(super) fn set(object: &Object, name: &str, value: &JsValue) {
    // Our own plain object: nothing can refuse it.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

/// The body as fetch takes it.
fn body_of(body: &Body) -> JsValue {
    match &body.0 {
        Kind::Text(text) => JsValue::from_str(text),
        Kind::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        Kind::Js(value) => value.clone(),
    }
}

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
        let mut body = body_of(body);
        if is_stream(&body) {
            set(&init, "duplex", &JsValue::from_str("half"));
            body = request.upload.relay(&body);
        }
        set(&init, "body", &body);
    }
    for (name, value) in request.init.members() {
        set(&init, name, &JsValue::from_str(value));
    }
    if extra.refuses_redirects(request) {
        set(&init, "redirect", &JsValue::from_str(Redirect::Error.as_str()));
    }
    if request.init.keepalive() {
        set(&init, "keepalive", &JsValue::TRUE);
    }
    init
}

/// Calls fetch, in this very task.
pub(super) fn fetch(
    request: &Outgoing,
    extra: &Extra,
) -> Result<(Abort, impl Future<Output = Result<Incoming, Rejection>> + 'static), Rejection> {
    let controller = AbortController::new();
    let init = init_of(request, extra, &controller.signal());
    let url = request.url.clone();
    match bindings::fetch(&url, &init) {
        Ok(promise) => Ok((Abort(controller.clone()), settle(promise, url, init, controller))),
        Err(_) if !get(&js_sys::global(), "fetch").is_function() => Err(Rejection::Refused(ErrorCode::Unsupported)),
        Err(error) => Err(rejection(&url, &init, &error)),
    }
}

async fn settle(
    promise: Promise,
    url: String,
    init: Object,
    controller: AbortController,
) -> Result<Incoming, Rejection> {
    match JsFuture::from(promise).await {
        Ok(response) if response.is_object() => Ok(Incoming::new(response.unchecked_into(), controller)),
        // A mock that answers with nothing.
        Ok(_) => Err(Rejection::Failed),
        Err(_) if get(&get(&init, "signal"), "aborted").is_truthy() => Err(Rejection::Failed),
        Err(error) if error.is_instance_of::<js_sys::TypeError>() => Err(rejection(&url, &init, &error)),
        Err(_) => Err(Rejection::Failed),
    }
}

/// Whether the platform refused the request itself, or the network failed: the texts of its errors differ between
/// engines, but a request that can never be sent cannot even be made.
fn rejection(url: &str, init: &Object, error: &JsValue) -> Rejection {
    if is_stream(&get(init, "body")) {
        // It is locked by now.
        let _ = Reflect::delete_property(init, &JsValue::from_str("body"));
    }
    match Request::new(url, init) {
        Ok(_) if is_unsent(init, error) => Rejection::Unconnected,
        Ok(_) => Rejection::Failed,
        Err(_) => Rejection::Refused(ErrorCode::InvalidRequest),
    }
}

/// Whether Node, Deno (in words) or Bun say that there was no connection. Where a redirect may have led to another server, this says nothing
/// about the first one.
fn is_unsent(init: &Object, error: &JsValue) -> bool {
    let follows = get(init, "redirect").as_string().is_none_or(|redirect| redirect == Redirect::Follow.as_str());
    let cause = get(error, "cause");
    let cause = if cause.is_object() { &cause } else { error };
    let is = |name, test: fn(&str) -> bool| get(cause, name).as_string().is_some_and(|text| test(&text));
    !follows && (is("code", Outcome::is_unsent) || is("message", |text| text.contains("client error (Connect)")))
}
