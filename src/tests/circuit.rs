use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::sim::{Answer, client, give_up_after, join, lost, now, ok, requests, run, script, sleep, status};
use crate::{
    Circuit, CircuitBreaker, CircuitState, Client, ErrorKind, EventKind, Outcome, Queue, Retry, RetryBudget,
    RetryStopped,
};

const MS: Duration = Duration::from_millis(1);

fn breaker(threshold: u32) -> CircuitBreaker {
    CircuitBreaker::new().failure_threshold(threshold).reset_timeout(300 * MS).half_open_successes(1)
}

/// A client whose circuit has been opened by two lost calls, 20 ms ago.
fn opened() -> Client {
    let api = client(vec![lost(), lost()]).circuit_breaker(breaker(2)).retry(0).build().unwrap();
    for _ in 0..2 {
        assert_eq!(run(api.get("a").send()).unwrap_err().kind(), ErrorKind::Network);
    }
    assert_eq!(state(&api), CircuitState::Open);
    api
}

fn state(api: &Client) -> CircuitState {
    let [circuit] = &api.circuits()[..] else { panic!("one circuit") };
    circuit.state
}

#[test]
fn j09_an_open_circuit_refuses_at_once_and_is_not_retried() {
    let api = opened();
    let before = (now(), api.metrics());
    let retry = Retry::new().limit(3).delay(500 * MS);
    let error = run(api.get("a").retry(retry).send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome(), now()), (ErrorKind::CircuitOpen, Outcome::NotSent, before.0));
    assert_eq!((error.retry_after(), error.attempts().len()), (Some(300 * MS), 0));
    let after = api.metrics();
    assert_eq!((after.retries, after.budget_refusals, after.circuits_opened), (0, 0, 1));
    assert_eq!((after.failed_with(ErrorKind::CircuitOpen), after.attempts), (1, before.1.attempts));
    assert_eq!(requests().len(), 2);
}

#[test]
fn j10_an_opening_circuit_refuses_those_that_wait() {
    let api = client(vec![lost(), lost()])
        .circuit_breaker(breaker(2))
        .queue(Queue::new(1).limit(20))
        .retry(0)
        .build()
        .unwrap();
    let ended = join((0..12).map(|_| async { (api.get("a").send().await.unwrap_err().kind(), now()) }));
    assert_eq!(ended[..2], [(ErrorKind::Network, 10 * MS), (ErrorKind::Network, 20 * MS)]);
    assert_eq!(ended[2..], [(ErrorKind::CircuitOpen, 20 * MS); 10]);
    let metrics = api.metrics();
    assert_eq!((requests().len(), metrics.waiting, metrics.in_flight), (2, 0, 0));
}

#[test]
fn a_half_open_circuit_lets_one_through() {
    let api = opened();
    run(sleep(300));
    script(vec![ok("x")]);
    let ended = join((0..50).map(|_| async { api.get("a").send().await.map(drop).map_err(|error| error.kind()) }));
    assert_eq!(ended.iter().filter(|ended| ended.is_ok()).count(), 1);
    assert_eq!(ended.iter().filter(|ended| **ended == Err(ErrorKind::CircuitOpen)).count(), 49);
    assert_eq!((requests().len(), state(&api)), (3, CircuitState::Closed));
}

#[test]
fn j04_a_probe_that_is_dropped_gives_its_place_back() {
    let api = opened();
    run(sleep(300));
    script(vec![Answer::Silence, ok("x")]);
    assert!(run(give_up_after(50, api.get("a").send())).is_none());
    assert!(run(api.get("a").send()).is_ok());
}

#[test]
fn a_probe_has_no_retries() {
    let api = opened();
    run(sleep(300));
    script(vec![lost()]);
    let error = run(api.get("a").retry(3).send()).unwrap_err();
    assert_eq!((error.kind(), error.retry_stopped()), (ErrorKind::Network, Some(RetryStopped::Circuit)));
    assert_eq!(state(&api), CircuitState::Open);
}

#[test]
fn a_retry_whose_circuit_has_opened_is_not_sent() {
    let breaker = breaker(2).reset_timeout(5_000 * MS);
    let api = client(vec![lost(), lost(), lost()]).circuit_breaker(breaker).retry(0).build().unwrap();
    let retry = Retry::new().limit(1).jitter(false);
    let ended = join([api.get("a").retry(retry).send(), api.get("b").send(), api.get("c").send()]);
    let error = ended[0].as_ref().unwrap_err();
    assert_eq!((error.kind(), error.retry_stopped()), (ErrorKind::Network, Some(RetryStopped::Circuit)));
    assert_eq!((error.attempts().len(), requests().len()), (1, 3));
}

#[test]
fn a_share_of_failures_can_open_it() {
    let breaker = CircuitBreaker::new().failure_rate(0.5).minimum_calls(4).window(1_000 * MS);
    let api = client(vec![ok(""), lost(), ok(""), status(503)]).circuit_breaker(breaker).retry(0).build().unwrap();
    for expected in [CircuitState::Closed, CircuitState::Closed, CircuitState::Closed, CircuitState::Open] {
        let _ = run(api.get("a").send());
        assert_eq!(state(&api), expected);
    }
}

