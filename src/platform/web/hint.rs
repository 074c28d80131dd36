use super::{get, global, is_server, is_stream};
use crate::body::Kind;
use crate::driver::{Extra, Notes, Outgoing};

/// What may be behind a network error. The platform does not say, but some requests are known to fail so.
pub(crate) fn hint_of(request: &Outgoing, extra: &Extra) -> Notes {
    let hint = |hint| Notes { hint: Some(hint), ..Notes::default() };
    if !is_server() && request.body.as_ref().is_some_and(|body| matches!(&body.0, Kind::Js(body) if is_stream(body))) {
        return hint("stream-upload-http2");
    }
    let page = get(&get(&global(), "location"), "origin").as_string();
    if page.is_none_or(|page| request.target.strip_prefix(&page).is_some_and(|rest| rest.starts_with('/'))) {
        return Notes::default();
    }
    let unlisted: Vec<String> = request
        .headers(extra)
        .filter(|(name, value)| !is_safelisted(name, value) && !is_token(extra, name))
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect();
    if unlisted.is_empty() {
        return hint("cross-origin");
    }
    let detail = ["headers that need a CORS preflight: ", &unlisted.join(", ")].concat();
    Notes { detail: Some(detail), ..hint("non-safelisted-headers") }
}

/// A token of ours is what the preflight was made for; more likely the answer has no CORS headers.
fn is_token(extra: &Extra, name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization") && extra.credential.as_ref().is_some_and(|token| token.name == name)
}

/// A header that needs no preflight (Fetch standard, section 2.2.2).
fn is_safelisted(name: &str, value: &str) -> bool {
    const NAMES: [&str; 4] = ["accept", "accept-language", "content-language", "range"];
    const TYPES: [&str; 3] = ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"];
    if name.eq_ignore_ascii_case("content-type") {
        let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        return TYPES.iter().any(|known| essence.eq_ignore_ascii_case(known.as_bytes()));
    }
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}
