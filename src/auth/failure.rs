use std::cell::RefCell;

use crate::error::Cause;

/// What a callback has failed with last.
#[derive(Default)]
pub(super) struct FailureOf(RefCell<Option<Cause>>);

impl FailureOf {
    pub(super) fn get(&self) -> Option<Cause> {
        self.0.try_borrow().ok()?.clone()
    }

    pub(super) fn set(&self, cause: Option<Cause>) {
        // What an old one does when it is dropped must find the cell free.
        let old = self.0.try_borrow_mut().ok().map(|mut place| std::mem::replace(&mut *place, cause));
        drop(old);
    }
}
