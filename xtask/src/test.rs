//! `cargo xtask test`: everything that must hold before a change lands.
//!
//! The steps run in order, cheap ones first; a failed one does not stop those that do not depend on it. The last line is
//! `N passed, N failed`, the sum over all suites, where a step that is no suite counts as one test.

mod browsers;
mod consumers;
mod counts;
mod node;
mod runtimes;
mod rust;
mod session;
mod step;
mod types;
mod wasm;

use std::time::{Duration, Instant};

use crate::cli::Arguments;
use crate::error::{Failure, Result};
use crate::say;
use crate::workspace::Workspace;

use session::Session;
use step::{Outcome, Step};

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let all = arguments.flag("--all");
    let list = arguments.flag("--list");
    let filters = arguments.words()?;
    let steps = chosen(all, &filters)?;
    if list {
        steps.iter().for_each(|step| println!("{:<24}{}", step.name, step.what));
        return Ok(());
    }
    let mut session = Session::new(workspace);
    let done: Vec<Done> = steps.into_iter().map(|step| run(step, &mut session)).collect();
    summarize(&done)
}

/// `cargo xtask compare-fetch`: the step of that name, or the long one.
pub(crate) fn compare_fetch(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let name = if arguments.flag("--all") { "compare-fetch-full" } else { "compare-fetch" };
    arguments.finish()?;
    command(workspace, Arguments::new([name.to_owned()]))
}

/// A step that has run.
struct Done {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
}

fn steps() -> Vec<Step> {
    [rust::STEPS, types::STEPS, node::PACKAGE_STEPS, runtimes::STEPS, node::STEPS, consumers::STEPS, browsers::STEPS]
        .concat()
}

fn chosen(all: bool, filters: &[String]) -> Result<Vec<Step>> {
    let steps = steps();
    if let Some(unknown) = filters.iter().find(|filter| !steps.iter().any(|step| step.name.contains(*filter))) {
        let names: Vec<_> = steps.iter().map(|step| step.name).collect();
        return Err(Failure::new(format!("no step has {unknown} in its name; there are: {}", names.join(", "))));
    }
    // A whole name means that step alone, though it may be the beginning of others.
    let whole = |filter: &String| steps.iter().any(|step| step.name == filter);
    let named = |step: &Step| {
        filters.iter().any(|filter| if whole(filter) { step.name == filter } else { step.name.contains(filter) })
    };
    // A name that is asked for is run, also one of the extra steps.
    Ok(steps.iter().filter(|step| if filters.is_empty() { step.runs(all) } else { named(step) }).copied().collect())
}

fn run(step: Step, session: &mut Session<'_>) -> Done {
    say::doing("testing", &format!("{}: {}", step.name, step.what));
    let start = Instant::now();
    let outcome = (step.run)(session).unwrap_or_else(|error| Outcome::broken(&error.to_string()));
    let time = start.elapsed();
    if let Some(note) = &outcome.note {
        say::warning(&format!("{}: {note}", step.name));
    }
    say::doing(outcome.word(), &format!("{} in {}", step.name, say::seconds(time)));
    Done { name: step.name, outcome, time }
}

fn summarize(done: &[Done]) -> Result {
    println!();
    for Done { name, outcome, time } in done {
        let note = outcome.note.as_deref().and_then(|note| note.lines().next()).unwrap_or_default();
        println!("{:>8} {name:<24}{:>12}  {} {note}", outcome.word(), say::seconds(*time), outcome.counts);
    }
    let passed: u64 = done.iter().map(|step| step.outcome.counts.passed).sum();
    let failed: u64 = done.iter().map(|step| step.outcome.counts.failed).sum();
    println!("\n{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err(Failure::silent()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_filter_the_extra_steps_need_all() {
        let names = |all, filters: &[&str]| {
            let filters: Vec<_> = filters.iter().map(|filter| (*filter).to_owned()).collect();
            chosen(all, &filters).unwrap().iter().map(|step| step.name).collect::<Vec<_>>()
        };
        assert!(!names(false, &[]).contains(&"wasm-webkit-service"));
        assert!(names(true, &[]).contains(&"wasm-webkit-service"));
        assert!(!names(true, &[]).contains(&"npm-webkit"), "npm-windows runs it");
        assert_eq!(names(false, &["npm-webkit"]), ["npm-webkit"]);
        assert_eq!(names(false, &["webkit-service"]), ["npm-webkit-service", "wasm-webkit-service"]);
        assert_eq!(names(false, &["wasm-webkit"]), ["wasm-webkit"]);
    }

    #[test]
    fn a_filter_that_fits_no_step_is_an_error() {
        assert!(chosen(false, &["nothing-like-it".into()]).is_err());
    }
}
