//! The one error of this crate.

mod advice;
mod attempt;
mod cause;
mod hint;
mod kind;
mod limit;
#[cfg(feature = "serde")]
mod wire;

pub use attempt::Attempt;
pub use hint::Hint;
pub use kind::ErrorKind;
pub use limit::Limit;

pub(crate) use cause::Cause;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use steadfetch_core::engine::Failure;
use steadfetch_core::error::ErrorCode;
use steadfetch_core::{outcome, phase, stop};

use crate::options::duration;
use crate::words::{Outcome, Phase, RetryStopped};

/// How a call failed.
///
/// Cheap to clone, and `Send + Sync + 'static`, so that it can be kept in the state of a component. Its messages, and
/// its `Debug`, hold no query strings, no user names or passwords of URLs, no header values and no bodies: they can be
/// logged. What may hold secrets ([`data`](Self::data), [`issues`](Self::issues)) has to be asked for.
///
/// ```no_run
/// # use steadfetch::{Client, ErrorKind, Outcome};
/// # async fn run(api: Client) {
/// match api.post("orders").body("{}").send().await {
///     Ok(response) => println!("{}", response.status()),
///     Err(error) if error.outcome() == Outcome::Unknown => println!("it may have been done: {error}"),
///     Err(error) if error.kind() == ErrorKind::Http => println!("refused: {:?}", error.status()),
///     Err(error) => println!("nothing happened: {error}"),
/// }
/// # }
/// ```
#[derive(Clone)]
pub struct Error(Arc<Inner>);

#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) kind: ErrorKind,
    pub(crate) phase: Option<phase::Phase>,
    pub(crate) outcome: outcome::Outcome,
    pub(crate) stopped: Option<stop::RetryStopped>,
    pub(crate) status: Option<u16>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) limit: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) elapsed: Duration,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) method: Cow<'static, str>,
    /// Origin and path only.
    pub(crate) url: String,
    pub(crate) hint: Option<&'static str>,
    pub(crate) detail: Cow<'static, str>,
    pub(crate) data: Option<String>,
    pub(crate) issues: Option<String>,
    /// The failure that ended its scope, or what a callback has failed with.
    pub(crate) cause: Option<Cause>,
    pub(crate) session_lost: bool,
}

