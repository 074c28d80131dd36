//! Rules that the JavaScript facade follows too, each on its own: what the files in tests/vectors say of them.

use serde_json::Value;
use steadfetch_core::retry_after::{Source, parse};

const RETRY_AFTER: &str = include_str!("../../tests/vectors/retry-after.json");

#[test]
fn f06_retry_after_and_reset_headers_by_the_vectors_of_both_drivers() {
    let file: Value = serde_json::from_str(RETRY_AFTER).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list");
    assert!(!vectors.is_empty());
    for vector in vectors {
        let value = vector["value"].as_str().expect("a value");
        let source = if vector["reset"] == true { Source::Reset } else { Source::Delay };
        let date = vector["date"].as_str().map(str::as_bytes);
        let wall = vector["wall"].as_u64().or(file["wall"].as_u64()).expect("a clock");
        // What a platform's `Headers` gives is Latin-1.
        let bytes: Vec<u8> = value.chars().map(|character| u8::try_from(character).expect("Latin-1")).collect();
        let wait = parse(&bytes, source, date, wall).map(|wait| wait.0);
        assert_eq!(wait, vector["waitMs"].as_u64(), "{vector}");
    }
}
