//! Retries: which failures, how often, when, and why not.

mod world;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::engine::{Demand, Event, Facts, Given, Question, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::method::Method;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Millis;
use world::*;

fn stopped(seen: &Seen) -> Option<RetryStopped> {
    seen.failure().stopped
}

#[test]
fn a01_a_network_error_is_retried_until_it_works() {
    let seen = run(retrying(2), [refuse(1), refuse(1), answer(1, 200)]);
    assert!(seen.ok());
    assert_eq!((seen.sent.len(), seen.attempts_at_response, seen.waits.len()), (3, 3, 2));
    assert_eq!(seen.prepared, [2, 3], "a retry is made ready first");
}

#[test]
fn the_last_error_says_that_the_limit_was_used_up() {
    let seen = run(retrying(2), [refuse(1), refuse(1), refuse(1)]);
    assert_eq!((code(&seen), stopped(&seen)), (ErrorCode::NetworkError, Some(RetryStopped::Limit)));
    let attempts = &seen.failure().attempts;
    assert_eq!(attempts.len(), 3);
    assert!(attempts.iter().all(|attempt| attempt.code == Some(ErrorCode::NetworkError)));
    assert_eq!(seen.failure().outcome, Outcome::Unknown);
}

#[test]
fn f01_a_post_is_not_repeated() {
    let mut facts = retrying(3);
    facts.gate.method = Method::Post;
    let seen = run(facts.clone(), [refuse(1)]);
    assert_eq!((seen.sent.len(), stopped(&seen)), (1, Some(RetryStopped::Method)));
    assert_eq!((seen.failure().outcome, seen.waits.len()), (Outcome::Unknown, 0));
    facts.gate.keyed = true;
    assert!(run(facts, [refuse(1), answer(1, 200)]).ok());
}

#[test]
fn e03_a_body_that_cannot_be_sent_again_is_not() {
    let mut facts = retrying(3);
    (facts.gate.method, facts.replayable) = (Method::Put, false);
    let seen = run(facts, [refuse(1)]);
    assert_eq!((seen.sent.len(), stopped(&seen)), (1, Some(RetryStopped::Body)));
}

#[test]
fn f08_a_status_is_an_answer() {
    let seen = run(retrying(3), [busy(5, 503, 1_000)]);
    assert_eq!((code(&seen), seen.failure().status), (ErrorCode::HttpError, Some(503)));
    assert_eq!((seen.failure().retry_after, stopped(&seen)), (Some(Millis(1_000)), Some(RetryStopped::Policy)));
    assert_eq!((seen.sent.len(), seen.ended_at(), seen.collected), (1, 5, true));
    assert_eq!(seen.failure().outcome, Outcome::Answered);
}

#[test]
fn a_raw_response_with_an_error_status_is_given_to_the_caller() {
    let mut facts = retrying(3);
    facts.surface = Surface::Fetch;
    let seen = run(facts, [answer(5, 500)]);
    assert!(seen.ok());
    assert!(!seen.collected);
}

#[test]
fn a_status_that_was_opted_in_is_retried_and_its_body_cancelled() {
    let facts = retrying(1);
    let seen = run_retrying(&[503], facts.clone(), [answer(5, 503), answer(5, 200)]);
    assert!(seen.ok());
    assert_eq!(seen.discarded, [1]);
    assert_eq!(seen.ended_attempts[0].code, Some(ErrorCode::HttpError));
    assert_eq!(seen.ended_attempts[0].outcome, Outcome::Answered);
    let seen = run_retrying(&[503], facts, [answer(5, 503), answer(5, 503)]);
    assert_eq!((code(&seen), stopped(&seen)), (ErrorCode::HttpError, Some(RetryStopped::Limit)));
    assert_eq!(seen.discarded, [1], "the last answer is read for the error");
}

#[test]
fn the_wait_is_retry_after_and_a_jittered_backoff() {
    let facts = retrying(1);
    let mut waits = Vec::new();
    for seed in 0..200 {
        let mut world = World::seeded([seed, 2, 3, 4]);
        world.statuses.retried = [429].into_iter().collect();
        let id = world.start(facts.clone(), [busy(0, 429, 1_000), answer(0, 200)]);
        world.run();
        waits.push(world.seen(id).waits[0]);
    }
    assert!(waits.iter().all(|wait| (1_000..=1_100).contains(wait)), "{waits:?}");
    assert!(waits.iter().min() < Some(&1_010) && waits.iter().max() > Some(&1_090), "spread: {waits:?}");
}

#[test]
fn retry_after_counts_for_some_statuses_only() {
    let facts = retrying(1);
    let seen = run_retrying(&[500], facts.clone(), [busy(0, 500, 1_000), answer(0, 200)]);
    assert!(seen.waits[0] <= 100);
    let mut world = World::retrying(&[500]);
    world.statuses.heeded = [500].into_iter().collect();
    let seen = world.run_call(facts, [busy(0, 500, 1_000), answer(0, 200)]);
    assert!(seen.waits[0] >= 1_000);
}

#[test]
fn c07_a_wait_beyond_the_deadline_is_not_slept_for() {
    let mut facts = retrying(3);
    facts.options.total_timeout = Millis(2_000);
    let seen = run_retrying(&[429], facts, [busy(10, 429, 60_000)]);
    assert_eq!((code(&seen), seen.failure().status, seen.ended_at()), (ErrorCode::HttpError, Some(429), 10));
    assert_eq!((stopped(&seen), seen.failure().retry_after), (Some(RetryStopped::Deadline), Some(Millis(60_000))));
}

#[test]
fn a_server_that_asks_for_too_long_a_wait_gets_no_retry() {
    let mut facts = retrying(3);
    facts.options.total_timeout = Millis::NONE;
    let seen = run_retrying(&[429], facts.clone(), [busy(10, 429, 60_001)]);
    assert_eq!((seen.sent.len(), stopped(&seen)), (1, Some(RetryStopped::RetryAfter)));
    assert_eq!(run_retrying(&[429], facts, [busy(10, 429, 60_000), answer(0, 200)]).sent.len(), 2);
}

#[test]
fn c06_attempts_share_one_deadline() {
    let mut facts = retrying(5);
    facts.options.total_timeout = Millis(1_000);
    facts.options.retry.delay = Millis(50);
    facts.options.retry.retry_on_timeout = true;
    for seed in 0..50 {
        let mut world = World::seeded([seed, 7, 7, 7]);
        let id = world.start(facts.clone(), []);
        world.run();
        let seen = world.seen(id);
        assert!(seen.ended_at() <= 1_000 && (2..=4).contains(&seen.sent.len()));
        assert!(matches!(code(seen), ErrorCode::DeadlineExceeded | ErrorCode::Timeout));
        assert_eq!(stopped(seen), Some(RetryStopped::Deadline));
        assert!(seen.sent.iter().all(|(_, at)| *at <= 990));
    }
}

#[test]
fn c14_a_timed_out_attempt_is_closed_before_the_next() {
    let mut facts = retrying(2);
    facts.options.headers_timeout = Millis(200);
    facts.options.retry.delay = Millis(10);
    facts.options.retry.retry_on_timeout = true;
    let seen = run(facts, []);
    assert_eq!((seen.sent.len(), seen.closed.len()), (3, 3));
    for ((_, sent), (_, closed)) in seen.sent.iter().zip(&seen.closed) {
        assert_eq!(closed - sent, 200);
    }
}

#[test]
fn f14_a_retry_that_could_not_finish_is_not_started() {
    let mut facts = retrying(3);
    facts.options.total_timeout = Millis(1_000);
    facts.options.headers_timeout = Millis::NONE;
    facts.options.min_attempt_time = Millis(100);
    let seen = run(facts, [refuse(950)]);
    assert_eq!((code(&seen), stopped(&seen)), (ErrorCode::NetworkError, Some(RetryStopped::Deadline)));
    assert_eq!((seen.ended_at(), seen.sent.len()), (950, 1));
}

#[test]
fn f15_a_repeated_delete_that_finds_nothing_says_what_came_before() {
    let mut facts = retrying(1);
    facts.gate.method = Method::Delete;
    let seen = run(facts, [refuse(5), answer(5, 404)]);
    assert_eq!((code(&seen), seen.failure().outcome), (ErrorCode::HttpError, Outcome::Unknown));
    let outcomes: Vec<Outcome> = seen.failure().attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [Outcome::Unknown, Outcome::Answered]);
}

