//! What is counted: numbers of one client and its views, without a label that could grow.
//!
//! A store is one list of counters and four histograms of durations. It is read as plain numbers ([`Store::write`]), in
//! the order of [`Counter::NAMES`]; percentiles are made from the histograms by whoever reads ([`percentile`]).

use alloc::vec::Vec;

use crate::error::ErrorCode;
use crate::phase::Phase;
use crate::time::Millis;

/// What is counted one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Counter {
    /// Calls that began.
    Calls = 0,
    /// Calls that ended well.
    Succeeded,
    /// Attempts that were sent.
    Attempts,
    /// Attempts that are over.
    AttemptsEnded,
    /// Retries that were decided.
    Retries,
    /// Sends after a refresh.
    Resends,
    /// Refreshes that were started.
    Refreshes,
    /// Polls of jobs.
    Polls,
    /// Lookups of outcomes.
    Lookups,
    /// Retries that the budget refused.
    BudgetRefusals,
    /// Attempts that had to wait for a slot.
    Queued,
    /// Those of them that got one.
    Dequeued,
    /// Those of them that left before.
    LeftQueue,
    /// Circuits that opened.
    CircuitsOpened,
    /// Attempts in flight when a limit passed last.
    InFlightAtTimeout,
    /// Waiting attempts when a limit passed last.
    QueuedAtTimeout,
    /// Calls that their caller ended, by a signal or by dropping them.
    CancelledBySignal,
    /// Calls that ended with their client or scope.
    CancelledByClient,
    /// Calls that ended because their page was left.
    CancelledByPage,
    /// Attempts that shared the request of another call.
    Shared,
}

/// How many counters stand before those of codes and phases.
const FIRST: usize = 20;
/// Calls by the code they failed with; timeouts by phase.
const CODES: usize = ErrorCode::ALL.len();
const PHASES: usize = Phase::ALL.len();
/// All counters.
pub const COUNTERS: usize = FIRST + CODES + PHASES;

impl Counter {
    /// What the counters are called, in the order of their numbers.
    pub const NAMES: [&str; FIRST] = [
        "calls",
        "succeeded",
        "attempts",
        "attemptsEnded",
        "retries",
        "resent",
        "refreshes",
        "polls",
        "lookups",
        "budgetRefusals",
        "enqueued",
        "dispatched",
        "leftQueue",
        "circuitsOpened",
        "inFlightAtTimeout",
        "queuedAtTimeout",
        "cancelledBySignal",
        "cancelledByClient",
        "cancelledByPage",
        "shared",
    ];
}

/// A duration that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Duration {
    /// From the call to its end.
    Call = 0,
    /// From dispatch to the end of the body.
    Attempt,
    /// From asking for a slot to getting it.
    Queue,
    /// The same in thousandths of the time that was left when it was asked for.
    QueueShare,
}

/// How many durations are measured.
pub const DURATIONS: usize = 4;

/// Each doubling of a duration is divided into so many steps: a percentile is at most an eighth too high.
const STEPS: u32 = 8;
/// The highest bucket that a duration of 2^22 ms (70 minutes) falls into; longer ones are counted there too.
const HIGHEST: u32 = 168;

/// The bucket of a duration: exact below [`STEPS`] milliseconds, then so many for each doubling.
fn bucket(span: Millis) -> usize {
    let ms = u32::try_from(span.0).unwrap_or(u32::MAX);
    let shift = 28_u32.saturating_sub(ms.leading_zeros());
    let steps = ms.wrapping_shr(shift).saturating_add(shift.saturating_mul(STEPS));
    steps.min(HIGHEST) as usize
}

/// The most milliseconds that fall into a bucket.
fn top(bucket: usize) -> u64 {
    let bucket = bucket as u32;
    let shift = bucket.wrapping_div(STEPS).saturating_sub(1);
    let first = bucket.saturating_sub(shift.saturating_mul(STEPS));
    u64::from(first).saturating_add(1).wrapping_shl(shift).saturating_sub(1)
}

/// The duration below which this share (0 to 1) of those in a histogram lie; `None` if it is empty.
#[must_use]
pub fn percentile(histogram: &[f64], share: f64) -> Option<u64> {
    let total: f64 = histogram.iter().sum();
    let mut left = total * share;
    for (place, count) in histogram.iter().enumerate() {
        left -= count;
        if *count > 0.0 && left <= 0.0 {
            return Some(top(place));
        }
    }
    None
}

/// The numbers of one client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    counters: [u32; COUNTERS],
    /// They grow as far as there is something to count.
    histograms: [Vec<u32>; DURATIONS],
}

impl Default for Store {
    fn default() -> Self {
        Self { counters: [0; COUNTERS], histograms: [const { Vec::new() }; DURATIONS] }
    }
}

impl Store {
    /// Adds to a counter.
    pub fn add(&mut self, counter: Counter, count: u64) {
        self.add_at(counter as usize, count);
    }

    /// A call failed so.
    pub fn failed(&mut self, code: ErrorCode) {
        self.add_at((code as usize).saturating_add(FIRST).saturating_sub(1), 1);
    }

    /// Takes one back.
    pub fn take_back(&mut self, counter: Counter) {
        if let Some(number) = self.counters.get_mut(counter as usize) {
            *number = number.saturating_sub(1);
        }
    }

