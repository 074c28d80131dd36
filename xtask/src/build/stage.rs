//! The directory in which the facade finds everything that it imports.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::{FULL_WASM, TRANSLATED, WASM};
use crate::error::{Context, Result};
use crate::fingerprint::files_below;
use crate::workspace::Workspace;

/// The module's bytes as base64; esbuild writes them in. The full one: where it is taken from, nothing else can be had.
const BASE64: &str = "export { default } from './steadfetch_full_bg.wasm';\n";

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
    for file in files_below(&facade)? {
        let name = file.strip_prefix(&facade).unwrap_or(&file);
        copy(&file, &stage.sources.join(name))?;
    }
    for (module, name) in [(lean, WASM), (full, FULL_WASM), (translated, TRANSLATED)] {
        copy(module, &stage.sources.join(name))?;
        copy(module, &stage.package.join(name))?;
    }
    let base64 = stage.sources.join("steadfetch_bg.js");
    fs::write(&base64, BASE64).context(|| format!("writing {}", base64.display()))?;
    Ok(stage)
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
