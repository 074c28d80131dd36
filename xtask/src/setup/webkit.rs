//! WebKitGTK for the tests: its driver, which brings a browser, and a display without a screen for that.

use std::path::PathBuf;

use crate::error::Result;
use crate::setup::apt;
use crate::setup::program::{find, whereabouts};

#[derive(Clone)]
pub(crate) struct WebKit {
    pub(crate) driver: PathBuf,
    pub(crate) display_server: PathBuf,
}

const DRIVERS: &[&str] = &["WebKitWebDriver"];
const DISPLAY_SERVERS: &[&str] = &["Xvfb"];

/// `WEBKIT_DRIVER` and `XVFB` name other ones than those on PATH.
pub(crate) fn webkit() -> Result<WebKit> {
    let both = || {
        let driver = find("WEBKIT_DRIVER", DRIVERS)?;
        let display_server = find("XVFB", DISPLAY_SERVERS)?;
        Ok(driver.zip(display_server).map(|(driver, display_server)| WebKit { driver, display_server }))
    };
    apt::provided(&["webkit2gtk-driver", "xvfb"], both, missing)
}

fn missing() -> String {
    format!(
        "the tests in WebKit need the driver of WebKitGTK and Xvfb.\n  driver:  {}\n  display: {}\nDebian, Ubuntu: apt-get \
         install webkit2gtk-driver xvfb. Elsewhere: install them, or set WEBKIT_DRIVER and XVFB to their paths.",
        whereabouts(DRIVERS),
        whereabouts(DISPLAY_SERVERS)
    )
}