#[test]
fn a_body_that_breaks_is_final() {
    let seen = run(retrying(3), [answer_with(5, 200, &[(0, 7)], BodyEnd::Broken)]);
    assert_eq!((code(&seen), phase(&seen)), (ErrorCode::NetworkError, Some(Phase::Body)));
    assert_eq!((seen.sent.len(), seen.failure().status, seen.failure().bytes), (1, Some(200), 7));
    assert_eq!(stopped(&seen), Some(RetryStopped::Policy));
}

#[test]
fn an_error_status_stays_one_whatever_happens_to_its_body() {
    for end in [BodyEnd::Broken, BodyEnd::Silence, BodyEnd::Complete(None)] {
        let seen = run(facts(), [answer_with(5, 500, &[(0, 7)], end)]);
        assert_eq!((code(&seen), phase(&seen)), (ErrorCode::HttpError, Some(Phase::Headers)));
    }
}

#[test]
fn a_request_that_the_platform_refuses_was_no_attempt() {
    let refused = || Step { after: Some(0), result: Settled::Refused(ErrorCode::InvalidRequest) };
    let seen = run(retrying(3), [refused()]);
    assert_eq!(
        (code(&seen), seen.failure().outcome, stopped(&seen)),
        (ErrorCode::InvalidRequest, Outcome::NotSent, None)
    );
    assert!(seen.failure().attempts.is_empty() && phase(&seen).is_none());
    let seen = run(retrying(3), [refuse(1), refused()]);
    assert_eq!(seen.failure().outcome, Outcome::Unknown, "an earlier attempt went out");
    assert_eq!(seen.failure().attempts.len(), 1);
}

