//! How a call failed, and what became of each attempt.

use alloc::vec::Vec;

use crate::error::ErrorCode;
use crate::outcome::Outcome;
use crate::phase::Phase;
use crate::stop::RetryStopped;
use crate::time::Millis;

/// What became of one attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// It was the extra send after a token refresh.
    pub resend: bool,
    /// Whether the server may have acted on it.
    pub outcome: Outcome,
    /// How it failed; `None` if it did not.
    pub code: Option<ErrorCode>,
    /// Its status, if headers came.
    pub status: Option<u16>,
    /// Where it ended.
    pub phase: Phase,
    /// Its dispatch, since the start of the call.
    pub start: Millis,
    /// How long it took.
    pub elapsed: Millis,
}

/// A failed call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What kind.
    pub code: ErrorCode,
    /// Where the call was.
    pub phase: Option<Phase>,
    /// Whether the server may have acted.
    pub outcome: Outcome,
    /// Why there was no further retry.
    pub stopped: Option<RetryStopped>,
    /// The status, if headers of the last attempt came.
    pub status: Option<u16>,
    /// What the server asked to wait.
    pub retry_after: Option<Millis>,
    /// The limit that was passed: milliseconds, or bytes for `ResponseTooLarge`.
    pub limit: Option<u64>,
    /// How much of the body had come.
    pub bytes: u64,
    /// Since the start of the call.
    pub elapsed: Millis,
    /// Of `AuthRefreshFailed`: the session is over.
    pub session_lost: bool,
    /// Every attempt that went out.
    pub attempts: Vec<Attempt>,
}

/// A failed call, described from what the engine has: nothing is allocated for it.
#[derive(Clone, Copy, Debug)]
pub struct Failing<'a> {
    /// What kind.
    pub code: ErrorCode,
    /// Where the call was.
    pub phase: Option<Phase>,
    /// Why there was no further retry.
    pub stopped: Option<RetryStopped>,
    /// The status, if headers of the last attempt came.
    pub status: Option<u16>,
    /// What the server asked to wait.
    pub retry_after: Option<Millis>,
    /// The limit that was passed: milliseconds, or bytes for `ResponseTooLarge`.
    pub limit: Option<u64>,
    /// How much of the body had come.
    pub bytes: u64,
    /// Since the start of the call.
    pub elapsed: Millis,
    /// Of `AuthRefreshFailed`: the session is over.
    pub session_lost: bool,
    /// Every attempt that went out.
    pub attempts: &'a [Attempt],
}

impl Failing<'_> {
    /// Whether the server may have acted.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::of_call(self.attempts.iter().map(|attempt| attempt.outcome))
    }

    pub(super) fn to_failure(self) -> Failure {
        Failure {
            code: self.code,
            phase: self.phase,
            outcome: self.outcome(),
            stopped: self.stopped,
            status: self.status,
            retry_after: self.retry_after,
            limit: self.limit,
            bytes: self.bytes,
            elapsed: self.elapsed,
            session_lost: self.session_lost,
            attempts: self.attempts.to_vec(),
        }
    }
}
