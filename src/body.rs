use std::fmt;

/// The most that the bodies of `keepalive` requests may have together (Fetch standard, "HTTP-network-or-cache fetch").
pub(crate) const KEEPALIVE_BYTES: usize = 64 * 1024;

/// A request body.
///
/// Made from a string or bytes (an array, a slice, a `Vec`, with feature `bytes` a `bytes::Bytes`); in a browser also from
/// `FormData`, `Blob`, `File`, `ReadableStream`, `UrlSearchParams`, `ArrayBuffer` and `Uint8Array`, or any `BodyInit` by
/// `Body::from_js`. All but a `ReadableStream`
/// can be sent again.
#[derive(Clone)]
pub struct Body(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Text(String),
    Bytes(Vec<u8>),
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Js(wasm_bindgen::JsValue),
}

impl Body {
    /// A body of the platform: `Blob`, `File`, `FormData`, `URLSearchParams`, an array buffer or a `ReadableStream`.
    ///
    /// A stream is sent once: a call with one is not retried. Of what can be changed (buffers, `FormData`,
    /// `URLSearchParams`) every attempt sends what it was when [`send`](crate::RequestBuilder::send) was called.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn from_js(body: impl Into<wasm_bindgen::JsValue>) -> Self {
        Self(Kind::Js(body.into()))
    }

    /// The same, which nobody else can change.
    pub(crate) fn snapshot(self) -> Self {
        match self.0 {
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(value) => Self(Kind::Js(crate::platform::snapshot(value))),
            kind => Self(kind),
        }
    }

    /// Its length, where that is known without reading it; that of a `FormData` is what its values have, without what
    /// stands between them.
    pub(crate) fn len(&self) -> Option<usize> {
        match &self.0 {
            Kind::Text(text) => Some(text.len()),
            Kind::Bytes(bytes) => Some(bytes.len()),
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(value) => crate::platform::size_of(value),
        }
    }

    /// What it holds; `None` for a body of the platform.
    #[cfg(any(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Kind::Text(text) => Some(text.clone().into_bytes()),
            Kind::Bytes(bytes) => Some(bytes.clone()),
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(_) => None,
        }
    }

    /// It is a stream that somebody else reads.
    pub(crate) fn is_locked(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(value) => crate::platform::is_locked(value),
        }
    }

    /// It is a form whose `Content-Type` is the platform's business.
    pub(crate) fn has_type(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(value) => crate::platform::is_form(value),
        }
    }

    /// It can be sent more than once.
    pub(crate) fn replays(&self) -> bool {
        match &self.0 {
            Kind::Text(_) | Kind::Bytes(_) => true,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Kind::Js(value) => !crate::platform::is_stream(value),
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
