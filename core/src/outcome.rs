//! What is known about the effect of a failed call on the server.

/// Whether the server may have acted on what was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Outcome {
    /// Nothing was sent: nothing can have happened.
    NotSent = 1,
    /// Every attempt that was sent got response headers from the server itself: what happened is what the answers say.
    Answered,
    /// All else. The server may have done the work.
    Unknown,
}

crate::words::display!(Outcome);

impl Outcome {
    /// Every outcome, in the order of their numbers.
    pub const ALL: &[Self] = &[Self::NotSent, Self::Answered, Self::Unknown];

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

    /// The outcome of a call from those of its attempts: the least certain of them.
    #[must_use]
    pub fn of_call(attempts: impl IntoIterator<Item = Self>) -> Self {
        attempts.into_iter().max().unwrap_or(Self::NotSent)
    }

    /// Whether a network error with this system code comes before the request: there was no connection to send it on.
    #[must_use]
    pub fn is_unsent(system_code: &str) -> bool {
        UNSENT_CODES.contains(&system_code)
    }
}

/// The system codes of network errors that come before the request: no address, no connection, or a certificate that the
/// client refuses. Those that an established connection can end with as well, such as ECONNRESET, ETIMEDOUT and EHOSTUNREACH,
/// are missing on purpose, and so are the alerts of a server that refuses the client.
///
/// Node.js, `errors` and `tls` (X509 certificate error codes); undici, `errors`; Bun.
pub const UNSENT_CODES: [&str; 36] = [
    "ECONNREFUSED",
    "ConnectionRefused",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EAI_FAIL",
    "EAI_NODATA",
    "EAI_NONAME",
    "UND_ERR_CONNECT_TIMEOUT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "CERT_CHAIN_TOO_LONG",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REJECTED",
    "CERT_REVOKED",
    "CERT_SIGNATURE_FAILURE",
    "CERT_UNTRUSTED",
    "CRL_HAS_EXPIRED",
    "CRL_NOT_YET_VALID",
    "CRL_SIGNATURE_FAILURE",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERROR_IN_CERT_NOT_AFTER_FIELD",
    "ERROR_IN_CERT_NOT_BEFORE_FIELD",
    "ERROR_IN_CRL_LAST_UPDATE_FIELD",
    "ERROR_IN_CRL_NEXT_UPDATE_FIELD",
    "HOSTNAME_MISMATCH",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
    "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
    "UNABLE_TO_DECRYPT_CRL_SIGNATURE",
    "UNABLE_TO_GET_CRL",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

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

    #[test]
    fn an_attempt_that_was_not_sent_leaves_the_outcome_to_the_others() {
        assert_eq!(Outcome::of_call([NotSent, NotSent]), NotSent);
        assert_eq!(Outcome::of_call([NotSent, Answered]), Answered);
        assert_eq!(Outcome::of_call([Answered, NotSent]), Answered);
        assert_eq!(Outcome::of_call([Unknown, NotSent]), Unknown);
        assert_eq!(Outcome::of_call([NotSent, Unknown]), Unknown);
    }

    #[test]
    fn only_codes_from_before_the_connection_say_that_nothing_was_sent() {
        for code in ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "CERT_HAS_EXPIRED", "UND_ERR_CONNECT_TIMEOUT"] {
            assert!(Outcome::is_unsent(code), "{code}");
        }
        let sent =
            ["ECONNRESET", "ETIMEDOUT", "EPIPE", "UND_ERR_SOCKET", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", ""];
        for code in sent {
            assert!(!Outcome::is_unsent(code), "{code}");
        }
    }
}
