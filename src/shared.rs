use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use steadfetch_core::engine::{Engine, Keys};
use steadfetch_core::options::Options;

use crate::circuit::Circuit;
use crate::driver::Driver;
use crate::hash;
use crate::options::RetryBudget;
use crate::request_info::RequestInfo;

/// A number that nothing else in this process has.
pub(crate) fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

/// A client and its views: whose metrics are one. Nobody asks for them when it is gone.
pub(crate) struct Family {
    pub(crate) number: u64,
}

/// A queue, or circuits. Behind a trait, so that an app that has none links nothing of them.
pub(crate) trait Sharing: Send + Sync {
    /// The same options, shared with nobody yet.
    fn renew(&self) -> Arc<dyn Sharing>;

    /// Puts a call in its place, and the options among its own.
    fn place(&self, place: &mut Place, options: &mut Options, request: &RequestInfo<'_>, origin: &str);

    /// How the circuits stand.
    fn circuits(&self, _: &Driver) -> Vec<Circuit> {
        Vec::new()
    }
}

/// What the engine is told about the place of a call among others.
#[derive(Default)]
pub(crate) struct Place {
    pub(crate) keys: Keys,
    /// The name of its circuit, if it has one.
    pub(crate) circuit: Option<Arc<str>>,
    /// Makes the engine know of circuits and queues, if it needs either.
    pub(crate) admit: Option<fn(&mut Engine)>,
}

/// What the calls of a client have in common with each other, and with those of its views.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) family: Arc<Family>,
    budget: Option<(u64, RetryBudget)>,
    circuits: Option<Arc<dyn Sharing>>,
    queue: Option<Arc<dyn Sharing>>,
}

/// What a builder was told to put in its place; `Some(None)`: nothing.
#[derive(Clone, Default)]
pub(crate) struct SharedChanges {
    pub(crate) budget: Option<Option<RetryBudget>>,
    pub(crate) circuits: Option<Option<Arc<dyn Sharing>>>,
    pub(crate) queue: Option<Option<Arc<dyn Sharing>>>,
}

impl Shared {
    /// That of a client without parent: a retry budget, and no more.
    pub(crate) fn new() -> Self {
        let family = Arc::new(Family { number: next_number() });
        Self { family, budget: Some((next_number(), RetryBudget::new())), circuits: None, queue: None }
    }

    /// With other options. A builder may be used again, so they are made anew for each of its clients.
    pub(crate) fn with(mut self, changes: &SharedChanges) -> Self {
        let renew = |sharing: &Option<Arc<dyn Sharing>>| sharing.as_ref().map(|sharing| sharing.renew());
        if let Some(budget) = changes.budget {
            self.budget = budget.map(|budget| (next_number(), budget));
        }
        if let Some(circuits) = &changes.circuits {
            self.circuits = renew(circuits);
        }
        if let Some(queue) = &changes.queue {
            self.queue = renew(queue);
        }
        self
    }

    /// Puts a call in its place, and the options of what it shares among its own.
    #[inline(never)]
    pub(crate) fn place(&self, options: &mut Options, request: &RequestInfo<'_>, origin: &str) -> Place {
        let mut place = Place::default();
        place.keys.metrics = self.family.number;
        if let Some((number, budget)) = &self.budget {
            options.budget = budget.options();
            place.keys.budget = hash::key(*number, origin);
        }
        for sharing in [&self.circuits, &self.queue].into_iter().flatten() {
            sharing.place(&mut place, options, request, origin);
        }
        place
    }

    /// The same without a queue.
    pub(crate) fn leave_queue(&mut self) {
        self.queue = None;
    }

    /// How the circuits stand.
    pub(crate) fn circuits(&self, driver: &Driver) -> Vec<Circuit> {
        self.circuits.as_ref().map(|circuits| circuits.circuits(driver)).unwrap_or_default()
    }
}
