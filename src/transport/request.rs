use std::fmt;

use crate::body::Body;
use crate::driver::{Extra, Outgoing};
use crate::options::Redirect;

/// A request for a transport.
#[derive(Clone)]
pub struct Request {
    method: String,
    url: String,
    /// Origin and path: what may be told.
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
    keepalive: bool,
    init: Vec<(&'static str, String)>,
}

impl Request {
    pub(crate) fn new(outgoing: &Outgoing, extra: &Extra) -> Self {
        let headers = outgoing.headers(extra).map(|(name, value)| (name.to_owned(), value.into_owned())).collect();
        let mut init = outgoing.init.clone();
        if extra.refuses_redirects(outgoing) {
            init.set("redirect", Redirect::Error.as_str());
        }
        Self {
            method: outgoing.method.clone().into_owned(),
            url: outgoing.url.clone(),
            target: outgoing.target.clone(),
            headers,
            body: outgoing.body.as_ref().and_then(Body::to_bytes),
            keepalive: outgoing.init.keepalive(),
            init: init.members().map(|(name, value)| (name, value.to_owned())).collect(),
        }
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The absolute URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The headers, with their names as the caller wrote them.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of a header, by its name in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body; none of a stream, nor of a body of the platform (`Body::from_js`).
    #[must_use]
    pub fn body(&self) -> Option<&[u8]> {
        self.body.as_deref()
    }

    /// With what was read of a body that is a stream.
    #[cfg(all(any(feature = "testing", test), not(all(target_family = "wasm", target_os = "unknown"))))]
    pub(crate) fn with_body(mut self, body: Vec<u8>) -> Self {
        self.body = Some(body);
        self
    }

    /// The request is to outlive its caller.
    #[must_use]
    pub fn keepalive(&self) -> bool {
        self.keepalive
    }

    /// What else the caller said, by the names of fetch's `RequestInit`: `credentials`, `mode`, `cache`, `redirect`,
    /// `referrer`, `referrerPolicy`, `integrity`, `priority`.
    pub fn init(&self) -> impl Iterator<Item = (&str, &str)> {
        self.init.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No query, no headers, no body: what is printed may be logged.
        f.debug_struct("Request").field("method", &self.method).field("url", &self.target).finish_non_exhaustive()
    }
}
