//! The engine of pages whose clients have no `auth`: nobody has a token, and everybody may send.

use super::Facts;
use crate::phase::Phase;
use crate::refresh::{AuthAction, AuthFailure};
use crate::slab::CallId;
use crate::time::{Instant, Millis};

/// A place that nobody has.
#[derive(Clone, Copy)]
pub(super) enum Place {}

/// What a call is to do.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the words of a refresh that there is not")]
pub(super) enum Answer {
    Send,
    Wait(Place),
    Accept,
    Fail(AuthFailure),
}

pub(super) struct Auths;

#[allow(clippy::unused_self, clippy::needless_pass_by_value, reason = "the interface of the other one")]
impl Auths {
    /// What this is asked for is no code in the module.
    pub(super) const ANY: bool = false;

    pub(super) const fn new() -> Self {
        Self
    }

    pub(super) fn need(&mut self, _: Instant, _: &Facts, _: CallId, _: bool) -> Answer {
        Answer::Send
    }

    pub(super) fn unauthorized(&mut self, _: Instant, _: &Facts, _: CallId, _: u64, _: bool) -> Answer {
        Answer::Accept
    }

    pub(super) fn is_refreshing(&mut self, _: &Facts) -> bool {
        false
    }

    pub(super) fn moment(&mut self, _: &Facts) -> u64 {
        0
    }

    pub(super) fn phase(&mut self, _: &Facts) -> Phase {
        Phase::Auth
    }

    pub(super) fn patience(&mut self, _: &Facts) -> Millis {
        Millis::NONE
    }

    pub(super) fn leave(&mut self, _: &Facts, place: Place) {
        match place {}
    }

    pub(super) fn least(&self) -> Option<(Instant, u32)> {
        None
    }

    pub(super) fn on_timeout(&mut self, _: Instant, _: u32) {}

    pub(super) fn action(&mut self) -> Option<(u32, AuthAction, u64)> {
        None
    }

    pub(super) fn told(&mut self) -> Option<(CallId, Answer)> {
        None
    }
}
