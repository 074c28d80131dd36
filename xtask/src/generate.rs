//! `cargo xtask generate`: the files that repeat what the tables of core/ say, so that no two lists can differ.
//!
//! The work is done by the program in xtask/generator, the only part of the commands that needs core/ to compile.

use crate::cli::Arguments;
use crate::error::Result;
use crate::process;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let check = arguments.flag("--check");
    arguments.finish()?;
    if check { self::check(workspace) } else { write(workspace) }
}

/// Writes those that differ.
pub(crate) fn write(workspace: &Workspace) -> Result {
    generator(workspace, "write")
}

/// Fails if one differs.
pub(crate) fn check(workspace: &Workspace) -> Result {
    generator(workspace, "check")
}

fn generator(workspace: &Workspace, what: &str) -> Result {
    process::run(
        workspace
            .cargo()
            .args(["run", "--quiet", "--package=xtask", "--features=generator", "--bin=generator", "--", what])
            .arg(workspace.root()),
    )
}
