//! What is known about the effect of a failed call on the server.

/// Whether the server may have acted on what was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum Outcome {
    /// No attempt started: nothing can have happened.
    NotSent = 1,
    /// Every attempt got response headers from the server itself: what happened is what the answers say.
    Answered,
    /// All else. The server may have done the work.
    Unknown,
}

impl Outcome {
    /// Every outcome, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::NotSent, Self::Answered, Self::Unknown];

    /// The word used in errors and events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotSent => "not-sent",
            Self::Answered => "answered",
            Self::Unknown => "unknown",
        }
    }

    /// The outcome of one attempt: `status` is what its headers said, `None` if none came.
    ///
    /// 502 and 504 (RFC 9110, sections 15.6.3 and 15.6.5) come from a gateway that lost the server, and so do the 52x
    /// of content delivery networks: the server may have acted.
    #[must_use]
    pub const fn of_attempt(status: Option<u16>) -> Self {
        match status {
            None | Some(502 | 504 | 520..=529) => Self::Unknown,
            Some(_) => Self::Answered,
        }
    }

    /// The outcome of a call from those of its attempts.
    #[must_use]
    pub fn of_call(attempts: impl IntoIterator<Item = Self>) -> Self {
        attempts.into_iter().fold(Self::NotSent, |all, one| match (all, one) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (_, one) => one,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{self, Answered, NotSent, Unknown};

    #[test]
    fn an_answer_from_the_server_is_an_answer_and_one_from_a_gateway_is_not() {
        for status in [200, 301, 401, 404, 429, 500, 501, 503, 0] {
            assert_eq!(Outcome::of_attempt(Some(status)), Answered, "{status}");
        }
        for status in [502, 504, 520, 522, 524, 529] {
            assert_eq!(Outcome::of_attempt(Some(status)), Unknown, "{status}");
        }
        assert_eq!(Outcome::of_attempt(None), Unknown);
    }

    #[test]
    fn one_lost_attempt_makes_the_call_unknown() {
        assert_eq!(Outcome::of_call([]), NotSent);
        assert_eq!(Outcome::of_call([Answered, Answered]), Answered);
        assert_eq!(Outcome::of_call([Unknown, Answered]), Unknown);
        assert_eq!(Outcome::of_call([Answered, Unknown]), Unknown);
    }
}
