use std::borrow::Cow;

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
    pub(crate) body: Option<Body>,
    pub(crate) init: Init,
}
