use js_sys::{Array, Object};
use wasm_bindgen::JsCast;

use super::bindings::{Fields, Request};
use super::exchange::set;
use super::{get, global, is_server, text};
use crate::driver::{Extra, Notes, Outgoing};

/// What may be behind a network error. The platform does not say, but some requests are known to fail so.
pub(crate) fn hint_of(request: &Outgoing, extra: &Extra) -> Notes {
    let hint = |hint| Notes { hint: Some(hint), ..Notes::default() };
    if request.body.as_ref().is_some_and(|body| !body.replays()) && !is_server() {
        return hint("stream-upload-http2");
    }
    let page = text(&get(&global(), "location"), "origin");
    if page.is_none_or(|page| request.url.strip_prefix(&page).is_some_and(|rest| rest.starts_with('/'))) {
        return Notes::default();
    }
    // What a request without CORS may not carry is what needs a preflight with it.
    let (init, headers) = (Object::new(), Array::new());
    set(&init, "mode", &"no-cors".into());
    for (name, value) in request.headers(extra).filter(|(name, _)| !is_token(extra, name)) {
        headers.push(&Array::of2(&name.into(), &(&*value).into()));
    }
    set(&init, "headers", &headers);
    let Ok(kept) = Request::new(&request.url, &init) else { return Notes::default() };
    let kept = get(&kept, "headers").unchecked_into::<Fields>();
    let unlisted = Array::new();
    for name in headers.iter().filter_map(|pair| text(&pair, "0")) {
        if kept.get(&name).is_ok_and(|value| value.is_null()) {
            unlisted.push(&name.to_ascii_lowercase().into());
        }
    }
    if unlisted.length() == 0 {
        return hint("cross-origin");
    }
    // In the order of `Headers`.
    unlisted.sort();
    let detail = ["headers that need a CORS preflight: ", &String::from(unlisted.join(", "))].concat();
    Notes { detail: Some(detail), ..hint("non-safelisted-headers") }
}

/// A token of ours is what the preflight was made for; more likely the answer has no CORS headers.
fn is_token(extra: &Extra, name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization") && extra.credential.as_ref().is_some_and(|token| token.name == name)
}
