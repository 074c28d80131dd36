use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Reply, Request};
use crate::builder::ClientBuilder;
use crate::client::Client;

type Otherwise = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;

/// Answers the requests of its clients. A handle: its clones are the same script.
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    replies: VecDeque<Reply>,
    otherwise: Option<Otherwise>,
    requests: Vec<Request>,
}

impl Script {
    /// One without replies: its calls fail, of kind [`Unsupported`](crate::ErrorKind::Unsupported).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the reply to the next request that has none yet.
    pub fn reply(&self, reply: Reply) -> &Self {
        self.state().replies.push_back(reply);
        self
    }

    /// What answers the requests for which no [`reply`](Self::reply) is left.
    pub fn otherwise(&self, answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> &Self {
        self.state().otherwise = Some(Arc::new(answer));
        self
    }

    /// What it was asked so far, each attempt by itself.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// A client that it answers.
    pub fn client(&self) -> ClientBuilder {
        Client::builder().script(self)
    }

    /// A test that has panicked leaves its state as it is.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reply to a request, if there is one.
    pub(crate) fn answer(&self, request: Request) -> Option<Reply> {
        let mut state = self.state();
        let next = state.replies.pop_front();
        let otherwise = state.otherwise.clone();
        state.requests.push(request.clone());
        drop(state);
        next.or_else(|| Some(otherwise?(&request)))
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Script")
            .field("replies", &state.replies.len())
            .field("requests", &state.requests.len())
            .finish()
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod native {
    use std::future::poll_fn;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use super::super::reply::Kind;
    use super::super::{NO_REPLY, Request, world};
    use super::Script;
    use crate::transport::{Chunks, Fault, LocalFuture, Response, Transport};

    impl Transport for Script {
        fn fetch(&self, request: Request) -> LocalFuture<Result<Response, Fault>> {
            let reply = self.answer(request);
            Box::pin(async move {
                let Some(reply) = reply else { return Err(Fault::Refused(NO_REPLY)) };
                if reply.delay > Duration::ZERO {
                    world::timer(reply.delay).await;
                }
                match reply.kind {
                    Kind::Lost => Err(Fault::Network),
                    Kind::Never => std::future::pending().await,
                    Kind::Response { status, headers, body, cut } => {
                        let response = Response::new(status).with_chunks(Body { rest: Some(body), cut });
                        Ok(headers
                            .into_iter()
                            .fold(response, |response, (name, value)| response.with_header(name, value)))
                    }
                }
            })
        }

        fn fetch_streaming(&self, request: Request, mut body: Box<dyn Chunks>) -> LocalFuture<Result<Response, Fault>> {
            let script = self.clone();
            Box::pin(async move {
                let mut whole = Vec::new();
                while let Some(chunk) = poll_fn(|cx| body.poll_chunk(cx)).await {
                    whole.extend(chunk?);
                }
                script.fetch(request.with_body(whole)).await
            })
        }

        fn now(&self) -> Duration {
            world::now()
        }

        fn wall(&self) -> Duration {
            // 2026-12-01, midnight.
            Duration::from_secs(1_796_083_200).saturating_add(world::now())
        }

        fn sleep(&self, span: Duration) -> LocalFuture<()> {
            Box::pin(world::timer(span))
        }

        fn spawn(&self, task: LocalFuture<()>) {
            world::spawn(task);
        }

        fn seed(&self) -> [u32; 4] {
            [1, 2, 3, 4]
        }
    }

    struct Body {
        rest: Option<Vec<u8>>,
        cut: bool,
    }

    impl Chunks for Body {
        fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
            Poll::Ready(match self.rest.take() {
                Some(body) if !body.is_empty() => Some(Ok(body)),
                _ => self.cut.then_some(Err(Fault::Network)),
            })
        }
    }
}
