use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use steadfetch_core::time::Instant;

use crate::error::Error;
use crate::platform;

type OnFailure = fn(&View, &Error);

/// The place of a client among those that it was made from: what closes one closes all that were made from it.
pub(crate) struct View {
    parent: Option<Arc<View>>,
    /// When its scope is over, and those around it.
    deadline: Instant,
    /// What the failure of a call does to it. A function, so that an app without scopes links nothing of it.
    on_failure: Option<OnFailure>,
    closed: AtomicBool,
    /// What closed it, if that was a failure.
    failure: OnceLock<Error>,
}

impl View {
    /// That of a new client, or of one that `extend` makes.
    pub(crate) fn new(parent: Option<Arc<Self>>) -> Arc<Self> {
        Self::make(parent, Instant::NEVER, None)
    }

    /// That of a scope.
    pub(crate) fn scope(parent: Option<Arc<Self>>, deadline: Instant, fails_fast: bool) -> Arc<Self> {
        Self::make(parent, deadline, fails_fast.then_some(Self::fail_fast))
    }

    fn make(parent: Option<Arc<Self>>, deadline: Instant, on_failure: Option<OnFailure>) -> Arc<Self> {
        let deadline = parent.as_ref().map_or(deadline, |parent| deadline.min(parent.deadline));
        Arc::new(Self { parent, deadline, on_failure, closed: AtomicBool::new(false), failure: OnceLock::new() })
    }

    /// When its calls are over, whatever their own limits say.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// This view, and those that it was made from.
    fn line(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |view| view.parent.as_deref())
    }

    /// Whether it is the other one, or was made from it.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.line().any(|view| std::ptr::eq(view, other))
    }

    /// Whether its calls may go out no more.
    pub(crate) fn is_closed(&self) -> bool {
        self.line().any(|view| view.closed.load(Ordering::Acquire))
    }

    /// The failure that closed it, or a scope around it.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.line().find_map(|view| view.failure.get().cloned())
    }

    /// Its calls may go out no more, and those that are out end.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.abort();
    }

    /// Ends its calls in this thread, and those of the views that were made from it, whatever they are sent by.
    pub(crate) fn abort(&self) {
        platform::drivers().into_iter().for_each(|driver| driver.abort(self));
    }

    /// A call of it has failed: scopes that fail fast end with it.
    pub(crate) fn fail(&self, error: &Error) {
        for view in self.line() {
            if let Some(act) = view.on_failure {
                act(view, error);
            }
        }
    }

    fn fail_fast(&self, error: &Error) {
        // The first failure is the reason for all that follow.
        if !self.closed.load(Ordering::Acquire) && self.failure.set(error.clone()).is_ok() {
            self.close();
        }
    }
}

impl Drop for View {
    /// One after the other: an app that extends its client again and again makes a long line of them.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(view) = next {
            next = Arc::into_inner(view).and_then(|mut view| view.parent.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_closes_a_view_closes_those_made_from_it() {
        let root = View::new(None);
        let view = View::new(Some(root.clone()));
        let (one, other) = (View::new(Some(view.clone())), View::new(Some(root.clone())));
        view.close();
        assert!(view.is_closed() && one.is_closed());
        assert!(!root.is_closed() && !other.is_closed());
        assert!(one.is_within(&view) && one.is_within(&root) && !one.is_within(&other));
    }

    #[test]
    fn a_scope_ends_with_the_one_around_it() {
        let outer = View::scope(None, Instant(100), false);
        let inner = View::scope(Some(outer.clone()), Instant(300), false);
        assert_eq!(inner.deadline(), Instant(100));
        assert_eq!(View::scope(Some(outer), Instant(50), false).deadline(), Instant(50));
        assert_eq!(View::new(Some(inner)).deadline(), Instant(100));
    }

    #[test]
    fn a_long_line_is_dropped_without_a_deep_stack() {
        let mut view = View::new(None);
        for _ in 0..200_000 {
            view = View::new(Some(view));
        }
        drop(view);
    }
}
