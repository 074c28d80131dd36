//! The facade's modules and the glue, as one file for each entry.

use std::path::Path;

use crate::build::Mode;
use crate::build::stage::Stage;
use crate::error::Result;
use crate::workspace::Workspace;
use crate::{process, say};

/// The entries that carry the module's bytes: `inline`, and the copy that the others load when the file fails.
const WITH_BYTES: &[&str] = &["inline", "steadfetch_bg"];

pub(super) fn bundle(workspace: &Workspace, stage: &Stage, entries: &[String], mode: Mode) -> Result {
    say::doing("bundling", "the facade (esbuild)");
    let (with_bytes, with_file): (Vec<_>, Vec<_>) =
        entries.iter().map(String::as_str).chain(["steadfetch_bg"]).partition(|entry| WITH_BYTES.contains(entry));
    esbuild(
        workspace,
        stage,
        &with_file,
        // Looked for beside the bundle when it runs: the module (as an import where a platform has that), its copy, and
        // what the platform itself provides.
        &["--external:./steadfetch_bg.wasm", "--external:./steadfetch_bg.js", "--external:node:*"],
        mode,
    )?;
    esbuild(workspace, stage, &with_bytes, &["--loader:.wasm=base64"], mode)?;
    if mode == Mode::Release {
        minify(workspace, stage, &[with_file, with_bytes].concat())?;
    }
    Ok(())
}

/// What terser still finds in esbuild's output is half a kilobyte of brotli.
fn minify(workspace: &Workspace, stage: &Stage, entries: &[&str]) -> Result {
    say::doing("minifying", "the bundles (terser)");
    let files = entries.iter().map(|entry| stage.package.join(format!("{entry}.js")));
    process::run(workspace.node("xtask/minify.mjs").args(files))
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
        Mode::Release => esbuild.args(["--minify", "--legal-comments=none"]),
        Mode::Dev => esbuild.arg("--sourcemap=inline"),
    };
    process::run(&mut esbuild)
}

fn outdir(package: &Path) -> String {
    format!("--outdir={}", package.display())
}
