//! The wasm-bindgen-test suites of tests/browser in browsers and in their workers.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::{Context, Result};
use crate::say;
use crate::setup::{self, Chromium};
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};
use crate::test::wasm::{LIMIT, cargo, for_wasm};

/// The runner's names of the places that a browser has.
const WINDOW: &str = "WASM_BINDGEN_USE_BROWSER";
const DEDICATED: &str = "WASM_BINDGEN_USE_DEDICATED_WORKER";
const SHARED: &str = "WASM_BINDGEN_USE_SHARED_WORKER";
const SERVICE: &str = "WASM_BINDGEN_USE_SERVICE_WORKER";

pub(super) const STEPS: &[Step] = &[
    Step::new("wasm-chromium", "the Rust API in a page of Chromium", |s| chromium(s, WINDOW)),
    Step::new("wasm-firefox", "the Rust API in a page of Firefox", |s| firefox(s, WINDOW)),
    Step::new("wasm-webkit", "the Rust API in a page of WebKitGTK", |s| webkit(s, WINDOW)),
    Step::new("wasm-chromium-dedicated", "the same in a worker", |s| chromium(s, DEDICATED)).extra(),
    Step::new("wasm-chromium-shared", "the same in a shared worker", |s| chromium(s, SHARED)).extra(),
    Step::new("wasm-chromium-service", "the same in a service worker", |s| chromium(s, SERVICE)).extra(),
    Step::new("wasm-firefox-dedicated", "the same in a worker", |s| firefox(s, DEDICATED)).extra(),
    Step::new("wasm-firefox-shared", "the same in a shared worker", |s| firefox(s, SHARED)).extra(),
    Step::new("wasm-firefox-service", "the same in a service worker", |s| firefox(s, SERVICE)).extra(),
    Step::new("wasm-webkit-dedicated", "the same in a worker", |s| webkit(s, DEDICATED)).extra(),
    Step::new("wasm-webkit-shared", "the same in a shared worker", |s| webkit(s, SHARED)).extra(),
    Step::new("wasm-webkit-service", "the same in a service worker", |s| webkit(s, SERVICE)).extra(),
    Step::new("wasm-pack-chrome", "the same by wasm-pack test --headless --chrome", wasm_pack_chrome).extra(),
    Step::new("wasm-pack-firefox", "the same by wasm-pack test --headless --firefox", wasm_pack_firefox).extra(),
];

fn chromium(session: &mut Session<'_>, place: &str) -> Result<Outcome> {
    let cargo = cargo(session)?;
    in_chromium(session, cargo, place)
}

fn firefox(session: &mut Session<'_>, place: &str) -> Result<Outcome> {
    let cargo = cargo(session)?;
    in_firefox(session, cargo, place)
}

fn wasm_pack_chrome(session: &mut Session<'_>) -> Result<Outcome> {
    let driver = session.chromium()?.driver.clone();
    let wasm_pack = wasm_pack(session, &["--chrome", "--chromedriver"], &driver)?;
    in_chromium(session, wasm_pack, WINDOW)
}

fn wasm_pack_firefox(session: &mut Session<'_>) -> Result<Outcome> {
    let driver = session.geckodriver()?.to_owned();
    let wasm_pack = wasm_pack(session, &["--firefox", "--geckodriver"], &driver)?;
    in_firefox(session, wasm_pack, WINDOW)
}

fn in_chromium(session: &mut Session<'_>, mut command: Command, place: &str) -> Result<Outcome> {
    let Chromium { browser, driver } = session.chromium()?.clone();
    let capabilities = capabilities(session, "goog:chromeOptions", &browser)?;
    in_browser(&mut command, place, "CHROMEDRIVER", &driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities);
    session.suite(&mut command, LIMIT)
}

fn in_firefox(session: &mut Session<'_>, mut command: Command, place: &str) -> Result<Outcome> {
    let browser = session.firefox()?.to_owned();
    let driver = session.geckodriver()?.to_owned();
    let capabilities = capabilities(session, "moz:firefoxOptions", &browser)?;
    in_browser(&mut command, place, "GECKODRIVER", &driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities);
    session.suite(&mut command, LIMIT)
}

/// The runner takes the driver for Safari's, which it gives no capabilities.
fn webkit(session: &mut Session<'_>, place: &str) -> Result<Outcome> {
    let mut cargo = cargo(session)?;
    let (driver, display) = session.webkit()?;
    display.show(in_browser(&mut cargo, place, "SAFARIDRIVER", driver));
    let outcome = session.suite(&mut cargo, LIMIT)?;
    if outcome.died {
        // One run of a hundred ends so: the driver does not answer.
        say::warning("no test has failed, and yet the run has: it is made once more");
        return session.suite(&mut cargo, LIMIT);
    }
    Ok(outcome)
}

/// The runner takes the first driver that it hears of.
fn in_browser<'a>(cargo: &'a mut Command, place: &str, variable: &str, driver: &Path) -> &'a mut Command {
    for other in ["GECKODRIVER", "SAFARIDRIVER", "CHROMEDRIVER", "MSEDGEDRIVER"] {
        cargo.env_remove(other).env_remove(format!("{other}_REMOTE"));
    }
    cargo.env(place, "1").env(variable, driver)
}

/// tests/browser/webdriver.json, and which browser the driver is to start: left alone it picks one by itself.
fn capabilities(session: &Session<'_>, options: &str, browser: &Path) -> Result<PathBuf> {
    let path = session.workspace.path("tests/browser/webdriver.json");
    let text = fs::read_to_string(&path).context(|| format!("reading {}", path.display()))?;
    let mut capabilities: Value = serde_json::from_str(&text).context(|| format!("reading {}", path.display()))?;
    capabilities[options]["binary"] = browser.to_string_lossy().into();
    let named = session.workspace.target("steadfetch/webdriver.json");
    if let Some(parent) = named.parent() {
        fs::create_dir_all(parent).context(|| format!("creating {}", parent.display()))?;
    }
    fs::write(&named, capabilities.to_string()).context(|| format!("writing {}", named.display()))?;
    Ok(named)
}

/// `wasm-pack test` of the same suites. It takes the test runner from PATH, and what it does not find it would download.
fn wasm_pack(session: &mut Session<'_>, browser: &[&str], driver: &Path) -> Result<Command> {
    let mut wasm_pack = Command::new(setup::wasm_pack()?);
    let runner = session.test_runner()?;
    let found = env::var_os("PATH").unwrap_or_default();
    let directories = runner.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&found));
    let path = env::join_paths(directories.filter(|path| !path.as_os_str().is_empty()));
    wasm_pack
        .args(["test", "--headless"])
        .args(browser)
        .arg(driver)
        .arg("tests/browser")
        .current_dir(session.workspace.root())
        .env("PATH", path.context(|| "putting the test runner on PATH".into())?);
    for_wasm(session, wasm_pack)
}
