//! Chromium and its driver, for the tests and the benchmark.

use std::path::PathBuf;

use crate::error::Result;
use crate::setup::apt;
use crate::setup::program::{find, whereabouts};

#[derive(Clone)]
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: &[&str] = &["chromedriver"];

/// `CHROMIUM` and `CHROMEDRIVER` name other ones than those on PATH.
pub(crate) fn chromium() -> Result<Chromium> {
    let both = || {
        let browser = find("CHROMIUM", BROWSERS)?;
        let driver = find("CHROMEDRIVER", DRIVERS)?;
        Ok(browser.zip(driver).map(|(browser, driver)| Chromium { browser, driver }))
    };
    apt::provided(&["chromium", "chromium-driver"], both, missing)
}

fn missing() -> String {
    format!(
        "the browser tests need Chromium and its driver.\n  browser: {}\n  driver:  {}\nDebian, Ubuntu: apt-get install \
         chromium chromium-driver. Elsewhere: install Chrome or Chromium and the chromedriver of the same major version, \
         or set CHROMIUM and CHROMEDRIVER to their paths. `cargo xtask demo` and `build` need neither.",
        whereabouts(BROWSERS),
        whereabouts(DRIVERS)
    )
}
