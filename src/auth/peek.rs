use std::fmt;

use crate::platform::Incoming;

/// An answer before it is the answer: [`Auth::should_refresh`](crate::Auth::should_refresh).
pub struct Peek<'a> {
    incoming: &'a Incoming,
    body: &'a [u8],
}

impl<'a> Peek<'a> {
    pub(super) fn new(incoming: &'a Incoming, body: &'a [u8]) -> Self {
        Self { incoming, body }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.incoming.status()
    }

    /// A response header, by its name in any case: `WWW-Authenticate` says why (RFC 6750, section 3), if the server
    /// exposes it.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.incoming.header(name)
    }

    /// The start of the body, up to 64 KiB.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body
    }

    /// The body, read as JSON; `None` if it is something else.
    #[cfg(feature = "json")]
    #[must_use]
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        crate::json::from_text(&crate::text::decode(self.body)).ok()
    }
}

impl fmt::Debug for Peek<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peek").field("status", &self.status()).finish_non_exhaustive()
    }
}
