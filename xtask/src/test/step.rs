//! One step of the test run, and how it ended.

use crate::error::Result;
use crate::test::counts::Counts;
use crate::test::session::Session;

#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// Only with `--all`, or by name.
    pub(super) extra: bool,
    pub(super) run: fn(&mut Session<'_>) -> Result<Outcome>,
}

pub(super) struct Outcome {
    pub(super) counts: Counts,
    pub(super) note: Option<String>,
}

impl Outcome {
    /// A step that is no suite.
    pub(super) const PASSED: Self = Self { counts: Counts { passed: 1, failed: 0 }, note: None };

    pub(super) fn broken(why: &str) -> Self {
        Self { counts: Counts { passed: 0, failed: 1 }, note: Some(why.to_owned()) }
    }

    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self { counts: Counts::default(), note: Some(why.into()) }
    }

    pub(super) fn word(&self) -> &'static str {
        match self.counts {
            Counts { failed: 1.., .. } => "FAILED",
            Counts { passed: 0, .. } => "skipped",
            Counts { .. } => "passed",
        }
    }
}
