//! The wasm-bindgen-test suites of tests/browser where there are no pages: in Node, Deno and Bun.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::setup;
use crate::test::session::Session;
use crate::test::step::{Outcome, Step};
use crate::test::wasm::{LIMIT, cargo};
use crate::workspace::Workspace;

pub(super) const STEPS: &[Step] = &[
    Step::new("wasm-node", "the Rust API in Node", node),
    Step::new("wasm-deno", "the Rust API in Deno", deno).extra(),
    Step::new("wasm-bun", "the Rust API in Bun", bun).extra(),
];

/// The name of the runtime that is meant: a test says whether it is that one.
const RUNTIME: &str = "STEADFETCH_RUNTIME";

/// A program that the test runner calls by its name, and what is called in its place.
struct Launcher<'a> {
    name: &'a str,
    program: &'a Path,
    /// In front of the arguments that the runner gives.
    arguments: &'a [&'a str],
    /// Of those that the runner gives: how many to leave out.
    without: u8,
    /// A script below tests/browser that is run first.
    preload: &'a str,
}

fn node(session: &mut Session<'_>) -> Result<Outcome> {
    let mut cargo = cargo(session)?;
    session.suite(cargo.env(RUNTIME, "node"), LIMIT)
}

/// The runner calls `deno run --allow-read FILE`: it gives its tests no network.
fn deno(session: &mut Session<'_>) -> Result<Outcome> {
    let launcher = Launcher {
        name: "deno",
        program: &setup::deno(session.workspace)?,
        arguments: &["run", "--allow-net", "--allow-env"],
        without: 1,
        preload: "preload/deno.mjs",
    };
    launched(session, &launcher, |cargo| cargo.env("WASM_BINDGEN_USE_DENO", "1").env(RUNTIME, "deno"))
}

/// The runner calls `node --expose-gc FILE`, which Bun understands.
fn bun(session: &mut Session<'_>) -> Result<Outcome> {
    let launcher = Launcher {
        name: "node",
        program: &setup::bun(session.workspace)?,
        arguments: &["run"],
        without: 0,
        preload: "preload/bun.mjs",
    };
    launched(session, &launcher, |cargo| cargo.env(RUNTIME, "bun"))
}

fn launched(
    session: &mut Session<'_>,
    launcher: &Launcher<'_>,
    place: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Outcome> {
    if cfg!(not(unix)) {
        return Ok(Outcome::skipped("the launcher that the test runner needs is a script of the Unix shell"));
    }
    let mut cargo = cargo(session)?;
    let directory = launcher.make(session.workspace)?;
    let found = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([directory].into_iter().chain(env::split_paths(&found)));
    cargo.env("PATH", path.context(|| format!("putting {} on PATH", launcher.name))?);
    session.suite(place(&mut cargo), LIMIT)
}

impl Launcher<'_> {
    /// Writes it, and gives the directory that it is alone in.
    fn make(&self, workspace: &Workspace) -> Result<PathBuf> {
        let directory = workspace.target(&format!("steadfetch/launchers/{}", self.name));
        let file = directory.join(self.name);
        let failed = || format!("writing {}", file.display());
        fs::create_dir_all(&directory).context(failed)?;
        fs::write(&file, self.script(&workspace.path("tests/browser").join(self.preload))).context(failed)?;
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).context(failed)?;
        Ok(directory)
    }

    fn script(&self, preload: &Path) -> String {
        let words = [quoted(self.program.as_os_str())]
            .into_iter()
            .chain(self.arguments.iter().map(|argument| (*argument).to_owned()))
            .chain(["--preload".to_owned(), quoted(preload.as_os_str())]);
        format!("#!/bin/sh\nshift {}\nexec {} \"$@\"\n", self.without, words.collect::<Vec<_>>().join(" "))
    }
}

/// As one word of the shell.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_takes_any_path_and_hands_the_arguments_on() {
        let launcher = Launcher {
            name: "deno",
            program: Path::new("/a b/it's/deno"),
            arguments: &["run", "--allow-net"],
            without: 1,
            preload: "",
        };
        let script = launcher.script(Path::new("/c/d.mjs"));
        assert_eq!(
            script,
            "#!/bin/sh\nshift 1\nexec '/a b/it'\\''s/deno' run --allow-net --preload '/c/d.mjs' \"$@\"\n"
        );
    }
}
