//! The retry budgets of all origins: only those that are not full are kept.

use alloc::vec::Vec;

use crate::budget::{Budget, BudgetOptions};
use crate::time::Instant;

/// How many budgets are kept. Beyond that the one that was met first is taken for full.
const BUDGETS: usize = 64;

/// Budgets by the number of client and origin. A list that is searched: few origins fail at a time.
#[derive(Default)]
pub struct Budgets {
    list: Vec<(u64, Budget)>,
}

impl Budgets {
    pub(crate) const fn new() -> Self {
        Self { list: Vec::new() }
    }

    fn place(&self, key: u64) -> Option<usize> {
        self.list.iter().position(|(other, _)| *other == key)
    }

    /// A first attempt goes out.
    pub fn deposit(&mut self, now: Instant, key: u64, options: &BudgetOptions) {
        self.fill(now, key, options, options.ratio);
    }

    /// A retry was decided: takes 1 if there is 1.
    pub fn take(&mut self, now: Instant, key: u64, options: &BudgetOptions) -> bool {
        let place = self.place(key).unwrap_or_else(|| {
            if self.list.len() >= BUDGETS {
                self.list.remove(0);
            }
            self.list.push((key, Budget::new(now, options)));
            self.list.len().saturating_sub(1)
        });
        self.list.get_mut(place).is_some_and(|(_, budget)| budget.take(now, options))
    }

    /// A retry that was decided is not sent after all.
    pub fn give_back(&mut self, now: Instant, key: u64, options: &BudgetOptions) {
        self.fill(now, key, options, 1.0);
    }

    fn fill(&mut self, now: Instant, key: u64, options: &BudgetOptions, tokens: f64) {
        // One that is not kept is full, and stays so.
        let Some(place) = self.place(key) else { return };
        if let Some((_, budget)) = self.list.get_mut(place) {
            budget.add(now, options, tokens);
            if budget.is_full(options) {
                self.list.swap_remove(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: BudgetOptions = BudgetOptions { capacity: 2.0, ratio: 0.5, per_second: 0.0 };
    const AT: Instant = Instant(0);

    #[test]
    fn each_key_has_its_own() {
        let mut budgets = Budgets::default();
        assert!(budgets.take(AT, 1, &OPTIONS) && budgets.take(AT, 1, &OPTIONS) && !budgets.take(AT, 1, &OPTIONS));
        assert!(budgets.take(AT, 2, &OPTIONS));
    }

    #[test]
    fn what_is_full_is_not_kept() {
        let mut budgets = Budgets::default();
        for key in 0..50 {
            budgets.deposit(AT, key, &OPTIONS);
            assert!(budgets.take(AT, key, &OPTIONS));
        }
        assert_eq!(budgets.list.len(), 50);
        for key in 0..50 {
            budgets.deposit(AT, key, &OPTIONS);
            budgets.deposit(AT, key, &OPTIONS);
        }
        assert_eq!(budgets.list.len(), 0);
    }

    #[test]
    fn beyond_the_bound_the_first_goes() {
        let mut budgets = Budgets::default();
        for key in 0..BUDGETS as u64 {
            budgets.take(AT, key, &OPTIONS);
            budgets.take(AT, key, &OPTIONS);
        }
        budgets.take(AT, 1_000, &OPTIONS);
        assert_eq!(budgets.list.len(), BUDGETS);
        assert!(!budgets.take(AT, 8, &OPTIONS), "an empty one is remembered");
    }

    #[test]
    fn a_capacity_of_none_allows_none() {
        let options = BudgetOptions { capacity: 0.0, ratio: 0.0, per_second: 0.0 };
        assert!(!Budgets::default().take(AT, 1, &options));
    }
}
