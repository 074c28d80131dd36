//! One call as a scenario describes it, and what came of it.

use std::time::Duration;

use serde_json::{Value, json};
use steadfetch::{CircuitBreaker, Client, Error, Queue, RequestBuilder, Response, Retry, RetryBudget};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use crate::platform::{now, sleep};

/// What was observed; a response that nobody is to read is still held.
pub(crate) struct Observed {
    pub(crate) seen: Value,
    pub(crate) held: Option<Response>,
}

fn duration(value: &Value) -> Option<Duration> {
    match value {
        Value::Bool(false) => None,
        // What no Duration can hold is as long as any.
        value => {
            Some(Duration::try_from_secs_f64(value.as_f64().expect("milliseconds") / 1000.0).unwrap_or(Duration::MAX))
        }
    }
}

fn count(value: &Value) -> u32 {
    value.as_u64().and_then(|count| count.try_into().ok()).expect("a count")
}

fn statuses(value: &Value) -> Vec<u16> {
    value.as_array().into_iter().flatten().filter_map(|status| status.as_u64()?.try_into().ok()).collect()
}

fn retry(value: &Value) -> Retry {
    match value {
        Value::Bool(false) => Retry::none(),
        Value::Object(options) => options.iter().fold(Retry::new(), |retry, (name, value)| match name.as_str() {
            "limit" => retry.limit(count(value)),
            "delay" => retry.delay(duration(value).expect("a delay")),
            "backoffLimit" => retry.backoff_limit(duration(value)),
            "maxRetryAfter" => retry.max_retry_after(duration(value)),
            "jitter" => retry.jitter(*value != "none" && *value != false),
            "statusCodes" => retry.status_codes(statuses(value)),
            "afterStatusCodes" => retry.after_status_codes(statuses(value)),
            "retryOnTimeout" => retry.retry_on_timeout(*value == true),
            "waitForOnline" => retry.wait_for_online(*value == true),
            "methods" => retry.methods(value.as_array().into_iter().flatten().filter_map(Value::as_str)),
            name => panic!("this runner does not know retry.{name}"),
        }),
        value => Retry::from(count(value)),
    }
}

fn queue(options: &Value) -> Queue {
    let options = options.as_object().expect("options of a queue");
    options.iter().fold(Queue::new(count(&options["concurrency"])), |queue, (name, value)| match name.as_str() {
        "concurrency" => queue,
        "limit" => queue.limit(count(value)),
        "timeout" => queue.timeout(duration(value)),
        name => panic!("this runner does not know queue.{name}"),
    })
}

fn circuit_breaker(options: &Value) -> CircuitBreaker {
    let options = options.as_object().expect("options of a circuit breaker");
    options.iter().fold(CircuitBreaker::new(), |breaker, (name, value)| match name.as_str() {
        "failureThreshold" => breaker.failure_threshold(count(value)),
        "resetTimeout" => breaker.reset_timeout(duration(value).expect("a span")),
        "halfOpenSuccesses" => breaker.half_open_successes(count(value)),
        name => panic!("this runner does not know circuitBreaker.{name}"),
    })
}

fn retry_budget(options: &Value) -> Option<RetryBudget> {
    let amount = |value: &Value| value.as_f64().expect("an amount");
    let options = options.as_object()?;
    Some(options.iter().fold(RetryBudget::new(), |budget, (name, value)| match name.as_str() {
        "capacity" => budget.capacity(amount(value)),
        "ratio" => budget.ratio(amount(value)),
        "perSecond" => budget.per_second(amount(value)),
        name => panic!("this runner does not know retryBudget.{name}"),
    }))
}

/// The client of a scenario.
pub(crate) fn client(options: &Value) -> Client {
    let options = options.as_object().into_iter().flatten();
    let builder = options.fold(Client::builder(), |builder, (name, value)| match name.as_str() {
        "queue" => builder.queue(queue(value)),
        "circuitBreaker" => builder.circuit_breaker(circuit_breaker(value)),
        "retryBudget" => builder.retry_budget(retry_budget(value)),
        name => panic!("this runner does not know the client option {name}"),
    });
    builder.build().expect("a client")
}