    /// A limit passed in this phase.
    pub fn timed_out(&mut self, phase: Phase) {
        self.add_at((phase as usize).saturating_add(FIRST + CODES).saturating_sub(1), 1);
        let in_flight = self.get(Counter::Attempts).wrapping_sub(self.get(Counter::AttemptsEnded));
        let waiting = self
            .get(Counter::Queued)
            .wrapping_sub(self.get(Counter::Dequeued))
            .wrapping_sub(self.get(Counter::LeftQueue));
        for (counter, now) in [(Counter::InFlightAtTimeout, in_flight), (Counter::QueuedAtTimeout, waiting)] {
            if let Some(place) = self.counters.get_mut(counter as usize) {
                *place = now;
            }
        }
    }

    /// Something took so long.
    pub fn took(&mut self, what: Duration, span: Millis) {
        let place = bucket(span);
        let Some(histogram) = self.histograms.get_mut(what as usize) else { return };
        if histogram.len() <= place {
            histogram.resize(place.saturating_add(1), 0);
        }
        if let Some(count) = histogram.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }

    /// An attempt got its slot after so long; so much time is left to it.
    pub fn dispatched(&mut self, waited: Millis, left: Millis) {
        self.add(Counter::Dequeued, 1);
        self.took(Duration::Queue, waited);
        let of = waited.0.saturating_add(left.0).max(1);
        self.took(Duration::QueueShare, Millis(waited.0.saturating_mul(1_000).checked_div(of).unwrap_or(0)));
    }

    /// What a counter says.
    #[must_use]
    pub fn get(&self, counter: Counter) -> u32 {
        self.counters.get(counter as usize).copied().unwrap_or(0)
    }

    /// All numbers: the counters, then for each duration the length of its histogram and its counts.
    pub fn write(&self, out: &mut Vec<f64>) {
        out.extend(self.counters.iter().copied().map(f64::from));
        for histogram in &self.histograms {
            out.push(histogram.len() as f64);
            out.extend(histogram.iter().copied().map(f64::from));
        }
    }

    fn add_at(&mut self, place: usize, count: u64) {
        if let Some(number) = self.counters.get_mut(place) {
            *number = number.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_a_name() {
        assert_eq!(Counter::NAMES.len(), Counter::Shared as usize + 1);
    }

    #[test]
    fn buckets_are_in_order_and_their_tops_are_at_most_an_eighth_too_high() {
        let mut last = 0;
        for ms in (0..5_000).chain([10_000, 65_535, 65_536, 1_000_000, 4_194_303]) {
            let bucket = bucket(Millis(ms));
            assert!(bucket >= last, "{ms}");
            last = bucket;
            let top = top(bucket);
            assert!(top >= ms && top as f64 <= ms as f64 * 1.126 + 0.01, "{ms} {top}");
        }
        assert_eq!(bucket(Millis::NONE), HIGHEST as usize);
    }

    #[test]
    fn percentiles_of_a_thousand_durations() {
        let mut store = Store::default();
        for ms in 1..=1_000 {
            store.took(Duration::Attempt, Millis(ms));
        }
        let histogram: Vec<f64> = store.histograms[1].iter().copied().map(f64::from).collect();
        for (share, right) in [(0.5, 500.0), (0.95, 950.0), (0.99, 990.0)] {
            let said = percentile(&histogram, share).unwrap() as f64;
            assert!((right..=right * 1.126).contains(&said), "{share}: {said}");
        }
        assert_eq!(percentile(&[], 0.5), None);
    }

    #[test]
    fn m03_memory_does_not_grow_with_what_is_counted() {
        let mut store = Store::default();
        for ms in 0..100_000_u64 {
            store.took(Duration::Call, Millis(ms * ms));
            store.failed(ErrorCode::NetworkError);
        }
        assert!(store.histograms[0].len() <= HIGHEST as usize + 1);
        let mut out = Vec::new();
        store.write(&mut out);
        assert_eq!(out.len(), COUNTERS + DURATIONS + store.histograms[0].len());
    }

    #[test]
    fn time_in_the_queue_is_compared_with_the_time_that_was_left() {
        let mut store = Store::default();
        store.dispatched(Millis(5), Millis(15));
        store.dispatched(Millis(5), Millis::NONE);
        store.dispatched(Millis::ZERO, Millis::ZERO);
        let shares: Vec<f64> = store.histograms[3].iter().copied().map(f64::from).collect();
        assert_eq!((shares.iter().sum::<f64>(), shares[0], shares[bucket(Millis(250))]), (3.0, 2.0, 1.0));
        assert_eq!(store.get(Counter::Dequeued), 3);
    }

    #[test]
    fn a_timeout_notes_what_was_going_on() {
        let mut store = Store::default();
        store.add(Counter::Attempts, 5);
        store.add(Counter::AttemptsEnded, 2);
        store.add(Counter::Queued, 4);
        store.add(Counter::Dequeued, 1);
        store.add(Counter::LeftQueue, 1);
        store.timed_out(Phase::Queue);
        assert_eq!((store.get(Counter::InFlightAtTimeout), store.get(Counter::QueuedAtTimeout)), (3, 2));
    }
}
