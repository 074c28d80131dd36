//! What the policies of core/ do to a server, simulated: `simulation [--write ROOT]`.
//!
//! A program of its own, since a million clients want optimized code, and since the commands run also while core/ does
//! not compile.

// The bans of clippy.toml are for code that runs in browsers; this is a program of the developer's machine.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod agenda;
mod chart;
mod clients;
mod contention;
mod contention_report;
mod outage;
mod outage_report;
mod page;
mod random;
mod report;
mod server;
mod strategy;
mod table;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use report::Report;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        ["--write", root] => Some(Path::new(root)),
        _ => {
            eprintln!("usage: simulation [--write ROOT]");
            return ExitCode::FAILURE;
        }
    };
    let mut sound = true;
    for simulate in [contention_report::report, outage_report::report] {
        let started = Instant::now();
        let report = simulate();
        print(&report);
        println!("{:.1} s\n", started.elapsed().as_secs_f64());
        for claim in &report.broken_claims {
            eprintln!("docs/simulation.md claims otherwise: {claim}");
            sound = false;
        }
        if let Some(Err(error)) = root.map(|root| write(&report, root)) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(report: &Report) {
    println!("{}\n", report.title);
    for (_, table) in &report.tables {
        println!("{table}");
    }
}

/// Writes the chart, and the tables into their places.
fn write(report: &Report, root: &Path) -> Result<(), String> {
    let docs = root.join("docs");
    let put = |name: &str, text: &str| {
        let path = docs.join(name);
        fs::write(&path, text).map_err(|error| format!("writing {}: {error}", path.display()))
    };
    let path = docs.join("simulation.md");
    let mut page = fs::read_to_string(&path).map_err(|error| format!("reading {}: {error}", path.display()))?;
    for (name, table) in &report.tables {
        page = page::fill(&page, name, &table.to_string())
            .ok_or_else(|| format!("{} has no place named {name}", path.display()))?;
    }
    put("simulation.md", &page)?;
    put(report.chart.0, &report.chart.1)
}
