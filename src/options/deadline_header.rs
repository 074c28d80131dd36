/// A request header that carries the milliseconds left of the total time, less
/// [`reserve`](crate::RequestBuilder::reserve): a duration, never a clock time.
///
/// A page's own origin gets it; others only [`cross_origin`](Self::cross_origin). Made from a name: `"X-Deadline-Ms"`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct DeadlineHeader {
    name: String,
    cross_origin: bool,
}

impl DeadlineHeader {
    /// A header of this name. A name that no header can have is [`InvalidOption`](crate::ErrorKind::InvalidOption).
    ///
    /// ```
    /// use steadfetch::DeadlineHeader;
    ///
    /// let header = DeadlineHeader::new("X-Deadline-Ms");
    /// ```
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), cross_origin: false }
    }

    /// Whether other origins get it too: it costs them a preflight. Default false.
    ///
    /// ```
    /// use steadfetch::DeadlineHeader;
    ///
    /// let header = DeadlineHeader::new("X-Deadline-Ms").cross_origin(true);
    /// ```
    pub const fn cross_origin(mut self, send: bool) -> Self {
        self.cross_origin = send;
        self
    }

    /// Whether a header can have this name (RFC 9110, section 5.6.2, "token").
    pub(crate) fn is_valid(&self) -> bool {
        let mut bytes = self.name.bytes();
        !self.name.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    }

    /// The name, if a request to this origin carries the header. `own` gives the origin that asks, if there is one.
    pub(crate) fn for_origin(&self, origin: &str, own: impl FnOnce() -> Option<String>) -> Option<String> {
        let sends = self.cross_origin || own().is_none_or(|own| own == origin);
        sends.then(|| self.name.clone())
    }
}

impl From<&str> for DeadlineHeader {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for DeadlineHeader {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_token() {
        for name in ["X-Deadline-Ms", "a", "grpc-timeout", "!#$%&'*+-.^_`|~"] {
            assert!(DeadlineHeader::from(name).is_valid(), "{name}");
        }
        for name in ["", "a b", "a:", "a\n", "é"] {
            assert!(!DeadlineHeader::from(name).is_valid(), "{name}");
        }
    }

    #[test]
    fn other_origins_do_not_get_it_unless_told() {
        let header = DeadlineHeader::new("X-D");
        let (a, b) = ("https://a.test", "https://b.test");
        assert!(header.for_origin(a, || Some(a.into())).is_some());
        assert!(header.for_origin(a, || None).is_some(), "there is no page that would ask first");
        assert!(header.for_origin(a, || Some(b.into())).is_none());
        assert!(header.cross_origin(true).for_origin(a, || Some(b.into())).is_some());
    }
}
