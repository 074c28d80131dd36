use std::time::Duration;

use steadfetch_core::metrics::Counter;
use steadfetch_core::rng::Rng;

use super::sim::{
    Answer, client, closed, drip, give_up_after, join, lost, now, ok, requests, run, script, sleep, status, tasks,
};
use crate::transport::Response;
use crate::{CircuitBreaker, ErrorKind, Outcome, Priority, Queue, Retry, Scope};

fn answer(rng: &mut Rng) -> Answer {
    match rng.up_to(7) {
        0 | 1 => lost(),
        2 => Answer::Silence,
        3 => ok("{\"a\":1}"),
        4 => status([400, 401, 429, 500, 502, 503][rng.up_to(5) as usize]),
        5 => Answer::Response(rng.up_to(900), Response::new(503).with_header("Retry-After", "1")),
        _ => {
            let chunks = (0..rng.up_to(4))
                .map(|_| (rng.up_to(400), if rng.up_to(5) == 0 { None } else { Some("xy") }))
                .collect();
            drip(chunks, rng.up_to(1) == 0)
        }
    }
}

/// Whatever the server does, and however the options stand: a call settles by its total time, sends no more than it
/// may, tells the truth about the outcome, and leaves nothing.
#[test]
fn every_call_settles_in_time_and_leaves_nothing() {
    let mut rng = Rng::new([7, 7, 7, 7]);
    for round in 0..2_000 {
        let limit = rng.up_to(3) as u32;
        let total = 1 + rng.up_to(3_000);
        let retry = Retry::new()
            .limit(limit)
            .delay(Duration::from_millis(rng.up_to(200)))
            .status_codes([429, 500, 503])
            .retry_on_timeout(rng.up_to(1) == 0);
        let api = client((0..=limit).map(|_| answer(&mut rng)).collect())
            .retry(retry)
            .timeout(Duration::from_millis(1 + rng.up_to(1_000)))
            .idle_timeout(Duration::from_millis(1 + rng.up_to(300)))
            .total_timeout(Duration::from_millis(total))
            .build()
            .unwrap();
        let post = rng.up_to(2) == 0;
        let request = if post { api.post("a").body("x") } else { api.get("a") };
        let result = run(async { request.send().await?.text().await });
        assert!(now() <= Duration::from_millis(total), "round {round}: {:?} of {total}", now());
        let sent = requests().len();
        assert!(sent <= if post { 1 } else { limit as usize + 1 }, "round {round}");
        if let Err(error) = result {
            assert_eq!(error.attempts().len(), sent, "round {round}: {error:?}");
            assert_eq!(error.outcome() == Outcome::NotSent, sent == 0, "round {round}: {error:?}");
            if error.kind() == ErrorKind::Network && error.phase() == Some(crate::Phase::Headers) {
                assert_eq!(error.outcome(), Outcome::Unknown, "round {round}");
            }
        }
        run(sleep(0));
        assert_eq!(tasks(), 0, "round {round}: {} closed", closed());
    }
}

/// Many calls at once, through queue and circuit, in scopes; some are dropped, some end with their client. Whatever
/// happens: all settle, no slot and no task is left, and the numbers add up.
#[test]
fn calls_that_share_everything_settle_and_leave_nothing() {
    let mut rng = Rng::new([9, 9, 9, 9]);
    for round in 0..1_000 {
        let mut flip = |of: u64| rng.up_to(of - 1) == 0;
        let mut queue = Queue::new(if flip(2) { 1 } else { 3 }).limit(if flip(3) { 1 } else { 100 });
        if flip(2) {
            queue = queue.timeout(Duration::from_millis(100));
        }
        let breaker = CircuitBreaker::new().failure_threshold(3).reset_timeout(Duration::from_millis(200));
        let builder = client((0..200).map(|_| answer(&mut rng)).collect())
            .queue(queue)
            .circuit_breaker(breaker)
            .retry(Retry::new().limit(2).delay(Duration::from_millis(100)).status_codes([503]))
            .timeout(Duration::from_millis(1_000))
            .idle_timeout(Duration::from_millis(200))
            .total_timeout(Duration::from_millis(3_000));
        let api = builder.build().unwrap();
        let together = rng.up_to(3) == 0;
        let scope = api.scope(Scope::new().total_timeout(Duration::from_millis(1_500)).fail_fast(together)).unwrap();
        let plans: Vec<_> = (0..12).map(|_| [rng.up_to(300), rng.up_to(5), rng.up_to(2_000), rng.up_to(3)]).collect();
        join(plans.into_iter().map(|[at, how, drop_at, priority]| {
            let client = if how % 2 == 0 { &api } else { &scope };
            async move {
                sleep(at).await;
                if how == 5 {
                    client.abort_all();
                }
                let priority = [Priority::High, Priority::Auto, Priority::Low, Priority::Low][priority as usize];
                let call = async { client.get("a").priority(priority).send().await?.text().await };
                let result = if how == 4 { give_up_after(drop_at, call).await } else { Some(call.await) };
                assert!(now() <= Duration::from_millis(at + 3_000), "round {round}: {:?}", now());
                result
            }
        }));
        let metrics = api.metrics();
        assert_eq!((metrics.in_flight, metrics.waiting, tasks()), (0, 0, 0), "round {round}");
        let failed: u64 = metrics.failed.iter().map(|(_, count)| count).sum();
        assert_eq!(metrics.calls, metrics.succeeded + failed, "round {round}: {metrics:?}");
        let store = api.0.backend.driver().unwrap().numbers(api.0.shared.family.number).unwrap();
        let count = |counter| u64::from(store.get(counter));
        assert_eq!(metrics.enqueued, metrics.dispatched + count(Counter::LeftQueue), "round {round}");
        assert_eq!(metrics.attempts, requests().len() as u64, "round {round}");
        // What is left of the queue is as good as new.
        let fresh = api.extend().circuit_breaker(None).retry(0).build().unwrap();
        script(vec![ok("x")]);
        let _ = run(give_up_after(0, fresh.get("b").send()));
        assert_eq!(api.metrics().attempts, metrics.attempts + 1, "round {round}");
    }
}
