//! `cargo xtask bench`: `benches/run.mjs`, which measures in Chromium and prints its table.

use crate::build::{self, Mode};
use crate::cli::Arguments;
use crate::error::Result;
use crate::fault_server::{FaultServer, Static};
use crate::process;
use crate::setup;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, arguments: Arguments) -> Result {
    arguments.finish()?;
    build::build(workspace, Mode::Release)?;
    let chromium = setup::chromium()?;
    let binary = FaultServer::binary(workspace)?;
    // The pages, the product, and the packages that it is compared with.
    let statics = [("/", "benches"), ("/pkg", "pkg"), ("/node_modules", "node_modules")]
        .map(|(prefix, directory)| Static { prefix, directory: workspace.path(directory) });
    let server = FaultServer::start(&binary, 0, &statics)?;
    process::run(
        workspace
            .node("benches/run.mjs")
            .env("STEADFETCH_PKG", workspace.package())
            .env("STEADFETCH_SERVER", server.control())
            .env("STEADFETCH_SERVER_BIN", &binary)
            .env("STEADFETCH_CHROMIUM", &chromium.browser),
    )
}
