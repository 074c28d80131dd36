//! How long to wait before a retry: exponential backoff with full jitter.
//!
//! Full jitter draws uniformly from the whole interval, *after* the cap is applied. Callers that failed in the same
//! moment then come back spread over all of it; a floor, or jitter added to a fixed wait, brings them back in a heap.

use crate::rng::Rng;
use crate::time::Millis;

/// How a wait is drawn from its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Jitter {
    /// The bound itself.
    None = 0,
    /// Uniform on `0..=bound`.
    Full = 1,
    /// What a function of the caller makes of the bound.
    Custom = 2,
}

/// The most that retry number `retry` (from 1) may wait: `min(limit, delay * 2^(retry - 1))`.
#[must_use]
pub fn bound(delay: Millis, limit: Millis, retry: u32) -> Millis {
    let doublings = retry.saturating_sub(1).min(63);
    // What has no room in 64 bits is beyond every limit.
    if doublings > delay.0.leading_zeros() { limit } else { Millis(delay.0.wrapping_shl(doublings)).min(limit) }
}

/// The wait for this bound. [`Jitter::Custom`] has been asked before: its answer is the bound.
pub fn draw(jitter: Jitter, bound: Millis, rng: &mut Rng) -> Millis {
    match jitter {
        Jitter::Full => Millis(rng.up_to(bound.0)),
        Jitter::None | Jitter::Custom => bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_bound_doubles_up_to_the_limit() {
        let bounds = [1, 2, 3, 4, 5, 6].map(|n| bound(Millis(100), Millis(1_000), n).0);
        assert_eq!(bounds, [100, 200, 400, 800, 1_000, 1_000]);
        assert_eq!(bound(Millis(100), Millis::NONE, 200), Millis::NONE);
        assert_eq!(bound(Millis(0), Millis(1_000), 200), Millis::ZERO);
    }

    #[test]
    fn f04_full_jitter_is_uniform_after_the_cap() {
        for seed in [[1, 2, 3, 4], [0xdead_beef, 7, 42, 0x1234_5678]] {
            let mut rng = Rng::new(seed);
            for retry in 1..=6 {
                let bound = bound(Millis(100), Millis(1_000), retry);
                let (mut sum, mut tenths, mut at_cap) = (0_u64, BTreeMap::<u64, u32>::new(), 0);
                for _ in 0..10_000 {
                    let wait = draw(Jitter::Full, bound, &mut rng);
                    assert!(wait <= bound);
                    sum += wait.0;
                    at_cap += u32::from(wait == bound);
                    *tenths.entry(wait.0 * 10 / (bound.0 + 1)).or_default() += 1;
                }
                let (mean, half) = (sum as f64 / 10_000.0, bound.0 as f64 / 2.0);
                assert!((mean - half).abs() < half * 0.03, "retry {retry}: mean {mean}, half {half}");
                for (tenth, count) in &tenths {
                    // The first bound has 101 whole milliseconds: its first tenth holds 11 of them.
                    let share = f64::from(*count) / 100.0;
                    assert!((share - 10.0).abs() < 1.5, "retry {retry}: tenth {tenth} holds {share} %");
                }
                assert!(f64::from(at_cap) < 10_000.0 / bound.0 as f64 * 2.0 + 20.0, "a heap at the cap");
            }
        }
    }

    #[test]
    fn without_jitter_the_wait_is_the_bound() {
        assert_eq!(draw(Jitter::None, Millis(7), &mut Rng::new([1; 4])), Millis(7));
    }
}
