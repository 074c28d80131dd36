//! Events, metrics and circuits as data, by the names of the npm package; times are milliseconds.

use std::time::Duration;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::circuit::Circuit;
use crate::event::{Event, EventKind};
use crate::metrics::{Metrics, Percentiles, Shares};
use crate::words::{Phase, RetryStopped};

/// As a plain object of JavaScript.
#[cfg(all(feature = "js", target_family = "wasm", target_os = "unknown"))]
pub(crate) fn to_js<T: Serialize>(value: &T) -> wasm_bindgen::JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or(wasm_bindgen::JsValue::NULL)
}

fn ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// Counts by their names.
struct Named<'a, K>(&'a [(K, u64)], fn(K) -> &'static str);

impl<K: Copy> Serialize for Named<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, count)| (self.1(*key), count)))
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let name = match &self.kind {
            EventKind::CallStart { .. } => "call-start",
            EventKind::Queued => "queued",
            EventKind::AttemptStart => "attempt-start",
            EventKind::AttemptEnd { .. } => "attempt-end",
            EventKind::Retry { .. } => "retry",
            EventKind::Refresh { .. } => "refresh",
            EventKind::CircuitChange { .. } => "circuit-change",
            EventKind::CallEnd { .. } => "call-end",
        };
        map.serialize_entry("type", name)?;
        map.serialize_entry("callId", &self.call_id)?;
        map.serialize_entry("dependency", &*self.dependency)?;
        map.serialize_entry("operation", &*self.operation)?;
        map.serialize_entry("phase", &self.phase.map(Phase::name))?;
        map.serialize_entry("attempt", &self.attempt)?;
        map.serialize_entry("elapsedMs", &ms(self.elapsed))?;
        map.serialize_entry("remainingMs", &self.remaining.map(ms))?;
        match &self.kind {
            EventKind::CallStart { method, url } => {
                map.serialize_entry("method", &**method)?;
                map.serialize_entry("url", &**url)?;
                map.serialize_entry("via", "network")?;
            }
            EventKind::Queued | EventKind::AttemptStart => {}
            EventKind::AttemptEnd { attempt, headers_after } => {
                map.serialize_entry("outcome", attempt.outcome().name())?;
                map.serialize_entry("code", &attempt.kind().map(crate::ErrorKind::code))?;
                map.serialize_entry("status", &attempt.status())?;
                map.serialize_entry("startMs", &ms(attempt.start()))?;
                map.serialize_entry("attemptMs", &ms(attempt.elapsed()))?;
                map.serialize_entry("headersMs", &headers_after.map(ms))?;
                map.serialize_entry("resend", &attempt.resend())?;
            }
            EventKind::Retry { retry_count, wait, error } => {
                map.serialize_entry("retryCount", retry_count)?;
                map.serialize_entry("waitMs", &ms(*wait))?;
                map.serialize_entry("code", error.code())?;
            }
            EventKind::Refresh { ok, elapsed } => {
                map.serialize_entry("ok", ok)?;
                map.serialize_entry("refreshMs", &ms(*elapsed))?;
            }
            EventKind::CircuitChange { circuit, state } => {
                map.serialize_entry("circuit", &**circuit)?;
                map.serialize_entry("state", state.name())?;
            }
            EventKind::CallEnd { error, status, attempts } => {
                map.serialize_entry("ok", &error.is_none())?;
                map.serialize_entry("code", &error.as_ref().map(crate::Error::code))?;
                map.serialize_entry("status", status)?;
                map.serialize_entry("outcome", &error.as_ref().map(|error| error.outcome().name()))?;
                let stopped = error.as_ref().and_then(crate::Error::retry_stopped);
                map.serialize_entry("retryStopped", &stopped.map(RetryStopped::name))?;
                map.serialize_entry("attempts", attempts)?;
            }
        }
        map.end()
    }
}

impl Serialize for Circuit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("key", &self.key)?;
        map.serialize_entry("state", self.state.name())?;
        map.serialize_entry("failures", &self.failures)?;
        map.serialize_entry("retryAfterMs", &ms(self.retry_after))?;
        map.end()
    }
}

impl Serialize for Percentiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("p50", &self.p50.map(ms))?;
        map.serialize_entry("p95", &self.p95.map(ms))?;
        map.serialize_entry("p99", &self.p99.map(ms))?;
        map.end()
    }
}

impl Serialize for Shares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("p50", &self.p50)?;
        map.serialize_entry("p95", &self.p95)?;
        map.serialize_entry("p99", &self.p99)?;
        map.end()
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in [
            ("calls", self.calls),
            ("succeeded", self.succeeded),
            ("attempts", self.attempts),
            ("inFlight", self.in_flight),
            ("retries", self.retries),
            ("resent", self.resent),
            ("refreshes", self.refreshes),
            ("lookups", self.lookups),
            ("budgetRefusals", self.budget_refusals),
            ("circuitsOpened", self.circuits_opened),
            ("enqueued", self.enqueued),
            ("dispatched", self.dispatched),
            ("waiting", self.waiting),
        ] {
            map.serialize_entry(name, &count)?;
        }
        map.serialize_entry("failed", &Named(&self.failed, crate::ErrorKind::code))?;
        map.serialize_entry("timeouts", &Named(&self.timeouts, Phase::name))?;
        let at_timeout = [("inFlight", self.in_flight_at_timeout), ("waiting", self.waiting_at_timeout)];
        map.serialize_entry("atTimeout", &Named(&at_timeout, |name| name))?;
        let mut cancelled = vec![
            ("signal", self.cancelled_by_signal),
            ("client", self.cancelled_by_client),
            ("page", self.cancelled_by_page),
        ];
        cancelled.retain(|(_, count)| *count > 0);
        map.serialize_entry("cancelled", &Named(&cancelled, |name| name))?;
        map.serialize_entry("callMs", &self.call_time)?;
        map.serialize_entry("attemptMs", &self.attempt_time)?;
        map.serialize_entry("queueMs", &self.queue_time)?;
        map.serialize_entry("queueShare", &self.queue_share)?;
        map.serialize_entry("circuits", &self.circuits)?;
        map.end()
    }
}
