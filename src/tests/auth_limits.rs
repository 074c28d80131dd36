//! The token refresh: its limits in time and place, and that nothing tells a token.

use std::error::Error as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use steadfetch_core::rng::Rng;

use super::auth::{Store, auth, counts, get, guarded, is_refresh};
use super::sim::{
    Answer, client, drip, give_up_after, join, lost, now, ok, requests, run, server, sleep, status, tasks,
};
use crate::transport::{Request, Response};
use crate::{Auth, AuthError, Client, ErrorKind, EventKind, Outcome, Phase, Queue, Redirect, Refreshed, Retry};

const MS: Duration = Duration::from_millis(1);
const SECRET: &str = "S3CRET";

#[test]
fn h06_a_refresh_that_hangs_ends_for_all_and_the_next_call_tries_anew() {
    let refreshes = Arc::new(AtomicU32::new(0));
    let serve = move |request: &Request| match is_refresh(request) {
        true if refreshes.fetch_add(1, Ordering::Relaxed) == 0 => Answer::Silence,
        _ => guarded("new", 10)(request),
    };
    let events = Arc::new(Mutex::new(Vec::new()));
    let told = events.clone();
    let api = server(serve)
        .auth(auth(&Store::of("old")).refresh_timeout(500 * MS))
        .on_event(move |event| {
            if let EventKind::Refresh { ok, .. } = event.kind {
                told.lock().unwrap().push(ok);
            }
        })
        .build()
        .unwrap();
    let late = api.clone();
    let calls = (0..6).map(|call| {
        let late = &late;
        async move {
            sleep(if call == 5 { 700 } else { 0 }).await;
            (get(late).await, now())
        }
    });
    let ended = join(calls);
    for (result, at) in &ended[..5] {
        let error = result.as_ref().unwrap_err();
        assert_eq!(
            (error.kind(), error.limit(), *at),
            (ErrorKind::AuthRefreshFailed, Some(crate::Limit::Time(500 * MS)), 510 * MS)
        );
        assert!(!error.session_lost() && error.source().is_none());
    }
    assert_eq!(ended[5].0.as_ref().unwrap(), "x");
    assert_eq!((counts(), tasks()), ((2, 7), 0));
    assert_eq!(*events.lock().unwrap(), [false, true]);
}

#[test]
fn what_hangs_on_does_not_keep_the_next_one_open() {
    let tries = Arc::new(AtomicU32::new(0));
    let auth = Auth::cookies(move |context| {
        let first = tries.fetch_add(1, Ordering::Relaxed) == 0;
        async move {
            if first {
                // Longer than both are waited for.
                sleep(5_000).await;
            }
            context.client().post("refresh").send().await?;
            Ok(Refreshed::Renewed)
        }
    });
    let serve = |request: &Request| if is_refresh(request) { Answer::Silence } else { status(401) };
    let api = server(serve).auth(auth.refresh_timeout(500 * MS)).build().unwrap();
    for _ in 0..2 {
        assert_eq!(run(get(&api)).unwrap_err().limit(), Some(crate::Limit::Time(500 * MS)));
    }
    assert_eq!((super::sim::closed(), tasks()), (1, 1), "the second is closed; the first hangs on");
    run(sleep(5_000));
    assert_eq!((counts(), tasks()), ((1, 2), 0), "what it sends so late is not sent");
}

#[test]
fn a_refresh_that_succeeds_late_is_not_lost() {
    let auth = Auth::new(
        |_| async { Ok(Some("old".to_owned())) },
        |_| async {
            sleep(800).await;
            Ok(Refreshed::Token("new".to_owned()))
        },
    );
    let api = server(guarded("new", 10)).auth(auth.refresh_timeout(500 * MS)).build().unwrap();
    assert_eq!(run(get(&api)).unwrap_err().limit(), Some(crate::Limit::Time(500 * MS)));
    run(sleep(400));
    run(get(&api)).unwrap();
    assert_eq!(counts(), (0, 2));
}

