use std::rc::Rc;
use std::sync::Arc;

use crate::event::Event;
use crate::options::{Delay, JitterWith, ShouldRetry};
use crate::progress::Progress;

pub(crate) type OnEvent = Rc<dyn Fn(&Event)>;
pub(crate) type OnProgress = Rc<dyn Fn(Progress)>;

/// The callbacks of the caller.
#[derive(Default)]
pub(crate) struct Observers {
    pub(crate) dependency: Arc<str>,
    pub(crate) operation: Arc<str>,
    /// The name of its circuit.
    pub(crate) circuit: Option<Arc<str>>,
    /// Tells one observer from another; 0: there is none.
    pub(crate) observer: usize,
    pub(crate) on_event: Option<OnEvent>,
    pub(crate) on_progress: Option<OnProgress>,
    pub(crate) should_retry: Option<ShouldRetry>,
    pub(crate) delay: Option<Delay>,
    pub(crate) jitter: Option<JitterWith>,
}
