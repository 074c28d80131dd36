//! What Rust's own tools check.

use std::time::Duration;

use crate::cli::Arguments;
use crate::error::{Context, Result};
use crate::setup;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};
use crate::{generate, process, simulate};

/// For compiling everything on a slow machine, and running it.
const LIMIT: Duration = Duration::from_secs(30 * 60);

pub(super) const STEPS: &[Step] = &[
    Step { name: "format", what: "cargo fmt --check", extra: false, run: format },
    Step { name: "clippy", what: "cargo clippy, every target of the host", extra: false, run: clippy },
    Step { name: "clippy-wasm", what: "cargo clippy for wasm32-unknown-unknown", extra: false, run: clippy_wasm },
    Step { name: "docs", what: "cargo doc without warnings", extra: false, run: docs },
    Step { name: "generated", what: "the generated files say what the tables say", extra: false, run: generated },
    Step { name: "native", what: "the tests of the host", extra: false, run: native },
    Step { name: "native-lean", what: "the engine as the lean module has it", extra: false, run: native_lean },
    Step { name: "doc-tests", what: "the examples in the documentation", extra: false, run: doc_tests },
    Step { name: "simulate", what: "the simulations hold what the docs say", extra: true, run: simulate },
    Step { name: "examples", what: "the example apps: cargo fmt and clippy, for wasm", extra: true, run: examples },
];

fn format(session: &mut Session<'_>) -> Result<Outcome> {
    process::run(session.workspace.cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Outcome::PASSED)
}

fn clippy(session: &mut Session<'_>) -> Result<Outcome> {
    let strict = ["--", "-D", "warnings"];
    process::run(
        session
            .workspace
            .cargo()
            .args(["clippy", "--quiet", "--workspace", "--all-targets", "--all-features"])
            .args(strict),
    )?;
    process::run(
        session
            .workspace
            .cargo()
            .args(["clippy", "--quiet", "--package=steadfetch", "--no-default-features"])
            .args(strict),
    )?;
    Ok(Outcome::PASSED)
}

fn clippy_wasm(session: &mut Session<'_>) -> Result<Outcome> {
    setup::wasm_target()?;
    let strict = ["--", "-D", "warnings"];
    let target = ["clippy", "--quiet", "--target=wasm32-unknown-unknown"];
    process::run(
        session
            .workspace
            .cargo()
            .args(target)
            .args(["--package=steadfetch", "--package=steadfetch-js", "--all-features"])
            .args(strict),
    )?;
    process::run(
        session
            .workspace
            .cargo()
            .args(target)
            .args(["--package=steadfetch-browser-tests", "--all-targets"])
            .args(strict),
    )?;
    Ok(Outcome::PASSED)
}

fn docs(session: &mut Session<'_>) -> Result<Outcome> {
    process::run(
        session
            .workspace
            .cargo()
            .args([
                "doc",
                "--quiet",
                "--no-deps",
                "--all-features",
                "--package=steadfetch",
                "--package=steadfetch-core",
            ])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    Ok(Outcome::PASSED)
}

fn generated(session: &mut Session<'_>) -> Result<Outcome> {
    generate::check(session.workspace)?;
    Ok(Outcome::PASSED)
}

/// The suites of tests/browser have steps of their own.
const NATIVE: &[&str] = &["--workspace", "--exclude=steadfetch-browser-tests", "--all-features"];

fn native(session: &mut Session<'_>) -> Result<Outcome> {
    let mut cargo = session.workspace.cargo();
    // nextest, where it is installed, runs all suites at once.
    if process::output(session.workspace.cargo().args(["nextest", "--version"])).is_ok() {
        cargo.args(["nextest", "run", "--no-fail-fast", "--no-tests=pass", "--status-level=fail"]);
    } else {
        cargo.args(["test", "--quiet", "--no-fail-fast", "--all-targets"]);
    }
    session.suite(cargo.args(NATIVE), LIMIT)
}

/// The same rules without what the lean module leaves out.
fn native_lean(session: &mut Session<'_>) -> Result<Outcome> {
    let mut cargo = session.workspace.cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast", "--package=steadfetch-core", "--no-default-features"]);
    session.suite(&mut cargo, LIMIT)
}

fn simulate(session: &mut Session<'_>) -> Result<Outcome> {
    simulate::command(session.workspace, Arguments::new([]))?;
    Ok(Outcome::PASSED)
}

fn doc_tests(session: &mut Session<'_>) -> Result<Outcome> {
    let mut cargo = session.workspace.cargo();
    cargo.args(["test", "--quiet", "--doc", "--all-features", "--package=steadfetch", "--package=steadfetch-core"]);
    session.suite(&mut cargo, LIMIT)
}

/// Their frameworks take minutes to compile: an extra step.
fn examples(session: &mut Session<'_>) -> Result<Outcome> {
    setup::wasm_target()?;
    let directory = session.workspace.path("examples");
    let mut manifests = Vec::new();
    for entry in directory.read_dir().into_iter().flatten() {
        let manifest = entry.context(|| format!("listing {}", directory.display()))?.path().join("Cargo.toml");
        if manifest.is_file() {
            manifests.push(manifest);
        }
    }
    if manifests.is_empty() {
        return Ok(Outcome::skipped("examples has no crate yet"));
    }
    manifests.sort();
    for manifest in manifests {
        // Each is a workspace of its own, which the other steps do not see.
        process::run(session.workspace.cargo().args(["fmt", "--check", "--manifest-path"]).arg(&manifest))?;
        process::run(
            session
                .workspace
                .cargo()
                .args(["clippy", "--quiet", "--target=wasm32-unknown-unknown", "--manifest-path"])
                .arg(&manifest)
                .arg("--target-dir")
                .arg(session.workspace.target("examples"))
                .args(["--", "-D", "warnings"]),
        )?;
    }
    Ok(Outcome::PASSED)
}
