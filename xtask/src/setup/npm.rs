//! The npm packages that the build and the tests use: `npm ci` when package-lock.json has changed.

use std::fs;
use std::process::Command;

use crate::error::{Context, Failure, Result};
use crate::fingerprint::Fingerprint;
use crate::lock::Lock;
use crate::workspace::Workspace;
use crate::{process, say};

pub(crate) fn packages(workspace: &Workspace) -> Result {
    node()?;
    let wanted = wanted(workspace)?;
    let stamp = workspace.path("node_modules/.installed");
    let installed = || fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
    if installed() {
        return Ok(());
    }
    let _lock = Lock::acquire(&workspace.path("target/npm.lock"), "npm ci")?;
    if installed() {
        return Ok(());
    }
    say::doing("installing", "npm packages (npm ci)");
    // Nothing we use needs an install script.
    process::run(
        npm()
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(workspace.root()),
    )?;
    fs::write(&stamp, wanted).context(|| format!("writing {}", stamp.display()))
}

pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

fn wanted(workspace: &Workspace) -> Result<String> {
    let mut fingerprint = Fingerprint::new();
    for file in ["package.json", "package-lock.json"] {
        fingerprint.file(&workspace.path(file))?;
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
