//! Tools that Cargo compiles, of one version, kept outside the checkout, so that a fresh clone finds them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::lock::Lock;
use crate::{process, say};

pub(super) struct CargoTool<'a> {
    pub(super) package: &'a str,
    pub(super) version: &'a str,
    pub(super) program: &'a str,
    /// Of `cargo install`.
    pub(super) options: &'a [&'a str],
}

impl CargoTool<'_> {
    /// From PATH, from the cache, or compiled now.
    pub(super) fn get(&self) -> Result<PathBuf> {
        if let Some(found) = self.found_in(Path::new("")) {
            return Ok(found);
        }
        let tools = cache()?;
        let name = format!("{}-{}", self.package, self.version);
        let home = tools.join(&name);
        let bin = home.join("bin");
        if let Some(found) = self.found_in(&bin) {
            return Ok(found);
        }
        // Two commands at once must not install into one place.
        let _lock = Lock::acquire(&tools.join(format!("{name}.lock")), &format!("the installation of {name}"))?;
        if let Some(found) = self.found_in(&bin) {
            return Ok(found);
        }
        self.install(&home)?;
        self.found_in(&bin).context(|| format!("{name} was installed, but does not run: {}", bin.display()))
    }

    /// The program in `directory` (on PATH, if it is empty), if it is of that version.
    fn found_in(&self, directory: &Path) -> Option<PathBuf> {
        let program = directory.join(self.program);
        let said = process::output(Command::new(&program).arg("--version")).ok()?;
        (version(&said) == Some(self.version)).then_some(program)
    }

    fn install(&self, home: &Path) -> Result {
        let Self { package, version, options, .. } = self;
        say::doing("installing", &format!("{package} {version} into {} (once; a minute or two)", home.display()));
        let build = home.join("build");
        process::run(
            Command::new("cargo")
                .args(["install", package, "--version", version])
                .args(*options)
                .arg("--root")
                .arg(home)
                .arg("--target-dir")
                .arg(&build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                // What the caller has set for the workspace is not meant for the tool.
                .env_remove("RUSTFLAGS")
                .env_remove("CARGO_ENCODED_RUSTFLAGS")
                .env_remove("CARGO_BUILD_TARGET")
                // Away from the checkout's own Cargo configuration and toolchain file.
                .current_dir(env::temp_dir()),
        )?;
        fs::remove_dir_all(&build).context(|| format!("removing {}", build.display()))
    }
}

/// The second word: what follows, in whatever number of lines, is not the version.
fn version(said: &str) -> Option<&str> {
    said.split_whitespace().nth(1)
}

fn cache() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = variable("XDG_CACHE_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))
        .or_else(|| variable("LOCALAPPDATA"))
        .context(|| "none of XDG_CACHE_HOME, HOME and LOCALAPPDATA is set: no place for tools".into())?;
    let cache = base.join("steadfetch").join("tools");
    fs::create_dir_all(&cache).context(|| format!("creating {}", cache.display()))?;
    Ok(cache)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_second_word() {
        assert_eq!(version("wasm-bindgen-test-runner 0.2.130\n"), Some("0.2.130"));
        assert_eq!(version("geckodriver 0.37.1 (1a2b3c 2026-01-01)\n\nThe source code is at\n"), Some("0.37.1"));
        assert_eq!(version("nothing"), None);
    }
}
