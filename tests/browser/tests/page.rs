//! What the page tells: online, leaving, its policy.
#![cfg(target_family = "wasm")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join;
use serde_json::json;
use steadfetch::{Client, ErrorKind, EventKind, Outcome, Retry, RetryStopped};
use steadfetch_browser_tests::{Patch, Server, evaluate, sleep};
use wasm_bindgen_test::wasm_bindgen_test;

fn is_window() -> bool {
    evaluate("typeof document === 'object'").is_truthy()
}

/// Whether the global has events: that of Node has none.
fn has_events() -> bool {
    evaluate("typeof dispatchEvent === 'function'").is_truthy()
}

#[wasm_bindgen_test]
async fn a_retry_waits_for_the_browser_to_be_online() {
    if !has_events() {
        return;
    }
    let origin = Server::default().open_with(json!([{ "before": "reset" }, { "json": 1 }])).await;
    let set_online = |online: bool| {
        evaluate(&format!(
            "(() => {{
               Object.defineProperty(navigator, 'onLine', {{ get: () => {online}, configurable: true }});
               if ({online}) dispatchEvent(new Event('online'));
             }})()"
        ));
    };
    let retry = Retry::new().delay(Duration::from_millis(10)).jitter(false).backoff_limit(Duration::from_secs(20));
    let retried = Rc::new(RefCell::new(false));
    let told = retried.clone();
    let call = Client::new().put(origin.url("/a")).retry(retry).on_event(move |event| {
        *told.borrow_mut() |= matches!(event.kind, EventKind::Retry { .. });
    });
    set_online(false);
    let online_again = async {
        while !*retried.borrow() {
            sleep(5).await;
        }
        sleep(150).await;
        let report = origin.report().await;
        set_online(true);
        report["requests"].clone()
    };
    let (result, requests_offline) = join(call.send(), online_again).await;
    evaluate("delete navigator.onLine");
    assert_eq!(requests_offline, 1);
    assert_eq!(result.unwrap().attempts(), 2);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn nothing_starts_while_the_page_is_left() {
    if !has_events() {
        return;
    }
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    // The first call makes the engine.
    assert_eq!(Client::new().get(origin.url("/first")).send().await.unwrap().status(), 200);
    evaluate("dispatchEvent(new Event('pagehide'))");
    let error = Client::new().get(origin.url("/a")).send().await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
    assert_eq!(error.retry_stopped(), Some(RetryStopped::Pagehide));
    let beacon = Client::new().post(origin.url("/b")).keepalive(true).body("bye").send().await;
    assert_eq!(beacon.unwrap().status(), 200);
    evaluate("dispatchEvent(new Event('pageshow'))");
    assert_eq!(Client::new().get(origin.url("/c")).send().await.unwrap().status(), 200);
    assert_eq!(origin.report().await["requests"], 3);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn what_the_pages_policy_refuses_is_not_tried_again() {
    if !is_window() {
        return;
    }
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    // It stays for the rest of the page, so it allows all that the other tests need.
    evaluate(
        "document.head.appendChild(Object.assign(document.createElement('meta'), {
           httpEquiv: 'Content-Security-Policy',
           content: \"connect-src 'self' http://127.0.0.1:* https://127.0.0.1:*\",
         }))",
    );
    let elsewhere = origin.url("/a").replace("127.0.0.1", "localhost");
    let retry = Retry::new().limit(3).delay(Duration::from_millis(20)).jitter(false);
    let error = Client::new().get(elsewhere).retry(retry).send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Network, 1));
    assert_eq!(
        (error.hint().map(steadfetch::Hint::name), error.retry_stopped()),
        (Some("csp"), Some(RetryStopped::Policy))
    );
    assert_eq!(Client::new().get(origin.url("/a")).send().await.unwrap().status(), 200);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_thousand_calls_leave_nothing() {
    let mock = Patch::new(
        "fetch",
        "let count = 0;
         return async () => {
           count += 1;
           if (count % 3 === 0) throw new TypeError('Failed to fetch');
           return new Response('{\"a\":1}');
         };",
    );
    // More retries than a budget of 10 allows.
    let api = Client::builder().retry(Retry::new().delay(Duration::ZERO)).retry_budget(None).build().unwrap();
    let mut before = 0;
    for round in 0..600 {
        if round == 100 {
            before = wasm_bindgen::externref_heap_live_count();
        }
        api.get("https://api.example.test/").send().await.unwrap().text().await.unwrap();
        // Dropped unread, or lost.
        let _ = api.post("https://api.example.test/").send().await;
    }
    drop(mock);
    let after = wasm_bindgen::externref_heap_live_count();
    // The last body may still be on its way out.
    assert!(after <= before + 4, "JavaScript values are held: {before}, then {after}");
}
