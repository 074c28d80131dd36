use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::sim::{Answer, client, closed, lost, now, ok, requests, run, sleep, status};
use crate::transport::{Fault, Response};
use crate::{ErrorKind, IdempotencyKey, Outcome, Phase, Retry, RetryStopped};

#[test]
fn a_lost_get_is_sent_again() {
    let api = client(vec![lost(), ok("hello")]).build().unwrap();
    let response = run(api.get("users/1").send()).unwrap();
    assert_eq!((response.status(), response.attempts()), (200, 2));
    assert_eq!(run(response.text()).unwrap(), "hello");
    assert_eq!(requests()[1].url(), "https://api.test/v1/users/1");
}

#[test]
fn a_lost_post_is_not_and_its_outcome_is_unknown() {
    let api = client(vec![lost()]).build().unwrap();
    let error = run(api.post("orders").body("{}").send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
    assert_eq!(error.outcome(), Outcome::Unknown);
    assert_eq!(error.retry_stopped(), Some(RetryStopped::Method));
    assert_eq!(error.phase(), Some(Phase::Headers));
    assert_eq!((error.attempts().len(), error.method(), error.url()), (1, "POST", "https://api.test/v1/orders"));
}

#[test]
fn a_post_is_sent_again_by_leave() {
    for lift in 0..3 {
        let api = client(vec![lost(), ok("")]).build().unwrap();
        let request = api.post("orders").body("{}");
        let request = match lift {
            0 => request.idempotent(true),
            1 => request.header("idempotency-key", "\"k\""),
            _ => request.retry(Retry::new().methods(["post"])),
        };
        assert_eq!(run(request.send()).unwrap().attempts(), 2, "{lift}");
        let bodies: Vec<_> = requests().iter().map(|request| request.body().map(<[u8]>::to_vec)).collect();
        assert_eq!(bodies, [Some(b"{}".to_vec()), Some(b"{}".to_vec())]);
    }
}

#[test]
fn an_empty_idempotency_key_is_none() {
    for empty in ["", " \t"] {
        let api = client(vec![lost(), ok("")]).build().unwrap();
        let error = run(api.post("orders").header("Idempotency-Key", empty).send()).unwrap_err();
        assert_eq!((error.attempts().len(), error.retry_stopped()), (1, Some(RetryStopped::Method)), "{empty:?}");
    }
}

#[test]
fn i08_a_post_on_a_stale_connection_is_sent_again_with_its_key_only() {
    let stale = || Answer::Fault(5, Fault::Network);
    let api = client(vec![stale()]).build().unwrap();
    let error = run(api.post("orders").retry(0).send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome(), requests().len()), (ErrorKind::Network, Outcome::Unknown, 1));

    let api = client(vec![stale(), ok("")]).build().unwrap();
    let response = run(api.post("orders").header("Idempotency-Key", "\"k\"").retry(1).send()).unwrap();
    assert_eq!((response.status(), response.attempts()), (200, 2));
    let keys: Vec<_> = requests().iter().map(|request| request.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, [Some("\"k\"".to_owned()), Some("\"k\"".to_owned())]);
}

#[test]
fn a_status_is_retried_only_if_opted_in() {
    let api = client(vec![status(503)]).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(503)));
    assert_eq!(error.data(), Some("{\"why\":\"because\"}"));
    assert_eq!(error.outcome(), Outcome::Answered);

    let api = client(vec![status(503), status(503), ok("")]).retry(Retry::new().status_codes([503])).build().unwrap();
    assert_eq!(run(api.get("a").send()).unwrap().attempts(), 3);
    assert_eq!(closed(), 0, "a body that was all there is dropped, not closed");
}

#[test]
fn retry_after_is_waited_for() {
    let busy = Answer::Response(10, Response::new(429).with_header("Retry-After", "2"));
    let retry = Retry::new().status_codes([429]).jitter(false).delay(Duration::from_millis(100));
    let api = client(vec![busy, ok("")]).retry(retry).build().unwrap();
    run(api.get("a").send()).unwrap();
    assert_eq!(now(), Duration::from_millis(10 + 2_000 + 100 + 10));
}

