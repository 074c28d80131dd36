use std::sync::Arc;
use std::time::Duration;

use crate::error::{Attempt, Error, ErrorKind};
use crate::words::{CircuitState, Phase};

/// Something that happened to a call, for logs and metrics: [`ClientBuilder::on_event`](crate::ClientBuilder::on_event).
///
/// It holds no query strings, header values or bodies. What is raised while an observer runs is delivered after it
/// returns.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// The call, unique among those of this thread that have the same transport (in a browser: of this thread).
    pub call_id: u64,
    /// The name of the client: [`ClientBuilder::name`](crate::ClientBuilder::name).
    pub dependency: Arc<str>,
    /// The name of the operation: [`RequestBuilder::operation`](crate::RequestBuilder::operation).
    pub operation: Arc<str>,
    /// Where the call is.
    pub phase: Option<Phase>,
    /// The number of the current attempt, 0 before the first.
    pub attempt: u32,
    /// Since the call started.
    pub elapsed: Duration,
    /// Until `total_timeout`, or the end of the call's [`Scope`](crate::Scope); `None` if there is no limit.
    pub remaining: Option<Duration>,
    /// What happened.
    pub kind: EventKind,
}

impl Event {
    /// The event as a plain object of JavaScript, with the names of the npm package.
    #[cfg(all(feature = "js", target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn to_js(&self) -> wasm_bindgen::JsValue {
        crate::wire::to_js(self)
    }
}

/// What happened to a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// It started.
    #[non_exhaustive]
    CallStart {
        /// Its method.
        method: Arc<str>,
        /// Origin and path.
        url: Arc<str>,
    },
    /// It waits for a slot of the [`Queue`](crate::Queue).
    Queued,
    /// An attempt is being sent.
    AttemptStart,
    /// An attempt is over.
    #[non_exhaustive]
    AttemptEnd {
        /// What became of it.
        attempt: Attempt,
        /// From its dispatch to its response headers; `None` if they did not come.
        headers_after: Option<Duration>,
    },
    /// A retry was decided.
    #[non_exhaustive]
    Retry {
        /// Its number, from 1.
        retry_count: u32,
        /// How long it waits.
        wait: Duration,
        /// Why.
        error: ErrorKind,
    },
    /// The token of its [`Auth`](crate::Auth) was refreshed, or was not. Each observer is told once, whoever waited for it.
    #[non_exhaustive]
    Refresh {
        /// Whether there is a new one.
        ok: bool,
        /// How long the callback took.
        elapsed: Duration,
    },
    /// What it did, or met, changed the state of its circuit.
    #[non_exhaustive]
    CircuitChange {
        /// The origin, or what [`CircuitBreaker::key`](crate::CircuitBreaker::key) made of the request.
        circuit: Arc<str>,
        /// What the circuit does from now on.
        state: CircuitState,
    },
    /// It is over.
    #[non_exhaustive]
    CallEnd {
        /// How it failed; `None` if it did not.
        error: Option<Error>,
        /// The last status.
        status: Option<u16>,
        /// How many attempts went out.
        attempts: u32,
    },
}
