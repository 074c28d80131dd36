//! `cargo xtask size`: what a browser downloads.

mod apps;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::build::{self, EVENTS, FULL, Mode, PARTS, SHARING, WRITES};
use crate::cli::Arguments;
use crate::error::{Context, Failure, Result};
use crate::process;
use crate::workspace::Workspace;

/// What a page downloads, in bytes of brotli: the files beside the default entry, what they should cost together, and above what the
/// command fails. A ceiling is to be lowered with every saving, until it is the budget.
const DOWNLOADS: &[Download] = &[
    Download { name: "the default entry", others: &[], budget: 20_000, ceiling: 28_900 },
    Download { name: "with hooks", others: &[PARTS], budget: 26_000, ceiling: 34_120 },
    Download { name: "with event streams", others: &[EVENTS], budget: 22_500, ceiling: 30_820 },
    Download {
        name: "with everything",
        others: &[FULL, PARTS, WRITES, EVENTS, SHARING],
        budget: 34_000,
        ceiling: 57_210,
    },
];
/// The default entry of package.json.
const ENTRY: &str = "production.js";

struct Download {
    name: &'static str,
    others: &'static [&'static str],
    budget: u64,
    ceiling: u64,
}

/// One file, or a sum of files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    name: String,
    raw: u64,
    gzip: u64,
    brotli: u64,
}

pub(crate) fn command(workspace: &Workspace, mut arguments: Arguments) -> Result {
    let (rust, peers) = (arguments.flag("--rust"), arguments.flag("--peers"));
    arguments.finish()?;
    if rust || peers {
        return apps::report(workspace, peers);
    }
    build::build(workspace, Mode::Release)?;
    report(workspace)
}

/// Prints the table of the built package; fails above a ceiling.
pub(crate) fn report(workspace: &Workspace) -> Result {
    let package = workspace.package();
    let files = measure(workspace, &package)?;
    let scripts = static_scripts(&package)?;
    let total = |download: &Download| {
        let is_loaded = |row: &&Row| scripts.contains(&row.name) || download.others.contains(&row.name.as_str());
        sum(download.name, files.iter().filter(is_loaded))
    };

    println!("{:<28}{:>10}{:>10}{:>10}", "bytes", "raw", "gzip -9", "brotli 11");
    files.iter().for_each(print);
    println!("what a page downloads:");
    let mut above = Vec::new();
    for download in DOWNLOADS {
        let row = total(download);
        print(&row);
        println!("    budget {}: {}", download.budget, distance(row.brotli, download.budget));
        if row.brotli > download.ceiling {
            let distance = distance(row.brotli, download.ceiling);
            above.push(format!("{} is {} bytes of brotli, {distance} the ceiling", row.name, row.brotli));
        }
    }
    if above.is_empty() { Ok(()) } else { Err(Failure::new(above.join("; "))) }
}

/// The compressors of Node are the reference ones (zlib, brotli), and Node is here anyway.
fn measure(workspace: &Workspace, package: &Path) -> Result<Vec<Row>> {
    let said = process::output(workspace.node("xtask/compressed-sizes.mjs").arg(package))?;
    let rows: Value = serde_json::from_str(&said).context(|| "reading the sizes".into())?;
    let number = |row: &Value, name: &str| row[name].as_u64().context(|| format!("the sizes have no {name}"));
    rows.as_array()
        .context(|| "the sizes are no list".into())?
        .iter()
        .map(|row| {
            Ok(Row {
                name: row["name"].as_str().unwrap_or_default().to_owned(),
                raw: number(row, "raw")?,
                gzip: number(row, "gzip")?,
                brotli: number(row, "brotli")?,
            })
        })
        .collect()
}

/// The default entry, and whatever it imports before it runs.
fn static_scripts(package: &Path) -> Result<Vec<String>> {
    let mut files = vec![ENTRY.to_owned()];
    let mut next = 0;
    while let Some(name) = files.get(next).cloned() {
        let path = package.join(&name);
        let text = fs::read_to_string(&path).context(|| format!("reading {}", path.display()))?;
        for import in static_imports(&text) {
            if !files.contains(&import) {
                files.push(import);
            }
        }
        next += 1;
    }
    Ok(files)
}

/// The relative files in `from"./x.js"` and `import"./x.js"`; not those in `import("./x.js")`, which are loaded when
/// they are needed.
fn static_imports(script: &str) -> Vec<String> {
    let mut imports = Vec::new();
    for (at, _) in script.match_indices("\"./") {
        let before = script.get(..at).unwrap_or_default().trim_end();
        let path = script.get(at + 3..).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let is_import = before.ends_with("from") || before.ends_with("import");
        if is_import && path.ends_with(".js") {
            imports.push(path.to_owned());
        }
    }
    imports
}

fn sum<'a>(name: &str, rows: impl Iterator<Item = &'a Row> + Clone) -> Row {
    let total = |of: fn(&Row) -> u64| rows.clone().map(of).sum();
    Row {
        name: name.to_owned(),
        raw: total(|row| row.raw),
        gzip: total(|row| row.gzip),
        brotli: total(|row| row.brotli),
    }
}

fn print(row: &Row) {
    println!("  {:<26}{:>10}{:>10}{:>10}", row.name, row.raw, row.gzip, row.brotli);
}

fn distance(size: u64, mark: u64) -> String {
    if size <= mark { format!("{} below", mark - size) } else { format!("{} above", size - mark) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_import_is_a_download_and_a_dynamic_one_is_not() {
        let script = r#"import{a}from"./shared.js";import"./side.js";const b=()=>import("./bytes.js"),c="./text.js";"#;
        assert_eq!(static_imports(script), ["shared.js", "side.js"]);
    }

    #[test]
    fn a_sum_adds_each_column() {
        let row = |raw, gzip, brotli| Row { name: String::new(), raw, gzip, brotli };
        let rows = [row(1, 2, 3), row(10, 20, 30)];
        assert_eq!(sum("both", rows.iter()), Row { name: "both".into(), raw: 11, gzip: 22, brotli: 33 });
    }

    #[test]
    fn the_distance_to_a_mark_has_a_direction() {
        assert_eq!(distance(10, 12), "2 below");
        assert_eq!(distance(12, 10), "2 above");
    }
}
