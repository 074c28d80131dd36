//! The whole API over a scripted transport, in virtual time.

mod bodies;
mod cancel;
mod circuit;
mod fuzz;
mod observe;
mod options;
mod queue;
mod retry;
mod scope;
mod sim;
mod timeouts;
