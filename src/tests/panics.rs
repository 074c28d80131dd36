//! A panic in a callback, where it unwinds: `tests/browser` has the same where it does not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::sim::{Answer, client, lost, ok, run, sleep, status};
use crate::transport::Response;
use crate::{Auth, AuthError, ErrorKind, EventKind, Queue, Refreshed, RequestBuilder, Retry};

/// Runs a future whose tasks may panic, as an executor would that catches them.
fn survive<T>(future: impl Future<Output = T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(|| run(future))).ok()
}

#[test]
fn a_panic_of_an_observer_frees_what_its_call_held() {
    let names = [EventKind::AttemptStart, EventKind::Queued];
    for wanted in names {
        let api = client(vec![ok("a"), ok("b"), ok("c")]).queue(Queue::new(1)).build().unwrap();
        let holder = api.get("a").send();
        let victim = api.get("b").on_event(move |event| {
            assert!(std::mem::discriminant(&event.kind) != std::mem::discriminant(&wanted), "a callback of the test");
        });
        let victim = victim.send();
        assert!(survive(async { join_two(holder, victim).await }).is_none());
        let text = run(async { api.get("c").send().await?.text().await }).unwrap();
        assert!(["a", "b", "c"].contains(&text.as_str()));
    }
}

async fn join_two(one: crate::Pending, other: crate::Pending) {
    let _held = one.await.unwrap();
    let _ = other.await;
}

#[test]
fn a_panic_in_a_task_of_ours_ends_the_call_that_waits() {
    let retry = || Retry::new().delay(Duration::ZERO);
    type Adapt = fn(RequestBuilder) -> RequestBuilder;
    let rows: [(Adapt, fn() -> Answer); 2] = [
        (|call| call.throw_http_errors_for(|_| panic!("a callback of the test")), || status(404)),
        (|call| call.retry(Retry::new().should_retry(|_, _| panic!("a callback of the test"))), lost),
    ];
    for (adapt, answer) in rows {
        let api = client(vec![answer(), ok("well")]).retry(retry()).timeout(None).total_timeout(None).build().unwrap();
        let call = adapt(api.get("a")).send();
        // The executor drops a task that has panicked; the one that waits for the call is another.
        let mut call = Box::pin(call);
        assert!(survive(call.as_mut()).is_none());
        assert_eq!(run(call).unwrap_err().kind(), ErrorKind::Callback);
        assert_eq!(run(async { api.get("b").send().await?.text().await }).unwrap(), "well");
    }
}

#[test]
fn a_panic_of_a_refresh_ends_the_call_that_waits_for_it() {
    let auth = Auth::new(
        |_| async { Ok(Some("old".to_owned())) },
        |_| async {
            sleep(5).await;
            assert!(std::thread::panicking(), "a callback of the test");
            Ok::<_, AuthError>(Refreshed::Renewed)
        },
    );
    let api =
        client(vec![Answer::Response(1, Response::new(401))]).auth(auth.refresh_timeout(Duration::from_secs(600)));
    let api = api.total_timeout(None).timeout(None).build().unwrap();
    let mut call = Box::pin(api.get("a").send());
    assert!(survive(call.as_mut()).is_none());
    let error = run(call).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AuthRefreshFailed);
    assert!(error.elapsed() < Duration::from_secs(1), "at once: {:?}", error.elapsed());
}
