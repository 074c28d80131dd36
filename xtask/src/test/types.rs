//! The facade's own types and imports, and the type declarations, which the newest TypeScript and the oldest one that is supported check.

use crate::error::{Context, Result};
use crate::process;
use crate::setup;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};

pub(super) const STEPS: &[Step] = &[
    Step::new("types", "the facade, and the type declarations, TypeScript 5.4 and newest", types),
    Step::new("imports", "the modules of the facade import each other in one direction", imports),
];

/// The packages of package.json; each is given every project of tests/types.
const COMPILERS: &[&str] = &["typescript-5-4", NEWEST];
/// The facade is checked by this one alone: its users never compile it.
const NEWEST: &str = "typescript";

fn types(session: &mut Session<'_>) -> Result<Outcome> {
    let directory = session.workspace.path("tests/types");
    let mut projects = Vec::new();
    if directory.is_dir() {
        for entry in directory.read_dir().context(|| format!("listing {}", directory.display()))? {
            let path = entry.context(|| format!("listing {}", directory.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with("tsconfig") && name.ends_with(".json") {
                projects.push(path);
            }
        }
    }
    if projects.is_empty() {
        return Ok(Outcome::skipped("tests/types has no tsconfig*.json yet"));
    }
    projects.sort();
    setup::packages(session.workspace)?;
    process::run(session.workspace.node(&tsc(NEWEST)).args(["-p", "pkg-template"]))?;
    for project in &projects {
        for compiler in COMPILERS {
            process::run(session.workspace.node(&tsc(compiler)).args(["--noEmit", "-p"]).arg(project))?;
        }
    }
    Ok(Outcome::PASSED)
}

fn imports(session: &mut Session<'_>) -> Result<Outcome> {
    setup::packages(session.workspace)?;
    process::run(session.workspace.node("xtask/import-order.mjs").args(["pkg-template/src", "docs/architecture.md"]))?;
    Ok(Outcome::PASSED)
}

fn tsc(compiler: &str) -> String {
    format!("node_modules/{compiler}/bin/tsc")
}
