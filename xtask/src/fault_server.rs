//! The fault server of tests/server, running for as long as a command needs it.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::error::{Context, Failure, Result};
use crate::process::{self, Running};
use crate::workspace::Workspace;

/// How many ports after the wanted one are tried.
const PORTS: u16 = 100;
/// A machine under load needs long to start a program.
const START_LIMIT: Duration = Duration::from_secs(30);

pub(crate) struct FaultServer {
    control: String,
    process: Running,
}

/// A directory served below a path.
pub(crate) struct Static<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) directory: PathBuf,
}

impl FaultServer {
    /// Compiles the server, and tells where the program is.
    pub(crate) fn binary(workspace: &Workspace) -> Result<PathBuf> {
        process::run(workspace.cargo().args(["build", "--quiet", "--package=steadfetch-fault-server"]))?;
        Ok(workspace.target(&format!("debug/steadfetch-fault-server{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Starts it on `port`, or the next one that is free.
    pub(crate) fn start(binary: &Path, port: u16, statics: &[Static<'_>]) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            // It ends when its stdin does: also when we are killed.
            .arg("--parent-watch")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .args(["--port", &free_port(port)?.to_string()]);
        for each in statics {
            command.arg("--static").arg(format!("{}={}", each.prefix, each.directory.display()));
        }
        let mut server = process::spawn(&mut command)?;
        let output = server.0.stdout.take().context(|| "the fault server has no stdout".into())?;

        let (sender, first_line) = mpsc::channel();
        thread::spawn(move || {
            // Reads on after the first line, so that the server never waits for us.
            for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
                let _ = sender.send(line);
            }
        });
        let said = first_line
            .recv_timeout(START_LIMIT)
            .context(|| format!("{} said nothing: it did not start", binary.display()))?;
        Ok(Self { control: control(&said)?, process: server })
    }

    /// Waits until it ends, which it should only do with us.
    pub(crate) fn wait(&mut self) -> Result {
        // Without this the wait would close its stdin, and it would end at once.
        let stdin = self.process.0.stdin.take();
        let status = self.process.0.wait().context(|| "waiting for the fault server".into())?;
        drop(stdin);
        Err(Failure::new(format!("the fault server ended ({status})")))
    }

    /// `http://127.0.0.1:PORT`, the origin of its control interface and of the static directories.
    pub(crate) fn control(&self) -> &str {
        &self.control
    }
}

/// `{"control":"http://127.0.0.1:8080"}`
fn control(line: &str) -> Result<String> {
    let said: Value =
        serde_json::from_str(line).context(|| format!("the fault server said {line:?}, which is no JSON"))?;
    said["control"].as_str().map(str::to_owned).context(|| format!("the fault server said {line:?}, without control"))
}

/// 0: any.
fn free_port(wanted: u16) -> Result<u16> {
    if wanted == 0 {
        return Ok(0);
    }
    (wanted..=wanted.saturating_add(PORTS))
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .ok_or_else(|| Failure::new(format!("no port from {wanted} on is free")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_control_address_is_in_the_first_line() {
        assert_eq!(control(r#"{"control":"http://127.0.0.1:81"}"#).unwrap(), "http://127.0.0.1:81");
        assert!(control("listening").is_err());
        assert!(control("{}").is_err());
    }

    #[test]
    fn a_port_in_use_is_passed_over() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert!(free_port(port).is_ok_and(|free| free > port));
    }
}
