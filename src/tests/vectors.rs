//! Rules that both APIs follow, by the files in tests/vectors, which the tests of the npm package run too.

use std::time::Duration;

use serde_json::Value;

use super::sim::{Answer, Sim, client, give_up_after, lost, ok, requests, run};
use crate::transport::Response;
use crate::{Auth, CircuitBreaker, Client, ClientBuilder, Queue, Refreshed, Retry, RetryBudget};

fn read(file: &str) -> Vec<Value> {
    let mut rows: Vec<Value> = serde_json::from_str(file).unwrap();
    // A row with `apis` is a rule that one API does not follow yet.
    rows.retain(|row| row["apis"].as_array().is_none_or(|apis| apis.contains(&"rust".into())));
    assert!(!rows.is_empty());
    rows
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Pairs of name and value, of which null leaves a header out.
fn pairs(value: &Value) -> Vec<(String, Option<String>)> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|pair| (text(&pair[0]).to_owned(), pair[1].as_str().map(str::to_owned))).collect()
}

#[test]
fn the_outcome_of_a_call_is_that_of_its_least_certain_attempt() {
    for row in read(include_str!("../../tests/vectors/outcomes.json")) {
        let answers = row["answers"].as_array().unwrap();
        let script = answers.iter().map(|answer| match answer.as_u64() {
            Some(status) => Answer::Response(0, Response::new(status.try_into().unwrap()).with_body("x")),
            None => lost(),
        });
        let retry = Retry::new().limit(u32::try_from(answers.len()).unwrap() - 1).status_codes(500..=599);
        let api = client(script.collect()).retry(retry.delay(Duration::ZERO)).retry_budget(None::<RetryBudget>);
        let error = run(api.build().unwrap().put("a").send()).unwrap_err();
        assert_eq!((error.outcome().name(), error.attempts().len()), (text(&row["outcome"]), answers.len()), "{row}");
    }
}

#[test]
fn an_answer_that_has_no_body_reads_as_null_and_an_empty_one_is_no_json() {
    for row in read(include_str!("../../tests/vectors/empty-bodies.json")) {
        let status = row["status"].as_u64().unwrap().try_into().unwrap();
        let api = client(vec![Answer::Response(0, Response::new(status))]).build().unwrap();
        let call = api.request(text(&row["method"]).to_owned(), "a").send();
        let read = run(async { call.await?.json::<Option<Value>>().await });
        match read {
            Ok(value) => assert!(row["isNull"] == true && value.is_none(), "{row}"),
            Err(error) => {
                assert!(row["isNull"] == false, "{row}: {error:?}");
                assert_eq!(
                    (error.code(), error.hint().map(crate::Hint::name)),
                    ("PARSE_ERROR", Some("empty-body")),
                    "{row}"
                );
            }
        }
    }
}

#[test]
fn a_url_is_resolved_and_shown_without_its_secrets() {
    for row in read(include_str!("../../tests/vectors/urls.json")) {
        let api = client(vec![Answer::Response(0, Response::new(404))]);
        let api = match row["base"].as_str() {
            Some(base) => api.base_url(base),
            None => Client::builder().transport(Sim),
        };
        let error = run(api.build().unwrap().get(text(&row["url"])).send()).unwrap_err();
        let told = format!("{error} {error:?}");
        assert!(!told.contains("S3CRET"), "{row}: {told}");
        let code = row["error"].as_str().unwrap_or("HTTP_ERROR");
        assert_eq!(error.code(), code, "{row}");
        if code == "HTTP_ERROR" {
            let sent = requests().remove(0);
            // A fragment and the port of the scheme are the platform's to leave out.
            let same = |url: &str| url::Url::parse(url).unwrap();
            assert_eq!(same(sent.url()), same(text(&row["href"])), "{row}");
            assert_eq!(error.url(), text(&row["shown"]), "{row}");
        } else {
            assert!(requests().is_empty(), "{row}");
        }
    }
}

