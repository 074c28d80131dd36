use std::fmt;

/// The most that the bodies of `keepalive` requests may have together (Fetch standard, "HTTP-network-or-cache fetch").
pub(crate) const KEEPALIVE_BYTES: usize = 64 * 1024;

/// A request body.
///
/// Made from a string or bytes (an array, a slice, a `Vec`, with feature `bytes` a `bytes::Bytes`); in a browser also from
/// `FormData`, `Blob`, `File`, `ReadableStream`, `UrlSearchParams`, `ArrayBuffer` and `Uint8Array`, or any `BodyInit` by
/// `Body::from_js`. With feature `stream` also from a stream of Rust, by `Body::from_stream`. All but streams can be sent again.
#[derive(Clone)]
pub struct Body(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Text(String),
    Bytes(Vec<u8>),
    /// Taken by the attempt that sends it.
    #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
    Stream(std::rc::Rc<std::cell::Cell<Option<Box<dyn crate::transport::Chunks>>>>),
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Js(std::rc::Rc<dyn Foreign>),
}

/// A body of the platform. Behind a trait, so that an app that sends none links nothing of it.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) trait Foreign {
    /// The body as it is now: the caller may change it before it is sent, or sent again.
    fn snapshot(&self) -> std::rc::Rc<dyn Foreign>;

    /// How many bytes it has, as far as that can be told without sending it.
    fn len(&self) -> Option<usize>;

    /// Whether it is a stream that somebody reads.
    fn is_locked(&self) -> bool;

    /// Whether it is a form.
    fn is_form(&self) -> bool;

    /// Whether it is a stream.
    fn is_stream(&self) -> bool;

    /// Whether this platform can send it.
    fn can_be_sent(&self) -> bool;

    /// Reads one byte of each file in it, if it has any: whether all can be read.
    fn look_at(&self) -> Option<crate::auth::LocalFuture<bool>>;

    /// Makes it the body of a `RequestInit`.
    fn give_to(&self, init: &js_sys::Object);

    /// A stream will not be sent any more, or no further.
    fn cancel(&self, error: &crate::error::Error);
}

impl Body {
    /// A body of the platform: `Blob`, `File`, `FormData`, `URLSearchParams`, an array buffer or a `ReadableStream`.
    ///
    /// A stream is sent once: a call with one is not retried. Of what can be changed (buffers, `FormData`,
    /// `URLSearchParams`) every attempt sends what it was when [`send`](crate::RequestBuilder::send) was called.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn from_js(body: impl Into<wasm_bindgen::JsValue>) -> Self {
        Self(Kind::Js(crate::platform::foreign(body.into())))
    }

    /// A stream of Rust: each item is a chunk of the body. It is polled when the request is sent, and no faster than the network
    /// takes it.
    ///
    /// It is sent once: a call with one is not retried. If it gives an error, the request breaks off
    /// ([`Network`](crate::ErrorKind::Network)). Browsers need HTTP/2 for it; those that cannot stream an upload, such as
    /// Firefox and WebKit, give [`Unsupported`](crate::ErrorKind::Unsupported), and so does a
    /// [`Transport`](https://docs.rs/steadfetch/latest/x86_64-unknown-linux-gnu/steadfetch/transport/trait.Transport.html) without
    /// `fetch_streaming`.
    ///
    /// ```
    /// use std::pin::Pin;
    /// use std::task::{Context, Poll};
    ///
    /// use futures_core::Stream;
    /// use steadfetch::Body;
    ///
    /// /// Lines that are made while they are sent.
    /// struct Lines(std::ops::Range<u32>);
    ///
    /// impl Stream for Lines {
    ///     type Item = Result<String, std::io::Error>;
    ///
    ///     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    ///         Poll::Ready(self.0.next().map(|line| Ok(format!("line {line}\n"))))
    ///     }
    /// }
    ///
    /// # fn run(api: steadfetch::Client) {
    /// let request = api.post("log").body(Body::from_stream(Lines(0..1_000)));
    /// # drop(request);
    /// # }
    /// ```
    #[cfg(feature = "stream")]
    #[must_use]
    pub fn from_stream<T: Into<Vec<u8>>, E>(stream: impl futures_core::Stream<Item = Result<T, E>> + 'static) -> Self {
        Self(crate::upload::from_stream(stream))
    }

    /// The stream, where it has not been taken.
    #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
    pub(crate) fn take_stream(&self) -> Option<Box<dyn crate::transport::Chunks>> {
        match &self.0 {
            Kind::Stream(stream) => stream.take(),
            Kind::Text(_) | Kind::Bytes(_) => None,
        }
    }

    /// The same, which nobody else can change.
    pub(crate) fn snapshot(self) -> Self {
        match self.0 {
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => Self(Kind::Js(body.snapshot())),
            kind => Self(kind),
        }
    }

    /// Its length, where that is known without reading it; that of a `FormData` is what its values have, without what
    /// stands between them.
    pub(crate) fn len(&self) -> Option<usize> {
        match &self.0 {
            Kind::Text(text) => Some(text.len()),
            Kind::Bytes(bytes) => Some(bytes.len()),
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => None,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.len(),
        }
    }

    /// What it holds; `None` for a body of the platform.
    #[cfg(any(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Kind::Text(text) => Some(text.clone().into_bytes()),
            Kind::Bytes(bytes) => Some(bytes.clone()),
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => None,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(_) => None,
        }
    }

    /// It is a stream that somebody else reads.
    pub(crate) fn is_locked(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => false,
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.is_locked(),
        }
    }

    /// It is a form whose `Content-Type` is the platform's business.
    pub(crate) fn has_type(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => false,
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.is_form(),
        }
    }

    /// It can be sent more than once.
    pub(crate) fn replays(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => true,
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => !body.is_stream(),
        }
    }
}

