//! How a client of the contention waits after a failed write.
//!
//! None, exponential and full are the backoff of core/. Equal and decorrelated are not in the product: they are here to
//! be compared with.

use steadfetch_core::backoff::{self, Jitter};
use steadfetch_core::rng::Rng;
use steadfetch_core::time::Millis;

use crate::random;

/// The published program waits up to 5 ms * 2^n: the first bound, of n = 1, is our `delay`.
const BASE: f64 = 5.0;
const DELAY: Millis = Millis(10);
const LIMIT: Millis = Millis(2_000);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategy {
    /// At once.
    None,
    /// The bound: `jitter: 'none'`.
    Exponential,
    /// Between the base and three times the wait before.
    Decorrelated,
    /// Between half of the bound and the bound.
    Equal,
    /// Up to the bound: `jitter: 'full'`.
    Full,
}

impl Strategy {
    pub(crate) const ALL: [Self; 5] = [Self::None, Self::Exponential, Self::Decorrelated, Self::Equal, Self::Full];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Exponential => "exponential",
            Self::Decorrelated => "decorrelated",
            Self::Equal => "equal",
            Self::Full => "full",
        }
    }
}

/// What a client knows of its waits so far.
#[derive(Clone, Default)]
pub(crate) struct Waits {
    count: u32,
    last: Option<f64>,
}

impl Waits {
    /// The next one, in milliseconds.
    pub(crate) fn next(&mut self, strategy: Strategy, rng: &mut Rng) -> f64 {
        self.count += 1;
        let bound = backoff::bound(DELAY, LIMIT, self.count);
        let wait = match strategy {
            Strategy::None => {
                backoff::draw(Jitter::None, backoff::bound(Millis::ZERO, LIMIT, self.count), rng).to_f64()
            }
            Strategy::Exponential => backoff::draw(Jitter::None, bound, rng).to_f64(),
            Strategy::Full => backoff::draw(Jitter::Full, bound, rng).to_f64(),
            Strategy::Equal => random::uniform(rng, bound.to_f64() / 2.0, bound.to_f64()),
            Strategy::Decorrelated => random::uniform(rng, BASE, self.last.unwrap_or(BASE) * 3.0).min(LIMIT.to_f64()),
        };
        self.last = Some(wait);
        wait
    }
}
