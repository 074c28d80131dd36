//! The token refresh: what the server sees, and what each call comes to.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::sim::{Answer, client, give_up_after, join, lost, now, ok, requests, run, server, sleep, status, tasks};
use crate::transport::{Request, Response};
use crate::{
    Auth, AuthError, CircuitBreaker, Client, Error, ErrorKind, EventKind, Outcome, Phase, Queue, Refreshed, Retry,
    RetryStopped, Scope,
};

const MS: Duration = Duration::from_millis(1);

/// Where an app keeps its token.
#[derive(Clone, Default)]
pub(super) struct Store(Arc<Mutex<Option<String>>>);

impl Store {
    pub(super) fn of(token: &str) -> Self {
        let store = Self::default();
        store.set(Some(token));
        store
    }

    pub(super) fn set(&self, token: Option<&str>) {
        *self.0.lock().unwrap() = token.map(str::to_owned);
    }

    pub(super) fn get(&self) -> Option<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Gives what the store has; refreshes by a POST of its own client, whose answer is the token.
pub(super) fn auth(store: &Store) -> Auth {
    let (own, tokens) = (store.clone(), store.clone());
    Auth::new(
        move |_| {
            let token = own.get();
            async { Ok(token) }
        },
        move |context| {
            let tokens = tokens.clone();
            async move {
                let token = context.client().post("refresh").send().await?.text().await?;
                tokens.set(Some(&token));
                Ok(Refreshed::Token(token))
            }
        },
    )
}

pub(super) fn is_refresh(request: &Request) -> bool {
    request.url().ends_with("/refresh")
}

/// A 401, unless the request has this token; a refresh gives it after so many milliseconds.
pub(super) fn guarded(token: &'static str, refresh_after: u64) -> impl Fn(&Request) -> Answer {
    move |request| match request.header("authorization") {
        _ if is_refresh(request) => Answer::Response(refresh_after, Response::new(200).with_body(token)),
        Some(given) if given == format!("Bearer {token}") => ok("x"),
        _ => status(401),
    }
}

pub(super) async fn get(api: &Client) -> Result<String, Error> {
    api.get("a").send().await?.text().await
}

/// How many of each: refreshes, others.
pub(super) fn counts() -> (usize, usize) {
    let all = requests();
    let refreshes = all.iter().filter(|request| is_refresh(request)).count();
    (refreshes, all.len() - refreshes)
}

fn tokens() -> Vec<Option<String>> {
    let of = |request: &Request| request.header("authorization").map(str::to_owned);
    requests().iter().filter(|request| !is_refresh(request)).map(of).collect()
}

#[test]
fn h01_however_many_are_refused_there_is_one_refresh() {
    for calls in [20, 1_000] {
        let api = server(guarded("new", 100)).auth(auth(&Store::of("old"))).retry(Retry::none()).build().unwrap();
        for result in join((0..calls).map(|_| get(&api))) {
            assert_eq!(result.unwrap(), "x");
        }
        assert_eq!((counts(), now()), ((1, 2 * calls), 120 * MS));
        let metrics = api.metrics();
        assert_eq!((metrics.retries, metrics.resent, metrics.refreshes), (0, calls as u64, 1));
        assert_eq!((metrics.in_flight, tasks()), (0, 0));
    }
}

#[test]
fn who_starts_during_a_refresh_waits_for_it() {
    let api = server(guarded("new", 100)).auth(auth(&Store::of("old"))).build().unwrap();
    join([0, 30, 60].map(|at| {
        let api = &api;
        async move {
            sleep(at).await;
            get(api).await.unwrap();
        }
    }));
    assert_eq!(counts(), (1, 4));
}

#[test]
fn h02_a_refresh_that_is_refused_too_is_no_loop() {
    for row in 0..3 {
        thread_local! {
            static OWN: RefCell<Option<Client>> = const { RefCell::new(None) };
        }
        let auth = Auth::new(
            |_| async { Ok(Some("old".to_owned())) },
            move |context| async move {
                let outer = OWN.with_borrow(|own| own.clone()).unwrap();
                let request = match row {
                    0 => context.client().post("refresh"),
                    1 => outer.post("refresh").auth(false),
                    _ => outer.post("refresh"),
                };
                Ok(Refreshed::Token(request.send().await?.text().await?))
            },
        );
        let api = server(|_| status(401)).auth(auth).build().unwrap();
        OWN.set(Some(api.clone()));
        for result in join((0..5).map(|_| get(&api))) {
            let error = result.unwrap_err();
            assert_eq!((error.kind(), error.status()), (ErrorKind::AuthRefreshFailed, Some(401)), "row {row}");
            assert_eq!((error.phase(), error.session_lost()), (Some(Phase::Refresh), true));
            let source = std::error::Error::source(&error).unwrap().downcast_ref::<Error>().unwrap();
            assert_eq!((source.kind(), source.status()), (ErrorKind::Http, Some(401)));
        }
        assert_eq!((counts(), now()), ((1, 5), 20 * MS), "row {row}");
        // A later one may try once more.
        assert_eq!(run(get(&api)).unwrap_err().kind(), ErrorKind::AuthRefreshFailed);
        assert_eq!(counts(), (2, 6));
        OWN.set(None);
    }
}

#[test]
fn h04_a_second_401_is_the_answer_for_everybody() {
    let refused = |request: &Request| if is_refresh(request) { ok("new") } else { status(401) };
    let api = server(refused).auth(auth(&Store::of("old"))).build().unwrap();
    for result in join([get(&api), get(&api)]) {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.attempts().len()), (ErrorKind::Http, Some(401), 2));
        assert_eq!([false, true], [0, 1].map(|at: usize| error.attempts()[at].resend()));
        assert_eq!(error.data(), Some("{\"why\":\"because\"}"));
    }
    assert_eq!(counts(), (1, 4));
}

