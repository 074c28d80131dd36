//! What Rust's own tools check.

use std::process::Command;
use std::time::Duration;

use crate::cli::Arguments;
use crate::error::{Context, Failure, Result};
use crate::setup;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};
use crate::{generate, process, simulate};

/// For compiling everything on a slow machine, and running it.
const LIMIT: Duration = Duration::from_secs(30 * 60);

pub(super) const STEPS: &[Step] = &[
    Step::new("format", "cargo fmt --check", format),
    Step::new("clippy", "cargo clippy, every target of the host", clippy),
    Step::new("clippy-wasm", "cargo clippy for wasm32-unknown-unknown", clippy_wasm),
    Step::new("docs", "cargo doc without warnings", docs),
    Step::new("packed", "the crates pack their sources and nothing else", packed),
    Step::new("generated", "the generated files say what the tables say", generated),
    Step::new("native", "the tests of the host", native),
    Step::new("native-lean", "the engine as the lean module has it", native_lean),
    Step::new("native-full", "the engine as the full module has it", native_full),
    Step::new("miri", "the allocator of the wasm module, under Miri", miri).extra(),
    Step::new("doc-tests", "the examples in the documentation", doc_tests),
    Step::new("simulate", "the simulations hold what the docs say", simulate).extra(),
    Step::new("examples", "the example apps: cargo fmt and clippy, for wasm", examples).extra(),
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

/// What `cargo publish` would pack: no tests, and nothing of another directory whose name happens to fit.
fn packed(session: &mut Session<'_>) -> Result<Outcome> {
    const FILES: [&str; 7] = [
        ".cargo_vcs_info.json",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
    ];
    for package in ["--package=steadfetch", "--package=steadfetch-core"] {
        let list = ["package", "--quiet", "--list", "--allow-dirty", "--offline", package];
        let files = process::output(session.workspace.cargo().args(list))?;
        let is_source = |file: &str| file.starts_with("src/") && !file.starts_with("src/tests/");
        if let Some(file) = files.lines().find(|file| !is_source(file) && !FILES.contains(file)) {
            return Err(Failure::new(format!("{package} packs {file}: see `include` in its Cargo.toml")));
        }
    }
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

/// The Rust API has circuits, lanes and tokens that come late, and Cargo unites the features of a workspace; the full module has
/// them from the start.
fn native_full(session: &mut Session<'_>) -> Result<Outcome> {
    let mut cargo = session.workspace.cargo();
    cargo.args(["test", "--quiet", "--no-fail-fast", "--package=steadfetch-core"]);
    session.suite(&mut cargo, LIMIT)
}

/// The one part with unsafe code of its own.
fn miri(session: &mut Session<'_>) -> Result<Outcome> {
    setup::miri()?;
    let mut cargo = Command::new("cargo");
    cargo.arg(format!("+{}", setup::MIRI_TOOLCHAIN)).current_dir(session.workspace.root());
    cargo.args(["miri", "test", "--quiet", "--package=steadfetch-js", "blocks::"]);
    session.suite(cargo.env("MIRIFLAGS", "-Zmiri-strict-provenance"), LIMIT)
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
