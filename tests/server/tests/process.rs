//! The server as a process.

mod support;

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use support::Client;

async fn start() -> (Child, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_steadfetch-fault-server"))
        .args(["--parent-watch", "--static", "/src=src"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the server starts");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("a line");
    (child, serde_json::from_str(&line).unwrap())
}

async fn control(ready: &Value, method: &str, path: &str, body: Value) -> Value {
    let authority = ready["control"].as_str().unwrap().strip_prefix("http://").unwrap();
    let mut client = Client::connect(authority).await;
    let body = body.to_string();
    let length = body.len();
    client.send(&format!("{method} {path} HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}")).await;
    client.answer().await.json()
}

#[tokio::test]
async fn it_says_where_it_is_and_ends_with_its_parent() {
    let (mut child, ready) = start().await;
    assert_eq!(ready["pid"].as_u64(), child.id().map(u64::from));
    assert_eq!(control(&ready, "GET", "/control", Value::Null).await["pid"], ready["pid"]);
    drop(child.stdin.take());
    let ended = tokio::time::timeout(Duration::from_secs(5), child.wait()).await;
    assert!(ended.expect("in time").unwrap().success());
}

#[tokio::test]
async fn an_unknown_argument_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_steadfetch-fault-server")).arg("--prot").output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage:"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_large_body_needs_no_memory() {
    let (child, ready) = start().await;
    let script = json!({ "routes": [{ "path": "/a", "steps": [{ "bytes": 64_000_000 }] }] });
    let opened = control(&ready, "POST", "/control/origins", json!({ "script": script })).await;
    let authority = opened["origin"].as_str().unwrap().strip_prefix("http://").unwrap();
    let mut client = Client::connect(authority).await;
    client.get("/a").await;
    client.head().await;
    for _ in 0..64 {
        client.take(1_000_000).await;
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id().unwrap())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let peak: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(peak < 32_000, "peak of {peak} kB for a body of 64 MB");
}
