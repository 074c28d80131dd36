use std::time::Duration;

use steadfetch_core::rng::Rng;

use super::sim::{Answer, client, closed, drip, lost, now, ok, requests, run, sleep, status, tasks};
use crate::transport::Response;
use crate::{ErrorKind, Outcome, Retry};

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