#[test]
fn a_token_that_does_not_come_or_makes_no_sense_is_a_failed_callback() {
    for makes_sense in [true, false] {
        let give = move || match makes_sense {
            true => Err(AuthError::new(SECRET)),
            false => Ok(Some(format!("{SECRET}\r\nX-Evil: 1"))),
        };
        let auth = Auth::new(move |_| async move { give() }, |_| async { Ok(Refreshed::Renewed) });
        let api = client(vec![]).auth(auth).build().unwrap();
        let error = run(get(&api)).unwrap_err();
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Callback, Some(Phase::Auth)));
        assert_eq!((error.outcome(), requests().len()), (Outcome::NotSent, 0));
        assert!(error.source().is_some() && !format!("{error} {error:?}").contains(SECRET));
    }
    let never = Auth::new(|_| std::future::pending(), |_| async { Ok(Refreshed::Renewed) });
    let api = client(vec![]).auth(never.refresh_timeout(200 * MS)).build().unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.kind(), error.phase(), now()), (ErrorKind::Callback, Some(Phase::Auth), 200 * MS));
    assert_eq!(error.limit(), Some(crate::Limit::Time(200 * MS)));
}

#[test]
fn a_token_that_comes_too_late_is_news_when_it_comes_again() {
    let asked = Arc::new(AtomicU32::new(0));
    let auth = Auth::new(
        move |_| {
            let first = asked.fetch_add(1, Ordering::Relaxed) == 0;
            async move {
                if first {
                    sleep(300).await;
                }
                Ok(Some("t".to_owned()))
            }
        },
        |_| async { Ok(Refreshed::Renewed) },
    );
    let api = server(|_| ok("x")).auth(auth.refresh_timeout(200 * MS)).build().unwrap();
    assert_eq!(run(get(&api)).unwrap_err().kind(), ErrorKind::Callback);
    run(sleep(200));
    run(get(&api)).unwrap();
    assert_eq!(requests()[0].header("authorization"), Some("Bearer t"));
}

#[test]
fn b06_b11_who_gives_up_leaves_and_the_others_are_served() {
    let api = server(guarded("new", 300)).auth(auth(&Store::of("old"))).build().unwrap();
    let view = api.extend().build().unwrap();
    let calls = (0..3).map(|call| {
        let (api, view) = (&api, &view);
        async move {
            match call {
                0 => give_up_after(60, get(api)).await,
                1 => Some(get(view).await),
                _ => {
                    sleep(60).await;
                    view.abort_all();
                    Some(get(api).await)
                }
            }
        }
    });
    let ended = join(calls);
    assert!(ended[0].is_none());
    let error = ended[1].as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!((error.kind(), error.phase(), error.elapsed()), (ErrorKind::Aborted, Some(Phase::Refresh), 60 * MS));
    assert_eq!(ended[2].as_ref().unwrap().as_ref().unwrap(), "x");
    assert_eq!((counts(), tasks(), api.metrics().in_flight), ((1, 3), 0, 0));
}

#[test]
fn who_waits_keeps_its_deadline() {
    let api = server(guarded("new", 300)).auth(auth(&Store::of("old"))).build().unwrap();
    run(async {
        let mut first = Box::pin(get(&api));
        assert!(give_up_after(50, &mut first).await.is_none());
        let short = api.extend().total_timeout(100 * MS).build().unwrap();
        let error = get(&short).await.unwrap_err();
        assert_eq!((error.kind(), error.phase()), (ErrorKind::DeadlineExceeded, Some(Phase::Refresh)));
        assert_eq!((error.outcome(), now()), (Outcome::NotSent, 150 * MS));
        first.await.unwrap();
    });
}

#[test]
fn h13_a_clock_that_is_wrong_makes_no_storm_of_refreshes() {
    // Whole seconds since 1970, as the server sees them; the world's clock is 0 ahead of its wall.
    let start = 1_795_953_600_u64;
    for (ahead, refreshes) in [(3_600_i64, 0), (-3_600, 1)] {
        let expires = start.saturating_add_signed(-ahead) + 600;
        let fresh = if ahead > 0 { "fresh" } else { "old" };
        let store = Store::of(fresh);
        let api = server(guarded(if ahead > 0 { "fresh" } else { "new" }, 10))
            .auth(auth(&store).expires_at(move |_| Some(Duration::from_secs(expires))))
            .build()
            .unwrap();
        for _ in 0..10 {
            run(sleep(200));
            run(get(&api)).unwrap();
        }
        assert_eq!(counts().0, refreshes, "{ahead}");
    }
}

