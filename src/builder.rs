use std::fmt;
use std::sync::Arc;

use steadfetch_core::error::ErrorCode;

use crate::client::Client;
use crate::error::Error;
use crate::event::Event;
use crate::options::{Settings, shared_options};
use crate::platform::{self, Backend};
use crate::progress::Progress;

type OnEvent = Arc<dyn Fn(&Event) + Send + Sync>;
type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// What a client is made of. Plain data: any thread may hold it.
#[derive(Clone, Default)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// Absolute, with a slash at the end of its path.
    pub(crate) base_url: Option<String>,
    pub(crate) name: Arc<str>,
    pub(crate) on_event: Option<OnEvent>,
    pub(crate) on_progress: Option<OnProgress>,
    pub(crate) backend: Backend,
}

/// Options for a new [`Client`].
#[derive(Clone)]
#[must_use = "a builder does nothing until it is built"]
pub struct ClientBuilder {
    settings: Settings,
    config: Config,
}

impl ClientBuilder {
    pub(crate) fn new(mut config: Config) -> Self {
        Self { settings: std::mem::take(&mut config.settings), config }
    }

    /// What relative URLs are resolved against, by the rules of the URL standard. A missing slash at the end of its
    /// path is added. May itself be relative to the page. Default: the page's URL.
    pub fn base_url(mut self, url: impl AsRef<str>) -> Self {
        match platform::resolve_base(url.as_ref()) {
            Some(url) => self.config.base_url = Some(url),
            None => self.settings.refuse("base_url"),
        }
        self
    }

    /// The name of the dependency: [`Event::dependency`] of its events.
    pub fn name(mut self, name: impl Into<Arc<str>>) -> Self {
        self.config.name = name.into();
        self
    }

    /// Told what happens to every call. It can never fail one.
    pub fn on_event(mut self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.config.on_event = Some(Arc::new(observer));
        self
    }

    /// Told of each chunk of a body that is being read. First called with 0 bytes, at the headers.
    pub fn on_download_progress(mut self, observer: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.config.on_progress = Some(Arc::new(observer));
        self
    }

    /// What sends the requests, tells the time and runs the tasks, outside of a browser.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn transport(mut self, transport: impl crate::transport::Transport) -> Self {
        self.config.backend = Backend::new(transport);
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
        Ok(Client(Arc::new(Config { settings: self.settings, ..self.config })))
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").field("name", &self.config.name).finish_non_exhaustive()
    }
}
