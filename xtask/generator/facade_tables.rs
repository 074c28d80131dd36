//! pkg-template/src/generated.ts: the words and numbers that the JavaScript facade shares with the engine.
//!
//! A list has the word of number `n` at index `n`; what starts at 1 has nothing at 0. Every constant is an export of its
//! own, so that the bundler writes the numbers in where they are used and drops what is not used.

use std::fmt::Write as _;

use steadfetch_core::breaker::CircuitState;
use steadfetch_core::error::ErrorCode;
use steadfetch_core::method::Method;
use steadfetch_core::options::{DEFAULTS, Kind, Row, Scope, TABLE};
use steadfetch_core::outcome::{Outcome, UNSENT_CODES};
use steadfetch_core::phase::Phase;
use steadfetch_core::retry_after;
use steadfetch_core::status::RETRY_AFTER;
use steadfetch_core::stop::RetryStopped;

const HEAD: &str = "\
// Generated from the tables of core/ by `cargo xtask generate`: change them there.

import type { ErrorCode, Outcome, Phase, RetryStopped } from '../errors.js';
import type { Circuit } from '../protection.js';
";

pub(super) fn text() -> String {
    let mut script = String::from(HEAD);

    section(
        &mut script,
        "Error codes by number, `error.name` where it is not SteadfetchError, what happened, and what to do next.",
    );
    list(
        &mut script,
        "CODES",
        "(ErrorCode | '')",
        ErrorCode::ALL.map(|code| if is_used(code) { code.name() } else { "" }),
    );
    let names: Vec<String> = ErrorCode::ALL
        .into_iter()
        .filter(|code| is_used(*code) && code.js_name() != "SteadfetchError")
        .map(|code| format!("{}: {}", code as u8, quoted(code.js_name())))
        .collect();
    let _ =
        writeln!(script, "export const ERROR_NAMES: Readonly<Record<number, string>> = {{ {} }};", names.join(", "));
    list(&mut script, "WHAT", "string", ErrorCode::ALL.map(|code| if is_used(code) { code.what() } else { "" }));
    list(&mut script, "ADVICE", "string", ErrorCode::ALL.map(|code| if is_used(code) { code.advice() } else { "" }));
    numbers(&mut script, "", ErrorCode::ALL.map(|code| (code.name(), code as u8)));

    section(&mut script, "Phases: `error.phase`.");
    list(
        &mut script,
        "PHASES",
        "(Phase | '')",
        Phase::ALL.iter().copied().map(|phase| if has_phase(phase) { phase.name() } else { "" }),
    );
    numbers(&mut script, "PHASE_", Phase::ALL.iter().copied().map(|phase| (phase.name(), phase as u8)));

    section(&mut script, "Outcomes: `error.outcome`.");
    list(&mut script, "OUTCOMES", "(Outcome | '')", Outcome::ALL.iter().copied().map(Outcome::name));
    numbers(&mut script, "OUTCOME_", Outcome::ALL.iter().copied().map(|outcome| (outcome.name(), outcome as u8)));

    section(&mut script, "Why there was no further retry: `error.retryStopped`.");
    list(&mut script, "STOPPED", "(RetryStopped | '')", RetryStopped::ALL.iter().copied().map(RetryStopped::name));
    numbers(&mut script, "STOPPED_", RetryStopped::ALL.iter().copied().map(|stopped| (stopped.name(), stopped as u8)));

    section(&mut script, "What a circuit is doing.");
    list(
        &mut script,
        "CIRCUIT_STATES",
        "(Circuit['state'] | '')",
        CircuitState::ALL.iter().copied().map(CircuitState::name),
    );

    section(&mut script, "Methods that the engine knows; any other one is 0.");
    list(&mut script, "METHODS", "string", Method::ALL.map(Method::name));

    section(
        &mut script,
        "The defaults of the options that the engine asks for, by their places; and those that `api.fetch` has in their place.",
    );
    let _ = writeln!(script, "export const DEFAULTS: readonly number[] = [{}];", DEFAULTS.map(number).join(", "));
    let _ =
        writeln!(script, "export const FETCH_DEFAULTS: Readonly<Record<number, number>> = {{ {} }};", fetch_defaults());

    section(&mut script, "What values an option takes.");
    numbers(&mut script, "KIND_", KINDS.map(|kind| (kind_name(kind), kind as u8)));
    section(&mut script, "Where an option may be given.");
    numbers(&mut script, "SCOPE_", SCOPES.map(|scope| (scope_name(scope), scope as u8)));

    section(&mut script, "Each option: kind, scope, and its place among the numbers of a call, if it has one.");
    let rows: String = TABLE.iter().map(option).collect();
    let _ = writeln!(
        script,
        "export const OPTIONS: Readonly<Record<string, readonly [kind: number, scope: number, slot?: number]>> = {{\n{rows}}};"
    );

    section(&mut script, "The headers that say how long to wait, first match wins, each with the number of its kind.");
    let headers: Vec<String> =
        retry_after::HEADERS.iter().map(|(name, source)| format!("[{}, {}]", quoted(name), *source as u8)).collect();
    let _ = writeln!(
        script,
        "export const RETRY_AFTER_HEADERS: readonly (readonly [name: string, source: number])[] = [{}];",
        headers.join(", ")
    );

    section(&mut script, "The statuses whose Retry-After counts, unless the caller says which.");
    let _ = writeln!(script, "export const RETRY_AFTER_STATUSES: readonly number[] = {RETRY_AFTER:?};");

    section(&mut script, "The system codes of network errors that come before the request.");
    let codes = UNSENT_CODES.map(quoted);
    let _ = writeln!(script, "export const UNSENT_CODES: readonly string[] = [{}];", codes.join(", "));

    section(&mut script, "The version of the package.");
    let _ = writeln!(script, "export const VERSION = {};", quoted(env!("CARGO_PKG_VERSION")));
    section(&mut script, "The export by which the module of this version is known.");
    let _ = writeln!(script, "export const ENGINE = {};", quoted(concat!("v", env!("CARGO_PKG_VERSION"))));
    script
}

