//! What several steps share, made when the first of them asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::build::{self, Mode};
use crate::demo;
use crate::display::Display;
use crate::error::{Context, Result};
use crate::fault_server::FaultServer;
use crate::process;
use crate::setup::{self, Chromium, WebKit};
use crate::test::counts::Counts;
use crate::test::step::Outcome;
use crate::workspace::Workspace;

/// The wasm tests are compiled with the server's address, so a port of its own saves compiling them anew.
const PORT: u16 = 18_480;

pub(super) struct Session<'a> {
    pub(super) workspace: &'a Workspace,
    test_runner: Option<PathBuf>,
    chromium: Option<Chromium>,
    firefox: Option<PathBuf>,
    geckodriver: Option<PathBuf>,
    webkit: Option<WebKit>,
    display: Option<Display>,
    server_binary: Option<PathBuf>,
    server: Option<FaultServer>,
    built: Option<bool>,
    installed: Option<PathBuf>,
}

impl<'a> Session<'a> {
    pub(super) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            test_runner: None,
            chromium: None,
            firefox: None,
            geckodriver: None,
            webkit: None,
            display: None,
            server_binary: None,
            server: None,
            built: None,
            installed: None,
        }
    }

    /// What runs the wasm tests.
    pub(super) fn test_runner(&mut self) -> Result<&Path> {
        let workspace = self.workspace;
        made_once(&mut self.test_runner, || {
            setup::wasm_target()?;
            setup::test_runner(workspace)
        })
        .map(PathBuf::as_path)
    }

    pub(super) fn chromium(&mut self) -> Result<&Chromium> {
        made_once(&mut self.chromium, setup::chromium)
    }

    pub(super) fn firefox(&mut self) -> Result<&Path> {
        made_once(&mut self.firefox, setup::firefox).map(PathBuf::as_path)
    }

    pub(super) fn geckodriver(&mut self) -> Result<&Path> {
        made_once(&mut self.geckodriver, setup::geckodriver).map(PathBuf::as_path)
    }

    /// The driver of WebKit, and a display for its browser.
    pub(super) fn webkit(&mut self) -> Result<(&Path, &Display)> {
        let webkit = made_once(&mut self.webkit, setup::webkit)?;
        let display = made_once(&mut self.display, || Display::start(&webkit.display_server))?;
        Ok((&webkit.driver, display))
    }

    pub(super) fn server_binary(&mut self) -> Result<&Path> {
        let workspace = self.workspace;
        made_once(&mut self.server_binary, || FaultServer::binary(workspace)).map(PathBuf::as_path)
    }

    /// A running fault server, with the playground as its pages.
    pub(super) fn server(&mut self) -> Result<&FaultServer> {
        let binary = self.server_binary()?.to_owned();
        let statics = demo::statics(self.workspace);
        made_once(&mut self.server, || FaultServer::start(&binary, PORT, &statics))
    }

    /// `pkg/`, built once: the first asker gets the failure, the others hear that there is nothing to test.
    pub(super) fn build(&mut self) -> Result<Package> {
        match self.built {
            Some(true) => Ok(Package::Built),
            Some(false) => Ok(Package::Missing),
            None => {
                let result = build::build(self.workspace, Mode::Release);
                self.built = Some(result.is_ok());
                result.map(|()| Package::Built)
            }
        }
    }

    /// The package as its users get it: packed, and unpacked into the `node_modules` of an empty project.
    pub(super) fn installed(&mut self) -> Result<&Path> {
        let workspace = self.workspace;
        made_once(&mut self.installed, || install(workspace)).map(PathBuf::as_path)
    }

    /// Runs a suite, with its output passed on, and counts its tests.
    pub(super) fn suite(&self, command: &mut Command, limit: Duration) -> Result<Outcome> {
        let counts = Arc::new(Mutex::new(Counts::default()));
        let counting = Arc::clone(&counts);
        let status = process::watch(command, limit, move |line| {
            println!("{line}");
            counting.lock().unwrap_or_else(PoisonError::into_inner).read(line);
        })?;
        let mut counts = *counts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut note = None;
        let died = !status.success() && counts.failed == 0;
        if !status.success() {
            // It may have died before it could count.
            counts.failed = counts.failed.max(1);
            note = Some(format!("ended with {status}"));
        } else if counts.unheard > 0 {
            note = Some(format!("it ended well, and yet {} of its tests have no result", counts.unheard));
            counts.failed += counts.unheard;
        } else if counts == Counts::default() {
            note = Some("it has no tests".into());
        }
        Ok(Outcome { counts, note, died })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Package {
    Built,
    /// Because the build failed, which has been reported.
    Missing,
}

fn made_once<T>(place: &mut Option<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if place.is_none() {
        *place = Some(make()?);
    }
    place.as_ref().context(|| "made, and gone".into())
}

fn install(workspace: &Workspace) -> Result<PathBuf> {
    let consumer = workspace.target("steadfetch/consumer");
    let modules = consumer.join("node_modules");
    let failed = || format!("preparing {}", consumer.display());
    if consumer.exists() {
        fs::remove_dir_all(&consumer).context(failed)?;
    }
    fs::create_dir_all(&modules).context(failed)?;
    process::output(
        setup::npm()
            .args(["pack", "--loglevel=error", "--pack-destination"])
            .arg(&consumer)
            .arg(workspace.package())
            .current_dir(workspace.root()),
    )?;
    let tarball = consumer.join(format!("steadfetch-{}.tgz", workspace.version()));
    process::run(Command::new("tar").arg("-xzf").arg(&tarball).arg("-C").arg(&modules))?;
    let installed = modules.join("steadfetch");
    fs::rename(modules.join("package"), &installed).context(failed)?;
    fs::write(consumer.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n").context(failed)?;
    Ok(installed)
}
