use std::cell::RefCell;
use std::error::Error as _;
use std::rc::Rc;
use std::time::Duration;

use super::sim::{
    Answer, Boxed, client, closed, drip, give_up_after, join, lost, now, ok, requests, run, sleep, tasks,
};
use crate::transport::Response;
use crate::{Client, DeadlineHeader, Error, ErrorKind, EventKind, Outcome, Phase, Queue, Retry, Scope};

const MS: Duration = Duration::from_millis(1);

fn slow(after: u64) -> Answer {
    Answer::Response(after, Response::new(200).with_body("x"))
}

async fn get(api: &Client) -> Result<String, Error> {
    api.get("a").send().await?.text().await
}

fn kind(result: &Result<String, Error>) -> Option<ErrorKind> {
    result.as_ref().err().map(Error::kind)
}

// One deadline.

#[test]
fn calls_of_a_scope_share_one_deadline() {
    let api = client(vec![slow(300), Answer::Silence]).build().unwrap();
    run(async {
        let scope = api.scope(Scope::new().total_timeout(500 * MS)).unwrap();
        sleep(100).await;
        assert!(get(&scope).await.is_ok());
        let error = get(&scope).await.unwrap_err();
        assert_eq!((error.kind(), error.phase(), now()), (ErrorKind::DeadlineExceeded, Some(Phase::Headers), 500 * MS));
        assert_eq!(error.limit(), Some(crate::Limit::Time(Duration::from_millis(100))), "what was left of it");
        let error = get(&scope).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::DeadlineExceeded, Outcome::NotSent));
    });
    assert_eq!(requests().len(), 2);
}

#[test]
fn the_limits_of_a_call_hold_in_a_scope_and_scopes_hold_in_scopes() {
    let api = client((0..3).map(|_| Answer::Silence).collect()).total_timeout(700 * MS).build().unwrap();
    let outer = api.scope(Scope::new().total_timeout(1_500 * MS)).unwrap();
    let inner = outer.scope(Scope::new().total_timeout(9_000 * MS)).unwrap();
    for at in [700, 1_400, 1_500] {
        assert_eq!(kind(&run(get(&inner))), Some(ErrorKind::DeadlineExceeded));
        assert_eq!(now(), at * MS);
    }
}

#[test]
fn a_scope_keeps_something_back() {
    let api = client(vec![Answer::Silence, Answer::Silence]).build().unwrap();
    let scope = api.scope(Scope::new().total_timeout(500 * MS).reserve(200 * MS)).unwrap();
    assert_eq!(kind(&run(get(&scope))), Some(ErrorKind::DeadlineExceeded));
    assert_eq!(now(), 300 * MS);
}

#[test]
fn an_event_in_a_scope_says_what_is_left_of_it() {
    let left = Rc::new(RefCell::new(None));
    let told = left.clone();
    let api = client(vec![ok("")]).build().unwrap();
    let scope = api.scope(Scope::new().total_timeout(500 * MS)).unwrap();
    let call = scope.get("a").on_event(move |event| *told.borrow_mut() = event.remaining);
    run(async { call.send().await?.text().await }).unwrap();
    assert_eq!(*left.borrow(), Some(490 * MS));
}

#[test]
fn a_wrong_scope_is_refused() {
    let error = Client::new().scope(Scope::new().total_timeout(Duration::ZERO)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOption);
    assert!(error.to_string().contains("total_timeout"));
}

// Fail fast.

