//! The closed lists of words that errors, events and metrics have in both APIs.

use std::fmt;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident of $core:path { $($(#[$each:meta])* $variant:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
            #[non_exhaustive]
            pub enum $name {
                $($(#[$each])* $variant,)*
            }

            impl $name {
                /// Every word of the list.
                pub const ALL: &[Self] = &[$(Self::$variant),*];

                /// The word that both APIs use.
                #[must_use]
                pub const fn name(self) -> &'static str {
                    use $core as Core;
                    match self {
                        $(Self::$variant => Core::$variant,)*
                    }
                    .name()
                }

                /// The word of the engine.
                pub(crate) const fn of(word: $core) -> Self {
                    use $core as Core;
                    match word {
                        $(Core::$variant => Self::$variant,)*
                    }
                }
            }

            impl fmt::Display for $name {
                /// The word that both APIs use.
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.name())
                }
            }
        )*
    };
}

words! {
    /// Whether the server may have acted on what was sent: [`Error::outcome`](crate::Error::outcome).
    Outcome of steadfetch_core::outcome::Outcome {
        /// Nothing was sent: nothing can have happened.
        NotSent,
        /// Every attempt that was sent got response headers from the server itself: what happened is what the answers say.
        Answered,
        /// All else. The server may have done the work.
        Unknown,
    }

    /// The part of a call that was under way: [`Error::phase`](crate::Error::phase).
    Phase of steadfetch_core::phase::Phase {
        /// The engine itself was being loaded: of the npm package only.
        Load,
        /// The token for the first attempt was being asked for.
        Auth,
        /// Waiting for a slot of the [`Queue`](crate::Queue).
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
        /// The outcome of a write was being looked up.
        Lookup,
        /// A job was being polled.
        Poll,
        /// A socket was being opened.
        Handshake,
        /// A callback of the caller was running.
        Hook,
    }

    /// The rule that ended the retries of a failed call: [`Error::retry_stopped`](crate::Error::retry_stopped).
    RetryStopped of steadfetch_core::stop::RetryStopped {
        /// The [`limit`](crate::Retry::limit) of the retries was used up.
        Limit,
        /// The method is not idempotent, and nothing lifted the gate.
        Method,
        /// The request body cannot be sent again.
        Body,
        /// The wait, or the attempt after it, does not fit the total deadline.
        Deadline,
        /// The server asked for a longer wait than [`max_retry_after`](crate::Retry::max_retry_after).
        RetryAfter,
        /// The circuit was open.
        Circuit,
        /// The [`RetryBudget`](crate::RetryBudget) was empty.
        Budget,
        /// The queue refused the retry, or it waited there too long.
        Queue,
        /// This kind of failure is not retried, [`should_retry`](crate::Retry::should_retry) said no, or the page's CSP forbids
        /// the request.
        Policy,
        /// The page was being left.
        Pagehide,
    }

    /// What a circuit of a [`CircuitBreaker`](crate::CircuitBreaker) is doing.
    CircuitState of steadfetch_core::breaker::CircuitState {
        /// Calls pass.
        Closed,
        /// Calls are refused.
        Open,
        /// One probe at a time passes.
        HalfOpen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfetch_core::{breaker, outcome, phase, stop};

    #[test]
    fn the_words_are_those_of_the_engine_in_its_order() {
        assert!(Outcome::ALL.iter().copied().eq(outcome::Outcome::ALL.iter().map(|word| Outcome::of(*word))));
        assert!(Phase::ALL.iter().copied().eq(phase::Phase::ALL.iter().map(|word| Phase::of(*word))));
        assert!(
            RetryStopped::ALL.iter().copied().eq(stop::RetryStopped::ALL.iter().map(|word| RetryStopped::of(*word)))
        );
        assert!(
            CircuitState::ALL.iter().copied().eq(breaker::CircuitState::ALL.iter().map(|word| CircuitState::of(*word)))
        );
        assert_eq!(RetryStopped::RetryAfter.name(), "retry-after");
    }
}
