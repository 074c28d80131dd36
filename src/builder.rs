use std::fmt;
use std::sync::Arc;

use steadfetch_core::error::ErrorCode;

use crate::auth::{Bind, Binding};
use crate::circuit::Circuits;
use crate::client::Client;
use crate::driver::Listener;
use crate::error::Error;
use crate::event::Event;
use crate::lanes::Lanes;
use crate::options::{Auth, CircuitBreaker, Queue, RetryBudget, Settings, shared_options};
use crate::platform::{self, Backend};
use crate::progress::Progress;
use crate::redact::RedactUrl;
use crate::shared::{Shared, SharedChanges, Sharing};
use crate::view::View;

/// What a client tells of its calls. Behind a trait, so that an app that has no observer links nothing of it.
pub(crate) trait Watch: Send + Sync {
    /// The observer of one of its calls.
    fn observer(&self) -> crate::driver::OnEvent;
}

struct Watcher(Arc<dyn Fn(&Event) + Send + Sync>);

impl Watch for Watcher {
    fn observer(&self) -> crate::driver::OnEvent {
        Listener::of_client(self.0.clone())
    }
}

type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// What a client is made of. Plain data: any thread may hold it.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// Absolute, with a slash at the end of its path.
    pub(crate) base_url: Option<String>,
    pub(crate) name: Arc<str>,
    pub(crate) on_event: Option<Arc<dyn Watch>>,
    pub(crate) on_progress: Option<OnProgress>,
    pub(crate) redact_url: Option<RedactUrl>,
    pub(crate) backend: Backend,
    pub(crate) auth: Option<Arc<dyn Binding>>,
    pub(crate) shared: Shared,
    pub(crate) view: Arc<View>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            base_url: None,
            name: Arc::default(),
            on_event: None,
            on_progress: None,
            redact_url: None,
            backend: Default::default(),
            auth: None,
            shared: Shared::new(),
            view: View::new(None),
        }
    }
}

/// Options for a new [`Client`].
#[derive(Clone)]
#[must_use = "a builder does nothing until it is built"]
pub struct ClientBuilder {
    settings: Settings,
    config: Config,
    /// It is to be a view of a client.
    extends: bool,
    changes: SharedChanges,
    /// What it was told to put in place of what it extends; `Some(None)`: nothing.
    auth: Option<Option<Arc<dyn Bind>>>,
}

impl ClientBuilder {
    pub(crate) fn new() -> Self {
        let changes = SharedChanges::default();
        Self { settings: Settings::default(), config: Config::default(), extends: false, changes, auth: None }
    }

    pub(crate) fn extend(mut config: Config) -> Self {
        let mut settings = std::mem::take(&mut config.settings);
        settings.inherit();
        Self { settings, config, extends: true, changes: SharedChanges::default(), auth: None }
    }

