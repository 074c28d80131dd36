//! A stream of Rust as a `ReadableStream`.

use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use js_sys::{Object, Promise, Reflect, Symbol, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::bindings::{Stream, StreamController};
use super::exchange::set;
use super::upload::foreign;
use crate::body::Foreign;

/// The next chunk; an error if the stream is broken.
pub(crate) type Source = Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<Result<Vec<u8>, ()>>>>;

pub(crate) fn foreign_stream(source: Source) -> Rc<dyn Foreign> {
    foreign(readable(source).unwrap_or_else(|_| unreadable()))
}

/// Where there are no streams: something that is one, and that this platform cannot send.
fn unreadable() -> JsValue {
    let stream = Object::new();
    let _ = Reflect::set(&stream, &Symbol::async_iterator(), &JsValue::TRUE);
    stream.into()
}

/// What is left of the caller's stream.
#[derive(Default)]
struct Rest {
    /// Taken while it is polled: it may do anything meanwhile.
    source: Cell<Option<Source>>,
    cancelled: Cell<bool>,
}

impl Rest {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, ()>>> {
        let Some(mut source) = self.source.take() else { return Poll::Ready(None) };
        let chunk = source(cx);
        let goes_on = matches!(chunk, Poll::Pending | Poll::Ready(Some(Ok(_))));
        if goes_on && !self.cancelled.get() {
            self.source.set(Some(source));
        }
        chunk
    }

    fn cancel(&self) {
        self.cancelled.set(true);
        drop(self.source.take());
    }
}

fn readable(source: Source) -> Result<JsValue, JsValue> {
    let rest = Rc::new(Rest { source: Cell::new(Some(source)), cancelled: Cell::new(false) });
    let pulled = rest.clone();
    let pull = Closure::<dyn Fn(StreamController) -> Promise>::new(move |controller: StreamController| {
        let rest = pulled.clone();
        future_to_promise(async move {
            let done = match poll_fn(|cx| rest.poll(cx)).await {
                Some(Ok(chunk)) => controller.enqueue(&Uint8Array::from(chunk.as_slice())),
                Some(Err(())) => controller.error(&js_sys::TypeError::new("the stream of the request body broke")),
                None => controller.close(),
            };
            // One that was cancelled meanwhile takes no more.
            let _ = done;
            Ok(JsValue::UNDEFINED)
        })
    });
    let cancel = Closure::<dyn Fn()>::new(move || rest.cancel());
    let source = Object::new();
    // The stream has them, and the collector of garbage gives them back.
    set(&source, "pull", &pull.into_js_value());
    set(&source, "cancel", &cancel.into_js_value());
    let strategy = Object::new();
    // Nothing is asked of the stream before it is sent.
    set(&strategy, "highWaterMark", &0.into());
    Stream::with_strategy(&source, &strategy).map(JsValue::from)
}
