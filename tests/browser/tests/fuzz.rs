//! Random options against random faults of a real server.
#![cfg(target_family = "wasm")]

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use steadfetch::{Client, ErrorKind, Outcome, Retry};
use steadfetch_browser_tests::{Server, now};
use wasm_bindgen_test::wasm_bindgen_test;

const SEEDS: u32 = 60;
/// Each has an origin of its own; they share one thread.
const AT_ONCE: usize = 6;

/// The same numbers in every run (xorshift32).
struct Random(u32);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % bound
    }

    fn span(&mut self, from: u32, to: u32) -> Duration {
        Duration::from_millis(u64::from(from + self.below(to - from)))
    }
}

fn step(random: &mut Random) -> Value {
    let mut step = match random.below(9) {
        0 => json!({ "before": "reset" }),
        1 => json!({ "before": "fin" }),
        2 => json!({ "before": "hang" }),
        3 => json!({ "status": 503, "headers": { "retry-after": random.below(2) } }),
        4 => json!({ "status": ([400, 401, 404, 500, 502][random.below(5) as usize]), "json": { "why": "because" } }),
        5 => json!({ "chunks": [{ "text": "{\"a\"" }], "end": (["hang", "cut", "reset"][random.below(3) as usize]) }),
        6 => json!({ "drip": { "text": "x", "every": 30, "count": random.below(20) } }),
        _ => json!({ "delay": random.below(200), "json": { "a": 1 } }),
    };
    // Browsers send a request again by themselves when a connection is reset that was used before.
    step["connection"] = json!("close");
    step
}

async fn play(seed: u32) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9) | 1);
    let limit = random.below(4);
    let steps: Vec<Value> = (0..=limit).map(|_| step(&mut random)).collect();
    let origin = Server::default().open_with(json!(steps)).await;
    let retry = Retry::new()
        .limit(limit)
        .delay(random.span(0, 100))
        .status_codes([500, 503])
        .retry_on_timeout(random.below(2) == 0)
        .jitter(random.below(2) == 0);
    let total = random.span(200, 2_500);
    let api = Client::builder()
        .base_url(&origin.origin)
        .retry(retry)
        .timeout(random.span(50, 1_000))
        .headers_timeout(random.span(50, 1_000))
        .idle_timeout(random.span(50, 500))
        .total_timeout(total)
        .max_response_bytes(u64::from(1 + random.below(100)))
        .build()
        .unwrap();
    let post = random.below(2) == 0;
    let request = if post { api.post("a").body("x") } else { api.put("a").body("x") };
    let started = now();
    let result = async { request.send().await?.text().await }.await;
    let elapsed = now() - started;
    assert!(elapsed <= total.as_millis() as f64 + 1_000.0, "seed {seed}: {elapsed} of {total:?}: {result:?}");
    let report = origin.wait(&[("open", 0)]).await;
    let sent = report["requests"].as_u64().unwrap();
    assert!(sent <= if post { 1 } else { u64::from(limit) + 1 }, "seed {seed}: {sent} of {limit}: {steps:?}");
    if let Err(error) = result {
        let attempts = error.attempts().len() as u64;
        assert!(sent <= attempts, "seed {seed}: {error:?} after {sent} requests");
        assert_eq!(error.outcome() == Outcome::NotSent, attempts == 0, "seed {seed}: {error:?}");
        let kinds = [
            ErrorKind::Network,
            ErrorKind::Timeout,
            ErrorKind::DeadlineExceeded,
            ErrorKind::Http,
            ErrorKind::ResponseTooLarge,
        ];
        assert!(kinds.contains(&error.kind()), "seed {seed}: {error:?}");
    }
    origin.close().await;
}

#[wasm_bindgen_test]
async fn every_call_settles_in_time_and_tells_the_truth() {
    let seeds: Vec<u32> = (1..=SEEDS).collect();
    for some in seeds.chunks(AT_ONCE) {
        join_all(some.iter().map(|seed| play(*seed))).await;
    }
}