#[test]
fn a_token_is_refreshed_before_it_expires_and_a_failed_refresh_sends_the_old_one() {
    let start = 1_795_953_600_u64;
    let expires = move |token: &str| Some(Duration::from_secs(start + if token == "old" { 40 } else { 4_000 }));
    let both = |request: &Request| if is_refresh(request) { ok("new") } else { ok("x") };
    let api = server(both).auth(auth(&Store::of("old")).expires_at(expires)).build().unwrap();
    run(get(&api)).unwrap();
    assert_eq!(counts(), (0, 1), "not yet");
    run(sleep(15_000));
    run(get(&api)).unwrap();
    assert_eq!((counts(), requests()[2].header("authorization")), ((1, 2), Some("Bearer new")));
    let down = |request: &Request| match request.header("authorization") {
        _ if is_refresh(request) => lost(),
        Some("Bearer old") => ok("x"),
        _ => status(401),
    };
    let builder = server(down).retry(Retry::none());
    let api = builder.auth(auth(&Store::of("old")).expires_at(expires)).build().unwrap();
    run(get(&api)).unwrap();
    assert_eq!(counts(), (0, 1), "not yet");
    run(sleep(15_000));
    run(get(&api)).unwrap();
    run(get(&api)).unwrap();
    assert_eq!(counts(), (1, 3), "tried once, and the old one is sent");
}

/// The requests to other places than the refresh, with what they say about who asks.
fn credentials() -> Vec<(String, Option<String>)> {
    let of = |request: &Request| (request.url().to_owned(), request.header("x-token").map(str::to_owned));
    requests().iter().map(of).collect()
}

#[test]
fn i06_a_token_goes_to_its_origins_only() {
    let api = server(|_| status(401)).auth(auth(&Store::of(SECRET)).header("X-Token").scheme("")).build().unwrap();
    let error = run(api.get("https://other.test/a").send()).unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::Http, Some(401)));
    assert_eq!(credentials(), [("https://other.test/a".to_owned(), None)]);
    let wide = auth(&Store::of("t")).header("X-Token").scheme("").origins(["https://other.test/x", "https://c.test"]);
    let api = server(|_| ok("x")).auth(wide).build().unwrap();
    for url in ["https://other.test/a", "https://other.test:444/a", "http://other.test/a", "https://api.test/a"] {
        run(api.get(url).send()).unwrap();
    }
    let sent: Vec<bool> = credentials().iter().map(|(_, token)| token.is_some()).collect();
    assert_eq!(sent, [true, false, false, false]);
}

#[test]
fn i06_a_view_with_another_base_url_does_not_take_the_token_along() {
    let api = server(|_| ok("x")).auth(auth(&Store::of(SECRET)).header("X-Token").scheme("")).build().unwrap();
    let view = api.extend().base_url("https://other.test/").build().unwrap();
    run(view.get("a").send()).unwrap();
    run(view.get("https://api.test/a").send()).unwrap();
    let sent: Vec<bool> = credentials().iter().map(|(_, token)| token.is_some()).collect();
    assert_eq!(sent, [false, true]);
}

#[test]
fn i06_a_401_from_where_a_redirect_led_starts_no_refresh() {
    let led = |_: &Request| Answer::Response(10, Response::new(401).with_url("https://evil.test/"));
    let api = server(led).auth(auth(&Store::of("t"))).build().unwrap();
    assert_eq!(run(get(&api)).unwrap_err().kind(), ErrorKind::Http);
    assert_eq!(counts(), (0, 1));
}

