//! The type declarations, checked by the newest TypeScript and by the oldest one that is supported.

use crate::error::{Context, Result};
use crate::process;
use crate::setup;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};

pub(super) const STEPS: &[Step] = &[Step::new("types", "the type declarations, TypeScript 5.4 and newest", types)];

/// The packages of package.json; each is given every project of tests/types.
const COMPILERS: &[&str] = &["typescript-5-4", "typescript"];

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
    for project in &projects {
        for compiler in COMPILERS {
            let script = format!("node_modules/{compiler}/bin/tsc");
            process::run(session.workspace.node(&script).args(["--noEmit", "-p"]).arg(project))?;
        }
    }
    Ok(Outcome::PASSED)
}
