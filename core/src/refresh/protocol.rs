//! What a refresh and its driver say to each other.

use super::waiting::Place;
use crate::error::ErrorCode;
use crate::time::{Instant, Millis};

/// `auth`, as far as a decision depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefreshOptions {
    /// There is a `getToken`. Without one the session lives in a cookie, or in what `refreshToken` gives.
    pub get_token: bool,
    /// `lock: 'origin'`, and the platform has Web Locks.
    pub lock: bool,
    /// `refreshTimeout`.
    pub timeout: Millis,
    /// `refreshBefore`.
    pub before: Millis,
}

impl Default for RefreshOptions {
    fn default() -> Self {
        Self { get_token: true, lock: false, timeout: Millis(10_000), before: Millis(30_000) }
    }
}

/// What a driver is to do for an `auth` object. What is asked for at one time is done in this order; of the last four
/// there is one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Verb {
    /// From now on send the token of the event that was reported just now.
    Adopt = 1,
    /// Abort the signal of this callback. Report what it says all the same.
    Abort = 2,
    /// Give the lock back; if it has not come yet, give up the request.
    Unlock = 3,
    /// Call `getToken`, then report `Token` or `Failed`.
    AskToken = 4,
    /// Ask for the lock of this origin, then report `Locked`, or `NoLock` if the platform refuses to give one.
    Lock = 5,
    /// The same, but take it from whoever has it. Our own request is given up first.
    Steal = 6,
    /// Call `refreshToken`, then report `Refreshed`, `Renewed` or `Failed`. Under a lock look first whether it is still
    /// ours, and if it is not, report `Lost` and call nothing.
    CallRefresh = 7,
}

impl Verb {
    /// In their order, which is that of their bits.
    pub const ALL: [Self; 7] =
        [Self::Adopt, Self::Abort, Self::Unlock, Self::AskToken, Self::Lock, Self::Steal, Self::CallRefresh];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adopt => "Adopt",
            Self::Abort => "Abort",
            Self::Unlock => "Unlock",
            Self::AskToken => "AskToken",
            Self::Lock => "Lock",
            Self::Steal => "Steal",
            Self::CallRefresh => "CallRefresh",
        }
    }

    pub(super) const fn bit(self) -> u8 {
        1 << (self as u8).saturating_sub(1)
    }
}

/// One thing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthAction {
    /// What.
    pub verb: Verb,
    /// The number that a report about it carries; for `Abort` the number of what is to be aborted; else 0.
    pub ticket: u64,
}

/// What `getToken` gave. The driver keeps two tokens: the one it sends, and what `getToken` gave last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// It is a string, neither null nor undefined.
    pub present: bool,
    /// It is what `getToken` gave last time.
    pub repeated: bool,
    /// It is what is being sent (also: nothing, and nothing is being sent; never at the first time).
    pub current: bool,
    /// When it expires, by the caller's `expiresAt` and the wall clock; never if that is not known.
    pub expires: Instant,
}

/// Something that a driver reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthEvent {
    /// `getToken` gave this.
    Token(Token),
    /// `refreshToken` gave a string.
    Refreshed {
        /// When it expires; never if that is not known.
        expires: Instant,
    },
    /// `refreshToken` gave undefined: the session is renewed, and `getToken`, if there is one, has the token.
    Renewed,
    /// A callback threw or gave a wrong value, or `refreshToken` gave null.
    Failed {
        /// It gave null, or threw an error whose `sessionLost` is true.
        lost: bool,
        /// The status that the error carries, else 0.
        status: u16,
    },
    /// We have the lock.
    Locked,
    /// There is no lock to be had here.
    NoLock,
    /// The lock was taken from us before `refreshToken` was called.
    Lost,
}

/// Why a call that waited gets no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuthFailure {
    /// [`CallbackError`](ErrorCode::CallbackError) if `getToken` is to blame, else
    /// [`AuthRefreshFailed`](ErrorCode::AuthRefreshFailed).
    pub code: ErrorCode,
    /// It did not answer within `refreshTimeout`.
    pub timed_out: bool,
    /// The server, or the callback, says that the session is over.
    pub session_lost: bool,
}

/// What a call is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Send, or send again, with the current token. [`Refresh::moment`](super::Refresh::moment) belongs to the send.
    Send,
    /// Wait to be told. Who leaves before gives up this place.
    Wait(Place),
    /// The 401 is the answer.
    Accept,
    /// End.
    Fail(AuthFailure),
}
