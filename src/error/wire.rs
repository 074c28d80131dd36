//! The error as data: what `toJSON` of the npm package gives, by the same names. Bodies are left out.

use std::borrow::Cow;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;

use super::{Attempt, Error, ErrorKind, Hint};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    code: Cow<'static, str>,
    message: String,
    phase: Option<Cow<'static, str>>,
    outcome: Cow<'static, str>,
    retry_stopped: Option<Cow<'static, str>>,
    status: Option<u16>,
    retry_after_ms: Option<u64>,
    /// The npm package leaves it out where it means nothing.
    #[serde(default)]
    session_lost: bool,
    limit: Option<u64>,
    bytes_received: u64,
    hint: Option<Cow<'static, str>>,
    elapsed_ms: u64,
    attempts: Vec<WireAttempt>,
    method: String,
    url: String,
    detail: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireAttempt {
    number: u32,
    resend: bool,
    outcome: Cow<'static, str>,
    code: Option<Cow<'static, str>>,
    status: Option<u16>,
    phase: Cow<'static, str>,
    start_ms: u64,
    elapsed_ms: u64,
}

fn ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

fn find<T: Copy>(all: impl IntoIterator<Item = T>, name: &str, of: impl Fn(T) -> &'static str) -> Result<T, String> {
    all.into_iter().find(|item| of(*item) == name).ok_or_else(|| ["unknown word: ", name].concat())
}

fn kind(name: &str) -> Result<ErrorKind, String> {
    find(ErrorCode::ALL, name, ErrorCode::name).map(ErrorKind::of)
}

impl From<&Attempt> for WireAttempt {
    fn from(attempt: &Attempt) -> Self {
        Self {
            number: attempt.number,
            resend: attempt.resend,
            outcome: attempt.outcome.name().into(),
            code: attempt.kind.map(|kind| kind.code().into()),
            status: attempt.status,
            phase: attempt.phase.name().into(),
            start_ms: ms(attempt.start),
            elapsed_ms: ms(attempt.elapsed),
        }
    }
}

impl TryFrom<WireAttempt> for Attempt {
    type Error = String;

    fn try_from(wire: WireAttempt) -> Result<Self, String> {
        Ok(Self {
            number: wire.number,
            resend: wire.resend,
            outcome: find(Outcome::ALL.iter().copied(), &wire.outcome, Outcome::name)?,
            kind: wire.code.as_deref().map(kind).transpose()?,
            status: wire.status,
            phase: find(Phase::ALL.iter().copied(), &wire.phase, Phase::name)?,
            start: Duration::from_millis(wire.start_ms),
            elapsed: Duration::from_millis(wire.elapsed_ms),
        })
    }
}

impl From<&Error> for Wire {
    fn from(error: &Error) -> Self {
        let inner = &*error.0;
        Self {
            code: inner.kind.code().into(),
            message: error.to_string(),
            phase: inner.phase.map(|phase| phase.name().into()),
            outcome: inner.outcome.name().into(),
            retry_stopped: inner.stopped.map(|stopped| stopped.name().into()),
            status: inner.status,
            session_lost: inner.session_lost,
            retry_after_ms: inner.retry_after.map(ms),
            limit: inner.limit,
            bytes_received: inner.bytes,
            hint: inner.hint.map(Cow::Borrowed),
            elapsed_ms: ms(inner.elapsed),
            attempts: inner.attempts.iter().map(WireAttempt::from).collect(),
            method: inner.method.clone().into_owned(),
            url: inner.url.clone(),
            detail: inner.detail.clone().into_owned(),
        }
    }
}

impl TryFrom<Wire> for Error {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Self, String> {
        let found = kind(&wire.code)?;
        let phase =
            wire.phase.as_deref().map(|name| find(Phase::ALL.iter().copied(), name, Phase::name)).transpose()?;
        let stopped = wire.retry_stopped.as_deref();
        let stopped =
            stopped.map(|name| find(RetryStopped::ALL.iter().copied(), name, RetryStopped::name)).transpose()?;
        let hint = wire
            .hint
            .as_deref()
            .map(|name| find(Hint::ALL.iter().copied(), name, Hint::name).map(Hint::name))
            .transpose()?;
        let outcome = find(Outcome::ALL.iter().copied(), &wire.outcome, Outcome::name)?;
        let attempts = wire.attempts.into_iter().map(Attempt::try_from).collect::<Result<_, _>>()?;
        Ok(Self::early(found.engine_code(), wire.detail).with(|inner| {
            inner.phase = phase;
            inner.outcome = outcome;
            inner.stopped = stopped;
            inner.status = wire.status;
            inner.retry_after = wire.retry_after_ms.map(Duration::from_millis);
            inner.session_lost = wire.session_lost;
            inner.limit = wire.limit;
            inner.bytes = wire.bytes_received;
            inner.hint = hint;
            inner.elapsed = Duration::from_millis(wire.elapsed_ms);
            inner.attempts = attempts;
            inner.method = wire.method.into();
            inner.url = wire.url;
        }))
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Wire::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Error {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Wire::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::*;

    #[test]
    fn every_hint_survives_it() {
        for hint in Hint::ALL.iter().copied() {
            let error = Error::early(ErrorCode::HttpError, "").with(|inner| inner.hint = Some(hint.name()));
            let read: Error = serde_json::from_str(&serde_json::to_string(&error).unwrap()).unwrap();
            assert_eq!(read.hint(), Some(hint));
        }
    }

    #[test]
    fn an_error_survives_the_way_through_json() {
        let error = Error::early(ErrorCode::Timeout, "").with(|inner| {
            inner.phase = Some(Phase::Idle);
            inner.outcome = Outcome::Unknown;
            inner.stopped = Some(RetryStopped::Policy);
            inner.retry_after = Some(Duration::from_secs(2));
            inner.session_lost = true;
            inner.hint = Some("csp");
            inner.url = "https://a.test/".into();
            inner.data = Some("S3CRET".into());
            inner.attempts = vec![Attempt {
                number: 1,
                resend: false,
                outcome: Outcome::Unknown,
                kind: Some(ErrorKind::Timeout),
                status: None,
                phase: Phase::Headers,
                start: Duration::ZERO,
                elapsed: Duration::from_millis(7),
            }];
        });
        let text = serde_json::to_string(&error).unwrap();
        assert!(!text.contains("S3CRET"));
        assert!(text.contains("\"retryStopped\":\"policy\""));
        let read: Error = serde_json::from_str(&text).unwrap();
        assert_eq!(read.to_string(), error.to_string());
        assert_eq!(read.attempts(), error.attempts());
        assert_eq!(read.hint(), error.hint());
        assert!(read.session_lost());
        assert_eq!(read.retry_stopped(), error.retry_stopped());
    }
}
