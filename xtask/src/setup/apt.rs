//! Packages of Debian and Ubuntu, installed where that is possible without asking: as root.

use std::process::Command;

use crate::error::{Context, Failure, Result};
use crate::setup::program::on_path;
use crate::{process, say};

/// What `find` finds, if need be after an installation of `packages`; `missing` says what a person can do instead.
pub(super) fn provided<T>(
    packages: &[&str],
    find: impl Fn() -> Result<Option<T>>,
    missing: impl Fn() -> String,
) -> Result<T> {
    if let Some(found) = find()? {
        return Ok(found);
    }
    if !can_install() {
        return Err(Failure::new(missing()));
    }
    say::doing("installing", &format!("{} (apt-get)", packages.join(", ")));
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())?;
    find()?.context(missing)
}

fn can_install() -> bool {
    let root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && on_path("apt-get").is_some()
}

fn apt(arguments: &[&str]) -> Result {
    process::run(
        Command::new("apt-get")
            // Another installation may be running: wait for it instead of failing.
            .args(["-o", "DPkg::Lock::Timeout=300", "-q"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}
