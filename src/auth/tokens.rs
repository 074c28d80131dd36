use steadfetch_core::refresh::{AuthEvent, Token};
use steadfetch_core::time::Instant;

/// The strings behind what the engine decides.
#[derive(Default)]
pub(super) struct Tokens {
    sent: Option<String>,
    /// What `get_token` gave last, once it has been asked.
    given: Option<Option<String>>,
    /// What the engine may adopt.
    candidate: Option<String>,
}

impl Tokens {
    pub(super) fn sent(&self) -> Option<&str> {
        self.sent.as_deref()
    }

    /// `get_token` gave this.
    pub(super) fn given(&mut self, token: Option<String>, expires: Instant) -> AuthEvent {
        let known = Token {
            present: token.is_some(),
            repeated: self.given.as_ref() == Some(&token),
            current: self.given.is_some() && self.sent == token,
            expires,
        };
        self.given = Some(token.clone());
        self.candidate = token;
        AuthEvent::Token(known)
    }

    /// `refresh_token` gave this.
    pub(super) fn refreshed(&mut self, token: String, expires: Instant) -> AuthEvent {
        self.candidate = Some(token);
        AuthEvent::Refreshed { expires }
    }

    /// What was reported just now is sent from now on.
    pub(super) fn adopt(&mut self) {
        self.sent.clone_from(&self.candidate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(event: AuthEvent) -> (bool, bool, bool) {
        let AuthEvent::Token(token) = event else { panic!("no token") };
        (token.present, token.repeated, token.current)
    }

    #[test]
    fn the_engine_hears_what_is_new_about_a_token() {
        let mut tokens = Tokens::default();
        let given =
            |tokens: &mut Tokens, token: Option<&str>| flags(tokens.given(token.map(str::to_owned), Instant::NEVER));
        assert_eq!(given(&mut tokens, None), (false, false, false), "never current at the first time");
        tokens.adopt();
        assert_eq!(given(&mut tokens, None), (false, true, true));
        assert_eq!(given(&mut tokens, Some("a")), (true, false, false));
        tokens.adopt();
        tokens.refreshed("b".to_owned(), Instant::NEVER);
        tokens.adopt();
        assert_eq!((given(&mut tokens, Some("a")), tokens.sent()), ((true, true, false), Some("b")));
        assert_eq!(given(&mut tokens, Some("b")), (true, false, true));
    }
}
