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
";

pub(super) fn text() -> String {
    format!("{HEAD}{}", tables())
}

/// The sections, each with the first words of the names in it.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "Request",
        &[
            "baseUrl",
            "headers",
            "searchParams",
            "json",
            "form",
            "idempotent",
            "idempotencyKey",
            "outcomeLookup",
            "dedupe",
            "stringifyJson",
            "init",
            "fetch",
        ],
    ),
    ("Response", &["throwHttpErrors", "parseJson", "maxResponseBytes", "onDownloadProgress", "fallback"]),
    ("Time limits", &["timeout", "headersTimeout", "idleTimeout", "totalTimeout", "minAttemptTime", "reserve"]),
    ("Retries", &["retry", "retryBudget"]),
    ("Circuit breaker and queue", &["circuitBreaker", "queue", "deadlineHeader"]),
    ("Authentication", &["auth"]),
    ("Hooks and events", &["hooks", "onEvent", "name", "operation", "timings", "redactUrl"]),
];

/// A table for each section.
pub(super) fn tables() -> String {
    let mut page = String::new();
    for (title, names) in SECTIONS {
        let _ = write!(
            page,
            "\n### {title}\n\n| option | values | default | where | description |\n|---|---|---|---|---|\n"
        );
        for name in *names {
            for row in TABLE.iter().filter(|row| group(row) == *name) {
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
        }
    }
    page
}

/// The option itself, or the group that it is a member of.
fn group(row: &Row) -> &'static str {
    row.name.split('.').next().unwrap_or_default()
}

fn values(row: &Row) -> &'static str {
    if !row.values.is_empty() {
        return row.values;
    }
    match row.kind {
        Kind::Limit => "ms ≥ 1, `false`",
        Kind::Span => "ms ≥ 0",
        Kind::Count => "integer ≥ 0",
        Kind::Bytes => "bytes ≥ 1, `false`",
        Kind::Flag => "boolean",
        Kind::Statuses => "statuses",
        Kind::Methods => "methods",
        Kind::Delay => "ms ≥ 0, `(retryCount) => ms`",
        Kind::Jitter => "boolean, `'full'`, `'none'`, `(ms) => ms`",
        Kind::Function => "function",
        Kind::Text => "string",
        Kind::Retry => "object, number, `false`",
        Kind::Special => "",
        Kind::Group => "object, `false`",
        Kind::Positive => "integer ≥ 1",
        Kind::Amount => "number ≥ 0",
        Kind::Share => "number > 0, ≤ 1",
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
