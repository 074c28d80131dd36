//! The answers of a script, as fetch would give them.

use std::cell::Cell;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Object, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::bindings::{Response, Stream, StreamController};
use super::exchange::set;
use super::settled;
use super::signal::{Signal, Subscription};
use crate::driver::{Extra, Outgoing};
use crate::testing::{Kind, Reply, Request, Script};

/// A promise of the answer, which heeds the signal; `None` if the script has none.
pub(super) fn fetch(script: &Script, request: &Outgoing, extra: &Extra, signal: JsValue) -> Option<JsValue> {
    let reply = script.answer(Request::new(request, extra))?;
    let mut stop = None;
    let stopped = Promise::new(&mut |_, reject| stop = Some(reject));
    let listening = Subscription::new(Signal::new(signal.unchecked_into()), move || {
        if let Some(stop) = &stop {
            let _ = stop.call0(&JsValue::UNDEFINED);
        }
    });
    let answer = future_to_promise(async move { answer(reply).await });
    let race = Promise::race(&Array::of2(&stopped, &answer));
    let promise = future_to_promise(async move {
        let result = settled(&race).await;
        drop(listening);
        result
    });
    Some(promise.into())
}

async fn answer(Reply { kind, delay }: Reply) -> Result<JsValue, JsValue> {
    let delay = u32::try_from(delay.as_millis()).unwrap_or(u32::MAX);
    if delay > 0 {
        // It takes a signed number.
        TimeoutFuture::new(delay.min(i32::MAX as u32)).await;
    }
    match kind {
        Kind::Lost => Err(js_sys::TypeError::new("the connection of the script broke").into()),
        Kind::Never => std::future::pending().await,
        Kind::Response { status, headers, body, cut } => {
            let init = Object::new();
            set(&init, "status", &status.into());
            let list: Array =
                headers.iter().map(|(name, value)| Array::of2(&name.as_str().into(), &value.as_str().into())).collect();
            set(&init, "headers", &list);
            let body = match (body.is_empty(), cut) {
                (true, false) => JsValue::NULL,
                (_, true) => broken(body)?,
                (false, false) => Uint8Array::from(body.as_slice()).into(),
            };
            Response::new(&body, &init).map(JsValue::from)
        }
    }
}

/// A stream that breaks after these bytes.
fn broken(body: Vec<u8>) -> Result<JsValue, JsValue> {
    let rest = Cell::new(Some(body));
    let pull = Closure::<dyn Fn(StreamController)>::new(move |controller: StreamController| {
        let _ = match rest.take().filter(|body| !body.is_empty()) {
            Some(body) => controller.enqueue(&Uint8Array::from(body.as_slice())),
            None => controller.error(&js_sys::TypeError::new("the connection of the script broke")),
        };
    });
    let source = Object::new();
    // The stream has it, and the collector of garbage gives it back.
    set(&source, "pull", &pull.into_js_value());
    Stream::new(&source).map(JsValue::from)
}
