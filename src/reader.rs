use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use steadfetch_core::engine::Event;
use steadfetch_core::error::ErrorCode;

use crate::driver::{Call, Driver, Running};
use crate::error::Error;
use crate::platform::Incoming;
use crate::progress::Progress;

/// Reads a body under the limits of its call. Dropped before the end, it cancels the rest.
pub(crate) struct Reader {
    driver: Rc<Driver>,
    call: Rc<Call>,
    incoming: Rc<Incoming>,
    /// The engine knows that a read is pending.
    reading: bool,
    received: u64,
    total: Option<u64>,
    /// Nothing more will be read.
    done: bool,
}

impl Reader {
    pub(crate) fn new(driver: Rc<Driver>, call: Rc<Call>, incoming: Rc<Incoming>) -> Self {
        let has_body = incoming.has_body(&call.request.method);
        let total = if has_body { incoming.content_length() } else { Some(0) };
        let reader = Self { driver, call, incoming, reading: false, received: 0, total, done: !has_body };
        reader.tell();
        reader
    }

    #[cfg(feature = "json")]
    pub(crate) fn call(&self) -> &Rc<Call> {
        &self.call
    }

    /// An error about the response, of which the engine has no word.
    pub(crate) fn error_after(&self, code: ErrorCode, status: u16) -> Error {
        self.call.error_after(&self.driver, code, status)
    }

    pub(crate) fn incoming(&self) -> &Incoming {
        &self.incoming
    }

    /// The body is handed out as a stream: from now on other limits hold.
    #[cfg(feature = "stream")]
    pub(crate) fn streaming(&self) {
        self.report(Event::Streaming);
    }

    fn report(&self, event: Event) {
        self.driver.event(&self.call, self.call.attempt(), event);
    }

    fn tell(&self) {
        if let Some(observer) = &self.call.observers.on_progress {
            let progress = Progress { transferred_bytes: self.received, total_bytes: self.total };
            self.driver.call_back(Running::Reader(self.call.clone()), || observer(progress));
        }
    }

    fn failed(&mut self) -> Option<Error> {
        let error = self.call.ended()?.err()?;
        self.done = true;
        Some(error)
    }

    /// The next chunk; `None` at the end, of which the engine is to be told by [`complete`](Self::complete). `more`: the
    /// next read follows at once.
    pub(crate) fn poll_chunk(&mut self, cx: &mut Context<'_>, more: bool) -> Poll<Result<Option<Vec<u8>>, Error>> {
        if let Some(error) = self.failed() {
            return Poll::Ready(Err(error));
        }
        if self.done {
            return Poll::Ready(Ok(None));
        }
        self.call.wake_by(cx.waker());
        if !self.reading {
            self.reading = true;
            self.driver.hold(&self.call, true);
            self.report(Event::Reading);
            if let Some(error) = self.failed() {
                return Poll::Ready(Err(error));
            }
        }
        match self.incoming.poll_chunk(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => Poll::Ready(Ok(None)),
            Poll::Ready(Some(Ok(chunk))) => {
                let bytes = chunk.len() as u64;
                self.reading = more;
                self.driver.hold(&self.call, more);
                self.received = self.received.saturating_add(bytes);
                self.report(Event::Chunk { bytes, more });
                if let Some(error) = self.failed() {
                    return Poll::Ready(Err(error));
                }
                self.tell();
                Poll::Ready(Ok(Some(chunk)))
            }
            Poll::Ready(Some(Err(_))) => {
                self.report(Event::Failed);
                match self.failed() {
                    Some(error) => Poll::Ready(Err(error)),
                    // The engine gets it after what it is busy with, and then wakes us.
                    None => Poll::Pending,
                }
            }
        }
    }

    pub(crate) async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let chunk = poll_fn(|cx| self.poll_chunk(cx, false)).await?;
        if chunk.is_none() {
            self.complete(Ok(()));
        }
        Ok(chunk)
    }

    /// The rest of the body. [`complete`](Self::complete) is to follow.
    pub(crate) async fn rest(&mut self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = poll_fn(|cx| self.poll_chunk(cx, true)).await? {
            if body.is_empty() {
                body = chunk;
            } else {
                body.extend_from_slice(&chunk);
            }
        }
        Ok(body)
    }

    /// Tells the engine that the body is complete, and whether it is any good.
    pub(crate) fn complete(&mut self, result: Result<(), ErrorCode>) {
        if !std::mem::replace(&mut self.done, true) {
            self.report(Event::BodyEnd(result));
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if !self.done {
            self.report(Event::Dropped);
            self.incoming.cancel();
        }
    }
}
