//! The retry budgets of all origins: only those that are not full are kept.

use crate::budget::{Budget, BudgetOptions};
use crate::table::Table;
use crate::time::Instant;

/// How many budgets are kept. Beyond that the fullest is taken for full.
const BUDGETS: usize = 256;

/// Budgets by the hash of client and origin.
#[derive(Default)]
pub struct Budgets {
    table: Table<Budget>,
}

impl Budgets {
    /// A first attempt goes out.
    pub fn deposit(&mut self, now: Instant, key: u64, options: &BudgetOptions) {
        // One that is full stays so.
        if let Some(budget) = self.table.get_mut(key) {
            budget.deposit(now, options);
            if budget.is_full(options) {
                self.table.remove(key);
            }
        }
    }

    /// A retry was decided: takes 1 if there is 1.
    pub fn take(&mut self, now: Instant, key: u64, options: &BudgetOptions) -> bool {
        if self.table.len() >= BUDGETS && self.table.get_mut(key).is_none() {
            let fullest =
                self.table.iter().max_by(|one, other| one.1.tokens().total_cmp(&other.1.tokens())).map(|(key, _)| key);
            if let Some(fullest) = fullest {
                self.table.remove(fullest);
            }
        }
        self.table.entry(key, || Budget::new(now, options)).is_some_and(|budget| budget.take(now, options))
    }

    /// A retry that was decided is not sent after all.
    pub fn give_back(&mut self, now: Instant, key: u64, options: &BudgetOptions) {
        if let Some(budget) = self.table.get_mut(key) {
            budget.give_back(now, options);
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
        for key in 0..100 {
            budgets.deposit(AT, key, &OPTIONS);
            assert!(budgets.take(AT, key, &OPTIONS));
        }
        assert_eq!(budgets.table.len(), 100);
        for key in 0..100 {
            budgets.deposit(AT, key, &OPTIONS);
            budgets.deposit(AT, key, &OPTIONS);
        }
        assert_eq!(budgets.table.len(), 0);
    }

    #[test]
    fn beyond_the_bound_the_fullest_goes() {
        let mut budgets = Budgets::default();
        for key in 0..BUDGETS as u64 {
            budgets.take(AT, key, &OPTIONS);
            if key != 7 {
                budgets.take(AT, key, &OPTIONS);
            }
        }
        budgets.take(AT, 1_000, &OPTIONS);
        assert_eq!(budgets.table.len(), BUDGETS);
        assert!(!budgets.take(AT, 8, &OPTIONS), "an empty one is remembered");
    }

    #[test]
    fn a_capacity_of_none_allows_none() {
        let options = BudgetOptions { capacity: 0.0, ratio: 0.0, per_second: 0.0 };
        assert!(!Budgets::default().take(AT, 1, &options));
    }
}
