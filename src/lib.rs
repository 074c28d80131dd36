//! `fetch` that always settles, never does harm twice, and says what happened.
//!
//! For front ends in WebAssembly (Yew, Leptos, Dioxus, plain web-sys): timeouts that cover the body and really abort,
//! retries that respect idempotency and `Retry-After`, and one typed [`Error`] that names the phase and says whether
//! the server may have acted ([`Outcome`]).
//!
//! ```no_run
//! # #[cfg(feature = "json")]
//! # mod example {
//! use std::time::Duration;
//! use steadfetch::Client;
//!
//! #[derive(serde::Deserialize)]
//! struct User {
//!     name: String,
//! }
//!
//! # async fn run() -> Result<(), steadfetch::Error> {
//! let api = Client::builder()
//!     .base_url("https://api.example.test/v1/")
//!     .timeout(Duration::from_secs(5))
//!     .build()?;
//! let user: User = api.get("users/1").await?.json().await?;
//! # let _ = user.name;
//! # Ok(())
//! # }
//! # }
//! ```
//!
//! # What a call promises
//!
//! - **It settles.** Every call ends with a [`Response`] whose body is still watched, or with one [`Error`], by
//!   `total_timeout` at the latest (30 seconds unless you say otherwise).
//! - **Dropping cancels.** A dropped future, [`Response`] or stream aborts the request; the server sees the connection
//!   close. [`Pending::detach`] lets a call outlive its future.
//! - **Nothing is repeated that could do harm twice.** Only methods that RFC 9110, section 9.2.2, calls idempotent are
//!   sent again, unless the request carries an `Idempotency-Key` or you say [`RequestBuilder::idempotent`].
//! - **A server in trouble gets less load, not more.** Retries wait at random and are a small share of the traffic
//!   ([`RetryBudget`]). If you ask for them, [`Queue`] and [`CircuitBreaker`] bound what goes out, and [`Scope`] ends calls
//!   together.
//! - **A status of 400 or above is an error** of kind [`ErrorKind::Http`], with the start of the body in
//!   [`Error::data`]; [`RequestBuilder::throw_http_errors`] turns that off.
//!
//! # A call
//!
//! A [`Client`] holds what calls have in common; [`Client::builder`] makes one, [`Client::extend`] a view with other options.
//! [`Client::get`] and its siblings begin a [`RequestBuilder`], and `.await` sends it. The result is a [`Response`], whose body
//! `json`, [`text`](Response::text), [`bytes`](Response::bytes) or [`chunk`](Response::chunk) reads.
//!
//! | limit | covers | default |
//! |---|---|---|
//! | [`timeout`](RequestBuilder::timeout) | one attempt, to the end of its body | 10 s |
//! | [`headers_timeout`](RequestBuilder::headers_timeout) | one attempt, until its headers | none |
//! | [`idle_timeout`](RequestBuilder::idle_timeout) | each pending read of the body | 10 s |
//! | [`total_timeout`](RequestBuilder::total_timeout) | the whole call: queue, attempts, waits, body | 30 s |
//!
//! [`Retry`] says what is repeated and how long a retry waits; [`Auth`] keeps a token and refreshes it;
//! [`ClientBuilder::on_event`] is told of every step, and [`Client::metrics`] counts them.
//!
//! # Errors
//!
//! [`Error::kind`] is what went wrong, [`Error::phase`] where the call was, [`Error::attempts`] what became of each attempt, and
//! [`Error::outcome`] whether the server may have acted:
//!
//! ```
//! use steadfetch::{Client, Error, Outcome};
//!
//! async fn order(api: &Client) -> Result<String, Error> {
//!     match api.post("orders").body("{}").await {
//!         Ok(response) => response.text().await,
//!         // Ask before it is sent again: it may have been done.
//!         Err(error) if error.outcome() == Outcome::Unknown => api.get("orders/last").await?.text().await,
//!         Err(error) => Err(error),
//!     }
//! }
//! ```
//!
//! # Tests
//!
//! With feature `testing` a script answers in place of the network, on every target; natively in virtual time, so that a wait of
//! an hour costs nothing:
//!
//! ```
//! # #[cfg(feature = "testing")]
//! # fn main() -> Result<(), steadfetch::Error> {
//! use steadfetch::testing::{Reply, Script, run};
//!
//! let script = Script::new();
//! script.reply(Reply::lost()).reply(Reply::new(200).body("hello"));
//! let api = script.client().base_url("https://api.example.test/").build()?;
//! let text = run(async { api.get("greeting").await?.text().await })?;
//! assert_eq!((text.as_str(), script.requests().len()), ("hello", 2));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "testing"))]
//! # fn main() {}
//! ```
//!
//! # Components
//!
//! A component makes its calls with a [`Scope`], and closes it when it is unmounted: what is under way is then aborted, and
//! nothing is sent any more.
//!
//! ```
//! # use steadfetch::{Client, Error, Scope};
//! # fn on_cleanup(_: impl FnOnce() + Send + Sync + 'static) {}
//! # fn mount(api: &Client) -> Result<(), Error> {
//! let page = api.scope(Scope::new())?;
//! let end = page.clone();
//! // Leptos. Dioxus: `use_drop(move || end.close())`. Yew: `use_effect_with((), move |()| move || end.close())`.
//! on_cleanup(move || end.close());
//! let users = page.get("users");
//! # let _ = users;
//! # Ok(())
//! # }
//! # mount(&Client::new()).unwrap();
//! ```
//!
//! # Outside of a browser
//!
//! The crate compiles everywhere. On a target other than `wasm32-unknown-unknown` a call returns
//! [`ErrorKind::Unsupported`], unless the client was given a `transport`: that is how server-side
//! rendering and native tests run the same code, the latter in virtual time.
//!
//! For servers there is one by reqwest (feature `reqwest`), and `run_local`, which makes a call fit where Leptos or Dioxus
//! ask for a future that is `Send`, in a page and on a server:
//!
//! ```
//! # #[cfg(all(feature = "reqwest", feature = "json"))]
//! # mod example {
//! use steadfetch::{Client, Error, run_local};
//!
//! /// A relative URL is that of the page; a server, which has none, says where its API is.
//! fn api() -> Result<Client, Error> {
//!     let api = Client::builder();
//!     #[cfg(not(target_family = "wasm"))]
//!     let api = api.base_url("https://api.example.test/").transport(steadfetch::transport::Reqwest::new());
//!     api.build()
//! }
//!
//! /// Send, for a `Resource` of Leptos or a `use_server_future` of Dioxus.
//! fn names() -> impl Future<Output = Result<Vec<String>, Error>> + Send {
//!     run_local(|| async { api()?.get("names").send().await?.json().await })
//! }
//! # }
//! ```
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `json` | yes | `RequestBuilder::json`, `query` and `form` of any value of serde ([`Pairs`]), `Response::json`, `Error::data_json` |
//! | `stream` | yes | `Response::stream`, a `futures_core::Stream` of chunks, and `Body::from_stream` |
//! | `http` | no | types of the `http` crate: `Client::from_http`, `RequestBuilder::header_map`, `Response::header_map` and `status_code` |
//! | `tracing` | no | `trace_event`, an observer that emits events by the `tracing` crate |
//! | `bytes` | no | a [`Body`] from `bytes::Bytes` |
//! | `send` | no | `Local`, a value of one thread in a callback of a client; `IntoSend::into_send` and, in a page, `run_local`, for frameworks that ask for `Send` futures |
//! | `reqwest` | no | `transport::Reqwest` and, on native targets, `run_local`; includes `send` |
//! | `testing` | no | `testing`: a scripted network for tests, on every target; virtual time on native ones |
//! | `serde` | no | [`Error`] implements `Serialize` and `Deserialize`; [`Event`], [`Metrics`] and [`Circuit`] implement `Serialize` |
//! | `js` | no | `to_js` of [`Error`], [`Event`] and [`Metrics`]: an object of JavaScript; includes `serde` |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs, missing_debug_implementations)]
#![deny(unsafe_code)]
// A panic here would be a trap in somebody's page: no path of this crate may panic.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unreachable
)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