    /// What relative URLs are resolved against, by the rules of the URL standard. A missing slash at the end of its
    /// path is added. May itself be relative to the page; where there is none, its calls are of kind
    /// [`InvalidRequest`](crate::ErrorKind::InvalidRequest). Default: the page's URL.
    ///
    /// ```
    /// # #[cfg(feature = "testing")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// # use steadfetch::testing::{Reply, Script, run};
    /// # let script = Script::new();
    /// # script.otherwise(|_| Reply::new(200).body("hello"));
    /// # let api = script.client().base_url("https://api.example.test/").build()?;
    /// let api = api.extend().base_url("https://api.example.test/v2").build()?;
    /// run(async { api.get("users/1").await })?;
    /// assert_eq!(script.requests()[0].url(), "https://api.example.test/v2/users/1");
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "testing"))]
    /// # fn main() {}
    /// ```
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        let url = url.as_ref();
        match platform::resolve_base(url).filter(|_| !platform::lacks_scheme(url)) {
            Some(url) => self.config.base_url = Some(url),
            None => self.settings.refuse("base_url: a URL that begins with http:// or https://"),
        }
        self
    }

    /// The name of the dependency: [`Event::dependency`] of its events.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().name("shop").on_event(|event| assert_eq!(&*event.dependency, "shop")).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn name(mut self, name: impl Into<Arc<str>>) -> Self {
        self.config.name = name.into();
        self
    }

    /// So many attempts at once for each origin, so many calls waiting: a [`Queue`], or `None` for no limit. Default no
    /// limit. Views of the client share it.
    ///
    /// Errors [`QueueFull`](crate::ErrorKind::QueueFull) and [`QueueTimeout`](crate::ErrorKind::QueueTimeout).
    ///
    /// ```
    /// use steadfetch::Client;
    /// use steadfetch::Queue;
    ///
    /// let api = Client::builder().queue(Queue::new(6).limit(50)).build()?;
    /// let unlimited = api.extend().queue(None).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn queue(mut self, queue: impl Into<Option<Queue>>) -> Self {
        let queue = queue.into();
        self.settings.check(queue.as_ref().and_then(Queue::invalid));
        self.changes.queue = Some(queue.map(|queue| Arc::new(Lanes::new(queue)) as Arc<dyn Sharing>));
        self
    }

    /// Calls to an origin that fails again and again fail at once: a [`CircuitBreaker`], or `None`. Default none. Views of
    /// the client share its circuits.
    ///
    /// Error [`CircuitOpen`](crate::ErrorKind::CircuitOpen).
    ///
    /// ```
    /// use steadfetch::CircuitBreaker;
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().circuit_breaker(CircuitBreaker::new().failure_threshold(3)).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn circuit_breaker(mut self, breaker: impl Into<Option<CircuitBreaker>>) -> Self {
        let breaker = breaker.into();
        self.settings.check(breaker.as_ref().and_then(CircuitBreaker::invalid));
        self.changes.circuits = Some(breaker.map(|breaker| Arc::new(Circuits::new(breaker)) as Arc<dyn Sharing>));
        self
    }

    /// How many retries each origin gets: a [`RetryBudget`], or `None` for as many as [`retry`](Self::retry) allows.
    /// Default [`RetryBudget::new`]. Views of the client share it.
    ///
    /// ```
    /// use steadfetch::Client;
    /// use steadfetch::RetryBudget;
    ///
    /// let api = Client::builder().retry_budget(RetryBudget::new().ratio(0.2)).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn retry_budget(mut self, budget: impl Into<Option<RetryBudget>>) -> Self {
        let budget = budget.into();
        self.settings.check(budget.as_ref().and_then(RetryBudget::invalid));
        self.changes.budget = Some(budget);
        self
    }

    /// Sends a token, and refreshes it after a 401: an [`Auth`], or `None`. Default none. Views of the client have it too.
    ///
    /// Errors [`AuthRefreshFailed`](crate::ErrorKind::AuthRefreshFailed), and
    /// [`Callback`](crate::ErrorKind::Callback) with phase [`Auth`](crate::Phase::Auth).
    ///
    /// ```
    /// use steadfetch::{Auth, Client, Refreshed};
    ///
    /// # fn stored_token() -> Option<String> { None }
    /// let auth = Auth::new(
    ///     |_| async { Ok(stored_token()) },
    ///     |context| async move { Ok(Refreshed::Token(context.client().post("token").await?.text().await?)) },
    /// );
    /// let api = Client::builder().base_url("https://api.example.test/").auth(auth).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn auth(mut self, auth: impl Into<Option<Auth>>) -> Self {
        self.auth = Some(auth.into().map(|auth| Arc::new(auth) as Arc<dyn Bind>));
        self
    }

    /// Told what happens to every call. It can never fail one.
    ///
    /// ```
    /// use steadfetch::{Client, EventKind};
    ///
    /// let api = Client::builder()
    ///     .on_event(|event| {
    ///         if let EventKind::CallEnd { error: Some(error), .. } = &event.kind {
    ///             println!("{} {error}", event.call_id);
    ///         }
    ///     })
    ///     .build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn on_event(mut self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.config.on_event = Some(Arc::new(Watcher(Arc::new(observer))));
        self
    }

    /// Rewrites the URLs in events, errors and messages, for secrets in paths. It receives origin and path; a query is never
    /// shown, nor more than 200 characters of the result. If it panics on a native target, only the origin is shown.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().redact_url(|url| match url.split_once("/share/") {
    ///     Some((before, _)) => format!("{before}/share/..."),
    ///     None => url.to_owned(),
    /// });
    /// # api.build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn redact_url(mut self, redact: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.config.redact_url = Some(Arc::new(redact));
        self
    }

    /// Told of each chunk of a body that is being read. First called with 0 bytes, at the headers.
    ///
    /// ```
    /// use steadfetch::Client;
    ///
    /// let api = Client::builder().on_download_progress(|progress| println!("{:?}", progress.fraction())).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub fn on_download_progress(mut self, observer: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.config.on_progress = Some(Arc::new(observer));
        self
    }

    /// What sends the requests, tells the time and runs the tasks, outside of a browser.
    ///
    /// ```
    /// # #[cfg(feature = "reqwest")]
    /// # fn main() -> Result<(), steadfetch::Error> {
    /// use steadfetch::Client;
    /// use steadfetch::transport::Reqwest;
    ///
    /// let api = Client::builder().base_url("https://api.example.test/").transport(Reqwest::new()).build()?;
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "reqwest"))]
    /// # fn main() {}
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn transport(mut self, transport: impl crate::transport::Transport) -> Self {
        self.config.backend = Backend::new(transport);
        self
    }

    /// Answers the calls by a script in place of the network.
    ///
    /// ```
    /// use steadfetch::Client;
    /// use steadfetch::testing::{Reply, Script};
    ///
    /// let script = Script::new();
    /// script.reply(Reply::new(204));
    /// let api = Client::builder().base_url("https://api.example.test/").script(&script).build()?;
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    #[cfg(feature = "testing")]
    pub fn script(mut self, script: &crate::testing::Script) -> Self {
        self.config.backend = Backend::new(script.clone());
        self
    }

    shared_options!();

    /// The client.
    ///
    /// # Errors
    /// [`InvalidOption`](crate::ErrorKind::InvalidOption), with the name of the first option that has a wrong value.
    pub fn build(self) -> Result<Client, Error> {
        if let Some(name) = self.settings.invalid() {
            return Err(Error::early(ErrorCode::InvalidOption, name));
        }
        let (shared, parent) = match self.extends {
            true => (self.config.shared, Some(self.config.view)),
            false => (Shared::new(), None),
        };
        let (shared, view) = (shared.with(&self.changes), View::new(parent));
        let mut config = Config { settings: self.settings, shared, view, ..self.config };
        if let Some(auth) = self.auth {
            let bound = auth.map(|auth| auth.bind(&config)).transpose();
            config.auth = bound.map_err(|name| Error::early(ErrorCode::InvalidOption, name))?;
        }
        Ok(Client(Arc::new(config)))
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").field("name", &self.config.name).finish_non_exhaustive()
    }
}
