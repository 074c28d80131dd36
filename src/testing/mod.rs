//! A network that a test makes up, the same on every target: a [`Script`] answers the calls of its clients in order, and
//! remembers what it was asked.
//!
//! On native targets `run` runs a test in virtual time, in which waiting costs nothing. In a page, or in Node, the test is
//! asynchronous itself (`wasm_bindgen_test`), and time is real.
//!
//! ```
//! # #[cfg(all(feature = "json", not(target_family = "wasm")))]
//! # fn main() -> Result<(), steadfetch::Error> {
//! use steadfetch::testing::{Reply, Script, run};
//! use steadfetch::{Client, Error};
//!
//! async fn greeting(api: Client) -> Result<String, Error> {
//!     api.get("greeting").send().await?.text().await
//! }
//!
//! let script = Script::new();
//! script.reply(Reply::lost()).reply(Reply::new(200).body("hello"));
//! let api = script.client().base_url("https://api.example.test/").build()?;
//!
//! assert_eq!(run(greeting(api))?, "hello");
//! assert_eq!(script.requests().len(), 2);
//! assert_eq!(script.requests()[0].url(), "https://api.example.test/greeting");
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "json", not(target_family = "wasm"))))]
//! # fn main() {}
//! ```

#[cfg(feature = "testing")]
mod reply;
#[cfg(all(feature = "testing", target_family = "wasm", target_os = "unknown"))]
#[path = "../transport/request.rs"]
mod request;
#[cfg(feature = "testing")]
mod script;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) mod world;

#[cfg(all(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
pub use crate::transport::Request;
#[cfg(feature = "testing")]
pub use reply::Reply;
#[cfg(all(feature = "testing", target_family = "wasm", target_os = "unknown"))]
pub use request::Request;
#[cfg(feature = "testing")]
pub use script::Script;

#[cfg(all(feature = "testing", target_family = "wasm", target_os = "unknown"))]
pub(crate) use reply::Kind;

/// Why a request was not sent that there is no reply to.
#[cfg(feature = "testing")]
pub(crate) const NO_REPLY: &str = "the script has no reply left: add one, or say what answers `otherwise`";

/// Runs a test to its end, in virtual time: when everything waits, the clock jumps to the next timer.
///
/// # Panics
/// If everything waits and no timer is set: the test would hang for ever.
#[cfg(all(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
#[expect(clippy::expect_used, reason = "a test that cannot end fails")]
pub fn run<T>(test: impl Future<Output = T>) -> T {
    world::run_to_end(test).expect("everything waits and no timer is set, or a task never rests")
}

/// How much virtual time has passed in this thread.
#[cfg(all(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
#[must_use]
pub fn now() -> std::time::Duration {
    world::now()
}

/// Ends when the virtual time of this thread has gone on by this much.
#[cfg(all(feature = "testing", not(all(target_family = "wasm", target_os = "unknown"))))]
pub async fn sleep(span: std::time::Duration) {
    world::sleep(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)).await;
}
