//! `cargo xtask demo`: the playground, until Ctrl-C.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::thread;

use crate::build::{self, Mode};
use crate::cli::Arguments;
use crate::error::{Context, Result};
use crate::fault_server::{FaultServer, Static};
use crate::say;
use crate::workspace::Workspace;

const PORT: u16 = 8080;

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let port = arguments.port("--port")?.unwrap_or(PORT);
    let no_open = arguments.flag("--no-open");
    arguments.finish()?;

    build::build(workspace, Mode::Release)?;
    say::doing("compiling", "the fault server");
    let binary = FaultServer::binary(workspace)?;
    let mut server = FaultServer::start(&binary, port, &statics(workspace))?;
    let address = format!("{}/", server.control());
    println!("The playground is at {address} (Ctrl-C ends it)");
    std::io::stdout().flush().context(|| "writing to stdout".into())?;
    if !no_open && std::io::stdout().is_terminal() {
        open(&address);
    }
    server.wait()
}

/// The pages of the playground, and what they load.
pub(crate) fn statics(workspace: &Workspace) -> [Static<'static>; 4] {
    [("/", "www"), ("/pkg", "pkg"), ("/scenarios", "tests/scenarios"), ("/server", "tests/server")]
        .map(|(prefix, directory)| Static { prefix, directory: workspace.path(directory) })
}

/// Asks the system for its browser; where there is none the address has been printed.
fn open(address: &str) {
    let opener: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["cmd", "/C", "start", ""],
        _ => &["xdg-open"],
    };
    let [program, arguments @ ..] = opener else {
        return;
    };
    let browser = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Ok(mut browser) = browser {
        // Reaped when it ends; the server does not wait for it.
        thread::spawn(move || browser.wait());
    }
}
