//! The commands of the workspace; `cargo xtask help` lists them.

// The bans of clippy.toml are for code that runs in browsers; this is a program of the developer's machine.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod bench;
mod build;
mod children;
mod cli;
mod demo;
mod display;
mod error;
mod fault_server;
mod fingerprint;
mod generate;
mod lock;
mod process;
mod say;
mod setup;
mod simulate;
mod size;
mod test;
mod workspace;

use std::process::ExitCode;

use cli::Arguments;
use error::{Failure, Result};
use workspace::Workspace;

const HELP: &str = "\
cargo xtask COMMAND

  demo [--port N] [--no-open]   the playground: the product against the fault server, in your browser
  test [--all] [NAME...]        every check; with names, the steps that have one of them in their name (--list: all names)
  bench [--check] [--markdown] [--json FILE] [--node] [--browser NAME] [--profile FILE]
                                what a call costs beside other packages, in Chromium; --check fails above the budget
  setup                         get the tools that the other commands need, where they are missing
  build [--dev]                 make the npm package in pkg/
  size [--rust | --peers]       what a browser downloads, raw, gzip and brotli; fails above the limit. --rust: an app of the
                                Rust API; --peers: beside it the same app with gloo-net and reqwest
  generate [--check]            write what is made from the tables of core/ (or: is it up to date?)
  compare-fetch [--all]         random calls by fetch and by api.fetch in Node, Chromium and Firefox; --all: a thousand for each seed
  simulate [--write]            what backoff, budget and breaker do to a server, half a minute; --write: into docs/
  help                          this text

Each command gets its own tools first; see CONTRIBUTING.md.";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_silent() && !children::interrupted() {
                say::error(&error.to_string());
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_else(|| "help".into());
    let arguments = Arguments::new(words);
    children::end_with_us()?;
    let workspace = Workspace::discover()?;
    match command.as_str() {
        "demo" => demo::command(&workspace, arguments),
        "test" => test::command(&workspace, arguments),
        "bench" => bench::command(&workspace, arguments),
        "setup" => setup::command(&workspace, arguments),
        "build" => build::command(&workspace, arguments),
        "size" => size::command(&workspace, arguments),
        "generate" => generate::command(&workspace, arguments),
        "compare-fetch" => test::compare_fetch(&workspace, arguments),
        "simulate" => simulate::command(&workspace, arguments),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        unknown => Err(Failure::new(format!("unknown command {unknown}; see cargo xtask help"))),
    }
}
