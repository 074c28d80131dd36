//! Reading a command's arguments; what a command does not know is an error, never ignored.

use crate::error::{Context, Failure, Result};

pub(crate) struct Arguments(Vec<String>);

impl Arguments {
    pub(crate) fn new(arguments: impl IntoIterator<Item = String>) -> Self {
        Self(arguments.into_iter().collect())
    }

    /// Takes `--name` out, if it is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|argument| argument != name);
        self.0.len() < before
    }

    /// Takes `--name VALUE` or `--name=VALUE` out, if it is there.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<String>> {
        let with_equals = format!("{name}=");
        if let Some(at) = self.0.iter().position(|argument| argument.starts_with(&with_equals)) {
            return Ok(Some(self.0.remove(at).split_off(with_equals.len())));
        }
        let Some(at) = self.0.iter().position(|argument| argument == name) else {
            return Ok(None);
        };
        self.0.remove(at);
        if at >= self.0.len() {
            return Err(Failure::new(format!("{name} needs a value")));
        }
        Ok(Some(self.0.remove(at)))
    }

    pub(crate) fn port(&mut self, name: &str) -> Result<Option<u16>> {
        let Some(text) = self.value(name)? else {
            return Ok(None);
        };
        text.parse().map(Some).context(|| format!("{name} {text}"))
    }

    /// What is left, if none of it looks like an option.
    pub(crate) fn words(self) -> Result<Vec<String>> {
        match self.0.iter().find(|argument| argument.starts_with('-')) {
            Some(unknown) => Err(Failure::new(format!("unknown option {unknown}; see cargo xtask help"))),
            None => Ok(self.0),
        }
    }

    /// Nothing may be left.
    pub(crate) fn finish(self) -> Result {
        match self.words()?.first() {
            Some(unknown) => Err(Failure::new(format!("unexpected argument {unknown}; see cargo xtask help"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Arguments {
        Arguments::new(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_taken_out_and_words_are_left() {
        let mut line = arguments("node --all --port 81 chromium");
        assert!(line.flag("--all"));
        assert!(!line.flag("--all"));
        assert_eq!(line.port("--port").unwrap(), Some(81));
        assert_eq!(line.words().unwrap(), ["node", "chromium"]);
    }

    #[test]
    fn a_value_may_follow_an_equals_sign() {
        assert_eq!(arguments("--port=0").port("--port").unwrap(), Some(0));
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        assert!(arguments("--colour").words().is_err());
        assert!(arguments("word").finish().is_err());
        assert!(arguments("--port").port("--port").is_err());
        assert!(arguments("--port 70000").port("--port").is_err());
    }
}
