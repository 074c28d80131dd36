//! Clients that contend for one row: the public simulation of backoff and jitter.
//!
//! Optimistic concurrency control. Each client wants to write once: it reads the version of the row, then writes naming
//! that version. If somebody else has written since, the write fails, and the client waits and begins again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use steadfetch_core::rng::Rng;

use crate::random;
use crate::strategy::{Strategy, Waits};

/// A message is under way for the absolute value of a normal variable, in milliseconds.
const DELAY_MEAN: f64 = 10.0;
const DELAY_DEVIATION: f64 = 2.0;

/// What one run, or many in the mean, came to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Cost {
    /// Writes that were sent, until every client had written.
    pub(crate) calls: f64,
    /// Milliseconds until the last of them knew.
    pub(crate) time: f64,
}

/// What arrives next for a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Message {
    /// At the server.
    Read,
    /// At the client: the version.
    Version(u32),
    /// At the server.
    Write(u32),
    /// At the client: was the row written?
    Written(bool),
}

/// When, for whom, what. Microseconds: whole numbers have an order.
type Event = Reverse<(u64, usize, Message)>;

/// One run of `clients` clients that all begin in the same moment.
pub(crate) fn run(strategy: Strategy, clients: usize, rng: &mut Rng) -> Cost {
    let mut waits = vec![Waits::default(); clients];
    let mut events: BinaryHeap<Event> = BinaryHeap::with_capacity(clients);
    for client in 0..clients {
        events.push(Reverse((delay(rng), client, Message::Read)));
    }
    let (mut version, mut calls, mut now) = (0, 0_u64, 0);
    while let Some(Reverse((at, client, message))) = events.pop() {
        now = at;
        let (wait, next) = match message {
            Message::Read => (0, Message::Version(version)),
            Message::Version(seen) => (0, Message::Write(seen)),
            Message::Write(seen) => {
                calls += 1;
                let fresh = seen == version;
                version += u32::from(fresh);
                (0, Message::Written(fresh))
            }
            Message::Written(true) => continue,
            Message::Written(false) => (microseconds(waits[client].next(strategy, rng)), Message::Read),
        };
        events.push(Reverse((now + wait + delay(rng), client, next)));
    }
    Cost { calls: calls as f64, time: now as f64 / 1_000.0 }
}

/// The mean of `runs` runs.
pub(crate) fn mean(strategy: Strategy, clients: usize, runs: u32) -> Cost {
    let sum = (0..runs)
        .map(|number| run(strategy, clients, &mut random::generator(number)))
        .fold(Cost::default(), |sum, cost| Cost { calls: sum.calls + cost.calls, time: sum.time + cost.time });
    Cost { calls: sum.calls / f64::from(runs), time: sum.time / f64::from(runs) }
}

fn delay(rng: &mut Rng) -> u64 {
    microseconds(random::normal(rng, DELAY_MEAN, DELAY_DEVIATION).abs())
}

fn microseconds(milliseconds: f64) -> u64 {
    (milliseconds * 1_000.0) as u64
}