#[test]
fn headers_are_merged_by_name_and_the_last_word_wins() {
    let to_client = |api: ClientBuilder, value: &Value| {
        pairs(value).into_iter().fold(api, |api, (name, value)| match value {
            Some(value) => api.header(name, value),
            None => api.without_header(name),
        })
    };
    for row in read(include_str!("../../tests/vectors/headers.json")) {
        let api = to_client(client(vec![ok("")]), &row["client"]).build().unwrap();
        let api = to_client(api.extend(), &row["view"]).build().unwrap();
        let call = pairs(&row["call"]).into_iter().fold(api.post("a"), |call, (name, value)| match value {
            Some(value) => call.header(name, value),
            None => call.without_header(name),
        });
        let call = match &row {
            row if row.get("json").is_some() => call.json(&row["json"]),
            row if row.get("form").is_some() => call
                .form(pairs(&row["form"]).into_iter().map(|(name, value)| (name, value.unwrap())).collect::<Vec<_>>()),
            row if row.get("text").is_some() => call.body(text(&row["text"])),
            _ => call,
        };
        run(call.send()).unwrap();
        let sent = requests().remove(0);
        let expected = row["sent"].as_object().unwrap();
        assert_eq!(sent.headers().len(), expected.len(), "{row}: {:?}", sent.headers());
        for (name, value) in expected {
            assert_eq!(sent.header(name), value.as_str(), "{row}");
        }
    }
}

#[test]
fn a_limit_is_a_millisecond_or_more() {
    for row in read(include_str!("../../tests/vectors/time-limits.json")) {
        let span = Duration::from_secs_f64(row["ms"].as_f64().unwrap() / 1000.0);
        let (api, name) = match text(&row["option"]) {
            "timeout" => (client(vec![]).timeout(span), "timeout"),
            "headersTimeout" => (client(vec![]).headers_timeout(span), "headers_timeout"),
            "idleTimeout" => (client(vec![]).idle_timeout(span), "idle_timeout"),
            _ => (client(vec![]).total_timeout(span), "total_timeout"),
        };
        match api.build() {
            Ok(_) => assert_eq!(row["valid"], true, "{row}"),
            Err(error) => {
                assert_eq!((error.code(), &row["valid"]), ("INVALID_OPTION", &Value::Bool(false)), "{row}");
                assert!(error.to_string().contains(name), "{error}");
            }
        }
    }
}

/// An option by the name that JavaScript gives it.
fn with_option(api: ClientBuilder, name: &str, value: &Value) -> ClientBuilder {
    let ms = || Duration::from_millis(value.as_u64().unwrap());
    let count = || u32::try_from(value.as_u64().unwrap()).unwrap();
    let number = || value.as_f64().unwrap();
    let list = || value.as_array().unwrap().iter();
    let auth = || Auth::cookies(|_| async { Ok(Refreshed::Renewed) });
    match name {
        "retry.limit" => api.retry(Retry::new().limit(count())),
        "retry.delay" => api.retry(Retry::new().delay(ms())),
        "retry.backoffLimit" => api.retry(Retry::new().backoff_limit(ms())),
        "retry.maxRetryAfter" => api.retry(Retry::new().max_retry_after(ms())),
        "retry.statusCodes" => {
            api.retry(Retry::new().status_codes(list().map(|code| u16::try_from(code.as_u64().unwrap()).unwrap())))
        }
        "retry.methods" => api.retry(Retry::new().methods(list().map(text))),
        "retryBudget.capacity" => api.retry_budget(RetryBudget::new().capacity(number())),
        "retryBudget.ratio" => api.retry_budget(RetryBudget::new().ratio(number())),
        "retryBudget.perSecond" => api.retry_budget(RetryBudget::new().per_second(number())),
        "circuitBreaker.failureThreshold" => api.circuit_breaker(CircuitBreaker::new().failure_threshold(count())),
        "circuitBreaker.resetTimeout" => api.circuit_breaker(CircuitBreaker::new().reset_timeout(ms())),
        "circuitBreaker.halfOpenSuccesses" => api.circuit_breaker(CircuitBreaker::new().half_open_successes(count())),
        "circuitBreaker.failureRate" => api.circuit_breaker(CircuitBreaker::new().failure_rate(number())),
        "circuitBreaker.window" => api.circuit_breaker(CircuitBreaker::new().window(ms())),
        "circuitBreaker.minimumCalls" => api.circuit_breaker(CircuitBreaker::new().minimum_calls(count())),
        "queue.concurrency" => api.queue(Queue::new(count())),
        "queue.limit" => api.queue(Queue::new(1).limit(count())),
        "queue.timeout" => api.queue(Queue::new(1).timeout(ms())),
        "auth.header" => api.auth(auth().header(text(value))),
        "auth.scheme" => api.auth(auth().scheme(text(value))),
        "auth.origins" => api.auth(auth().origins(list().map(text))),
        "auth.refreshTimeout" => api.auth(auth().refresh_timeout(ms())),
        "auth.lockName" => api.auth(auth().lock_name(text(value))),
        "baseUrl" => api.base_url(text(value)),
        "maxResponseBytes" => api.max_response_bytes(value.as_u64().unwrap()),
        "deadlineHeader" => api.deadline_header(text(value)),
        "minAttemptTime" => api.min_attempt_time(ms()),
        "reserve" => api.reserve(ms()),
        other => panic!("no option of this name: {other}"),
    }
}