#[test]
fn the_first_failure_takes_the_others_with_it() {
    let api = client(vec![Answer::Silence, lost(), drip(vec![(1, Some("x"))], false)]).retry(0).build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let body: Boxed<Result<String, Error>> = Box::pin(get(&scope));
    let ended = join([body, Box::pin(get(&scope)), Box::pin(get(&scope))]);
    assert_eq!((now(), closed(), tasks()), (10 * MS, 2, 0));
    let first = ended[1].as_ref().unwrap_err();
    assert_eq!((first.kind(), first.source().is_none()), (ErrorKind::Network, true));
    for sibling in [&ended[0], &ended[2]] {
        let error = sibling.as_ref().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Aborted);
        assert_eq!(error.source().and_then(|source| source.downcast_ref()), Some(first));
    }
    let later = run(get(&scope)).unwrap_err();
    assert_eq!((later.kind(), later.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
    assert_eq!(later.source().and_then(|source| source.downcast_ref()), Some(first));
    assert_eq!(requests().len(), 3);
    assert_eq!(api.metrics().cancelled_by_client, 2);
}

#[test]
fn those_that_wait_for_a_slot_are_not_sent_after_the_first_failure() {
    let api = client(vec![lost()]).queue(Queue::new(1)).retry(0).build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let ended = join((0..3).map(|_| get(&scope)));
    assert_eq!(kind(&ended[0]), Some(ErrorKind::Network));
    for waited in &ended[1..] {
        let error = waited.as_ref().unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
        assert!(error.source().is_some());
    }
    assert_eq!((requests().len(), api.metrics().attempts), (1, 1));
}

#[test]
fn only_failures_count_and_only_in_a_scope_that_fails_fast() {
    let missing = || Answer::Response(5, Response::new(404));
    let api = client(vec![missing(), missing(), ok(""), Answer::Silence, lost(), ok("")]).retry(0).build().unwrap();
    let slow = api.scope(Scope::new()).unwrap();
    assert_eq!(kind(&run(get(&slow))), Some(ErrorKind::Http));
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    assert!(run(scope.get("a").throw_http_errors(false).send()).is_ok(), "a status that is no error");
    assert!(run(get(&scope)).is_ok());
    assert!(run(give_up_after(50, get(&scope))).is_none(), "a call that nobody waits for any more has not failed");
    assert_eq!(kind(&run(get(&scope))), Some(ErrorKind::Network));
    assert!(run(get(&api)).is_ok(), "the client goes on");
}

#[test]
fn a_mistake_is_a_failure_too() {
    let api = client(vec![]).build().unwrap();
    let scope = api.scope(Scope::new().fail_fast(true)).unwrap();
    let never_polled = scope.get("http://joe:secret@a.test/").send();
    drop(never_polled);
    let error = run(scope.get("a").body("no").send()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert_eq!(kind(&run(get(&scope))), Some(ErrorKind::Aborted));
    assert_eq!(requests().len(), 0);
}

#[test]
fn an_inner_scope_ends_without_the_outer_one() {
    let api = client(vec![lost(), ok(""), lost()]).retry(0).build().unwrap();
    let outer = api.scope(Scope::new()).unwrap();
    let inner = outer.scope(Scope::new().fail_fast(true)).unwrap();
    assert_eq!(kind(&run(get(&inner))), Some(ErrorKind::Network));
    assert_eq!(kind(&run(get(&inner))), Some(ErrorKind::Aborted));
    assert!(run(get(&outer)).is_ok());
    let outer = api.scope(Scope::new().fail_fast(true)).unwrap();
    let view = outer.extend().name("view").build().unwrap();
    assert_eq!(kind(&run(get(&view))), Some(ErrorKind::Network));
    assert_eq!(kind(&run(get(&outer))), Some(ErrorKind::Aborted));
}

// Abort and close.

#[test]
fn abort_all_ends_what_is_under_way_in_whatever_state_and_nothing_else() {
    let answers = vec![Answer::Silence, lost(), drip(vec![], false), ok(""), ok("")];
    let api = client(answers).queue(Queue::new(4)).build().unwrap();
    let view = api.extend().retry(Retry::new().delay(5_000 * MS).jitter(false)).build().unwrap();
    let (headers, backoff): (Boxed<_>, Boxed<_>) = (Box::pin(get(&view)), Box::pin(get(&view)));
    let (body, queued): (Boxed<_>, Boxed<_>) = (Box::pin(get(&view)), Box::pin(get(&view)));
    let other: Boxed<_> = Box::pin(async {
        sleep(50).await;
        get(&api).await
    });
    let abort: Boxed<_> = Box::pin(async {
        sleep(60).await;
        assert_eq!(requests().len(), 5);
        view.abort_all();
        Ok(String::new())
    });
    let ended = join([headers, backoff, body, queued, other, abort]);
    let errors: Vec<_> = ended[..3].iter().map(|ended| ended.as_ref().unwrap_err()).collect();
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Aborted && error.source().is_none()));
    let phases: Vec<_> = errors.iter().map(|error| error.phase()).collect();
    assert_eq!(phases, [Some(Phase::Headers), Some(Phase::Backoff), Some(Phase::Body)]);
    assert!(ended[3..].iter().all(Result::is_ok));
    assert_eq!((now(), closed(), tasks()), (60 * MS, 2, 0));
    assert_eq!((api.metrics().cancelled_by_client, api.metrics().failed_with(ErrorKind::Aborted)), (3, 3));
    assert_eq!((api.metrics().in_flight, api.metrics().waiting), (0, 0));
}

