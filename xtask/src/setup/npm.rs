//! The npm packages that the build, the tests and the consumers use: `npm ci` when a package-lock.json has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Failure, Result};
use crate::fingerprint::Fingerprint;
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{process, say};

/// What npm installs by, and what has changed if it has to install anew.
const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];

pub(crate) fn packages(workspace: &Workspace) -> Result {
    node()?;
    install(workspace, workspace.root(), workspace.root(), "npm packages")
}

/// The directory of the installed projects of tests/consumers.
pub(crate) fn consumers(workspace: &Workspace) -> PathBuf {
    workspace.target("steadfetch/consumers")
}

/// Installs the npm packages of a project of tests/consumers, outside of the checkout: no tool then finds ours.
pub(crate) fn consumer(workspace: &Workspace, project: &str) -> Result {
    let source = workspace.path("tests/consumers").join(project);
    install(workspace, &source, &consumers(workspace).join(project), &format!("npm packages of the consumer {project}"))
}

/// `npm ci` in `place`, by the manifests of `source`.
fn install(workspace: &Workspace, source: &Path, place: &Path, what: &str) -> Result {
    let wanted = wanted(source)?;
    let stamp = place.join("node_modules/.installed");
    let installed = || fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
    if installed() {
        return Ok(());
    }
    let _lock = Lock::acquire(&workspace.path("target/npm.lock"), "npm ci")?;
    if installed() {
        return Ok(());
    }
    say::doing("installing", &format!("{what} (npm ci)"));
    if source != place {
        let failed = || format!("preparing {}", place.display());
        fs::create_dir_all(place).context(failed)?;
        for file in MANIFESTS {
            fs::copy(source.join(file), place.join(file)).context(failed)?;
        }
    }
    // Nothing we use needs an install script.
    process::run(
        npm().args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(place),
    )?;
    fs::write(&stamp, wanted).context(|| format!("writing {}", stamp.display()))
}

pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn wanted(source: &Path) -> Result<String> {
    let mut fingerprint = Fingerprint::new();
    for file in MANIFESTS {
        fingerprint.file(&source.join(file))?;
    }
    Ok(fingerprint.finish())
}

fn node() -> Result {
    const NEEDED: u32 = 20;
    let how = "install Node 20 or newer, with npm, from nodejs.org or your system's packages";
    let said = process::output(Command::new("node").arg("--version"))
        .map_err(|error| Failure::new(format!("Node is missing ({error}): {how}")))?;
    match major(&said) {
        Some(major) if major >= NEEDED => Ok(()),
        _ => Err(Failure::new(format!("Node {} is too old: {how}", said.trim()))),
    }
}

fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v7"), Some(7));
        assert_eq!(major("nonsense"), None);
    }
}
