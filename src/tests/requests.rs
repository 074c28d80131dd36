//! What is made of a request before it is sent.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use super::sim::{Answer, client, lost, ok, requests, run, sleep, tasks};
use crate::transport::Response;
use crate::{Client, ErrorKind, EventKind, Outcome, Retry, Scope};

fn type_of(index: usize) -> Option<String> {
    requests()[index].header("Content-Type").map(str::to_owned)
}

#[test]
fn a_mistake_of_a_detached_call_is_told_and_ends_its_scope() {
    let (told, seen) = (Rc::new(RefCell::new(Vec::new())), Rc::new(RefCell::new(0)));
    let api = client(Vec::new()).name("shop").build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let (out, number) = (told.clone(), seen.clone());
    let call = scope.post("http://[bad").operation("buy").on_event(move |event| {
        assert_eq!((&*event.dependency, &*event.operation), ("shop", "buy"));
        *number.borrow_mut() = event.call_id;
        out.borrow_mut().push(match &event.kind {
            EventKind::CallStart { method, .. } => format!("start {method}"),
            EventKind::CallEnd { error, .. } => format!("end {}", error.as_ref().unwrap().code()),
            other => format!("{other:?}"),
        });
    });
    call.send().detach();
    assert_eq!(*told.borrow(), ["start POST", "end INVALID_REQUEST"]);
    assert_ne!(*seen.borrow(), 0);
    let error = run(scope.get("a").send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
}

#[test]
#[cfg(feature = "json")]
fn the_type_of_a_body_is_that_of_the_last_in_place_of_the_clients_unless_the_call_says_another() {
    let api = client((0..5).map(|_| ok("")).collect()).header("Content-Type", "application/ld+json").build().unwrap();
    run(api.post("a").json(&1).send()).unwrap();
    run(api.post("a").json(&1).header("content-type", "application/x").send()).unwrap();
    assert_eq!(type_of(0).as_deref(), Some("application/json"));
    assert_eq!(type_of(1).as_deref(), Some("application/x"));
    run(api.post("a").without_header("Content-Type").json(&1).send()).unwrap();
    assert_eq!(type_of(2), None);
    run(api.post("a").form([("a", "b")]).send()).unwrap();
    run(api.post("a").body("{}").send()).unwrap();
    assert_eq!(type_of(3).as_deref(), Some("application/x-www-form-urlencoded;charset=UTF-8"));
    assert_eq!(type_of(4).as_deref(), Some("application/ld+json"), "a string has no type of its own");

    let plain = client((0..2).map(|_| ok("")).collect()).build().unwrap();
    run(plain.post("a").json(&1).form([("a", "b")]).send()).unwrap();
    run(plain.post("a").json(&1).body("text").send()).unwrap();
    assert_eq!(type_of(0).as_deref(), Some("application/x-www-form-urlencoded;charset=UTF-8"));
    assert_eq!(type_of(1), None);
}

#[test]
#[cfg(feature = "json")]
fn a_body_replaces_one_that_could_not_be_written() {
    let bad = std::collections::HashMap::from([(vec![1], 1)]);
    let api = client(vec![ok("")]).build().unwrap();
    assert_eq!(run(api.post("a").json(&bad).send()).unwrap_err().kind(), ErrorKind::InvalidOption);
    run(api.post("a").json(&bad).body("fine").send()).unwrap();
    assert_eq!(requests()[0].body(), Some(&b"fine"[..]));
}

/// The file that the tests of the npm package run too.
#[test]
#[cfg(feature = "json")]
fn the_query_of_a_url_stays_byte_for_byte() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/vectors/search-params.json")).unwrap();
    for vector in vectors.as_array().unwrap() {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let params = vector["params"].as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1])));
        let params: Vec<_> = params.collect();
        let api = client(vec![ok("")]).build().unwrap();
        run(api.get(text(&vector["url"])).query(params).send()).unwrap();
        assert_eq!(requests()[0].url(), text(&vector["expected"]));
    }
}

#[test]
fn the_query_of_a_view_replaces_that_of_its_client() {
    let api = client((0..3).map(|_| ok("")).collect()).query([("a", 1)]).build().unwrap();
    let view = api.extend().query([("b", 2)]).query([("c", 3)]).build().unwrap();
    run(view.get("x").send()).unwrap();
    run(api.extend().build().unwrap().get("x").send()).unwrap();
    run(view.get("x").query([("d", 4)]).send()).unwrap();
    let urls: Vec<_> = requests().iter().map(|request| request.url().to_owned()).collect();
    let queries = ["b=2&c=3", "a=1", "d=4"].map(|query| format!("https://api.test/v1/x?{query}"));
    assert_eq!(urls, queries);
}

#[test]
fn what_no_request_can_hold_is_never_sent() {
    let api: Client = client(Vec::new()).build().unwrap();
    let wrong = [
        api.get("a").header("X-A", "a\r\nB: c"),
        api.get("a").header("", "x"),
        api.get("a").header("X A", "x"),
        api.request("G\r\nX: y", "a"),
        api.request("", "a"),
    ];
    for request in wrong {
        let error = run(request.send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::InvalidRequest, Outcome::NotSent));
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    assert!(requests().is_empty());
}

#[test]
#[cfg(feature = "stream")]
fn an_opaque_answer_cannot_be_streamed() {
    use futures_core::Stream;
    let api = client(vec![Answer::Response(0, Response::new(0))]).build().unwrap();
    let mut stream = run(api.get("a").send()).unwrap().stream();
    let mut next = || run(std::future::poll_fn(|cx| std::pin::Pin::new(&mut stream).poll_next(cx)));
    assert_eq!(next().unwrap().unwrap_err().kind(), ErrorKind::UnexpectedResponse);
    assert!(next().is_none());
}

#[test]
fn a_client_that_another_thread_has_closed_sends_no_retry() {
    let api = client(vec![lost(), ok("x")]).retry(Retry::new().delay(Duration::from_millis(500)).jitter(false));
    let api = api.build().unwrap();
    let closer = api.clone();
    run(async {
        api.get("a").send().detach();
        sleep(20).await;
        thread::spawn(move || closer.close()).join().unwrap();
        sleep(1_000).await;
    });
    assert_eq!((requests().len(), tasks()), (1, 0));
}
