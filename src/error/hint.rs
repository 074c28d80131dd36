use std::fmt;

macro_rules! hints {
    ($($(#[$doc:meta])* $hint:ident = $name:literal,)*) => {
        /// What may be behind a failure: [`Error::hint`](crate::Error::hint). [`name`](Self::name) is the word of both APIs.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum Hint {
            $($(#[$doc])* $hint,)*
        }

        impl Hint {
            /// Every hint of this crate.
            pub const ALL: &[Self] = &[$(Self::$hint),*];

            /// The word that both APIs use, such as `"cross-origin"`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$hint => $name,)*
                }
            }
        }
    };
}

hints! {
    /// A network error to another origin: CORS headers may be missing from the response.
    CrossOrigin = "cross-origin",
    /// The same, with headers that need a CORS preflight, which may have been refused.
    NonSafelistedHeaders = "non-safelisted-headers",
    /// A streamed upload: browsers need HTTP/2 for it.
    StreamUploadHttp2 = "stream-upload-http2",
    /// A file of the body cannot be read any more.
    BodyChanged = "body-changed",
    /// The body was empty where JSON belongs.
    EmptyBody = "empty-body",
    /// 409 to a write with an `Idempotency-Key`: the server is still busy with an earlier request of this key.
    InProgress = "in-progress",
    /// Something between server and page holds the events of a stream back.
    Buffered = "buffered",
    /// The Content Security Policy of the page forbids the request.
    Csp = "csp",
    /// CORS shows `Retry-After` only where the server exposes it.
    RetryAfterHidden = "retry-after-hidden",
}

impl Hint {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|hint| hint.name() == name)
    }
}

impl fmt::Display for Hint {
    /// The word that both APIs use.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
