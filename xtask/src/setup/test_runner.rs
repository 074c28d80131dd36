//! `wasm-bindgen-test-runner` and `wasm-bindgen`, of the very version in Cargo.lock: it refuses what any other version of the crate made.

use std::path::PathBuf;

use crate::error::Result;
use crate::setup::cargo_tool::CargoTool;
use crate::workspace::Workspace;

pub(crate) fn test_runner(workspace: &Workspace) -> Result<PathBuf> {
    program(workspace, "wasm-bindgen-test-runner")
}

/// What makes the glue of an app.
pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Result<PathBuf> {
    program(workspace, "wasm-bindgen")
}

fn program(workspace: &Workspace, program: &str) -> Result<PathBuf> {
    CargoTool {
        package: "wasm-bindgen-cli",
        version: &workspace.locked("wasm-bindgen")?,
        program,
        // Debug and without features: the fastest build that has the test runner. Not `--locked`: the lock file of the
        // package names versions that not every registry still has.
        options: &["--debug", "--no-default-features"],
    }
    .get()
}
