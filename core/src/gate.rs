//! The idempotency gate: may this request be sent a second time without doing harm twice?

use crate::method::Method;

/// What the caller said about repeating the request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// The request's method.
    pub method: Method,
    /// Whether `retry.methods`, if given, names the method.
    pub listed: Option<bool>,
    /// The request carries an idempotency key.
    pub keyed: bool,
    /// The per-call `idempotent` option: the caller has checked this very endpoint.
    pub idempotent: Option<bool>,
}

impl Gate {
    /// Whether a retry is allowed. The caller's word about this call wins, then the key, then the caller's list of
    /// methods, then the definition of the method.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.idempotent.or(self.keyed.then_some(true)).or(self.listed).unwrap_or_else(|| self.method.is_idempotent())
    }

    /// Whether the status means that the server is still busy with an earlier request of this key, and not a conflict
    /// (draft-ietf-httpapi-idempotency-key-header, section 2.7). Other methods have no use for a key.
    #[must_use]
    pub fn is_key_in_use(self, status: u16) -> bool {
        status == 409 && self.keyed && !self.method.is_idempotent()
    }

    /// Whether that request is an earlier attempt of this very write.
    #[must_use]
    pub fn is_write_running(self, status: u16, retries: u32) -> bool {
        retries > 0 && self.is_key_in_use(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POST: Gate = Gate { method: Method::Post, listed: None, keyed: false, idempotent: None };
    const PUT: Gate = Gate { method: Method::Put, ..POST };

    #[test]
    fn a_post_is_repeated_only_by_leave() {
        assert!(!POST.is_open());
        assert!(Gate { keyed: true, ..POST }.is_open());
        assert!(Gate { listed: Some(true), ..POST }.is_open());
        assert!(Gate { idempotent: Some(true), ..POST }.is_open());
    }

    #[test]
    fn a_conflict_means_a_running_write_only_for_a_retry_with_a_key() {
        let keyed = Gate { keyed: true, ..POST };
        assert!(keyed.is_write_running(409, 1));
        assert!(!keyed.is_write_running(409, 0), "another call has used the key");
        assert!(!keyed.is_write_running(422, 1));
        assert!(!POST.is_write_running(409, 1));
        assert!(!Gate { keyed: true, ..PUT }.is_write_running(409, 1));
    }

    #[test]
    fn a_put_can_be_closed() {
        assert!(PUT.is_open());
        assert!(!Gate { idempotent: Some(false), ..PUT }.is_open());
        assert!(!Gate { idempotent: Some(false), keyed: true, ..PUT }.is_open());
        assert!(!Gate { listed: Some(false), ..PUT }.is_open());
    }
}
