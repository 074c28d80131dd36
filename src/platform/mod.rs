//! What the driver needs of its surroundings. Two modules give the same names: `web` for browsers, workers and Node,
//! `native` for a [`Transport`](crate::transport::Transport).
//!
//! | name | what |
//! |---|---|
//! | `Backend` | what a client knows of it: plain data; `driver()` gives the driver of this thread, `known_driver()` makes none |
//! | `drivers` | all of this thread |
//! | `Platform` | clock, timer, tasks, fetch |
//! | `Incoming`, `Abort` | a response and its body; the handle that stops a request |
//! | `Signal`, `subscribe`, `Subscription` | the caller's signal, and our listener on it; `close_by` (`web` only) is that of a scope |
//! | `foreign` (`web` only) | a body of the platform |
//! | `mistake_in` | why a request cannot be sent, where the platform does not look |
//! | `random_bits` | for keys and generators |
//! | `resolve`, `resolve_base`, `own_origin`, `is_local` | URLs |

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod native;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod web;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use native::*;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web::*;

use std::borrow::Cow;

use steadfetch_core::error::ErrorCode;
use steadfetch_core::retry_after;
use steadfetch_core::time::Millis;

use crate::driver::Outgoing;
use crate::options::{is_name, is_value};

/// Why there is no response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Rejection {
    /// A network error.
    Failed,
    /// A network error before there was a connection.
    Unconnected,
    /// It was never sent, for this reason if one is known.
    Refused(ErrorCode, Option<Cow<'static, str>>),
    /// The code in the place of fetch has a fault.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Faulty(Cow<'static, str>),
}

/// The body broke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken;

/// A URL that may be asked.
pub(crate) struct Resolved {
    /// All of it.
    pub(crate) href: String,
    /// Origin and path: what may be told.
    pub(crate) target: String,
}

/// The origin in what may be told of a URL, or the scheme of one that has none.
pub(crate) fn origin_of(target: &str) -> &str {
    // After the two slashes before the host the next one is that of the path.
    let path = target.bytes().enumerate().filter(|(_, byte)| *byte == b'/').nth(2);
    path.and_then(|(path, _)| target.get(..path)).unwrap_or(target)
}

/// Whether it begins with a host and a port. The URL standard takes `localhost:8080` for a scheme, `127.0.0.1:8080` for a path.
pub(crate) fn lacks_scheme(url: &str) -> bool {
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    url.split_once(':').is_some_and(|(host, rest)| {
        !host.is_empty()
            && host.bytes().all(is_of_host)
            && rest.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
    })
}

/// Whether it is relative beyond doubt. Where there is no page it is the calls that cannot be made.
fn is_relative(url: &str) -> bool {
    url.starts_with(['/', '.'])
}

/// The first header that cannot be sent, by its name alone: the value may be a secret.
#[inline(never)]
fn wrong_header(request: &Outgoing) -> Option<Cow<'static, str>> {
    let (name, _) = request.headers.iter().find(|(name, value)| !is_name(name) || !is_value(value))?;
    Some(if is_name(name) {
        ["header ", name, ": its value has a line break, or another character that no header can have"].concat().into()
    } else {
        "a header has a name that none can have".into()
    })
}

/// No text shows the URL: it may hold a password.
const BAD_URL: &str = "the URL is not valid, or relative without an absolute base_url";
const RELATIVE_BASE: &str =
    "base_url is relative, and there is no page: give an absolute one, such as https://example.com/api/";
const CREDENTIALS: &str = "a URL with a user name or password";

/// What the headers say about waiting.
#[inline(never)]
fn wait_of(header: impl Fn(&str) -> Option<String>, wall: u64) -> Option<Millis> {
    let (value, source) = retry_after::HEADERS.iter().find_map(|(name, source)| Some((header(name)?, *source)))?;
    let date = header("date");
    retry_after::parse(value.as_bytes(), source, date.as_deref().map(str::as_bytes), wall)
}

/// The length of the body, if the headers say it. What is compressed is longer when it is read.
#[inline(never)]
fn length_of(header: impl Fn(&str) -> Option<String>) -> Option<u64> {
    header("content-length").filter(|_| header("content-encoding").is_none())?.parse().ok()
}

/// Whether an answer with this status may have a body (Fetch standard, "null body status").
fn may_have_body(method: &str, status: u16) -> bool {
    method != "HEAD" && !matches!(status, 204 | 205 | 304)
}

#[cfg(test)]
mod tests {
    use super::{lacks_scheme, origin_of};

    #[test]
    fn a_url_without_its_scheme_is_known_by_its_port() {
        for url in ["localhost:4510/v1", "api.test:443", "127.0.0.1:80/", "my-host:1"] {
            assert!(lacks_scheme(url), "{url}");
        }
        for url in ["http://localhost:4510", "https://a.test", "/v1:1", "a/b:1", "data:,", "app://a:1", ":1", ""] {
            assert!(!lacks_scheme(url), "{url}");
        }
    }

    #[test]
    fn an_origin_ends_before_the_path() {
        assert_eq!(origin_of("https://a.test:8443/b/c"), "https://a.test:8443");
        assert_eq!(origin_of("http://[::1]/"), "http://[::1]");
        assert_eq!(origin_of("https://a.test"), "https://a.test");
        assert_eq!(origin_of("data:"), "data:");
    }
}