#[test]
fn should_retry_replaces_the_rule_about_the_kind_and_nothing_else() {
    let ask = |limit, answers: &[Option<f64>], script: Vec<Step>| {
        let mut world = World::new();
        let mut facts = retrying(limit);
        facts.callbacks.should_retry = true;
        world.answers = answers.iter().map(|answer| Some(Event::Answer(*answer))).collect();
        let id = world.start(facts, script);
        world.run();
        world.assert_at_rest();
        world.calls.remove(&id).unwrap()
    };
    let seen = ask(3, &[Some(0.0)], vec![refuse(1)]);
    assert_eq!((seen.sent.len(), stopped(&seen)), (1, Some(RetryStopped::Policy)));
    let seen = ask(3, &[Some(1.0), None], vec![answer(1, 500), answer(1, 500)]);
    assert_eq!((seen.sent.len(), code(&seen), stopped(&seen)), (2, ErrorCode::HttpError, Some(RetryStopped::Policy)));
    assert_eq!(seen.asked, [(Question::ShouldRetry, 1), (Question::ShouldRetry, 2)]);
    let seen = ask(0, &[Some(1.0)], vec![refuse(1)]);
    assert_eq!((seen.sent.len(), stopped(&seen)), (1, Some(RetryStopped::Limit)));
}

