//! The token refresh against a server, and with the locks of the platform.
#![cfg(target_family = "wasm")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use steadfetch::{Auth, AuthLock, Client, ErrorKind, Phase, Refreshed, Retry};
use steadfetch_browser_tests::{Origin, Server, evaluate};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

type Store = Arc<Mutex<String>>;

fn store(token: &str) -> Store {
    Arc::new(Mutex::new(token.to_owned()))
}

/// Gives what the store has, and refreshes by a POST of the context's client.
fn auth(store: &Store) -> Auth {
    let (own, tokens) = (store.clone(), store.clone());
    Auth::new(
        move |_| {
            let token = own.lock().unwrap().clone();
            async { Ok(Some(token)) }
        },
        move |context| {
            let tokens = tokens.clone();
            async move {
                let token = context.client().post("refresh").send().await?.text().await?;
                tokens.lock().unwrap().clone_from(&token);
                Ok(Refreshed::Token(token))
            }
        },
    )
}

/// 401 for everything but the token `new`, which a refresh gives.
async fn guarded(header: &str, value: &str) -> Origin {
    let routes = json!([
        { "path": "/refresh", "steps": [{ "delay": 100, "body": "new" }] },
        { "path": "/*", "when": { "headers": { header: value } }, "steps": [{ "echo": true }] },
        { "path": "/*", "steps": [{ "status": 401 }] },
    ]);
    Server::default().open(&json!({ "script": { "routes": routes } })).await
}

fn requests(report: &Value, path: &str) -> usize {
    let log = report["log"].as_array().unwrap();
    log.iter().filter(|entry| entry["url"].as_str() == Some(path) && entry["method"] != "OPTIONS").count()
}

#[wasm_bindgen_test]
async fn h01_h16_all_that_are_refused_share_one_refresh_and_are_sent_once_more() {
    let origin = guarded("authorization", "Bearer new").await;
    let api =
        Client::builder().base_url(&origin.origin).auth(auth(&store("old"))).retry(Retry::none()).build().unwrap();
    let calls = (0..6).map(|call| match call {
        0 => api.post("a").body("abc").send(),
        _ => api.get("a").send(),
    });
    for (call, response) in join_all(calls).await.into_iter().enumerate() {
        let echo: Value = response.unwrap().json().await.unwrap();
        assert_eq!(echo["bodyBytes"], if call == 0 { 3 } else { 0 });
    }
    let report = origin.report().await;
    assert_eq!((requests(&report, "/refresh"), requests(&report, "/a")), (1, 12));
    let metrics = api.metrics();
    assert_eq!((metrics.refreshes, metrics.resent, metrics.retries), (1, 6, 0));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn i06_no_token_goes_to_where_a_redirect_leads() {
    let server = Server::default();
    let evil = server.open_with(json!({ "status": 401, "echo": true })).await;
    let redirect = json!({ "redirect": { "status": 302, "to": evil.url("/stolen") } });
    let origin = server.open_with(redirect).await;
    let ask = async |auth: Auth| {
        let api = Client::builder().base_url(&origin.origin).auth(auth).retry(Retry::none()).build().unwrap();
        api.get("a").send().await.unwrap_err()
    };
    let error = ask(auth(&store("S3CRET")).header("X-Token").scheme("")).await;
    assert_eq!(error.kind(), ErrorKind::Network);
    assert_eq!(evil.report().await["requests"], 0, "browsers would send it along");
    // This one they take off. A 401 from there is no reason to refresh.
    let error = ask(auth(&store("S3CRET"))).await;
    assert!(!error.to_string().contains("S3CRET"));
    assert_ne!(error.kind(), ErrorKind::AuthRefreshFailed);
    assert!(!evil.report().await.to_string().contains("S3CRET"));
    assert_eq!(requests(&origin.report().await, "/refresh"), 0);
    join_all([origin.close(), evil.close()]).await;
}

#[wasm_bindgen_test]
async fn h06_a_refresh_that_hangs_is_closed() {
    let routes = json!([
        { "path": "/refresh", "steps": [{ "before": "hang" }] },
        { "path": "/*", "steps": [{ "status": 401 }] },
    ]);
    let origin = Server::default().open(&json!({ "script": { "routes": routes } })).await;
    let auth = auth(&store("old")).refresh_timeout(Duration::from_millis(300));
    let api = Client::builder().base_url(&origin.origin).auth(auth).retry(Retry::none()).build().unwrap();
    let error = api.get("a").send().await.unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::AuthRefreshFailed, Some(Phase::Refresh)));
    assert_eq!(
        (error.status(), error.limit(), error.session_lost()),
        (Some(401), Some(steadfetch::Limit::Time(Duration::from_millis(300))), false)
    );
    origin.wait(&[("requests", 2), ("closes", 1), ("open", 0)]).await;
    origin.close().await;
}

