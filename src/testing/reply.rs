use std::time::Duration;

/// How a [`Script`](super::Script) answers one request.
#[derive(Clone, Debug)]
#[must_use]
pub struct Reply {
    pub(crate) kind: Kind,
    /// How long it takes to come.
    pub(crate) delay: Duration,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Response { status: u16, headers: Vec<(String, String)>, body: Vec<u8>, cut: bool },
    Lost,
    Never,
}

impl Reply {
    const fn of(kind: Kind) -> Self {
        Self { kind, delay: Duration::ZERO }
    }

    /// A response with this status (200 to 599), without headers and body.
    pub const fn new(status: u16) -> Self {
        Self::of(Kind::Response { status, headers: Vec::new(), body: Vec::new(), cut: false })
    }

    /// A 200 with a value as JSON. One that cannot be written as JSON is null.
    #[cfg(feature = "json")]
    pub fn json<T: serde::Serialize + ?Sized>(value: &T) -> Self {
        let text = crate::json::to_text(value).unwrap_or_else(|| "null".to_owned());
        Self::new(200).header("content-type", "application/json").body(text)
    }

    /// None: the connection breaks, and nobody knows whether the request has arrived.
    pub const fn lost() -> Self {
        Self::of(Kind::Lost)
    }

    /// None at all: only a limit, or the caller, ends the attempt.
    pub const fn never() -> Self {
        Self::of(Kind::Never)
    }

    /// Adds a header to a response.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Kind::Response { headers, .. } = &mut self.kind {
            headers.push((name.into(), value.into()));
        }
        self
    }

    /// The body of a response.
    pub fn body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        if let Kind::Response { body, .. } = &mut self.kind {
            *body = bytes.into();
        }
        self
    }

    /// The connection breaks after the body of a response.
    pub fn cut(mut self) -> Self {
        if let Kind::Response { cut, .. } = &mut self.kind {
            *cut = true;
        }
        self
    }

    /// It takes so long to come.
    pub const fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}
