//! The npm package: built, measured, and used as its users use it.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Context, Result};
use crate::test::session::{Package, Session};
use crate::test::step::{Outcome, Step};
use crate::{process, size};

const LIMIT: Duration = Duration::from_secs(20 * 60);
/// For one test, in milliseconds: a promise that never settles must not stop the run.
const TEST_LIMIT: &str = "--test-timeout=120000";
/// The suites that drive pages, by the start of their names.
const PAGES: &str = "chromium";

pub(super) const PACKAGE_STEPS: &[Step] = &[
    Step { name: "build", what: "the npm package", extra: false, run: build },
    Step { name: "size", what: "what a browser downloads", extra: false, run: size },
    Step { name: "publint", what: "the package as other tools see it", extra: false, run: publint },
];

pub(super) const STEPS: &[Step] = &[
    Step { name: "npm-node", what: "the packed package in Node", extra: false, run: npm_node },
    Step { name: "npm-chromium", what: "the packed package in pages of Chromium", extra: false, run: npm_chromium },
    Step { name: "playground", what: "the playground in Chromium", extra: false, run: playground },
];

fn build(session: &mut Session<'_>) -> Result<Outcome> {
    session.build()?;
    Ok(Outcome::PASSED)
}

fn size(session: &mut Session<'_>) -> Result<Outcome> {
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    size::report(session.workspace)?;
    Ok(Outcome::PASSED)
}

fn publint(session: &mut Session<'_>) -> Result<Outcome> {
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    process::run(session.workspace.npm_tool("publint").args(["run", "--strict"]).arg(session.workspace.package()))?;
    Ok(Outcome::PASSED)
}

fn npm_node(session: &mut Session<'_>) -> Result<Outcome> {
    let suites = suites(session, "tests/npm", |name| !name.starts_with(PAGES))?;
    run(session, "tests/npm", suites, Needs::Node)
}

fn npm_chromium(session: &mut Session<'_>) -> Result<Outcome> {
    let suites = suites(session, "tests/npm", |name| name.starts_with(PAGES))?;
    run(session, "tests/npm", suites, Needs::Chromium)
}

fn playground(session: &mut Session<'_>) -> Result<Outcome> {
    let suites = suites(session, "tests/playground", |_| true)?;
    run(session, "tests/playground", suites, Needs::Chromium)
}

fn not_built() -> Outcome {
    Outcome::skipped("the build failed: there is no package to test")
}

fn suites(session: &Session<'_>, directory: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let directory = session.workspace.path(directory);
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut suites = Vec::new();
    for entry in directory.read_dir().context(|| format!("listing {}", directory.display()))? {
        let path = entry.context(|| format!("listing {}", directory.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".test.mjs") && wanted(&name) {
            suites.push(path);
        }
    }
    suites.sort();
    Ok(suites)
}

#[derive(PartialEq, Eq)]
enum Needs {
    Node,
    Chromium,
}

fn run(session: &mut Session<'_>, directory: &str, suites: Vec<PathBuf>, needs: Needs) -> Result<Outcome> {
    if suites.is_empty() {
        return Ok(Outcome::skipped(format!("{directory} has no suite for this yet")));
    }
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    let installed = session.installed()?.to_owned();
    let server = session.server_binary()?.to_owned();
    let mut node = session.workspace.node_command();
    node.args(["--test", "--test-reporter=spec", TEST_LIMIT])
        .args(suites)
        .env("STEADFETCH_PKG", installed)
        .env("STEADFETCH_SERVER_BIN", server);
    if needs == Needs::Chromium {
        node.env("STEADFETCH_CHROMIUM", &session.chromium()?.browser)
            .env("STEADFETCH_PLAYGROUND", session.server()?.control());
    }
    session.suite(&mut node, LIMIT)
}