#[wasm_bindgen_test]
async fn h06_the_signal_of_a_callback_fires_with_its_limit() {
    thread_local! {
        static SIGNAL: RefCell<Option<web_sys::AbortSignal>> = const { RefCell::new(None) };
    }
    let auth = Auth::cookies(|context| {
        SIGNAL.set(Some(context.signal().clone()));
        std::future::pending()
    });
    let origin = Server::default().open_with(json!({ "status": 401 })).await;
    let auth = auth.refresh_timeout(Duration::from_millis(100));
    let api = Client::builder().base_url(&origin.origin).auth(auth).build().unwrap();
    assert_eq!(api.get("a").send().await.unwrap_err().kind(), ErrorKind::AuthRefreshFailed);
    assert!(SIGNAL.take().unwrap().aborted());
    origin.close().await;
}

#[wasm_bindgen_test]
async fn should_refresh_looks_into_a_body_that_stays_to_be_read() {
    let steps =
        json!([{ "status": 403, "json": { "why": "expired" } }, { "status": 403, "json": { "why": "no rights" } }]);
    let routes = json!([{ "path": "/refresh", "steps": [{ "body": "new" }] }, { "path": "/*", "steps": steps }]);
    let origin = Server::default().open(&json!({ "script": { "routes": routes } })).await;
    let auth = auth(&store("old")).should_refresh(|peek| {
        peek.status() == 403 && peek.json::<Value>().is_some_and(|json| json["why"] == "expired")
    });
    let api = Client::builder().base_url(&origin.origin).auth(auth).throw_http_errors(false).build().unwrap();
    let response = api.get("a").send().await.unwrap();
    assert_eq!((response.status(), response.attempts(), response.as_web().body_used()), (403, 2, false));
    let read = JsFuture::from(response.as_web().text().unwrap()).await.unwrap().as_string().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), json!({ "why": "no rights" }));
    assert_eq!(requests(&origin.report().await, "/refresh"), 1);
    origin.close().await;
}

/// Takes the lock of another tab; the function gives it back.
async fn other_tab(name: &str) -> js_sys::Function {
    let take = js_sys::Function::new_with_args(
        "name",
        "return new Promise((held) => {
           navigator.locks.request(name, () => new Promise((free) => held(free))).catch(() => {});
         });",
    );
    let held = take.call1(&wasm_bindgen::JsValue::UNDEFINED, &name.into()).unwrap();
    JsFuture::from(held.unchecked_into::<js_sys::Promise>()).await.unwrap().unchecked_into()
}

fn has_locks() -> bool {
    evaluate("typeof navigator === 'object' && typeof navigator.locks?.request === 'function'").is_truthy()
}

#[wasm_bindgen_test]
async fn h11_who_waits_for_the_lock_adopts_the_token_of_another_tab() {
    if !has_locks() {
        return;
    }
    let origin = guarded("authorization", "Bearer new").await;
    let tokens = store("old");
    let auth = auth(&tokens).lock(AuthLock::Origin);
    let api = Client::builder().base_url(&origin.origin).auth(auth).build().unwrap();
    let free = other_tab(&["steadfetch:", &origin.origin].concat()).await;
    let refreshed_elsewhere = async {
        origin.wait(&[("requests", 1)]).await;
        *tokens.lock().unwrap() = "new".to_owned();
        free.call0(&wasm_bindgen::JsValue::UNDEFINED).unwrap();
    };
    let (response, ()) = join(api.get("a").send(), refreshed_elsewhere).await;
    assert_eq!(response.unwrap().status(), 200);
    let report = origin.report().await;
    assert_eq!((requests(&report, "/refresh"), requests(&report, "/a")), (0, 2));
    // The lock was given back: whoever asks gets it.
    other_tab(&["steadfetch:", &origin.origin].concat()).await.call0(&wasm_bindgen::JsValue::UNDEFINED).unwrap();
    origin.close().await;
}

#[wasm_bindgen_test]
async fn h11_a_lock_that_is_never_given_back_is_taken() {
    if !has_locks() {
        return;
    }
    let origin = guarded("authorization", "Bearer new").await;
    let auth = auth(&store("old")).lock(AuthLock::Origin).lock_name("mine").refresh_timeout(Duration::from_millis(400));
    let refreshes = Arc::new(AtomicU32::new(0));
    let told = refreshes.clone();
    let api = Client::builder()
        .base_url(&origin.origin)
        .auth(auth)
        .on_event(move |event| {
            if let steadfetch::EventKind::Refresh { ok, .. } = event.kind {
                told.fetch_add(if ok { 1 } else { 100 }, Ordering::Relaxed);
            }
        })
        .build()
        .unwrap();
    let _held = other_tab("mine").await;
    assert_eq!(api.get("a").send().await.unwrap().status(), 200);
    assert_eq!(requests(&origin.report().await, "/refresh"), 1);
    assert_eq!(refreshes.load(Ordering::Relaxed), 1);
    other_tab("mine").await.call0(&wasm_bindgen::JsValue::UNDEFINED).unwrap();
    origin.close().await;
}