#[test]
fn a_wrong_value_of_an_option_is_refused_by_its_name() {
    for row in read(include_str!("../../tests/vectors/options.json")) {
        let option = text(&row["option"]);
        match with_option(client(vec![]), option, &row["value"]).build() {
            Ok(_) => assert_eq!(row["valid"], true, "{row}"),
            Err(error) => {
                assert_eq!((error.code(), &row["valid"]), ("INVALID_OPTION", &Value::Bool(false)), "{row}");
                let name: String = option.chars().flat_map(snake).collect();
                assert!(error.to_string().contains(&name), "{row}: {error}");
            }
        }
    }
}

/// A letter of a name in camelCase, as it is in snake_case.
fn snake(letter: char) -> Vec<char> {
    if letter.is_uppercase() { vec!['_', letter.to_ascii_lowercase()] } else { vec![letter] }
}

#[test]
fn only_what_can_do_no_harm_twice_is_sent_again() {
    for row in read(include_str!("../../tests/vectors/gate.json")) {
        let mut retry = Retry::new().limit(1).delay(Duration::ZERO);
        if let Some(methods) = row["methods"].as_array() {
            retry = retry.methods(methods.iter().map(text));
        }
        let api = client(vec![lost(), ok("")]).retry(retry).build().unwrap();
        let mut call = api.request(text(&row["method"]).to_owned(), row["url"].as_str().unwrap_or("a"));
        if let Some(key) = row["key"].as_str() {
            call = call.header("Idempotency-Key", key);
        }
        if let Some(idempotent) = row["idempotent"].as_bool() {
            call = call.idempotent(idempotent);
        }
        match run(call.send()) {
            Ok(_) => assert_eq!(row["retried"], true, "{row}"),
            Err(error) => {
                let stopped = error.retry_stopped().map(crate::RetryStopped::name);
                assert_eq!((stopped, &row["retried"]), (Some("method"), &Value::Bool(false)), "{row}");
            }
        }
    }
}

#[test]
fn a_write_carries_the_same_key_with_every_attempt() {
    for row in read(include_str!("../../tests/vectors/idempotency-keys.json")) {
        let mut builder = client(vec![lost(), ok("")]).retry(Retry::new().limit(1).delay(Duration::ZERO));
        if let Some(key) = row["client"].as_str() {
            builder = builder.idempotency_key(key);
        }
        let api = builder.build().unwrap();
        let mut call = api.request(text(&row["method"]).to_owned(), "a");
        if let Some(key) = row["call"].as_str() {
            call = call.idempotency_key(key);
        }
        if let Some(key) = row["header"].as_str() {
            call = call.header("Idempotency-Key", key);
        }
        let code = run(call.send()).err().map(|error| error.code());
        let requests = requests();
        if let Some(expected) = row["error"].as_str() {
            assert_eq!((code, requests.len()), (Some(expected), 0), "{row}");
            continue;
        }
        let keys: Vec<_> = requests.iter().map(|request| request.header("idempotency-key")).collect();
        match row["sent"].as_str() {
            Some("auto") => {
                assert_eq!((keys.len(), keys[0]), (2, keys[1]), "{row}");
                assert!(keys[0].is_some_and(|key| key.len() == 34 && key.starts_with('"')), "{row}: {keys:?}");
            }
            Some(sent) => assert_eq!(keys, [Some(sent); 2], "{row}"),
            None => assert!(keys.iter().all(Option::is_none), "{row}: {keys:?}"),
        }
    }
}

