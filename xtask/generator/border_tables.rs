//! pkg-template/src/protocol.ts: the numbers of the border as constants, which the bundler writes in where they are used;
//! and the tables of docs/engine.md.

use std::fmt::Write as _;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::border::{
    ACTION, ATTEMPT, ActionKind, AuthEventKind, CIRCUIT, CallFlag, Choice, EventKind, FAILURE, Fact, Fields, HeadFlag,
    KINDS, OUT, Tail,
};
use steadfetch_core::engine::Question;
use steadfetch_core::options::TABLE;
use steadfetch_core::queue::Priority;
use steadfetch_core::refresh::Verb;

const HEAD: &str = "\
// Generated from core/src/border.rs by `cargo xtask generate`: change it there. The numbers that cross the border to the engine.
";

pub(super) fn text() -> String {
    let mut script = Script(String::from(HEAD));
    script.section("Places in `OUT`, and how many there are before the actions.");
    script.places("OUT", OUT, 0);
    script.one("OUT_SIZE", OUT.len());
    script.section("Actions: the first number of one is its kind and its length, shifted.");
    script.every("ActionKind", "ACTION_", ActionKind::ALL.iter().map(|kind| (kind.name(), *kind as usize)));
    script.places("ACTION", ACTION, 0);
    script.one("ACTION_MASK", KINDS - 1);
    script.one("ACTION_SHIFT", KINDS.trailing_zeros() as usize);
    script.section("Places in an action, by its kind.");
    for kind in ActionKind::ALL {
        script.places(kind.name(), kind.fields(), ACTION.len());
        let end = ACTION.len() + kind.fields().len();
        match kind.tail() {
            Tail::None => {}
            Tail::Attempt => script.one(&constant(kind.name(), "attempt"), end),
            Tail::Failure => script.one(&constant(kind.name(), "failure"), end),
        }
    }
    script.section("Places in an attempt, and in a failure, behind which its attempts are.");
    for (name, fields) in [("ATTEMPT", ATTEMPT), ("FAILURE", FAILURE)] {
        script.places(name, fields, 0);
        script.one(&format!("{name}_SIZE"), fields.len());
    }
    script.section("What the engine asks a callback.");
    script.every("Question", "", Question::ALL.iter().map(|question| (question.name(), *question as usize)));
    script.section("Events.");
    script.every("EventKind", "", EventKind::ALL.iter().map(|kind| (kind.name(), *kind as usize)));
    script.section("Flags of `head`.");
    script.all("", HeadFlag::ALL.iter().map(|flag| (flag.name(), *flag as usize)));
    script.section("Places in `IN`, the flags of a call, and what else a number there means.");
    script.all("FACT_", Fact::ALL.iter().map(|fact| (fact.name(), *fact as usize)));
    script.all("CALL_", CallFlag::ALL.iter().map(|flag| (flag.name(), *flag as usize)));
    script.all("CHOICE_", Choice::ALL.iter().map(|choice| (choice.name(), *choice as usize)));
    let words: Vec<_> = Priority::WORDS.iter().map(|word| format!("'{word}'")).collect();
    let _ = writeln!(script.0, "export const PRIORITIES: readonly string[] = [{}];", words.join(", "));
    script.section("Places of options among the numbers of a call, and what a number means for `retry.jitter`.");
    let slots = TABLE.iter().filter_map(|row| Some((row.name.replace('.', "_"), usize::from(row.slot?))));
    for (name, slot) in slots {
        script.one(&format!("{}_SLOT", screaming(&name)), slot);
    }
    let jitters = [("none", Jitter::None), ("full", Jitter::Full), ("custom", Jitter::Custom)];
    script.all("JITTER_", jitters.into_iter().map(|(name, jitter)| (name, jitter as usize)));
    script.section("What is to be done for an `auth` object, and what is reported about it.");
    script.every("Verb", "VERB_", Verb::ALL.iter().map(|verb| (verb.name(), *verb as usize)));
    script.every("AuthEventKind", "AUTH_", AuthEventKind::ALL.iter().map(|kind| (kind.name(), *kind as usize)));
    script.section("Places in what `circuit` gives.");
    script.places("CircuitView", CIRCUIT, 0);
    script.one("CIRCUIT_VIEW_SIZE", CIRCUIT.len());
    script.0
}

