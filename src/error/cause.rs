use std::any::Any;
use std::sync::Arc;

use super::Error;

/// What is behind an error.
#[derive(Clone)]
pub(crate) enum Cause {
    /// One of ours. Apart from others, so that its texts are linked only where somebody asks for them.
    Own(Error),
    Other(Arc<dyn std::error::Error + Send + Sync>),
}

impl Cause {
    pub(crate) fn of(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        match (&error as &dyn Any).downcast_ref::<Error>() {
            Some(own) => Self::Own(own.clone()),
            None => Self::Other(Arc::new(error)),
        }
    }

    pub(crate) fn as_error(&self) -> &(dyn std::error::Error + 'static) {
        match self {
            Self::Own(error) => error,
            Self::Other(error) => &**error,
        }
    }
}