#[test]
fn i06_a_header_that_browsers_forward_follows_no_redirect() {
    let modes = |auth: Auth, redirect: Option<Redirect>| {
        let api = server(|_| ok("x")).auth(auth).build().unwrap();
        let request = api.get("a");
        run(redirect.into_iter().fold(request, |request, redirect| request.redirect(redirect)).send()).unwrap();
        requests()[0].init().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    let own = || auth(&Store::of("t")).header("X-Token");
    assert_eq!(modes(own(), None), ["redirect=error"]);
    assert_eq!(modes(own(), Some(Redirect::Follow)), ["redirect=error"]);
    assert_eq!(modes(own(), Some(Redirect::Manual)), ["redirect=manual"]);
    assert_eq!(modes(own().allow_redirects(true), None), [""; 0]);
    assert_eq!(modes(auth(&Store::of("t")), None), [""; 0]);
    assert_eq!(modes(auth(&Store::default()).header("X-Token"), None), [""; 0], "nothing is sent along");
}

#[test]
fn who_says_who_it_is_is_left_alone() {
    let api = server(|_| status(401)).auth(auth(&Store::of("t"))).build().unwrap();
    let error = run(api.get("a").header("authorization", "Basic x").send()).unwrap_err();
    assert_eq!((error.kind(), counts()), (ErrorKind::Http, (0, 1)));
    assert_eq!(requests()[0].headers(), [("authorization".to_owned(), "Basic x".to_owned())]);
    let error = run(api.get("a").auth(false).send()).unwrap_err();
    assert_eq!((error.kind(), counts(), requests()[1].headers().len()), (ErrorKind::Http, (0, 2), 0));
}

#[test]
fn should_refresh_says_what_is_a_401_and_the_body_stays_to_be_read() {
    let told = |_: u16, why: &str| Answer::Response(10, Response::new(403).with_body(format!("{{\"why\":\"{why}\"}}")));
    let ask = auth(&Store::of("old")).should_refresh(|peek| {
        assert!(!format!("{peek:?}").contains("why"));
        peek.status() == 403 && peek.body().windows(7).any(|part| part == b"expired")
    });
    let api = client(vec![told(403, "expired"), ok("new"), ok("x")]).auth(ask.clone()).build().unwrap();
    run(get(&api)).unwrap();
    assert_eq!(counts(), (1, 2));
    let api = client(vec![told(403, "no rights"), status(401)]).auth(ask.clone()).build().unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.status(), error.data()), (Some(403), Some("{\"why\":\"no rights\"}")));
    assert_eq!((run(get(&api)).unwrap_err().status(), counts()), (Some(401), (0, 2)), "in its place");
    // A body that breaks, or never ends, is judged by what has come, or not at all.
    let broken = || Response::new(403).with_chunks(super::sim::Broken(vec![b"no ".to_vec(), b"rights".to_vec()]));
    let api = client(vec![Answer::Response(10, broken())]).auth(ask.clone()).throw_http_errors(false).build().unwrap();
    let mut response = run(api.get("a").send()).unwrap();
    assert_eq!(run(response.chunk()).unwrap().unwrap(), b"no ");
    assert_eq!(run(response.chunk()).unwrap().unwrap(), b"rights");
    assert_eq!(run(response.chunk()).unwrap_err().kind(), ErrorKind::Network);
    let mut stalls = Response::new(403);
    if let Answer::Response(_, response) = drip(vec![(10, Some("x"))], false) {
        stalls.body = response.body;
    }
    let api = client(vec![Answer::Response(10, stalls)]).auth(ask).timeout(100 * MS).retry(0).build().unwrap();
    let error = run(get(&api)).unwrap_err();
    assert_eq!((error.kind(), error.status(), now()), (ErrorKind::Timeout, Some(403), 100 * MS));
}

#[test]
fn wrong_options_are_named_when_the_client_is_built() {
    let name = |auth: Auth| client(vec![]).auth(auth).build().unwrap_err().to_string();
    assert!(name(auth(&Store::default()).header(" ")).contains("auth.header"));
    assert!(name(auth(&Store::default()).refresh_timeout(Duration::ZERO)).contains("auth.refresh_timeout"));
    let nowhere = Client::builder().transport(super::sim::Sim).auth(auth(&Store::default())).build().unwrap_err();
    assert!(nowhere.to_string().contains("auth.origins"));
    assert!(Client::builder().auth(auth(&Store::default())).build().is_ok(), "nothing is sent here");
}

#[test]
fn what_is_dropped_is_forgotten_by_its_thread() {
    let builder = server(|_| ok("x"));
    let keep = builder.clone().auth(auth(&Store::of("t"))).build().unwrap();
    run(get(&keep)).unwrap();
    for _ in 0..100 {
        run(get(&builder.clone().auth(auth(&Store::of("t"))).build().unwrap())).unwrap();
    }
    assert!(keep.0.backend.driver().unwrap().auth_count() <= 2);
    run(get(&keep)).unwrap();
}

