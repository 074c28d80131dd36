use std::future::Future;

use send_wrapper::SendWrapper;

/// Makes a future of this crate, or one that awaits such, fit where a framework asks for `Send`.
///
/// A page has one thread, so the promise is kept there. Elsewhere it is checked: the future panics if another thread
/// than its own polls or drops it.
///
/// ```
/// use steadfetch::{Client, IntoSend};
///
/// fn asks_for_send<T: Send>(future: T) -> T {
///     future
/// }
///
/// let api = Client::new();
/// let future = async move { api.get("https://api.example.test/").send().await?.text().await };
/// let future = asks_for_send(future.into_send());
/// # drop(future);
/// ```
pub trait IntoSend: Future + Sized {
    /// The same future, `Send`.
    fn into_send(self) -> SendWrapper<Self> {
        SendWrapper::new(self)
    }
}

impl<F: Future> IntoSend for F {}
