use steadfetch_core::budget::BudgetOptions;

/// How many retries each origin gets, as a share of its traffic: in an outage there are few.
///
/// A retry that gets none ends its call with its last error, and
/// [`retry_stopped`](crate::Error::retry_stopped) says [`Budget`](crate::RetryStopped::Budget).
///
/// Defaults: 10 retries saved up, 0.1 more for each first attempt, 0.1 more each second.
///
/// ```
/// use steadfetch::{Client, RetryBudget};
///
/// let api = Client::builder()
///     .base_url("https://api.example.test/")
///     .retry_budget(RetryBudget::new().capacity(20.0))
///     .build()?;
/// let unlimited = api.extend().retry_budget(None).build()?;
/// # Ok::<(), steadfetch::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[must_use]
pub struct RetryBudget {
    capacity: f64,
    ratio: f64,
    per_second: f64,
}

impl RetryBudget {
    /// The defaults.
    ///
    /// ```
    /// use steadfetch::RetryBudget;
    ///
    /// let budget = RetryBudget::new();
    /// ```
    pub const fn new() -> Self {
        Self { capacity: 10.0, ratio: 0.1, per_second: 0.1 }
    }

    /// The most retries that are saved up, and what there is at the start: 0 or more. Default 10.
    ///
    /// ```
    /// use steadfetch::RetryBudget;
    ///
    /// let budget = RetryBudget::new().capacity(20.0);
    /// ```
    pub const fn capacity(mut self, retries: f64) -> Self {
        self.capacity = retries;
        self
    }

    /// What each first attempt adds: 0 or more. Default 0.1.
    ///
    /// ```
    /// use steadfetch::RetryBudget;
    ///
    /// let budget = RetryBudget::new().ratio(0.2);
    /// ```
    pub const fn ratio(mut self, retries: f64) -> Self {
        self.ratio = retries;
        self
    }

    /// What each second adds: 0 or more. Default 0.1.
    ///
    /// ```
    /// use steadfetch::RetryBudget;
    ///
    /// let budget = RetryBudget::new().per_second(0.5);
    /// ```
    pub const fn per_second(mut self, retries: f64) -> Self {
        self.per_second = retries;
        self
    }

    /// The name of an option with a wrong value.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        let good = |amount: f64| amount.is_finite() && amount >= 0.0;
        if !good(self.capacity) {
            return Some("retry_budget.capacity");
        }
        if !good(self.ratio) {
            return Some("retry_budget.ratio");
        }
        (!good(self.per_second)).then_some("retry_budget.per_second")
    }

    pub(crate) fn options(&self) -> BudgetOptions {
        BudgetOptions { capacity: self.capacity, ratio: self.ratio, per_second: self.per_second }
    }
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_the_default() {
        assert_eq!(RetryBudget::new().options(), BudgetOptions::default());
    }

    #[test]
    fn wrong_values_are_named() {
        for amount in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(RetryBudget::new().capacity(amount).invalid(), Some("retry_budget.capacity"));
            assert_eq!(RetryBudget::new().ratio(amount).invalid(), Some("retry_budget.ratio"));
            assert_eq!(RetryBudget::new().per_second(amount).invalid(), Some("retry_budget.per_second"));
        }
        assert_eq!(RetryBudget::new().capacity(0.0).ratio(0.0).per_second(0.0).invalid(), None);
    }
}
