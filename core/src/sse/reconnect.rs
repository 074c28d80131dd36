//! Whether a stream of events connects again, and after what wait.
//!
//! A server that restarts loses all its streams in one moment. Full jitter spreads their return, and the bound doubles with each connection
//! that brought no event. The server's own `retry:` and `Retry-After` are floors below the jitter.

use crate::backoff;
use crate::rng::Rng;
use crate::time::Millis;

/// How a connection came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Break {
    /// The connection was lost, was silent for too long, had no answer in time, or was refused by an open circuit.
    Lost,
    /// The server ended the stream in order.
    Ended,
    /// The server answered with this status, which carries no stream.
    Status {
        /// The status.
        status: u16,
        /// The wait of its `Retry-After`, if it had one.
        retry_after: Option<Millis>,
    },
    /// Connecting again would meet the same: a wrong content type, an event over the limit, an abort, a mistake in the request.
    Final,
}

/// The next step of a stream whose connection is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Connect again after this wait.
    Connect(Millis),
    /// End the stream without an error.
    End,
    /// End the stream with the error of the connection.
    Fail,
}

/// The options that the policy reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Whether the stream connects again at all.
    pub reconnect: bool,
    /// `retry.delay`: the bound of the first wait.
    pub delay: Millis,
    /// `retry.backoffLimit`: the largest bound.
    pub limit: Millis,
    /// `retry.maxRetryAfter`: a server that asks for a longer wait ends the stream.
    pub max_retry_after: Millis,
}

/// The state of one stream, over all its connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reconnect {
    /// Connections in a row that brought no event.
    failures: u32,
    /// The last `retry:` of the server.
    floor: Millis,
}

impl Reconnect {
    /// An event has come: the connection works.
    pub fn on_event(&mut self) {
        self.failures = 0;
    }

    /// The server has set its reconnection time.
    pub fn on_retry(&mut self, time: Millis) {
        self.floor = time;
    }

    /// Judges the end of a connection.
    pub fn on_break(&mut self, policy: Policy, broken: Break, rng: &mut Rng) -> Step {
        let asked = match broken {
            Break::Status { status: 204, .. } => return Step::End,
            Break::Ended if !policy.reconnect => return Step::End,
            Break::Status { status: 500.., retry_after } => retry_after.unwrap_or(Millis::ZERO),
            Break::Status { .. } | Break::Final => return Step::Fail,
            Break::Lost | Break::Ended => Millis::ZERO,
        };
        if !policy.reconnect || asked > policy.max_retry_after {
            return Step::Fail;
        }
        self.failures = self.failures.saturating_add(1);
        let bound = backoff::bound(policy.delay, policy.limit, self.failures);
        let jitter = backoff::draw(backoff::Jitter::Full, bound, rng);
        Step::Connect(Millis(self.floor.max(asked).0.saturating_add(jitter.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: Policy =
        Policy { reconnect: true, delay: Millis(200), limit: Millis(1_000), max_retry_after: Millis(60_000) };
    const ONCE: Policy = Policy { reconnect: false, ..POLICY };

    fn status(status: u16) -> Break {
        Break::Status { status, retry_after: None }
    }

    fn rng() -> Rng {
        Rng::new([1, 2, 3, 4])
    }

    /// The waits of `count` broken connections.
    fn waits(state: &mut Reconnect, broken: Break, count: u32, rng: &mut Rng) -> Millis {
        let wait = |_| match state.on_break(POLICY, broken, rng) {
            Step::Connect(Millis(wait)) => wait,
            other => panic!("{other:?}"),
        };
        Millis((0..count).map(wait).sum())
    }

    #[test]
    fn a_204_ends_the_stream_and_a_4xx_fails_it() {
        let mut state = Reconnect::default();
        assert_eq!(state.on_break(POLICY, status(204), &mut rng()), Step::End);
        for code in [200, 301, 400, 401, 403, 404, 429] {
            assert_eq!(state.on_break(POLICY, status(code), &mut rng()), Step::Fail, "{code}");
        }
        assert_eq!(state.on_break(POLICY, Break::Final, &mut rng()), Step::Fail);
    }

    #[test]
    fn without_reconnect_an_end_is_no_error_and_a_loss_is() {
        let mut state = Reconnect::default();
        assert_eq!(state.on_break(ONCE, Break::Ended, &mut rng()), Step::End);
        assert_eq!(state.on_break(ONCE, Break::Lost, &mut rng()), Step::Fail);
        assert_eq!(state.on_break(ONCE, status(503), &mut rng()), Step::Fail);
    }

    #[test]
    fn l07_a_thousand_streams_come_back_spread_and_slower_each_time() {
        let mut rng = rng();
        let mut sums = [0; 5];
        for _ in 0..1_000 {
            let mut state = Reconnect::default();
            state.on_retry(Millis(300));
            let mut requests = 0;
            let mut clock = 0;
            for sum in &mut sums {
                let wait = waits(&mut state, status(503), 1, &mut rng).0;
                assert!((300..=1_300).contains(&wait));
                *sum += wait;
                clock += wait;
                requests += u32::from(clock < 3_000);
            }
            assert!(requests <= 12);
        }
        assert!(sums[..4].is_sorted(), "{sums:?}");
        // 300 and half of 200, 400, 800, 1000, 1000.
        for (sum, mean) in sums.iter().zip([400, 500, 700, 800, 800]) {
            assert!((sum / 1_000).abs_diff(mean) < 40, "{sums:?}");
        }
    }

    #[test]
    fn the_count_starts_anew_after_an_event_and_has_no_end() {
        let mut rng = rng();
        let mut state = Reconnect::default();
        waits(&mut state, Break::Lost, 1_000, &mut rng);
        state.on_event();
        for _ in 0..1_000 {
            assert!(waits(&mut state, Break::Ended, 1, &mut rng) <= POLICY.delay);
            state.on_event();
        }
    }

    #[test]
    fn retry_after_is_a_floor_and_one_that_is_too_long_fails() {
        let mut state = Reconnect::default();
        let busy = |seconds: u64| Break::Status { status: 503, retry_after: Some(Millis(seconds * 1_000)) };
        let wait = waits(&mut state, busy(5), 1, &mut rng());
        assert!((5_000..=5_200).contains(&wait.0));
        assert_eq!(state.on_break(POLICY, busy(61), &mut rng()), Step::Fail);
    }

    #[test]
    fn times_without_room_saturate() {
        let mut state = Reconnect::default();
        state.on_retry(Millis(u64::MAX));
        assert!(matches!(state.on_break(POLICY, Break::Lost, &mut rng()), Step::Connect(Millis(u64::MAX))));
    }
}
