//! `cargo xtask build`: the npm package, in `pkg/`, ready for `npm pack`.
//!
//! 1. `cargo build` of `js/` for wasm, lean and full ([`wasm`]);
//! 2. `wasm-opt`: `module.wasm` of each, kept by the hash of the input ([`wasm`]);
//! 3. `wasm2js`: the full module as JavaScript ([`translate`]);
//! 4. a stage, `target/steadfetch/stage`: `pkg-template/src` without its types, with the full module, both as text (`lean.js`,
//!    `full.js`) and the translated one beside the facade's own files ([`stage`]);
//! 5. `esbuild` and `terser` of each entry that the `exports` of `pkg-template/package.json` name, and of the optional chunks
//!    ([`bundle`]);
//! 6. the texts, and the swap with the old `pkg/` ([`package`]).

mod bundle;
mod package;
mod stage;
mod text;
mod translate;
mod wasm;

use crate::cli::Arguments;
use crate::error::Result;
use crate::fingerprint::Fingerprint;
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{generate, say, setup};

/// The full module, for hosts that import one and for those who keep it elsewhere.
pub(crate) const WASM: &str = "steadfetch_bg.wasm";
/// The lean module as text: what most pages need. It is in the stage only, since the entries hold it.
pub(crate) const LEAN: &str = "lean.js";
/// The full module as text.
pub(crate) const FULL: &str = "full.js";
/// The full module as JavaScript, for places without WebAssembly.
pub(crate) const TRANSLATED: &str = "translated.js";
/// The JavaScript that only some clients use.
pub(crate) const PARTS: &str = "parts.js";
/// The JavaScript of event streams, for clients that read one.
pub(crate) const EVENTS: &str = "events.js";
/// The JavaScript of writes, for clients that use it.
pub(crate) const WRITES: &str = "writes.js";
/// The JavaScript of requests that calls share.
pub(crate) const SHARING: &str = "sharing.js";

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
    let lean = wasm::compile(workspace, wasm::LEAN, mode)?;
    let full = wasm::compile(workspace, wasm::FULL, mode)?;
    let stamp = stamp(workspace, [&lean, &full], mode)?;
    if package::is_current(workspace, &stamp)? {
        return Ok(());
    }
    let translated = translate::translate(workspace, &full)?;
    let lean = wasm::shrink(workspace, &lean, mode)?;
    let full = wasm::shrink(workspace, &full, mode)?;
    let stage = stage::prepare(workspace, &lean, &full, &translated)?;
    bundle::bundle(workspace, &stage, mode)?;
    package::assemble(workspace, &stage, &stamp)?;
    say::doing("built", "pkg/");
    Ok(())
}

/// Everything that the package is made of, Cargo's part being told by its result.
fn stamp(workspace: &Workspace, modules: [&wasm::Compiled; 2], mode: Mode) -> Result<String> {
    let mut fingerprint = Fingerprint::new();
    for module in modules {
        fingerprint.part(&module.bytes);
    }
    fingerprint
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
