//! The policies and the engine of steadfetch.
//!
//! This crate does no input or output. It has no clock, no source of randomness and no JavaScript of its own: a driver
//! tells it what happened and when, and performs the actions it asks for. That is why every policy can be tested
//! natively, in virtual time, over every order of events.
//!
//! Start at [`engine::Engine`]; each other module is one policy or one word of the vocabulary.
#![no_std]
#![forbid(unsafe_code)]
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

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod backoff;
pub mod border;
pub mod breaker;
pub mod budget;
pub mod budgets;
pub mod circuits;
pub mod classify;
pub mod engine;
pub mod error;
#[cfg(feature = "guard")]
mod flights;
pub mod gate;
mod heap;
pub mod method;
pub mod metrics;
pub mod options;
pub mod outcome;
pub mod phase;
pub mod queue;
pub mod refresh;
pub mod retry_after;
pub mod rng;
mod slab;
pub mod sse;
pub mod status;
pub mod stop;
mod table;
pub mod time;
mod words;
