//! `wasm-pack`, with which contributors may run the browser tests too.

use std::path::PathBuf;

use crate::error::Result;
use crate::setup::cargo_tool::CargoTool;

pub(crate) fn wasm_pack() -> Result<PathBuf> {
    CargoTool { package: "wasm-pack", version: "0.15.1", program: "wasm-pack", options: &["--locked", "--debug"] }.get()
}
