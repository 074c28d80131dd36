use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::time::Instant;

use crate::builder::{ClientBuilder, Config};
use crate::circuit::Circuit;
use crate::error::Error;
use crate::metrics::Metrics;
use crate::options::Scope;
use crate::request::RequestBuilder;
use crate::view::View;

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
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let request = Client::new().get("https://api.example.test/users");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A client with options.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().base_url("https://api.example.test/").build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// A builder that starts from the options of this client: headers merge by name, `retry` by key, all else is
    /// replaced.
    ///
    /// What it builds is a view of this client: it shares queue, circuits, retry budget and metrics with it (a queue, and
    /// so on, that the builder is given is its own), and ends with it.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().header("X-App", "shop").build()?;
    /// let patient = api.extend().timeout(Duration::from_secs(60)).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn extend(&self) -> ClientBuilder {
        ClientBuilder::extend((*self.0).clone())
    }

    /// A view whose calls end together: with its limit, which starts now, with [`close`](Self::close) or a signal, or, if
    /// they are to fail fast, with the first of them that fails.
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use steadfetch::{Client, Error, Scope};
    ///
    /// # async fn run(api: Client) -> Result<(), Error> {
    /// let page = api.scope(Scope::new().total_timeout(Duration::from_secs(3)).fail_fast(true))?;
    /// let user = page.get("users/1").send().await?;
    /// let orders = page.get("users/1/orders").send().await?;
    /// # drop((user, orders));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption), with the name of the option that has a wrong value.
    pub fn scope(&self, scope: Scope) -> Result<Self, Error> {
        let span = scope.limit().map_err(|name| Error::early(ErrorCode::InvalidOption, name))?;
        let mut config = (*self.0).clone();
        if let Some(reserve) = scope.reserved() {
            config.settings.set_reserve(reserve);
        }
        // Without a clock there is no call that could be sent.
        let deadline = config.backend.now().map_or(Instant::NEVER, |now| now + span);
        config.view = View::scope(Some(config.view), deadline, scope.fails_fast());
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if let Some(signal) = scope.ended_by() {
            let listening = crate::platform::close_by(signal, &config.view);
            listening.map_err(|_| Error::early(ErrorCode::InvalidOption, "signal: it is no AbortSignal"))?;
        }
        Ok(Self(Arc::new(config)))
    }

    /// Cancels every call of this client, and of its views, that is under way in this thread: error
    /// [`Aborted`](crate::ErrorKind::Aborted).
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::new();
    /// api.abort_all();
    /// ```
    pub fn abort_all(&self) {
        self.0.view.abort();
    }

    /// The same, and later calls are refused: error [`Aborted`](crate::ErrorKind::Aborted), outcome
    /// [`NotSent`](crate::Outcome::NotSent).
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::new();
    /// api.close();
    /// ```
    pub fn close(&self) {
        self.0.view.close();
    }

    /// How each circuit stands that this client has met of late, at most 256 of them, as calls of this thread found them;
    /// empty without a [`CircuitBreaker`](crate::CircuitBreaker).
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// for circuit in Client::new().circuits() {
    ///     println!("{} {}", circuit.key, circuit.state);
    /// }
    /// ```
    #[must_use]
    pub fn circuits(&self) -> Vec<Circuit> {
        self.0.backend.known_driver().map(|driver| self.0.shared.circuits(&driver)).unwrap_or_default()
    }

    /// What this client and its views have done so far in this thread.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.get("a").await?.text().await })?;
    /// let metrics = api.metrics();
    /// assert_eq!((metrics.calls, metrics.succeeded, metrics.attempts), (1, 1, 1));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        let Some(driver) = self.0.backend.known_driver() else { return Metrics::default() };
        let store = driver.numbers(self.0.shared.family.number).unwrap_or_default();
        Metrics::new(&store, self.0.shared.circuits(&driver))
    }

    /// A call of it has failed before anything was sent.
    pub(crate) fn failed(&self, error: &Error) {
        self.0.view.fail(error);
    }

    /// A request with any method. Known methods may be written in any case.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.request("OPTIONS", "users").await })?;
    /// assert_eq!(script.requests()[0].method(), "OPTIONS");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn request(&self, method: impl Into<Cow<'static, str>>, url: impl Into<String>) -> RequestBuilder {
        RequestBuilder::new(self.clone(), method.into(), url.into())
    }

    /// A GET.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let text = run(async { api.get("greeting").await?.text().await })?;
    /// assert_eq!(text, "hello");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn get(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("GET", url)
    }

    /// A POST. It is not retried, unless it has an [`idempotency_key`](RequestBuilder::idempotency_key) or you say
    /// [`idempotent`](RequestBuilder::idempotent).
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.post("orders").body("{}").await })?;
    /// assert_eq!(script.requests()[0].method(), "POST");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn post(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("POST", url)
    }

    /// A PUT.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.put("orders/1").body("{}").await })?;
    /// assert_eq!(script.requests()[0].method(), "PUT");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn put(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("PUT", url)
    }

    /// A PATCH. It is not retried, unless it has an [`idempotency_key`](RequestBuilder::idempotency_key) or you say
    /// [`idempotent`](RequestBuilder::idempotent).
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.patch("orders/1").body("{}").await })?;
    /// assert_eq!(script.requests()[0].method(), "PATCH");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn patch(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("PATCH", url)
    }

    /// A DELETE.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.delete("orders/1").await })?;
    /// assert_eq!(script.requests()[0].method(), "DELETE");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn delete(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("DELETE", url)
    }

    /// A HEAD.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let response = run(async { api.head("orders/1").await })?;
    /// assert!(response.ok());
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn head(&self, url: impl Into<String>) -> RequestBuilder {
        self.request("HEAD", url)
    }

    /// A QUERY: a safe, idempotent request with a body (draft-ietf-httpbis-safe-method-w-body).
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// run(async { api.query("orders").body("status=open").await })?;
    /// assert_eq!(script.requests()[0].method(), "QUERY");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
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