#[test]
fn h08_a_call_of_a_callback_goes_without_token_and_slot() {
    thread_local! {
        static OWN: RefCell<Option<Client>> = const { RefCell::new(None) };
    }
    let profile = || async {
        let own = OWN.with_borrow(|own| own.clone()).unwrap();
        Ok(Some(own.get("profile").send().await?.text().await?))
    };
    let auth = Auth::new(move |_| profile(), |_| async { Ok(Refreshed::SessionLost) });
    let events = Arc::new(AtomicU32::new(0));
    let told = events.clone();
    let api = server(|_| ok("token"))
        .auth(auth)
        .queue(Queue::new(1))
        .on_event(move |event| {
            if matches!(event.kind, EventKind::CallEnd { .. }) {
                told.fetch_add(1, Ordering::Relaxed);
            }
        })
        .build()
        .unwrap();
    OWN.set(Some(api.clone()));
    run(get(&api)).unwrap();
    assert_eq!(tokens(), [None, Some("Bearer token".to_owned())]);
    assert_eq!((now(), events.load(Ordering::Relaxed)), (20 * MS, 2));
    OWN.set(None);
}

#[test]
fn h08_an_observer_of_the_refresh_may_call() {
    thread_local! {
        static OWN: RefCell<Option<Client>> = const { RefCell::new(None) };
        static KEPT: RefCell<Option<crate::Pending>> = const { RefCell::new(None) };
    }
    let log = Arc::new(Mutex::new(Vec::new()));
    let told = log.clone();
    let api = server(guarded("new", 100))
        .auth(auth(&Store::of("old")))
        .on_event(move |event| {
            if let EventKind::Refresh { ok, elapsed, .. } = event.kind {
                told.lock().unwrap().push((ok, elapsed, event.phase));
                let own = OWN.with_borrow(|own| own.clone()).unwrap();
                KEPT.set(Some(own.get("b").send()));
            }
        })
        .build()
        .unwrap();
    OWN.set(Some(api.clone()));
    join((0..3).map(|_| get(&api))).into_iter().for_each(|result| drop(result.unwrap()));
    assert_eq!(*log.lock().unwrap(), [(true, 100 * MS, Some(Phase::Refresh))], "once, whoever waited");
    assert_eq!(run(KEPT.take().unwrap()).unwrap().status(), 200);
    assert_eq!(tokens().last().unwrap().as_deref(), Some("Bearer new"), "an ordinary call");
    OWN.set(None);
}

