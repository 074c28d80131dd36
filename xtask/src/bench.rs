//! `cargo xtask bench`: `benches/run.mjs`, which measures in Chromium and prints what it found.

use crate::build::{self, Mode};
use crate::cli::Arguments;
use crate::error::Result;
use crate::fault_server::FaultServer;
use crate::process;
use crate::setup;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    // Those of the script, in its own spelling; it writes files relative to the root.
    let mut options = Vec::new();
    for flag in ["--check", "--markdown", "--node"] {
        if arguments.flag(flag) {
            options.push(flag.to_owned());
        }
    }
    for name in ["--json", "--profile"] {
        if let Some(file) = arguments.value(name)? {
            options.extend([name.to_owned(), file]);
        }
    }
    arguments.finish()?;
    build::build(workspace, Mode::Release)?;
    let chromium = setup::chromium()?;
    process::run(
        workspace
            .node("benches/run.mjs")
            .args(options)
            .env("STEADFETCH_PKG", workspace.package())
            .env("STEADFETCH_SERVER_BIN", FaultServer::binary(workspace)?)
            .env("STEADFETCH_CHROMIUM", &chromium.browser),
    )
}
