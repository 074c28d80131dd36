use std::time::Duration;

use super::sim::{Answer, Boxed, client, drip, give_up_after, join, lost, now, ok, requests, run, sleep, tasks};
use crate::transport::Response;
use crate::{Client, Error, ErrorKind, EventKind, Outcome, Phase, Priority, Queue, RequestBuilder, RetryStopped};

const MS: Duration = Duration::from_millis(1);

fn slow(after: u64) -> Answer {
    Answer::Response(after, Response::new(200).with_body("x"))
}

/// A call, read to its end.
async fn read(request: RequestBuilder) -> Result<String, Error> {
    request.send().await?.text().await
}

/// The same, and when it was over.
async fn get(api: &Client, path: &str) -> (Result<String, Error>, Duration) {
    (read(api.get(path)).await, now())
}

fn paths() -> Vec<String> {
    requests().iter().map(|request| request.url().rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn k09_so_many_run_so_many_wait_the_rest_is_refused_at_once() {
    let api = client((0..3).map(|_| slow(50)).collect()).queue(Queue::new(1).limit(2)).retry(3).build().unwrap();
    let ended = join((0..10).map(|_| get(&api, "a")));
    let times: Vec<Duration> = ended.iter().filter(|(result, _)| result.is_ok()).map(|(_, at)| *at).collect();
    assert_eq!(times, [50 * MS, 100 * MS, 150 * MS]);
    let refused: Vec<_> = ended.iter().filter_map(|(result, at)| Some((result.as_ref().err()?, *at))).collect();
    assert_eq!(refused.len(), 7);
    for (error, at) in refused {
        assert_eq!((error.kind(), error.phase(), at), (ErrorKind::QueueFull, Some(Phase::Queue), Duration::ZERO));
        assert_eq!((error.outcome(), error.attempts().len()), (Outcome::NotSent, 0));
    }
    assert_eq!((requests().len(), api.metrics().retries), (3, 0));
}

#[test]
fn k01_k02_who_gives_up_in_the_queue_leaves_it_at_once() {
    let api = client(vec![Answer::Silence]).queue(Queue::new(1).limit(1)).build().unwrap();
    let view = api.extend().build().unwrap();
    let mut holder = Box::pin(api.get("holder").send());
    let aborted = run(async {
        assert!(give_up_after(1, &mut holder).await.is_none());
        // Dropped.
        assert!(give_up_after(50, api.get("b").send()).await.is_none());
        assert_eq!((api.metrics().waiting, now()), (0, 51 * MS));
        let mut waits = Box::pin(view.get("b").send());
        assert!(give_up_after(50, &mut waits).await.is_none());
        assert_eq!(api.metrics().waiting, 1);
        view.abort_all();
        waits.await.unwrap_err()
    });
    assert_eq!((aborted.kind(), aborted.phase(), now()), (ErrorKind::Aborted, Some(Phase::Queue), 101 * MS));
    assert_eq!(aborted.outcome(), Outcome::NotSent);
    let metrics = api.metrics();
    assert_eq!((metrics.waiting, metrics.in_flight, metrics.enqueued, metrics.dispatched), (0, 1, 2, 0));
    drop(holder);
    assert_eq!((api.metrics().in_flight, requests().len()), (0, 1));
}

#[test]
fn c09_a_call_whose_time_ends_in_the_queue_is_never_sent() {
    let api = client(vec![slow(800)]).queue(Queue::new(1)).build().unwrap();
    let short = api.extend().total_timeout(500 * MS).build().unwrap();
    let ended = join([get(&api, "blocker"), get(&short, "b")]);
    assert!(ended[0].0.is_ok());
    let (Err(error), at) = &ended[1] else { panic!("it was sent") };
    assert_eq!((error.kind(), error.phase()), (ErrorKind::DeadlineExceeded, Some(Phase::Queue)));
    assert_eq!((error.outcome(), *at, paths()), (Outcome::NotSent, 500 * MS, vec!["blocker".to_owned()]));
}

#[test]
fn k07_a_queue_has_a_limit_of_its_own() {
    let api = client(vec![slow(800)]).queue(Queue::new(1).timeout(300 * MS)).build().unwrap();
    let ended = join([get(&api, "blocker"), get(&api, "b")]);
    assert!(ended[0].0.is_ok());
    let error = ended[1].0.as_ref().unwrap_err();
    assert_eq!(
        (error.kind(), error.limit(), ended[1].1),
        (ErrorKind::QueueTimeout, Some(crate::Limit::Time(300 * MS)), 300 * MS)
    );
    assert!(error.is_timeout());
    assert_eq!(api.metrics().timeouts, [(Phase::Queue, 1)]);
}

#[test]
fn a_retry_that_the_queue_refuses_ends_with_its_last_real_error() {
    let queue = Queue::new(1).limit(0).timeout(200 * MS);
    let retry = crate::Retry::new().limit(1).jitter(false);
    let api = client(vec![lost(), Answer::Silence]).queue(queue).retry(retry).build().unwrap();
    let first: Boxed<_> = Box::pin(get(&api, "a"));
    let second: Boxed<_> = Box::pin(async {
        sleep(20).await;
        give_up_after(5_000, get(&api, "b")).await;
        (Ok(String::new()), now())
    });
    let ended = join([first, second]);
    let error = ended[0].0.as_ref().unwrap_err();
    assert_eq!((error.kind(), error.retry_stopped()), (ErrorKind::Network, Some(RetryStopped::Queue)));
    assert_eq!((error.attempts().len(), ended[0].1), (1, 1_210 * MS));
}

#[test]
fn d15_a_body_that_nobody_reads_gives_its_slot_back() {
    let answers = vec![drip((0..1_000).map(|_| (10, Some("x"))).collect(), false), slow(10)];
    let api = client(answers).queue(Queue::new(1)).idle_timeout(500 * MS).build().unwrap();
    let unread = run(api.post("a").body("x").send()).unwrap();
    let (result, at) = run(get(&api, "b"));
    assert_eq!(result.unwrap(), "x");
    assert_eq!(at, 520 * MS, "10 for the headers, 500 idle, 10 for the answer");
    drop(unread);
    assert_eq!((api.metrics().in_flight, api.metrics().waiting, tasks()), (0, 0, 0));
}

#[test]
fn a_short_body_needs_no_slot() {
    let short = || Answer::Response(10, Response::new(200).with_header("Content-Length", "1").with_body("x"));
    let api = client(vec![short(), short()]).queue(Queue::new(1)).build().unwrap();
    let held = run(api.get("a").send()).unwrap();
    assert!(run(get(&api, "b")).0.is_ok());
    assert_eq!(now(), 20 * MS);
    drop(held);
}

#[test]
fn the_urgent_go_first_and_the_platform_is_told() {
    let api = client((0..4).map(|_| slow(10)).collect()).queue(Queue::new(1)).build().unwrap();
    join(
        [("holder", Priority::Auto), ("low", Priority::Low), ("auto", Priority::Auto), ("high", Priority::High)]
            .map(|(path, priority)| read(api.get(path).priority(priority))),
    );
    assert_eq!(paths(), ["holder", "high", "auto", "low"]);
    assert_eq!(requests()[1].init().collect::<Vec<_>>(), [("priority", "high")]);
}

#[test]
fn keys_take_turns() {
    let queue = Queue::new(1).key(|request| request.operation().to_owned());
    let api = client((0..5).map(|_| slow(10)).collect()).queue(queue).build().unwrap();
    let call = |path: &str, operation: &str| read(api.get(path).operation(operation.to_owned()));
    join([call("holder", ""), call("a1", "a"), call("a2", "a"), call("b1", "b"), call("b2", "b")]);
    assert_eq!(paths(), ["holder", "a1", "b1", "a2", "b2"]);
}

#[test]
fn a_key_sees_the_whole_request() {
    let queue = Queue::new(1).key(|request| {
        assert_eq!((request.method(), request.url()), ("POST", "https://api.test/v1/a?b=c"));
        assert_eq!((request.header("x-a"), request.operation()), (Some("1"), "op"));
        assert!(!format!("{request:?}").contains('?'));
        String::new()
    });
    let api = client(vec![ok("")]).queue(queue).header("X-A", "1").build().unwrap();
    assert!(run(api.post("a?b=c").operation("op").send()).is_ok());
}

#[test]
fn k11_each_origin_has_its_own_lane_unless_they_are_to_share_one() {
    for (per_origin, sent_at_once) in [(true, 2), (false, 1)] {
        let answers = vec![Answer::Silence, Answer::Silence];
        let api = client(answers).queue(Queue::new(1).per_origin(per_origin)).build().unwrap();
        run(async {
            let mut calls = [api.get("a").send(), api.get("https://other.test/a").send()];
            for call in &mut calls {
                assert!(give_up_after(1, call).await.is_none());
            }
            assert_eq!(requests().len(), sent_at_once);
        });
    }
}

#[test]
fn views_share_a_queue_and_a_queue_of_their_own_is_their_own() {
    // Who is dropped in the end lets the next one go.
    let api = client((0..4).map(|_| Answer::Silence).collect()).queue(Queue::new(1)).build().unwrap();
    let view = api.extend().header("X", "y").build().unwrap();
    let own = api.extend().queue(Queue::new(1)).build().unwrap();
    let none = api.extend().queue(None).build().unwrap();
    run(async {
        let mut calls = [&api, &view, &own, &none].map(|client| client.get("a").send());
        let mut sent = Vec::new();
        for call in &mut calls {
            assert!(give_up_after(1, call).await.is_none());
            sent.push(requests().len());
        }
        assert_eq!(sent, [1, 1, 2, 3]);
    });
}

#[test]
fn a_builder_that_is_used_twice_makes_two_queues() {
    let builder = client(vec![Answer::Silence, Answer::Silence]).queue(Queue::new(1));
    let (one, other) = (builder.clone().build().unwrap(), builder.build().unwrap());
    run(async {
        let mut calls = [one.get("a").send(), other.get("a").send()];
        for call in &mut calls {
            assert!(give_up_after(1, call).await.is_none());
        }
        assert_eq!(requests().len(), 2);
    });
    assert_eq!((one.metrics().calls, other.metrics().calls), (1, 1));
}

#[test]
fn an_observer_hears_who_waits() {
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = log.clone();
    let api = client(vec![slow(10), slow(10)])
        .queue(Queue::new(1))
        .on_event(move |event| {
            if matches!(event.kind, EventKind::Queued | EventKind::AttemptStart) {
                told.lock().unwrap().push((event.operation.to_string(), event.phase, event.elapsed));
            }
        })
        .build()
        .unwrap();
    join(["a", "b"].map(|name| read(api.get(name).operation(name))));
    let (a, b) = ("a".to_owned(), "b".to_owned());
    let sent = Some(Phase::Headers);
    assert_eq!(
        *log.lock().unwrap(),
        [(a, sent, Duration::ZERO), (b.clone(), Some(Phase::Queue), Duration::ZERO), (b, sent, 10 * MS)]
    );
}