#[test]
fn h09_a_refresh_needs_no_slot() {
    let api = server(guarded("new", 100)).auth(auth(&Store::of("old"))).queue(Queue::new(2)).build().unwrap();
    join((0..4).map(|_| get(&api))).into_iter().for_each(|result| drop(result.unwrap()));
    assert_eq!(counts().0, 1);
    assert!(now() < 200 * MS, "{:?}", now());
    assert_eq!((api.metrics().in_flight, api.metrics().waiting), (0, 0));
}

#[test]
fn h14_clients_with_one_auth_share_its_refresh() {
    let shared = auth(&Store::of("old"));
    let builder = server(guarded("new", 100));
    let one = builder.clone().auth(shared.clone()).build().unwrap();
    let view = one.extend().header("X-A", "b").build().unwrap();
    let other = builder.auth(shared).build().unwrap();
    join([get(&one), get(&other), get(&view)]).into_iter().for_each(|result| drop(result.unwrap()));
    assert_eq!(counts(), (1, 6));
}

#[test]
fn auths_that_differ_know_nothing_of_each_other() {
    let builder = server(guarded("new", 100));
    let store = Store::of("old");
    let shared = auth(&store);
    let one = builder.clone().auth(shared.clone()).build().unwrap();
    let other = builder.auth(shared.refresh_before(MS)).build().unwrap();
    join([get(&one), get(&other)]).into_iter().for_each(|result| drop(result.unwrap()));
    assert_eq!(counts(), (2, 4));
}

#[test]
fn h15_a_network_that_is_down_logs_nobody_out() {
    let down = |request: &Request| if is_refresh(request) { lost() } else { status(401) };
    let api = server(down).auth(auth(&Store::of("old"))).retry(Retry::none()).build().unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.kind(), error.session_lost()), (ErrorKind::AuthRefreshFailed, false));
    let source = std::error::Error::source(&error).unwrap().downcast_ref::<Error>().unwrap();
    assert_eq!(source.kind(), ErrorKind::Network);
    // 1b: the callback tries again by itself.
    let tries = Arc::new(AtomicU32::new(0));
    let serve = move |request: &Request| match is_refresh(request) {
        true if tries.fetch_add(1, Ordering::Relaxed) == 0 => lost(),
        _ => guarded("new", 10)(request),
    };
    let auth_again = Auth::new(
        |_| async { Ok(Some("old".to_owned())) },
        |context| async move {
            let again = || async { context.client().post("refresh").send().await?.text().await };
            let token = match again().await {
                Ok(token) => token,
                Err(_) => again().await?,
            };
            Ok(token.into())
        },
    );
    let api = server(serve).auth(auth_again).build().unwrap();
    run(get(&api)).unwrap();
    // 2: the server says that the session is over.
    let over = |request: &Request| status(if is_refresh(request) { 400 } else { 401 });
    let api = server(over).auth(auth(&Store::of("old"))).build().unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.session_lost(), error.status(), counts()), (true, Some(401), (1, 1)));
}

#[test]
fn a_callback_may_say_that_the_session_is_over() {
    let ends: [fn() -> Result<Refreshed, AuthError>; 4] = [
        || Ok(Refreshed::SessionLost),
        || Err(AuthError::new("over").with_session_lost()),
        || Err(AuthError::new("over").with_status(401)),
        || Err(AuthError::new("for now").with_status(503)),
    ];
    for (row, end) in ends.into_iter().enumerate() {
        let api = client(vec![status(401)]).auth(Auth::cookies(move |_| async move { end() })).build().unwrap();
        let error = run(get(&api)).unwrap_err();
        assert_eq!((error.kind(), error.session_lost()), (ErrorKind::AuthRefreshFailed, row < 3), "row {row}");
        assert!(!error.to_string().contains("over"));
    }
}

