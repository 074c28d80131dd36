//! Where things are: asked of Cargo once, then passed along.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::{Context, Result};
use crate::process;

pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    version: String,
}

impl Workspace {
    pub(crate) fn discover() -> Result<Self> {
        // Cargo names our own directory when it runs us, so the commands work from any directory of the checkout. What
        // was compiled in may be that of another checkout with the same target directory.
        let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let manifest = Path::new(&here).join("Cargo.toml");
        let metadata = process::output(
            Command::new(cargo())
                .args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"])
                .arg(&manifest),
        )?;
        let metadata: Value = serde_json::from_str(&metadata).context(|| "reading cargo metadata".into())?;
        let text = |value: &Value, what: &str| {
            value.as_str().map(str::to_owned).context(|| format!("cargo metadata has no {what}"))
        };
        let version = metadata["packages"]
            .as_array()
            .and_then(|packages| packages.iter().find(|package| package["name"] == "steadfetch"))
            .context(|| "cargo metadata has no package steadfetch".into())?;
        Ok(Self {
            root: text(&metadata["workspace_root"], "workspace_root")?.into(),
            target: text(&metadata["target_directory"], "target_directory")?.into(),
            version: text(&version["version"], "version")?,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path of the checkout.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path below Cargo's target directory.
    pub(crate) fn target(&self, relative: &str) -> PathBuf {
        self.target.join(relative)
    }

    /// The npm package, ready for `npm pack`.
    pub(crate) fn package(&self) -> PathBuf {
        self.path("pkg")
    }

    /// The version of the workspace, and so of the npm package.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The version of `name` in Cargo.lock.
    pub(crate) fn locked(&self, name: &str) -> Result<String> {
        let path = self.path("Cargo.lock");
        let lock = fs::read_to_string(&path).context(|| format!("reading {}", path.display()))?;
        locked_version(&lock, name).context(|| format!("Cargo.lock has no {name}"))
    }

    /// `cargo`, to be run in the checkout.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(cargo());
        command.current_dir(&self.root);
        command
    }

    /// A tool of an npm package.
    pub(crate) fn npm_tool(&self, tool: &str) -> Command {
        let suffix = if cfg!(windows) { ".cmd" } else { "" };
        let mut command = Command::new(self.path(&format!("node_modules/.bin/{tool}{suffix}")));
        command.current_dir(&self.root);
        command
    }

    /// A script of the checkout, or of `node_modules`, run by Node.
    pub(crate) fn node(&self, script: &str) -> Command {
        let mut command = self.node_command();
        command.arg(self.path(script));
        command
    }

    /// `node`, to be run in the checkout.
    pub(crate) fn node_command(&self) -> Command {
        let mut command = Command::new("node");
        command.current_dir(&self.root);
        command
    }
}

/// The Cargo that runs us: another one could pick another toolchain.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

fn locked_version(lock: &str, name: &str) -> Option<String> {
    let mut lines = lock.lines();
    lines.find(|line| *line == format!("name = \"{name}\""))?;
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locked_version_is_that_of_the_very_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
