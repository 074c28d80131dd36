//! What a driver reports to the engine.

use crate::error::ErrorCode;
use crate::stop::RetryStopped;
use crate::time::Millis;

/// True if a hook has asked for a retry of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Demand {
    /// None has.
    #[default]
    None,
    /// One has: the attempt has failed, whatever its status.
    Retry,
    /// The same, after the `retry_after` of the head, without backoff.
    RetryAfter,
}

/// The head of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The status; 0 if the response is opaque.
    pub status: u16,
    /// `Content-Length` where a body follows and the header is readable.
    pub length: Option<u64>,
    /// What Retry-After or a reset header asks for (see [`retry_after::parse`](crate::retry_after::parse)).
    pub retry_after: Option<Millis>,
    /// `retry.statusCodes` names the status. The lists stay with the driver: which statuses they name is all that the
    /// engine asks (see [`RetryStatuses`](crate::status::RetryStatuses)).
    pub retried: bool,
    /// `retry.afterStatusCodes` names it: its `retry_after` counts.
    pub heeded: bool,
    /// What `hooks.afterResponse` has asked for.
    pub demand: Demand,
    /// A status of 400 or above is an error here (`throwHttpErrors`).
    pub throw: bool,
    /// There is certainly no body: the call ends with its headers.
    pub bodiless: bool,
    /// It asks for a token refresh: a 401, or what `shouldRefresh` takes for one, from an origin of this `auth`, to a
    /// request with our token.
    pub unauthorized: bool,
}

/// What a server says about a write that it was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum LookupVerdict {
    /// Nothing yet, or the lookup itself has failed.
    Pending = 1,
    /// It knows no such write.
    NotFound,
    /// The write has failed.
    Failed,
}

/// Something that happened to an attempt, or an answer to an action. Each carries the number of the attempt it belongs
/// to; one of an attempt that is no longer current changes nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// Answer to `Prepare`: send it.
    Ready,
    /// Before `Ready`: the number that requests like this one have (see [`Keys::share`](super::Keys::share)), 0 if the attempt
    /// shares none.
    Sharing(u64),
    /// Answer to `Prepare` for a retry: it must not be sent, for this reason (such as the page's CSP).
    Stop(RetryStopped),
    /// The platform, or our own check, refuses the request: it was never sent. [`ErrorCode::InvalidRequest`] or
    /// [`ErrorCode::Unsupported`]; or the call was cancelled just before: [`ErrorCode::Aborted`].
    Refused(ErrorCode),
    /// The platform reports a network error, before the headers or within the body.
    Failed,
    /// The platform reports a network error before it had a connection to send on (see
    /// [`Outcome::is_unsent`](crate::outcome::Outcome::is_unsent)).
    Unconnected,
    /// The head has arrived, and hooks look at it before it is judged.
    Hooking {
        /// Its status.
        status: u16,
    },
    /// The head is to be judged. Also an answer to `Prepare` when a hook supplied the response.
    Head(Head),
    /// Answer to `Ask`: for `ShouldRetry` `Some(1)`, `Some(0)` or `None`; for the others milliseconds.
    Answer(Option<f64>),
    /// Answer to `LookUp`, unless the write was carried out: that is a `Head`.
    LookedUp(LookupVerdict),
    /// A callback of the caller threw or gave a wrong value.
    CallbackFailed,
    /// A read of the body is pending.
    Reading,
    /// Bytes of the body have arrived.
    Chunk {
        /// How many.
        bytes: u64,
        /// The next read is already pending.
        more: bool,
    },
    /// The body is complete. `Err` if what it holds is no good: `ParseError`, `UnexpectedResponse`.
    BodyEnd(Result<(), ErrorCode>),
    /// The reader wants no more of the body.
    Dropped,
    /// The body is handed out as a stream: see [`Surface::Stream`](super::Surface::Stream).
    Streaming,
    /// Answer to `Probe`: whether the body was taken by the platform itself (or there is none).
    Probed {
        /// It was.
        taken: bool,
    },
    /// Answer to `BeforeError`: the hooks are done.
    Hooked,
    /// The length of a body whose `Head` came without it, for drivers in which to look for it costs: told before anybody
    /// else asks for a slot of the same queue. A short body gives its own back, as it would have with its head.
    Length(u64),
}
