//! There are no tabs here, and no `AbortSignal`.

/// What stops the calls of others.
pub(crate) struct AbortSource;

impl AbortSource {
    pub(crate) fn new() -> Self {
        Self
    }

    pub(crate) fn abort(&self) {}
}

pub(crate) fn has_locks() -> bool {
    false
}

pub(crate) enum TabLock {}

impl TabLock {
    pub(crate) fn request(_: &str, _: bool, _: impl Fn(bool) + 'static) -> Option<std::rc::Rc<Self>> {
        None
    }

    pub(crate) fn release(&self) {
        match *self {}
    }

    #[allow(clippy::unused_async, reason = "the interface of the other one")]
    pub(crate) async fn is_ours(&self) -> bool {
        match *self {}
    }
}
