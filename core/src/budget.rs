//! The retry budget: a token bucket that keeps retries a small share of the traffic.
//!
//! A quiet client can always retry, because time fills the bucket. In a full outage the bucket runs dry, and a server
//! that is down gets the first attempts and little more.

use crate::time::Instant;

/// `retryBudget`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BudgetOptions {
    /// The most retries that can be saved up; also what there is at the start.
    pub capacity: f64,
    /// What a first attempt adds.
    pub ratio: f64,
    /// What a second adds.
    pub per_second: f64,
}

impl Default for BudgetOptions {
    fn default() -> Self {
        Self { capacity: 10.0, ratio: 0.1, per_second: 0.1 }
    }
}

/// The budget of one origin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    tokens: f64,
    filled: Instant,
}

/// Rounding of many small deposits must not cost a retry.
const NEARLY: f64 = 1e-9;

impl Budget {
    /// A full budget.
    #[must_use]
    pub fn new(now: Instant, options: &BudgetOptions) -> Self {
        Self { tokens: options.capacity, filled: now }
    }

    /// A first attempt goes out.
    pub fn deposit(&mut self, now: Instant, options: &BudgetOptions) {
        self.add(now, options, options.ratio);
    }

    /// A retry was decided: takes 1 if there is 1.
    pub fn take(&mut self, now: Instant, options: &BudgetOptions) -> bool {
        self.add(now, options, 0.0);
        let enough = self.tokens >= 1.0 - NEARLY;
        if enough {
            self.tokens = (self.tokens - 1.0).max(0.0);
        }
        enough
    }

    /// A retry that was decided is not sent after all.
    pub fn give_back(&mut self, now: Instant, options: &BudgetOptions) {
        self.add(now, options, 1.0);
    }

    /// Nothing more fits in: it is as good as new.
    #[must_use]
    pub fn is_full(&self, options: &BudgetOptions) -> bool {
        self.tokens >= options.capacity
    }

    /// What is in it.
    #[must_use]
    pub fn tokens(&self) -> f64 {
        self.tokens
    }

    /// So many tokens more, and those of the time that has passed.
    pub(crate) fn add(&mut self, now: Instant, options: &BudgetOptions, tokens: f64) {
        let seconds = now.since(self.filled).0 as f64 / 1_000.0;
        self.filled = now.max(self.filled);
        self.tokens = (self.tokens + seconds * options.per_second + tokens).min(options.capacity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Instant = Instant(1_000);

    #[test]
    fn f09_a_full_outage_gets_as_many_retries_as_the_bucket_holds() {
        let options = BudgetOptions { capacity: 10.0, ratio: 0.0, per_second: 0.0 };
        let mut budget = Budget::new(AT, &options);
        let retries = (0..90).filter(|_| budget.take(AT, &options)).count();
        assert_eq!(retries, 10);
    }

    #[test]
    fn f09_ten_calls_earn_one_retry() {
        let options = BudgetOptions { capacity: 10.0, ratio: 0.1, per_second: 0.0 };
        let mut budget = Budget::new(AT, &options);
        while budget.take(AT, &options) {}
        let retries = (0..10)
            .filter(|_| {
                budget.deposit(AT, &options);
                budget.take(AT, &options)
            })
            .count();
        assert_eq!(retries, 1);
    }

    #[test]
    fn a_quiet_client_can_always_retry() {
        let options = BudgetOptions::default();
        let mut budget = Budget::new(Instant(0), &options);
        while budget.take(Instant(0), &options) {}
        for minute in 1..100 {
            assert!(budget.take(Instant(minute * 60_000), &options));
        }
    }

    #[test]
    fn it_never_holds_more_than_its_capacity() {
        let options = BudgetOptions { capacity: 2.0, ratio: 5.0, per_second: 5.0 };
        let mut budget = Budget::new(Instant(0), &options);
        budget.deposit(Instant(1_000_000), &options);
        budget.give_back(Instant(1_000_000), &options);
        assert!((budget.tokens() - 2.0).abs() < 1e-12);
    }

    proptest::proptest! {
        /// Against the plain definition: everything that was ever added, cut at the capacity, less what was taken.
        #[test]
        fn it_agrees_with_its_definition(
            capacity in 0_u32..20, ratio in 0.0..2.0_f64, per_second in 0.0..2.0_f64,
            steps: std::vec::Vec<(u8, u16)>,
        ) {
            let options = BudgetOptions { capacity: f64::from(capacity), ratio, per_second };
            let mut budget = Budget::new(Instant(0), &options);
            let (mut model, mut now) = (options.capacity, 0);
            for (kind, pause) in steps {
                now += u64::from(pause);
                model = (model + f64::from(pause) / 1_000.0 * per_second).min(options.capacity);
                match kind % 3 {
                    0 => {
                        budget.deposit(Instant(now), &options);
                        model = (model + ratio).min(options.capacity);
                    }
                    1 => {
                        let may = budget.take(Instant(now), &options);
                        // Within rounding of exactly 1 both answers are right.
                        if (model - 1.0).abs() > 1e-6 {
                            proptest::prop_assert_eq!(may, model >= 1.0);
                        }
                        if may { model = (model - 1.0).max(0.0) }
                    }
                    _ => {
                        budget.give_back(Instant(now), &options);
                        model = (model + 1.0).min(options.capacity);
                    }
                }
                proptest::prop_assert!((budget.tokens() - model).abs() < 1e-6);
                proptest::prop_assert!((0.0..=options.capacity).contains(&budget.tokens()));
            }
        }
    }
}
