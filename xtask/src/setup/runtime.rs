//! Deno and Bun, as npm installs them.

use std::env;
use std::path::PathBuf;

use crate::error::{Context, Result};
use crate::setup::npm::packages;
use crate::workspace::Workspace;

pub(crate) fn deno(workspace: &Workspace) -> Result<PathBuf> {
    program(workspace, "@deno", "deno")
}

pub(crate) fn bun(workspace: &Workspace) -> Result<PathBuf> {
    program(workspace, "@oven", "bin/bun")
}

/// Out of the package for this machine, the only one of its scope that npm has installed. The runtime's own package
/// puts it elsewhere with an install script, which is not run.
fn program(workspace: &Workspace, scope: &str, program: &str) -> Result<PathBuf> {
    packages(workspace)?;
    let scope = workspace.path("node_modules").join(scope);
    let none = || format!("npm has no {program} for this machine: {} is empty", scope.display());
    let mut packages = scope.read_dir().context(none)?;
    let package = packages.next().context(none)?.context(none)?;
    Ok(package.path().join(format!("{program}{}", env::consts::EXE_SUFFIX)))
}
