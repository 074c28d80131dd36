//! What a driver tells the engine about a call when it starts.

use crate::gate::Gate;
use crate::options::Options;
use crate::queue::Priority;
use crate::time::{Instant, Millis};

/// Where the value of a limit came from. A limit that the caller gave covers the body of a raw response too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Given {
    /// The default.
    #[default]
    Default = 0,
    /// `createClient` or `extend`.
    Client = 1,
    /// The call itself.
    Call = 2,
}

/// Which surface the call came through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Surface {
    /// A shortcut: all limits run to the end of the body.
    #[default]
    Shortcut,
    /// A drop-in fetch: after the headers only `idleTimeout`, and the limits that client or call gave.
    Fetch,
    /// A stream handed to the caller: after the headers only `idleTimeout`, and the limits that this very call gave.
    Stream,
}

impl Surface {
    /// Whether a limit given there still covers the body.
    #[must_use]
    pub fn covers_body(self, given: Given) -> bool {
        match self {
            Self::Shortcut => true,
            Self::Fetch => given >= Given::Client,
            Self::Stream => given == Given::Call,
        }
    }
}

/// The callbacks of the caller that the engine has to ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Callbacks {
    /// Something has to run before the first attempt (hooks, a headers function): the engine says
    /// [`Prepare`](super::Action::Prepare) first. Before a retry it always does.
    pub prepare: bool,
    /// `retry.shouldRetry`.
    pub should_retry: bool,
    /// `retry.delay` is a function.
    pub delay: bool,
    /// `hooks.beforeError`.
    pub before_error: bool,
    /// `outcomeLookup`: a lost attempt of a keyed write is asked about before a retry of it is.
    pub lookup: bool,
    /// `shouldRetry` or `hooks.beforeRetry` get the body of an error: the engine collects it before it asks whether there is a
    /// retry.
    pub error_data: bool,
    /// Somebody listens to events: the engine says [`Retry`](super::Action::Retry) and
    /// [`AttemptEnd`](super::Action::AttemptEnd) too.
    pub observe: bool,
}

/// What a call shares with others, each by a number that the driver gives to a client's part of it. 0: with nobody, and
/// there is no such thing for this call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The numbers of its client.
    pub metrics: u64,
    /// The retry budget of its origin.
    pub budget: u64,
    /// Its circuit.
    pub circuit: u64,
    /// Its lane in the queue.
    pub lane: u64,
    /// Within its lane: whose turn it takes.
    pub turn: u64,
    /// Attempts of equal requests, which share one (`dedupe`). Of another attempt than the first it may be another one: see
    /// [`Event::Sharing`](super::Event::Sharing).
    pub share: u64,
}

/// A call, as far as a policy asks about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts {
    /// When the caller asked. Before `now` if the engine had to be loaded first: the total time runs from here.
    pub started: Instant,
    /// The options in force.
    pub options: Options,
    /// What it shares with others.
    pub keys: Keys,
    /// The number of its `auth` object; 0: it has none. See [`Engine::set_auth`](super::Engine::set_auth).
    pub auth: u32,
    /// `priority`.
    pub priority: Priority,
    /// When the scope that it belongs to is over, whatever its own limits say.
    pub scope_deadline: Instant,
    /// Its body is a stream that is sent as such: that it fails may only mean that the server has no HTTP/2.
    pub streams_upload: bool,
    /// Whether it may be sent twice.
    pub gate: Gate,
    /// The request body can be sent again.
    pub replayable: bool,
    /// The request outlives its page.
    pub keepalive: bool,
    /// The surface.
    pub surface: Surface,
    /// Who gave `timeout`.
    pub timeout_given: Given,
    /// Who gave `totalTimeout`.
    pub total_given: Given,
    /// What has to be asked.
    pub callbacks: Callbacks,
}

impl Facts {
    /// When the total time is over.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        (self.started + self.options.total_timeout).min(self.scope_deadline)
    }

    /// The last moment at which an attempt may still be running.
    #[must_use]
    pub fn attempt_deadline(&self) -> Instant {
        self.deadline().before(self.options.reserve)
    }

    /// Whether an attempt may start at this moment.
    #[must_use]
    pub fn fits(&self, start: Instant) -> bool {
        let last = self.attempt_deadline();
        last == Instant::NEVER || start + self.options.min_attempt_time <= last && start < last
    }

    /// The last moment at which an attempt may start.
    #[must_use]
    pub fn last_start(&self) -> Instant {
        self.attempt_deadline().before(self.options.min_attempt_time.max(Millis(1)))
    }
}
