//! What the engine asks a driver to do.

use alloc::boxed::Box;

use super::failure::{Attempt, Failure};
use crate::breaker::CircuitState;
use crate::error::ErrorCode;
use crate::refresh::Verb;
use crate::slab::CallId;
use crate::stop::RetryStopped;
use crate::time::Millis;

/// What a callback is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Question {
    /// `shouldRetry`, about the failure in [`Action::Ask`].
    ShouldRetry = 1,
    /// `delay`: the backoff of this retry.
    Delay = 2,
    /// `jitter`: what becomes of this backoff.
    Jitter = 3,
}

impl Question {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::ShouldRetry, Self::Delay, Self::Jitter];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ShouldRetry => "ShouldRetry",
            Self::Delay => "Delay",
            Self::Jitter => "Jitter",
        }
    }
}

/// One thing to do. Actions come in the order in which they are to be performed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Get the attempt ready (hooks, replay of the body, the CSP look-up), then report `Ready`, `Stop`, `Refused`,
    /// `CallbackFailed`, or a `Head` that a hook supplied.
    Prepare {
        /// The call.
        call: CallId,
        /// The attempt's number, from 1.
        attempt: u32,
        /// It is the extra send after a token refresh, and no retry.
        resend: bool,
    },
    /// Call fetch.
    Send {
        /// The call.
        call: CallId,
        /// The attempt's number, from 1.
        attempt: u32,
        /// What is left of the total time, less `reserve`: for `deadlineHeader`.
        left: Millis,
        /// It is the extra send after a token refresh.
        resend: bool,
    },
    /// The attempt is the request of another call, which has sent it and waits for the answer: this call gets that answer too,
    /// as if it had sent it. Until its `Abort`, `Discard` or `End` the request goes on, whatever the other call does.
    Share {
        /// The call.
        call: CallId,
        /// The attempt's number, from 1.
        attempt: u32,
        /// What is left of the total time, less `reserve`.
        left: Millis,
        /// It is the extra send after a token refresh.
        resend: bool,
        /// A call with the same request.
        with: CallId,
    },
    /// To be told: an attempt waits for a slot (only if somebody listens).
    Queued {
        /// The call.
        call: CallId,
        /// The attempt's number, from 1.
        attempt: u32,
    },
    /// To be told: what this call has done, or met, changed the state of its circuit (only if somebody listens).
    Circuit {
        /// The call.
        call: CallId,
        /// What the circuit is doing from now on.
        state: CircuitState,
    },
    /// Stop the I/O of this attempt.
    Abort {
        /// The call.
        call: CallId,
        /// The attempt's number.
        attempt: u32,
    },
    /// Cancel the body of this answer: it is not the one. Its attempt may be over: a 401 is kept until it is known
    /// whether there will be another answer.
    Discard {
        /// The call.
        call: CallId,
        /// The attempt's number.
        attempt: u32,
    },
    /// Ask a callback of the caller, then report `Answer` or `CallbackFailed`.
    Ask {
        /// The call.
        call: CallId,
        /// The attempt that failed.
        attempt: u32,
        /// What to ask.
        question: Question,
        /// For `ShouldRetry` and `Delay` the number of the retry, from 1; for `Jitter` the milliseconds.
        value: u64,
        /// For `ShouldRetry`: the failure as it stands.
        failure: Option<Box<Failure>>,
    },
    /// Ask the server what became of a write whose attempt was lost, then report `LookedUp`, `CallbackFailed`, or the `Head` of the
    /// answer to hand out. An `Abort` of the attempt stops it.
    LookUp {
        /// The call.
        call: CallId,
        /// The attempt that was lost.
        attempt: u32,
    },
    /// To be told: a retry was decided (only if somebody listens).
    Retry {
        /// The call.
        call: CallId,
        /// The attempt that failed.
        attempt: u32,
        /// The wait.
        wait: Millis,
        /// Why.
        code: ErrorCode,
    },
    /// To be told: an attempt is over (only if somebody listens).
    AttemptEnd {
        /// The call.
        call: CallId,
        /// What became of it.
        attempt: Attempt,
    },
    /// Give the response to the caller. The call goes on until its body has ended.
    Respond {
        /// The call.
        call: CallId,
        /// How many attempts were made.
        attempts: u32,
        /// Since the call started.
        elapsed: Millis,
        /// Why a status that was to be retried is the answer all the same.
        stopped: Option<RetryStopped>,
    },
    /// The answer is an error: read a bounded piece of its body for `error.data`, then report `BodyEnd` or `Failed`.
    Collect {
        /// The call.
        call: CallId,
    },
    /// Run `hooks.beforeError` on this failure, then report `Hooked`.
    BeforeError {
        /// The call.
        call: CallId,
        /// The failure.
        failure: Box<Failure>,
    },
    /// Look whether the unread body was taken by the platform itself, then report `Probed`.
    Probe {
        /// The call.
        call: CallId,
    },
    /// The body stayed unread, and is given up: an `Abort` and an `End` that is a success follow. A later read fails
    /// with this.
    Abandon {
        /// The call.
        call: CallId,
        /// The limit that has passed.
        failure: Box<Failure>,
    },
    /// Something to do for an `auth` object, whoever waits for it: see [`Verb`]. To be reported by
    /// [`Engine::on_auth`](super::Engine::on_auth).
    Auth {
        /// The number of the object.
        auth: u32,
        /// What.
        verb: Verb,
        /// What a report about it carries.
        ticket: u64,
    },
    /// From now on (or no longer) report a change to online by [`Engine::set_online`](super::Engine::set_online).
    WatchOnline(bool),
    /// The call is over. Nothing more will come for it; its id is free. `Err` rejects whatever is still pending.
    End {
        /// The call.
        call: CallId,
        /// How it ended.
        result: Result<(), Box<Failure>>,
    },
}
