//! Sets of HTTP statuses.

/// A set of statuses from 100 to 599: one bit each, so that a call carries it without an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StatusSet([u64; 8]);

/// The statuses whose Retry-After counts unless the caller gives a list.
pub const RETRY_AFTER: [u16; 3] = [413, 429, 503];

/// `retry.statusCodes` and `retry.afterStatusCodes`: kept by a driver, which tells the engine of each
/// [`Head`](crate::engine::Head) whether they name its status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetryStatuses {
    /// Statuses that are retried.
    pub retried: StatusSet,
    /// Those of them whose Retry-After counts.
    pub heeded: StatusSet,
}

impl Default for RetryStatuses {
    fn default() -> Self {
        Self { retried: StatusSet::EMPTY, heeded: RETRY_AFTER.into_iter().collect() }
    }
}

impl StatusSet {
    /// No status.
    pub const EMPTY: Self = Self([0; 8]);

    /// The set with this status too. One that is no status changes nothing.
    #[must_use]
    pub const fn with(mut self, status: u16) -> Self {
        let place = status.wrapping_sub(100);
        let word = (place >> 6) as usize;
        if word < self.0.len() {
            // `get_mut` is not const; the bound is checked above.
            #[allow(clippy::indexing_slicing, reason = "bounded by the line above")]
            {
                self.0[word] |= 1 << (place & 63);
            }
        }
        self
    }

    /// Whether the status is one of the set.
    #[must_use]
    pub fn contains(self, status: u16) -> bool {
        let place = status.wrapping_sub(100);
        self.0.get(usize::from(place >> 6)).is_some_and(|word| (word >> (place & 63)) & 1 == 1)
    }
}

impl FromIterator<u16> for StatusSet {
    fn from_iter<T: IntoIterator<Item = u16>>(statuses: T) -> Self {
        statuses.into_iter().fold(Self::EMPTY, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_was_put_in_and_nothing_else() {
        let set: StatusSet = [100, 163, 164, 404, 503, 599].into_iter().collect();
        for status in 0..=u16::MAX {
            assert_eq!(set.contains(status), [100, 163, 164, 404, 503, 599].contains(&status), "{status}");
        }
    }

    #[test]
    fn what_is_no_status_changes_nothing() {
        for status in [0, 99, 700, u16::MAX] {
            assert_eq!(StatusSet::EMPTY.with(status), StatusSet::EMPTY, "{status}");
        }
    }
}
