use std::fmt;

use send_wrapper::SendWrapper;

/// A value of one thread in a callback that has to be `Send + Sync`, as those of a client are: a signal, a handle of a
/// component, an object of JavaScript.
///
/// In another thread than the one that made it the value cannot be reached: [`with`](Self::with) gives `None` there, and a
/// value that is dropped there is leaked, since only its own thread may drop it. Nothing panics.
///
/// ```
/// use std::cell::Cell;
/// use std::rc::Rc;
/// use steadfetch::{Client, Local};
///
/// let events = Rc::new(Cell::new(0));
/// let shown = Local::new(events.clone());
/// let api = Client::builder().on_event(move |_| {
///     shown.with(|events| events.set(events.get() + 1));
/// });
/// # api.build()?;
/// # Ok::<(), steadfetch::Error>(())
/// ```
pub struct Local<T>(Option<SendWrapper<T>>);

impl<T> Local<T> {
    /// Holds a value of this thread.
    pub fn new(value: T) -> Self {
        Self(Some(SendWrapper::new(value)))
    }

    /// Shows the value; `None` in another thread.
    pub fn with<R>(&self, act: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.as_ref().filter(|value| value.valid()).map(|value| act(value))
    }
}

impl<T> Drop for Local<T> {
    fn drop(&mut self) {
        // What is left in place is dropped after this.
        if let Some(value) = self.0.take_if(|value| !value.valid()) {
            std::mem::forget(value);
        }
    }
}

impl<T> fmt::Debug for Local<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_value_is_shown_and_dropped_in_its_own_thread_only() {
        let value = Rc::new(7);
        let local = Arc::new(Local::new(value.clone()));
        assert_eq!(local.with(|value| **value), Some(7));
        let other = local.clone();
        assert_eq!(std::thread::spawn(move || other.with(|value| **value)).join().unwrap(), None);
        drop(local);
        assert_eq!(Rc::strong_count(&value), 1);
        let away = Local::new(value.clone());
        std::thread::spawn(move || drop(away)).join().unwrap();
        assert_eq!(Rc::strong_count(&value), 2, "leaked, since its thread alone may count");
    }
}
