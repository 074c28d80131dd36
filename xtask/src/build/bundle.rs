//! The facade's modules and the glue, as one file for each entry.

use std::path::Path;

use crate::build::Mode;
use crate::build::package::{COMMON, MODULE, entries};
use crate::build::stage::Stage;
use crate::error::Result;
use crate::workspace::Workspace;
use crate::{process, say};

/// The entries that carry the engine, and the copy that the others load when the file fails.
const WITH_BYTES: &[&str] = &["inline", "js", "node", "steadfetch_bg"];
/// The entries whose `parts.js` is a file of its own. Bundled first, their names of properties are the shortest.
const SPARING: &[&str] = &["index", "vite"];
const PARTS: &str = "parts";
/// Files of the package that no entry of `exports` names: the module's bytes, and the module as JavaScript.
const ENGINES: [&str; 2] = ["steadfetch_bg", "steadfetch_js"];

pub(super) fn bundle(workspace: &Workspace, stage: &Stage, mode: Mode) -> Result {
    say::doing("bundling", "the facade (esbuild)");
    let (entries, common) = (entries(workspace, MODULE)?, entries(workspace, COMMON)?);
    let all = || entries.iter().map(String::as_str).chain(ENGINES);
    let (with_bytes, with_file): (Vec<_>, Vec<_>) =
        all().filter(|entry| !SPARING.contains(entry)).partition(|entry| WITH_BYTES.contains(entry));
    // Looked for beside the bundle when it runs: the modules (as an import where a platform has that), the copy, and what
    // the platform itself provides.
    let outside =
        ["--external:./*.wasm", "--external:./steadfetch_bg.js", "--external:./steadfetch_js.js", "--external:node:*"];
    // Both sides of what `parts.js` is lent call it by the same names.
    let names = format!("--mangle-cache={}", stage.sources.join("names.json").display());
    esbuild(workspace, stage, SPARING, &[&outside[..], &["--external:./parts.js", &names]].concat(), mode)?;
    esbuild(workspace, stage, &[PARTS], &[&names], mode)?;
    esbuild(workspace, stage, &with_file, &outside, mode)?;
    esbuild(workspace, stage, &with_bytes, &["--external:node:*"], mode)?;
    // `X.cjs` is made of `X.js`, and strict like a module.
    let common: Vec<_> = common.iter().map(String::as_str).collect();
    esbuild(
        workspace,
        stage,
        &common,
        &["--format=cjs", "--out-extension:.js=.cjs", "--banner:js='use strict';"],
        mode,
    )?;
    if mode == Mode::Release {
        let modules = all().chain([PARTS]).map(|name| format!("{name}.{MODULE}"));
        minify(workspace, stage, modules.chain(common.iter().map(|name| format!("{name}.{COMMON}"))))?;
    }
    Ok(())
}

/// What terser still finds in esbuild's output is half a kilobyte of brotli.
fn minify(workspace: &Workspace, stage: &Stage, files: impl Iterator<Item = String>) -> Result {
    say::doing("minifying", "the bundles (terser)");
    process::run(workspace.node("xtask/minify.mjs").args(files.map(|file| stage.package.join(file))))
}

fn esbuild(workspace: &Workspace, stage: &Stage, entries: &[&str], how: &[&str], mode: Mode) -> Result {
    let mut esbuild = workspace.npm_tool("esbuild");
    esbuild
        .current_dir(&stage.sources)
        .args(entries.iter().map(|entry| format!("./{entry}.js")))
        .arg(outdir(&stage.package))
        .args(["--bundle", "--format=esm", "--target=es2022", "--platform=neutral", "--log-level=warning"])
        // Properties that end in `_` are the facade's own, of no use to anybody outside a bundle.
        .arg("--mangle-props=[^_]_$")
        .args(how);
    match mode {
        // Terser removes the whitespace; esbuild would remove the comments for other bundlers with it.
        Mode::Release => esbuild.args(["--minify-syntax", "--minify-identifiers", "--legal-comments=none"]),
        Mode::Dev => esbuild.arg("--sourcemap=inline"),
    };
    process::run(&mut esbuild)
}

fn outdir(package: &Path) -> String {
    format!("--outdir={}", package.display())
}
