//! The border between the engine and the facade of the npm package: every number that crosses it, and the order of the
//! numbers of an action.
//!
//! This is the one source. `js/` writes and reads these numbers; `cargo xtask generate` makes of them the constants of the
//! facade (`pkg-template/src/protocol.ts`) and the tables of `docs/engine.md`.

use crate::options::SLOTS;

/// An enum whose numbers are written out, with its list, and what is said of each in docs/engine.md.
macro_rules! numbered {
    ($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal => $said:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u32)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The one with this number.
            #[must_use]
            #[inline(always)]
            pub const fn from_number(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }

            /// What it means, or carries, in the words of docs/engine.md.
            #[must_use]
            pub const fn said(self) -> &'static str {
                match self { $(Self::$variant => $said,)* }
            }
        }
    };
}

/// The numbers of one thing, by their places.
pub type Fields = &'static [&'static str];

/// The first numbers of `OUT`.
pub const OUT: Fields = &["length", "deadline", "started"];
/// The first numbers of each action. The first of them is its kind and [`KINDS`] times its length, so that the facade
/// finds the next action wherever this one breaks off.
pub const ACTION: Fields = &["kind", "id"];
/// More than the number of any kind of action: a power of two.
pub const KINDS: usize = 32;
/// The numbers of an attempt.
pub const ATTEMPT: Fields = &["number", "resend", "outcome", "code", "status", "phase", "start", "elapsed"];
/// The numbers of a failure, before those of its attempts.
pub const FAILURE: Fields = &[
    "code",
    "phase",
    "outcome",
    "stopped",
    "status",
    "retryAfter",
    "limit",
    "bytes",
    "elapsed",
    "sessionLost",
    "attempts",
];

/// What the export `circuit` gives.
pub const CIRCUIT: Fields = &["state", "failures", "retryAfter"];

/// What comes behind the own numbers of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Nothing.
    None,
    /// [`ATTEMPT`].
    Attempt,
    /// [`FAILURE`].
    Failure,
}

numbered! {
    /// What the engine asks for.
    ActionKind {
        /// [`Action::Prepare`](crate::engine::Action::Prepare)
        Prepare = 1 => "",
        /// [`Action::Send`](crate::engine::Action::Send)
        Send = 2 => "left is Infinity without a limit",
        /// [`Action::Abort`](crate::engine::Action::Abort)
        Abort = 3 => "",
        /// [`Action::Discard`](crate::engine::Action::Discard)
        Discard = 4 => "",
        /// [`Action::Ask`](crate::engine::Action::Ask)
        Ask = 5 => "the FAILURE only if the question is ShouldRetry",
        /// [`Action::Retry`](crate::engine::Action::Retry)
        Retry = 6 => "",
        /// [`Action::AttemptEnd`](crate::engine::Action::AttemptEnd)
        AttemptEnd = 7 => "",
        /// [`Action::Respond`](crate::engine::Action::Respond)
        Respond = 8 => "stopped is 0 for none",
        /// [`Action::Collect`](crate::engine::Action::Collect)
        Collect = 9 => "",
        /// [`Action::BeforeError`](crate::engine::Action::BeforeError)
        BeforeError = 10 => "",
        /// [`Action::Probe`](crate::engine::Action::Probe)
        Probe = 11 => "",
        /// [`Action::WatchOnline`](crate::engine::Action::WatchOnline)
        WatchOnline = 12 => "of no call: the id is 0",
        /// [`Action::Queued`](crate::engine::Action::Queued)
        Queued = 13 => "",
        /// [`Action::Circuit`](crate::engine::Action::Circuit)
        Circuit = 14 => "",
        /// [`Action::Auth`](crate::engine::Action::Auth)
        Auth = 15 => "the number of the `auth` object in place of the id",
        /// [`Action::Abandon`](crate::engine::Action::Abandon)
        Abandon = 16 => "",
        /// [`Action::LookUp`](crate::engine::Action::LookUp)
        LookUp = 17 => "by the full module only",
        /// [`Action::Share`](crate::engine::Action::Share)
        Share = 18 => "with is the id of a call whose attempt is the same request",
        /// [`Action::End`](crate::engine::Action::End) of a call that went well.
        EndWell = 19 => "this and greater: the call is over",
        /// [`Action::End`](crate::engine::Action::End) of a call that has failed.
        EndFailed = 20 => "",
    }
}

