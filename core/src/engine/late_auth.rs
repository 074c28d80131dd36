//! The tokens of `auth` objects, once there is one ([`Engine::set_auth`](super::Engine::set_auth)): an app that has none links
//! nothing of them. Until then everybody may send.

use alloc::boxed::Box;

use super::Facts;
use super::full_auth::Auths as Full;
use crate::phase::Phase;
use crate::refresh::{AuthAction, AuthEvent, RefreshOptions};
use crate::slab::CallId;
use crate::time::{Instant, Millis};

pub(super) use super::full_auth::{Answer, Place};

/// What [`Full`] does, without naming it.
trait Tokens {
    fn set(&mut self, auth: u32, options: RefreshOptions);
    fn need(&mut self, now: Instant, facts: &Facts, call: CallId, leaving: bool) -> Answer;
    fn unauthorized(&mut self, now: Instant, facts: &Facts, call: CallId, sent: u64, resent: bool) -> Answer;
    fn moment(&mut self, facts: &Facts) -> u64;
    fn is_refreshing(&mut self, facts: &Facts) -> bool;
    fn phase(&mut self, facts: &Facts) -> Phase;
    fn patience(&mut self, facts: &Facts) -> Millis;
    fn leave(&mut self, facts: &Facts, place: Place);
    fn on_event(&mut self, now: Instant, auth: u32, ticket: u64, event: AuthEvent);
    fn least(&self) -> Option<(Instant, u32)>;
    fn on_timeout(&mut self, now: Instant, auth: u32);
    fn action(&mut self) -> Option<(u32, AuthAction, u64)>;
    fn told(&mut self) -> Option<(CallId, Answer)>;
    fn gone(&mut self, auth: u32);
}

impl Tokens for Full {
    fn set(&mut self, auth: u32, options: RefreshOptions) {
        Self::set(self, auth, options);
    }

    fn need(&mut self, now: Instant, facts: &Facts, call: CallId, leaving: bool) -> Answer {
        Self::need(self, now, facts, call, leaving)
    }

    fn unauthorized(&mut self, now: Instant, facts: &Facts, call: CallId, sent: u64, resent: bool) -> Answer {
        Self::unauthorized(self, now, facts, call, sent, resent)
    }

    fn moment(&mut self, facts: &Facts) -> u64 {
        Self::moment(self, facts)
    }

    fn is_refreshing(&mut self, facts: &Facts) -> bool {
        Self::is_refreshing(self, facts)
    }

    fn phase(&mut self, facts: &Facts) -> Phase {
        Self::phase(self, facts)
    }

    fn patience(&mut self, facts: &Facts) -> Millis {
        Self::patience(self, facts)
    }

    fn leave(&mut self, facts: &Facts, place: Place) {
        Self::leave(self, facts, place);
    }

    fn on_event(&mut self, now: Instant, auth: u32, ticket: u64, event: AuthEvent) {
        Self::on_event(self, now, auth, ticket, event);
    }

    fn least(&self) -> Option<(Instant, u32)> {
        Self::least(self)
    }

    fn on_timeout(&mut self, now: Instant, auth: u32) {
        Self::on_timeout(self, now, auth);
    }

    fn action(&mut self) -> Option<(u32, AuthAction, u64)> {
        Self::action(self)
    }

    fn told(&mut self) -> Option<(CallId, Answer)> {
        Self::told(self)
    }

    fn gone(&mut self, auth: u32) {
        Self::drop(self, auth);
    }
}

/// All refreshes, if there are any.
pub(super) struct Auths(Option<Box<dyn Tokens>>);

impl Auths {
    /// There may be some.
    pub(super) const ANY: bool = true;

    pub(super) const fn new() -> Self {
        Self(None)
    }

    pub(super) fn set(&mut self, auth: u32, options: RefreshOptions) {
        self.0.get_or_insert_with(|| Box::new(Full::new())).set(auth, options);
    }

    pub(super) fn need(&mut self, now: Instant, facts: &Facts, call: CallId, leaving: bool) -> Answer {
        self.0.as_mut().map_or(Answer::Send, |full| full.need(now, facts, call, leaving))
    }

    pub(super) fn unauthorized(
        &mut self,
        now: Instant,
        facts: &Facts,
        call: CallId,
        sent: u64,
        resent: bool,
    ) -> Answer {
        self.0.as_mut().map_or(Answer::Accept, |full| full.unauthorized(now, facts, call, sent, resent))
    }

    pub(super) fn moment(&mut self, facts: &Facts) -> u64 {
        self.0.as_mut().map_or(0, |full| full.moment(facts))
    }

    pub(super) fn is_refreshing(&mut self, facts: &Facts) -> bool {
        self.0.as_mut().is_some_and(|full| full.is_refreshing(facts))
    }

    pub(super) fn phase(&mut self, facts: &Facts) -> Phase {
        self.0.as_mut().map_or(Phase::Auth, |full| full.phase(facts))
    }

    pub(super) fn patience(&mut self, facts: &Facts) -> Millis {
        self.0.as_mut().map_or(Millis::NONE, |full| full.patience(facts))
    }

    pub(super) fn leave(&mut self, facts: &Facts, place: Place) {
        if let Some(full) = &mut self.0 {
            full.leave(facts, place);
        }
    }

    pub(super) fn on_event(&mut self, now: Instant, auth: u32, ticket: u64, event: AuthEvent) {
        if let Some(full) = &mut self.0 {
            full.on_event(now, auth, ticket, event);
        }
    }

    pub(super) fn least(&self) -> Option<(Instant, u32)> {
        self.0.as_ref()?.least()
    }

    pub(super) fn on_timeout(&mut self, now: Instant, auth: u32) {
        if let Some(full) = &mut self.0 {
            full.on_timeout(now, auth);
        }
    }

    pub(super) fn action(&mut self) -> Option<(u32, AuthAction, u64)> {
        self.0.as_mut()?.action()
    }

    pub(super) fn told(&mut self) -> Option<(CallId, Answer)> {
        self.0.as_mut()?.told()
    }

    pub(super) fn drop(&mut self, auth: u32) {
        if let Some(full) = &mut self.0 {
            full.gone(auth);
        }
    }
}
