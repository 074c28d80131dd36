//! Where a call was when it ended.

/// The part of a call that was under way. A closed list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// The engine itself was being loaded.
    Load = 1,
    /// The token for the first attempt was being asked for.
    Auth,
    /// Waiting for a slot.
    Queue,
    /// Waiting before a retry.
    Backoff,
    /// Waiting for a token refresh.
    Refresh,
    /// An attempt was sent, its response headers had not come.
    Headers,
    /// The body was being received.
    Body,
    /// The body stood still, or nobody read it.
    Idle,
    /// A write's outcome was being looked up.
    Lookup,
    /// A job was being polled.
    Poll,
    /// A socket was being opened.
    Handshake,
    /// A callback of the caller was running.
    Hook,
}

crate::words::display!(Phase);

impl Phase {
    /// Every phase, in the order of their numbers.
    pub const ALL: &[Self] = &[
        Self::Load,
        Self::Auth,
        Self::Queue,
        Self::Backoff,
        Self::Refresh,
        Self::Headers,
        Self::Body,
        Self::Idle,
        Self::Lookup,
        Self::Poll,
        Self::Handshake,
        Self::Hook,
    ];

    /// The word used in errors and events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Auth => "auth",
            Self::Queue => "queue",
            Self::Backoff => "backoff",
            Self::Refresh => "refresh",
            Self::Headers => "headers",
            Self::Body => "body",
            Self::Idle => "idle",
            Self::Lookup => "lookup",
            Self::Poll => "poll",
            Self::Handshake => "handshake",
            Self::Hook => "hook",
        }
    }
}
