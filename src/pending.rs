use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use crate::client::Client;
use crate::driver::{Call, Driver};
use crate::error::Error;
use crate::platform::{self, Signal};
use crate::response::Response;

/// A call on its way: what [`RequestBuilder::send`](crate::RequestBuilder::send) returns.
///
/// It starts when it is first polled, and is sent in that very task. Dropped before it is done, it aborts the request.
#[must_use = "a call is not sent until its future is awaited, or detached"]
pub struct Pending(State);

enum State {
    /// A mistake found before anything was sent.
    Mistaken(Error, Client),
    Fresh(Started, Option<Signal>),
    Started(Started),
    Done,
}

struct Started {
    driver: Rc<Driver>,
    call: Rc<Call>,
}

impl Pending {
    pub(crate) fn mistaken(error: Error, client: Client) -> Self {
        Self(State::Mistaken(error, client))
    }

    pub(crate) fn new(driver: Rc<Driver>, call: Rc<Call>, signal: Option<Signal>) -> Self {
        Self(State::Fresh(Started { driver, call }, signal))
    }

    /// Lets the call outlive its future: it is sent now, and its response read to the end and let go. With
    /// [`keepalive`](crate::RequestBuilder::keepalive) it outlives the page too.
    ///
    /// Nobody is told how it ends, other than [`on_event`](crate::ClientBuilder::on_event).
    pub fn detach(mut self) {
        self.start();
        if let State::Started(Started { driver, .. }) = &self.0 {
            let driver = driver.clone();
            driver.platform.spawn(async move {
                if let Ok(response) = self.await {
                    response.drain().await;
                }
            });
        }
    }

    fn start(&mut self) {
        self.0 = match std::mem::replace(&mut self.0, State::Done) {
            State::Fresh(started, signal) => {
                let Started { driver, call } = &started;
                match signal {
                    Some(signal) if signal.aborted() => call.give_up(),
                    Some(signal) => platform::subscribe(signal, driver, call),
                    None => {}
                }
                driver.start(call);
                State::Started(started)
            }
            state => state,
        };
    }
}

impl Future for Pending {
    type Output = Result<Response, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.start();
        match std::mem::replace(&mut self.0, State::Done) {
            State::Mistaken(error, client) => {
                client.failed(&error);
                Poll::Ready(Err(error))
            }
            State::Started(started) => match started.call.poll_response(cx) {
                Poll::Pending => {
                    self.0 = State::Started(started);
                    Poll::Pending
                }
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                Poll::Ready(Ok(answer)) => Poll::Ready(Ok(Response::new(started.driver, started.call, answer))),
            },
            // Polled after it was done.
            State::Fresh(..) | State::Done => Poll::Pending,
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let State::Started(Started { driver, call }) = &self.0 {
            driver.drop_off(call);
        }
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").finish_non_exhaustive()
    }
}
