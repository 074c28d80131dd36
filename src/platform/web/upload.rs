//! Bodies of the platform: their size, their files, their streams.

use std::cell::OnceCell;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Object};
use wasm_bindgen::prelude::*;

use super::bindings::{
    Bytes, Cancel, File, Form, Query, Stream, TransformController, TransformStream, list_of, text_of,
};
use super::exchange::set;
use super::{forget, get, has_method, is_a, is_stream, settled, streams_uploads};
use crate::auth::LocalFuture;
use crate::body::Foreign;
use crate::error::Error;

/// The pairs of a form.
fn pairs(form: &JsValue) -> Array {
    list_of(form).unwrap_or_default()
}

fn values(form: &JsValue) -> impl Iterator<Item = JsValue> + use<> {
    pairs(form).into_iter().map(|pair| get(&pair, "1"))
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
fn size_of(body: &JsValue) -> Option<usize> {
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

/// A body of the platform, to be sent.
pub(crate) fn foreign(value: JsValue) -> Rc<dyn Foreign> {
    Rc::new(JsBody { value, relay: Rc::default() })
}

struct JsBody {
    value: JsValue,
    /// The end of our own stream, which is sent in place of the caller's: it can break that.
    relay: Rc<OnceCell<TransformController>>,
}

impl JsBody {
    /// Chromium locks the stream that it sends, and leaves it open when the connection breaks: it gets another one to lock.
    fn relay(&self) -> JsValue {
        let stream = &self.value;
        // What only looks like a stream is the platform's to refuse.
        if !has_method(stream, "pipeThrough") {
            return stream.clone();
        }
        let place = self.relay.clone();
        let start = Closure::<dyn Fn(TransformController)>::new(move |controller| {
            let _ = place.set(controller);
        });
        let transformer = Object::new();
        set(&transformer, "start", start.as_ref());
        // It is called in here, and never again.
        let Ok(through) = TransformStream::new(&transformer) else { return stream.clone() };
        stream.unchecked_ref::<Stream>().pipe_through(&through).unwrap_or_else(|_| stream.clone())
    }
}

impl Foreign for JsBody {
    fn snapshot(&self) -> Rc<dyn Foreign> {
        foreign(copy_of(&self.value).unwrap_or_else(|| self.value.clone()))
    }

    fn len(&self) -> Option<usize> {
        size_of(&self.value)
    }

    fn is_locked(&self) -> bool {
        self.is_stream() && get(&self.value, "locked").is_truthy()
    }

    fn is_form(&self) -> bool {
        is_a(&self.value, "FormData") || is_a(&self.value, "URLSearchParams")
    }

    fn is_stream(&self) -> bool {
        is_stream(&self.value)
    }

    fn can_be_sent(&self) -> bool {
        !self.is_stream() || streams_uploads()
    }

    fn look_at(&self) -> Option<LocalFuture<bool>> {
        let body = &self.value;
        let mut parts: Vec<JsValue> = if is_a(body, "FormData") { values(body).collect() } else { vec![body.clone()] };
        // An array of bytes has a `slice` too.
        parts.retain(|part| part.is_object() && has_method(part, "slice") && has_method(part, "arrayBuffer"));
        if parts.is_empty() {
            return None;
        }
        Some(Box::pin(async move {
            for part in parts {
                let byte = part.unchecked_into::<File>().slice(0, 1).and_then(|start| start.array_buffer());
                let Ok(byte) = byte else { return false };
                if settled(&byte).await.is_err() {
                    return false;
                }
            }
            true
        }))
    }

    fn give_to(&self, init: &Object) {
        if self.is_stream() {
            set(init, "duplex", &JsValue::from_str("half"));
            set(init, "body", &self.relay());
        } else {
            set(init, "body", &self.value);
        }
    }

    fn cancel(&self, error: &Error) {
        if !self.is_stream() {
            return;
        }
        let reason = JsValue::from(js_sys::Error::new(&error.to_string()));
        if let Some(controller) = self.relay.get() {
            // Not by a signal for the pipe: that waits for a chunk which nobody takes any more.
            let _ = controller.error(&reason);
        } else if !self.is_locked() {
            // What the caller's own `cancel` throws is nobody's business here.
            forget(self.value.unchecked_ref::<Cancel>().cancel_with(&reason));
        }
    }
}
