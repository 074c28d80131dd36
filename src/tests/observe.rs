use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::sim::{Answer, client, drip, lost, ok, requests, run, script, sleep};
use crate::{ErrorKind, EventKind, Progress};

#[test]
fn an_observer_is_told_what_happens() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let (told, api) = (log.clone(), client(vec![lost(), ok("x")]).name("shop").build().unwrap());
    let call = api.get("a?token=S3CRET").operation("list").on_event(move |event| {
        assert_eq!((&*event.dependency, &*event.operation), ("shop", "list"));
        assert!(event.remaining.unwrap() + event.elapsed == Duration::from_secs(30));
        assert!(!format!("{event:?}").contains("S3CRET"));
        told.borrow_mut().push(match &event.kind {
            EventKind::CallStart { method, url, .. } => format!("{method} {url}"),
            EventKind::AttemptStart => format!("attempt {}", event.attempt),
            EventKind::AttemptEnd { attempt, headers_after, .. } => {
                format!("end {} {:?} {headers_after:?}", attempt.number(), attempt.kind())
            }
            EventKind::Queued | EventKind::CircuitChange { .. } | EventKind::Refresh { .. } => {
                panic!("there is neither")
            }
            EventKind::Retry { retry_count, error, .. } => format!("retry {retry_count} {error:?}"),
            EventKind::CallEnd { error, status, attempts, .. } => {
                format!("done {} {status:?} {attempts}", error.is_none())
            }
        });
    });
    run(async { call.send().await?.text().await }).unwrap();
    assert_eq!(
        *log.borrow(),
        [
            "GET https://api.test/v1/a",
            "attempt 1",
            "end 1 Some(Network) None",
            "retry 1 Network",
            "attempt 2",
            "end 2 None Some(10ms)",
            "done true Some(200) 2"
        ]
    );
}

#[test]
fn n02_an_observer_may_start_calls_and_drop_them() {
    let api = client(vec![ok("a")]).build().unwrap();
    let nested = api.clone();
    let kept = Rc::new(RefCell::new(None));
    let keep = kept.clone();
    let call = api.get("a").on_event(move |event| {
        if matches!(event.kind, EventKind::AttemptStart) {
            script(vec![Answer::Silence, ok("b")]);
            nested.get("nested").send().detach();
            *keep.borrow_mut() = Some(nested.get("dropped").send());
            keep.borrow_mut().take();
        }
    });
    run(async { call.send().await?.text().await }).unwrap();
    run(sleep(60_000));
    assert_eq!(requests().len(), 2);
}

#[test]
fn the_clients_observer_hears_every_call() {
    let count = Arc::new(Mutex::new(0));
    let counter = count.clone();
    let api = client(vec![ok(""), lost()])
        .on_event(move |event| {
            if let EventKind::CallEnd { error, .. } = &event.kind {
                *counter.lock().unwrap() += 1;
                if let Some(error) = error {
                    assert_eq!(error.kind(), ErrorKind::Network);
                }
            }
        })
        .build()
        .unwrap();
    drop(run(api.get("a").send()));
    drop(run(api.post("a").send()));
    assert_eq!(*count.lock().unwrap(), 2);
}

#[test]
fn progress_is_told_from_zero() {
    let log = Rc::new(RefCell::new(Vec::new()));
    let told = log.clone();
    let api = client(vec![drip(vec![(10, Some("ab")), (10, Some("c"))], true)]).build().unwrap();
    let call = api.get("a").on_download_progress(move |progress: Progress| {
        assert_eq!(progress.total_bytes, None);
        told.borrow_mut().push(progress.transferred_bytes);
    });
    run(async { call.send().await?.bytes().await }).unwrap();
    assert_eq!(*log.borrow(), [0, 2, 3]);
}

#[test]
#[cfg(all(feature = "serde", feature = "json"))]
fn events_and_metrics_are_data_by_the_names_of_the_npm_package() {
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};

    use super::sim::{lost, status};
    use crate::{CircuitBreaker, Queue, Retry};

    let told = Arc::new(Mutex::new(Vec::new()));
    let log = told.clone();
    let api = super::sim::client(vec![lost(), status(500)])
        .name("shop")
        .queue(Queue::new(1))
        .circuit_breaker(CircuitBreaker::new().failure_threshold(1))
        .retry(Retry::new().delay(std::time::Duration::ZERO))
        .on_event(move |event| log.lock().unwrap().push(serde_json::to_value(event).unwrap()))
        .build()
        .unwrap();
    super::sim::run(api.get("a").operation("list").send()).unwrap_err();
    let told = told.lock().unwrap();
    let find = |name: &str| told.iter().find(|event| event["type"] == name).unwrap_or(&Value::Null).clone();
    let start = find("call-start");
    assert_eq!(start["url"], "https://api.test/v1/a");
    assert_eq!((&start["dependency"], &start["operation"]), (&json!("shop"), &json!("list")));
    let attempt = find("attempt-end");
    assert_eq!((&attempt["code"], &attempt["outcome"]), (&json!("NETWORK_ERROR"), &json!("unknown")));
    assert_eq!((&attempt["attemptMs"], &attempt["phase"]), (&json!(10), &json!("headers")));
    assert_eq!((&find("retry")["retryCount"], &find("circuit-change")["state"]), (&json!(1), &json!("open")));
    let end = find("call-end");
    assert_eq!((&end["ok"], &end["code"], &end["status"]), (&json!(false), &json!("HTTP_ERROR"), &json!(500)));

    let metrics = serde_json::to_value(api.metrics()).unwrap();
    assert_eq!((&metrics["calls"], &metrics["retries"], &metrics["inFlight"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!((&metrics["failed"], &metrics["callMs"]["count"]), (&json!({ "HTTP_ERROR": 1 }), &json!(1)));
    assert_eq!(metrics["circuits"][0]["state"], "open");
}
