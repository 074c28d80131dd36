use std::fmt;

use crate::client::Client;

/// What a callback of an [`Auth`](crate::Auth) is given.
///
/// Calls that wait for the callback may hold the token, or the slots of the queue, that a call of the callback would wait
/// for. So these go without: the calls of [`client`](Self::client), and every other one that is made in the callback or
/// in its future. Not those of a task that it spawns: they are ordinary, and would wait until
/// [`refresh_timeout`](crate::Auth::refresh_timeout).
#[derive(Clone)]
pub struct AuthContext {
    client: Client,
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    signal: web_sys::AbortSignal,
}

impl AuthContext {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(super) fn new(client: Client, signal: web_sys::AbortSignal) -> Self {
        Self { client, signal }
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(super) fn new(client: Client) -> Self {
        Self { client }
    }

    /// The client that was given the [`Auth`](crate::Auth), without it and without its queue. Its calls end with
    /// [`refresh_timeout`](crate::Auth::refresh_timeout).
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Fires when [`refresh_timeout`](crate::Auth::refresh_timeout) has passed.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn signal(&self) -> &web_sys::AbortSignal {
        &self.signal
    }
}

impl fmt::Debug for AuthContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthContext").field("client", &self.client).finish_non_exhaustive()
    }
}
