//! An executor of one thread in virtual time: tasks, and a clock that jumps to the next timer when all tasks wait.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use crate::transport::LocalFuture;

/// A task that is polled so often never rests.
const MOST_POLLS: u32 = 1_000_000;

#[derive(Default)]
struct World {
    now: u64,
    timers: BTreeMap<(u64, u64), Waker>,
    timer_count: u64,
    /// Timers fire on multiples of this only, if it is not 0.
    tick: u64,
    tasks: Vec<(Arc<Flag>, LocalFuture<()>)>,
    polls: u32,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
}

struct Flag(AtomicBool);

impl Flag {
    fn up() -> Arc<Self> {
        Arc::new(Self(AtomicBool::new(true)))
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn world<R>(act: impl FnOnce(&mut World) -> R) -> R {
    WORLD.with_borrow_mut(act)
}

/// A new one for this thread.
#[cfg(test)]
pub(crate) fn renew() {
    drop(world(std::mem::take));
}

/// The virtual time.
pub(crate) fn now() -> Duration {
    Duration::from_millis(world(|world| world.now))
}

/// Time goes on by this much, with no timer in between.
#[cfg(test)]
pub(crate) fn pass(ms: u64) {
    world(|world| world.now = world.now.saturating_add(ms));
}

/// From now on timers fire on multiples of so many milliseconds only, as those of a tab in the background.
#[cfg(test)]
pub(crate) fn throttle(tick: u64) {
    world(|world| world.tick = tick);
}

/// How many tasks still wait.
#[cfg(test)]
pub(crate) fn tasks() -> usize {
    world(|world| world.tasks.len())
}

/// Ends when the virtual time has gone on by so many milliseconds.
pub(crate) fn sleep(ms: u64) -> impl Future<Output = ()> {
    let mut key = None;
    poll_fn(move |cx| {
        world(|world| {
            let key = *key.get_or_insert_with(|| {
                world.timer_count = world.timer_count.wrapping_add(1);
                (world.now.saturating_add(ms), world.timer_count)
            });
            if key.0 <= world.now {
                world.timers.remove(&key);
                return Poll::Ready(());
            }
            world.timers.insert(key, cx.waker().clone());
            Poll::Pending
        })
    })
}

/// The same for a timer of the driver, which may be throttled.
pub(crate) fn timer(span: Duration) -> impl Future<Output = ()> {
    let span = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
    sleep(world(|world| match world.now.saturating_add(span).checked_next_multiple_of(world.tick) {
        Some(at) if world.tick != 0 => at.saturating_sub(world.now),
        _ => span,
    }))
}

pub(crate) fn spawn(task: LocalFuture<()>) {
    world(|world| world.tasks.push((Flag::up(), task)));
}

/// Runs a future and every task, to the future's end; `None` if all wait and no timer is set.
pub(crate) fn run_to_end<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let main = Flag::up();
    loop {
        if main.take() {
            let waker = Waker::from(main.clone());
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                settle()?;
                return Some(value);
            }
        }
        if !settle()? && !main.0.load(Ordering::Relaxed) && !advance() {
            return None;
        }
    }
}

/// Runs every task until all wait. True if there was anything to do; `None` if one never rests.
fn settle() -> Option<bool> {
    let mut any = false;
    loop {
        let due = world(|world| {
            let later = world.timers.split_off(&(world.now.saturating_add(1), 0));
            std::mem::replace(&mut world.timers, later)
        });
        due.into_values().for_each(Waker::wake);
        let ready = world(|world| {
            world.polls = world.polls.saturating_add(1);
            let at = world.tasks.iter().position(|(flag, _)| flag.take())?;
            Some(world.tasks.swap_remove(at))
        });
        let Some((flag, mut task)) = ready else { return Some(any) };
        if world(|world| world.polls > MOST_POLLS) {
            return None;
        }
        any = true;
        let waker = Waker::from(flag.clone());
        if task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            world(|world| world.tasks.push((flag, task)));
        }
    }
}

/// Lets the time jump to the next timer.
fn advance() -> bool {
    let waker = world(|world| {
        let ((at, _), waker) = world.timers.pop_first()?;
        world.now = world.now.max(at);
        Some(waker)
    });
    waker.map(Waker::wake).is_some()
}
