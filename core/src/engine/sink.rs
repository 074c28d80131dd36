//! Where the engine puts what it asks a driver to do.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use super::action::{Action, Question};
use super::failure::Failing;
use crate::slab::CallId;

/// Takes the engine's actions in the order in which they are to be performed. It must not perform them: the engine is
/// in the middle of its step.
pub trait Sink {
    /// One thing to do.
    fn act(&mut self, action: Action);

    // Actions about a failure, which is described and not built: a driver across a border has its own form of it.

    /// [`Action::Ask`] of [`Question::ShouldRetry`].
    fn ask_should_retry(&mut self, call: CallId, attempt: u32, retry: u64, failure: &Failing<'_>);

    /// [`Action::BeforeError`].
    fn before_error(&mut self, call: CallId, failure: &Failing<'_>);

    /// [`Action::Abandon`].
    fn abandon(&mut self, call: CallId, failure: &Failing<'_>);

    /// [`Action::End`] of a call that has failed.
    fn fail(&mut self, call: CallId, failure: &Failing<'_>);
}

/// The actions that wait for [`Engine::poll_action`](super::Engine::poll_action).
pub type Actions = VecDeque<Action>;

impl Sink for Actions {
    fn act(&mut self, action: Action) {
        self.push_back(action);
    }

    fn ask_should_retry(&mut self, call: CallId, attempt: u32, retry: u64, failure: &Failing<'_>) {
        let failure = Some(Box::new(failure.to_failure()));
        self.act(Action::Ask { call, attempt, question: Question::ShouldRetry, value: retry, failure });
    }

    fn before_error(&mut self, call: CallId, failure: &Failing<'_>) {
        self.act(Action::BeforeError { call, failure: Box::new(failure.to_failure()) });
    }

    fn abandon(&mut self, call: CallId, failure: &Failing<'_>) {
        self.act(Action::Abandon { call, failure: Box::new(failure.to_failure()) });
    }

    fn fail(&mut self, call: CallId, failure: &Failing<'_>) {
        self.act(Action::End { call, result: Err(Box::new(failure.to_failure())) });
    }
}