impl Error {
    /// A mistake found before anything was sent.
    pub(crate) fn early(code: ErrorCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Arc::new(Inner {
            kind: ErrorKind::of(code),
            phase: None,
            outcome: outcome::Outcome::NotSent,
            stopped: None,
            status: None,
            retry_after: None,
            limit: None,
            bytes: 0,
            elapsed: Duration::ZERO,
            attempts: Vec::new(),
            method: Cow::Borrowed(""),
            url: String::new(),
            hint: None,
            detail: detail.into(),
            data: None,
            issues: None,
            cause: None,
            session_lost: false,
        }))
    }

    /// What the engine says about a call that failed.
    #[inline(never)]
    pub(crate) fn of(failure: Failure) -> Self {
        let inner = Inner {
            kind: ErrorKind::of(failure.code),
            phase: failure.phase,
            outcome: failure.outcome,
            stopped: failure.stopped,
            status: failure.status,
            retry_after: failure.retry_after.map(duration),
            limit: failure.limit,
            bytes: failure.bytes,
            elapsed: duration(failure.elapsed),
            attempts: failure.attempts.into_iter().map(Attempt::of).collect(),
            method: Cow::Borrowed(""),
            url: String::new(),
            hint: None,
            detail: Cow::Borrowed(""),
            data: None,
            issues: None,
            cause: None,
            session_lost: failure.session_lost,
        };
        Self(Arc::new(inner))
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The phase in the word of the engine.
    pub(crate) fn engine_phase(&self) -> Option<phase::Phase> {
        self.0.phase
    }

    /// What kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The kind as the word that both APIs use, such as `"TIMEOUT"`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// The part of the call that was under way.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        self.0.phase.map(Phase::of)
    }

    /// Whether the server may have acted on the request. Look at it before you repeat a write.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.0.outcome)
    }

    /// Why there was no further retry.
    #[must_use]
    pub fn retry_stopped(&self) -> Option<RetryStopped> {
        self.0.stopped.map(RetryStopped::of)
    }

    /// The status of the last answer, if its headers came.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The wait that the server asked for, by `Retry-After` (RFC 9110, section 10.2.3) or a rate limit's reset header.
    /// Of [`ErrorKind::CircuitOpen`]: after how long the circuit lets a probe through.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Of [`ErrorKind::AuthRefreshFailed`]: the session is over, and the user has to log in again. Else the refresh may
    /// have failed for a while only.
    #[must_use]
    pub fn session_lost(&self) -> bool {
        self.0.session_lost
    }

    /// The limit that was passed: a time, or bytes for [`ErrorKind::ResponseTooLarge`].
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit.map(|limit| match self.0.kind {
            ErrorKind::ResponseTooLarge => Limit::Bytes(limit),
            _ => Limit::Time(Duration::from_millis(limit)),
        })
    }

    /// How much of the body had come, in bytes after decompression.
    #[must_use]
    pub fn bytes_received(&self) -> u64 {
        self.0.bytes
    }

    /// The time since the call started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed
    }

    /// Every attempt that went out.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.0.attempts
    }

    /// The method of the request.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.0.method
    }

    /// Origin and path of the request's URL: without user name, password, query and fragment.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// The start of an error response's body (up to 64 KiB, as text), of kind [`ErrorKind::Http`] only. It is decoded by
    /// the charset of its `Content-Type`: outside of a browser UTF-8 or Latin-1. One that is not known is taken for UTF-8.
    #[must_use]
    pub fn data(&self) -> Option<&str> {
        self.0.data.as_deref()
    }

    /// [`data`](Self::data), read as JSON; `None` if there is none or it is something else.
    #[cfg(feature = "json")]
    #[must_use]
    pub fn data_json<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        self.data().and_then(|text| crate::json::from_text(text).ok())
    }

    /// How the JSON differs from the type that was asked for, of kind [`ErrorKind::UnexpectedResponse`]. It may quote
    /// the body, and is therefore no part of the message.
    #[must_use]
    pub fn issues(&self) -> Option<&str> {
        self.0.issues.as_deref()
    }

    /// What may be behind it, where that can be told.
    #[must_use]
    pub fn hint(&self) -> Option<Hint> {
        self.0.hint.and_then(Hint::named)
    }

    /// The error as a plain object of JavaScript, with the names of the npm package: for `postMessage`, or code in JavaScript
    /// that shows it. Bodies are left out.
    #[cfg(all(feature = "js", target_family = "wasm", target_os = "unknown"))]
    #[must_use]
    pub fn to_js(&self) -> wasm_bindgen::JsValue {
        crate::wire::to_js(self)
    }

    /// A limit in time has passed: [`ErrorKind::Timeout`], [`ErrorKind::DeadlineExceeded`] or
    /// [`ErrorKind::QueueTimeout`].
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Timeout | ErrorKind::DeadlineExceeded | ErrorKind::QueueTimeout)
    }

    /// Whether a value in its place is in order: not for [`ErrorKind::Aborted`], which the caller wanted, and not for
    /// mistakes of the caller ([`ErrorKind::InvalidOption`], [`ErrorKind::InvalidRequest`], [`ErrorKind::Callback`]). The
    /// rule of `fallback` in the npm package.
    ///
    /// ```
    /// # use steadfetch::{Client, Error};
    /// # async fn rates(api: Client, cached: String) -> Result<String, Error> {
    /// let rates = async { api.get("rates").await?.text().await };
    /// rates.await.or_else(|error| if error.allows_fallback() { Ok(cached) } else { Err(error) })
    /// # }
    /// ```
    #[must_use]
    pub fn allows_fallback(&self) -> bool {
        use ErrorKind::{Aborted, Callback, InvalidOption, InvalidRequest};
        !matches!(self.0.kind, Aborted | Callback | InvalidOption | InvalidRequest)
    }

    /// The caller, the client or its scope cancelled it, or the page was left.
    #[must_use]
    pub fn is_aborted(&self) -> bool {
        self.0.kind == ErrorKind::Aborted
    }

    /// The server answered with a status of 400 or above.
    #[must_use]
    pub fn is_http(&self) -> bool {
        self.0.kind == ErrorKind::Http
    }

    /// The platform reported a network error.
    #[must_use]
    pub fn is_network(&self) -> bool {
        self.0.kind == ErrorKind::Network
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let code = inner.kind.engine_code();
        f.write_str(code.what())?;
        if !inner.url.is_empty() {
            write!(f, ": {} {}", inner.method, inner.url)?;
        }
        let mut open = " (";
        let mut item = |f: &mut fmt::Formatter<'_>, text: &dyn fmt::Display| {
            write!(f, "{open}{text}")?;
            open = ", ";
            Ok(())
        };
        if !inner.detail.is_empty() {
            item(f, &inner.detail)?;
        }
        if let Some(status) = inner.status.filter(|_| inner.kind == ErrorKind::Http) {
            item(f, &format_args!("status {status}"))?;
        }
        if let Some(limit) = inner.limit {
            let unit = if inner.kind == ErrorKind::ResponseTooLarge { "bytes" } else { "ms" };
            item(f, &format_args!("limit {limit} {unit}"))?;
        }
        if let Some(phase) = inner.phase.filter(|_| inner.kind != ErrorKind::Http) {
            item(f, &format_args!("phase {}", phase.name()))?;
        }
        if open == ", " {
            f.write_str(")")?;
        }
        write!(f, "; {}", inner.kind.advice())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No data, no issues: a derived Debug would put bodies into logs.
        f.debug_struct("Error")
            .field("code", &self.code())
            .field("method", &self.method())
            .field("url", &self.url())
            .field("phase", &self.phase().map(Phase::name))
            .field("outcome", &self.outcome().name())
            .field("retry_stopped", &self.retry_stopped().map(RetryStopped::name))
            .field("status", &self.status())
            .field("hint", &self.0.hint)
            .field("attempts", &self.attempts().len())
            .field("elapsed_ms", &self.elapsed().as_millis())
            .field("detail", &self.0.detail)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Error {
    /// Of [`ErrorKind::Aborted`]: the failure that ended the call's [`Scope`](crate::Scope). Of
    /// [`ErrorKind::AuthRefreshFailed`], and of [`ErrorKind::Callback`] in phase auth: what the callback of the
    /// [`Auth`](crate::Auth) has failed with, as it is.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_ref().map(Cause::as_error)
    }
}

