use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::client::Client;
use crate::driver::{Call, Driver, OnEvent};
use crate::error::Error;
use crate::response::Response;

/// A call on its way: what [`RequestBuilder::send`](crate::RequestBuilder::send) returns.
///
/// It starts when it is first polled, and is sent in that very task. Dropped before it is done, it aborts the request.
/// Polled once more after it has given its result, it is pending for ever.
#[must_use = "a call is not sent until its future is awaited, or detached"]
pub struct Pending(State);

enum State {
    /// A mistake found before anything was sent.
    Mistaken(Box<Mistake>),
    Fresh(Started),
    Started(Started),
    Done,
}

struct Started {
    driver: Rc<Driver>,
    call: Rc<Call>,
}

/// What a call that cannot be made has to say.
pub(crate) struct Mistake {
    pub(crate) error: Error,
    pub(crate) client: Client,
    pub(crate) operation: Arc<str>,
    pub(crate) on_event: Option<OnEvent>,
}

impl Mistake {
    /// Tells who is concerned: the observer, and the scope.
    #[inline(never)]
    fn tell(self) -> Error {
        let Self { error, client, operation, on_event } = self;
        if let Some(observer) = &on_event {
            observer.mistaken(&client, &operation, &error);
        }
        client.failed(&error);
        error
    }
}

impl Pending {
    pub(crate) fn mistaken(mistake: Mistake) -> Self {
        Self(State::Mistaken(Box::new(mistake)))
    }

    pub(crate) fn new(driver: Rc<Driver>, call: Rc<Call>) -> Self {
        Self(State::Fresh(Started { driver, call }))
    }

    /// Lets the call outlive its future: it is sent now, and its response read to the end and let go. With
    /// [`keepalive`](crate::RequestBuilder::keepalive) it outlives the page too.
    ///
    /// Nobody is told how it ends, other than [`on_event`](crate::ClientBuilder::on_event).
    pub fn detach(mut self) {
        self.start();
        match std::mem::replace(&mut self.0, State::Done) {
            State::Mistaken(mistake) => {
                mistake.tell();
            }
            State::Started(started) => {
                let driver = started.driver.clone();
                self.0 = State::Started(started);
                driver.platform.spawn(async move {
                    if let Ok(response) = self.await {
                        response.drain().await;
                    }
                });
            }
            State::Fresh(_) | State::Done => {}
        }
    }

    fn start(&mut self) {
        self.0 = match std::mem::replace(&mut self.0, State::Done) {
            State::Fresh(started) => {
                started.driver.start(&started.call);
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
            State::Mistaken(mistake) => Poll::Ready(Err(mistake.tell())),
            State::Started(started) => match started.call.poll_response(cx) {
                Poll::Pending => {
                    self.0 = State::Started(started);
                    Poll::Pending
                }
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                Poll::Ready(Ok(answer)) => Poll::Ready(Ok(Response::new(started.driver, started.call, answer))),
            },
            // Polled after it was done.
            State::Fresh(_) | State::Done => Poll::Pending,
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