mod auth;
mod basic;
mod body;
mod builder;
mod circuit;
mod client;
mod driver;
mod error;
mod event;
mod form;
mod hash;
mod headers;
#[cfg(feature = "http")]
mod http_types;
#[cfg(feature = "json")]
mod json;
mod lanes;
#[cfg(feature = "send")]
mod local;
mod metrics;
pub mod multipart;
mod options;
mod pairs;
mod pending;
mod platform;
mod progress;
mod reader;
mod redact;
mod request;
mod request_info;
mod response;
#[cfg(all(feature = "send", any(feature = "reqwest", all(target_family = "wasm", target_os = "unknown"))))]
mod run_local;
#[cfg(feature = "send")]
mod send;
mod shared;
#[cfg(feature = "stream")]
mod stream;
#[cfg(any(feature = "testing", all(test, not(all(target_family = "wasm", target_os = "unknown")))))]
pub mod testing;
mod text;
#[cfg(feature = "tracing")]
mod trace;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub mod transport;
#[cfg(feature = "stream")]
mod upload;
mod view;
#[cfg(feature = "serde")]
mod wire;
mod words;

pub use auth::{AuthContext, AuthError, Peek, Refreshed};
pub use body::Body;
pub use builder::ClientBuilder;
pub use circuit::Circuit;
pub use client::Client;
pub use error::{Attempt, Error, ErrorKind, Hint, Limit};
pub use event::{Event, EventKind};
#[cfg(feature = "send")]
pub use local::Local;
pub use metrics::{Metrics, Percentiles, Shares};
pub use options::{
    Auth, AuthLock, Cache, CircuitBreaker, Credentials, DeadlineHeader, IdempotencyKey, Mode, Priority, Queue,
    Redirect, ReferrerPolicy, Retry, RetryBudget, Scope,
};
pub use pairs::Pairs;
pub use pending::Pending;
pub use progress::Progress;
pub use request::RequestBuilder;
pub use request_info::RequestInfo;
pub use response::Response;
#[cfg(all(feature = "send", any(feature = "reqwest", all(target_family = "wasm", target_os = "unknown"))))]
pub use run_local::run_local;
#[cfg(feature = "send")]
pub use send::IntoSend;
#[cfg(feature = "stream")]
pub use stream::BodyStream;
#[cfg(feature = "tracing")]
pub use trace::trace_event;
pub use words::{CircuitState, Outcome, Phase, RetryStopped};

/// The examples of the README are tested with those of the documentation.
#[cfg(all(doctest, feature = "json"))]
#[doc = include_str!("README.md")]
struct Readme;

#[cfg(all(test, not(all(target_family = "wasm", target_os = "unknown"))))]
mod tests;