impl ActionKind {
    /// Its own numbers, behind those of every [`ACTION`].
    #[must_use]
    pub const fn fields(self) -> Fields {
        match self {
            Self::Prepare => &["attempt", "resend"],
            Self::Send => &["attempt", "left", "resend"],
            // The first of them at the places of `Send`.
            Self::Share => &["attempt", "left", "resend", "with"],
            Self::Abort | Self::Discard | Self::Queued | Self::LookUp => &["attempt"],
            Self::Ask => &["attempt", "question", "value"],
            Self::Retry => &["attempt", "wait", "code"],
            Self::Respond => &["attempts", "elapsed", "stopped"],
            Self::WatchOnline => &["watch"],
            Self::Circuit => &["state"],
            Self::Auth => &["verb", "ticket"],
            Self::AttemptEnd
            | Self::Collect
            | Self::BeforeError
            | Self::Probe
            | Self::Abandon
            | Self::EndWell
            | Self::EndFailed => &[],
        }
    }

    /// What comes behind them.
    #[must_use]
    pub const fn tail(self) -> Tail {
        match self {
            Self::AttemptEnd => Tail::Attempt,
            Self::Ask | Self::BeforeError | Self::Abandon | Self::EndFailed => Tail::Failure,
            _ => Tail::None,
        }
    }
}

numbered! {
    /// What the export `event` reports.
    EventKind {
        /// [`Event::Ready`](crate::engine::Event::Ready)
        Ready = 1 => "",
        /// [`Event::Stop`](crate::engine::Event::Stop)
        Stop = 2 => "the number of the reason",
        /// [`Event::Refused`](crate::engine::Event::Refused)
        Refused = 3 => "the number of the code",
        /// [`Event::Failed`](crate::engine::Event::Failed)
        Failed = 4 => "1: Unconnected",
        /// [`Event::Hooking`](crate::engine::Event::Hooking)
        Hooking = 5 => "the status",
        /// [`Event::Answer`](crate::engine::Event::Answer)
        Answer = 6 => "the answer, NaN for undefined",
        /// [`Event::CallbackFailed`](crate::engine::Event::CallbackFailed)
        CallbackFailed = 7 => "",
        /// [`Event::Reading`](crate::engine::Event::Reading)
        Reading = 8 => "",
        /// [`Event::BodyEnd`](crate::engine::Event::BodyEnd)
        BodyEnd = 9 => "0, or the number of the code",
        /// [`Event::Dropped`](crate::engine::Event::Dropped)
        Dropped = 10 => "",
        /// [`Event::Streaming`](crate::engine::Event::Streaming)
        Streaming = 11 => "",
        /// [`Event::Probed`](crate::engine::Event::Probed)
        Probed = 12 => "1: taken",
        /// [`Event::Hooked`](crate::engine::Event::Hooked)
        Hooked = 13 => "",
        /// [`Event::Length`](crate::engine::Event::Length)
        Length = 14 => "bytes; in the full module only",
        /// [`Event::LookedUp`](crate::engine::Event::LookedUp)
        LookedUp = 15 => "1 pending, 2 not found, 3 failed; in the full module only",
        /// [`Event::Sharing`](crate::engine::Event::Sharing)
        Sharing = 16 => "the number of equal requests, 0 for none; in the full module only",
    }
}

numbered! {
    /// What the export `auth_event` reports.
    AuthEventKind {
        /// [`AuthEvent::Token`](crate::refresh::AuthEvent::Token)
        Token = 1 => "present, repeated, current, expires",
        /// [`AuthEvent::Refreshed`](crate::refresh::AuthEvent::Refreshed)
        Refreshed = 2 => "expires",
        /// [`AuthEvent::Renewed`](crate::refresh::AuthEvent::Renewed)
        Renewed = 3 => "",
        /// [`AuthEvent::Failed`](crate::refresh::AuthEvent::Failed)
        Failed = 4 => "lost, status",
        /// [`AuthEvent::Locked`](crate::refresh::AuthEvent::Locked)
        Locked = 5 => "",
        /// [`AuthEvent::NoLock`](crate::refresh::AuthEvent::NoLock)
        NoLock = 6 => "",
        /// [`AuthEvent::Lost`](crate::refresh::AuthEvent::Lost)
        Lost = 7 => "",
    }
}

numbered! {
    /// Flags of the export `head`, a bit each.
    HeadFlag {
        /// A status of 400 or above is an error.
        Throw = 1 => "a status of 400 or above is an error",
        /// There is certainly no body.
        Bodiless = 2 => "there is certainly no body",
        /// It asks for a token refresh.
        Unauthorized = 4 => "it asks for a token refresh",
        /// `retry.statusCodes` names the status.
        Retried = 8 => "`retry.statusCodes` names the status",
        /// `retry.afterStatusCodes` names it.
        Heeded = 16 => "`retry.afterStatusCodes` names the status",
        /// A hook has asked for a retry.
        Demanded = 32 => "a hook has asked for a retry",
        /// The same, after `retryAfter`.
        Exact = 64 => "the same, after `retryAfter`",
    }
}