#[test]
fn h16_a_refused_post_is_sent_once_more_and_never_again() {
    let api = client(vec![status(401), ok("new"), lost()]).auth(auth(&Store::of("old"))).retry(3).build().unwrap();
    let error = run(api.post("a").body("x").send()).unwrap_err();
    assert_eq!((error.kind(), error.outcome()), (ErrorKind::Network, Outcome::Unknown));
    assert_eq!((counts(), api.metrics().retries), ((1, 2), 0));
}

#[test]
fn e01_a_body_is_sent_again_as_it_was() {
    let store = Store::of("old");
    let api = client(vec![lost(), status(401), ok("new"), ok("")])
        .auth(auth(&store))
        .retry(Retry::new().limit(1).delay(MS))
        .build()
        .unwrap();
    run(api.put("a").body("abc").send()).unwrap();
    let bodies: Vec<_> =
        requests().iter().filter(|request| !is_refresh(request)).map(|r| r.body().unwrap().to_vec()).collect();
    assert_eq!(bodies, [b"abc"; 3]);
    assert_eq!(api.metrics().retries, 1);
}

#[test]
fn g03_every_request_of_a_call_has_the_same_key() {
    let api = client(vec![lost(), status(401), ok("new"), ok("")])
        .auth(auth(&Store::of("old")))
        .retry(Retry::new().limit(2).delay(MS))
        .build()
        .unwrap();
    run(api.post("a").header("Idempotency-Key", "\"k\"").body("x").send()).unwrap();
    let keys: Vec<_> = requests().iter().filter_map(|r| r.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, ["\"k\""; 3]);
}

#[test]
fn a06_a_401_that_nobody_may_read_starts_no_refresh() {
    let api = server(|_| lost()).auth(auth(&Store::of("old"))).retry(Retry::new().limit(2).delay(MS)).build().unwrap();
    assert_eq!(run(get(&api)).unwrap_err().kind(), ErrorKind::Network);
    assert_eq!(counts(), (0, 3));
    assert_eq!(run(api.post("a").send()).unwrap_err().kind(), ErrorKind::Network);
    assert_eq!(counts(), (0, 4));
}

#[test]
fn the_token_is_asked_for_before_every_send() {
    let store = Store::default();
    let api = server(|_| ok("x")).auth(auth(&store)).build().unwrap();
    run(get(&api)).unwrap();
    store.set(Some("a"));
    run(get(&api)).unwrap();
    store.set(Some("b"));
    run(get(&api)).unwrap();
    store.set(None);
    run(get(&api)).unwrap();
    assert_eq!(tokens(), [None, Some("Bearer a".to_owned()), Some("Bearer b".to_owned()), None]);
    assert_eq!(run(api.get("a").auth(false).send()).unwrap().status(), 200);
    assert_eq!(now(), 50 * MS, "a token at hand costs no time");
}

#[test]
fn without_a_token_a_401_refreshes() {
    let api = server(guarded("new", 10)).auth(auth(&Store::default())).build().unwrap();
    run(get(&api)).unwrap();
    assert_eq!(tokens(), [None, Some("Bearer new".to_owned())]);
}

#[test]
fn a_token_that_a_callback_repeats_does_not_replace_a_refreshed_one() {
    let auth =
        Auth::new(|_| async { Ok(Some("old".to_owned())) }, |_| async { Ok(Refreshed::Token("new".to_owned())) });
    let api = server(guarded("new", 10)).auth(auth).build().unwrap();
    run(get(&api)).unwrap();
    run(get(&api)).unwrap();
    assert_eq!(counts(), (0, 3));
}

#[test]
fn a_session_of_cookies_has_no_header() {
    let refreshes = Arc::new(AtomicU32::new(0));
    let renewed = refreshes.clone();
    let auth = Auth::cookies(move |_| {
        renewed.fetch_add(1, Ordering::Relaxed);
        async { Ok(Refreshed::Renewed) }
    });
    let answers = vec![status(401), status(401), ok("x"), ok("x"), ok("x")];
    let api = client(answers).auth(auth).build().unwrap();
    join([get(&api), get(&api)]).into_iter().for_each(|result| drop(result.unwrap()));
    run(get(&api)).unwrap();
    assert_eq!((refreshes.load(Ordering::Relaxed), tokens()), (1, vec![None; 5]));
}

