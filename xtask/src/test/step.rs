//! One step of the test run, and how it ended.

use crate::error::Result;
use crate::test::counts::Counts;
use crate::test::session::Session;

/// Which runs a step belongs to; one that is named is always run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Always,
    All,
    /// It is a part of another step.
    Named,
}

#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) when: When,
    pub(super) run: fn(&mut Session<'_>) -> Result<Outcome>,
}

impl Step {
    pub(super) const fn new(
        name: &'static str,
        what: &'static str,
        run: fn(&mut Session<'_>) -> Result<Outcome>,
    ) -> Self {
        Self { name, what, when: When::Always, run }
    }

    /// Only with `--all`, or by name.
    pub(super) const fn extra(self) -> Self {
        Self { when: When::All, ..self }
    }

    /// Only by name.
    pub(super) const fn named(self) -> Self {
        Self { when: When::Named, ..self }
    }

    /// Whether it runs when no name is given.
    pub(super) fn runs(self, all: bool) -> bool {
        self.when == When::Always || (all && self.when == When::All)
    }
}

pub(super) struct Outcome {
    pub(super) counts: Counts,
    pub(super) note: Option<String>,
    /// A suite that came to a bad end by itself: none of its tests failed.
    pub(super) died: bool,
}

impl Outcome {
    /// A step that is no suite.
    pub(super) const PASSED: Self =
        Self { counts: Counts { passed: 1, failed: 0, unheard: 0 }, note: None, died: false };

    pub(super) fn broken(why: &str) -> Self {
        Self { counts: Counts { passed: 0, failed: 1, unheard: 0 }, note: Some(why.to_owned()), died: false }
    }

    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self { counts: Counts::default(), note: Some(why.into()), died: false }
    }

    pub(super) fn word(&self) -> &'static str {
        match self.counts {
            Counts { failed: 1.., .. } => "FAILED",
            Counts { passed: 0, .. } => "skipped",
            Counts { .. } => "passed",
        }
    }
}
