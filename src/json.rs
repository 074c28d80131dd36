//! JSON to and from Rust types: by the platform's own parser in a browser, by `serde_json` elsewhere.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a text could not be read as a type.
pub(crate) enum Mismatch {
    /// It is no JSON.
    Syntax,
    /// It is, of another shape.
    Shape(String),
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod platform {
    use super::{DeserializeOwned, Mismatch, Serialize};
    use js_sys::JSON;
    use serde_wasm_bindgen::Serializer;

    pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
        let value = JSON::parse(text).map_err(|_| Mismatch::Syntax)?;
        serde_wasm_bindgen::from_value(value).map_err(|error| Mismatch::Shape(error.to_string()))
    }

    pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> Option<String> {
        let value = value.serialize(&Serializer::json_compatible()).ok()?;
        JSON::stringify(&value).ok()?.as_string()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod platform {
    use serde::de::IgnoredAny;

    use super::{DeserializeOwned, Mismatch, Serialize};

    pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
        serde_json::from_str(text).map_err(|error| {
            // It stops at the first difference: what follows need not be JSON.
            match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => Mismatch::Shape(error.to_string()),
                Err(_) => Mismatch::Syntax,
            }
        })
    }

    pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> Option<String> {
        serde_json::to_string(value).ok()
    }
}

pub(crate) use platform::{from_text, to_text};

/// What null is as this type.
pub(crate) fn null<T: DeserializeOwned>() -> Option<T> {
    from_text("null").ok()
}
