//! `wasm-bindgen-test-runner`, of the very version in Cargo.lock: it refuses what any other version of the crate made.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{process, say};

const PROGRAM: &str = "wasm-bindgen-test-runner";

pub(crate) fn test_runner(workspace: &Workspace) -> Result<PathBuf> {
    let version = workspace.locked("wasm-bindgen")?;
    if let Some(found) = runner_in(Path::new(""), &version) {
        return Ok(found);
    }
    let tools = cache()?;
    let home = tools.join(format!("wasm-bindgen-{version}"));
    let bin = home.join("bin");
    if let Some(found) = runner_in(&bin, &version) {
        return Ok(found);
    }
    // Two commands at once must not install into one place.
    let _lock = Lock::acquire(&tools.join(format!("wasm-bindgen-{version}.lock")), "the installation of wasm-bindgen")?;
    if let Some(found) = runner_in(&bin, &version) {
        return Ok(found);
    }
    install(&version, &home)?;
    runner_in(&bin, &version)
        .context(|| format!("{PROGRAM} {version} was installed, but does not run: {}", bin.display()))
}

/// The program in `directory` (on PATH, if it is empty), if it is of that version.
fn runner_in(directory: &Path, version: &str) -> Option<PathBuf> {
    let program = directory.join(PROGRAM);
    let said = process::output(Command::new(&program).arg("--version")).ok()?;
    (said.split_whitespace().last() == Some(version)).then_some(program)
}

fn install(version: &str, home: &Path) -> Result {
    say::doing("installing", &format!("wasm-bindgen-cli {version} into {} (once; a minute or two)", home.display()));
    let build = home.join("build");
    // Debug and without features: the fastest build that has the test runner. Not `--locked`: the lock file of the
    // package names versions that not every registry still has.
    process::run(
        Command::new("cargo")
            .args(["install", "wasm-bindgen-cli", "--version", version, "--debug", "--no-default-features"])
            .arg("--root")
            .arg(home)
            .arg("--target-dir")
            .arg(&build)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // What the caller has set for the workspace is not meant for the tool.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            // Away from the checkout's own Cargo configuration and toolchain file.
            .current_dir(env::temp_dir()),
    )?;
    fs::remove_dir_all(&build).context(|| format!("removing {}", build.display()))
}

/// Outside the checkout, so that a fresh clone finds it.
fn cache() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .or_else(|| variable("LOCALAPPDATA"))
        .context(|| "none of XDG_CACHE_HOME, HOME and LOCALAPPDATA is set: no place for tools".into())?;
    let cache = base.join("steadfetch").join("tools");
    fs::create_dir_all(&cache).context(|| format!("creating {}", cache.display()))?;
    Ok(cache)
}
