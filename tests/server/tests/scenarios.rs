//! Every scenario file is well formed: no field that nobody reads, no code that does not exist, no script that the server
//! refuses. Whether the product does what they expect is for the suites that play them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use steadfetch_fault_server::Script;

const GROUPS: &[&str] =
    &["answers", "bodies", "timeouts", "retry", "protection", "writes", "redirects", "cors", "cancel", "requests"];
const CODES: &[&str] = &[
    "INVALID_OPTION",
    "INVALID_REQUEST",
    "UNSUPPORTED",
    "CALLBACK_ERROR",
    "NETWORK_ERROR",
    "TIMEOUT",
    "DEADLINE_EXCEEDED",
    "QUEUE_TIMEOUT",
    "QUEUE_FULL",
    "CIRCUIT_OPEN",
    "ABORTED",
    "HTTP_ERROR",
    "PARSE_ERROR",
    "UNEXPECTED_RESPONSE",
    "RESPONSE_TOO_LARGE",
    "AUTH_REFRESH_FAILED",
    "JOB_FAILED",
    "LOAD_FAILED",
    "ENGINE_DEAD",
];
const PHASES: &[&str] =
    &["load", "auth", "queue", "backoff", "refresh", "headers", "body", "idle", "lookup", "poll", "handshake", "hook"];
const OUTCOMES: &[&str] = &["not-sent", "answered", "unknown"];
const STOPS: &[&str] =
    &["limit", "method", "body", "deadline", "retry-after", "circuit", "budget", "queue", "policy", "pagehide"];
const HINTS: &[&str] = &[
    "cross-origin",
    "non-safelisted-headers",
    "stream-upload-http2",
    "body-changed",
    "empty-body",
    "in-progress",
    "buffered",
    "csp",
];
const ENGINES: &[&str] = &["chromium", "firefox", "webkit", "node"];
const APIS: &[&str] = &["javascript", "rust"];
const READS: &[&str] = &["json", "text", "bytes", "none", "fetch"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    group: String,
    doc: String,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    apis: Vec<String>,
    #[serde(default)]
    origin: Map<String, Value>,
    #[serde(default)]
    others: BTreeMap<String, Other>,
    script: Value,
    #[serde(default)]
    before: Vec<Before>,
    call: Call,
    expect: Expect,
    #[serde(default, rename = "in")]
    by_engine: BTreeMap<String, Expect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Other {
    #[serde(default)]
    origin: Map<String, Value>,
    script: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "most fields are read only to know that they are of the right type")]
struct Call {
    method: Option<String>,
    path: Option<String>,
    url: Option<String>,
    client: Option<Map<String, Value>>,
    options: Option<Map<String, Value>>,
    body_bytes: Option<u64>,
    form_data: Option<BTreeMap<String, String>>,
    argument: Option<String>,
    abort: Option<Abort>,
    read: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "most fields are read only to know that they are of the right type")]
