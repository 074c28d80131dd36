use std::fmt;
use std::sync::Arc;

use crate::error::Cause;

/// Why a callback of an [`Auth`](crate::Auth) gave nothing. `?` makes one of any error.
///
/// An [`Error`](crate::Error) of this crate brings its status: one that came of a 400, 401 or 403 means that the session is lost.
#[derive(Clone)]
pub struct AuthError {
    session_lost: bool,
    status: u16,
    cause: Option<Cause>,
}

impl AuthError {
    /// One with a reason: an error or a text. It becomes the [`source`](std::error::Error::source) of the errors of the
    /// calls that waited, and should hold no token.
    pub fn new(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { session_lost: false, status: 0, cause: Some(Cause::Other(Arc::from(reason.into()))) }
    }

    /// The session is over: the user has to log in again.
    #[must_use]
    pub fn with_session_lost(mut self) -> Self {
        self.session_lost = true;
        self
    }

    /// The status that the server has answered the refresh with. 400, 401 and 403 mean that the session is over.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(super) fn is_lost(&self) -> bool {
        self.session_lost
    }

    pub(super) fn status(&self) -> u16 {
        self.status
    }

    pub(super) fn into_cause(self) -> Option<Cause> {
        self.cause
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for AuthError {
    fn from(error: E) -> Self {
        let cause = Cause::of(error);
        let status = match &cause {
            Cause::Own(error) => error.status().unwrap_or_default(),
            Cause::Other(_) => 0,
        };
        Self { session_lost: false, status, cause: Some(cause) }
    }
}

impl fmt::Debug for AuthError {
    /// Without the reason: it is not ours to say whether it holds a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthError")
            .field("session_lost", &self.session_lost)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use steadfetch_core::error::ErrorCode;

    #[test]
    fn it_is_made_of_every_error_and_knows_the_status_of_ours() {
        let ours = Error::early(ErrorCode::HttpError, "").with(|inner| inner.status = Some(403));
        assert_eq!(AuthError::from(ours).status(), 403);
        let other: AuthError = "x".parse::<u8>().unwrap_err().into();
        assert_eq!((other.status(), other.is_lost()), (0, false));
        let error = AuthError::new("S3CRET").with_status(400).with_session_lost();
        assert!(error.is_lost() && !format!("{error:?}").contains("S3CRET"));
        assert_eq!(error.into_cause().unwrap().as_error().to_string(), "S3CRET");
    }
}