#[test]
fn a_conflict_means_a_running_write_only_for_a_retry_with_a_key() {
    for row in read(include_str!("../../tests/vectors/conflicts.json")) {
        let answers = row["answers"].as_array().unwrap();
        let script = answers.iter().map(|answer| match answer.as_u64() {
            Some(status) => Answer::Response(0, Response::new(status.try_into().unwrap()).with_body("x")),
            None => lost(),
        });
        let retry = Retry::new().limit(3).delay(Duration::ZERO);
        let api = client(script.collect()).retry(retry).build().unwrap();
        let mut call = api.request(text(&row["method"]).to_owned(), "a");
        if let Some(key) = row["key"].as_str() {
            call = call.header("Idempotency-Key", key);
        }
        if let Some(idempotent) = row["idempotent"].as_bool() {
            call = call.idempotent(idempotent);
        }
        let error = run(call.send()).err();
        let got = (error.as_ref().map(|error| error.code()), error.as_ref().and_then(|error| error.hint()));
        assert_eq!(got.0, row["error"].as_str(), "{row}");
        assert_eq!(got.1.map(crate::Hint::name), row["hint"].as_str(), "{row}");
        assert_eq!(requests().len(), answers.len(), "{row}");
    }
}

#[test]
fn a_token_goes_to_its_origins_only() {
    for row in read(include_str!("../../tests/vectors/token-origins.json")) {
        let mut auth = Auth::new(|_| async { Ok(Some("S3CRET".to_owned())) }, |_| async { Ok(Refreshed::Renewed) });
        if let Some(origins) = row["origins"].as_array() {
            auth = auth.origins(origins.iter().map(text));
        }
        let api = client(vec![ok("")]).base_url(text(&row["base"])).auth(auth).build().unwrap();
        let mut call = api.get(text(&row["url"]));
        for (name, value) in row["headers"].as_object().into_iter().flatten() {
            call = call.header(name, text(value));
        }
        if row["auth"] == false {
            call = call.auth(false);
        }
        run(call.send()).unwrap();
        let sent = requests().remove(0).header("Authorization") == Some("Bearer S3CRET");
        assert_eq!(row["sent"], sent, "{row}");
    }
}

#[test]
fn what_is_shown_of_a_url_is_what_redact_url_makes_of_it() {
    for row in read(include_str!("../../tests/vectors/redaction.json")) {
        let own = row.clone();
        let redact = move |url: &str| {
            assert!(own["fails"].is_null(), "the redactor fails");
            match (own["gives"].as_str(), own["replace"].as_str()) {
                (Some(given), _) => given.to_owned(),
                (None, Some(secret)) => url.replace(secret, "..."),
                (None, None) => url.to_owned(),
            }
        };
        let api = client(vec![Answer::Response(0, Response::new(404))]).redact_url(redact).build().unwrap();
        let error = run(api.get(text(&row["url"])).send()).unwrap_err();
        assert_eq!((error.code(), error.url()), ("HTTP_ERROR", text(&row["shown"])), "{row}");
        assert!(!format!("{error} {error:?}").contains("S3CRET"), "{row}");
        assert_eq!(requests()[0].url(), url::Url::parse(text(&row["url"])).unwrap().as_str(), "{row}");
    }
}

#[test]
fn the_body_of_a_keepalive_request_has_64_kib_at_most() {
    for row in read(include_str!("../../tests/vectors/keepalive.json")) {
        let count = |name: &str| row[name].as_u64().and_then(|count| usize::try_from(count).ok());
        let api = client(vec![ok("")]).build().unwrap();
        let call = api.post("a").keepalive(row["keepalive"] != false);
        let call = match count("bytes") {
            Some(bytes) => call.body(vec![0; bytes]),
            None => call.body(text(&row["text"]).repeat(count("times").unwrap())),
        };
        match run(call.send()) {
            Ok(_) => assert_eq!(row["valid"], true, "{row}"),
            Err(error) => {
                assert_eq!((error.code(), &row["valid"]), ("INVALID_REQUEST", &Value::Bool(false)), "{row}");
                assert!(error.to_string().contains("keepalive") && requests().is_empty(), "{error}");
            }
        }
    }
}

