//! Queue, circuit, scope and deadline header against a server.
#![cfg(target_family = "wasm")]

use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use steadfetch::{
    CircuitBreaker, CircuitState, Client, DeadlineHeader, ErrorKind, Outcome, Phase, Priority, Queue, Redirect, Retry,
    Scope,
};
use steadfetch_browser_tests::{Server, engine};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortController;

#[wasm_bindgen_test]
async fn a_queue_of_one_sends_one_after_the_other() {
    let origin = Server::default().open_with(json!({ "delay": 50, "json": 1 })).await;
    let api = Client::builder().queue(Queue::new(1).limit(2)).build().unwrap();
    let urls = ["/holder", "/low", "/high", "/refused"].map(|path| origin.url(path));
    let priorities = [Priority::Auto, Priority::Low, Priority::High, Priority::Auto];
    let read = async |(url, priority)| api.get(url).priority(priority).send().await?.text().await;
    let calls = urls.into_iter().zip(priorities).map(read);
    let ended = join_all(calls).await;
    assert!(ended[..3].iter().all(Result::is_ok), "{ended:?}");
    let error = ended[3].as_ref().unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::QueueFull, Some(Phase::Queue)));
    assert_eq!(error.outcome(), Outcome::NotSent);
    let report = origin.report().await;
    let log: Vec<&str> = report["log"].as_array().unwrap().iter().filter_map(|entry| entry["url"].as_str()).collect();
    assert_eq!(log, ["/holder", "/high", "/low"]);
    let metrics = api.metrics();
    assert_eq!((metrics.calls, metrics.succeeded, metrics.failed_with(ErrorKind::QueueFull)), (4, 3, 1));
    assert_eq!((metrics.enqueued, metrics.dispatched, metrics.waiting, metrics.in_flight), (2, 2, 0, 0));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_body_that_is_not_read_gives_its_slot_back() {
    let origin =
        Server::default().open_with(json!([{ "chunks": [{ "text": "x" }], "end": "hang" }, { "json": 1 }])).await;
    let api = Client::builder().queue(Queue::new(1)).idle_timeout(Duration::from_millis(300)).build().unwrap();
    let unread = api.get(origin.url("/a")).send().await.unwrap();
    assert_eq!(api.get(origin.url("/b")).send().await.unwrap().status(), 200);
    drop(unread);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_circuit_opens_when_connections_are_refused() {
    let origin = Server::default().open(&json!({ "refuse": true })).await;
    let breaker = CircuitBreaker::new().failure_threshold(2).reset_timeout(Duration::from_secs(60));
    let api = Client::builder().circuit_breaker(breaker).retry(Retry::none()).build().unwrap();
    for _ in 0..2 {
        let error = api.get(origin.url("/a")).send().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Network, Outcome::Unknown));
    }
    let error = api.get(origin.url("/a")).send().await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::CircuitOpen, Outcome::NotSent));
    let wait = error.retry_after().unwrap();
    assert!(wait > Duration::from_secs(1) && wait <= Duration::from_secs(60), "{wait:?}");
    let circuits = api.circuits();
    assert_eq!((circuits.len(), circuits[0].state), (1, CircuitState::Open));
    assert_eq!(circuits[0].key, origin.origin);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_refused_connection_was_not_sent_where_the_runtime_says_so() {
    let origin = Server::default().open(&json!({ "refuse": true })).await;
    let api = Client::builder().retry(Retry::none()).build().unwrap();
    let error = api.post(origin.url("/a")).redirect(Redirect::Error).send().await.unwrap_err();
    let outcome = if engine() == "node" { Outcome::NotSent } else { Outcome::Unknown };
    assert_eq!((error.kind(), error.outcome(), error.attempts()[0].outcome()), (ErrorKind::Network, outcome, outcome));
    let follows = api.post(origin.url("/a")).send().await.unwrap_err();
    assert_eq!(follows.outcome(), Outcome::Unknown, "a redirect may have led there");
    origin.close().await;
}

