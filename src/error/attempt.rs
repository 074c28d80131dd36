use std::time::Duration;

use steadfetch_core::engine;
use steadfetch_core::{outcome, phase};

use super::ErrorKind;
use crate::options::duration;
use crate::words::{Outcome, Phase};

/// What became of one attempt of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    pub(super) number: u32,
    pub(super) resend: bool,
    pub(super) outcome: outcome::Outcome,
    pub(super) kind: Option<ErrorKind>,
    pub(super) status: Option<u16>,
    pub(super) phase: phase::Phase,
    pub(super) start: Duration,
    pub(super) elapsed: Duration,
}

impl Attempt {
    pub(crate) fn of(attempt: engine::Attempt) -> Self {
        Self {
            number: attempt.number,
            resend: attempt.resend,
            outcome: attempt.outcome,
            kind: attempt.code.map(ErrorKind::of),
            status: attempt.status,
            phase: attempt.phase,
            start: duration(attempt.start),
            elapsed: duration(attempt.elapsed),
        }
    }

    /// The word of the engine.
    pub(crate) fn engine_outcome(&self) -> outcome::Outcome {
        self.outcome
    }

    /// It is to blame for an error.
    pub(crate) fn blame(&mut self, kind: ErrorKind) {
        self.kind = Some(kind);
    }

    /// Its number, from 1.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// It was the extra send after a token refresh.
    #[must_use]
    pub fn resend(&self) -> bool {
        self.resend
    }

    /// Whether the server may have acted on it.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.outcome)
    }

    /// How it failed; `None` if it did not.
    #[must_use]
    pub fn kind(&self) -> Option<ErrorKind> {
        self.kind
    }

    /// Its status, if headers came.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Where it ended.
    #[must_use]
    pub fn phase(&self) -> Phase {
        Phase::of(self.phase)
    }

    /// Its dispatch, since the start of the call.
    #[must_use]
    pub fn start(&self) -> Duration {
        self.start
    }

    /// How long it took.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
