//! `cargo xtask setup`: everything the other commands need.
//!
//! Each command asks for its own tools, so a person who only wants the demo never installs a browser. When a tool is
//! there, asking for it costs milliseconds and says nothing.

mod apt;
mod cargo_tool;
mod chromium;
mod firefox;
mod miri;
mod npm;
mod program;
mod runtime;
mod test_runner;
mod wasm_pack;
mod wasm_target;
mod webkit;

pub(crate) use chromium::{Chromium, chromium};
pub(crate) use firefox::{firefox, geckodriver};
pub(crate) use miri::{TOOLCHAIN as MIRI_TOOLCHAIN, miri};
pub(crate) use npm::{consumer, consumers, npm, packages};
pub(crate) use runtime::{bun, deno};
pub(crate) use test_runner::{test_runner, wasm_bindgen};
pub(crate) use wasm_pack::wasm_pack;
pub(crate) use wasm_target::wasm_target;
pub(crate) use webkit::{WebKit, webkit};

use crate::cli::Arguments;
use crate::error::Result;
use crate::say;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, arguments: Arguments) -> Result {
    arguments.finish()?;
    let ready = |what: &str| say::doing("ready", what);
    wasm_target()?;
    ready("target wasm32-unknown-unknown");
    ready(&test_runner(workspace)?.display().to_string());
    packages(workspace)?;
    ready("npm packages (node_modules)");
    let chromium = chromium()?;
    ready(&format!("{} and {}", chromium.browser.display(), chromium.driver.display()));
    ready(&format!("{} and {}", firefox()?.display(), geckodriver()?.display()));
    let webkit = webkit()?;
    ready(&format!("{} and {}", webkit.driver.display(), webkit.display_server.display()));
    Ok(())
}
