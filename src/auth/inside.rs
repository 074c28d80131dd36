use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::LocalFuture;
use crate::driver::{Driver, Running};

/// A callback that is running. What it does, and what its future does, is inside: calls made there go without the token,
/// or the slot, that may wait for it.
pub(super) struct Inside<T> {
    driver: Rc<Driver>,
    number: u32,
    ticket: u64,
    future: LocalFuture<T>,
}

impl<T> Inside<T> {
    pub(super) fn new(driver: Rc<Driver>, number: u32, ticket: u64, call: impl FnOnce() -> LocalFuture<T>) -> Self {
        let future = driver.call_back(Running::Auth(number, ticket), || within(&driver.inside, number, call));
        Self { driver, number, ticket, future }
    }
}

impl<T> Future for Inside<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let Self { driver, number, ticket, future } = &mut *self;
        let running = Running::Auth(*number, *ticket);
        driver.call_back(running, || within(&driver.inside, *number, || future.as_mut().poll(cx)))
    }
}

/// Puts things back, also if a callback panics.
struct Restore<'a>(&'a Cell<u32>, u32);

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

fn within<T>(inside: &Cell<u32>, number: u32, act: impl FnOnce() -> T) -> T {
    let _restore = Restore(inside, inside.replace(number));
    act()
}
