//! The engine of pages whose clients share no requests: each attempt is a request of its own.

use super::{Call, Context, Event, Input, Sink};
use crate::backoff::{self, Jitter};
use crate::breaker::Permit;
use crate::error::ErrorCode;
use crate::slab::CallId;
use crate::time::{Instant, Millis};

pub(in crate::engine) fn news(_: &mut Context<impl Sink>) -> Option<(CallId, Input)> {
    None
}

#[derive(Default)]
pub(super) struct Shared;

#[allow(clippy::unused_self, reason = "the interface of the other one")]
impl Call {
    pub(super) fn follows(&self) -> bool {
        false
    }

    pub(super) fn waits_with_others(&self) -> bool {
        false
    }

    pub(super) fn joins(&mut self, _: &mut Context<impl Sink>) -> bool {
        false
    }

    pub(super) fn take_off(&mut self, _: &mut Context<impl Sink>) {}

    pub(super) fn close(&mut self, _: &mut Context<impl Sink>, _: Event) {}

    pub(super) fn disembark(&mut self, _: &mut Context<impl Sink>, _: Option<ErrorCode>) {}

    pub(super) fn shares_probe(&self, _: &mut Context<impl Sink>) -> bool {
        false
    }

    pub(super) fn shared_slot(&self, _: &mut Context<impl Sink>) -> bool {
        false
    }

    pub(super) fn shared_permit(&self, _: &mut Context<impl Sink>) -> Option<Permit> {
        None
    }

    pub(super) fn wake_after(&self, cx: &Context<impl Sink>, wait: Millis) -> Instant {
        cx.now + wait
    }

    pub(super) fn draw(&self, cx: &mut Context<impl Sink>, jitter: Jitter, bound: Millis) -> Millis {
        backoff::draw(jitter, bound, &mut cx.rng)
    }
}
