//! `cargo xtask setup`: everything the other commands need.
//!
//! Each command asks for its own tools, so a person who only wants the demo never installs a browser. When a tool is
//! there, asking for it costs milliseconds and says nothing.

mod browser;
mod npm;
mod test_runner;
mod wasm_target;

pub(crate) use browser::{Chromium, chromium, on_path};
pub(crate) use npm::{npm, packages};
pub(crate) use test_runner::test_runner;
pub(crate) use wasm_target::wasm_target;

use crate::cli::Arguments;
use crate::error::Result;
use crate::say;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, arguments: Arguments) -> Result {
    arguments.finish()?;
    wasm_target()?;
    say::doing("ready", "target wasm32-unknown-unknown");
    let runner = test_runner(workspace)?;
    say::doing("ready", &runner.display().to_string());
    packages(workspace)?;
    say::doing("ready", "npm packages (node_modules)");
    let chromium = chromium()?;
    say::doing("ready", &format!("{} and {}", chromium.browser.display(), chromium.driver.display()));
    Ok(())
}
