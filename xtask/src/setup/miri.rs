//! Miri, the interpreter that finds undefined behaviour: a component of Rust's nightly toolchain.

use std::process::Command;

use crate::error::Result;
use crate::{process, say};

/// The toolchain that has it.
pub(crate) const TOOLCHAIN: &str = "nightly";

pub(crate) fn miri() -> Result {
    let is_there =
        || process::output(Command::new("cargo").args([&format!("+{TOOLCHAIN}"), "miri", "--version"])).is_ok();
    if is_there() {
        return Ok(());
    }
    say::doing("adding", "Miri (rustup, nightly)");
    let with = ["--profile=minimal", "--component=miri", "--component=rust-src"];
    process::run(Command::new("rustup").args(["toolchain", "install", TOOLCHAIN, "--no-self-update"]).args(with))
}
