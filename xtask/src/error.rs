//! The one error of the commands: a text for the person at the terminal.

use std::error::Error;
use std::fmt;

pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// What went wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// For a command that has said everything already.
    pub(crate) fn silent() -> Self {
        Self(String::new())
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `fs::read(path).context(|| format!("reading {path}"))?`
pub(crate) trait Context<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Error> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure(format!("{}: {error}", what())))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.ok_or_else(|| Failure(what()))
    }
}
