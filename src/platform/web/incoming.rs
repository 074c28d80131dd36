use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use js_sys::{ArrayBuffer, Uint8Array};
use steadfetch_core::time::Millis;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::bindings::{AbortController, Cancel, Fields, Reader, Stream, list_of};
use super::{forget, get, is_a, promised, says, text};
use crate::platform::{Broken, length_of, may_have_body, wait_of};

/// A response, and our reader on its body once somebody reads.
pub(crate) struct Incoming {
    response: Response,
    request: AbortController,
    /// The response was handed out, and may be read, or copied, by others.
    shown: Cell<bool>,
    reading: RefCell<Reading>,
}

#[derive(Default)]
struct Reading {
    reader: Option<Reader>,
    /// The pending read.
    read: Option<JsFuture>,
}

impl Incoming {
    pub(super) fn new(response: Response, request: AbortController) -> Self {
        Self { response, request, shown: Cell::new(false), reading: RefCell::default() }
    }

    pub(crate) fn as_web(&self) -> &Response {
        self.shown.set(true);
        &self.response
    }

    pub(crate) fn status(&self) -> u16 {
        // By hand: a mock may have none, and an exception must not leave the wasm.
        get(&self.response, "status").as_f64().unwrap_or(0.0) as u16
    }

    pub(crate) fn url(&self) -> String {
        text(&self.response, "url").unwrap_or_default()
    }

    pub(crate) fn redirected(&self) -> bool {
        get(&self.response, "redirected").is_truthy()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let headers = get(&self.response, "headers");
        if !headers.is_object() {
            return None;
        }
        headers.unchecked_into::<Fields>().get(name).ok()?.as_string()
    }

    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let headers = get(&self.response, "headers");
        if !headers.is_object() {
            return Vec::new();
        }
        let pairs = list_of(&headers).unwrap_or_default().into_iter();
        pairs.filter_map(|pair| Some((text(&pair, "0")?, text(&pair, "1")?))).collect()
    }

    /// Nobody can see the end of an opaque body: its call goes on until it is let go.
    pub(crate) fn has_body(&self, method: &str) -> bool {
        may_have_body(method, self.status()) && (self.body().is_object() || self.is_opaque())
    }

    fn is_opaque(&self) -> bool {
        says(&self.response, "type", "opaque")
    }

    pub(crate) fn content_length(&self) -> Option<u64> {
        // An opaque body gives its slot back.
        if self.is_opaque() { Some(0) } else { length_of(|name| self.header(name)) }
    }

    /// Whether CORS may hide a Retry-After: it shows this header only where the server exposes it.
    pub(crate) fn hides_retry_after(&self) -> bool {
        says(&self.response, "type", "cors") && self.header("retry-after").is_none()
    }

    pub(crate) fn retry_after(&self, wall: u64) -> Option<Millis> {
        wait_of(|name| self.header(name), wall)
    }

    /// The platform has taken the body, by way of the response itself, or there is none that could be read.
    pub(crate) fn is_used(&self) -> bool {
        let ours = self.reading.try_borrow().is_ok_and(|reading| reading.reader.is_some());
        !ours && (get(&self.response, "bodyUsed").is_truthy() || !self.body().is_object())
    }

    /// The start of the body. All of it stays to be read, by way of the response itself too: so a copy is read.
    pub(crate) async fn peek(&self, most: usize) -> Vec<u8> {
        let mut start = Vec::new();
        if !self.body().is_object() {
            return start;
        }
        let Ok(copy) = self.response.clone() else { return start };
        let copy = Self::new(copy, self.request.clone());
        // Its end is not that of the request.
        copy.shown.set(true);
        while start.len() < most
            && let Some(Ok(chunk)) = poll_fn(|cx| copy.poll_chunk(cx)).await
        {
            start.extend(chunk);
        }
        start.truncate(most);
        copy.cancel();
        start
    }

    fn body(&self) -> JsValue {
        get(&self.response, "body")
    }

    pub(crate) fn poll_chunk(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Broken>>> {
        let (mut read, reader) = {
            let Ok(mut reading) = self.reading.try_borrow_mut() else { return Poll::Ready(Some(Err(Broken))) };
            (reading.read.take(), reading.reader.clone())
        };
        let reader = match reader {
            Some(reader) => reader,
            None => match self.body().unchecked_into::<Stream>().reader() {
                Ok(reader) => reader,
                // Locked: somebody reads the response itself.
                Err(_) => return Poll::Ready(Some(Err(Broken))),
            },
        };
        if read.is_none() {
            // That of a mock may give something else.
            read = reader.read().and_then(|read| promised(&read)).ok();
        }
        let Some(mut read) = read else { return Poll::Ready(Some(Err(Broken))) };
        let polled = Pin::new(&mut read).poll(cx);
        if let Ok(mut reading) = self.reading.try_borrow_mut() {
            reading.reader = Some(reader);
            if polled.is_pending() {
                reading.read = Some(read);
            }
        }
        polled.map(|piece| match piece {
            Ok(piece) if get(&piece, "done").is_truthy() => None,
            Ok(piece) => {
                let value = get(&piece, "value");
                // Of whichever realm. A mock's stream may give something else.
                let is_bytes = ArrayBuffer::is_view(&value) && is_a(&value, "Uint8Array");
                Some(if is_bytes { Ok(value.unchecked_into::<Uint8Array>().to_vec()) } else { Err(Broken) })
            }
            Err(_) => Some(Err(Broken)),
        })
    }

    /// Lets go of the rest of the body: the connection closes.
    pub(crate) fn cancel(&self) {
        let reader = self.reading.try_borrow().ok().and_then(|reading| reading.reader.clone());
        let target: JsValue = match reader {
            Some(reader) => reader.into(),
            None => self.body(),
        };
        if target.is_object() {
            forget(target.unchecked_into::<Cancel>().cancel());
        }
        // A body that stalls keeps its connection in Firefox, cancelled or not. A copy that somebody made must live on.
        if !self.shown.get() {
            self.request.abort();
        }
    }
}
