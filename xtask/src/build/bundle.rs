//! The facade's modules and the glue, as one file for each entry.

use std::fs;
use std::path::Path;

use crate::build::Mode;
use crate::build::package::{COMMON, MODULE, entries};
use crate::build::stage::Stage;
use crate::error::{Context as _, Result};
use crate::workspace::Workspace;
use crate::{process, say};

/// The entries that load what is in files of their own. Bundled first, their names of properties are the shortest.
const SPARING: &[&str] = &["production", "vite", "index"];
/// What they load.
const LOADED: &[&str] = &["parts", "writes", "events", "sharing", "full", "translated"];

pub(super) fn bundle(workspace: &Workspace, stage: &Stage, mode: Mode) -> Result {
    say::doing("bundling", "the facade (esbuild)");
    let (entries, common) = (entries(workspace, MODULE)?, entries(workspace, COMMON)?);
    let whole: Vec<_> = entries.iter().map(String::as_str).filter(|entry| !SPARING.contains(entry)).collect();
    let outside: Vec<_> = LOADED.iter().map(|name| format!("--external:./{name}.js")).collect();
    // Both sides of what an optional chunk is lent call it by the same names.
    let names = format!("--mangle-cache={}", stage.sources.join("names.json").display());
    let sparing: Vec<_> = outside.iter().map(String::as_str).chain([names.as_str()]).collect();
    esbuild(workspace, stage, SPARING, &sparing, mode)?;
    esbuild(workspace, stage, LOADED, &[&names], mode)?;
    // What a platform imports or provides itself.
    esbuild(workspace, stage, &whole, &["--external:./*.wasm", "--external:node:*"], mode)?;
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
        let modules = whole.iter().chain(SPARING).chain(LOADED).map(|name| format!("{name}.{MODULE}"));
        minify(workspace, stage, modules.chain(common.iter().map(|name| format!("{name}.{COMMON}"))))?;
        for name in LOADED {
            pad(&stage.package.join(format!("{name}.{MODULE}")))?;
        }
    }
    Ok(())
}

/// Vite puts an asset below 4096 bytes into the script that names it, as a `data:` URL: every page would download it, and a policy of
/// the page that allows its own scripts would refuse it. Spaces compress to nothing.
fn pad(file: &Path) -> Result {
    const INLINED_BELOW: usize = 4096;
    let failed = || format!("padding {}", file.display());
    let mut script = fs::read_to_string(file).context(failed)?;
    if script.len() < INLINED_BELOW {
        let missing = INLINED_BELOW - script.len();
        script.push_str("\n//");
        script.extend(std::iter::repeat_n(' ', missing));
        fs::write(file, script).context(failed)?;
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