#[wasm_bindgen_test]
async fn the_deadline_header_arrives_where_it_costs_no_preflight_or_is_asked_for() {
    let origin = Server::default().open_with(json!({ "echo": true })).await;
    let told = async |header: DeadlineHeader| {
        let api = Client::builder().deadline_header(header).total_timeout(Duration::from_secs(20)).build().unwrap();
        let echo: Value = api.get(origin.url("/a")).send().await.unwrap().json().await.unwrap();
        echo["headers"]["x-deadline-ms"].as_str().map(|ms| ms.parse::<u64>().unwrap())
    };
    // In Node there is no page, so there is no other origin.
    assert_eq!(told("X-Deadline-Ms".into()).await.is_some(), engine() == "node");
    let ms = told(DeadlineHeader::new("X-Deadline-Ms").cross_origin(true)).await.unwrap();
    assert!((1_000..=20_000).contains(&ms), "{ms}");
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_scope_that_fails_fast_closes_its_connections() {
    let server = Server::default();
    let (slow, bad) =
        (server.open_with(json!({ "before": "hang" })).await, server.open_with(json!({ "status": 500 })).await);
    let scope = Client::new().scope(Scope::new().fail_fast(true)).unwrap();
    let first = async {
        slow.wait(&[("requests", 1)]).await;
        scope.get(bad.url("/a")).send().await.unwrap_err()
    };
    let (sibling, first) = join(scope.get(slow.url("/a")).send(), first).await;
    let sibling = sibling.unwrap_err();
    assert_eq!((first.kind(), sibling.kind()), (ErrorKind::Http, ErrorKind::Aborted));
    assert!(std::error::Error::source(&sibling).is_some());
    slow.wait(&[("closes", 1), ("open", 0)]).await;
    join_all([slow.close(), bad.close()]).await;
}

#[wasm_bindgen_test]
async fn a_signal_ends_a_scope_and_keeps_no_listener_of_scopes_that_are_gone() {
    let origin = Server::default().open_with(json!({ "before": "hang" })).await;
    let controller = AbortController::new().unwrap();
    let signal = controller.signal();
    let count = js_sys::Function::new_with_args(
        "signal",
        "let count = 0;
         const { addEventListener: add, removeEventListener: remove } = signal;
         signal.addEventListener = function (...rest) { count += 1; return add.apply(this, rest); };
         signal.removeEventListener = function (...rest) { count -= 1; return remove.apply(this, rest); };
         return () => count;",
    );
    let count: js_sys::Function = count.call1(&JsValue::UNDEFINED, &signal).unwrap().into();
    let count = || count.call0(&JsValue::UNDEFINED).unwrap().as_f64().unwrap();
    let api = Client::new();
    for _ in 0..20 {
        api.scope(Scope::new().signal(&signal)).unwrap();
        assert_eq!(count(), 1.0);
    }
    let scope = api.scope(Scope::new().signal(&signal)).unwrap();
    let abort = async {
        origin.wait(&[("requests", 1)]).await;
        controller.abort();
    };
    let (ended, ()) = join(scope.get(origin.url("/a")).send(), abort).await;
    assert_eq!(ended.unwrap_err().kind(), ErrorKind::Aborted);
    origin.wait(&[("closes", 1), ("open", 0)]).await;
    for late in [scope, api.scope(Scope::new().signal(&signal)).unwrap()] {
        let error = late.get(origin.url("/b")).send().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_client_that_closes_closes_its_connections() {
    let origin = Server::default().open_with(json!({ "before": "hang" })).await;
    let api = Client::new();
    let view = api.extend().build().unwrap();
    let close = async {
        origin.wait(&[("requests", 2)]).await;
        api.close();
    };
    let (ended, ()) =
        join(join_all([api.get(origin.url("/a")).send(), view.get(origin.url("/b")).send()]), close).await;
    assert!(ended.into_iter().all(|ended| ended.is_err_and(|error| error.is_aborted())));
    origin.wait(&[("closes", 2), ("open", 0)]).await;
    let error = view.get(origin.url("/c")).send().await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
    origin.close().await;
}
