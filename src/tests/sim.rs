//! A server that answers by a script, in virtual time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

pub(crate) use crate::testing::world::{now, sleep, tasks, throttle};
use crate::testing::world::{pass, renew, run_to_end, spawn, timer};
use crate::transport::{Chunks, Fault, LocalFuture, Request, Response, Transport};
use crate::{Client, ClientBuilder};

#[derive(Default)]
struct World {
    script: VecDeque<Answer>,
    /// What answers in place of the script.
    server: Option<Server>,
    requests: Vec<Request>,
    closed: u32,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
}

type Server = Rc<dyn Fn(&Request) -> Answer>;

/// How the server answers one request, and after how many milliseconds.
pub(crate) enum Answer {
    /// With this response.
    Response(u64, Response),
    /// Not at all: the connection breaks.
    Fault(u64, Fault),
    /// Never.
    Silence,
}

pub(crate) fn ok(body: &str) -> Answer {
    Answer::Response(10, Response::new(200).with_body(body))
}

pub(crate) fn status(status: u16) -> Answer {
    Answer::Response(10, Response::new(status).with_body("{\"why\":\"because\"}"))
}

pub(crate) fn lost() -> Answer {
    Answer::Fault(10, Fault::Network)
}

/// Headers at once, then chunks after so many milliseconds each. `None` is a break, and without an end it stays silent.
pub(crate) fn drip(chunks: Vec<(u64, Option<&str>)>, ends: bool) -> Answer {
    let chunks = chunks
        .into_iter()
        .map(|(after, text)| (after, text.map(|text| text.as_bytes().to_vec()).ok_or(Fault::Network)))
        .collect();
    Answer::Response(10, Response::new(200).with_chunks(Drip { chunks, ends, sleep: None, open: true }))
}

fn world<R>(act: impl FnOnce(&mut World) -> R) -> R {
    WORLD.with_borrow_mut(act)
}

pub(crate) struct Sim;

impl Transport for Sim {
    fn fetch(&self, request: Request) -> LocalFuture<Result<Response, Fault>> {
        let server = world(|world| {
            world.requests.push(request.clone());
            world.server.clone()
        });
        let answer = match server {
            Some(server) => server(&request),
            None => world(|world| world.script.pop_front().expect("an unexpected request")),
        };
        let open = Open(true);
        Box::pin(async move {
            // Whole: a closure would capture its field alone.
            let mut open = open;
            let result = match answer {
                Answer::Response(after, response) => {
                    sleep(after).await;
                    Ok(response)
                }
                Answer::Fault(after, fault) => {
                    sleep(after).await;
                    Err(fault)
                }
                Answer::Silence => std::future::pending().await,
            };
            open.0 = false;
            result
        })
    }

    fn now(&self) -> Duration {
        now()
    }

    fn wall(&self) -> Duration {
        Duration::from_secs(1_795_953_600) + now()
    }

    fn sleep(&self, span: Duration) -> LocalFuture<()> {
        Box::pin(timer(span))
    }

    fn spawn(&self, task: LocalFuture<()>) {
        spawn(task);
    }

    fn seed(&self) -> [u32; 4] {
        [1, 2, 3, 4]
    }
}

/// Counts what is dropped before it was done.
struct Open(bool);

impl Drop for Open {
    fn drop(&mut self) {
        // A thread that ends drops its world first.
        if self.0 {
            let _ = WORLD.try_with(|world| world.borrow_mut().closed += 1);
        }
    }
}

struct Drip {
    chunks: VecDeque<(u64, Result<Vec<u8>, Fault>)>,
    ends: bool,
    sleep: Option<LocalFuture<()>>,
    open: bool,
}

impl Chunks for Drip {
    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
        let Some((after, _)) = self.chunks.front() else {
            if !self.ends {
                return Poll::Pending;
            }
            self.open = false;
            return Poll::Ready(None);
        };
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep(*after)));
        if sleep.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.sleep = None;
        let (_, chunk) = self.chunks.pop_front().unwrap();
        self.open = chunk.is_ok();
        Poll::Ready(Some(chunk))
    }
}

/// Chunks that are there at once, then a break.
pub(crate) struct Broken(pub(crate) Vec<Vec<u8>>);

impl Chunks for Broken {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
        Poll::Ready(Some(if self.0.is_empty() { Err(Fault::Network) } else { Ok(self.0.remove(0)) }))
    }
}

/// Chunks of so many bytes that are always there at once, each after a millisecond of work.
pub(crate) struct Flood(pub(crate) usize);

impl Chunks for Flood {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Vec<u8>, Fault>>> {
        pass(1);
        Poll::Ready(Some(Ok(vec![0; self.0])))
    }
}

impl Drop for Drip {
    fn drop(&mut self) {
        drop(Open(self.open));
    }
}

/// A new world, and a client in it.
pub(crate) fn client(script: Vec<Answer>) -> ClientBuilder {
    renew();
    let old = world(|world| std::mem::replace(world, World { script: script.into(), ..World::default() }));
    drop(old);
    Client::builder().base_url("https://api.test/v1/").transport(Sim)
}

/// The same, with a server that looks at the requests.
pub(crate) fn server(answer: impl Fn(&Request) -> Answer + 'static) -> ClientBuilder {
    let builder = client(Vec::new());
    world(|world| world.server = Some(Rc::new(answer)));
    builder
}

/// Further answers.
pub(crate) fn script(answers: Vec<Answer>) {
    world(|world| world.script.extend(answers));
}

/// What the server has seen.
pub(crate) fn requests() -> Vec<Request> {
    world(|world| world.requests.clone())
}

/// How many requests were stopped before their end.
pub(crate) fn closed() -> u32 {
    world(|world| world.closed)
}

/// Runs a future and every task, to the future's end.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    run_to_end(future).expect("everything waits and no timer is set, or a task never rests")
}

/// Runs futures at the same time, to the end of all of them.
pub(crate) fn join<T>(futures: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut parts: Vec<_> = futures.into_iter().map(|future| (Some(Box::pin(future)), None)).collect();
    run(poll_fn(|cx| {
        for (future, value) in &mut parts {
            if let Some(running) = future
                && let Poll::Ready(done) = running.as_mut().poll(cx)
            {
                (*future, *value) = (None, Some(done));
            }
        }
        if parts.iter().any(|(_, value)| value.is_none()) { Poll::Pending } else { Poll::Ready(()) }
    }));
    parts.into_iter().map(|(_, value)| value.unwrap()).collect()
}

/// A future of any kind.
pub(crate) type Boxed<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + 'a>>;

/// Waits for something no longer than so many milliseconds, then drops it.
pub(crate) async fn give_up_after<T>(ms: u64, future: impl Future<Output = T>) -> Option<T> {
    let (mut future, mut wait) = (pin!(future), pin!(sleep(ms)));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => wait.as_mut().poll(cx).map(|()| None),
    })
    .await
}
