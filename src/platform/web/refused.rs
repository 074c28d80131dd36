//! Requests that the platform refuses. To it an outage and a mistake are the same TypeError: only the request tells them
//! apart.

use std::borrow::Cow;

use js_sys::Object;
use steadfetch_core::outcome::Outcome;
use wasm_bindgen::prelude::*;

use super::bindings::{Request, Url};
use super::{get, global, is_server, says, text};
use crate::options::Redirect;

/// The ports that browsers block (Fetch standard, section 2.9).
const BLOCKED: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/// The schemes that the Fetch standard knows, and those that browsers add; a page may have one of its own beside them.
const SCHEMES: [&str; 5] = ["http:", "https:", "data:", "blob:", "file:"];

/// Why a request that was rejected was never sent, if it was not.
pub(super) fn refusal(url: &str, init: &Object, error: &JsValue) -> Option<Cow<'static, str>> {
    match Request::new(url, init) {
        Ok(_) => {}
        Err(refusal) if says(&refusal, "name", "TypeError") => return Some("".into()),
        // Else the stack was at its end, or there is none to ask.
        Err(_) => return None,
    }
    let url = Url::new(url, None).ok()?;
    if is_server() { by_server(&url, error) } else { by_browser(&url, init) }
}

fn is_blocked(url: &Url) -> bool {
    url.port().parse().is_ok_and(|port| BLOCKED.contains(&port))
}

/// By the Fetch standard.
fn by_browser(url: &Url, init: &Object) -> Option<Cow<'static, str>> {
    let location = get(&global(), "location");
    let is_own = |name, value: &str| says(&location, name, value);
    let wants = |name, value: &str| says(init, name, value);
    let scheme = url.protocol();
    if !SCHEMES.contains(&&*scheme) && !scheme.ends_with("-extension:") && !is_own("protocol", &scheme) {
        let shown: String = scheme.chars().take(20).collect();
        return Some(["fetch knows no scheme ", &shown].concat().into());
    }
    if is_blocked(url) {
        return Some(["browsers block port ", &url.port()].concat().into());
    }
    if wants("cache", "only-if-cached") {
        return Some("cache is only-if-cached, and nothing is cached".into());
    }
    (wants("mode", "same-origin") && !is_own("origin", &url.origin()))
        .then(|| "mode is same-origin, and the URL is of another origin".into())
}

/// By Node and Deno, which say it in words that hold no value of the request. Where a redirect may have led elsewhere, the
/// request has to show it too.
fn by_server(url: &Url, error: &JsValue) -> Option<Cow<'static, str>> {
    let message = text(cause_of(error).as_ref().unwrap_or(error), "message")?;
    let is_known = match message.as_str() {
        "bad port" => is_blocked(url),
        "unknown scheme" | "about scheme is not supported" => !matches!(url.protocol().as_str(), "http:" | "https:"),
        "expect header not supported" => true,
        // As `invalid transfer-encoding header`.
        other => other.starts_with("invalid ") && other.ends_with(" header") && other.split(' ').count() == 3,
    };
    if is_known {
        return Some(message.into());
    }
    // Those of Deno.
    if message.starts_with("Url scheme '") {
        return Some(["fetch knows no scheme ", &url.protocol()].concat().into());
    }
    (is_blocked(url) && message.ends_with("are blocked")).then(|| ["port ", &url.port(), " is blocked"].concat().into())
}

/// Node hides what happened behind a TypeError, that of Bun is the error itself.
fn cause_of(error: &JsValue) -> Option<JsValue> {
    Some(get(error, "cause")).filter(JsValue::is_object)
}

/// In the words of Deno.
const CONNECT: &[u8] = b"client error (Connect)";

/// Whether Node, Deno (in words) or Bun say that there was no connection. Where a redirect may have led to another server, this
/// says nothing about the first one.
pub(super) fn is_unsent(init: &Object, error: &JsValue) -> bool {
    let follows = text(init, "redirect").is_none_or(|redirect| redirect == Redirect::Follow.as_str());
    let cause = cause_of(error);
    let cause = cause.as_ref().unwrap_or(error);
    let is = |name, test: fn(&str) -> bool| text(cause, name).is_some_and(|text| test(&text));
    !follows
        && (is("code", Outcome::is_unsent)
            || is("message", |text| {
                // Not by `contains`: its search is as long as the rest of this file.
                text.as_bytes().windows(CONNECT.len()).any(|part| part == CONNECT)
            }))
}
