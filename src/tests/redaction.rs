use std::error::Error as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use steadfetch_core::rng::Rng;

use super::sim::{Answer, client, drip, lost, requests, run};
use crate::transport::Response;
use crate::{CircuitBreaker, Client, Error, Priority, Queue, Retry, RetryBudget, Scope};

const SECRET: &str = "S3CRET";
const MS: Duration = Duration::from_millis(1);

fn answer(rng: &mut Rng) -> Answer {
    let response = |status| {
        Response::new(status)
            .with_header("Retry-After", SECRET)
            .with_header("Set-Cookie", SECRET)
            .with_header("Date", SECRET)
            .with_url(format!("https://api.test/v1/a?token={SECRET}#{SECRET}"))
    };
    match rng.up_to(6) {
        0 => lost(),
        1 => Answer::Silence,
        2 => drip(vec![(10, Some(SECRET)), (10, if rng.up_to(1) == 0 { None } else { Some(SECRET) })], false),
        3 => Answer::Response(10, response(200).with_body(format!("{{\"token\":\"{SECRET}\"}}"))),
        4 => Answer::Response(10, response(200).with_body(SECRET)),
        _ => {
            let status = [400, 401, 403, 429, 500, 503][rng.up_to(5) as usize];
            Answer::Response(10, response(status).with_body(format!("{{\"token\":\"{SECRET}\"}}")))
        }
    }
}

/// Everything that can be printed of an error.
fn shown(error: &Error) -> String {
    let mut text = format!("{error} {error:?} {error:#?} {:?} {} {}", error.attempts(), error.url(), error.method());
    #[cfg(all(feature = "serde", feature = "json"))]
    text.push_str(&serde_json::to_string(error).unwrap());
    if let Some(source) = error.source() {
        text.push_str(&format!("{source} {source:?}"));
    }
    text
}

fn assert_clean(text: &str) {
    assert!(!text.to_uppercase().contains(SECRET), "{text}");
}

/// One call with a secret in every input that may hold one.
async fn call(api: &Client, rng: &mut Rng) -> Result<(), Error> {
    let url =
        ["a?token=S3CRET#S3CRET", "https://S3CRET:S3CRET@api.test/a", "https://other.test/?S3CRET", "http://[S3CRET"];
    let url = url[rng.up_to(3) as usize];
    let request = api
        .request(if rng.up_to(1) == 0 { "GET" } else { "PUT" }, url)
        .header("Authorization", format!("Bearer {SECRET}"))
        .header("Idempotency-Key", format!("\"{SECRET}\""))
        .header("Cookie", SECRET)
        .query([("token", SECRET)])
        .referrer(format!("https://api.test/?{SECRET}"))
        .integrity(SECRET)
        .priority(Priority::High);
    let request = match rng.up_to(3) {
        0 => request,
        1 => request.body(SECRET),
        2 => request.form([(SECRET, SECRET)]),
        _ => request.body(SECRET.as_bytes()),
    };
    assert_clean(&format!("{request:?}"));
    let pending = request.send();
    assert_clean(&format!("{pending:?}"));
    let response = pending.await?;
    assert_clean(&format!("{response:?}"));
    match rng.up_to(2) {
        #[cfg(feature = "json")]
        0 => response.json::<u32>().await.map(drop),
        1 => response.error_for_status()?.bytes().await.map(drop),
        _ => response.text().await.map(drop),
    }
}

#[test]
fn m01_nothing_that_is_told_holds_a_secret() {
    let mut rng = Rng::new([3, 1, 4, 1]);
    let mut kinds = std::collections::BTreeSet::new();
    for _ in 0..1_000 {
        let events = Arc::new(Mutex::new(String::new()));
        let told = events.clone();
        let queue = Queue::new(1).limit(rng.up_to(1) as u32).key(|request| {
            assert_clean(&format!("{request:?}"));
            [request.url(), request.header("cookie").unwrap()].concat()
        });
        let builder = client((0..20).map(|_| answer(&mut rng)).collect())
            .base_url(format!("https://api.test/v1/?{SECRET}"))
            .header("X-Api-Key", SECRET)
            .query([("key", SECRET)])
            .deadline_header("X-Deadline-Ms")
            .queue(queue)
            .circuit_breaker(CircuitBreaker::new().failure_threshold(2))
            .retry_budget(RetryBudget::new().capacity(2.0))
            .retry(Retry::new().limit(1).delay(MS).status_codes([503]).retry_on_timeout(true))
            .timeout(100 * MS)
            .idle_timeout(50 * MS)
            .on_event(move |event| told.lock().unwrap().push_str(&format!("{event:?} {event:#?}\n")));
        assert_clean(&format!("{builder:?}"));
        let api = builder.build().unwrap();
        let together = Scope::new().total_timeout(MS * (1 + rng.up_to(150) as u32)).fail_fast(rng.up_to(1) == 0);
        let scope = api.scope(together).unwrap();
        let client = if rng.up_to(2) == 0 { &scope } else { &api };
        let (mut one, mut other, mut third) = (fork(&mut rng), fork(&mut rng), fork(&mut rng));
        let calls = [call(client, &mut one), call(client, &mut other), call(client, &mut third)];
        for error in super::sim::join(calls).into_iter().filter_map(Result::err) {
            assert_clean(&shown(&error));
            kinds.insert(error.code());
        }
        if let Err(error) = run(call(&api, &mut rng)) {
            assert_clean(&shown(&error));
            kinds.insert(error.code());
        }
        for request in requests() {
            assert_clean(&format!("{request:?}"));
        }
        assert_clean(&events.lock().unwrap());
        assert_clean(&format!("{:?} {:?} {api:?} {scope:?}", api.metrics(), api.circuits()));
    }
    for kind in ["NETWORK_ERROR", "TIMEOUT", "HTTP_ERROR", "QUEUE_FULL", "CIRCUIT_OPEN", "ABORTED", "DEADLINE_EXCEEDED"]
    {
        assert!(kinds.contains(kind), "{kind} was not met: {kinds:?}");
    }
}

fn fork(rng: &mut Rng) -> Rng {
    Rng::new([0; 4].map(|_: u32| rng.up_to(u64::from(u32::MAX)) as u32))
}
