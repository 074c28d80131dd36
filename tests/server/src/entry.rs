//! The entry of one request in the report, held by whoever serves it.

use std::sync::Arc;

use crate::origin::Origin;
use crate::report::{Kind, State};

/// The entry of one request in the report. Dropped without an end, the origin was closed under it.
pub(crate) struct Entry {
    origin: Arc<Origin>,
    kind: Kind,
    number: u64,
    bytes_sent: u64,
    ended: bool,
}

impl Entry {
    pub(crate) fn new(origin: Arc<Origin>, kind: Kind, number: u64) -> Self {
        Self { origin, kind, number, bytes_sent: 0, ended: false }
    }

    pub(crate) fn is_preflight(&self) -> bool {
        self.kind == Kind::Preflight
    }

    pub(crate) fn received(&self, bytes: u64, kept: &[u8]) {
        self.origin.record(|report, _| report.received(&self.kind, self.number, bytes, kept));
    }

    pub(crate) fn committed(&self) {
        self.origin.record(|report, _| report.committed(&self.kind, self.number));
    }

    pub(crate) fn answered(&self) {
        self.origin.record(|report, now| report.answered(&self.kind, self.number, now));
    }

    pub(crate) fn sent(&mut self, bytes: usize) {
        self.bytes_sent += bytes as u64;
    }

    pub(crate) fn end(mut self, state: State) {
        self.finish(state);
    }

    fn finish(&mut self, state: State) {
        if !std::mem::replace(&mut self.ended, true) {
            self.origin.record(|report, now| {
                report.ended(&self.kind, self.number, state, self.bytes_sent, now);
            });
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.finish(State::Dropped);
    }
}
