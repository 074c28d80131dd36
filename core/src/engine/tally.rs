//! The numbers of all clients, if the driver wants the engine to count (feature `metrics`).

use super::Facts;
use crate::metrics::{Counter, Store};
#[cfg(feature = "metrics")]
use crate::table::Table;

pub(super) struct Tally {
    #[cfg(feature = "metrics")]
    stores: Table<Store>,
}

#[cfg(feature = "metrics")]
impl Tally {
    pub(super) fn open(&mut self, key: u64) {
        if key != 0 {
            self.stores.entry(key, Store::default);
        }
    }

    /// A refresh was started because of a call of this client.
    pub(super) fn refreshes(&mut self, key: u64) {
        if let Some(store) = self.stores.get_mut(key) {
            store.add(Counter::Refreshes, 1);
        }
    }

    pub(super) fn measure(&mut self, facts: &Facts, act: impl FnOnce(&mut Store)) {
        if let Some(store) = self.stores.get_mut(facts.keys.metrics) {
            act(store);
        }
    }

    pub(super) fn get(&mut self, key: u64) -> Option<&Store> {
        self.stores.get_mut(key).map(|store| &*store)
    }

    pub(super) fn forget(&mut self, key: u64) {
        self.stores.remove(key);
    }
}

#[cfg(not(feature = "metrics"))]
#[allow(clippy::unused_self, reason = "the interface of the one that counts")]
impl Tally {
    pub(super) fn open(&mut self, _: u64) {}

    pub(super) fn refreshes(&mut self, _: u64) {}

    pub(super) fn measure(&mut self, _: &Facts, _: impl FnOnce(&mut Store)) {}
}

impl Tally {
    pub(super) const fn new() -> Self {
        Self {
            #[cfg(feature = "metrics")]
            stores: Table::new(),
        }
    }

    pub(super) fn count(&mut self, facts: &Facts, counter: Counter) {
        self.measure(facts, |store| store.add(counter, 1));
    }
}
