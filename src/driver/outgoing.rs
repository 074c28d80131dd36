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
    /// What the caller adds to fetch's `RequestInit`.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) add_init: Option<crate::platform::AddInit>,
    /// What answers it in place of fetch.
    #[cfg(all(feature = "testing", target_family = "wasm", target_os = "unknown"))]
    pub(crate) script: Option<crate::testing::Script>,
}

/// What one attempt adds to its request.
pub(crate) struct Extra {
    /// Of the total time.
    pub(crate) left: Millis,
    pub(crate) credential: Option<Credential>,
}

/// A token, as it is sent.
pub(crate) struct Credential {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Browsers would send it along to wherever a redirect leads.
    pub(crate) guarded: bool,
}

impl Extra {
    /// Whether redirects are to be refused.
    pub(crate) fn refuses_redirects(&self, request: &Outgoing) -> bool {
        let guarded = self.credential.as_ref().is_some_and(|credential| credential.guarded);
        guarded && !request.init.members().any(|member| member == ("redirect", "manual"))
    }
}

impl Outgoing {
    /// The headers of one attempt.
    pub(crate) fn headers<'a>(&'a self, extra: &'a Extra) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> {
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), Cow::Borrowed(value.as_str())));
        let credential = extra.credential.as_ref();
        let credential = credential.map(|credential| (credential.name.as_str(), Cow::Borrowed(&*credential.value)));
        own.chain(self.deadline(extra.left)).chain(credential)
    }

    /// The header that tells how much time an attempt has.
    fn deadline(&self, left: Millis) -> Option<(&str, Cow<'_, str>)> {
        Some((self.deadline_header.as_deref()?, left.limit()?.to_string().into()))
    }
}
