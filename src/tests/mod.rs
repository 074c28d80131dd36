//! The whole API over a scripted transport, in virtual time.

mod bodies;
mod cancel;
mod fuzz;
mod observe;
mod options;
mod retry;
mod sim;
mod timeouts;
