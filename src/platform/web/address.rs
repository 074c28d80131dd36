use js_sys::global;

use super::bindings::Url;
use super::{get, text};
use crate::platform::{BAD_URL, CREDENTIALS, RELATIVE_BASE, Resolved};

/// What the page's relative URLs are resolved against; nothing in Node.
fn page() -> Option<String> {
    let global = global();
    text(&get(&global, "document"), "baseURI").or_else(|| text(&get(&global, "location"), "href"))
}

fn parse(url: &str, base: Option<&str>) -> Option<Url> {
    match base {
        Some(base) => Url::new(url, Some(base)).ok(),
        None => Url::new(url, page().as_deref()).ok(),
    }
}

#[inline(never)]
pub(crate) fn resolve(base: Option<&str>, url: &str) -> Result<Resolved, &'static str> {
    // Only one that there is no page for is kept as it is.
    let missing = if base.is_some_and(crate::platform::is_relative) { RELATIVE_BASE } else { BAD_URL };
    let url = parse(url, base).ok_or(missing)?;
    if !url.username().is_empty() || !url.password().is_empty() {
        return Err(CREDENTIALS);
    }
    // Which schemes there are is up to the platform: shells and runtimes have their own.
    let (scheme, origin) = (url.protocol(), url.origin());
    // That of a `blob:` URL is the one of who has made it.
    let target = if origin.starts_with(&scheme) { [origin, url.pathname()].concat() } else { scheme };
    Ok(Resolved { href: url.href(), target })
}

/// Whether it goes over no network: what comes of it is the same the next time.
pub(crate) fn is_local(url: &str) -> bool {
    !url.starts_with("http:") && !url.starts_with("https:")
}

/// That of the page; nothing in Node.
pub(crate) fn own_origin(_: Option<&str>) -> Option<String> {
    text(&get(&global(), "location"), "origin")
}

pub(crate) fn resolve_base(url: &str) -> Option<String> {
    let Some(url) = parse(url, None) else {
        return (super::super::is_relative(url) && page().is_none()).then(|| url.to_owned());
    };
    if !url.username().is_empty() || !url.password().is_empty() {
        return None;
    }
    let path = url.pathname();
    if !path.ends_with('/') {
        url.set_pathname(&[path.as_str(), "/"].concat());
    }
    Some(url.href())
}
