//! What errors, events and messages show of a URL.

use std::sync::Arc;

/// `redact_url` of a client.
pub(crate) type RedactUrl = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The most characters that are shown.
const SHOWN: usize = 200;

/// Origin and path, or what the client makes of them.
pub(crate) fn shown(target: String, redact: Option<&RedactUrl>) -> String {
    let mut shown = match redact {
        Some(redact) => apply(&target, redact),
        None => target,
    };
    if let Some((end, _)) = shown.char_indices().nth(SHOWN) {
        shown.truncate(end);
    }
    shown
}

/// In wasm a panic cannot be caught: there it ends the task that sends the request, before anything is sent.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn apply(target: &str, redact: &RedactUrl) -> String {
    redact(target)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn apply(target: &str, redact: &RedactUrl) -> String {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    // The panic hook has reported it.
    catch_unwind(AssertUnwindSafe(|| redact(target))).unwrap_or_else(|_| crate::platform::origin_of(target).to_owned())
}
