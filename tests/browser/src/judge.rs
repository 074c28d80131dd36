//! What was expected against what was observed; the Rust twin of `judge` in `tests/scenarios/scenario.mjs`.

use serde_json::{Value, json};

/// The differences as sentences; none if all is well.
pub(crate) fn judge(expect: &Value, observed: &Value, report: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    for (key, wanted) in expect.as_object().into_iter().flatten() {
        match key.as_str() {
            // An error of this API holds no JavaScript value.
            "cause" => {}
            "value" | "data" | "attemptOutcomes" => {
                check(&mut differences, key, equal(wanted, &observed[key]), wanted, &observed[key]);
            }
            "contains" => {
                check(&mut differences, key, contains(&observed["value"], wanted), wanted, &observed["value"]);
            }
            "repeated" => {
                let times = wanted["times"].as_u64().unwrap_or_default() as usize;
                let whole = wanted["text"].as_str().unwrap_or_default().repeat(times);
                let same = observed["value"].as_str() == Some(&whole);
                check(&mut differences, key, same, wanted, &json!(observed["value"].as_str().map(str::len)));
            }
            "paths" => {
                for (path, count) in wanted.as_object().into_iter().flatten() {
                    let log = report["log"].as_array().into_iter().flatten();
                    let number = json!(log.filter(|entry| entry["route"] == **path).count());
                    check(&mut differences, path, fits(count, &number), count, &number);
                }
            }
            "bodies" => {
                let log = report["log"].as_array().into_iter().flatten();
                for entry in log.filter(|entry| entry["method"] != "GET") {
                    check(&mut differences, key, entry["body"] == *wanted, wanted, &entry["body"]);
                }
            }
            "requests" | "closes" | "commits" | "preflights" | "maxOpen" => {
                check(&mut differences, key, fits(wanted, &report[key]), wanted, &report[key]);
            }
            _ => check(&mut differences, key, fits(wanted, &observed[key]), wanted, &observed[key]),
        }
    }
    differences
}

fn check(differences: &mut Vec<String>, key: &str, good: bool, wanted: &Value, is: &Value) {
    if !good {
        differences.push(format!("{key}: expected {wanted}, got {is}"));
    }
}

/// A value, a list of allowed values, or a range.
fn fits(wanted: &Value, is: &Value) -> bool {
    match wanted {
        Value::Array(allowed) => allowed.iter().any(|one| equal(one, is)),
        Value::Object(range) => is.as_f64().is_some_and(|is| {
            let bound = |name: &str| range.get(name).and_then(Value::as_f64);
            bound("min").is_none_or(|min| is >= min) && bound("max").is_none_or(|max| is <= max)
        }),
        wanted => equal(wanted, is),
    }
}

fn equal(wanted: &Value, is: &Value) -> bool {
    match (wanted.as_f64(), is.as_f64()) {
        (Some(wanted), Some(is)) => wanted == is,
        _ => match (wanted, is) {
            (Value::Array(wanted), Value::Array(is)) => {
                wanted.len() == is.len() && wanted.iter().zip(is).all(|(wanted, is)| equal(wanted, is))
            }
            (Value::Object(wanted), Value::Object(is)) => {
                wanted.len() == is.len()
                    && wanted.iter().all(|(key, wanted)| is.get(key).is_some_and(|is| equal(wanted, is)))
            }
            (wanted, is) => wanted == is,
        },
    }
}

fn contains(is: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(wanted) => {
            is.is_object() && wanted.iter().all(|(key, wanted)| contains(&is[key.as_str()], wanted))
        }
        wanted => equal(wanted, is),
    }
}
