use std::time::Duration;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::metrics::{COUNTERS, Counter, Store, percentile};
use steadfetch_core::phase;

use crate::circuit::Circuit;
use crate::error::ErrorKind;
use crate::words::Phase;

/// What a client and its views have done so far: [`Client::metrics`](crate::Client::metrics).
///
/// Plain numbers, without URLs and names: memory does not grow with what is counted.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Metrics {
    /// Calls that began.
    pub calls: u64,
    /// Calls that ended well.
    pub succeeded: u64,
    /// Calls that failed, by the kind of their error. Kinds that were not met are left out.
    pub failed: Vec<(ErrorKind, u64)>,
    /// Limits that passed, by where the calls were. Phases that were not met are left out.
    pub timeouts: Vec<(Phase, u64)>,
    /// Calls that their caller ended, by a signal or by dropping their future, response or stream.
    pub cancelled_by_signal: u64,
    /// Calls that ended with their client or scope.
    pub cancelled_by_client: u64,
    /// Calls that ended because their page was left.
    pub cancelled_by_page: u64,
    /// Attempts that were sent.
    pub attempts: u64,
    /// Attempts that are under way now.
    pub in_flight: u64,
    /// Retries that were decided.
    pub retries: u64,
    /// Extra sends after a token refresh.
    pub resent: u64,
    /// Token refreshes that calls have caused.
    pub refreshes: u64,
    /// Lookups of what became of a lost write. They are no calls.
    pub lookups: u64,
    /// Retries that the budget refused.
    pub budget_refusals: u64,
    /// Circuits that opened.
    pub circuits_opened: u64,
    /// Attempts that had to wait for a slot.
    pub enqueued: u64,
    /// Those of them that got one.
    pub dispatched: u64,
    /// Those of them that wait now.
    pub waiting: u64,
    /// Attempts in flight when a limit passed last.
    pub in_flight_at_timeout: u64,
    /// Attempts that waited when a limit passed last.
    pub waiting_at_timeout: u64,
    /// From the start of a call to its end.
    pub call_time: Percentiles,
    /// From the dispatch of an attempt to the end of its body.
    pub attempt_time: Percentiles,
    /// From asking for a slot to getting it, of those that had to wait.
    pub queue_time: Percentiles,
    /// The share of the time that was left to them that they have waited.
    pub queue_share: Shares,
    /// How each circuit stands: [`Client::circuits`](crate::Client::circuits).
    pub circuits: Vec<Circuit>,
}

/// How long something took, each at most an eighth too high. `None` if nothing was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Percentiles {
    /// How many were measured.
    pub count: u64,
    /// Half of them took less.
    pub p50: Option<Duration>,
    /// 95 of 100 took less.
    pub p95: Option<Duration>,
    /// 99 of 100 took less.
    pub p99: Option<Duration>,
}

impl Percentiles {
    fn of(histogram: &[f64]) -> Self {
        let at = |share| percentile(histogram, share).map(Duration::from_millis);
        let count = histogram.iter().sum::<f64>() as u64;
        Self { count, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
    }
}

/// Which part of a time something took, from 0 to 1, each at most an eighth too high. `None` if nothing was measured.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Shares {
    /// How many were measured.
    pub count: u64,
    /// Half of them took less.
    pub p50: Option<f64>,
    /// 95 of 100 took less.
    pub p95: Option<f64>,
    /// 99 of 100 took less.
    pub p99: Option<f64>,
}

impl From<Percentiles> for Shares {
    /// Of thousandths.
    fn from(Percentiles { count, p50, p95, p99 }: Percentiles) -> Self {
        let share = |thousandths: Option<Duration>| Some((thousandths?.as_secs_f64()).min(1.0));
        Self { count, p50: share(p50), p95: share(p95), p99: share(p99) }
    }
}

/// The counts of a list that are not 0, with their names.
fn named<N: Copy, K>(names: &[N], counts: &[f64], name: impl Fn(N) -> K) -> Vec<(K, u64)> {
    let pairs = names.iter().zip(counts).filter(|(_, count)| **count > 0.0);
    pairs.map(|(named, count)| (name(*named), *count as u64)).collect()
}