#[test]
fn an_answer_that_comes_late_to_a_new_token_is_sent_again_at_once() {
    let slow = |request: &Request| match request.header("authorization") {
        Some("Bearer old") if request.url().ends_with("slow") => Answer::Response(300, Response::new(401)),
        _ => guarded("new", 50)(request),
    };
    let api = server(slow).auth(auth(&Store::of("old"))).build().unwrap();
    let ended = join(["a", "slow"].map(|path| api.get(path).send()));
    assert!(ended.iter().all(|result| result.as_ref().unwrap().status() == 200));
    assert_eq!((counts(), now()), ((1, 4), 310 * MS));
}

#[test]
fn a_body_that_cannot_be_sent_again_ends_with_its_401_and_others_are_served() {
    // A native transport sends no streams; what the engine does then is shown with the time that is left.
    let api = server(guarded("new", 10))
        .auth(auth(&Store::of("old")))
        .total_timeout(60 * MS)
        .min_attempt_time(55 * MS)
        .build()
        .unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(401)));
    assert_eq!(error.retry_stopped(), Some(RetryStopped::Deadline));
    run(sleep(100));
    assert_eq!(counts(), (1, 1));
}

#[test]
fn a_circuit_and_a_scope_hold_for_the_resend_too() {
    let api = server(guarded("new", 100))
        .auth(auth(&Store::of("old")))
        .circuit_breaker(CircuitBreaker::new().failure_threshold(1))
        .build()
        .unwrap();
    let page = api.scope(Scope::new().total_timeout(50 * MS)).unwrap();
    let error = run(get(&page)).unwrap_err();
    assert_eq!((error.kind(), now()), (ErrorKind::DeadlineExceeded, 50 * MS));
    run(get(&api)).unwrap();
    assert_eq!(api.circuits()[0].state, crate::CircuitState::Closed, "a refresh is no failure of the server");
}

#[test]
fn a_client_that_is_closed_takes_nothing_from_others() {
    let shared = auth(&Store::of("old"));
    let builder = server(guarded("new", 100));
    let one = builder.clone().auth(shared.clone()).build().unwrap();
    let other = builder.auth(shared).build().unwrap();
    let mut first = Box::pin(get(&one));
    run(async {
        assert!(give_up_after(50, &mut first).await.is_none());
        one.close();
        assert_eq!(first.await.unwrap_err().kind(), ErrorKind::Aborted);
        get(&other).await.unwrap();
    });
    assert_eq!(counts().0, 1);
}

#[test]
fn h09_neither_client_of_a_callback_waits_for_a_slot_that_others_hold() {
    thread_local! {
        static OWN: RefCell<Option<Client>> = const { RefCell::new(None) };
    }
    let auth = Auth::new(
        |_| async {
            let own = OWN.with_borrow(|own| own.clone()).unwrap();
            Ok(Some(own.get("profile").send().await?.text().await?))
        },
        |context| async move { Ok(context.client().post("refresh").send().await?.text().await?.into()) },
    );
    let serve = |request: &Request| match request.url() {
        url if url.ends_with("/holder") => Answer::Silence,
        url if url.ends_with("/profile") => ok("old"),
        _ => guarded("new", 10)(request),
    };
    let api = server(serve).auth(auth).queue(Queue::new(1)).build().unwrap();
    OWN.set(Some(api.clone()));
    run(async {
        let mut waits = Box::pin(get(&api));
        // Its 401 gives the slot back, so that another call gets it before the refresh begins.
        let mut holder = Box::pin(api.get("holder").auth(false).send());
        assert!(give_up_after(0, &mut holder).await.is_none());
        assert!(give_up_after(500, &mut waits).await.is_none());
        let paths: Vec<_> = requests().iter().map(|r| r.url().rsplit('/').next().unwrap().to_owned()).collect();
        assert_eq!(paths, ["holder", "profile"], "the callback's call went, the call itself waits for the slot");
        drop(holder);
        assert_eq!(waits.await.unwrap(), "x");
    });
    OWN.set(None);
}

