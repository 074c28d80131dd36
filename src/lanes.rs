use std::sync::Arc;

use steadfetch_core::engine::Engine;
use steadfetch_core::options::Options;

use crate::hash;
use crate::options::Queue;
use crate::request_info::RequestInfo;
use crate::shared::{Place, Sharing, next_number};

/// The lanes of a queue: one for each origin, or one for all.
pub(crate) struct Lanes {
    /// Of this option: the engine knows the lanes of all clients.
    number: u64,
    options: Queue,
}

impl Lanes {
    pub(crate) fn new(options: Queue) -> Self {
        Self { number: next_number(), options }
    }
}

impl Sharing for Lanes {
    fn renew(&self) -> Arc<dyn Sharing> {
        Arc::new(Self::new(self.options.clone()))
    }

    fn place(&self, place: &mut Place, options: &mut Options, request: &RequestInfo<'_>, origin: &str) {
        place.admit = Some(Engine::admit);
        options.queue = self.options.options();
        place.keys.lane = hash::key(self.number, if self.options.is_per_origin() { origin } else { "" });
        place.keys.turn = self.options.turn(request).map_or(0, |turn| hash::key(0, &turn));
    }
}
