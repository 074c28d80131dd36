//! Writes the files that repeat what the tables of core/ say, or checks that they do: `generator write|check ROOT`.

mod border_tables;
#[cfg(test)]
mod declarations;
mod errors_page;
mod facade_tables;
mod options_page;
mod readme_blocks;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Written by hand, but for their tables.
const ENGINE: &str = "docs/engine.md";
const READMES: [&str; 2] = ["README.md", "pkg-template/README.md"];

/// Every file that is generated, or has something generated in it, with the text it should have.
fn files(root: &Path) -> Vec<(&'static str, String)> {
    let mut files = vec![
        ("docs/errors.md", errors_page::text()),
        ("docs/options.md", options_page::text()),
        ("pkg-template/src/generated.ts", facade_tables::text()),
        ("pkg-template/src/protocol.ts", border_tables::text()),
    ];
    for name in READMES {
        let page = fs::read_to_string(root.join(name)).unwrap_or_default();
        files.push((name, readme_blocks::text(&page)));
    }
    let page = fs::read_to_string(root.join(ENGINE)).unwrap_or_default();
    files.push((ENGINE, border_tables::page(&page, readme_blocks::with_block)));
    files
}

/// A bar would end a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, root] = arguments.as_slice() else {
        eprintln!("usage: generator write|check ROOT");
        return ExitCode::FAILURE;
    };
    let stale = stale(Path::new(root));
    match what.as_str() {
        "check" if stale.is_empty() => ExitCode::SUCCESS,
        "check" => {
            let names: Vec<_> = stale.iter().map(|(name, _)| *name).collect();
            eprintln!("not what the tables of core/ say: {}; run cargo xtask generate", names.join(", "));
            ExitCode::FAILURE
        }
        "write" => write(Path::new(root), &stale),
        unknown => {
            eprintln!("neither write nor check: {unknown}");
            ExitCode::FAILURE
        }
    }
}

fn stale(root: &Path) -> Vec<(&'static str, String)> {
    let differs = |name: &str, text: &str| fs::read_to_string(root.join(name)).ok().as_deref() != Some(text);
    files(root).into_iter().filter(|(name, text)| differs(name, text)).collect()
}

fn write(root: &Path, files: &[(&'static str, String)]) -> ExitCode {
    for (name, text) in files {
        eprintln!("generating {name}");
        let path = root.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        if let Err(error) = written {
            eprintln!("writing {name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_exported_once() {
        for script in [border_tables::text(), facade_tables::text()] {
            let mut names: Vec<_> = script.lines().filter_map(|line| line.strip_prefix("export const ")).collect();
            names.iter_mut().for_each(|line| *line = line.split(' ').next().unwrap_or_default());
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all);
        }
    }
}
