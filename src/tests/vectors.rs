//! Rules that both APIs follow, by the files in tests/vectors, which the tests of the npm package run too.

use std::time::Duration;

use serde_json::Value;

use super::sim::{Answer, Sim, client, lost, ok, requests, run};
use crate::transport::Response;
use crate::{Client, ClientBuilder, Retry, RetryBudget};

fn read(file: &str) -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(file).unwrap();
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
                assert_eq!((error.code(), error.hint()), ("PARSE_ERROR", Some("empty-body")), "{row}");
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
            row if row.get("form").is_some() => {
                call.form(pairs(&row["form"]).into_iter().map(|(name, value)| (name, value.unwrap())))
            }
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
