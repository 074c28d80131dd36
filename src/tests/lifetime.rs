//! How long what is kept for clients lives: no longer than they do.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::sim::{Sim, client, ok, run, script};
use crate::transport::{Fault, LocalFuture, Request, Response, Transport};
use crate::{Auth, Client, Refreshed, Scope};

/// Counts those that live.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Ordering::SeqCst);
        Self(alive.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Transport for Counted {
    fn fetch(&self, request: Request) -> LocalFuture<Result<Response, Fault>> {
        Sim.fetch(request)
    }
    fn now(&self) -> Duration {
        Sim.now()
    }
    fn wall(&self) -> Duration {
        Sim.wall()
    }
    fn sleep(&self, span: Duration) -> LocalFuture<()> {
        Sim.sleep(span)
    }
    fn spawn(&self, task: LocalFuture<()>) {
        Sim.spawn(task);
    }
    fn seed(&self) -> [u32; 4] {
        Sim.seed()
    }
}

/// A client of a server that renders pages: one for each request.
fn page(alive: &Arc<AtomicUsize>) -> crate::ClientBuilder {
    Client::builder().base_url("https://api.test/v1/").transport(Counted::new(alive))
}

#[test]
fn a_client_with_a_token_leaves_nothing_behind() {
    let alive = Arc::new(AtomicUsize::new(0));
    drop(client((0..50).map(|_| ok("x")).collect()));
    for _ in 0..50 {
        let api = page(&alive).auth(Auth::cookies(|_| async { Ok(Refreshed::Renewed) })).build().unwrap();
        run(api.get("a").send()).unwrap();
    }
    assert!(alive.load(Ordering::SeqCst) <= 1, "{alive:?} live");
}

#[test]
fn a_client_that_two_threads_had_leaves_nothing_behind() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (send, receive) = channel::<Client>();
    let (done, wait) = channel();
    let worker = thread::spawn(move || {
        drop(client(Vec::new()));
        for api in receive {
            script(vec![ok("x")]);
            run(api.get("a").send()).unwrap();
            drop(api);
            done.send(()).unwrap();
        }
    });
    for _ in 0..50 {
        let api = page(&alive).auth(Auth::cookies(|_| async { Ok(Refreshed::Renewed) })).build().unwrap();
        let scope = api.scope(Scope::new().total_timeout(Duration::from_secs(1))).unwrap();
        let _ = (scope.metrics(), api.circuits());
        drop(scope);
        send.send(api).unwrap();
        wait.recv().unwrap();
    }
    assert!(alive.load(Ordering::SeqCst) <= 1, "{alive:?} live");
    drop(send);
    worker.join().unwrap();
}

#[test]
fn a_driver_outlives_its_clients_while_a_call_is_under_way() {
    let alive = Arc::new(AtomicUsize::new(0));
    drop(client(vec![ok("x"), ok("y")]));
    let api = page(&alive).build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let call = scope.get("a").send();
    drop((api, scope));
    run(page(&alive).build().unwrap().get("b").send()).unwrap();
    assert_eq!(run(async { call.await?.text().await }).unwrap(), "y");
}

/// Closes its client when its thread ends.
struct Closer(Client);

impl Drop for Closer {
    fn drop(&mut self) {
        let _ = self.0.metrics();
        self.0.close();
    }
}

thread_local! {
    static CLOSER: RefCell<Option<Closer>> = const { RefCell::new(None) };
}

#[test]
fn a_client_may_be_closed_by_what_ends_with_its_thread() {
    let ended = thread::spawn(|| {
        // Registered first, so it is dropped when the drivers are gone.
        CLOSER.set(None);
        let api = client(vec![ok("x")]).build().unwrap();
        run(api.get("a").send()).unwrap();
        CLOSER.set(Some(Closer(api)));
    });
    ended.join().unwrap();
}
