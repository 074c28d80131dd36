//! What a simulation has to say.

use crate::table::Table;

pub(crate) struct Report {
    /// In words, above the tables on the terminal.
    pub(crate) title: String,
    /// Each with the name of its place in docs/simulation.md.
    pub(crate) tables: Vec<(&'static str, Table)>,
    /// The file in docs/, and its content.
    pub(crate) chart: (&'static str, String),
    /// What docs/simulation.md claims and the numbers do not show.
    pub(crate) broken_claims: Vec<String>,
}

/// What is wrong with `claim`, if it does not hold.
pub(crate) fn broken(holds: bool, claim: impl FnOnce() -> String) -> Option<String> {
    (!holds).then(claim)
}
