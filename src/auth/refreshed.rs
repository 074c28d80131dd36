use std::fmt;

/// What a refresh has come to: see [`Auth::new`](crate::Auth::new).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refreshed {
    /// This is the token from now on.
    Token(String),
    /// The session is renewed: `get_token` has the token, or a cookie.
    Renewed,
    /// The session is over: the user has to log in again.
    SessionLost,
}

impl From<String> for Refreshed {
    fn from(token: String) -> Self {
        Self::Token(token)
    }
}

impl fmt::Debug for Refreshed {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token(..)",
            Self::Renewed => "Renewed",
            Self::SessionLost => "SessionLost",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m01_its_debug_shows_no_token() {
        assert_eq!(format!("{:?}", Refreshed::from("S3CRET".to_owned())), "Token(..)");
        assert_eq!(format!("{:?} {:?}", Refreshed::Renewed, Refreshed::SessionLost), "Renewed SessionLost");
    }
}
