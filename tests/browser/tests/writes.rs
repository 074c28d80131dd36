//! Writes against a shop on a real database, which commits an order and then loses the answer. Its database says what is true.
#![cfg(target_family = "wasm")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use steadfetch::{Auth, Client, ClientBuilder, Error, Outcome, Refreshed, Retry, RetryBudget};
use steadfetch_browser_tests::{Origin, Server, bare_fetch, sleep};
use wasm_bindgen_test::wasm_bindgen_test;

const WRITES: usize = 100;
/// Under way at a time. Browsers have six connections for a host.
const AT_A_TIME: usize = 6;

/// How each write has ended, and how many orders of it the database has.
struct Sold {
    ended: BTreeMap<String, Result<(), Error>>,
    orders: BTreeMap<String, u64>,
    /// Requests that the shop has seen.
    requests: BTreeMap<String, u64>,
}

fn auth() -> Auth {
    let token = Arc::new(Mutex::new("none".to_owned()));
    let store = token.clone();
    Auth::new(
        move |_| {
            let token = token.lock().unwrap().clone();
            async { Ok(Some(token)) }
        },
        move |context| {
            let store = store.clone();
            async move {
                let answer: Value = context.client().post("orders/token").send().await?.json().await?;
                let token = answer["token"].as_str().unwrap_or_default().to_owned();
                store.lock().unwrap().clone_from(&token);
                Ok(Refreshed::Token(token))
            }
        },
    )
}

async fn report(origin: &Origin) -> Value {
    loop {
        let (_, text) = bare_fetch("GET", &origin.url("/orders/report"), None).await.unwrap();
        let report: Value = serde_json::from_str(&text).unwrap();
        // What is committed late is in the database only then.
        if report["running"] == 0 {
            return report;
        }
        sleep(100).await;
    }
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    value.as_object().unwrap().iter().map(|(name, count)| (name.clone(), count.as_u64().unwrap())).collect()
}

async fn sell(faults: Value, configure: impl Fn(ClientBuilder) -> ClientBuilder) -> Sold {
    let script = json!({ "routes": [{ "path": "/orders*", "steps": [{ "orders": faults }] }] });
    let origin = Server::default().open(&json!({ "script": script })).await;
    let retry = Retry::new().limit(10).retry_on_timeout(true).delay(Duration::from_millis(50));
    let builder = Client::builder()
        .base_url(origin.url("/"))
        .auth(auth())
        .retry(retry)
        .retry_budget(None::<RetryBudget>)
        .timeout(Duration::from_secs(1))
        .total_timeout(Duration::from_secs(120));
    let api = configure(builder).build().unwrap();
    let rest: Mutex<Vec<String>> = Mutex::new((0..WRITES).map(|number| number.to_string()).collect());
    let seller = async |_| {
        let mut ended = Vec::new();
        loop {
            let next = rest.lock().unwrap().pop();
            let Some(reference) = next else { return ended };
            let answer: Result<Value, Error> =
                async { api.post("orders").query([("reference", &reference)]).body("{}").send().await?.json().await }
                    .await;
            if let Ok(answer) = &answer {
                assert_eq!(answer["reference"], reference.as_str(), "the answer of another write");
            }
            ended.push((reference, answer.map(drop)));
        }
    };
    let ended = join_all((0..AT_A_TIME).map(seller)).await.into_iter().flatten().collect();
    let report = report(&origin).await;
    origin.close().await;
    Sold { ended, orders: counts(&report["orders"]), requests: counts(&report["requests"]) }
}

#[wasm_bindgen_test]
async fn g01_keyed_writes_through_lost_answers_resets_timeouts_and_expired_tokens_are_each_made_once() {
    let faults = json!({ "seed": 7, "lost": 0.3, "reset": 0.1, "tokenRequests": 100 });
    let sold = sell(faults, |builder| builder.idempotency_key("auto")).await;
    let failed: Vec<_> = sold.ended.values().filter_map(|ended| ended.as_ref().err()).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!((sold.ended.len(), sold.orders.len()), (WRITES, WRITES), "lost");
    assert!(sold.orders.values().all(|count| *count == 1), "doubled: {:?}", sold.orders);
    assert!(sold.requests.values().sum::<u64>() > WRITES as u64, "nothing went wrong");
}

#[wasm_bindgen_test]
async fn f01_writes_without_a_key_are_never_doubled_by_us_and_every_outcome_is_true() {
    let faults = json!({ "seed": 7, "lost": 0.3, "reset": 0.1, "busy": 0.05, "gateway": 0.05, "tokenRequests": 100 });
    let sold = sell(faults, |builder| builder).await;
    let mut outcomes = Vec::new();
    for (reference, ended) in &sold.ended {
        if let Err(error) = ended {
            let sent = error.attempts().iter().filter(|attempt| attempt.status() != Some(401)).count();
            assert_eq!(sent, 1, "{reference} was sent more than once by us: {error:?}");
        }
        // The browser repeats a request below fetch, where nobody above can see it; the shop sees each once otherwise.
        if sold.requests.get(reference).is_some_and(|requests| *requests > 1) {
            continue;
        }
        let count = sold.orders.get(reference).copied().unwrap_or(0);
        match ended {
            Ok(()) => assert_eq!(count, 1, "{reference} was made, but is not there"),
            Err(error) => {
                let is_certain = error.outcome() != Outcome::Unknown;
                assert!(count == 0 || !is_certain && count == 1, "{reference}: {count}, {error:?}");
                outcomes.push(error.outcome());
            }
        }
    }
    assert!(outcomes.contains(&Outcome::Answered) && outcomes.contains(&Outcome::Unknown), "{outcomes:?}");
}
