//! From Rust to the wasm module and its glue.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::Mode;
use crate::error::{Context, Result};
use crate::fingerprint::Fingerprint;
use crate::setup::WasmBindgen;
use crate::workspace::Workspace;
use crate::{process, say};

/// The control flow built anew between two rounds of shrinking is worth 1 % of brotli.
const SHRINK: &[&str] = &["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz"];

/// What Cargo made.
pub(super) struct Compiled {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// What the package gets.
pub(super) struct Module {
    pub(super) wasm: PathBuf,
    pub(super) glue: PathBuf,
}

pub(super) fn compile(workspace: &Workspace, mode: Mode) -> Result<Compiled> {
    say::doing("compiling", "js/ for wasm");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--quiet", "--package=steadfetch-js", "--target=wasm32-unknown-unknown"]);
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
    Ok(Compiled { path, bytes })
}

/// Found by trying, with brotli as the judge: less inlining than this makes more of the calls than it saves.
const INLINING: &str = "-Cllvm-args=-inline-threshold=25";

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

/// `wasm-bindgen` and `wasm-opt`, whose result is kept: work on the facade never waits for them.
pub(super) fn process(workspace: &Workspace, compiled: &Compiled, tools: &WasmBindgen, mode: Mode) -> Result<Module> {
    let key = Fingerprint::new()
        .part(&compiled.bytes)
        .part(tools.version.as_bytes())
        .file(&workspace.path("package-lock.json"))?
        .file(&workspace.path("xtask/src/build/wasm.rs"))?
        .finish();
    let kept = workspace.target("steadfetch/wasm");
    let directory = kept.join(&key);
    let module = Module { wasm: directory.join("module.wasm"), glue: directory.join("glue.js") };
    if module.wasm.is_file() && module.glue.is_file() {
        return Ok(module);
    }
    // Only the newest is kept.
    if kept.is_dir() {
        fs::remove_dir_all(&kept).context(|| format!("removing {}", kept.display()))?;
    }

    say::doing("binding", &format!("wasm-bindgen {}", tools.version));
    let mut bindgen = Command::new(&tools.bindgen);
    bindgen
        // The one flavour that loads everywhere; how the file is found is the facade's business.
        .args(["--target=web", "--omit-default-module-path", "--no-typescript", "--out-name=glue"])
        // `__wbg_reset_state`: a new instance after a trap.
        .arg("--experimental-reset-state-function")
        .arg("--out-dir")
        .arg(&directory)
        .arg(&compiled.path);
    process::run(&mut bindgen)?;

    let bound = directory.join("glue_bg.wasm");
    match mode {
        Mode::Release => {
            say::doing("shrinking", "the module (wasm-opt)");
            // From npm: Debian's binaryen 108 breaks the table of references. Never `--all-features`: it emits types
            // that Node 20 refuses.
            process::run(
                workspace
                    .npm_tool("wasm-opt")
                    .args(SHRINK)
                    .args(["--strip-debug", "--strip-producers", "--strip-target-features", "-o"])
                    .arg(&module.wasm)
                    .arg(&bound),
            )?;
            fs::remove_file(&bound)
        }
        Mode::Dev => fs::rename(&bound, &module.wasm),
    }
    .context(|| format!("moving {}", bound.display()))?;
    Ok(module)
}
