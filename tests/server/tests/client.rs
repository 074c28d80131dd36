//! The JavaScript beside the server: its client, and what reads scenarios. Both run in Node here; in pages they are used
//! by every browser suite.

use std::path::Path;
use std::process::Command;

fn run(file: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let output = Command::new("node")
        .args(["--test", "--test-reporter=tap"])
        .arg(&file)
        .env("FAULT_SERVER", env!("CARGO_BIN_EXE_steadfetch-fault-server"))
        .output()
        .expect("Node is on PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_client_speaks_to_the_server() {
    run("client.test.mjs");
}

#[test]
fn scenarios_are_read_and_judged() {
    run("../scenarios/scenario.test.mjs");
}
