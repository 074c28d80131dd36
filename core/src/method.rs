//! HTTP methods and their idempotency.

/// A request method, as far as a policy asks about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Method {
    /// GET
    Get = 1,
    /// HEAD
    Head,
    /// OPTIONS
    Options,
    /// PUT
    Put,
    /// DELETE
    Delete,
    /// QUERY (draft-ietf-httpbis-safe-method-w-body)
    Query,
    /// POST
    Post,
    /// PATCH
    Patch,
    /// Every other method
    Other,
}

impl Method {
    /// Every known method, in the order of their numbers.
    pub const ALL: [Self; 8] =
        [Self::Get, Self::Head, Self::Options, Self::Put, Self::Delete, Self::Query, Self::Post, Self::Patch];

    /// The method's name in upper case; empty for [`Method::Other`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Options => "OPTIONS",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
            Self::Query => "QUERY",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Other => "",
        }
    }

    /// The method of this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name)).unwrap_or(Self::Other)
    }

    /// The method with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Self {
        Self::ALL.get(usize::from(number.wrapping_sub(1))).copied().unwrap_or(Self::Other)
    }

    /// Idempotent by definition (RFC 9110, section 9.2.2): the intended effect of sending it twice is that of sending
    /// it once.
    #[must_use]
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options | Self::Put | Self::Delete | Self::Query)
    }
}

#[cfg(test)]
mod tests {
    use super::Method;

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(Method::from_name("get"), Method::Get);
        assert_eq!(Method::from_name("Query"), Method::Query);
        assert_eq!(Method::from_name("PURGE"), Method::Other);
        assert_eq!(Method::from_name(""), Method::Other);
    }

    #[test]
    fn post_and_patch_are_not_idempotent() {
        assert!(!Method::Post.is_idempotent() && !Method::Patch.is_idempotent() && !Method::Other.is_idempotent());
        assert!(Method::Delete.is_idempotent() && Method::Query.is_idempotent());
    }
}