#[test]
fn circuits_are_told_by_origin_and_shared_by_views() {
    let api = opened();
    assert_eq!(
        api.circuits(),
        [Circuit { key: "https://api.test".into(), state: CircuitState::Open, failures: 0, retry_after: 300 * MS }]
    );
    let view = api.extend().header("X", "y").build().unwrap();
    assert_eq!(run(view.get("a").send()).unwrap_err().kind(), ErrorKind::CircuitOpen);
    let own = api.extend().circuit_breaker(breaker(3)).build().unwrap();
    script(vec![lost(), ok(""), ok("")]);
    assert_eq!(run(own.get("a").send()).unwrap_err().kind(), ErrorKind::Network);
    assert_eq!((own.circuits()[0].state, own.circuits()[0].failures), (CircuitState::Closed, 1));
    assert!(run(api.get("https://other.test/a").send()).is_ok(), "j06: another origin has another circuit");
    let keys: Vec<_> = api.circuits().into_iter().map(|circuit| (circuit.key, circuit.state)).collect();
    assert_eq!(keys[1], ("https://other.test".to_owned(), CircuitState::Closed));
    let none = api.extend().circuit_breaker(None).build().unwrap();
    assert!(run(none.get("a").send()).is_ok() && none.circuits().is_empty());
    assert!(Client::new().circuits().is_empty());
}

#[test]
fn a_key_can_stand_for_the_origin() {
    let breaker = breaker(1).key(|request| request.operation().to_owned());
    let api = client(vec![lost(), ok("")]).circuit_breaker(breaker).retry(0).build().unwrap();
    assert!(run(api.get("a").operation("bad").send()).is_err());
    assert!(run(api.get("a").operation("good").send()).is_ok());
    assert_eq!(run(api.get("b").operation("bad").send()).unwrap_err().kind(), ErrorKind::CircuitOpen);
    assert_eq!(api.circuits().iter().map(|circuit| &circuit.key[..]).collect::<Vec<_>>(), ["good", "bad"]);
}

#[test]
fn an_observer_hears_of_every_change() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let told = log.clone();
    let api = client(vec![lost(), lost(), ok("")])
        .circuit_breaker(breaker(2))
        .retry(0)
        .on_event(move |event| {
            if let EventKind::CircuitChange { circuit, state, .. } = &event.kind {
                told.lock().unwrap().push((circuit.to_string(), *state));
            }
        })
        .build()
        .unwrap();
    for _ in 0..2 {
        drop(run(api.get("a").send()));
    }
    run(sleep(300));
    run(async { api.get("a").send().await?.text().await }).unwrap();
    let states = [CircuitState::Open, CircuitState::HalfOpen, CircuitState::Closed];
    assert_eq!(*log.lock().unwrap(), states.map(|state| ("https://api.test".to_owned(), state)));
}

#[test]
fn f09_a_full_outage_gets_as_many_retries_as_the_budget_holds() {
    let budget = RetryBudget::new().ratio(0.0).per_second(0.0);
    let api = client((0..40).map(|_| lost()).collect())
        .retry_budget(budget)
        .retry(Retry::new().limit(3).delay(MS))
        .build()
        .unwrap();
    let errors = join((0..30).map(|_| async { api.get("a").send().await.unwrap_err() }));
    assert!(requests().len() <= 40 && now() < 1_000 * MS);
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Network));
    let stopped = |by| errors.iter().filter(|error| error.retry_stopped() == Some(by)).count();
    assert!(stopped(RetryStopped::Budget) >= 27);
    assert_eq!(stopped(RetryStopped::Budget) + stopped(RetryStopped::Limit), 30);
    assert_eq!((api.metrics().retries, requests().len()), (10, 40));
    assert_eq!(api.metrics().budget_refusals, stopped(RetryStopped::Budget) as u64);
}

#[test]
fn an_answer_says_what_kept_it_from_a_retry() {
    let budget = RetryBudget::new().capacity(1.0).ratio(0.0).per_second(0.0);
    let retry = Retry::new().limit(1).delay(Duration::ZERO).status_codes([503]);
    let answers = vec![status(503), status(503), status(503), ok("")];
    let api = client(answers).retry_budget(budget).retry(retry).throw_http_errors(false).build().unwrap();
    let stops: Vec<_> = (0..3).map(|_| run(api.get("a").send()).unwrap().retry_stopped()).collect();
    assert_eq!(stops, [Some(RetryStopped::Limit), Some(RetryStopped::Budget), None]);
    assert_eq!(api.metrics().budget_refusals, 1);
}

#[test]
fn f09_ten_calls_earn_one_retry_and_each_origin_has_its_own_budget() {
    let budget = RetryBudget::new().capacity(1.0).per_second(0.0);
    let retry = Retry::new().limit(1).delay(Duration::ZERO);
    let api = client((0..13).map(|_| lost()).collect()).retry_budget(budget).retry(retry).build().unwrap();
    // The first takes what there is at the start, and nine others have paid in too little.
    let attempts: Vec<usize> = (0..11).map(|_| run(api.get("a").send()).unwrap_err().attempts().len()).collect();
    assert_eq!(attempts, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    script(vec![lost(), lost(), lost(), lost()]);
    let view = api.extend().name("view").build().unwrap();
    assert_eq!(run(view.get("a").send()).unwrap_err().retry_stopped(), Some(RetryStopped::Budget), "views share it");
    assert_eq!(run(api.get("https://other.test/").send()).unwrap_err().retry_stopped(), Some(RetryStopped::Limit));
    script(vec![lost(), lost()]);
    let none = api.extend().retry_budget(None).build().unwrap();
    assert_eq!(run(none.get("a").send()).unwrap_err().retry_stopped(), Some(RetryStopped::Limit));
}

#[test]
fn there_is_a_budget_unless_you_say_otherwise() {
    let retry = Retry::new().limit(3).delay(Duration::ZERO);
    let api = client((0..100).map(|_| lost()).collect()).retry(retry).build().unwrap();
    let stopped: Vec<_> = (0..5).map(|_| run(api.get("a").send()).unwrap_err().retry_stopped()).collect();
    assert_eq!(stopped[..3], [Some(RetryStopped::Limit); 3]);
    assert_eq!(stopped[4], Some(RetryStopped::Budget));
}