#[test]
fn a_decision_that_never_comes_meets_the_deadline() {
    let mut world = World::new();
    let mut facts = retrying(3);
    facts.callbacks.should_retry = true;
    world.answers = [None].into();
    let id = world.start(facts, [answer(1, 500)]);
    world.run();
    world.assert_at_rest();
    let seen = world.seen(id);
    assert_eq!((code(seen), phase(seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, Some(Phase::Hook), 5_000));
    assert_eq!(seen.closed, [(1, 5_000)], "the answer that waited is closed");
}

#[test]
fn a_delay_function_and_a_jitter_function_are_asked() {
    let mut world = World::new();
    let mut facts = retrying(1);
    facts.callbacks.delay = true;
    facts.options.retry.jitter = Jitter::Custom;
    world.answers = [Some(Event::Answer(Some(5_000.0))), Some(Event::Answer(Some(70.5)))].into();
    let id = world.start(facts, [refuse(1), answer(1, 200)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!(seen.asked, [(Question::Delay, 1), (Question::Jitter, 1_000)], "capped by backoffLimit before jitter");
    assert_eq!((seen.ok(), seen.waits.as_slice()), (true, [71].as_slice()));
}

#[test]
fn attempts_without_a_connection_are_retried_and_were_not_sent() {
    let seen = run(retrying(2), [unconnected(1), unconnected(1), unconnected(1)]);
    assert_eq!(
        (code(&seen), seen.failure().outcome, stopped(&seen)),
        (ErrorCode::NetworkError, Outcome::NotSent, Some(RetryStopped::Limit))
    );
    let attempts = &seen.failure().attempts;
    assert_eq!(attempts.iter().map(|attempt| attempt.outcome).collect::<Vec<_>>(), [Outcome::NotSent; 3]);

    let lost = run(retrying(1), [refuse(1), unconnected(1)]);
    assert_eq!((lost.failure().outcome, lost.failure().attempts[1].outcome), (Outcome::Unknown, Outcome::NotSent));

    let answered = run(retrying(1), [unconnected(1), answer(1, 404)]);
    assert_eq!((code(&answered), answered.failure().outcome), (ErrorCode::HttpError, Outcome::Answered));

    let mut facts = retrying(3);
    facts.gate.method = Method::Post;
    let post = run(facts, [unconnected(1)]);
    assert_eq!((post.failure().outcome, stopped(&post)), (Outcome::NotSent, Some(RetryStopped::Method)));
}

#[test]
fn the_body_of_an_error_is_collected_before_a_retry_is_decided_if_somebody_looks_at_it() {
    let mut facts = retrying(1);
    facts.callbacks.error_data = true;
    facts.callbacks.should_retry = true;
    let mut world = World::new();
    world.answers = [Some(Event::Answer(Some(1.0))), Some(Event::Answer(Some(0.0)))].into();
    let id = world.start(facts, [answer(1, 409), answer(1, 409)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!((seen.sent.len(), code(seen), stopped(seen)), (2, ErrorCode::HttpError, Some(RetryStopped::Policy)));
    assert_eq!((seen.collects, seen.asked.len()), (2, 2), "once for each answer, before the question");
    world.assert_at_rest();

    let seen = run_retrying(&[503], retrying(1), [answer(1, 503), answer(1, 503)]);
    assert_eq!((seen.sent.len(), seen.collects), (2, 1), "a plain retry reads no body");
}

#[test]
fn an_error_body_that_never_ends_is_given_up_by_the_limits_and_the_retry_is_decided_all_the_same() {
    let silent = || {
        let mut step = answer(1, 503);
        if let Settled::Answer { body, .. } = &mut step.result {
            *body = Body { pieces: vec![(0, 2)], end: BodyEnd::Silence };
        }
        step
    };
    let mut facts = retrying(1);
    facts.callbacks.error_data = true;
    let seen = run_retrying(&[503], facts.clone(), [silent(), answer(1, 200)]);
    assert!(seen.ok() && seen.sent.len() == 2);
    let idle = facts.options.idle_timeout;
    assert!(seen.sent[1].1 >= idle.0, "after the idle limit");

    facts.options.total_timeout = Millis(idle.0 / 2);
    let seen = run_retrying(&[503], facts, [silent()]);
    assert_eq!((code(&seen), stopped(&seen)), (ErrorCode::HttpError, Some(RetryStopped::Deadline)));
}

#[test]
fn an_answer_that_a_hook_wants_retried_is_a_failed_attempt_under_all_rules() {
    let demand = |demand, facts: Facts, script: Vec<Step>| {
        let mut world = World::new();
        world.demand = demand;
        world.run_call(facts, script)
    };
    let script = || vec![answer(1, 200), answer(1, 200), answer(1, 200)];
    let seen = demand(Demand::Retry, retrying(2), script());
    assert!(seen.ok(), "the last answer is the answer");
    assert_eq!((seen.sent.len(), seen.waits.len()), (3, 2));

    let mut post = retrying(2);
    post.gate.method = Method::Post;
    assert_eq!(demand(Demand::Retry, post, script()).sent.len(), 1, "the gate");

    let waiting = || vec![busy(1, 200, 250), busy(1, 200, 250)];
    assert_eq!(demand(Demand::RetryAfter, retrying(1), waiting()).waits, [250], "no backoff on top");
    let mut impatient = retrying(1);
    impatient.options.retry.max_retry_after = Millis(200);
    assert_eq!(demand(Demand::RetryAfter, impatient, waiting()).sent.len(), 1, "maxRetryAfter");
    let mut vetoed = retrying(1);
    vetoed.callbacks.should_retry = true;
    assert!(demand(Demand::RetryAfter, vetoed, waiting()).asked.is_empty(), "the hook has said it");
}

#[test]
fn no_jitter_function_makes_a_wait_longer_than_the_backoff_limit() {
    let mut world = World::new();
    let mut facts = retrying(1);
    facts.options.retry.jitter = Jitter::Custom;
    facts.options.retry.backoff_limit = Millis(30);
    world.answers = [Some(Event::Answer(Some(2_000.0)))].into();
    let id = world.start(facts, [refuse(1), answer(1, 200)]);
    world.run();
    assert_eq!(world.seen(id).waits, [30]);
}

#[test]
fn a_wait_that_is_no_number_is_the_callers_fault() {
    for answer in [None, Some(-1.0), Some(f64::INFINITY)] {
        let mut world = World::new();
        let mut facts = retrying(1);
        facts.callbacks.delay = true;
        world.answers = [Some(Event::Answer(answer))].into();
        let id = world.start(facts, [refuse(1)]);
        world.run();
        assert_eq!((code(world.seen(id)), phase(world.seen(id))), (ErrorCode::CallbackError, Some(Phase::Hook)));
    }
}

#[test]
fn without_jitter_the_waits_double() {
    let mut facts = retrying(5);
    facts.options.retry.jitter = Jitter::None;
    let seen = run(facts, [refuse(0), refuse(0), refuse(0), refuse(0), refuse(0), refuse(0)]);
    assert_eq!(seen.waits, [100, 200, 400, 800, 1_000]);
}

#[test]
fn a_policy_stop_found_before_a_retry_ends_the_call_with_its_last_error() {
    let mut world = World::new();
    world.prepare = None;
    let id = world.start(retrying(3), [refuse(1)]);
    world.run_until(500);
    world.event(id, 2, Event::Stop(RetryStopped::Policy));
    let seen = world.seen(id);
    assert_eq!((code(seen), stopped(seen)), (ErrorCode::NetworkError, Some(RetryStopped::Policy)));
    world.assert_at_rest();
}

#[test]
fn f13_a_retry_waits_for_online_at_most_by_the_backoff_limit() {
    let mut facts = retrying(1);
    facts.options.retry.jitter = Jitter::None;
    let mut world = World::new();
    world.online = false;
    let id = world.start(facts.clone(), [refuse(0), answer(0, 200)]);
    world.run();
    assert_eq!(world.seen(id).sent, [(1, 0), (2, 1_100)], "offline may be a lie");
    assert!(!world.watching_online);

    let mut world = World::new();
    world.online = false;
    let id = world.start(facts.clone(), [refuse(0), answer(0, 200)]);
    world.run_until(300);
    world.go_online(true);
    world.run();
    assert_eq!(world.seen(id).sent, [(1, 0), (2, 300)]);
    assert!(!world.watching_online);

    facts.options.retry.wait_for_online = false;
    let mut world = World::new();
    world.online = false;
    let id = world.start(facts.clone(), [refuse(0), answer(0, 200)]);
    world.run();
    assert_eq!(world.seen(id).sent, [(1, 0), (2, 100)]);

    facts.options.retry.wait_for_online = true;
    facts.options.total_timeout = Millis(600);
    let mut world = World::new();
    world.online = false;
    let id = world.start(facts, [refuse(0), answer(0, 200)]);
    world.run();
    assert_eq!(world.seen(id).sent, [(1, 0), (2, 590)], "within the deadline");
}

#[test]
fn a_wait_that_overslept_is_drawn_anew_once() {
    let mut facts = retrying(1);
    facts.options.total_timeout = Millis::NONE;
    facts.options.retry.jitter = Jitter::None;
    let mut world = World::new();
    let id = world.start(facts, [refuse(0), answer(0, 200)]);
    world.run_until(0);
    // The laptop slept for an hour; the timer fires late, lets a task pass, and fires again.
    world.now = 3_600_000;
    world.tick();
    world.tick();
    assert_eq!(world.seen(id).sent.len(), 1, "no burst on waking");
    world.now = 3_700_000;
    world.tick();
    world.tick();
    world.run();
    assert_eq!(world.seen(id).sent, [(1, 0), (2, 3_700_000)], "the second time it goes, however late");
}

#[test]
fn a_hook_before_a_retry_that_never_ends_meets_the_deadline() {
    let mut world = World::new();
    world.prepare = None;
    let id = world.start(retrying(1), [refuse(1)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), phase(seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, Some(Phase::Hook), 5_000));
}

#[test]
fn time_used_up_by_a_hook_before_a_retry_ends_with_the_last_error() {
    let mut world = World::new();
    world.prepare = Some(4_995);
    let id = world.start(retrying(1), [refuse(0)]);
    world.seen(id).facts.as_mut().unwrap().options.retry.delay = Millis(0);
    world.run();
    let seen = world.seen(id);
    assert_eq!(seen.sent.len(), 1);
    assert!(matches!(code(seen), ErrorCode::NetworkError | ErrorCode::DeadlineExceeded));
}

#[test]
fn a_response_too_large_by_its_length_is_refused_and_by_its_bytes_cut() {
    let mut facts = facts();
    facts.options.max_response_bytes = 100;
    let mut large = answer(5, 200);
    if let Settled::Answer { length, .. } = &mut large.result {
        *length = Some(101);
    }
    let seen = run(facts.clone(), [large]);
    assert_eq!((code(&seen), seen.responded, seen.closed.len()), (ErrorCode::ResponseTooLarge, None, 1));
    let seen = run(facts.clone(), [answer_with(5, 200, &[(0, 60), (0, 60), (0, 60)], BodyEnd::Complete(None))]);
    assert_eq!(
        (code(&seen), seen.failure().bytes, seen.failure().limit),
        (ErrorCode::ResponseTooLarge, 120, Some(100))
    );
    assert!(run(facts, [answer_with(5, 200, &[(0, 60), (0, 40)], BodyEnd::Complete(None))]).ok());
}

#[test]
fn bad_json_is_reported_with_what_had_come() {
    let seen = run(retrying(3), [answer_with(5, 200, &[(0, 3)], BodyEnd::Complete(Some(ErrorCode::ParseError)))]);
    assert_eq!((code(&seen), phase(&seen), seen.failure().bytes), (ErrorCode::ParseError, Some(Phase::Body), 3));
    assert_eq!((seen.failure().status, seen.sent.len()), (Some(200), 1));
}

#[test]
fn a_total_timeout_given_to_the_client_covers_a_raw_body() {
    let mut facts = facts();
    (facts.surface, facts.total_given) = (Surface::Fetch, Given::Client);
    facts.options.total_timeout = Millis(1_000);
    let seen = run(facts, [answer_with(10, 200, &[(200, 1); 40], BodyEnd::Complete(None))]);
    assert_eq!((code(&seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, 1_000));
}

#[test]
fn i10_a_lost_answer_after_a_redirect_is_not_repeated() {
    let mut facts = retrying(3);
    facts.gate.method = Method::Post;
    let seen = run(facts, [refuse(20)]);
    assert_eq!((seen.sent.len(), seen.failure().outcome), (1, Outcome::Unknown));
}

/// A keyed POST that may be repeated after a timeout.
fn keyed(limit: u32) -> Facts {
    let mut facts = retrying(limit);
    (facts.gate.method, facts.gate.keyed) = (Method::Post, true);
    facts.options.retry.retry_on_timeout = true;
    facts
}

#[test]
fn g05_a_409_to_a_retry_of_a_keyed_write_is_waited_for_and_retried() {
    let seen = run(keyed(2), [refuse(1), busy(1, 409, 1_000), answer(1, 201)]);
    assert!(seen.ok());
    assert_eq!(seen.sent.len(), 3);
    assert!(seen.waits[1] >= 1_000, "Retry-After counts: {:?}", seen.waits);
}

#[test]
fn g05_a_409_is_retried_within_the_limit_only() {
    let seen = run(keyed(1), [refuse(1), answer(1, 409)]);
    assert_eq!((code(&seen), seen.failure().status), (ErrorCode::HttpError, Some(409)));
    assert_eq!((stopped(&seen), seen.failure().outcome), (Some(RetryStopped::Limit), Outcome::Unknown));
}

#[test]
fn g05_a_409_to_a_first_attempt_or_without_a_key_is_the_answer() {
    let seen = run(keyed(3), [answer(1, 409)]);
    assert_eq!((code(&seen), stopped(&seen)), (ErrorCode::HttpError, Some(RetryStopped::Policy)));
    assert_eq!(seen.failure().outcome, Outcome::Answered);
    let mut facts = keyed(3);
    (facts.gate.keyed, facts.gate.idempotent) = (false, Some(true));
    assert_eq!(run(facts, [refuse(1), answer(1, 409)]).sent.len(), 2);
}
