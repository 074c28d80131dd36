//! From Rust to the wasm module. Its exports are plain functions of numbers, so nothing has to bind it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::build::stage::copy;
use crate::build::{Mode, WASM};
use crate::error::{Context, Result};
use crate::fingerprint::Fingerprint;
use crate::workspace::Workspace;
use crate::{process, say};

/// The control flow built anew between two rounds of shrinking is worth 1 % of brotli. So is it to leave the larger
/// functions that are called from one place where they are (found by trying).
const SHRINK: &[&str] = &["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz", "--one-caller-inline-max-function-size=30"];

/// One of the modules of the package: the same source, with more or less in it.
#[derive(Clone, Copy)]
pub(super) struct Module {
    /// Its name in the package and in the stage.
    pub(super) file: &'static str,
    /// What Cargo is told beside the rest.
    features: &'static [&'static str],
}

pub(super) const LEAN: Module = Module { file: "steadfetch_lean_bg.wasm", features: &[] };
pub(super) const FULL: Module = Module { file: WASM, features: &["--features=full"] };

/// What Cargo made.
pub(super) struct Compiled {
    pub(super) module: Module,
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

pub(super) fn compile(workspace: &Workspace, module: Module, mode: Mode) -> Result<Compiled> {
    say::doing("compiling", &format!("js/ for wasm: {}", module.file));
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--quiet", "--package=steadfetch-js", "--target=wasm32-unknown-unknown"]);
    cargo.args(module.features);
    let profile = match mode {
        Mode::Release => {
            cargo.arg("--release");
            "release"
        }
        Mode::Dev => "debug",
    };
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags());
    process::run(&mut cargo)?;
    let path = workspace.target(&format!("wasm32-unknown-unknown/{profile}/steadfetch_js.wasm"));
    let bytes = fs::read(&path).context(|| format!("reading {}", path.display()))?;
    // Cargo's next module goes to the same place.
    let kept = workspace.target("steadfetch/compiled").join(module.file);
    copy(&path, &kept)?;
    Ok(Compiled { module, path: kept, bytes })
}

/// Found by trying, with brotli as the judge: less inlining than this makes more of the calls than it saves.
const INLINING: &str = "-Cllvm-args=-inline-threshold=30";

fn flags() -> OsString {
    let mut flags = OsString::from(INLINING);
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo").into_os_string());
    if let Some(cargo_home) = std::env::var_os("CARGO_HOME").or(home) {
        // The panic messages of dependencies name their files: without the path of this machine the module is shorter,
        // and the same on every machine.
        flags.push(" --remap-path-prefix=");
        flags.push(cargo_home);
        flags.push("=cargo");
    }
    flags
}

/// `wasm-opt`, whose result is kept: work on the facade never waits for it.
pub(super) fn shrink(workspace: &Workspace, compiled: &Compiled, mode: Mode) -> Result<PathBuf> {
    if mode == Mode::Dev {
        return Ok(compiled.path.clone());
    }
    let Kept { file: module, is_current } = kept(workspace, compiled, "wasm", "module.wasm")?;
    if is_current {
        return Ok(module);
    }
    say::doing("shrinking", &format!("{} (wasm-opt)", compiled.module.file));
    // From npm: Debian's binaryen is years older. Never `--all-features`: it emits types that Node 20 refuses.
    process::run(
        workspace
            .npm_tool("wasm-opt")
            .args(SHRINK)
            // Of the linker: the facade does not ask for its two globals.
            .arg("--remove-exports=__*")
            .args(["--strip-debug", "--strip-producers", "--strip-target-features", "-o"])
            .arg(&module)
            .arg(&compiled.path),
    )?;
    Ok(module)
}

/// A file that is made of a compiled module, and made again only if that has changed.
pub(super) struct Kept {
    pub(super) file: PathBuf,
    pub(super) is_current: bool,
}

/// The place of what is made of a module for `purpose`; only the newest is kept.
pub(super) fn kept(workspace: &Workspace, compiled: &Compiled, purpose: &str, name: &str) -> Result<Kept> {
    let key = Fingerprint::new()
        .part(&compiled.bytes)
        .file(&workspace.path("package-lock.json"))?
        .file(&workspace.path("xtask/src/build/wasm.rs"))?
        .file(&workspace.path("xtask/src/build/translate.rs"))?
        .finish();
    let places = workspace.target(&format!("steadfetch/{purpose}")).join(compiled.module.file);
    let place = places.join(&key);
    let file = place.join(name);
    if file.is_file() {
        return Ok(Kept { file, is_current: true });
    }
    if places.is_dir() {
        fs::remove_dir_all(&places).context(|| format!("removing {}", places.display()))?;
    }
    fs::create_dir_all(&place).context(|| format!("creating {}", place.display()))?;
    Ok(Kept { file, is_current: false })
}
