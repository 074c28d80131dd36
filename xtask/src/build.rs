//! `cargo xtask build`: the npm package, in `pkg/`, ready for `npm pack`.
//!
//! 1. `cargo build` of `js/` for wasm ([`wasm`]);
//! 2. `wasm-opt`: `module.wasm`, kept by the hash of the input ([`wasm`]);
//! 3. a stage, `target/steadfetch/stage`: a copy of `pkg-template/src`, with `steadfetch_bg.wasm` and
//!    `steadfetch_bg.js` (the same bytes as base64) beside the facade's own files ([`stage`]);
//! 4. `esbuild` and `terser` of each entry that the `exports` of `pkg-template/package.json` name ([`bundle`]);
//! 5. the texts, and the swap with the old `pkg/` ([`package`]).

mod bundle;
mod package;
mod stage;
mod wasm;

use crate::cli::Arguments;
use crate::error::Result;
use crate::fingerprint::Fingerprint;
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{generate, say, setup};

/// The wasm file's name in the package and in the stage.
pub(crate) const WASM: &str = "steadfetch_bg.wasm";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// What is published: smallest.
    Release,
    /// For looking into: names kept, debug assertions on, built faster.
    Dev,
}

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let mode = if arguments.flag("--dev") { Mode::Dev } else { Mode::Release };
    arguments.finish()?;
    build(workspace, mode)
}

pub(crate) fn build(workspace: &Workspace, mode: Mode) -> Result {
    setup::wasm_target()?;
    setup::packages(workspace)?;
    let _lock = Lock::acquire(&workspace.path("target/build.lock"), "cargo xtask build")?;

    generate::write(workspace)?;
    let compiled = wasm::compile(workspace, mode)?;
    let stamp = stamp(workspace, &compiled, mode)?;
    if package::is_current(workspace, &stamp)? {
        return Ok(());
    }
    let module = wasm::shrink(workspace, &compiled, mode)?;
    let stage = stage::prepare(workspace, &module)?;
    let entries = package::entries(workspace)?;
    bundle::bundle(workspace, &stage, &entries, mode)?;
    package::assemble(workspace, &stage, &stamp)?;
    say::doing("built", "pkg/");
    Ok(())
}

/// Everything that the package is made of, Cargo's part being told by its result.
fn stamp(workspace: &Workspace, compiled: &wasm::Compiled, mode: Mode) -> Result<String> {
    let mut fingerprint = Fingerprint::new();
    fingerprint
        .part(&compiled.bytes)
        .part(workspace.version().as_bytes())
        .part(&[u8::from(mode == Mode::Dev)])
        .file(&workspace.path("package-lock.json"))?
        .directory(&workspace.path("pkg-template"))?
        .directory(&workspace.path("xtask/src/build"))?
        .file(&workspace.path("xtask/minify.mjs"))?;
    for text in package::texts(workspace) {
        fingerprint.file(&text)?;
    }
    Ok(fingerprint.finish())
}