/// What only bodies of the platform need: text and bytes are kept here, and stay as they are.
impl Body {
    /// This platform can send it.
    pub(crate) fn can_be_sent(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => true,
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => true,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.can_be_sent(),
        }
    }

    /// Reads one byte of each file in it, if it has any: whether all can be read.
    pub(crate) fn look_at(&self) -> Option<crate::auth::LocalFuture<bool>> {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => None,
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(_) => None,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.look_at(),
        }
    }

    /// A stream will not be sent any more, or no further.
    pub(crate) fn cancel(&self, _error: &crate::error::Error) {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => {}
            #[cfg(all(feature = "stream", not(all(target_family = "wasm", target_os = "unknown"))))]
            Kind::Stream(stream) => drop(stream.take()),
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(body) => body.cancel(_error),
        }
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self(Kind::Text(text))
    }
}

impl From<&str> for Body {
    fn from(text: &str) -> Self {
        Self(Kind::Text(text.to_owned()))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Kind::Bytes(bytes))
    }
}

impl<const N: usize> From<[u8; N]> for Body {
    fn from(bytes: [u8; N]) -> Self {
        Self(Kind::Bytes(bytes.into()))
    }
}

impl<const N: usize> From<&[u8; N]> for Body {
    fn from(bytes: &[u8; N]) -> Self {
        Self(Kind::Bytes(bytes.into()))
    }
}

#[cfg(feature = "bytes")]
#[cfg_attr(docsrs, doc(cfg(feature = "bytes")))]
impl From<bytes::Bytes> for Body {
    fn from(bytes: bytes::Bytes) -> Self {
        Self(Kind::Bytes(bytes.into()))
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
macro_rules! platform {
    ($($kind:ty),*) => {
        $(
            impl From<$kind> for Body {
                /// As [`Body::from_js`].
                fn from(body: $kind) -> Self {
                    Self::from_js(body)
                }
            }

            impl From<&$kind> for Body {
                /// As [`Body::from_js`].
                fn from(body: &$kind) -> Self {
                    Self::from_js(body.clone())
                }
            }
        )*
    };
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
platform!(
    web_sys::Blob,
    web_sys::File,
    web_sys::FormData,
    web_sys::ReadableStream,
    web_sys::UrlSearchParams,
    js_sys::ArrayBuffer,
    js_sys::Uint8Array
);

impl From<&[u8]> for Body {
    fn from(bytes: &[u8]) -> Self {
        Self(Kind::Bytes(bytes.to_vec()))
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("len", &self.len()).finish_non_exhaustive()
    }
}
