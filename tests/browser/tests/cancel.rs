//! What is dropped or aborted stops: the server sees the connection close.
#![cfg(target_family = "wasm")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, join, select};
use futures_util::{StreamExt, pin_mut};
use serde_json::json;
use steadfetch::{Client, ErrorKind, EventKind, Mode, Outcome, Phase, Retry};
use steadfetch_browser_tests::{Patch, Server, evaluate, now, runtime, sleep};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortController;

fn api() -> Client {
    Client::builder().retry(Retry::new().delay(Duration::from_millis(10))).build().unwrap()
}

/// Half an answer, then silence.
fn half() -> serde_json::Value {
    json!({ "chunks": [{ "text": "{\"a\":" }], "end": "hang" })
}

#[wasm_bindgen_test]
async fn n17_a_dropped_future_closes_the_connection() {
    let origin = Server::default().open_with(json!({ "before": "hang" })).await;
    let call = Box::pin(api().get(origin.url("/a")).send());
    match select(call, Box::pin(origin.wait(&[("requests", 1)]))).await {
        Either::Left((result, _)) => panic!("settled: {result:?}"),
        Either::Right((_, call)) => drop(call),
    }
    let report = origin.wait(&[("closes", 1), ("open", 0)]).await;
    assert_eq!(report["requests"], 1);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_dropped_response_closes_the_connection() {
    for read_first in [false, true] {
        let origin = Server::default().open_with(half()).await;
        let mut response = api().get(origin.url("/a")).send().await.unwrap();
        if read_first {
            assert_eq!(response.chunk().await.unwrap().unwrap(), b"{\"a\":");
        }
        drop(response);
        origin.wait(&[("closes", 1), ("open", 0)]).await;
        origin.close().await;
    }
}

#[wasm_bindgen_test]
async fn a_dropped_stream_closes_the_connection() {
    let origin = Server::default().open_with(json!({ "drip": { "text": "x", "every": 20 } })).await;
    let mut stream = api().get(origin.url("/a")).send().await.unwrap().stream();
    assert!(stream.next().await.unwrap().is_ok());
    drop(stream);
    origin.wait(&[("closes", 1), ("open", 0)]).await;
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_future_dropped_in_a_backoff_sends_nothing_more() {
    let origin = Server::default().open_with(json!([{ "before": "reset" }, { "json": 1 }])).await;
    let retried = Rc::new(RefCell::new(false));
    let told = retried.clone();
    let retry = Retry::new().delay(Duration::from_millis(300)).jitter(false);
    let call = Client::new().put(origin.url("/a")).retry(retry).on_event(move |event| {
        *told.borrow_mut() |= matches!(event.kind, EventKind::Retry { .. });
    });
    let call = call.send();
    let waits = async {
        while !*retried.borrow() {
            sleep(5).await;
        }
    };
    pin_mut!(waits);
    assert!(matches!(select(call, waits).await, Either::Right(_)));
    sleep(600).await;
    assert_eq!(origin.report().await["requests"], 1);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_future_that_is_never_polled_sends_nothing() {
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    drop(api().get(origin.url("/a")).send());
    assert_eq!(origin.report().await["requests"], 0);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn a_detached_call_goes_on_and_is_read_to_its_end() {
    let origin = Server::default().open_with(json!({ "delay": 50, "bytes": 100_000 })).await;
    api().post(origin.url("/a")).body("x").send().detach();
    let report = origin.wait(&[("completed", 1), ("open", 0)]).await;
    assert_eq!((&report["requests"], &report["closes"]), (&json!(1), &json!(0)));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn b01_an_aborted_signal_sends_nothing() {
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    let controller = AbortController::new().unwrap();
    controller.abort();
    let started = now();
    let error = api().get(origin.url("/a")).signal(&controller.signal()).send().await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
    assert!(now() - started < 200.0);
    assert_eq!(origin.report().await["requests"], 0);
    origin.close().await;
}

#[wasm_bindgen_test]
async fn b02_whatever_the_reason_it_is_aborted() {
    for reason in ["new Error('E')", "'bye'", "null", "undefined", "({ a: 1 })"] {
        let origin = Server::default().open_with(json!({ "before": "hang" })).await;
        let controller = AbortController::new().unwrap();
        let call = api().get(origin.url("/a")).retry(3).signal(&controller.signal()).send();
        let abort = async {
            origin.wait(&[("requests", 1)]).await;
            controller.abort_with_reason(&evaluate(reason));
            now()
        };
        let (result, aborted) = join(call, abort).await;
        assert!(now() - aborted < 300.0, "{reason}");
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Aborted, Some(Phase::Headers)), "{reason}");
        assert_eq!((error.outcome(), error.attempts().len()), (Outcome::Unknown, 1), "{reason}");
        let report = origin.wait(&[("closes", 1), ("open", 0)]).await;
        assert_eq!(report["requests"], 1, "{reason}");
        origin.close().await;
    }
}

#[wasm_bindgen_test]
async fn b04_abort_in_the_body() {
    for how in 0..3 {
        let origin = Server::default().open_with(half()).await;
        let controller = AbortController::new().unwrap();
        let response = api().get(origin.url("/a")).signal(&controller.signal()).send().await.unwrap();
        spawn_local(async move {
            sleep(100).await;
            controller.abort_with_reason(&JsValue::from_str("bye"));
        });
        let error = match how {
            0 => response.json::<serde_json::Value>().await.unwrap_err(),
            1 => response.text().await.unwrap_err(),
            _ => {
                let chunks: Vec<_> = response.stream().collect().await;
                assert_eq!(chunks.len(), 2);
                chunks.into_iter().find_map(Result::err).unwrap()
            }
        };
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Aborted, Some(Phase::Body)), "{how}");
        assert_eq!((error.status(), error.outcome()), (Some(200), Outcome::Answered), "{how}");
        origin.wait(&[("closes", 1), ("open", 0)]).await;
        origin.close().await;
    }
}

#[wasm_bindgen_test]
async fn b07_a_long_lived_signal_keeps_no_listener() {
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
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
    for _ in 0..20 {
        api().get(origin.url("/a")).signal(&signal).send().await.unwrap().text().await.unwrap();
        assert_eq!(count(), 0.0);
    }
    let call = api().get(origin.url("/a")).signal(&signal).send();
    pin_mut!(call);
    assert!(matches!(select(&mut call, std::future::ready(())).await, Either::Right(_)));
    assert_eq!(count(), 1.0);
    controller.abort();
    assert_eq!(count(), 0.0);
    assert!(call.await.unwrap_err().is_aborted());
    origin.close().await;
}

#[wasm_bindgen_test]
async fn b09_no_timer_outlives_its_call() {
    // The fetch of Node sets timers of its own by the same global.
    if runtime() == Some("node") {
        return;
    }
    let origin = Server::default().open_with(json!({ "delay": 20, "json": 1 })).await;
    // The first call makes the engine.
    api().get(origin.url("/a")).send().await.unwrap().text().await.unwrap();
    let pending = evaluate("globalThis.steadfetchTestTimers = new Set()");
    let set = Patch::new(
        "setTimeout",
        "const timers = globalThis.steadfetchTestTimers;
         return (callback, ms) => {
           const timer = original(() => { timers.delete(timer); callback(); }, ms);
           // A driver sets timers in the page too.
           if (new Error().stack.includes('wasm')) timers.add(timer);
           return timer;
         };",
    );
    let clear = Patch::new(
        "clearTimeout",
        "return (timer) => { globalThis.steadfetchTestTimers.delete(timer); original(timer); };",
    );
    let most = Rc::new(RefCell::new(0.0_f64));
    let size = || evaluate("globalThis.steadfetchTestTimers.size").as_f64().unwrap();
    let calls = (0..50).map(|_| async {
        let response = api().get(origin.url("/a")).timeout(Duration::from_secs(3)).send();
        let response = response.await.unwrap();
        let seen = most.borrow().max(size());
        assert!(seen >= 1.0, "the engine has its timer");
        *most.borrow_mut() = seen;
        response.text().await.unwrap()
    });
    futures_util::future::join_all(calls).await;
    assert_eq!(size(), 0.0, "a timer is left");
    assert!(*most.borrow() <= 1.0, "more than one timer at a time: {}", most.borrow());
    drop((set, clear, pending));
    origin.close().await;
}

#[wasm_bindgen_test]
async fn n02_observers_may_start_and_drop_calls() {
    let origin = Server::default().open_with(json!({ "json": 1 })).await;
    let (nested, url) = (api(), origin.url("/nested"));
    let call = api().get(origin.url("/a")).on_event(move |event| {
        if matches!(event.kind, EventKind::AttemptEnd { .. } | EventKind::AttemptStart) {
            nested.get(url.clone()).send().detach();
            drop(nested.get(url.clone()).send());
        }
    });
    call.send().await.unwrap().text().await.unwrap();
    let report = origin.wait(&[("completed", 3), ("open", 0)]).await;
    assert_eq!(report["requests"], 3);
    origin.close().await;
}

/// Nobody can see the end of an opaque body: whatever ends its call closes its connection.
#[wasm_bindgen_test]
async fn the_connection_of_an_opaque_response_is_closed_by_what_ends_its_call() {
    if runtime().is_some() {
        return;
    }
    // The runner's page is cross-origin isolated: what says nothing of itself would be blocked.
    let endless = json!({
        "drip": { "text": "x".repeat(5_000), "every": 20 },
        "headers": { "cross-origin-resource-policy": "cross-origin", "content-type": "text/css" },
    });
    for how in ["drop", "signal", "close", "total_timeout", "read"] {
        let origin = Server::default().open_with(endless.clone()).await;
        let (api, controller) = (api(), AbortController::new().unwrap());
        let request = api.get(origin.url("/a")).mode(Mode::NoCors).signal(&controller.signal());
        let request = if how == "total_timeout" { request.total_timeout(Duration::from_secs(1)) } else { request };
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 0, "{how}");
        let kept = match how {
            "drop" => {
                drop(response);
                None
            }
            "read" => {
                let error = response.text().await.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::UnexpectedResponse);
                None
            }
            _ => Some(response),
        };
        match how {
            "signal" => controller.abort(),
            "close" => api.close(),
            _ => {}
        }
        origin.wait(&[("closes", 1), ("open", 0)]).await;
        drop(kept);
        origin.close().await;
    }
}
