use std::time::Duration;

use super::sim::{Answer, client, closed, drip, lost, now, ok, requests, run, sleep, throttle};
use crate::{ErrorKind, Phase, Retry, RetryStopped};

const MS: Duration = Duration::from_millis(1);

#[test]
fn silence_ends_with_the_attempt_and_closes_it() {
    let api = client(vec![Answer::Silence]).timeout(300 * MS).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!(
        (error.kind(), error.phase(), error.limit()),
        (ErrorKind::Timeout, Some(Phase::Headers), Some(crate::Limit::Time(Duration::from_millis(300))))
    );
    assert_eq!((now(), closed(), requests().len()), (300 * MS, 1, 1));
}

#[test]
fn a_timeout_before_the_headers_is_retried_if_opted_in() {
    let retry = Retry::new().retry_on_timeout(true).delay(Duration::ZERO);
    let api =
        client(vec![Answer::Silence, Answer::Silence, ok("")]).headers_timeout(300 * MS).retry(retry).build().unwrap();
    assert_eq!(run(api.get("a").send()).unwrap().attempts(), 3);
    assert_eq!((now(), closed()), (610 * MS, 2));
}

#[test]
fn c01_a_body_that_stalls_is_idle() {
    let api = client(vec![drip(vec![(10, Some("{\"a\":"))], false)]).idle_timeout(300 * MS).build().unwrap();
    let error = run(async { api.get("a").send().await?.text().await }).unwrap_err();
    assert_eq!((error.kind(), error.phase(), error.status()), (ErrorKind::Timeout, Some(Phase::Idle), Some(200)));
    assert_eq!(error.bytes_received(), 5);
    assert_eq!((now(), closed()), (320 * MS, 1));
}

#[test]
fn c02_a_drip_that_never_idles_ends_with_the_total_time() {
    let chunks = (0..100).map(|_| (200, Some("x"))).collect();
    let api = client(vec![drip(chunks, false)]).idle_timeout(300 * MS).total_timeout(1_500 * MS).build().unwrap();
    let error = run(async { api.get("a").send().await?.text().await }).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::DeadlineExceeded, Some(Phase::Body)));
    assert_eq!((error.bytes_received(), now(), closed()), (7, 1_500 * MS, 1));
}

#[test]
fn a_response_that_nobody_reads_is_let_go() {
    let api = client(vec![drip(vec![], false)]).idle_timeout(300 * MS).build().unwrap();
    let error = run(async {
        let response = api.get("a").send().await?;
        sleep(400).await;
        assert_eq!(closed(), 1);
        response.text().await
    })
    .unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::Timeout, Some(Phase::Idle)));
}

#[test]
fn a_retry_that_does_not_fit_is_not_waited_for() {
    let retry = Retry::new().jitter(false).delay(900 * MS);
    let api = client(vec![lost()]).retry(retry).total_timeout(800 * MS).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!((error.kind(), error.retry_stopped()), (ErrorKind::Network, Some(RetryStopped::Deadline)));
    assert_eq!(now(), 10 * MS);
}

#[test]
fn no_limit_is_no_limit() {
    let chunks = (0..10).map(|_| (60_000, Some("x"))).collect();
    let api = client(vec![drip(chunks, true)])
        .timeout(None)
        .idle_timeout(None)
        .total_timeout(None)
        .headers_timeout(Duration::from_secs(u64::from(u32::MAX)))
        .build()
        .unwrap();
    assert_eq!(run(async { api.get("a").send().await?.text().await }).unwrap().len(), 10);
    assert_eq!(now(), 600_010 * MS);
}

#[test]
fn an_error_whose_body_stalls_stays_an_http_error() {
    let slow = match drip(vec![(10, Some("a"))], false) {
        Answer::Response(after, mut response) => {
            response.status = 404;
            Answer::Response(after, response)
        }
        other => other,
    };
    let api = client(vec![slow]).idle_timeout(300 * MS).build().unwrap();
    let error = run(api.get("a").send()).unwrap_err();
    assert_eq!((error.kind(), error.status(), error.data()), (ErrorKind::Http, Some(404), None));
    assert_eq!((now(), closed()), (320 * MS, 1));
}

#[test]
fn c12_timers_of_a_tab_in_the_background_take_no_drip_for_silence() {
    let chunks = (0..20).map(|_| (500, Some("x"))).collect();
    let api = client(vec![drip(chunks, false)]).idle_timeout(3_000 * MS).timeout(None);
    throttle(1_000);
    let error = run(async { api.build()?.get("a").send().await?.text().await }).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::Timeout, Some(Phase::Idle)));
    assert_eq!((error.bytes_received(), closed()), (20, 1));
    // The last byte came after 10 010 ms.
    assert!((13_010 * MS..=14_110 * MS).contains(&now()), "{:?}", now());
    assert_eq!(now().as_millis() % 1_000, 0, "whole seconds");
}
