use std::sync::Arc;
use std::time::Duration;

use super::sim::{Answer, Boxed, client, give_up_after, join, lost, ok, run, sleep, status};
use crate::builder::Config;
use crate::transport::Response;
use crate::{CircuitBreaker, Client, Error, ErrorKind, Metrics, Phase, Queue, Retry, RetryBudget};

const MS: Duration = Duration::from_millis(1);

async fn get(api: &Client) -> Result<String, Error> {
    api.get("a").send().await?.text().await
}

#[test]
fn m04_calls_attempts_and_outcomes_are_counted_apart() {
    let slow = Answer::Response(100, Response::new(200).with_body("x"));
    let api = client(vec![lost(), ok("x"), slow, status(500), status(500)])
        .retry(Retry::new().limit(1).delay(50 * MS).jitter(false))
        .circuit_breaker(CircuitBreaker::new().failure_threshold(2))
        .queue(Queue::new(1))
        .build()
        .unwrap();
    // Lost, and sent again.
    run(get(&api)).unwrap();
    // One that runs, one that is dropped while it waits, one whose time ends while it waits.
    let short = api.extend().total_timeout(30 * MS).build().unwrap();
    let holder: Boxed<_> = Box::pin(get(&api));
    let dropped: Boxed<_> = Box::pin(async { give_up_after(20, get(&api)).await.unwrap_or(Ok(String::new())) });
    let late: Boxed<_> = Box::pin(get(&short));
    join([holder, dropped, late]);
    // Two that the server answers with an error, and one that is refused for it.
    for _ in 0..3 {
        assert!(run(get(&api)).is_err());
    }
    let metrics = api.metrics();
    assert_eq!((metrics.calls, metrics.succeeded), (7, 2));
    let failed =
        [(ErrorKind::DeadlineExceeded, 1), (ErrorKind::CircuitOpen, 1), (ErrorKind::Aborted, 1), (ErrorKind::Http, 2)];
    assert_eq!(metrics.failed, failed);
    assert_eq!(metrics.failed_with(ErrorKind::Http), 2);
    let sum: u64 = metrics.failed.iter().map(|(_, count)| count).sum();
    assert_eq!(metrics.succeeded + sum, metrics.calls);
    assert_eq!((metrics.attempts, metrics.in_flight, metrics.retries), (5, 0, 1));
    assert_eq!((metrics.enqueued, metrics.dispatched, metrics.waiting), (2, 0, 0));
    assert_eq!((&metrics.timeouts[..], metrics.circuits_opened), (&[(Phase::Queue, 1)][..], 1));
    assert_eq!((metrics.in_flight_at_timeout, metrics.waiting_at_timeout), (1, 1));
    assert_eq!((metrics.cancelled_by_signal, metrics.cancelled_by_client, metrics.cancelled_by_page), (1, 0, 0));
    assert_eq!((metrics.call_time.count, metrics.attempt_time.count, metrics.queue_time.count), (7, 5, 0));
    assert!(metrics.call_time.p99 >= Some(100 * MS) && metrics.attempt_time.p50 == Some(10 * MS));
    assert_eq!(metrics.circuits, api.circuits());
    assert_eq!(short.metrics(), metrics, "a view and its client are one");
}

#[test]
fn time_in_the_queue_is_measured_apart() {
    let slow = || Answer::Response(100, Response::new(200).with_body("x"));
    let api = client(vec![slow(), slow()]).queue(Queue::new(1)).total_timeout(1_000 * MS).build().unwrap();
    join([get(&api), get(&api)]);
    let metrics = api.metrics();
    assert_eq!((metrics.queue_time.count, metrics.attempt_time.count, metrics.call_time.count), (1, 2, 2));
    assert!(metrics.queue_time.p50 >= Some(100 * MS) && metrics.attempt_time.p99 < Some(120 * MS));
    // 100 ms of a second, and at most an eighth more.
    assert_eq!(metrics.queue_share.count, 1);
    assert!(metrics.queue_share.p50.is_some_and(|share| (0.1..=0.1126).contains(&share)), "{metrics:?}");
}

#[test]
fn what_is_going_on_now_is_told() {
    let api = client(vec![Answer::Silence]).queue(Queue::new(1)).build().unwrap();
    run(async {
        let mut calls = [api.get("a").send(), api.get("b").send()];
        for call in &mut calls {
            assert!(give_up_after(1, call).await.is_none());
        }
        assert_eq!((api.metrics().in_flight, api.metrics().waiting, api.metrics().calls), (1, 1, 2));
        api.abort_all();
        assert_eq!((api.metrics().in_flight, api.metrics().waiting), (0, 0));
        assert_eq!(api.metrics().cancelled_by_client, 2);
    });
}

#[test]
fn refusals_of_the_budget_are_counted() {
    let retry = Retry::new().delay(Duration::ZERO);
    let api = client(vec![lost()]).retry(retry).retry_budget(RetryBudget::new().capacity(0.0)).build().unwrap();
    assert!(run(get(&api)).is_err());
    assert_eq!((api.metrics().budget_refusals, api.metrics().retries), (1, 0));
}

#[test]
fn each_client_has_numbers_of_its_own_and_they_go_with_it() {
    let api = client((0..1_001).map(|_| ok("")).collect()).build().unwrap();
    run(get(&api)).unwrap();
    let driver = api.0.backend.driver().unwrap();
    let number = |api: &Client| api.0.shared.family.number;
    let mut numbers = Vec::new();
    for _ in 0..1_000 {
        let (backend, base_url) = (api.0.backend.clone(), api.0.base_url.clone());
        let other = Client(Arc::new(Config { backend, base_url, ..Config::default() }));
        run(get(&other)).unwrap();
        assert_eq!(other.metrics().calls, 1);
        numbers.push(number(&other));
    }
    run(sleep(1));
    let kept = numbers.iter().filter(|number| driver.numbers(**number).is_some()).count();
    assert!(kept < 40, "{kept} clients that are gone still have numbers");
    assert_eq!(api.metrics().calls, 1);
    assert_eq!(Client::new().metrics(), Metrics::default());
}
