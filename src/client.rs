use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::builder::{ClientBuilder, Config};
use crate::request::RequestBuilder;

/// A handle to what calls have in common: base URL, limits, headers, retry policy.
///
/// `Send + Sync`, and cheap to clone: it fits in the state, or the context, of an application. All clients of one
/// thread share one engine and one timer.
///
/// ```
/// use steadfetch::Client;
///
/// let api = Client::builder().base_url("https://api.example.test/v1/").header("X-App", "shop").build()?;
/// let admin = api.extend().header("X-Role", "admin").build()?;
/// let request = admin.get("users").query([("page", 2)]);
/// # Ok::<(), steadfetch::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Client(pub(crate) Arc<Config>);

impl Client {
    /// A client with every default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A client with options.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new(Config::default())
    }

    /// A builder that starts from the options of this client: headers merge by name, `retry` by key, all else is
    /// replaced.
    pub fn extend(&self) -> ClientBuilder {
        ClientBuilder::new((*self.0).clone())
    }

    /// A request with any method. Known methods may be written in any case.
    pub fn request(&self, method: impl Into<Cow<'static, str>>, url: impl Into<String>) -> RequestBuilder {
        RequestBuilder::new(self.clone(), method.into(), url.into())
    }

    /// A GET.
    pub fn get(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("GET", url)
    }

    /// A POST. It is not retried, unless it has an `Idempotency-Key` or you say
    /// [`idempotent`](RequestBuilder::idempotent).
    pub fn post(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("POST", url)
    }

    /// A PUT.
    pub fn put(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("PUT", url)
    }

    /// A PATCH. It is not retried, unless it has an `Idempotency-Key` or you say
    /// [`idempotent`](RequestBuilder::idempotent).
    pub fn patch(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("PATCH", url)
    }

    /// A DELETE.
    pub fn delete(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("DELETE", url)
    }

    /// A HEAD.
    pub fn head(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("HEAD", url)
    }

    /// A QUERY: a safe, idempotent request with a body (draft-ietf-httpbis-safe-method-w-body).
    pub fn query(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("QUERY", url)
    }
}

impl PartialEq for Client {
    /// The very same client, or a clone of it: what a Yew context, or properties of a component, ask for.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Client {}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("name", &self.0.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_fits_in_a_context<T: Send + Sync + Clone + PartialEq + 'static>() {}

    #[test]
    fn a_client_fits_in_the_context_of_every_framework() {
        assert_fits_in_a_context::<Client>();
    }

    #[test]
    fn a_client_is_equal_to_its_clones_only() {
        let api = Client::new();
        assert_eq!(api, api.clone());
        assert_ne!(api, Client::new());
    }
}
