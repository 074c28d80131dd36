use std::collections::VecDeque;
use std::fmt;
use std::task::{Context, Poll};

use super::Fault;

/// The chunks of a body. Dropped before the end, it is to stop the request.
pub trait Chunks {
    /// The next chunk, `None` at the end.
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>>;
}

/// A response of a transport.
pub struct Response {
    pub(crate) status: u16,
    pub(crate) url: Option<String>,
    pub(crate) redirected: bool,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Option<Box<dyn Chunks>>,
}

impl Response {
    /// A response without headers and body.
    #[must_use]
    pub fn new(status: u16) -> Self {
        Self { status, url: None, redirected: false, headers: Vec::new(), body: None }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The URL that answered, where redirects were followed.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self.redirected = true;
        self
    }

    /// A body that is all there.
    #[must_use]
    pub fn with_body(self, body: impl Into<Vec<u8>>) -> Self {
        self.with_chunks(Ready([body.into()].into()))
    }

    /// A body that comes in chunks.
    #[must_use]
    pub fn with_chunks(mut self, chunks: impl Chunks + 'static) -> Self {
        self.body = Some(Box::new(chunks));
        self
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("status", &self.status).finish_non_exhaustive()
    }
}

struct Ready(VecDeque<Vec<u8>>);

impl Chunks for Ready {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}
