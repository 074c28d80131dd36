//! The npm package: built, measured, and used as its users use it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::error::{Context, Result};
use crate::test::session::{Package, Session};
use crate::test::step::{Outcome, Step};
use crate::{process, size};

const LIMIT: Duration = Duration::from_secs(20 * 60);
/// For one file of tests, in milliseconds: a promise that never settles must not stop the run. Cases have shorter limits.
const FILE_LIMIT: &str = "--test-timeout=900000";
/// The hosts beside Node, by the start of the names of their suites.
const HOSTS: &[&str] = &["chromium", "firefox", "webkit", "deno", "bun"];

/// The harness's names of the places that a browser has beside its windows.
const DEDICATED: &str = "dedicated-worker";
const SHARED: &str = "shared-worker";
const SERVICE: &str = "service-worker";

#[derive(Clone, Copy)]
struct Host {
    /// Its suites begin with it.
    name: &'static str,
    /// Adds to a command what the suites need to start it.
    provide: fn(&mut Session<'_>, &mut Command) -> Result,
}

const NODE: Host = Host { name: "node", provide: |_, _| Ok(()) };
const CHROMIUM: Host = Host { name: "chromium", provide: chromium };
const FIREFOX: Host = Host { name: "firefox", provide: firefox };
const WEBKIT: Host = Host { name: "webkit", provide: webkit };

pub(super) const PACKAGE_STEPS: &[Step] = &[
    Step::new("build", "the npm package", build),
    Step::new("size", "what a browser downloads", size),
    Step::new("publint", "the package as other tools see it", publint),
];

pub(super) const STEPS: &[Step] = &[
    Step::new("npm-node", "the packed package in Node", npm_node),
    Step::new("npm-chromium", "the packed package in pages of Chromium", |s| in_pages(s, CHROMIUM)),
    Step::new("playground", "the playground in Chromium", playground),
    Step::new("npm-windows", "the packed package in pages of Firefox and WebKitGTK", in_windows).extra(),
    Step::new("npm-firefox", "the packed package in pages of Firefox", |s| in_pages(s, FIREFOX)).named(),
    Step::new("npm-webkit", "the packed package in pages of WebKitGTK", |s| in_pages(s, WEBKIT)).named(),
    Step::new("compare-fetch", "api.fetch beside fetch, by random calls", |s| compare_fetch(s, false)).named(),
    Step::new("compare-fetch-full", "the same with more calls", |s| compare_fetch(s, true)).extra(),
    Step::new("npm-deno", "the packed package in Deno", |s| npm_runtime(s, "deno")).extra(),
    Step::new("npm-bun", "the packed package in Bun", |s| npm_runtime(s, "bun")).extra(),
    Step::new("npm-node-translated", "the engine in JavaScript, in Node", |s| translated(s, NODE)).extra(),
    Step::new("npm-chromium-translated", "the same in Chromium", |s| translated(s, CHROMIUM)).extra(),
    Step::new("npm-node-full", "what is long, in full: leaks, large bodies", |s| in_full(s, NODE)).extra(),
    Step::new("npm-chromium-full", "the same in Chromium", |s| in_full(s, CHROMIUM)).extra(),
    Step::new("npm-firefox-full", "the same in Firefox", |s| in_full(s, FIREFOX)).extra(),
    Step::new("npm-webkit-full", "the same in WebKitGTK", |s| in_full(s, WEBKIT)).extra(),
    Step::new("npm-chromium-dedicated", "the same in a worker", |s| in_worker(s, CHROMIUM, DEDICATED)).extra(),
    Step::new("npm-chromium-shared", "the same in a shared worker", |s| in_worker(s, CHROMIUM, SHARED)).extra(),
    Step::new("npm-chromium-service", "the same in a service worker", |s| in_worker(s, CHROMIUM, SERVICE)).extra(),
    Step::new("npm-firefox-dedicated", "the same in a worker", |s| in_worker(s, FIREFOX, DEDICATED)).extra(),
    Step::new("npm-firefox-shared", "the same in a shared worker", |s| in_worker(s, FIREFOX, SHARED)).extra(),
    Step::new("npm-firefox-service", "the same in a service worker", |s| in_worker(s, FIREFOX, SERVICE)).extra(),
    Step::new("npm-webkit-dedicated", "the same in a worker", |s| in_worker(s, WEBKIT, DEDICATED)).extra(),
    Step::new("npm-webkit-shared", "the same in a shared worker", |s| in_worker(s, WEBKIT, SHARED)).extra(),
    Step::new("npm-webkit-service", "the same in a service worker", |s| in_worker(s, WEBKIT, SERVICE)).extra(),
];

fn build(session: &mut Session<'_>) -> Result<Outcome> {
    session.build()?;
    Ok(Outcome::PASSED)
}

fn size(session: &mut Session<'_>) -> Result<Outcome> {
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    size::report(session.workspace)?;
    Ok(Outcome::PASSED)
}

fn publint(session: &mut Session<'_>) -> Result<Outcome> {
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    process::run(session.workspace.npm_tool("publint").args(["run", "--strict"]).arg(session.workspace.package()))?;
    Ok(Outcome::PASSED)
}

fn npm_node(session: &mut Session<'_>) -> Result<Outcome> {
    run(session, "tests/npm", |name| !HOSTS.iter().any(|host| name.starts_with(host)), |_, _| Ok(()))
}

/// Those that npm installs.
fn npm_runtime(session: &mut Session<'_>, name: &str) -> Result<Outcome> {
    run(session, "tests/npm", |suite| suite.starts_with(name), |_, _| Ok(()))
}

fn in_pages(session: &mut Session<'_>, browser: Host) -> Result<Outcome> {
    run(session, "tests/npm", |suite| suite.starts_with(browser.name), browser.provide)
}

/// Both at once: most of the time the cases wait, and each browser has its own.
fn in_windows(session: &mut Session<'_>) -> Result<Outcome> {
    let both = [FIREFOX, WEBKIT];
    let wanted = |suite: &str| both.iter().any(|browser| suite.starts_with(browser.name));
    run(session, "tests/npm", wanted, |session, node| {
        both.iter().try_for_each(|browser| (browser.provide)(session, node))
    })
}

fn in_worker(session: &mut Session<'_>, browser: Host, place: &str) -> Result<Outcome> {
    cases(session, browser, "STEADFETCH_PLACE", place)
}

fn translated(session: &mut Session<'_>, host: Host) -> Result<Outcome> {
    cases(session, host, "STEADFETCH_ENGINE", "javascript")
}

fn in_full(session: &mut Session<'_>, host: Host) -> Result<Outcome> {
    cases(session, host, "STEADFETCH_FULL", "1")
}

/// The random calls alone; the suites of the package have a few of them too.
fn compare_fetch(session: &mut Session<'_>, full: bool) -> Result<Outcome> {
    let hosts = [NODE, CHROMIUM, FIREFOX];
    let wanted = |suite: &str| hosts.iter().any(|host| suite == format!("{}.test.mjs", host.name));
    run(session, "tests/npm", wanted, |session, node| {
        node.env("STEADFETCH_CASE", "^compare-fetch");
        if full {
            node.env("STEADFETCH_FULL", "1");
        }
        hosts.iter().try_for_each(|host| (host.provide)(session, node))
    })
}

/// The cases alone, told something: the other suites are about pages.
fn cases(session: &mut Session<'_>, host: Host, variable: &str, value: &str) -> Result<Outcome> {
    let cases = format!("{}.test.mjs", host.name);
    let provide = |session: &mut Session<'_>, node: &mut Command| (host.provide)(session, node.env(variable, value));
    run(session, "tests/npm", |suite| suite == cases, provide)
}

fn playground(session: &mut Session<'_>) -> Result<Outcome> {
    run(session, "tests/playground", |_| true, chromium)
}

pub(super) fn chromium(session: &mut Session<'_>, node: &mut Command) -> Result {
    node.env("STEADFETCH_CHROMIUM", &session.chromium()?.browser)
        .env("STEADFETCH_PLAYGROUND", session.server()?.control());
    Ok(())
}

fn firefox(session: &mut Session<'_>, node: &mut Command) -> Result {
    node.env("STEADFETCH_FIREFOX", session.firefox()?);
    Ok(())
}

fn webkit(session: &mut Session<'_>, node: &mut Command) -> Result {
    let (driver, display) = session.webkit()?;
    display.show(node.env("STEADFETCH_WEBKIT_DRIVER", driver));
    Ok(())
}

fn not_built() -> Outcome {
    Outcome::skipped("the build failed: there is no package to test")
}

fn suites(session: &Session<'_>, directory: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let directory = session.workspace.path(directory);
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut suites = Vec::new();
    for entry in directory.read_dir().context(|| format!("listing {}", directory.display()))? {
        let path = entry.context(|| format!("listing {}", directory.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".test.mjs") && wanted(&name) {
            suites.push(path);
        }
    }
    suites.sort();
    Ok(suites)
}

/// Runs the wanted suites of a directory; `provide` adds what they need beside package and server.
pub(super) fn run(
    session: &mut Session<'_>,
    directory: &str,
    wanted: impl Fn(&str) -> bool,
    provide: impl FnOnce(&mut Session<'_>, &mut Command) -> Result,
) -> Result<Outcome> {
    let suites = suites(session, directory, wanted)?;
    if suites.is_empty() {
        return Ok(Outcome::skipped(format!("{directory} has no suite for this yet")));
    }
    if session.build()? == Package::Missing {
        return Ok(not_built());
    }
    let installed = session.installed()?.to_owned();
    let server = session.server_binary()?.to_owned();
    let has = |host: &str| suites.iter().any(|suite| suite.file_name().is_some_and(|name| starts_with(name, host)));
    let hosts = HOSTS.iter().filter(|host| has(host)).count();
    let mut node = session.workspace.node_command();
    node.args(["--test", "--test-reporter=spec", FILE_LIMIT]);
    if hosts > 1 {
        // As many files at once; by itself Node leaves a core free.
        node.arg(format!("--test-concurrency={hosts}"));
    }
    node.args(suites).env("STEADFETCH_PKG", installed).env("STEADFETCH_SERVER_BIN", server);
    provide(session, &mut node)?;
    session.suite(&mut node, LIMIT)
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.to_string_lossy().starts_with(start)
}