#[test]
fn those_that_wait_for_a_slot_are_not_sent_while_all_are_aborted() {
    let api = client(vec![Answer::Silence]).queue(Queue::new(1)).build().unwrap();
    let calls = (0..10).map(|_| Box::pin(get(&api)) as Boxed<_>);
    let close: Boxed<Result<String, Error>> = Box::pin(async {
        sleep(10).await;
        api.close();
        Ok(String::new())
    });
    let ended = join(calls.chain([close]));
    let outcomes: Vec<_> = ended[..10].iter().map(|ended| ended.as_ref().unwrap_err().outcome()).collect();
    assert_eq!((outcomes[0], &outcomes[1..]), (Outcome::Unknown, &[Outcome::NotSent; 9][..]));
    assert_eq!((requests().len(), api.metrics().attempts), (1, 1));
}

#[test]
fn a_view_goes_on_after_abort_all_and_not_after_close() {
    let api = client(vec![ok(""), ok("")]).build().unwrap();
    let (view, other) = (api.extend().build().unwrap(), api.extend().build().unwrap());
    let inner = view.scope(Scope::new()).unwrap();
    view.abort_all();
    assert!(run(get(&inner)).is_ok());
    view.close();
    for client in [&view, &inner, &view.clone(), &view.extend().build().unwrap()] {
        let error = run(get(client)).unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent));
        assert_eq!((error.method(), error.url(), error.attempts().len()), ("GET", "https://api.test/v1/a", 0));
    }
    assert!(run(get(&other)).is_ok());
    api.close();
    assert_eq!(kind(&run(get(&other))), Some(ErrorKind::Aborted));
    assert_eq!(requests().len(), 2);
}

#[test]
fn a_client_ends_its_views_whatever_they_send_by() {
    let api = client(vec![Answer::Silence]).build().unwrap();
    let other = api.extend().transport(super::sim::Sim).build().unwrap();
    let close: Boxed<_> = Box::pin(async {
        sleep(10).await;
        api.close();
        Ok(String::new())
    });
    let ended = join([Box::pin(get(&other)) as Boxed<_>, close]);
    assert_eq!((kind(&ended[0]), now()), (Some(ErrorKind::Aborted), 10 * MS));
}

#[test]
fn a_call_that_was_made_before_its_client_closed_is_not_sent() {
    let api = client(vec![]).build().unwrap();
    let call = api.get("a").send();
    api.close();
    assert_eq!(run(call).unwrap_err().kind(), ErrorKind::Aborted);
    assert_eq!(requests().len(), 0);
}

#[test]
fn an_observer_that_closes_the_client_sends_nothing() {
    for close in [true, false] {
        for at_start in [true, false] {
            let api = client(vec![]).build().unwrap();
            let (closes, log) = (api.clone(), Rc::new(RefCell::new(Vec::new())));
            let told = log.clone();
            let call = api.get("a").on_event(move |event| {
                let is_start = matches!(event.kind, EventKind::CallStart { .. });
                if is_start == at_start && matches!(event.kind, EventKind::CallStart { .. } | EventKind::AttemptStart) {
                    if close { closes.close() } else { closes.abort_all() }
                }
                if let EventKind::CallEnd { attempts, .. } = event.kind {
                    assert_eq!(attempts, 0);
                }
                told.borrow_mut().push(format!("{:?}", event.kind).split([' ', '(']).next().unwrap().to_owned());
            });
            let error = run(call.send()).unwrap_err();
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::Aborted, Outcome::NotSent), "{close} {at_start}");
            assert_eq!((error.attempts().len(), api.metrics().attempts), (0, 0), "{close} {at_start}");
            assert_eq!(requests().len(), 0, "{close} {at_start}");
            assert_eq!(log.borrow().last().map(String::as_str), Some("CallEnd"));
            assert_eq!(tasks(), 0);
        }
    }
}

