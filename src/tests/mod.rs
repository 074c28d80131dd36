//! The whole API over a scripted transport, in virtual time.

mod auth;
mod auth_limits;
mod bodies;
mod builder;
mod cancel;
mod circuit;
mod documented;
mod fuzz;
#[cfg(feature = "http")]
mod http_types;
#[cfg(feature = "json")]
mod json;
mod lifetime;
mod metrics;
mod observe;
mod options;
mod panics;
mod queue;
mod redaction;
mod requests;
mod retry;
mod scope;
#[cfg(feature = "testing")]
mod scripted;
#[cfg(feature = "reqwest")]
mod server;
mod sim;
#[cfg(feature = "stream")]
mod streams;
mod timeouts;
#[cfg(feature = "tracing")]
mod tracing;
#[cfg(feature = "json")]
mod vectors;