#[test]
fn a_wait_that_is_too_long_is_not_waited_for() {
    let busy = || Answer::Response(10, Response::new(429).with_header("Retry-After", "61"));
    let api = client(vec![busy()]).retry(Retry::new().status_codes([429])).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(61)));
    assert_eq!(error.retry_stopped(), Some(RetryStopped::RetryAfter));
    assert_eq!(now(), Duration::from_millis(10));
}

#[test]
fn should_retry_replaces_the_rule_about_the_kind() {
    let retry = Retry::new().delay(Duration::ZERO).should_retry(|error, number| {
        assert!(error.url().ends_with("/a"));
        assert_eq!(error.data(), Some("{\"why\":\"because\"}"));
        Some(error.status() == Some(500) && number < 3)
    });
    let api = client(vec![status(500), status(500), status(500)]).retry(retry).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!((error.attempts().len(), error.retry_stopped()), (3, Some(RetryStopped::Policy)));
}

#[test]
fn waits_can_be_computed() {
    let retry = Retry::new()
        .delay_with(|number| Duration::from_millis(100 * u64::from(number)))
        .jitter_with(|wait| wait + Duration::from_millis(5));
    let api = client(vec![lost(), lost(), ok("")]).retry(retry).build().unwrap();
    run(api.get("a").send()).unwrap();
    assert_eq!(now(), Duration::from_millis(30 + 105 + 205));
}

#[test]
fn what_the_transport_refuses_is_no_attempt() {
    for (fault, kind) in
        [(Fault::InvalidRequest, ErrorKind::InvalidRequest), (Fault::Unsupported, ErrorKind::Unsupported)]
    {
        let api = client(vec![Answer::Fault(0, fault)]).build().unwrap();
        let error = run(api.get("a").send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome(), error.attempts().len()), (kind, Outcome::NotSent, 0));
    }
}

#[test]
fn calls_in_parallel_share_one_engine() {
    let api = client((0..100).map(|_| ok("x")).collect()).build().unwrap();
    run(async {
        let mut calls: Vec<_> = (0..100).map(|n| Box::pin(api.get(format!("{n}")).send())).collect();
        std::future::poll_fn(|cx| {
            calls.retain_mut(|call| call.as_mut().poll(cx).is_pending());
            if calls.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    });
    assert_eq!(requests().len(), 100);
    assert_eq!(now(), Duration::from_millis(10));
    run(sleep(1));
    assert_eq!(super::sim::tasks(), 0, "no timer, no reader is left");
}

#[test]
fn a_function_for_the_key_is_called_once_for_each_call_with_its_request() {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let key = IdempotencyKey::from_fn(move |request| {
        let number = counted.fetch_add(1, Ordering::Relaxed);
        format!("{}-{}-{number}", request.operation(), request.header("x-a").unwrap_or_default())
    });
    let api =
        client(vec![lost(), ok(""), ok(""), ok("")]).idempotency_key(key).header("X-A", 1).retry(1).build().unwrap();
    run(api.post("orders").operation("order").send()).unwrap();
    run(api.post("orders").operation("other").send()).unwrap();
    let keys: Vec<_> =
        requests().iter().filter_map(|request| request.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, ["order-1-0", "order-1-0", "other-1-1"]);
    run(api.put("orders").send()).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 2, "a put has no use for a key");
}

#[test]
fn a_function_that_returns_no_key_fails_the_call_before_it_is_sent() {
    for wrong in ["", " ", "S3CRET\n"] {
        let api = client(vec![]).idempotency_key(IdempotencyKey::from_fn(move |_| wrong.to_owned())).build().unwrap();
        let error = run(api.post("orders").send()).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Callback, Outcome::NotSent));
        assert!(error.to_string().contains("idempotency_key") && !format!("{error:?}").contains("S3CRET"), "{error}");
        assert_eq!(requests().len(), 0);
    }
}
