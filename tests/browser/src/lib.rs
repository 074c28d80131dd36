//! What the tests of the Rust API in browsers and in runtimes without pages share: the fault server's client, and the
//! scenario runner.
//!
//! The tests run in Node, Deno and Bun, and in a window or worker of a browser, by environment variables alone; see
//! README.md.
#![cfg(target_family = "wasm")]

mod call;
mod judge;
mod patch;
mod platform;
mod scenario;
mod server;

pub use patch::{Patch, evaluate};
pub use platform::{Engine, bare_fetch, engine, now, runtime, sleep};
pub use scenario::play;
pub use server::{Origin, Server};