#[test]
fn h09_a_context_has_no_queue() {
    let serve = |request: &Request| match request.url() {
        url if url.ends_with("/holder") => Answer::Silence,
        _ => guarded("new", 100)(request),
    };
    let api = server(serve).auth(auth(&Store::of("old"))).queue(Queue::new(1)).build().unwrap();
    run(async {
        let mut waits = Box::pin(get(&api));
        assert!(give_up_after(10, &mut waits).await.is_none());
        let mut holder = Box::pin(api.get("holder").auth(false).send());
        assert!(give_up_after(500, &mut holder).await.is_none());
        assert_eq!(counts().0, 1);
        assert!(give_up_after(0, &mut waits).await.is_none(), "its resend needs a slot");
        drop(holder);
        assert_eq!(waits.await.unwrap(), "x");
    });
}

#[test]
fn what_an_observer_of_the_callbacks_calls_does_is_ordinary() {
    thread_local! {
        static OWN: RefCell<Option<Client>> = const { RefCell::new(None) };
        static KEPT: RefCell<Option<crate::Pending>> = const { RefCell::new(None) };
    }
    let own = Store::of("old");
    let auth = Auth::new(
        move |_| {
            let token = own.get();
            async { Ok(token) }
        },
        |context| async move {
            sleep(10).await;
            Ok(context.client().post("refresh").send().await?.text().await?.into())
        },
    );
    let api = server(guarded("new", 10))
        .auth(auth)
        .on_event(|event| {
            if let EventKind::CallStart { url, .. } = &event.kind
                && url.ends_with("/refresh")
            {
                KEPT.set(OWN.with_borrow(|own| own.clone()).map(|own| own.get("b").send()));
            }
        })
        .build()
        .unwrap();
    OWN.set(Some(api.clone()));
    run(get(&api)).unwrap();
    assert_eq!(run(KEPT.take().unwrap()).unwrap().status(), 200);
    assert_eq!(tokens().last().unwrap().as_deref(), Some("Bearer new"));
    OWN.set(None);
}

#[test]
fn a_refresh_may_leave_its_token_to_the_other_callback_or_be_all_there_is() {
    let store = Store::of("old");
    let (own, renewed) = (store.clone(), store.clone());
    let renews = Auth::new(
        move |_| {
            let token = own.get();
            async { Ok(token) }
        },
        move |_| {
            renewed.set(Some("new"));
            async { Ok(Refreshed::Renewed) }
        },
    );
    let gives = Auth::cookies(|_| async { Ok(Refreshed::Token("new".to_owned())) });
    for (auth, first) in [(renews, Some("Bearer old".to_owned())), (gives, None)] {
        let api = server(guarded("new", 10)).auth(auth).build().unwrap();
        run(get(&api)).unwrap();
        run(get(&api)).unwrap();
        let new = Some("Bearer new".to_owned());
        assert_eq!(tokens(), [first, new.clone(), new]);
    }
}

#[test]
fn h09_what_a_callback_leaves_to_a_task_goes_by_its_context_without_a_slot() {
    use crate::transport::Transport;
    let auth = Auth::new(
        |_| async { Ok(Some("old".to_owned())) },
        |context| async move {
            let place = Rc::new(RefCell::new(None));
            let found = place.clone();
            super::sim::Sim.spawn(Box::pin(async move {
                let token = async { context.client().post("refresh").send().await?.text().await };
                *found.borrow_mut() = Some(token.await);
            }));
            loop {
                sleep(1).await;
                if let Some(token) = place.borrow_mut().take() {
                    return Ok(token?.into());
                }
            }
        },
    );
    let serve = |request: &Request| match request.url() {
        url if url.ends_with("/holder") => Answer::Silence,
        _ => guarded("new", 10)(request),
    };
    let api = server(serve).auth(auth).queue(Queue::new(1)).build().unwrap();
    run(async {
        let mut waits = Box::pin(get(&api));
        assert!(give_up_after(10, &mut waits).await.is_none());
        let mut holder = Box::pin(api.get("holder").auth(false).send());
        assert!(give_up_after(500, &mut holder).await.is_none());
        assert_eq!(counts().0, 1);
        drop(holder);
        assert_eq!(waits.await.unwrap(), "x");
    });
}
