use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use steadfetch_core::error::ErrorCode;
use steadfetch_core::time::Millis;

use crate::platform::{Broken, Rejection, length_of, may_have_body, wait_of};
use crate::transport::{Chunks, Fault, LocalFuture, Response};

/// Something that can be stopped from outside while a task waits for it: what is waited for is dropped, and the task
/// wakes up.
pub(crate) struct Line {
    cancelled: Cell<bool>,
    body: RefCell<Option<Box<dyn Chunks>>>,
    /// What somebody looked at before it is read.
    peeked: RefCell<VecDeque<Result<Vec<u8>, Broken>>>,
    waker: RefCell<Option<Waker>>,
    /// How many chunks in a row were there at once.
    ready: Cell<u8>,
}

/// After so many chunks that were there at once the other tasks of the thread have their turn, the timer's too.
const TURN: u8 = 64;

impl Line {
    pub(super) fn idle() -> Self {
        Self {
            cancelled: Cell::new(false),
            body: RefCell::new(None),
            peeked: RefCell::default(),
            waker: RefCell::new(None),
            ready: Cell::new(0),
        }
    }

    pub(super) fn cancel(&self) {
        self.cancelled.set(true);
        let body = self.body.try_borrow_mut().ok().and_then(|mut body| body.take());
        drop(body);
        let waker = self.waker.try_borrow_mut().ok().and_then(|mut waker| waker.take());
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn wake_by(&self, waker: &Waker) {
        if let Ok(mut place) = self.waker.try_borrow_mut() {
            *place = Some(waker.clone());
        }
    }

    /// Waits for a future; `None` if it was stopped before.
    async fn race<T>(&self, future: LocalFuture<T>) -> Option<T> {
        let mut future = Some(future);
        poll_fn(move |cx| {
            if self.cancelled.get() {
                future = None;
                return Poll::Ready(None);
            }
            self.wake_by(cx.waker());
            match future.as_mut() {
                Some(future) => future.as_mut().poll(cx).map(Some),
                None => Poll::Ready(None),
            }
        })
        .await
    }

    /// Whether the future ended before it was stopped.
    pub(super) async fn unless_cancelled(&self, future: LocalFuture<()>) -> bool {
        self.race(future).await.is_some()
    }

    pub(super) async fn exchange(
        self: Rc<Self>,
        fetching: LocalFuture<Result<Response, Fault>>,
        url: String,
    ) -> Result<Incoming, Rejection> {
        let response = match self.race(fetching).await {
            None | Some(Err(Fault::Network)) => return Err(Rejection::Failed),
            Some(Err(Fault::Unconnected)) => return Err(Rejection::Unconnected),
            Some(Err(Fault::InvalidRequest)) => return Err(Rejection::Refused(ErrorCode::InvalidRequest, None)),
            Some(Err(Fault::Unsupported)) => return Err(Rejection::Refused(ErrorCode::Unsupported, None)),
            Some(Err(Fault::Refused(reason))) => {
                return Err(Rejection::Refused(ErrorCode::Unsupported, Some(reason.into())));
            }
            Some(Ok(response)) => response,
        };
        let has_body = response.body.is_some();
        if let Ok(mut body) = self.body.try_borrow_mut() {
            *body = response.body;
        }
        Ok(Incoming {
            line: self,
            status: response.status,
            url: response.url.unwrap_or(url),
            redirected: response.redirected,
            headers: response.headers,
            has_body,
        })
    }
}

/// Stops a request.
pub(crate) struct Abort(pub(super) Rc<Line>);

impl Abort {
    pub(crate) fn abort(&self) {
        self.0.cancel();
    }

    /// Nothing is shared here.
    #[expect(clippy::unused_self, reason = "as in a page")]
    pub(crate) fn sent(&self) {}
}

/// A response whose body can be read once.
pub(crate) struct Incoming {
    line: Rc<Line>,
    status: u16,
    url: String,
    redirected: bool,
    headers: Vec<(String, String)>,
    has_body: bool,
}

impl Incoming {
    /// No CORS hides anything here.
    #[expect(clippy::unused_self, reason = "as in a page")]
    pub(crate) fn hides_retry_after(&self) -> bool {
        false
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(crate) fn url(&self) -> String {
        match self.url.split_once('#') {
            Some((before, _)) => before.to_owned(),
            None => self.url.clone(),
        }
    }

    pub(crate) fn redirected(&self) -> bool {
        self.redirected
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        self.headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect()
    }

    pub(crate) fn has_body(&self, method: &str) -> bool {
        self.has_body && may_have_body(method, self.status)
    }

    pub(crate) fn content_length(&self) -> Option<u64> {
        length_of(|name| self.header(name))
    }

    pub(crate) fn retry_after(&self, wall: u64) -> Option<Millis> {
        wait_of(|name| self.header(name), wall)
    }

    /// Nobody but us can read it.
    pub(crate) fn is_used(&self) -> bool {
        false
    }

    /// The start of the body. All of it stays to be read.
    pub(crate) async fn peek(&self, most: usize) -> Vec<u8> {
        let (mut start, mut chunks) = (Vec::new(), VecDeque::new());
        while start.len() < most
            && let Some(chunk) = poll_fn(|cx| self.poll_chunk(cx)).await
        {
            let broken = chunk.is_err();
            start.extend(chunk.iter().flatten());
            chunks.push_back(chunk);
            if broken {
                break;
            }
        }
        start.truncate(most);
        if let Ok(mut peeked) = self.line.peeked.try_borrow_mut() {
            *peeked = chunks;
        }
        start
    }

    pub(crate) fn poll_chunk(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Broken>>> {
        let peeked = self.line.peeked.try_borrow_mut().ok().and_then(|mut peeked| peeked.pop_front());
        if peeked.is_some() && !self.line.cancelled.get() {
            return Poll::Ready(peeked);
        }
        self.line.wake_by(cx.waker());
        if self.line.ready.get() >= TURN && !self.line.cancelled.get() {
            self.line.ready.set(0);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(mut body) = self.line.body.try_borrow_mut().ok().and_then(|mut body| body.take()) else {
            let cancelled = self.line.cancelled.get();
            return Poll::Ready(cancelled.then_some(Err(Broken)));
        };
        let polled = body.poll_chunk(cx).map(|chunk| chunk.map(|chunk| chunk.map_err(|_| Broken)));
        let ready = self.line.ready.get();
        self.line.ready.set(if polled.is_ready() { ready.saturating_add(1) } else { 0 });
        let more = !matches!(polled, Poll::Ready(None | Some(Err(_))));
        if more
            && !self.line.cancelled.get()
            && let Ok(mut place) = self.line.body.try_borrow_mut()
        {
            *place = Some(body);
        }
        polled
    }

    pub(crate) fn cancel(&self) {
        self.line.cancel();
    }
}
