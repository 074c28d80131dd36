//! Streams of Rust as request bodies.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::body::Kind;

/// A stream of the caller, whatever its types.
struct Upload<S>(Pin<Box<S>>);

/// The stream is broken. What it says about that may be a secret.
struct Broken;

impl<S: Stream<Item = Result<T, E>>, T: Into<Vec<u8>>, E> Upload<S> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Broken>>> {
        self.0.as_mut().poll_next(cx).map(|item| Some(item?.map(Into::into).map_err(|_| Broken)))
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<S: Stream<Item = Result<T, E>>, T: Into<Vec<u8>>, E> crate::transport::Chunks for Upload<S> {
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, crate::transport::Fault>>> {
        self.poll(cx).map(|item| Some(item?.map_err(|Broken| crate::transport::Fault::Network)))
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn from_stream<T: Into<Vec<u8>>, E>(stream: impl Stream<Item = Result<T, E>> + 'static) -> Kind {
    Kind::Stream(std::rc::Rc::new(std::cell::Cell::new(Some(Box::new(Upload(Box::pin(stream)))))))
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn from_stream<T: Into<Vec<u8>>, E>(stream: impl Stream<Item = Result<T, E>> + 'static) -> Kind {
    let mut upload = Upload(Box::pin(stream));
    let poll = move |cx: &mut Context<'_>| upload.poll(cx).map(|item| Some(item?.map_err(|Broken| ())));
    Kind::Js(crate::platform::foreign_stream(Box::new(poll)))
}