struct Before {
    method: Option<String>,
    path: Option<String>,
    url: Option<String>,
    options: Option<Map<String, Value>>,
    read: String,
    times: Option<u32>,
    leave: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only to know that the fields are of the right type")]
struct Abort {
    after: u64,
    reason: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Expect {
    ok: Option<bool>,
    value: Option<Value>,
    contains: Option<Map<String, Value>>,
    repeated: Option<Repeated>,
    status: Option<Number>,
    code: Option<Word>,
    phase: Option<Word>,
    outcome: Option<Word>,
    hint: Option<Word>,
    retry_stopped: Option<Word>,
    retry_after_ms: Option<Number>,
    bytes_received: Option<Number>,
    limit: Option<Number>,
    data: Option<Value>,
    cause: Option<Value>,
    attempts: Option<Number>,
    attempt_outcomes: Option<Vec<String>>,
    elapsed: Option<Number>,
    requests: Option<Number>,
    closes: Option<Number>,
    commits: Option<Number>,
    preflights: Option<Number>,
    max_open: Option<Number>,
    paths: Option<BTreeMap<String, Number>>,
    bodies: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only to know that the fields are of the right type")]
struct Repeated {
    text: String,
    times: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "read only to know that the fields are of the right type")]
enum Number {
    Exact(u64),
    Range(Range),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only to know that the fields are of the right type")]
struct Range {
    min: Option<u64>,
    max: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    One(String),
    AnyOf(Vec<String>),
}

impl Word {
    fn all(&self) -> &[String] {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::AnyOf(words) => words,
        }
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

fn read(file: &str) -> Value {
    let text = std::fs::read_to_string(directory().join(file)).expect(file);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn files() -> Vec<String> {
    let names = std::fs::read_dir(directory()).expect("the scenarios");
    let mut names: Vec<String> = names
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name.ends_with(".json") && name != "index.json")
        .collect();
    names.sort();
    names
}

/// The scenarios of a file, rows merged as README.md says.
fn expand(file: Value) -> Vec<Value> {
    let Value::Object(mut base) = file else { panic!("not an object") };
    let Some(rows) = base.remove("rows") else { return vec![Value::Object(base)] };
    let Value::Array(rows) = rows else { panic!("rows are no list") };
    rows.into_iter()
        .map(|row| {
            let Value::Object(mut row) = row else { panic!("a row is no object") };
            let mut scenario = base.clone();
            let row_name = row.remove("row").expect("a row has a name");
            let name = format!("{}: {}", base["name"].as_str().unwrap(), row_name.as_str().unwrap());
            for (key, own) in row {
                match (scenario.get_mut(&key), own) {
                    (Some(Value::Object(shared)), Value::Object(own))
                        if ["call", "expect", "in"].contains(&key.as_str()) =>
                    {
                        shared.extend(own);
                    }
                    (_, own) => {
                        scenario.insert(key, own);
                    }
                }
            }
            scenario.insert("name".to_owned(), name.into());
            Value::Object(scenario)
        })
        .collect()
}

fn all() -> Vec<Scenario> {
    files()
        .into_iter()
        .flat_map(|file| {
            expand(read(&file))
                .into_iter()
                .map(move |value| serde_json::from_value(value).unwrap_or_else(|error| panic!("{file}: {error}")))
        })
        .collect()
}

fn assert_known(name: &str, what: &str, words: &[String], known: &[&str]) {
    for word in words {
        assert!(known.contains(&word.as_str()), "{name}: {what} {word:?}");
    }
}

#[test]
fn the_index_lists_every_file() {
    let listed: Vec<String> = serde_json::from_value(read("index.json")).unwrap();
    assert_eq!(listed, files());
}

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for scenario in all() {
        assert!(seen.insert(scenario.name.clone()), "{}", scenario.name);
    }
}

#[test]
fn every_word_is_of_its_closed_list() {
    for scenario in all() {
        let name = &scenario.name;
        assert_known(name, "group", std::slice::from_ref(&scenario.group), GROUPS);
        assert_known(name, "engine", &scenario.needs, ENGINES);
        assert_known(name, "api", &scenario.apis, APIS);
        assert_known(name, "read", std::slice::from_ref(&scenario.call.read), READS);
        for call in &scenario.before {
            assert_known(name, "read", std::slice::from_ref(&call.read), READS);
            assert!(call.path.is_some() || call.url.is_some(), "{name}: path or url of a call before");
        }
        assert!(!scenario.doc.is_empty(), "{name}: doc");
        for engine in scenario.by_engine.keys() {
            assert!(ENGINES.contains(&engine.as_str()), "{name}: in {engine}");
        }
        for expect in std::iter::once(&scenario.expect).chain(scenario.by_engine.values()) {
            for (what, word, known) in [
                ("code", &expect.code, CODES),
                ("phase", &expect.phase, PHASES),
                ("outcome", &expect.outcome, OUTCOMES),
                ("hint", &expect.hint, HINTS),
                ("retryStopped", &expect.retry_stopped, STOPS),
            ] {
                assert_known(name, what, word.as_ref().map_or(&[], Word::all), known);
            }
        }
    }
}

#[test]
fn a_failure_names_its_code_and_a_success_has_none() {
    for Scenario { name, expect, call, .. } in all() {
        let ok = expect.ok.unwrap_or_else(|| panic!("{name}: ok"));
        assert_ne!(ok, expect.code.is_some(), "{name}: code");
        assert!(call.path.is_some() || call.url.is_some(), "{name}: path or url");
    }
}

#[test]
fn the_server_accepts_every_script() {
    for Scenario { name, origin, script, others, .. } in all() {
        let scripts =
            std::iter::once((origin, script)).chain(others.into_values().map(|other| (other.origin, other.script)));
        for (origin, script) in scripts {
            let http2 = origin.get("http2") == Some(&Value::Bool(true));
            if let Err(error) = Script::parse(&script.to_string(), http2) {
                panic!("{name}: {error}");
            }
        }
    }
}
