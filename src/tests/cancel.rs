use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use super::sim::{Answer, client, closed, drip, lost, ok, requests, run, sleep, tasks};
use crate::{Error, Retry};

/// Polls a future once, and drops it.
async fn start_and_drop<T>(future: impl Future<Output = T>) {
    let mut future = pin!(future);
    poll_fn(|cx| {
        assert!(future.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

#[test]
fn n17_a_dropped_future_stops_the_request() {
    let api = client(vec![Answer::Silence]).build().unwrap();
    run(start_and_drop(api.get("a").send()));
    assert_eq!((requests().len(), closed(), tasks()), (1, 1, 0));
}

#[test]
fn a_dropped_future_in_a_backoff_sends_nothing_more() {
    let api = client(vec![lost()]).retry(Retry::new().jitter(false)).build().unwrap();
    run(async {
        let mut call = pin!(api.get("a").send());
        let mut wait = pin!(sleep(11));
        poll_fn(|cx| {
            assert!(call.as_mut().poll(cx).is_pending());
            wait.as_mut().poll(cx)
        })
        .await;
    });
    run(sleep(60_000));
    assert_eq!((requests().len(), tasks()), (1, 0));
}

#[test]
fn a_future_that_is_never_polled_sends_nothing() {
    let api = client(vec![]).build().unwrap();
    drop(api.get("a").send());
    run(sleep(1));
    assert_eq!(requests().len(), 0);
}

#[test]
fn a_dropped_response_stops_its_body() {
    let api = client(vec![drip(vec![(10, Some("a"))], false)]).build().unwrap();
    run(async {
        let mut response = api.get("a").send().await.unwrap();
        assert_eq!(response.chunk().await.unwrap().as_deref(), Some(&b"a"[..]));
        drop(response);
    });
    assert_eq!((closed(), tasks()), (1, 0));
}

#[cfg(feature = "stream")]
#[test]
fn a_dropped_stream_stops_its_body() {
    use futures_core::Stream;
    let api = client(vec![drip(vec![(10, Some("a")), (10, Some("b"))], true)]).build().unwrap();
    run(async {
        let mut stream = pin!(api.get("a").send().await.unwrap().stream());
        let first = poll_fn(|cx| stream.as_mut().poll_next(cx)).await;
        assert_eq!(first.unwrap().unwrap(), b"a");
    });
    assert_eq!((closed(), tasks()), (1, 0));
}

#[test]
fn a_detached_call_goes_on() {
    let api = client(vec![lost(), ok("done")]).build().unwrap();
    api.get("a").send().detach();
    assert_eq!(requests().len(), 1, "sent in the calling task");
    run(sleep(20_000));
    assert_eq!((requests().len(), closed(), tasks()), (2, 0, 0));
}

#[test]
fn a_finished_call_leaves_nothing() {
    let api = client(vec![ok("a")]).build().unwrap();
    run(async { api.get("a").send().await?.text().await.map(drop) }).unwrap_or_else(|error: Error| panic!("{error}"));
    run(sleep(1));
    assert_eq!((closed(), tasks()), (0, 0));
}
