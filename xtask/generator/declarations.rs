//! The type declarations are written by hand; here they are held against the tables of core/.

use std::fs;
use std::path::Path;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::options::TABLE;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;

/// All declarations of the package in one string.
fn declarations() -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pkg-template");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.to_string_lossy().ends_with(".d.ts"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// What `@default` says in the comment above each declaration of the property `name`, which may be required.
fn defaults<'a>(declarations: &'a str, name: &str) -> Vec<Option<&'a str>> {
    let lines: Vec<&str> = declarations.lines().map(str::trim).collect();
    let starts = [format!("{name}?:"), format!("{name}:")];
    let mut found = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| starts.iter().any(|start| line.starts_with(start))) {
        let comment = lines[..at].iter().rev().take_while(|line| line.starts_with('*') || line.starts_with("/**"));
        found.push(
            comment.into_iter().find_map(|line| Some(line.split_once("@default ")?.1.trim_end_matches("*/").trim())),
        );
    }
    found
}

#[test]
fn every_option_is_declared_with_its_default() {
    let declarations = declarations();
    let mut wrong = Vec::new();
    for row in TABLE {
        let name = row.name.rsplit('.').next().unwrap();
        let said = defaults(&declarations, name);
        // The absence of a value needs no words.
        let default = match row.fetch_default {
            Some(default) => format!("{}, api.fetch: {default}", row.default),
            None => row.default.to_owned(),
        };
        let fits = |said: &Option<&str>| *said == Some(&*default) || (said.is_none() && default == "undefined");
        if !said.iter().any(fits) {
            wrong.push(format!("{}: @default {default}, found {said:?}", row.name));
        }
    }
    assert!(wrong.is_empty(), "pkg-template/*.d.ts differ from core/src/options.rs:\n{}", wrong.join("\n"));
}

#[test]
fn every_word_of_an_error_is_declared() {
    let declarations = declarations();
    let words = ErrorCode::ALL
        .map(ErrorCode::name)
        .into_iter()
        .chain(Phase::ALL.iter().copied().map(Phase::name))
        .chain(Outcome::ALL.iter().copied().map(Outcome::name))
        .chain(RetryStopped::ALL.iter().copied().map(RetryStopped::name));
    let missing: Vec<_> = words.filter(|word| !declarations.contains(&format!("'{word}'"))).collect();
    assert!(missing.is_empty(), "pkg-template/*.d.ts do not name {missing:?}");
}

#[test]
fn a_default_is_read_from_the_comment_above() {
    let text = "  /**\n   * What.\n   * @default 5\n   */\n  limit?: number;\n  /** No. @default 6 */\n  limit?: x;\n  limit?: y;";
    assert_eq!(defaults(text, "limit"), [Some("5"), Some("6"), None]);
}
