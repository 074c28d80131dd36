//! The directory in which the facade finds everything that it imports.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::build::text::encode;
use crate::build::{FULL, LEAN, TRANSLATED, WASM};
use crate::error::{Context, Result};
use crate::fingerprint::files_below;
use crate::process;
use crate::workspace::Workspace;

pub(super) struct Stage {
    pub(super) sources: PathBuf,
    /// The package that is being made.
    pub(super) package: PathBuf,
}

pub(super) fn prepare(workspace: &Workspace, lean: &Path, full: &Path, translated: &Path) -> Result<Stage> {
    let stage =
        Stage { sources: workspace.target("steadfetch/stage"), package: workspace.target("steadfetch/package") };
    for directory in [&stage.sources, &stage.package] {
        empty(directory)?;
    }
    let facade = workspace.path("pkg-template/src");
    let mut typed = files_below(&facade)?;
    // Declarations of what the facade finds outside of itself.
    typed.retain(|file| !file.to_string_lossy().ends_with(".d.ts"));
    strip_types(workspace, &typed, &facade, &stage.sources)?;
    copy(full, &stage.sources.join(WASM))?;
    copy(full, &stage.package.join(WASM))?;
    copy(translated, &stage.sources.join(TRANSLATED))?;
    for (module, name) in [(lean, LEAN), (full, FULL)] {
        let bytes = fs::read(module).context(|| format!("reading {}", module.display()))?;
        let script = stage.sources.join(name);
        fs::write(&script, format!("export default \"{}\";\n", encode(&bytes)))
            .context(|| format!("writing {}", script.display()))?;
    }
    Ok(stage)
}

/// TypeScript becomes JavaScript here, so that whatever reads the stage needs to know of one language only. The step
/// `types` checks it.
fn strip_types(workspace: &Workspace, typed: &[PathBuf], facade: &Path, sources: &Path) -> Result {
    let mut esbuild = workspace.npm_tool("esbuild");
    esbuild.args(typed).args([option("--outbase=", facade), option("--outdir=", sources)]).args([
        "--format=esm",
        "--target=es2022",
        "--log-level=warning",
    ]);
    process::run(&mut esbuild)
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

fn empty(directory: &Path) -> Result {
    if directory.exists() {
        fs::remove_dir_all(directory).context(|| format!("removing {}", directory.display()))?;
    }
    fs::create_dir_all(directory).context(|| format!("creating {}", directory.display()))
}

pub(super) fn copy(from: &Path, to: &Path) -> Result {
    let failed = || format!("copying {} to {}", from.display(), to.display());
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).context(failed)?;
    }
    fs::copy(from, to).map(|_| ()).context(failed)
}
