use std::borrow::Cow;

use steadfetch_core::time::Millis;

use crate::body::Body;
use crate::options::Init;

/// A request that passed our own checks.
pub(crate) struct Outgoing {
    pub(crate) method: Cow<'static, str>,
    /// The whole URL.
    pub(crate) url: String,
    /// Origin and path: what may be told.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    /// The name of the header that tells what is left of the total time. It is none of the others.
    pub(crate) deadline_header: Option<String>,
    pub(crate) body: Option<Body>,
    pub(crate) init: Init,
}

impl Outgoing {
    /// The header that tells how much time an attempt has.
    pub(crate) fn deadline(&self, left: Millis) -> Option<(&str, String)> {
        Some((self.deadline_header.as_deref()?, left.limit()?.to_string()))
    }
}
