//! Rust's standard library for wasm.

use std::path::Path;
use std::process::Command;

use crate::error::Result;
use crate::{process, say};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn wasm_target() -> Result {
    let libraries = process::output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    say::doing("adding", &format!("Rust target {TARGET}"));
    process::run(Command::new("rustup").args(["target", "add", TARGET]))
}
