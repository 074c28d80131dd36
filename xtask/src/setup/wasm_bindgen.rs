//! `wasm-bindgen` and its test runner, of the very version in Cargo.lock: they refuse the output of any other.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{process, say};

pub(crate) struct WasmBindgen {
    pub(crate) version: String,
    pub(crate) bindgen: PathBuf,
    pub(crate) test_runner: PathBuf,
}

pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Result<WasmBindgen> {
    let version = workspace.locked("wasm-bindgen")?;
    if let Some(tools) = at(Path::new(""), &version) {
        return Ok(tools);
    }
    let tools = cache()?;
    let cache = tools.join(format!("wasm-bindgen-{version}"));
    let bin = cache.join("bin");
    if let Some(tools) = at(&bin, &version) {
        return Ok(tools);
    }
    // Two commands at once must not install into one place.
    let _lock = Lock::acquire(&tools.join(format!("wasm-bindgen-{version}.lock")), "the installation of wasm-bindgen")?;
    if let Some(tools) = at(&bin, &version) {
        return Ok(tools);
    }
    install(&version, &cache)?;
    at(&bin, &version).context(|| format!("wasm-bindgen {version} was installed, but does not run: {}", bin.display()))
}

/// The tools in `directory` (on PATH, if it is empty), if both are of that version.
fn at(directory: &Path, version: &str) -> Option<WasmBindgen> {
    let tool = |name: &str| {
        let program = directory.join(name);
        let said = process::output(Command::new(&program).arg("--version")).ok()?;
        (said.split_whitespace().last() == Some(version)).then_some(program)
    };
    Some(WasmBindgen {
        bindgen: tool("wasm-bindgen")?,
        test_runner: tool("wasm-bindgen-test-runner")?,
        version: version.to_owned(),
    })
}

fn install(version: &str, cache: &Path) -> Result {
    say::doing("installing", &format!("wasm-bindgen-cli {version} into {} (once; a minute or two)", cache.display()));
    let build = cache.join("build");
    // Debug and without features: the fastest build that has the test runner. Not `--locked`: the lock file of the
    // package names versions that not every registry still has.
    process::run(
        Command::new("cargo")
            .args(["install", "wasm-bindgen-cli", "--version", version, "--debug", "--no-default-features"])
            .arg("--root")
            .arg(cache)
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