fn answer(rng: &mut Rng, request: &Request) -> Answer {
    let body = format!("{SECRET}-{}", rng.up_to(9));
    match rng.up_to(9) {
        0 => lost(),
        1 => Answer::Silence,
        2 if is_refresh(request) => status(400),
        3 if is_refresh(request) => status(503),
        4 if is_refresh(request) => Answer::Response(10, Response::new(200).with_body(format!("{SECRET}\r\n{SECRET}"))),
        _ if is_refresh(request) => Answer::Response(10 + rng.up_to(200), Response::new(200).with_body(body)),
        2..=5 => Answer::Response(rng.up_to(100), Response::new(401).with_body(body)),
        6 => status(503),
        _ => ok(&body),
    }
}

/// Whatever happens to tokens: all calls settle in time, none is sent more often than it may, nothing is left, and no
/// token is in anything that is told.
#[test]
fn m01_tokens_are_told_to_nobody_and_every_call_settles() {
    let mut rng = Rng::new([5, 5, 5, 5]);
    let mut kinds = std::collections::BTreeSet::new();
    for round in 0..1_000 {
        let seed = [0; 4].map(|_: u32| rng.up_to(u64::from(u32::MAX)) as u32);
        let dice = std::cell::RefCell::new(Rng::new(seed));
        let text = Arc::new(Mutex::new(String::new()));
        let told = text.clone();
        let store = Store::of(SECRET);
        let mut auth = auth(&store).refresh_timeout(MS * (50 + rng.up_to(300) as u32));
        if rng.up_to(2) == 0 {
            auth = auth.header("X-Token").scheme(SECRET);
        }
        if rng.up_to(2) == 0 {
            let at = 1_795_953_600 + rng.up_to(60);
            auth = auth.expires_at(move |_| Some(Duration::from_secs(at)));
        }
        if rng.up_to(2) == 0 {
            auth = auth.should_refresh(|peek| peek.status() == 401);
        }
        text.lock().unwrap().push_str(&format!("{auth:?}"));
        let builder = server(move |request| answer(&mut dice.borrow_mut(), request))
            .auth(auth)
            .queue(Queue::new(2))
            .retry(Retry::new().limit(1).delay(10 * MS).status_codes([503]))
            .timeout(200 * MS)
            .idle_timeout(100 * MS)
            .total_timeout(400 * MS)
            .on_event(move |event| told.lock().unwrap().push_str(&format!("{event:?} {event:#?}\n")));
        let api = builder.build().unwrap();
        let plans: Vec<_> = (0..8).map(|_| [rng.up_to(400), rng.up_to(5), rng.up_to(400)]).collect();
        let ended = join(plans.into_iter().map(|[at, how, drop_at]| {
            let api = &api;
            async move {
                sleep(at).await;
                let call = async {
                    let request = if how == 1 { api.post("a").body("x") } else { api.get("a") };
                    request.send().await?.text().await
                };
                let result = if how == 0 { give_up_after(drop_at, call).await } else { Some(call.await) };
                assert!(now() <= Duration::from_millis(at + 400), "round {round}: {:?}", now());
                result
            }
        }));
        for error in ended.into_iter().flatten().filter_map(Result::err) {
            kinds.insert(error.code());
            assert!(error.attempts().len() <= 3, "round {round}: {error:?}");
            let mut text = text.lock().unwrap();
            text.push_str(&format!("{error} {error:?} {error:#?} {:?}", error.attempts()));
            #[cfg(all(feature = "serde", feature = "json"))]
            text.push_str(&serde_json::to_string(&error).unwrap());
            if let Some(source) = error.source() {
                text.push_str(&format!("{source} {source:?}"));
            }
        }
        requests().iter().for_each(|request| text.lock().unwrap().push_str(&format!("{request:?}")));
        text.lock().unwrap().push_str(&format!("{api:?} {:?}", api.metrics()));
        assert!(!text.lock().unwrap().to_uppercase().contains(SECRET), "round {round}");
        run(sleep(2_000));
        let metrics = api.metrics();
        assert_eq!((metrics.in_flight, metrics.waiting, tasks()), (0, 0, 0), "round {round}");
    }
    for kind in ["NETWORK_ERROR", "AUTH_REFRESH_FAILED", "HTTP_ERROR", "DEADLINE_EXCEEDED", "TIMEOUT"] {
        assert!(kinds.contains(kind), "{kind} was not met: {kinds:?}");
    }
}
