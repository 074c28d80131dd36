//! What the smallest app of a page downloads with the Rust API, beside the same app with other clients.

use std::fs;
use std::path::Path;

use super::{Row, measure, print, sum};
use crate::error::{Context, Failure, Result};
use crate::workspace::Workspace;
use crate::{process, say, setup};

/// One app: a client, what it makes of the answer, and the ceiling of ours. To be lowered with every saving, until it is the
/// budget.
struct App {
    client: &'static str,
    what: &'static str,
    ceiling: Option<u64>,
    budget: Option<u64>,
}

const APPS: [App; 6] = [
    App { client: "steadfetch", what: "text", ceiling: Some(CEILING_TEXT), budget: Some(30 * 1024) },
    App { client: "steadfetch", what: "struct", ceiling: Some(CEILING_STRUCT), budget: Some(45 * 1024) },
    App { client: "gloo-net", what: "text", ceiling: None, budget: None },
    App { client: "gloo-net", what: "struct", ceiling: None, budget: None },
    App { client: "reqwest", what: "text", ceiling: None, budget: None },
    App { client: "reqwest", what: "struct", ceiling: None, budget: None },
];
const CEILING_TEXT: u64 = 53_500;
const CEILING_STRUCT: u64 = 69_900;

/// Prints what each app costs; fails above a ceiling. `others`: beside ours.
pub(super) fn report(workspace: &Workspace, others: bool) -> Result {
    setup::wasm_target()?;
    let bind = setup::wasm_bindgen(workspace)?;
    println!("an app of Rust that makes one GET (opt-level z, LTO, wasm-opt; with its glue):");
    let mut above = Vec::new();
    for app in APPS.iter().filter(|app| others || app.client == "steadfetch") {
        let row = build(workspace, &bind, app)?;
        print(&row);
        if let Some(budget) = app.budget {
            println!("    budget {budget}: {}", super::distance(row.brotli, budget));
        }
        if let Some(ceiling) = app.ceiling.filter(|ceiling| row.brotli > *ceiling) {
            above.push(format!(
                "{} is {} bytes of brotli, {}",
                row.name,
                row.brotli,
                super::distance(row.brotli, ceiling)
            ));
        }
    }
    if above.is_empty() { Ok(()) } else { Err(Failure::new(above.join("\n"))) }
}

/// Builds an app as a user would, and weighs what its page loads.
fn build(workspace: &Workspace, bind: &Path, app: &App) -> Result<Row> {
    let name = format!("{} to {}", app.client, app.what);
    say::doing("compiling", &name);
    let target = workspace.target("steadfetch/apps");
    let mut cargo = workspace.cargo();
    cargo
        .args(["build", "--quiet", "--release", "--locked", "--target=wasm32-unknown-unknown"])
        .args(["--manifest-path", "benches/apps/Cargo.toml", "--features", &format!("{},{}", app.client, app.what)])
        .env("CARGO_TARGET_DIR", &target)
        // Those of a user are the default ones.
        .env_remove("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS")
        .env("RUSTFLAGS", remap());
    process::run(&mut cargo)?;

    let out = target.join("out").join(format!("{}-{}", app.client, app.what));
    if out.is_dir() {
        fs::remove_dir_all(&out).context(|| format!("removing {}", out.display()))?;
    }
    let compiled = target.join("wasm32-unknown-unknown/release/sized_app.wasm");
    let mut command = std::process::Command::new(bind);
    command.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(&out).arg(&compiled);
    process::run(&mut command)?;
    let (wasm, glue) = (out.join("sized_app_bg.wasm"), out.join("sized_app.js"));
    process::run(
        workspace
            .npm_tool("wasm-opt")
            .args(["-Oz", "--strip-debug", "--strip-producers", "--strip-target-features", "-o"])
            .args([&wasm, &wasm]),
    )?;
    let mut esbuild = workspace.npm_tool("esbuild");
    esbuild.args(["--minify", "--format=esm", "--log-level=warning", "--allow-overwrite"]);
    process::run(esbuild.arg(&glue).arg(format!("--outfile={}", glue.display())))?;
    Ok(sum(&name, measure(workspace, &out)?.iter()))
}

/// Panic messages name their files: without the paths of this machine the module is the same on every one.
fn remap() -> String {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    home.map(|home| format!("--remap-path-prefix={home}=cargo")).unwrap_or_default()
}
