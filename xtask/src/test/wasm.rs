//! `cargo test` of tests/browser: the same binaries everywhere, by environment variables alone.

use std::process::Command;
use std::time::Duration;

use crate::error::Result;
use crate::test::session::Session;

pub(super) const LIMIT: Duration = Duration::from_secs(20 * 60);
/// For all tests of one binary, in seconds; the runner's own 20 s are too few for a machine under load.
const BINARY_LIMIT: &str = "300";

/// `cargo test` for wasm, in Node unless told otherwise.
pub(super) fn cargo(session: &mut Session<'_>) -> Result<Command> {
    let runner = session.test_runner()?.to_owned();
    let mut cargo = session.workspace.cargo();
    cargo
        // Not `--quiet`: it is handed on to the runner, which does not know it.
        .args(["test", "--no-fail-fast", "--test", "*"])
        .args(["--package=steadfetch-browser-tests", "--target=wasm32-unknown-unknown"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    for_wasm(session, cargo)
}

/// What the suites need to know, whoever compiles and runs them.
pub(super) fn for_wasm(session: &mut Session<'_>, mut command: Command) -> Result<Command> {
    command
        .env("WASM_BINDGEN_TEST_TIMEOUT", BINARY_LIMIT)
        // The runner reads through all of it, for half a minute a binary; names of functions stay.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // Read by `option_env!`: a page has no environment.
        .env("STEADFETCH_FAULT_SERVER", session.server()?.control());
    Ok(command)
}
