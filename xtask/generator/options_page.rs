//! docs/options.md: every option.

use std::fmt::Write as _;

use steadfetch_core::options::{Kind, Row, Scope, TABLE};

use crate::cell;

const HEAD: &str = "\
<!-- Generated from core/src/options.rs by `cargo xtask generate`: change it there. -->
# Options

Times are milliseconds. A value of the wrong type or out of range is INVALID_OPTION: `createClient`, `extend` and `scope`
throw it, calls reject with it, and nothing is sent. `undefined` means the default everywhere.

*client* options go to `createClient` and `extend`, *call* options to a call, the others to both; a call's value wins.

| option | values | default | where | what it does |
|---|---|---|---|---|
";

pub(super) fn text() -> String {
    let mut page = String::from(HEAD);
    for row in TABLE {
        let _ = writeln!(
            page,
            "| `{}` | {} | `{}`{} | {} | {} |",
            row.name,
            cell(values(row)),
            cell(row.default),
            row.fetch_default.map(|default| format!(", `api.fetch`: `{default}`")).unwrap_or_default(),
            scope(row.scope),
            cell(row.doc)
        );
    }
    page
}

fn values(row: &Row) -> &'static str {
    if !row.values.is_empty() {
        return row.values;
    }
    match row.kind {
        Kind::Limit => "ms from 1 on; `false` or `Infinity`: no limit",
        Kind::Span => "ms from 0 on; `Infinity`: no limit",
        Kind::Count => "whole number from 0 on",
        Kind::Bytes => "bytes from 1 on; `false` or `Infinity`: no limit",
        Kind::Flag => "`true`, `false`",
        Kind::Statuses => "list of statuses, 100 to 599",
        Kind::Methods => "list of methods, in any case",
        Kind::Delay => "ms from 0 on, or `(retryCount) => ms`",
        Kind::Jitter => "`true`, `false`, `'full'`, `'none'`, or `(ms) => ms`",
        Kind::Function => "function",
        Kind::Text => "string",
        Kind::Retry => "group, number or `false`",
        Kind::Special => "see there",
        Kind::Group => "group or `false`",
        Kind::Positive => "whole number from 1 on",
        Kind::Amount => "number from 0 on",
        Kind::Share => "number above 0, at most 1",
    }
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Both => "client, call",
        Scope::Client => "client",
        Scope::Call => "call",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_needs_it_says_its_values() {
        for row in TABLE.iter().filter(|row| row.kind == Kind::Special) {
            assert!(!row.values.is_empty(), "{} has no values in words", row.name);
        }
    }

    #[test]
    fn every_option_has_a_row_of_five_cells() {
        let page = text();
        let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(rows.len(), TABLE.len());
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
        }
    }
}
