//! Firefox for the tests, and geckodriver for those that are driven by WebDriver.

use std::path::PathBuf;

use crate::error::Result;
use crate::setup::apt;
use crate::setup::cargo_tool::CargoTool;
use crate::setup::program::{find, whereabouts};

const BROWSERS: &[&str] = &["firefox", "firefox-esr"];

/// No package of Debian has it, and nothing else than its own version is asked of it.
const GECKODRIVER: CargoTool<'_> =
    CargoTool { package: "geckodriver", version: "0.37.1", program: "geckodriver", options: &["--locked", "--debug"] };

/// `FIREFOX` names another one than that on PATH.
pub(crate) fn firefox() -> Result<PathBuf> {
    apt::provided(
        &["firefox-esr"],
        || find("FIREFOX", BROWSERS),
        || {
            format!(
                "the tests in Firefox need Firefox.\n  browser: {}\nDebian: apt-get install firefox-esr. Elsewhere: \
                 install it, or set FIREFOX to its path.",
                whereabouts(BROWSERS)
            )
        },
    )
}

/// `GECKODRIVER`, or any that is on PATH, else one that is compiled once.
pub(crate) fn geckodriver() -> Result<PathBuf> {
    match find("GECKODRIVER", &[GECKODRIVER.program])? {
        Some(found) => Ok(found),
        None => GECKODRIVER.get(),
    }
}
