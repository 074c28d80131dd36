//! A display without a screen, for browsers that have no headless mode.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::{Context, Result};
use crate::process::{self, Running};

/// An X server that ends when this is dropped.
pub(crate) struct Display {
    name: String,
    _server: Running,
}

impl Display {
    pub(crate) fn start(program: &Path) -> Result<Self> {
        let mut server = process::spawn(
            Command::new(program)
                // It picks a number that is free, and writes it when it is ready.
                .args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                // Warnings about keyboards.
                .stderr(Stdio::null()),
        )?;
        let output = server.0.stdout.take().context(|| "the display has no stdout".into())?;
        let mut number = String::new();
        BufReader::new(output).read_line(&mut number).context(|| format!("starting {}", program.display()))?;
        let number = number.trim();
        let number: u32 = number.parse().context(|| format!("{} said {number:?} and no number", program.display()))?;
        Ok(Self { name: format!(":{number}"), _server: server })
    }

    /// What `command` starts is seen here, and talks to nothing else of the desktop.
    pub(crate) fn show(&self, command: &mut Command) {
        command
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("GDK_BACKEND", "x11")
            // Asking for a bus where none is starts one that nobody ends.
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
    }
}
