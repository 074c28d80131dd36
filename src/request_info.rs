use std::fmt;

use crate::driver::Outgoing;

/// A request, as the `key` functions of [`Queue`](crate::Queue) and [`CircuitBreaker`](crate::CircuitBreaker) are shown
/// it.
pub struct RequestInfo<'a> {
    request: &'a Outgoing,
    operation: &'a str,
}

impl<'a> RequestInfo<'a> {
    pub(crate) fn new(request: &'a Outgoing, operation: &'a str) -> Self {
        Self { request, operation }
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> &'a str {
        &self.request.method
    }

    /// The whole URL, absolute.
    #[must_use]
    pub fn url(&self) -> &'a str {
        &self.request.url
    }

    /// The value of a header that client or call have set, by its name in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The headers that client and call have set.
    pub fn headers(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The name of the operation: [`RequestBuilder::operation`](crate::RequestBuilder::operation).
    #[must_use]
    pub fn operation(&self) -> &'a str {
        self.operation
    }
}

impl fmt::Debug for RequestInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestInfo")
            .field("method", &self.method())
            .field("url", &self.request.target)
            .field("operation", &self.operation)
            .finish_non_exhaustive()
    }
}
