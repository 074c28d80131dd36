//! Time as the engine knows it: whole milliseconds that saturate instead of wrapping.
//!
//! A driver rounds its clock up. A limit that starts between two milliseconds is then measured from the later one, so a
//! timer can be late by less than a millisecond, and never early.
//!
//! What is never inlined here would be written out at dozens of places: without that the wasm module is 2 % larger.

use core::ops::{Add, Sub};

/// A span of time in whole milliseconds. [`Millis::NONE`] means "no limit".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// No limit. Adding it to any instant gives [`Instant::NEVER`].
    pub const NONE: Self = Self(u64::MAX);

    /// Rounds a JavaScript number up to whole milliseconds. Infinity is no limit; negative and NaN are zero (the
    /// validation of options has refused both before).
    #[must_use]
    #[inline(never)]
    pub fn from_f64(ms: f64) -> Self {
        let whole = ms as u64;
        // `as` saturates and truncates: one more for a fraction.
        if (whole as f64) < ms { Self(whole.saturating_add(1)) } else { Self(whole) }
    }

    /// The span as a JavaScript number; no limit is Infinity.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        if self == Self::NONE { f64::INFINITY } else { self.0 as f64 }
    }

    /// The span as an [`Option`]: `None` for no limit.
    #[must_use]
    pub fn limit(self) -> Option<u64> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        if self == Self::NONE { self } else { Self(self.0.saturating_sub(other.0)) }
    }
}

/// A moment on the driver's monotonic clock, in whole milliseconds since an origin of the driver's choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Instant(pub u64);

impl Instant {
    /// A moment that does not come.
    pub const NEVER: Self = Self(u64::MAX);

    /// Rounds a clock reading (`performance.now()`) up.
    #[must_use]
    pub fn from_f64(ms: f64) -> Self {
        Self(Millis::from_f64(ms).0)
    }

    /// The moment as a JavaScript number; never is Infinity.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        Millis(self.0).to_f64()
    }

    /// The time from `earlier` to this moment, zero if it lies behind.
    #[must_use]
    #[inline(never)]
    pub fn since(self, earlier: Self) -> Millis {
        if self == Self::NEVER { Millis::NONE } else { Millis(self.0.saturating_sub(earlier.0)) }
    }

    /// The moment `span` before this one. Never stays never.
    #[must_use]
    pub fn before(self, span: Millis) -> Self {
        if self == Self::NEVER { self } else { Self(self.0.saturating_sub(span.0)) }
    }
}

impl Add<Millis> for Instant {
    type Output = Self;
    fn add(self, span: Millis) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_round_up_and_huge_values_mean_no_limit() {
        assert_eq!(Millis::from_f64(1.0), Millis(1));
        assert_eq!(Millis::from_f64(1.2), Millis(2));
        assert_eq!(Millis::from_f64(2_147_483_648.0), Millis(2_147_483_648));
        assert_eq!(Millis::from_f64(9e15), Millis(9_000_000_000_000_000));
        assert_eq!(Millis::from_f64(f64::INFINITY), Millis::NONE);
        assert_eq!(Millis::from_f64(-3.0), Millis::ZERO);
        assert_eq!(Millis::from_f64(f64::NAN), Millis::ZERO);
    }

    #[test]
    fn no_limit_stays_no_limit() {
        assert_eq!(Instant(5) + Millis::NONE, Instant::NEVER);
        assert_eq!(Instant::NEVER.before(Millis(3)), Instant::NEVER);
        assert_eq!(Instant::NEVER.since(Instant(3)), Millis::NONE);
        assert_eq!(Millis::NONE - Millis(1), Millis::NONE);
        assert_eq!(Millis::NONE.to_f64(), f64::INFINITY);
    }

    #[test]
    fn a_clock_that_goes_back_gives_no_negative_time() {
        assert_eq!(Instant(3).since(Instant(9)), Millis::ZERO);
    }
}