impl PartialEq for Error {
    /// The very same failure, or a clone of it.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_shareable<T: Send + Sync + Clone + 'static>() {}

    #[test]
    fn an_error_can_be_kept_and_shared() {
        assert_shareable::<Error>();
    }

    #[test]
    fn the_message_says_what_to_what_and_what_next() {
        let error = Error::early(ErrorCode::InvalidOption, "timeout");
        assert_eq!(error.to_string(), "invalid option (timeout); correct the option");
        let error = Error::early(ErrorCode::HttpError, "").with(|inner| {
            inner.method = Cow::Borrowed("GET");
            inner.url = "https://a.test/b".into();
            inner.status = Some(404);
            inner.phase = Some(phase::Phase::Headers);
        });
        assert_eq!(
            error.to_string(),
            "the server responded with an error status: GET https://a.test/b (status 404); see status() and data()"
        );
    }

    #[test]
    fn the_message_knows_the_names_of_this_crate_only() {
        for code in ErrorCode::ALL {
            let text = Error::early(code, "").to_string();
            let advice = text.split_once("; ").map_or("", |(_, advice)| advice);
            let js = |word: &str| {
                let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
                inner && !word.starts_with(char::is_uppercase)
            };
            assert!(!advice.is_empty() && !advice.split([' ', ';', ',', '.', ':']).any(js), "{text}");
        }
    }

    #[test]
    fn m01_neither_message_nor_debug_shows_the_body() {
        let error = Error::early(ErrorCode::HttpError, "").with(|inner| {
            inner.data = Some("S3CRET".into());
            inner.issues = Some("S3CRET".into());
        });
        assert!(!error.to_string().contains("S3CRET"));
        assert!(!format!("{error:?} {error:#?}").contains("S3CRET"));
        assert_eq!(error.data(), Some("S3CRET"));
    }
}
