use std::fmt;

/// Why a token cannot be sent. It does not quote it; and it is no `String`, whose `Debug` is much code.
pub(super) struct Unusable(pub(super) &'static str);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unusable {}
