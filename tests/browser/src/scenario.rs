//! Plays scenario files; their format is described in `tests/scenarios/README.md`.

use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use crate::call::{client, go_before, make};
use crate::judge::judge;
use crate::platform::engine;
use crate::server::{Origin, Server};

/// Plays every scenario of a file that is for this engine and API.
///
/// # Panics
/// If what was observed is not what is expected.
pub async fn play(file: &str) {
    let file: Value = serde_json::from_str(file).expect("a scenario file is JSON");
    let mut differences = Vec::new();
    // One after the other: many have limits of some hundred milliseconds, and one thread for client and test.
    for scenario in expand(&file).iter().filter(|scenario| applies(scenario)) {
        differences.extend(play_one(scenario).await);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The file itself, or one scenario per row.
fn expand(file: &Value) -> Vec<Value> {
    let mut base = file.clone();
    let rows = base.as_object_mut().and_then(|base| base.remove("rows"));
    let Some(Value::Array(rows)) = rows else { return vec![base] };
    rows.into_iter()
        .map(|row| {
            let mut scenario = base.clone();
            let name =
                format!("{}: {}", base["name"].as_str().unwrap_or_default(), row["row"].as_str().unwrap_or_default());
            for (key, own) in row.as_object().into_iter().flatten() {
                let merged = ["call", "expect", "in"].contains(&key.as_str());
                match (merged, scenario.get_mut(key), own) {
                    (true, Some(Value::Object(all)), Value::Object(own)) => all.extend(own.clone()),
                    _ => scenario[key.as_str()] = own.clone(),
                }
            }
            scenario["name"] = name.into();
            scenario
        })
        .collect()
}

fn applies(scenario: &Value) -> bool {
    let names = |key: &str, name: &str| scenario[key].as_array().is_none_or(|list| list.contains(&json!(name)));
    // WebKit's driver accepts no certificate of our own.
    let reachable = engine() != "webkit" || scenario["origin"]["tls"] != true;
    names("needs", engine()) && names("apis", "rust") && reachable
}

/// `expect`, with what `in` says of this engine.
fn expected(scenario: &Value) -> Value {
    let mut expect = scenario["expect"].as_object().cloned().unwrap_or_default();
    if let Some(own) = scenario["in"][engine()].as_object() {
        expect.extend(own.clone());
    }
    expect.into()
}

fn replace(value: &Value, places: &[(String, String)]) -> Value {
    match value {
        Value::String(text) => places.iter().fold(text.clone(), |text, (place, name)| text.replace(place, name)).into(),
        Value::Array(list) => list.iter().map(|one| replace(one, places)).collect(),
        Value::Object(map) => {
            map.iter().map(|(key, one)| (key.clone(), replace(one, places))).collect::<Map<_, _>>().into()
        }
        value => value.clone(),
    }
}

fn places(prefix: &str, origin: &Origin) -> [(String, String); 2] {
    let host = origin.origin.split("://").last().unwrap_or_default().to_owned();
    [(format!("{{{prefix}origin}}"), origin.origin.clone()), (format!("{{{prefix}host}}"), host)]
}

/// What of the expectations is about the server: waited for before the report that is judged.
fn awaited(expect: &Value) -> Vec<(&'static str, u64)> {
    let mut counts = vec![("open", 0)];
    for key in ["requests", "closes", "commits", "preflights"] {
        let least = expect[key].as_u64().or_else(|| expect[key]["min"].as_u64()).unwrap_or(0);
        if least > 0 {
            counts.push((key, least));
        }
    }
    counts
}

async fn play_one(scenario: &Value) -> Vec<String> {
    let server = Server::default();
    let (mut opened, mut named) = (Vec::new(), Vec::new());
    for (name, other) in scenario["others"].as_object().into_iter().flatten() {
        let mut options = if other["origin"].is_null() { json!({}) } else { other["origin"].clone() };
        if !other["script"].is_null() {
            options["script"] = other["script"].clone();
        }
        let other = server.open(&options).await;
        named.extend(places(&format!("{name}."), &other));
        opened.push(other);
    }
    let options = if scenario["origin"].is_null() { json!({}) } else { scenario["origin"].clone() };
    let origin = server.open(&options).await;
    named.extend(places("", &origin));
    let scenario = replace(scenario, &named);
    if !scenario["script"].is_null() {
        origin.script(&scenario["script"]).await;
    }
    let expect = expected(&scenario);
    let client = client(&scenario["call"]["client"]);
    let before = scenario["before"].as_array().map_or(&[][..], Vec::as_slice);
    for call in before {
        go_before(&client, call, &origin.origin).await;
    }
    if before.iter().any(|call| call["leave"] == true) {
        origin.wait(&[("requests", 1)]).await;
    }
    let observed = make(&client, &scenario["call"], &origin.origin).await;
    let report = origin.wait(&awaited(&expect)).await;
    drop(observed.held);
    opened.push(origin);
    join_all(opened.into_iter().map(Origin::close)).await;
    let name = scenario["name"].as_str().unwrap_or_default();
    judge(&expect, &observed.seen, &report).into_iter().map(|difference| format!("{name}: {difference}")).collect()
}