// What belongs to policies that this version does not have is never said, so its words are not shipped.

fn is_used(code: ErrorCode) -> bool {
    code != ErrorCode::JobFailed
}

fn has_phase(phase: Phase) -> bool {
    !matches!(phase, Phase::Poll | Phase::Handshake)
}

const KINDS: [Kind; 17] = [
    Kind::Limit,
    Kind::Span,
    Kind::Count,
    Kind::Bytes,
    Kind::Flag,
    Kind::Statuses,
    Kind::Methods,
    Kind::Delay,
    Kind::Jitter,
    Kind::Function,
    Kind::Text,
    Kind::Retry,
    Kind::Special,
    Kind::Group,
    Kind::Positive,
    Kind::Amount,
    Kind::Share,
];

/// A kind that is added to core/ fails to compile here, which is the reminder to add it to [`KINDS`].
fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Limit => "limit",
        Kind::Span => "span",
        Kind::Count => "count",
        Kind::Bytes => "bytes",
        Kind::Flag => "flag",
        Kind::Statuses => "statuses",
        Kind::Methods => "methods",
        Kind::Delay => "delay",
        Kind::Jitter => "jitter",
        Kind::Function => "function",
        Kind::Text => "text",
        Kind::Retry => "retry",
        Kind::Special => "special",
        Kind::Group => "group",
        Kind::Positive => "positive",
        Kind::Amount => "amount",
        Kind::Share => "share",
    }
}

const SCOPES: [Scope; 3] = [Scope::Both, Scope::Client, Scope::Call];

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Both => "both",
        Scope::Client => "client",
        Scope::Call => "call",
    }
}

fn section(script: &mut String, comment: &str) {
    let _ = writeln!(script, "\n// {comment}");
}

/// `export const PHASES: readonly (Phase | '')[] = ['', 'load', ...];`: a word that is not declared does not compile.
fn list<'a>(script: &mut String, name: &str, of: &str, words: impl IntoIterator<Item = &'a str>) {
    let words: String = words.into_iter().map(|word| format!(", {}", quoted(word))).collect();
    let _ = writeln!(script, "export const {name}: readonly {of}[] = [''{words}];");
}

/// `export const PHASE_LOAD = 1;`
fn numbers<'a>(script: &mut String, prefix: &str, words: impl IntoIterator<Item = (&'a str, u8)>) {
    for (word, number) in words {
        let _ = writeln!(script, "export const {prefix}{} = {number};", word.to_uppercase().replace('-', "_"));
    }
}

fn number(number: f64) -> String {
    if number.is_finite() { number.to_string() } else { "Infinity".to_owned() }
}

/// `0: Infinity, 2: 60000`: of the options that have two defaults.
fn fetch_defaults() -> String {
    let of_row = |row: &Row| Some(format!("{}: {}", row.slot?, number(row.number(row.fetch_default?))));
    TABLE.iter().filter_map(of_row).collect::<Vec<_>>().join(", ")
}

/// `  timeout: [0, 0, 0],`
fn option(row: &Row) -> String {
    let name = if row.name.contains('.') { quoted(row.name) } else { row.name.to_owned() };
    let slot = row.slot.map(|slot| format!(", {slot}")).unwrap_or_default();
    format!("  {name}: [{}, {}{slot}],\n", row.kind as u8, row.scope as u8)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_word_is_its_number() {
        let script = text();
        assert!(script.contains("export const PHASES: readonly (Phase | '')[] = ['', 'load', 'auth', 'queue', 'backoff', 'refresh', 'headers', 'body', 'idle', 'lookup', '', '',"), "{script}");
        assert!(script.contains("export const PHASE_BACKOFF = 4;"), "{script}");
        assert!(script.contains("export const OUTCOME_NOT_SENT = 1;"), "{script}");
    }

    #[test]
    fn a_quote_in_a_text_does_not_end_the_string() {
        assert_eq!(quoted("the page's"), "'the page\\'s'");
    }
}
