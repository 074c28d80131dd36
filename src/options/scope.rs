use std::time::Duration;

use steadfetch_core::time::Millis;

use super::limit;

/// Calls that end together: [`Client::scope`](crate::Client::scope).
///
/// Defaults: no limit, nothing kept back, each call for itself.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Scope {
    total_timeout: Option<Duration>,
    reserve: Option<Duration>,
    fail_fast: bool,
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    signal: Option<web_sys::AbortSignal>,
}

impl Scope {
    /// The defaults.
    ///
    /// ```
    /// use steadfetch::{Client, Scope};
    ///
    /// let api = Client::new();
    /// let page = api.scope(Scope::new())?;
    /// page.close();
    /// # Ok::<(), steadfetch::Error>(())
    /// ```
    pub const fn new() -> Self {
        Self {
            total_timeout: None,
            reserve: None,
            fail_fast: false,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            signal: None,
        }
    }

    /// All calls together, counted from [`Client::scope`](crate::Client::scope): 1 ms or more, `None` for no limit.
    /// Default no limit. The limits of each call hold as well.
    ///
    /// Error [`DeadlineExceeded`](crate::ErrorKind::DeadlineExceeded).
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Scope;
    ///
    /// let scope = Scope::new().total_timeout(Duration::from_secs(3));
    /// ```
    pub fn total_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.total_timeout = limit.into();
        self
    }

    /// Kept back of the total time from every attempt, as [`reserve`](crate::ClientBuilder::reserve) of a client.
    /// Default that of the client.
    ///
    /// ```
    /// use std::time::Duration;
    /// use steadfetch::Scope;
    ///
    /// let scope = Scope::new().reserve(Duration::from_millis(100));
    /// ```
    pub const fn reserve(mut self, span: Duration) -> Self {
        self.reserve = Some(span);
        self
    }

    /// Whether the first call that fails aborts the others, and all later ones of the scope: error
    /// [`Aborted`](crate::ErrorKind::Aborted), whose [`source`](std::error::Error::source) is that failure. Default
    /// false. A call whose future was dropped has not failed.
    ///
    /// ```
    /// use steadfetch::Scope;
    ///
    /// let scope = Scope::new().fail_fast(true);
    /// ```
    pub const fn fail_fast(mut self, together: bool) -> Self {
        self.fail_fast = together;
        self
    }

    /// Ends the scope, as [`Client::close`](crate::Client::close) does: every call of it, and all later ones, with kind
    /// [`Aborted`](crate::ErrorKind::Aborted).
    ///
    /// ```
    /// # fn run() -> Result<(), wasm_bindgen::JsValue> {
    /// let controller = web_sys::AbortController::new()?;
    /// let scope = steadfetch::Scope::new().signal(&controller.signal());
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn signal(mut self, signal: &web_sys::AbortSignal) -> Self {
        self.signal = Some(signal.clone());
        self
    }

    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub(crate) fn ended_by(&self) -> Option<&web_sys::AbortSignal> {
        self.signal.as_ref()
    }

    /// The limit, or the name of the option if it is no good.
    pub(crate) fn limit(&self) -> Result<Millis, &'static str> {
        limit("total_timeout", self.total_timeout)
    }

    pub(crate) fn reserved(&self) -> Option<Duration> {
        self.reserve
    }

    pub(crate) fn fails_fast(&self) -> bool {
        self.fail_fast
    }
}
