//! Chromium and its driver, for the tests and the benchmark.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::error::{Context, Failure, Result};
use crate::{process, say};

#[derive(Clone)]
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: &[&str] = &["chromedriver"];

pub(crate) fn chromium() -> Result<Chromium> {
    if let Some(found) = find()? {
        return Ok(found);
    }
    if !can_install() {
        return Err(Failure::new(missing()));
    }
    say::doing("installing", "chromium and chromium-driver (apt-get)");
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", "chromium", "chromium-driver"])?;
    find()?.context(missing)
}

/// `CHROMIUM` and `CHROMEDRIVER` name other ones than those on PATH.
fn find() -> Result<Option<Chromium>> {
    let browser = named("CHROMIUM")?.or_else(|| BROWSERS.iter().find_map(|name| on_path(name)));
    let driver = named("CHROMEDRIVER")?.or_else(|| DRIVERS.iter().find_map(|name| on_path(name)));
    Ok(browser.zip(driver).map(|(browser, driver)| Chromium { browser, driver }))
}

fn named(variable: &str) -> Result<Option<PathBuf>> {
    match env::var_os(variable).map(PathBuf::from) {
        Some(path) if !path.is_file() => {
            Err(Failure::new(format!("{variable} names {}, which is no file", path.display())))
        }
        named => Ok(named),
    }
}

pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(&name)).find(|path| path.is_file())
}

fn can_install() -> bool {
    let root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && on_path("apt-get").is_some()
}

fn apt(arguments: &[&str]) -> Result {
    process::run(
        Command::new("apt-get")
            // Another installation may be running: wait for it instead of failing.
            .args(["-o", "DPkg::Lock::Timeout=300", "-q"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

fn missing() -> String {
    let state = |names: &[&str]| match names.iter().find_map(|name| on_path(name)) {
        Some(path) => path.display().to_string(),
        None => format!("missing ({} is not on PATH)", names.join(", ")),
    };
    format!(
        "the browser tests need Chromium and its driver.\n  browser: {}\n  driver:  {}\nDebian, Ubuntu: apt-get install \
         chromium chromium-driver. Elsewhere: install Chrome or Chromium and the chromedriver of the same major version, \
         or set CHROMIUM and CHROMEDRIVER to their paths. `cargo xtask demo` and `build` need neither.",
        state(BROWSERS),
        state(DRIVERS)
    )
}
