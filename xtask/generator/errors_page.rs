//! docs/errors.md: every error code.

use std::fmt::Write as _;

use steadfetch_core::error::ErrorCode;

use crate::cell;

const HEAD: &str = "\
<!-- Generated from core/src/error.rs by `cargo xtask generate`: change it there. -->
# Errors

Every failure is one of these. `error.code` is the first column, `error.name` the second. `error.outcome` says whether
the server may have acted, `error.phase` where the call was.

| code | name | meaning | what to do |
|---|---|---|---|
";

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
    page
}
