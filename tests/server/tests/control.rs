//! Origins that refuse, listen, close and serve files; and what the control API refuses.

mod support;

use std::io;

use serde_json::{Value, json};
use steadfetch_fault_server::StaticFiles;
use support::{Client, Ended, Fixture};

fn ok_script() -> Value {
    json!({ "routes": [{ "path": "/a", "steps": [{ "body": "ok" }] }] })
}

#[tokio::test]
async fn a_refusing_origin_is_refused_by_the_kernel_until_it_listens() {
    let fixture = Fixture::start().await;
    let origin = fixture.open(json!({ "refuse": true, "script": ok_script() })).await;
    let refused = Client::try_connect(&origin.authority).await.err().expect("refused");
    assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    origin.call("POST", "/listening", json!({ "listening": true })).await;
    assert_eq!(origin.get("/a").await.text(), "ok");
    assert_eq!(origin.report().await["connections"], 1);
}

#[tokio::test]
async fn nobody_else_gets_the_port_of_a_refusing_origin() {
    let fixture = Fixture::start().await;
    let origin = fixture.open(json!({ "refuse": true })).await;
    let taken = std::net::TcpListener::bind(&origin.authority).expect_err("ours");
    assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
    let origin = fixture.open(json!({ "script": ok_script() })).await;
    assert_eq!(origin.get("/a").await.text(), "ok");
    origin.call("POST", "/listening", json!({ "listening": false })).await;
    let taken = std::net::TcpListener::bind(&origin.authority).expect_err("ours");
    assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn an_origin_that_stops_listening_drops_its_connections_and_keeps_its_port() {
    let fixture = Fixture::start().await;
    let script = json!({ "routes": [{ "path": "/a", "steps": [{ "gate": "never" }, { "body": "ok" }] }] });
    let origin = fixture.open(json!({ "script": script })).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    origin.wait("requests=1").await;
    origin.call("POST", "/listening", json!({ "listening": false })).await;
    assert!(client.rest().await.0.is_empty());
    assert_eq!(origin.wait("open=0&connectionsOpen=0").await["log"][0]["state"], "dropped");
    assert!(Client::try_connect(&origin.authority).await.is_err());
    origin.call("POST", "/listening", json!({ "listening": true })).await;
    assert_eq!(origin.get("/a").await.text(), "ok");
}

#[tokio::test]
async fn an_origin_refuses_for_a_while() {
    let fixture = Fixture::start().await;
    let origin = fixture.open(json!({ "refuseFor": 60_000, "script": ok_script() })).await;
    assert!(Client::try_connect(&origin.authority).await.is_err());
    let origin = fixture.open(json!({ "refuseFor": 1, "script": ok_script() })).await;
    // Asking for it twice waits for the listener, whichever of the two opens it.
    origin.call("POST", "/listening", json!({ "listening": true })).await;
    assert_eq!(origin.get("/a").await.text(), "ok");
}

#[tokio::test]
async fn the_first_connections_are_reset() {
    let fixture = Fixture::start().await;
    let origin = fixture.open(json!({ "resetConnections": 2, "script": ok_script() })).await;
    for _ in 0..2 {
        let mut client = origin.connect().await;
        assert_eq!(client.rest().await, (Vec::new(), Ended::Reset));
    }
    assert_eq!(origin.get("/a").await.text(), "ok");
    let report = origin.wait("connectionsReset=2&completed=1").await;
    assert_eq!((&report["connections"], &report["requests"]), (&json!(3), &json!(1)));
}

#[tokio::test]
async fn a_closed_origin_closes_its_connections() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "before": "hang" }])).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    origin.wait("requests=1").await;
    origin.call("DELETE", "", Value::Null).await;
    assert!(client.rest().await.0.is_empty());
    assert!(Client::try_connect(&origin.authority).await.is_err());
    let path = format!("/control/origins/{}/report", origin.id);
    assert_eq!(fixture.try_call("GET", &path, Value::Null).await.0, 404);
}

#[tokio::test]
async fn waiting_in_vain_says_so() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{}])).await;
    let report = origin.call("GET", "/wait?requests=1&timeout=20", Value::Null).await;
    assert_eq!((&report["timedOut"], &report["requests"]), (&json!(true), &json!(0)));
}

