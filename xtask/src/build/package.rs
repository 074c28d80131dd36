//! What is in `pkg/` beside the bundles, and putting it there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::build::stage::{Stage, copy};
use crate::build::{EVENTS, FULL, PARTS, SHARING, TRANSLATED, WASM, WRITES};
use crate::error::{Context, Failure, Result};
use crate::fingerprint::files_below;
use crate::workspace::Workspace;

/// Not in the `files` of package.json, so never packed.
const STAMP: &str = ".stamp";
/// The extension of an ES module, and that of CommonJS.
pub(super) const MODULE: &str = "js";
pub(super) const COMMON: &str = "cjs";
const MANIFEST: &str = "pkg-template/package.json";

pub(super) fn is_current(workspace: &Workspace, stamp: &str) -> Result<bool> {
    let package = workspace.package();
    let stamped = fs::read_to_string(package.join(STAMP)).is_ok_and(|found| found == stamp);
    let is_there = |kind: &str| {
        let whole = |entry: &String| package.join(format!("{entry}.{kind}")).is_file();
        entries(workspace, kind).map(|entries| entries.iter().all(whole))
    };
    let whole = is_there(MODULE)? && is_there(COMMON)?;
    Ok(stamped
        && whole
        && [WASM, FULL, TRANSLATED, PARTS, WRITES, EVENTS, SHARING].iter().all(|file| package.join(file).is_file()))
}

/// The JavaScript files of a kind that the `exports` of package.json name, without its extension: the one list of entries.
pub(super) fn entries(workspace: &Workspace, kind: &str) -> Result<Vec<String>> {
    let manifest = manifest(workspace)?;
    let mut entries = Vec::new();
    collect_entries(&manifest["exports"], kind, &mut entries);
    if entries.is_empty() {
        return Err(Failure::new(format!("pkg-template/package.json exports no .{kind} file")));
    }
    Ok(entries)
}

fn collect_entries(value: &Value, kind: &str, entries: &mut Vec<String>) {
    match value {
        Value::Object(conditions) => conditions.values().for_each(|value| collect_entries(value, kind, entries)),
        Value::String(path) => {
            let name = path.strip_prefix("./").and_then(|path| path.strip_suffix(kind));
            let entry = name.and_then(|name| name.strip_suffix('.'));
            entries.extend(entry.map(str::to_owned).filter(|entry| !entries.contains(entry)));
        }
        _ => {}
    }
}

/// The files of the checkout that go into the package as they are.
pub(super) fn texts(workspace: &Workspace) -> Vec<PathBuf> {
    ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"]
        .iter()
        .map(|name| workspace.path(name))
        .filter(|path| path.is_file())
        .collect()
}

pub(super) fn assemble(workspace: &Workspace, stage: &Stage, stamp: &str) -> Result {
    let into = |name: &str| stage.package.join(name);
    for text in texts(workspace) {
        copy(&text, &stage.package.join(text.file_name().unwrap_or_default()))?;
    }
    // The type declarations and the README; `src` went through the bundler.
    let sources = workspace.path("pkg-template/src");
    for file in files_below(&workspace.path("pkg-template"))? {
        if file.starts_with(&sources) {
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".d.ts") || name.ends_with(".d.cts") || name == "README.md" {
            copy(&file, &into(&name))?;
        }
    }
    write(&into("package.json"), &with_version(&manifest_text(workspace)?, workspace.version())?)?;
    write(&into(STAMP), stamp)?;
    swap(&stage.package, &workspace.package())
}

/// The old package is whole until the new one is: a page or test that reads `pkg/` never sees half of it.
fn swap(new: &Path, package: &Path) -> Result {
    let failed = || format!("moving {} to {}", new.display(), package.display());
    if package.exists() {
        let old = new.with_extension("old");
        if old.exists() {
            fs::remove_dir_all(&old).context(failed)?;
        }
        rename(package, &old).context(failed)?;
        fs::remove_dir_all(&old).context(failed)?;
    }
    rename(new, package).context(failed)
}

/// The target directory may be on another file system, where a rename cannot go.
fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
            fs::create_dir_all(to)?;
            for entry in fs::read_dir(from)? {
                let path = entry?.path();
                fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
            }
            fs::remove_dir_all(from)
        }
        result => result,
    }
}

fn manifest(workspace: &Workspace) -> Result<Value> {
    serde_json::from_str(&manifest_text(workspace)?).context(|| format!("reading {MANIFEST}"))
}

fn manifest_text(workspace: &Workspace) -> Result<String> {
    fs::read_to_string(workspace.path(MANIFEST)).context(|| format!("reading {MANIFEST}"))
}

/// As text: the order of the conditions in `exports` has a meaning, which a JSON map of Rust would lose.
fn with_version(manifest: &str, version: &str) -> Result<String> {
    const PLACE: &str = "\"version\": \"0.0.0\"";
    if !manifest.contains(PLACE) {
        return Err(Failure::new(format!("{MANIFEST} must have {PLACE}: the version is that of the workspace")));
    }
    Ok(manifest.replacen(PLACE, &format!("\"version\": \"{version}\""), 1))
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_filled_in_and_nothing_else_moves() {
        let manifest = "{ \"name\": \"b\", \"version\": \"0.0.0\", \"exports\": { \"z\": 1, \"a\": 2 } }";
        let filled = with_version(manifest, "1.2.3").unwrap();
        assert_eq!(filled, manifest.replace("0.0.0", "1.2.3"));
        assert!(with_version("{}", "1.2.3").is_err());
    }

    #[test]
    fn the_entries_are_the_scripts_that_exports_names_once_each() {
        let exports = serde_json::json!({
            ".": { "types": "./index.d.ts", "node": "./node.js", "default": "./index.js" },
            "./inline": { "require": "./inline.cjs", "default": "./inline.js" },
            "./types": "./index.d.cts",
            "./again": "./index.js",
            "./package.json": "./package.json",
        });
        let found = |kind| {
            let mut entries = Vec::new();
            collect_entries(&exports, kind, &mut entries);
            entries.sort();
            entries
        };
        assert_eq!(found(MODULE), ["index", "inline", "node"]);
        assert_eq!(found(COMMON), ["inline"]);
    }
}
