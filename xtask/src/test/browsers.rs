//! The wasm-bindgen-test suites of tests/browser: the same binaries in Node, in browsers and in their workers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::error::{Context, Failure, Result};
use crate::setup::{self, Chromium};
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};

const LIMIT: Duration = Duration::from_secs(20 * 60);
/// For all tests of one binary, in seconds; the runner's own 20 s are too few for a machine under load.
const BINARY_LIMIT: &str = "300";

pub(super) const NODE_STEPS: &[Step] =
    &[Step { name: "wasm-node", what: "the Rust API in Node", extra: false, run: node }];

pub(super) const STEPS: &[Step] = &[
    Step { name: "wasm-chromium", what: "the Rust API in a page of Chromium", extra: false, run: chromium },
    Step {
        name: "wasm-dedicated-worker",
        what: "the Rust API in a dedicated worker of Chromium",
        extra: true,
        run: |session| chromium_in(session, "WASM_BINDGEN_USE_DEDICATED_WORKER"),
    },
    Step {
        name: "wasm-shared-worker",
        what: "the Rust API in a shared worker of Chromium",
        extra: true,
        run: |session| chromium_in(session, "WASM_BINDGEN_USE_SHARED_WORKER"),
    },
    Step {
        name: "wasm-service-worker",
        what: "the Rust API in a service worker of Chromium",
        extra: true,
        run: |session| chromium_in(session, "WASM_BINDGEN_USE_SERVICE_WORKER"),
    },
    Step { name: "wasm-firefox", what: "the Rust API in a page of Firefox", extra: true, run: firefox },
];

fn node(session: &mut Session<'_>) -> Result<Outcome> {
    run(session, |_| ())
}

fn chromium(session: &mut Session<'_>) -> Result<Outcome> {
    chromium_in(session, "WASM_BINDGEN_USE_BROWSER")
}

fn chromium_in(session: &mut Session<'_>, place: &'static str) -> Result<Outcome> {
    let Chromium { browser, driver } = session.chromium()?.clone();
    let capabilities = capabilities(session, &browser)?;
    run(session, |cargo| {
        cargo.env(place, "1").env("CHROMEDRIVER", driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities);
    })
}

/// tests/browser/webdriver.json, and which browser the driver is to start: left alone it picks one by itself.
fn capabilities(session: &Session<'_>, browser: &Path) -> Result<PathBuf> {
    let path = session.workspace.path("tests/browser/webdriver.json");
    let text = fs::read_to_string(&path).context(|| format!("reading {}", path.display()))?;
    let mut capabilities: Value = serde_json::from_str(&text).context(|| format!("reading {}", path.display()))?;
    capabilities["goog:chromeOptions"]["binary"] = browser.to_string_lossy().into();
    let named = session.workspace.target("steadfetch/webdriver.json");
    if let Some(parent) = named.parent() {
        fs::create_dir_all(parent).context(|| format!("creating {}", parent.display()))?;
    }
    fs::write(&named, capabilities.to_string()).context(|| format!("writing {}", named.display()))?;
    Ok(named)
}

fn firefox(session: &mut Session<'_>) -> Result<Outcome> {
    let driver = setup::on_path("geckodriver").zip(setup::on_path("firefox").or_else(|| setup::on_path("firefox-esr")));
    let Some((driver, _)) = driver else {
        return Err(Failure::new(
            "needs Firefox and geckodriver. Debian: apt-get install firefox-esr; cargo install geckodriver --locked",
        ));
    };
    run(session, |cargo| {
        cargo.env("WASM_BINDGEN_USE_BROWSER", "1").env("GECKODRIVER", driver).env_remove("CHROMEDRIVER");
    })
}

fn run(session: &mut Session<'_>, place: impl FnOnce(&mut Command)) -> Result<Outcome> {
    let suites = session.workspace.path("tests/browser/tests");
    if !suites.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Ok(Outcome::skipped("tests/browser/tests has no suite yet"));
    }
    let runner = session.test_runner()?.to_owned();
    let server = session.server()?.control().to_owned();
    let mut cargo = session.workspace.cargo();
    cargo
        // Not `--quiet`: it is handed on to the runner, which does not know it.
        .args(["test", "--no-fail-fast", "--test", "*"])
        .args(["--package=steadfetch-browser-tests", "--target=wasm32-unknown-unknown"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
        .env("WASM_BINDGEN_TEST_TIMEOUT", BINARY_LIMIT)
        // Read by `option_env!`: a page has no environment.
        .env("STEADFETCH_FAULT_SERVER", server);
    place(&mut cargo);
    session.suite(&mut cargo, LIMIT)
}