#[tokio::test]
async fn waiting_ends_with_the_event() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "gate": "go" }])).await;
    let (report, ()) = tokio::join!(origin.wait("completed=1"), async {
        let mut client = origin.connect().await;
        client.get("/a").await;
        origin.wait("requests=1").await;
        origin.release("go").await;
        client.answer().await;
    });
    assert_eq!(report["log"][0]["state"], "completed");
}

#[tokio::test]
async fn a_new_script_counts_anew_and_shuts_the_gates() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{ "status": 500 }, { "status": 501 }])).await;
    assert_eq!(origin.get("/a").await.status, 500);
    origin.release("go").await;
    let script = json!({ "routes": [{ "path": "/a", "steps": [{ "gate": "go" }] }] });
    origin.call("PUT", "/script", script).await;
    let mut client = origin.connect().await;
    client.get("/a").await;
    let report = origin.wait("requests=2").await;
    assert_eq!(report["open"], 1);
    origin.release("go").await;
    assert_eq!(client.answer().await.status, 200);
}

#[tokio::test]
async fn mistakes_are_refused() {
    let fixture = Fixture::start().await;
    let origin = fixture.play(json!([{}])).await;
    let path = format!("/control/origins/{}/script", origin.id);
    for step in [
        json!({ "statsu": 200 }),
        json!({ "status": 99 }),
        json!({ "body": "a", "json": 1 }),
        json!({ "chunked": true, "contentLength": 3 }),
        json!({ "fill": "a" }),
        json!({ "bytes": 1, "fill": "" }),
        json!({ "goaway": true }),
        json!({ "rstStream": 1 }),
        json!({ "bodyBase64": "?" }),
        json!({ "chunks": [{ "text": "a", "bytes": 1 }] }),
        json!({ "drip": { "every": 1 } }),
        json!({ "body": "a", "split": { "sizes": [] } }),
        json!({ "headers": { "a b": "c" } }),
        json!({ "headers": { "a": "b\r\nc: d" } }),
        json!({ "before": "explode" }),
    ] {
        let script = json!({ "routes": [{ "path": "/a", "steps": [step] }] });
        let (status, answer) = fixture.try_call("PUT", &path, script).await;
        assert_eq!(status, 400, "{step}");
        assert!(answer["error"].is_string());
    }
    for (method, path, body) in [
        ("POST", "/control/origins", json!({ "http2": true })),
        ("POST", "/control/origins", json!({ "colour": "red" })),
        ("GET", "/control/origins/1/wait?request=1", Value::Null),
        ("GET", "/control/origins/1/wait?requests=many", Value::Null),
    ] {
        assert_eq!(fixture.try_call(method, path, body).await.0, 400, "{method} {path}");
    }
    assert_eq!(fixture.try_call("GET", "/control/origins/99/report", Value::Null).await.0, 404);
}

#[tokio::test]
async fn pages_of_any_origin_may_use_the_control_api() {
    let fixture = Fixture::start().await;
    let answer = fixture.raw_call("GET", "/control", "").await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.json()["name"], "steadfetch-fault-server");
}

#[tokio::test]
async fn files_are_served_on_the_control_origin_and_on_every_other() {
    let mut statics = StaticFiles::default();
    statics.mount("/server", env!("CARGO_MANIFEST_DIR"));
    let fixture = Fixture::with_statics(statics).await;
    let answer = fixture.raw_call("GET", "/server/client.mjs", "").await;
    assert_eq!(answer.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(answer.text().contains("export async function connect"));

    let steps = json!([{ "status": 404 }, { "static": true, "headers": { "content-type": "text/html" } }]);
    let origin = fixture
        .open(json!({
            "staticHeaders": { "content-security-policy": "script-src 'self'" },
            "script": { "routes": [{ "path": "/server/Cargo.toml", "steps": steps }] },
        }))
        .await;
    let answer = origin.get("/server/client.mjs").await;
    assert_eq!(answer.header("content-security-policy"), Some("script-src 'self'"));
    assert_eq!(origin.get("/server/Cargo.toml").await.status, 404);
    let answer = origin.get("/server/Cargo.toml").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html")));
    assert!(answer.text().starts_with("[package]"));
    assert_eq!(origin.get("/server/../npm/package.json").await.status, 404);
    let report = origin.wait("completed=2").await;
    assert_eq!(report["otherLog"].as_array().unwrap().len(), 2);

    let bare = fixture.open(json!({ "static": false })).await;
    assert_eq!(bare.get("/server/client.mjs").await.status, 404);
}