#[test]
fn closing_is_heard_by_calls_that_start_calls() {
    let api = client((0..3).map(|_| Answer::Silence).collect()).build().unwrap();
    let nested = api.clone();
    let calls: Vec<Boxed<_>> = (0..3)
        .map(|_| {
            let nested = nested.clone();
            let call = api.get("a").on_event(move |event| {
                if let EventKind::CallEnd { .. } = event.kind {
                    nested.get("nested").send().detach();
                }
            });
            Box::pin(async { call.send().await.map(|_| String::new()) }) as Boxed<_>
        })
        .chain([Box::pin(async {
            sleep(10).await;
            api.close();
            Ok(String::new())
        }) as Boxed<_>])
        .collect();
    let ended = join(calls);
    assert_eq!(ended[..3].iter().filter(|ended| kind(ended) == Some(ErrorKind::Aborted)).count(), 3);
    run(sleep(10));
    assert_eq!((requests().len(), closed(), tasks()), (3, 3, 0));
}

// The deadline header.

fn told(name: &str) -> Vec<Option<String>> {
    requests().iter().map(|request| request.header(name).map(str::to_owned)).collect()
}

#[test]
fn each_attempt_tells_what_is_left_to_it() {
    let retry = Retry::new().delay(1_000 * MS).jitter(false);
    let api = client(vec![lost(), ok("")])
        .deadline_header("X-Deadline-Ms")
        .total_timeout(5_000 * MS)
        .reserve(500 * MS)
        .retry(retry)
        .header("x-deadline-ms", "999999")
        .build()
        .unwrap();
    run(get(&api)).unwrap();
    assert_eq!(told("X-Deadline-Ms"), [Some("4500".to_owned()), Some("3490".to_owned())]);
    assert_eq!(requests()[0].headers().len(), 1, "in place of one of that name");
}

#[test]
fn time_in_the_queue_and_of_the_scope_count() {
    let api = client(vec![slow(100), ok("")]).queue(Queue::new(1)).deadline_header("X-D").build().unwrap();
    let scope = api.scope(Scope::new().total_timeout(2_000 * MS)).unwrap();
    join([get(&scope), get(&scope)]);
    assert_eq!(told("X-D"), [Some("2000".to_owned()), Some("1900".to_owned())]);
}

#[test]
fn other_origins_are_told_only_if_you_say_so() {
    let api = client((0..4).map(|_| ok("")).collect()).deadline_header("X-D").build().unwrap();
    let open = api.extend().deadline_header(DeadlineHeader::new("X-D").cross_origin(true)).build().unwrap();
    for (client, url) in [(&api, "/a"), (&api, "https://other.test/a"), (&open, "https://other.test/a")] {
        run(client.get(url).send()).unwrap();
    }
    run(api.get("a").total_timeout(None).send()).unwrap();
    let all = Some("30000".to_owned());
    assert_eq!(told("X-D"), [all.clone(), None, all, None], "without a limit there is nothing to tell");
}

/// What Leptos asks of a cleanup; Yew and Dioxus ask for less.
fn cleanup(act: impl FnOnce() + Send + Sync + 'static) -> Box<dyn FnOnce()> {
    Box::new(act)
}

#[test]
fn a_component_that_is_unmounted_ends_its_calls_and_no_others() {
    let api = client(vec![Answer::Silence, ok("other")]).build().unwrap();
    let page = api.scope(Scope::new()).unwrap();
    let end = page.clone();
    let unmount = cleanup(move || end.close());
    let error = run(async {
        let mut call = std::pin::pin!(page.get("a").send());
        let first = std::future::poll_fn(|cx| std::task::Poll::Ready(call.as_mut().poll(cx).is_pending()));
        assert!(first.await);
        unmount();
        call.await.unwrap_err()
    });
    assert_eq!((error.kind(), requests().len()), (ErrorKind::Aborted, 1));
    assert_eq!(run(page.get("b").send()).unwrap_err().outcome(), Outcome::NotSent);
    assert_eq!(run(async { api.get("c").await?.text().await }).unwrap(), "other");
}
