//! JSON to and from Rust types: the same on every target, by `serde_json`.

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Why a text could not be read as a type.
pub(crate) enum Mismatch {
    /// It is no JSON.
    Syntax,
    /// It is, of another shape, or nested deeper than is read.
    Shape(String),
}

pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    serde_json::from_str(text).map_err(|error| {
        // It stops at the first difference: what follows need not be JSON. This skips values without recursion.
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Mismatch::Shape(error.to_string()),
            Err(_) => Mismatch::Syntax,
        }
    })
}

pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> Option<String> {
    serde_json::to_string(value).ok()
}

/// What null is as this type.
pub(crate) fn null<T: DeserializeOwned>() -> Option<T> {
    from_text("null").ok()
}