impl Metrics {
    /// The numbers of the engine under their names.
    pub(crate) fn new(store: &Store, circuits: Vec<Circuit>) -> Self {
        let mut numbers = Vec::new();
        store.write(&mut numbers);
        let (counters, mut rest) = numbers.split_at_checked(COUNTERS).unwrap_or_default();
        let (_, counters) = counters.split_at_checked(Counter::NAMES.len()).unwrap_or_default();
        let (codes, phases) = counters.split_at_checked(ErrorCode::ALL.len()).unwrap_or_default();
        let mut durations = || {
            let (length, more) = rest.split_first()?;
            let (histogram, more) = more.split_at_checked(*length as usize)?;
            rest = more;
            Some(Percentiles::of(histogram))
        };
        let [call_time, attempt_time, queue_time, queue_share] = [(); 4].map(|()| durations().unwrap_or_default());
        let count = |counter| u64::from(store.get(counter));
        let (attempts, enqueued, dispatched) =
            (count(Counter::Attempts), count(Counter::Queued), count(Counter::Dequeued));
        Self {
            calls: count(Counter::Calls),
            succeeded: count(Counter::Succeeded),
            failed: named(&ErrorCode::ALL, codes, ErrorKind::of),
            timeouts: named(phase::Phase::ALL, phases, Phase::of),
            cancelled_by_signal: count(Counter::CancelledBySignal),
            cancelled_by_client: count(Counter::CancelledByClient),
            cancelled_by_page: count(Counter::CancelledByPage),
            attempts,
            in_flight: attempts.saturating_sub(count(Counter::AttemptsEnded)),
            retries: count(Counter::Retries),
            resent: count(Counter::Resends),
            refreshes: count(Counter::Refreshes),
            lookups: count(Counter::Lookups),
            budget_refusals: count(Counter::BudgetRefusals),
            circuits_opened: count(Counter::CircuitsOpened),
            enqueued,
            dispatched,
            waiting: enqueued.saturating_sub(dispatched).saturating_sub(count(Counter::LeftQueue)),
            in_flight_at_timeout: count(Counter::InFlightAtTimeout),
            waiting_at_timeout: count(Counter::QueuedAtTimeout),
            call_time,
            attempt_time,
            queue_time,
            queue_share: queue_share.into(),
            circuits,
        }
    }

    /// The metrics as a plain object of JavaScript, with the names of the npm package.
    #[cfg(all(feature = "js", target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn to_js(&self) -> wasm_bindgen::JsValue {
        crate::wire::to_js(self)
    }

    /// How many calls failed with this kind of error.
    #[must_use]
    pub fn failed_with(&self, kind: ErrorKind) -> u64 {
        self.failed.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfetch_core::metrics;
    use steadfetch_core::time::Millis;

    #[test]
    fn each_number_has_its_name() {
        let mut store = Store::default();
        for (count, counter) in [
            (1, Counter::Calls),
            (2, Counter::Succeeded),
            (9, Counter::Attempts),
            (4, Counter::AttemptsEnded),
            (5, Counter::Retries),
            (6, Counter::BudgetRefusals),
            (30, Counter::Queued),
            (7, Counter::Dequeued),
            (8, Counter::LeftQueue),
            (10, Counter::CircuitsOpened),
            (12, Counter::CancelledBySignal),
            (13, Counter::CancelledByClient),
            (14, Counter::CancelledByPage),
        ] {
            store.add(counter, count);
        }
        for code in ErrorCode::ALL {
            store.failed(code);
        }
        for phase in phase::Phase::ALL.iter().copied() {
            store.timed_out(phase);
        }
        for (place, what) in
            [metrics::Duration::Call, metrics::Duration::Attempt, metrics::Duration::Queue].into_iter().enumerate()
        {
            for _ in 0..=place {
                store.took(what, Millis(place as u64));
            }
        }
        let metrics = Metrics::new(&store, Vec::new());
        assert_eq!((metrics.calls, metrics.succeeded, metrics.attempts), (1, 2, 9));
        assert_eq!((metrics.in_flight, metrics.retries, metrics.budget_refusals), (5, 5, 6));
        assert_eq!((metrics.enqueued, metrics.dispatched, metrics.waiting), (30, 7, 15));
        assert_eq!((metrics.circuits_opened, metrics.cancelled_by_signal), (10, 12));
        assert_eq!((metrics.cancelled_by_client, metrics.cancelled_by_page), (13, 14));
        assert_eq!((metrics.in_flight_at_timeout, metrics.waiting_at_timeout), (5, 15));
        assert_eq!(metrics.failed, ErrorCode::ALL.map(|code| (ErrorKind::of(code), 1)));
        assert_eq!(metrics.timeouts, Phase::ALL.iter().map(|phase| (*phase, 1)).collect::<Vec<_>>());
        for (place, took) in [metrics.call_time, metrics.attempt_time, metrics.queue_time].into_iter().enumerate() {
            assert_eq!((took.count, took.p99), (place as u64 + 1, Some(Duration::from_millis(place as u64))));
        }
        assert_eq!(Metrics::new(&Store::default(), Vec::new()), Metrics::default());
    }
}
