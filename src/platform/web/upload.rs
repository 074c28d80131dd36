//! Bodies of the platform: their size, their files, their streams.

use std::cell::OnceCell;
use std::future::Future;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Object};
use wasm_bindgen::prelude::*;

use super::bindings::{
    Bytes, Cancel, File, Form, Query, Stream, TransformController, TransformStream, list_of, text_of,
};
use super::exchange::set;
use super::{forget, get, is_a, is_stream, settled};
use crate::body::{Body, Kind};
use crate::error::Error;

/// The pairs of a form.
fn pairs(form: &JsValue) -> Array {
    list_of(form).unwrap_or_default()
}

fn values(form: &JsValue) -> impl Iterator<Item = JsValue> + use<> {
    pairs(form).into_iter().map(|pair| get(&pair, "1"))
}

/// The body as it is now: the caller may change it before it is sent, or sent again.
pub(crate) fn snapshot(body: JsValue) -> JsValue {
    copy_of(&body).unwrap_or(body)
}

/// A copy of what can be changed; `None` for what cannot, or cannot be copied.
fn copy_of(body: &JsValue) -> Option<JsValue> {
    let length = || Some(get(body, "byteLength").as_f64()? as u32);
    if ArrayBuffer::is_view(body) {
        let offset = get(body, "byteOffset").as_f64()? as u32;
        return Bytes::new(&get(body, "buffer"), offset, length()?).and_then(|bytes| bytes.slice()).ok();
    }
    if is_a(body, "ArrayBuffer") {
        return Bytes::new(body, 0, length()?).and_then(|bytes| bytes.slice()).ok();
    }
    if is_a(body, "URLSearchParams") {
        return Query::new(body).ok().map(JsValue::from);
    }
    if !is_a(body, "FormData") {
        return None;
    }
    let copy = Form::new().ok()?;
    for pair in list_of(body).ok()? {
        copy.append(&get(&pair, "0"), &get(&pair, "1")).ok()?;
    }
    Some(copy.into())
}

/// How many bytes a body has, as far as that can be told without sending it.
pub(crate) fn size_of(body: &JsValue) -> Option<usize> {
    if is_a(body, "FormData") {
        return values(body).try_fold(0_usize, |sum, value| Some(sum.saturating_add(size_of(&value)?)));
    }
    let text = if is_a(body, "URLSearchParams") { text_of(body).ok() } else { body.as_string() };
    if let Some(text) = text {
        return Some(text.len());
    }
    let size = get(body, "size").as_f64().or_else(|| get(body, "byteLength").as_f64())?;
    Some(size as usize)
}

/// Whether it is a form.
pub(crate) fn is_form(body: &JsValue) -> bool {
    is_a(body, "FormData") || is_a(body, "URLSearchParams")
}

/// Whether it is a stream that somebody reads.
pub(crate) fn is_locked(body: &JsValue) -> bool {
    is_stream(body) && get(body, "locked").is_truthy()
}

/// Reads one byte of each file in a body, if it has any: whether all can be read.
pub(crate) fn look_at(body: &Body) -> Option<impl Future<Output = bool> + use<>> {
    let Kind::Js(body) = &body.0 else { return None };
    let mut parts: Vec<JsValue> = if is_a(body, "FormData") { values(body).collect() } else { vec![body.clone()] };
    // An array of bytes has a `slice` too.
    parts.retain(|part| part.is_object() && get(part, "slice").is_function() && get(part, "arrayBuffer").is_function());
    if parts.is_empty() {
        return None;
    }
    Some(async move {
        for part in parts {
            let byte = part.unchecked_into::<File>().slice(0, 1).and_then(|start| start.array_buffer());
            let Ok(byte) = byte else { return false };
            if settled(&byte).await.is_err() {
                return false;
            }
        }
        true
    })
}

/// The stream that is sent in place of the caller's: the end of ours that can break it.
#[derive(Default)]
pub(crate) struct Upload(Rc<OnceCell<TransformController>>);

impl Upload {
    /// Chromium locks the stream that it sends, and leaves it open when the connection breaks: it gets another one to lock.
    pub(super) fn relay(&self, stream: &JsValue) -> JsValue {
        // What only looks like a stream is the platform's to refuse.
        if !get(stream, "pipeThrough").is_function() {
            return stream.clone();
        }
        let place = self.0.clone();
        let start = Closure::<dyn Fn(TransformController)>::new(move |controller| {
            let _ = place.set(controller);
        });
        let transformer = Object::new();
        set(&transformer, "start", start.as_ref());
        // It is called in here, and never again.
        let Ok(through) = TransformStream::new(&transformer) else { return stream.clone() };
        stream.unchecked_ref::<Stream>().pipe_through(&through).unwrap_or_else(|_| stream.clone())
    }

    /// A stream that will not be sent any more, or no further.
    pub(crate) fn cancel(&self, body: &Body, error: &Error) {
        let Kind::Js(stream) = &body.0 else { return };
        if !is_stream(stream) {
            return;
        }
        let reason = JsValue::from(js_sys::Error::new(&error.to_string()));
        if let Some(controller) = self.0.get() {
            // Not by a signal for the pipe: that waits for a chunk which nobody takes any more.
            let _ = controller.error(&reason);
        } else if !is_locked(stream) {
            // What the caller's own `cancel` throws is nobody's business here.
            forget(stream.unchecked_ref::<Cancel>().cancel_with(&reason));
        }
    }
}
