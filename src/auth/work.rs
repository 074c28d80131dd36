use std::cell::Cell;
use std::sync::Arc;

use steadfetch_core::time::Instant;

use super::AuthContext;
use super::desk::Report;
use crate::builder::Config;
use crate::client::Client;
use crate::platform::AbortSource;
use crate::view::View;

/// One run of a callback, and what it was given.
pub(super) struct Work {
    /// By which the engine knows it.
    pub(super) ticket: u64,
    /// It is `refresh_token`.
    pub(super) refreshes: bool,
    pub(super) began: Instant,
    /// The observers know how it went.
    pub(super) told: Cell<bool>,
    /// What it has come to, while the observers are told.
    pub(super) report: Cell<Option<Report>>,
    aborted: Cell<bool>,
    /// Of the calls that it makes by its context.
    view: Arc<View>,
    source: AbortSource,
}

impl Work {
    pub(super) fn new(ticket: u64, refreshes: bool, began: Instant) -> Self {
        Self {
            ticket,
            refreshes,
            began,
            told: Cell::new(false),
            report: Cell::new(None),
            aborted: Cell::new(false),
            view: View::new(None),
            source: AbortSource::new(),
        }
    }

    /// Its calls are those of a view of nobody: the client that it comes from may be closed while others go on.
    pub(super) fn context(&self, home: &Config) -> AuthContext {
        let client = Client(Arc::new(Config { view: self.view.clone(), ..home.clone() }));
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        return AuthContext::new(client, self.source.signal());
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        AuthContext::new(client)
    }

    /// Its time is over. It goes on all the same: a refresh that succeeds late has used up the old refresh token.
    pub(super) fn abort(&self) {
        self.aborted.set(true);
        self.source.abort();
        self.view.close();
    }

    pub(super) fn is_aborted(&self) -> bool {
        self.aborted.get()
    }
}
