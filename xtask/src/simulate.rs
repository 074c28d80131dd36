//! `cargo xtask simulate`: what the policies of core/ do to a server that is contended for, or gone for a minute.
//!
//! The work is done by the program in xtask/src/simulate.

use crate::cli::Arguments;
use crate::error::Result;
use crate::process;
use crate::workspace::Workspace;

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let write = arguments.flag("--write");
    arguments.finish()?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--release", "--package=xtask", "--features=simulation", "--bin=simulation", "--"]);
    if write {
        cargo.arg("--write").arg(workspace.root());
    }
    process::run(&mut cargo)
}