fn pairs(value: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

fn apply(request: RequestBuilder, name: &str, value: &Value) -> RequestBuilder {
    let text = || value.as_str().expect("a text").to_owned();
    match name {
        "timeout" => request.timeout(duration(value)),
        "headersTimeout" => request.headers_timeout(duration(value)),
        "idleTimeout" => request.idle_timeout(duration(value)),
        "totalTimeout" => request.total_timeout(duration(value)),
        "minAttemptTime" => request.min_attempt_time(duration(value).expect("a span")),
        "reserve" => request.reserve(duration(value).expect("a span")),
        "maxResponseBytes" => request.max_response_bytes(value.as_u64()),
        "retry" => request.retry(retry(value)),
        "idempotent" => request.idempotent(*value == true),
        "throwHttpErrors" => request.throw_http_errors(*value == true),
        "headers" => request.headers(pairs(value)),
        "searchParams" => request.query(pairs(value)),
        "body" => request.body(text()),
        "json" => request.json(value),
        "form" => request.form(pairs(value)),
        "keepalive" => request.keepalive(*value == true),
        "redirect" if *value == "error" => request.redirect(steadfetch::Redirect::Error),
        "redirect" if *value == "manual" => request.redirect(steadfetch::Redirect::Manual),
        "mode" if *value == "no-cors" => request.mode(steadfetch::Mode::NoCors),
        "credentials" if *value == "include" => request.credentials(steadfetch::Credentials::Include),
        name => panic!("this runner does not know the option {name}: {value}"),
    }
}

fn prepare(client: &Client, call: &Value, origin: &str) -> RequestBuilder {
    let method = call["method"].as_str().unwrap_or("GET").to_owned();
    let url = match call["url"].as_str() {
        Some(url) => url.to_owned(),
        None => [origin, call["path"].as_str().unwrap_or("/")].concat(),
    };
    let mut request = client.request(method, url);
    for (name, value) in call["options"].as_object().into_iter().flatten() {
        request = apply(request, name, value);
    }
    if let Some(bytes) = call["bodyBytes"].as_u64() {
        request = request.body(vec![0; bytes as usize]);
    }
    if call["read"] == "fetch" { request.throw_http_errors(false) } else { request }
}

fn reader(call: &Value) -> &str {
    call["read"].as_str().unwrap_or("none")
}

/// Makes a call that comes before, whatever becomes of it.
pub(crate) async fn go_before(client: &Client, call: &Value, origin: &str) {
    for _ in 0..call["times"].as_u64().unwrap_or(1) {
        let request = prepare(client, call, origin);
        if call["leave"] == true {
            let read = reader(call).to_owned();
            spawn_local(async move { drop(settle(request, &read).await) });
        } else {
            drop(settle(request, reader(call)).await);
        }
    }
}

/// Makes the call. `origin` is that of the scenario.
pub(crate) async fn make(client: &Client, call: &Value, origin: &str) -> Observed {
    let mut request = prepare(client, call, origin);
    if let Some(after) = call["abort"]["after"].as_u64() {
        let controller = AbortController::new().expect("an AbortController");
        request = request.signal(&controller.signal());
        if after == 0 {
            controller.abort();
        } else {
            spawn_local(async move {
                sleep(after as u32).await;
                controller.abort();
            });
        }
    }
    let started = now();
    let result = settle(request, reader(call)).await;
    let elapsed = now() - started;
    match result {
        Ok((mut seen, held)) => {
            seen["ok"] = json!(true);
            seen["elapsed"] = json!(elapsed);
            Observed { seen, held }
        }
        Err(error) => Observed { seen: describe(&error, elapsed), held: None },
    }
}

async fn settle(request: RequestBuilder, read: &str) -> Result<(Value, Option<Response>), Error> {
    let response = request.send().await?;
    let mut seen = json!({ "status": response.status(), "attempts": response.attempts() });
    seen["value"] = match read {
        "json" => response.json().await?,
        "text" | "fetch" => response.text().await?.into(),
        "bytes" => response.bytes().await?.into(),
        "none" => return Ok((seen, Some(response))),
        read => panic!("this runner does not know how to read {read}"),
    };
    Ok((seen, None))
}

fn describe(error: &Error, elapsed: f64) -> Value {
    json!({
        "ok": false,
        "elapsed": elapsed,
        "code": error.code(),
        "phase": error.phase().map(steadfetch::Phase::name),
        "outcome": error.outcome().name(),
        "hint": error.hint().map(steadfetch::Hint::name),
        "retryStopped": error.retry_stopped().map(steadfetch::RetryStopped::name),
        "retryAfterMs": error.retry_after().map(|wait| wait.as_millis() as u64),
        "status": error.status(),
        "limit": error.limit().map(|limit| match limit {
            steadfetch::Limit::Bytes(bytes) => bytes,
            steadfetch::Limit::Time(span) => span.as_millis() as u64,
            limit => panic!("this runner does not know the limit {limit}"),
        }),
        "bytesReceived": error.bytes_received(),
        "data": error.data_json().unwrap_or_else(|| json!(error.data())),
        "attempts": error.attempts().len(),
        "attemptOutcomes": error.attempts().iter().map(|attempt| attempt.outcome().name()).collect::<Vec<_>>(),
    })
}
