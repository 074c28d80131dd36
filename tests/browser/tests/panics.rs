//! A panic in a callback of the caller. On wasm32 it unwinds nothing: the exception leaves the module, and no destructor runs.
//! The call that ran the callback ends or goes on; every other call, and every limit, holds.
#![cfg(target_family = "wasm")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, ready, select};
use steadfetch::{
    Auth, AuthError, CircuitBreaker, Client, ClientBuilder, Error, ErrorKind, Event, EventKind, Queue, Refreshed,
    RequestBuilder, Retry, Scope,
};
use steadfetch_browser_tests::{Patch, evaluate, sleep};
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;

const URL: &str = "https://api.example.test/";

/// A network for `/busy` (an answer when the test says so), `/never`, `/lost`, statuses such as `/404`, and all else.
const NETWORK: &str = "
    globalThis.steadfetchTestAnswers = [];
    return (url, init) => new Promise((resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(init.signal.reason));
      if (url.includes('/busy')) globalThis.steadfetchTestAnswers.push(() => resolve(new Response('well')));
      else if (url.includes('/lost')) reject(new TypeError('Failed to fetch'));
      else if (!url.includes('/never')) {
        const status = Number(/\\/([45]\\d\\d)/.exec(url)?.[1] ?? 200);
        queueMicrotask(() => resolve(new Response('well', { status })));
      }
    });";

/// Exceptions that leave the module by a task or a timer are the test's.
fn contained() -> [Patch; 2] {
    let guard = "return (act, ...rest) => original((...given) => {
      try { return act(...given); } catch (error) { (globalThis.steadfetchTestThrown ??= []).push(`${error}`); }
    }, ...rest);";
    [Patch::new("queueMicrotask", guard), Patch::new("setTimeout", guard)]
}

fn answer() {
    evaluate("globalThis.steadfetchTestAnswers.splice(0).forEach((answer) => answer())");
}

thread_local! {
    static EXPLODED: Cell<bool> = const { Cell::new(false) };
}

/// The first time only.
fn explode() {
    if !EXPLODED.replace(true) {
        panic!("a callback of the test");
    }
}

fn at(wanted: fn(&EventKind) -> bool) -> impl Fn(&Event) + Send + Sync + 'static {
    move |event| {
        if wanted(&event.kind) {
            explode();
        }
    }
}

fn tokens() -> Auth {
    Auth::new(
        |_| async { Ok(Some("old".to_owned())) },
        |_| async { Ok::<_, AuthError>(Refreshed::Token("new".to_owned())) },
    )
}

/// How its own call ends where a callback has panicked.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ends {
    /// The panic was in the task that waits for it, so nobody does any more.
    Unseen,
    With(ErrorKind),
}

