//! `cargo xtask bench`: `benches/run.mjs`, which measures in a browser and prints what it found.

use crate::build::{self, Mode};
use crate::cli::Arguments;
use crate::display::Display;
use crate::error::{Failure, Result};
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
    let browser = arguments.value("--browser")?;
    arguments.finish()?;
    build::build(workspace, Mode::Release)?;
    let mut node = workspace.node("benches/run.mjs");
    node.args(options)
        .env("STEADFETCH_PKG", workspace.package())
        .env("STEADFETCH_SERVER_BIN", FaultServer::binary(workspace)?);
    match browser.as_deref() {
        None | Some("chromium") => process::run(node.env("STEADFETCH_BROWSER", &setup::chromium()?.browser)),
        Some("firefox") => {
            process::run(node.args(["--browser", "firefox"]).env("STEADFETCH_BROWSER", setup::firefox()?))
        }
        Some("webkit") => {
            let webkit = setup::webkit()?;
            let display = Display::start(&webkit.display_server)?;
            display.show(&mut node);
            process::run(node.args(["--browser", "webkit"]).env("STEADFETCH_BROWSER", &webkit.driver))
        }
        Some(other) => Err(Failure::new(format!("--browser {other}: chromium, firefox or webkit"))),
    }
}
