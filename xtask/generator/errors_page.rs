//! docs/errors.md: every error code.

use std::fmt::Write as _;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;

use crate::cell;

const HEAD: &str = "\
<!-- Generated from core/src/error.rs by `cargo xtask generate`: change it there. -->
# Errors

Every failure is one of these. `error.code` is the first column, `error.name` the second. `error.outcome` says whether
the server may have acted, `error.phase` where the call was.

| code | name | meaning | what to do |
|---|---|---|---|
";

/// A row for each code, without the advice, which every message ends with.
pub(super) fn codes() -> String {
    let mut table = String::from("| code | name | meaning |\n|---|---|---|\n");
    for code in ErrorCode::ALL {
        let _ = writeln!(table, "| `{}` | `{}` | {} |", code.name(), code.js_name(), cell(code.meaning()));
    }
    table
}

pub(super) fn text() -> String {
    let mut page = String::from(HEAD);
    for code in ErrorCode::ALL {
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {} | {} |",
            code.name(),
            code.js_name(),
            cell(code.meaning()),
            cell(code.advice())
        );
    }
    words(&mut page, "Phases", "error.phase", Phase::ALL.iter().copied().map(Phase::name));
    words(&mut page, "Outcomes", "error.outcome", Outcome::ALL.iter().copied().map(Outcome::name));
    words(
        &mut page,
        "Why there was no further retry",
        "error.retryStopped",
        RetryStopped::ALL.iter().copied().map(RetryStopped::name),
    );
    page
}

/// A closed list of words. Those of policies to come are in it already, so that a switch over it stays complete.
fn words<'a>(page: &mut String, title: &str, field: &str, words: impl IntoIterator<Item = &'a str>) {
    let _ = writeln!(page, "\n## {title}\n\n`{field}` is one of:\n");
    for word in words {
        let _ = writeln!(page, "- `{word}`");
    }
}