numbered! {
    /// Flags of a call, a bit each.
    CallFlag {
        /// See [`Facts::replayable`](crate::engine::Facts::replayable).
        Replayable = 1 => "the request body can be sent again",
        /// See [`Facts::keepalive`](crate::engine::Facts::keepalive).
        Keepalive = 2 => "the request outlives its page",
        /// See [`Callbacks::prepare`](crate::engine::Callbacks::prepare).
        Prepare = 4 => "something has to run before the first attempt",
        /// See [`Callbacks::should_retry`](crate::engine::Callbacks::should_retry).
        ShouldRetry = 8 => "`retry.shouldRetry` is given",
        /// See [`Callbacks::delay`](crate::engine::Callbacks::delay).
        Delay = 16 => "`retry.delay` is a function",
        /// See [`Callbacks::before_error`](crate::engine::Callbacks::before_error).
        BeforeError = 32 => "there are `beforeError` hooks",
        /// See [`Callbacks::observe`](crate::engine::Callbacks::observe).
        Observe = 64 => "`Retry`, `AttemptEnd`, `Queued` and `Circuit` are wanted",
        /// See [`Gate::keyed`](crate::gate::Gate::keyed).
        Keyed = 128 => "it carries an idempotency key",
        /// [`Surface::Fetch`](crate::engine::Surface::Fetch)
        Fetch = 256 => "it came through `api.fetch`",
        /// See [`Facts::streams_upload`](crate::engine::Facts::streams_upload).
        StreamsUpload = 512 => "the body is sent as a stream",
        /// See [`Callbacks::error_data`](crate::engine::Callbacks::error_data).
        ErrorData = 1024 => "callbacks look at error bodies before a retry",
        /// See [`Callbacks::lookup`](crate::engine::Callbacks::lookup).
        Lookup = 2048 => "`outcomeLookup` is given",
    }
}

numbered! {
    /// The places of `IN`, for the export `start`.
    Fact {
        /// When the caller asked.
        Started = 0 => "when the caller asked (`performance.now()`)",
        /// A [`Method`](crate::method::Method).
        Method = 1 => "the number of the method, 0 for another one",
        /// [`CallFlag`]s.
        Flags = 2 => "flags, see below",
        /// A [`Given`](crate::engine::Given).
        TimeoutGiven = 3 => "`timeout` is given by: 0 nobody, 1 the client, 2 the call",
        /// The same.
        TotalGiven = 4 => "`totalTimeout` likewise",
        /// A choice.
        Idempotent = 5 => "`idempotent`: 0 not given, 1 true, 2 false",
        /// A choice.
        Listed = 6 => "`retry.methods` names the method: 0 not given, 1 true, 2 false",
        /// See [`Keys`](crate::engine::Keys).
        Budget = 7 => "the number of the retry budget of its origin, 0 for none",
        /// See [`Keys`](crate::engine::Keys).
        Circuit = 8 => "of its circuit",
        /// See [`Keys`](crate::engine::Keys).
        Lane = 9 => "of its lane in the queue",
        /// See [`Keys`](crate::engine::Keys).
        Turn = 10 => "of its turn there",
        /// A [`Priority`](crate::queue::Priority).
        Priority = 11 => "`priority`: 1 high, 3 low, else auto",
        /// When its scope is over.
        ScopeDeadline = 12 => "when its scope is over (Infinity: never)",
        /// The number of its `auth` object.
        Auth = 13 => "the number of its `auth` object, 0 for none",
        /// See [`Keys`](crate::engine::Keys).
        Share = 14 => "the number of equal requests (`dedupe`), 0 if it shares none",
        /// The first of the slots of the options.
        Options = 15 => "from here on: the slots of the options, Infinity for no limit",
    }
}

numbered! {
    /// What the caller has said about something, if anything.
    Choice {
        /// Nothing.
        NotGiven = 0 => "",
        /// Yes.
        True = 1 => "",
        /// No.
        False = 2 => "",
    }
}

/// How many numbers `IN` holds.
pub const IN: usize = Fact::Options as usize + SLOTS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_room_in_the_first_number_of_an_action() {
        assert!(KINDS.is_power_of_two());
        assert!(ActionKind::ALL.iter().all(|kind| (*kind as usize) < KINDS));
    }

    #[test]
    fn flags_are_a_bit_each() {
        let bits = HeadFlag::ALL.iter().map(|flag| *flag as u32);
        assert_eq!(bits.collect::<alloc::vec::Vec<_>>(), [1, 2, 4, 8, 16, 32, 64]);
        assert!(CallFlag::ALL.iter().enumerate().all(|(at, flag)| *flag as u32 == 1 << at));
    }

    #[test]
    fn the_places_of_a_call_have_no_gap() {
        assert!(Fact::ALL.iter().enumerate().all(|(at, fact)| *fact as usize == at));
    }
}