/// The page with its tables as they should be.
pub(super) fn page(page: &str, with_block: impl Fn(&str, &str, &str) -> String) -> String {
    let blocks = [
        ("actions", actions()),
        ("fields", fields()),
        ("events", table("kind", "event", EventKind::ALL.iter().map(|kind| (*kind as u32, kind.name(), kind.said())))),
        (
            "auth-events",
            table("kind", "event", AuthEventKind::ALL.iter().map(|kind| (*kind as u32, kind.name(), kind.said()))),
        ),
        ("verbs", table("number", "verb", Verb::ALL.iter().map(|verb| (*verb as u32, verb.name(), "")))),
        ("head-flags", table("bit", "flag", HeadFlag::ALL.iter().map(|flag| (*flag as u32, flag.name(), flag.said())))),
        ("facts", table("place", "name", Fact::ALL.iter().map(|fact| (*fact as u32, fact.name(), fact.said())))),
        ("call-flags", table("bit", "flag", CallFlag::ALL.iter().map(|flag| (*flag as u32, flag.name(), flag.said())))),
    ];
    blocks.iter().fold(page.to_owned(), |page, (name, text)| with_block(&page, name, text))
}

fn actions() -> String {
    let mut text = String::from("| kind | action | further numbers | |\n|---|---|---|---|\n");
    for kind in ActionKind::ALL {
        let mut numbers: Vec<_> = kind.fields().to_vec();
        match kind.tail() {
            Tail::None => {}
            Tail::Attempt => numbers.push("ATTEMPT"),
            Tail::Failure => numbers.push("FAILURE"),
        }
        let _ = writeln!(text, "| {} | {} | {} | {} |", *kind as u32, kind.name(), numbers.join(", "), kind.said());
    }
    text
}

fn fields() -> String {
    format!(
        "`OUT` begins with {}; each action with {}, where `kind` is its number and {KINDS} times the length of the action.\nATTEMPT: {}.\nFAILURE: {}, then so many times ATTEMPT.\nNone is 0 of a code, a phase or `stopped`, and NaN of a status, `retryAfter` or `limit`.\n",
        OUT.join(", "),
        ACTION.join(", "),
        ATTEMPT.join(", "),
        FAILURE.join(", ")
    )
}

fn table<'a>(number: &str, name: &str, rows: impl Iterator<Item = (u32, &'a str, &'a str)>) -> String {
    let mut text = format!("| {number} | {name} | |\n|---|---|---|\n");
    for (number, name, said) in rows {
        let _ = writeln!(text, "| {number} | {name} | {said} |");
    }
    text
}

struct Script(String);

impl Script {
    fn section(&mut self, comment: &str) {
        let _ = writeln!(self.0, "\n// {comment}");
    }

    fn one(&mut self, name: &str, number: usize) {
        let _ = writeln!(self.0, "export const {name} = {number};");
    }

    fn all<'a>(&mut self, prefix: &str, numbers: impl Iterator<Item = (&'a str, usize)>) {
        for (name, number) in numbers {
            self.one(&format!("{prefix}{}", screaming(name)), number);
        }
    }

    /// The same, and the type of any of them.
    fn every<'a>(&mut self, name: &str, prefix: &str, numbers: impl Iterator<Item = (&'a str, usize)>) {
        let numbers: Vec<_> = numbers.collect();
        let all: Vec<_> = numbers.iter().map(|(_, number)| number.to_string()).collect();
        self.all(prefix, numbers.into_iter());
        let _ = writeln!(self.0, "export type {name} = {};", all.join(" | "));
    }

    fn places(&mut self, name: &str, fields: Fields, first: usize) {
        for (at, field) in fields.iter().enumerate() {
            self.one(&constant(name, field), first + at);
        }
    }
}

/// `SEND_LEFT`
fn constant(name: &str, field: &str) -> String {
    format!("{}_{}", screaming(name), screaming(field))
}

/// `retryAfter`, `NoLock`: `RETRY_AFTER`, `NO_LOCK`.
fn screaming(name: &str) -> String {
    let mut words = String::new();
    let mut is_inside = false;
    for letter in name.chars() {
        if letter.is_uppercase() && is_inside {
            words.push('_');
        }
        is_inside = letter.is_lowercase();
        words.push(letter.to_ascii_uppercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfetch_core::engine::Given;
    use steadfetch_core::options::Scope;

    #[test]
    fn who_gave_a_limit_has_the_number_of_the_scope_in_which_it_was_given() {
        assert_eq!((Given::Client as u8, Given::Call as u8), (Scope::Client as u8, Scope::Call as u8));
    }

    #[test]
    fn words_of_a_name_are_parted() {
        assert_eq!(["NoLock", "retryAfter", "ATTEMPT"].map(screaming), ["NO_LOCK", "RETRY_AFTER", "ATTEMPT"]);
    }
}