#[test]
fn pairs_are_written_as_the_platform_writes_a_form() {
    for row in read(include_str!("../../tests/vectors/pairs.json")) {
        let api = client(vec![ok(""), ok("")]).build().unwrap();
        let results =
            [api.post("a").form(&row["value"]), api.post("a").query(&row["value"])].map(|call| run(call.send()));
        let Some(written) = row["written"].as_str() else {
            for (result, option) in results.into_iter().zip(["form", "query"]) {
                let error = result.unwrap_err();
                assert_eq!(error.code(), "INVALID_OPTION", "{row}");
                assert!(error.to_string().contains(option) && requests().is_empty(), "{row}: {error}");
            }
            continue;
        };
        assert!(results.iter().all(Result::is_ok), "{row}");
        let [form, query] = requests().try_into().unwrap();
        assert_eq!(form.body(), Some(written.as_bytes()), "{row}");
        let expected = if written.is_empty() { String::new() } else { format!("?{written}") };
        assert_eq!(query.url(), format!("https://api.test/v1/a{expected}"), "{row}");
    }
}

/// The names of an object's members, in order.
#[cfg(feature = "serde")]
fn members(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
#[cfg(feature = "serde")]
fn events_and_metrics_have_one_name_in_both_apis() {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    let names: Value = serde_json::from_str(include_str!("../../tests/vectors/telling.json")).unwrap();
    let sorted = |lists: &[&Value]| {
        let mut all: Vec<String> =
            lists.iter().flat_map(|list| list.as_array().unwrap()).map(|name| text(name).into()).collect();
        all.sort_unstable();
        all
    };
    let events = Arc::new(Mutex::new(BTreeMap::new()));
    let told = events.clone();
    let auth = Auth::new(|_| async { Ok(Some("old".into())) }, |_| async { Ok(Refreshed::Token("new".into())) });
    let answer = |status| Answer::Response(50, Response::new(status).with_body("x"));
    let api = client(vec![answer(401), lost(), answer(200), answer(200), answer(200), answer(200), answer(500)])
        .auth(auth)
        .queue(Queue::new(1))
        .circuit_breaker(CircuitBreaker::new().failure_threshold(1))
        .retry(Retry::new().delay(Duration::ZERO))
        .on_event(move |event| {
            let event = serde_json::to_value(event).unwrap();
            told.lock().unwrap().insert(text(&event["type"]).to_owned(), event);
        })
        .build()
        .unwrap();
    let get = |api: &Client| {
        let call = api.get("a").send();
        Box::pin(async move { call.await?.text().await }) as super::sim::Boxed<Result<String, crate::Error>>
    };
    run(get(&api)).unwrap();
    super::sim::join([get(&api), get(&api)]);
    run(async {
        let mut call = get(&api);
        assert!(give_up_after(10, &mut call).await.is_none());
        api.abort_all();
        call.await.unwrap_err();
    });
    let short = api.extend().total_timeout(Duration::from_millis(20)).build().unwrap();
    super::sim::join([get(&api), get(&short)]);

    let events = events.lock().unwrap();
    let types: Vec<_> = events.keys().map(String::as_str).collect();
    assert_eq!(types, members(&names["events"]));
    for (kind, event) in &*events {
        assert_eq!(members(event), sorted(&[&names["event"], &names["events"][kind]]), "{kind}");
    }
    let metrics = serde_json::to_value(api.metrics()).unwrap();
    for (part, expected) in names["metrics"].as_object().unwrap() {
        let part = part.split('.').filter(|step| !step.is_empty());
        let value = part.fold(&metrics, |value, step| match step.parse::<usize>() {
            Ok(index) => &value[index],
            Err(_) => &value[step],
        });
        assert_eq!(members(value), sorted(&[expected]), "{metrics}");
    }
}

#[test]
fn a_value_in_place_of_an_error_is_for_what_the_caller_is_not_to_blame_for() {
    for row in read(include_str!("../../tests/vectors/fallback.json")) {
        let answer = match row["status"].as_u64() {
            Some(status) => {
                let body = row["text"].as_str().unwrap_or("x").to_owned();
                Answer::Response(0, Response::new(status.try_into().unwrap()).with_body(body))
            }
            None => lost(),
        };
        let api = client(vec![answer]).retry(0).build().unwrap();
        if row["closed"] == true {
            api.close();
        }
        let mut call = api.get(row["url"].as_str().unwrap_or("a"));
        if row["option"] == true {
            call = call.timeout(Duration::ZERO);
        }
        let error = run(async { call.await?.json::<Value>().await }).err();
        assert_eq!(error.map(|error| error.allows_fallback()), row["asked"].as_bool(), "{row}");
    }
}