type Make = fn(ClientBuilder) -> (ClientBuilder, &'static str);
type Row = (&'static str, Make, fn(RequestBuilder) -> RequestBuilder, Ends);

fn plain(call: RequestBuilder) -> RequestBuilder {
    call
}

fn rows() -> Vec<Row> {
    vec![
        (
            "call-start",
            |api| (api.on_event(at(|kind| matches!(kind, EventKind::CallStart { .. }))), "a"),
            plain,
            Ends::Unseen,
        ),
        (
            "attempt-start",
            |api| (api.on_event(at(|kind| matches!(kind, EventKind::AttemptStart))), "a"),
            plain,
            Ends::Unseen,
        ),
        (
            "attempt-end",
            |api| (api.on_event(at(|kind| matches!(kind, EventKind::AttemptEnd { .. }))), "404"),
            plain,
            Ends::With(ErrorKind::Http),
        ),
        (
            "retry",
            |api| (api.on_event(at(|kind| matches!(kind, EventKind::Retry { .. }))), "lost"),
            plain,
            Ends::With(ErrorKind::Network),
        ),
        (
            "second attempt-start",
            |api| {
                let retried = std::sync::atomic::AtomicBool::new(false);
                let api = api.on_event(move |event| match event.kind {
                    EventKind::Retry { .. } => retried.store(true, std::sync::atomic::Ordering::Relaxed),
                    EventKind::AttemptStart if retried.load(std::sync::atomic::Ordering::Relaxed) => explode(),
                    _ => {}
                });
                (api, "lost")
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "call-end",
            |api| (api.on_event(at(|kind| matches!(kind, EventKind::CallEnd { .. }))), "404"),
            plain,
            Ends::With(ErrorKind::Http),
        ),
        (
            "refresh",
            |api| (api.auth(tokens()).on_event(at(|kind| matches!(kind, EventKind::Refresh { .. }))), "401"),
            plain,
            // The answer to the second token.
            Ends::With(ErrorKind::Http),
        ),
        (
            "should_retry",
            |api| {
                (
                    api.retry(Retry::new().should_retry(|_, _| {
                        explode();
                        None
                    })),
                    "lost",
                )
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "delay_with",
            |api| {
                (
                    api.retry(Retry::new().delay_with(|_| {
                        explode();
                        Duration::ZERO
                    })),
                    "lost",
                )
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "jitter_with",
            |api| {
                (
                    api.retry(Retry::new().jitter_with(|_| {
                        explode();
                        Duration::ZERO
                    })),
                    "lost",
                )
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "throw_http_errors_for",
            |api| {
                (
                    api.throw_http_errors_for(|_| {
                        explode();
                        true
                    }),
                    "404",
                )
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        ("on_download_progress", |api| (api.on_download_progress(|_| explode()), "a"), plain, Ends::Unseen),
        (
            "queue.key",
            |api| {
                (
                    api.queue(Queue::new(1).key(|_| {
                        explode();
                        String::new()
                    })),
                    "a",
                )
            },
            plain,
            Ends::Unseen,
        ),
        (
            "circuit_breaker.key",
            |api| {
                (
                    api.circuit_breaker(CircuitBreaker::new().key(|_| {
                        explode();
                        String::new()
                    })),
                    "a",
                )
            },
            plain,
            Ends::Unseen,
        ),
        (
            "get_token",
            |api| {
                let auth = Auth::new(
                    |_| {
                        explode();
                        async { Ok(Some("old".to_owned())) }
                    },
                    |_| async { Ok::<_, AuthError>(Refreshed::Renewed) },
                );
                (api.auth(auth), "a")
            },
            plain,
            Ends::Unseen,
        ),
        (
            "the future of get_token",
            |api| {
                let auth = Auth::new(
                    |_| async {
                        sleep(1).await;
                        explode();
                        Ok(Some("old".to_owned()))
                    },
                    |_| async { Ok::<_, AuthError>(Refreshed::Renewed) },
                );
                (api.auth(auth), "a")
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "refresh_token",
            |api| {
                let auth = Auth::new(
                    |_| async { Ok(Some("old".to_owned())) },
                    |_| async {
                        explode();
                        Ok::<_, AuthError>(Refreshed::Token("new".to_owned()))
                    },
                );
                (api.auth(auth), "401")
            },
            plain,
            Ends::With(ErrorKind::AuthRefreshFailed),
        ),
        (
            "should_refresh",
            |api| {
                (
                    api.auth(tokens().should_refresh(|_| {
                        explode();
                        false
                    })),
                    "404",
                )
            },
            plain,
            Ends::With(ErrorKind::Callback),
        ),
        (
            "expires_at",
            |api| {
                (
                    api.auth(tokens().expires_at(|_| {
                        explode();
                        None
                    })),
                    "a",
                )
            },
            plain,
            Ends::Unseen,
        ),
    ]
}

/// Starts a call in a task of its own, and says how it ended.
fn start(call: RequestBuilder) -> Rc<RefCell<Option<Result<String, Error>>>> {
    let place = Rc::new(RefCell::new(None));
    let ended = place.clone();
    spawn_local(async move {
        let result = async { call.send().await?.text().await }.await;
        *ended.borrow_mut() = Some(result);
    });
    place
}

async fn until(what: &str, done: impl Fn() -> bool) {
    let limit = async {
        while !done() {
            sleep(2).await;
        }
    };
    let patience = sleep(5_000);
    futures_util::pin_mut!(limit, patience);
    assert!(matches!(select(limit, patience).await, Either::Left(_)), "{what}");
}

#[wasm_bindgen_test]
async fn a_panic_in_a_callback_harms_no_other_call() {
    let network = Patch::new("fetch", NETWORK);
    let contained = contained();
    for (name, make, adapt, ends) in rows() {
        EXPLODED.set(false);
        let quick = Retry::new().limit(1).delay(Duration::ZERO);
        let calm = Client::builder().retry(quick.clone()).build().unwrap();
        // One that was under way before, and one that only its limit ends.
        let mut other = Box::pin(async { calm.get([URL, "busy"].concat()).send().await?.text().await });
        assert!(matches!(select(&mut other, ready(())).await, Either::Right(_)));
        let limited = start(calm.get([URL, "never"].concat()).total_timeout(Duration::from_millis(60)));

        let (api, path) = make(Client::builder().base_url(URL).retry(quick));
        let api = api.total_timeout(Duration::from_secs(20)).timeout(None).build().unwrap();
        let call = adapt(api.get(path));
        let victim = start(call);
        until(&format!("{name}: it panics"), || EXPLODED.get()).await;
        match ends {
            Ends::Unseen => assert!(victim.borrow().is_none(), "{name}: {victim:?}"),
            Ends::With(expected) => {
                until(&format!("{name}: its own call settles"), || victim.borrow().is_some()).await;
                let kind = victim.borrow_mut().take().unwrap().unwrap_err().kind();
                assert_eq!(kind, expected, "{name}");
            }
        }

        // The client itself lives on, and so do the others.
        let again = start(api.get("a"));
        until(&format!("{name}: the same client"), || again.borrow().is_some()).await;
        assert_eq!(again.borrow_mut().take().unwrap().as_deref(), Ok("well"), "{name}");
        let fresh = start(calm.get(URL));
        until(&format!("{name}: another client"), || fresh.borrow().is_some()).await;
        until(&format!("{name}: a limit"), || limited.borrow().is_some()).await;
        let error = limited.borrow_mut().take().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DeadlineExceeded, "{name}");
        answer();
        assert_eq!(other.await.as_deref(), Ok("well"), "{name}");
    }
    drop((contained, network));
}

#[wasm_bindgen_test]
async fn a_panic_leaves_no_slot_of_a_queue_taken() {
    let network = Patch::new("fetch", NETWORK);
    let contained = contained();
    let api = Client::builder().base_url(URL).queue(Queue::new(1)).timeout(None).total_timeout(None).idle_timeout(None);
    let api = api.build().unwrap();
    for kind in ["attempt-start", "progress"] {
        EXPLODED.set(false);
        let call = api.get("a");
        start(match kind {
            "progress" => call.on_download_progress(|_| explode()),
            _ => call.on_event(at(|kind| matches!(kind, EventKind::AttemptStart))),
        });
        let next = start(api.get("a"));
        until(kind, || next.borrow().is_some()).await;
        assert!(EXPLODED.get());
        assert_eq!(next.borrow_mut().take().unwrap().as_deref(), Ok("well"), "{kind}");
    }
    drop((contained, network));
}

#[wasm_bindgen_test]
async fn a_panic_at_the_end_of_a_call_ends_its_scope_all_the_same() {
    let network = Patch::new("fetch", NETWORK);
    let contained = contained();
    EXPLODED.set(false);
    let api =
        Client::builder().base_url(URL).on_event(at(|kind| matches!(kind, EventKind::CallEnd { .. }))).build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let sibling = start(scope.get("never"));
    start(scope.get("404"));
    until("the sibling", || sibling.borrow().is_some()).await;
    assert_eq!(sibling.borrow_mut().take().unwrap().unwrap_err().kind(), ErrorKind::Aborted);
    drop((contained, network));
}
