//! One corpus of JSON documents, read on every target with equal results: `json.json` beside this. The module that includes
//! this has an `api`, the crate under test.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::api::{Error, Response};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    id: u64,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
enum Either {
    Cash,
    Card { last: u16 },
}

async fn read_as<T: DeserializeOwned + Serialize>(response: Response) -> Result<String, Error> {
    let value: T = response.json().await?;
    // As `serde_json` writes it, whichever target this is.
    Ok(serde_json::to_string(&value).expect("it was JSON"))
}

async fn read(name: &str, response: Response) -> Result<String, Error> {
    match name {
        "value" => read_as::<Value>(response).await,
        "u64" => read_as::<u64>(response).await,
        "f64" => read_as::<f64>(response).await,
        "option" => read_as::<Option<u8>>(response).await,
        "order" => read_as::<Order>(response).await,
        "map" => read_as::<BTreeMap<u8, u8>>(response).await,
        "either" => read_as::<Either>(response).await,
        other => panic!("no type of this name: {other}"),
    }
}

pub(crate) fn rows() -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(include_str!("json.json")).expect("JSON");
    assert!(!rows.is_empty());
    rows
}

/// The document of a row.
pub(crate) fn text_of(row: &Value) -> String {
    match row["repeat"].as_array().map(Vec::as_slice) {
        Some([open, count, close]) => {
            let times = |part: &Value| part.as_str().expect("a text").repeat(count.as_u64().expect("a count") as usize);
            times(open) + &times(close)
        }
        _ => row["text"].as_str().expect("a text").to_owned(),
    }
}

/// Reads the answer to a row, and compares.
pub(crate) async fn check(row: &Value, response: Response) {
    match read(row["type"].as_str().expect("a type"), response).await {
        Ok(text) => {
            assert!(row.get("error").is_none(), "{row}: read as {text}");
            assert!(row["read"].is_null() || row["read"] == text.as_str(), "{row}: {text}");
        }
        Err(error) => assert_eq!(row["error"], error.code(), "{row}: {error:?}, {:?}", error.issues()),
    }
}
