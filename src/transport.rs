//! What sends requests outside of a browser: for server-side rendering, and for tests in virtual time.
//!
//! A [`Transport`] is to this crate what a page is to it in a browser: fetch, clock, timers and tasks. Everything that
//! decides (retries, limits, outcomes) is the same engine as in a browser.
//!
//! `Reqwest` (feature `reqwest`) is a ready one for servers. One of your own is a few lines, here with an executor for tests:
//!
//! ```
//! use std::cell::RefCell;
//! use std::future::Future;
//! use std::pin::pin;
//! use std::task::{Context, Poll, Waker};
//! use std::time::Duration;
//!
//! use steadfetch::Client;
//! use steadfetch::transport::{Fault, LocalFuture, Request, Response, Transport};
//!
//! thread_local! {
//!     static TASKS: RefCell<Vec<LocalFuture<()>>> = RefCell::default();
//! }
//!
//! /// Answers every request at once, at a time that stands still.
//! struct Always(&'static str);
//!
//! impl Transport for Always {
//!     fn fetch(&self, _request: Request) -> LocalFuture<Result<Response, Fault>> {
//!         let response = Response::new(200).with_body(self.0);
//!         Box::pin(async move { Ok(response) })
//!     }
//!     fn now(&self) -> Duration {
//!         Duration::ZERO
//!     }
//!     fn wall(&self) -> Duration {
//!         Duration::ZERO
//!     }
//!     fn sleep(&self, _span: Duration) -> LocalFuture<()> {
//!         Box::pin(std::future::pending())
//!     }
//!     fn spawn(&self, task: LocalFuture<()>) {
//!         TASKS.with_borrow_mut(|tasks| tasks.push(task));
//!     }
//!     fn seed(&self) -> [u32; 4] {
//!         [1, 2, 3, 4]
//!     }
//! }
//!
//! /// Polls a future, and the tasks of its calls, until it ends.
//! fn run<T>(future: impl Future<Output = T>) -> T {
//!     let (mut future, mut cx) = (pin!(future), Context::from_waker(Waker::noop()));
//!     loop {
//!         if let Poll::Ready(value) = future.as_mut().poll(&mut cx) {
//!             return value;
//!         }
//!         let mut tasks = TASKS.take();
//!         tasks.retain_mut(|task| task.as_mut().poll(&mut cx).is_pending());
//!         TASKS.with_borrow_mut(|all| all.append(&mut tasks));
//!     }
//! }
//!
//! let api = Client::builder().base_url("https://api.example.test/").transport(Always("hello")).build()?;
//! let text = run(async { api.get("greeting").send().await?.text().await })?;
//! assert_eq!(text, "hello");
//! # Ok::<(), steadfetch::Error>(())
//! ```

mod request;
#[cfg(feature = "reqwest")]
mod reqwest;
mod response;

pub use request::Request;
#[cfg(feature = "reqwest")]
pub use reqwest::Reqwest;
pub use response::{Chunks, Response};

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// A boxed future of the current thread.
pub type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// Why there is no response, or no more of its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A network error: [`ErrorKind::Network`](crate::ErrorKind::Network).
    Network,
    /// The same before there was a connection: the attempt was not sent ([`Outcome::NotSent`](crate::Outcome::NotSent)).
    Unconnected,
    /// The request can never be sent as it is, and was not: [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest).
    InvalidRequest,
    /// It cannot be sent by this transport, and was not: [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported).
    Unsupported,
    /// The same, for this reason, which the message of the error says: no secret.
    Refused(&'static str),
}

/// Sends requests, tells the time and runs tasks. The futures are those of one thread, and need not be `Send`.
pub trait Transport: Send + Sync + 'static {
    /// Sends a request. Called in the task that asks for it. Dropping the future, or the response's body, is to stop
    /// the request.
    fn fetch(&self, request: Request) -> LocalFuture<Result<Response, Fault>>;

    /// Sends a request whose body is a stream, which [`Request::body`] does not have. The body is to be polled no faster than
    /// the network takes it. Default: [`Fault::Refused`].
    fn fetch_streaming(&self, request: Request, body: Box<dyn Chunks>) -> LocalFuture<Result<Response, Fault>> {
        drop((request, body));
        Box::pin(async { Err(Fault::Refused("this transport streams no request body")) })
    }

    /// A clock that never goes back, from any origin.
    fn now(&self) -> Duration;

    /// The time since 1970, for `Retry-After` with a date where the answer has no `Date`.
    fn wall(&self) -> Duration;

    /// Ends after this span. It may be late, never early.
    fn sleep(&self, span: Duration) -> LocalFuture<()>;

    /// Runs a task on this thread, to its end.
    fn spawn(&self, task: LocalFuture<()>);

    /// Random bits, for the jitter of the retries: different ones on every machine and in every process.
    fn seed(&self) -> [u32; 4];

    /// Whether there is a network at all, as far as one knows.
    fn is_online(&self) -> bool {
        true
    }
}
