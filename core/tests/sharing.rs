//! Equal calls that share one request (`dedupe`).

mod world;

use steadfetch_core::breaker::CircuitState;
use steadfetch_core::budget::BudgetOptions;
use steadfetch_core::engine::{CallId, Event, Facts};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::metrics::Counter;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::queue::QueueOptions;
use steadfetch_core::refresh::{RefreshOptions, Verb};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};
use world::*;

fn sharing() -> Facts {
    let mut facts = facts();
    facts.keys.share = 7;
    facts.keys.metrics = 1;
    facts
}

/// In a queue with one slot and one place.
fn queued() -> Facts {
    let mut facts = sharing();
    facts.keys.lane = 3;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 1, timeout: Millis::NONE };
    facts
}

fn sharing_and_retrying() -> Facts {
    let mut facts = sharing();
    facts.options.retry.limit = 3;
    facts.keys.budget = 5;
    facts
}

fn start(world: &mut World, facts: &Facts, count: usize, script: &[Step]) -> Vec<CallId> {
    (0..count).map(|_| world.start(facts.clone(), script.to_vec())).collect()
}

fn counted(world: &mut World, counter: Counter) -> u64 {
    let store = world.engine.metrics(1).expect("metrics");
    let mut numbers = Vec::new();
    store.write(&mut numbers);
    numbers[counter as usize] as u64
}

fn all_ok(world: &World) -> bool {
    world.calls.values().all(Seen::ok)
}

#[test]
fn equal_calls_at_once_are_one_request_and_each_gets_the_answer() {
    let mut world = World::new();
    let ids = start(&mut world, &sharing(), 100, &[answer(50, 200)]);
    world.run();
    world.assert_at_rest();
    assert_eq!(world.requests.len(), 1);
    assert!(all_ok(&world));
    assert!(ids.iter().all(|id| world.calls[id].responded == Some(50)));
    assert!(world.seen(ids[0]).shared.is_empty() && ids[1..].iter().all(|id| world.calls[id].shared == [1]));
    assert_eq!((counted(&mut world, Counter::Attempts), counted(&mut world, Counter::AttemptsEnded)), (1, 1));
    assert_eq!(counted(&mut world, Counter::Shared), 99);
}

#[test]
fn calls_without_a_number_or_with_another_one_share_nothing() {
    let mut world = World::new();
    for share in [0, 0, 1, 2] {
        let mut facts = sharing();
        facts.keys.share = share;
        world.start(facts, [answer(50, 200)]);
    }
    world.run();
    assert_eq!(world.requests.len(), 4);
}

#[test]
fn a_call_that_comes_after_the_headers_sends_its_own_request() {
    let mut world = World::new();
    start(&mut world, &sharing(), 2, &[answer_with(50, 200, &[(100, 10)], BodyEnd::Complete(None))]);
    world.run_for(60);
    world.start(sharing(), [answer(10, 200)]);
    world.run();
    assert!(all_ok(&world));
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn a_caller_who_leaves_takes_nobody_along_and_the_last_one_closes_the_request() {
    let mut world = World::new();
    let ids = start(&mut world, &sharing(), 3, &[hang()]);
    world.run_for(10);
    world.cancel(ids[0]);
    world.cancel(ids[1]);
    assert_eq!(world.requests[0].closed(), None);
    world.run_for(5);
    world.cancel(ids[2]);
    assert_eq!(world.requests[0].closed(), Some(15));
    world.run();
    world.assert_at_rest();
    assert_eq!(world.requests.len(), 1);
}

#[test]
fn a_shorter_limit_ends_only_its_own_call() {
    let mut world = World::new();
    let mut short = sharing();
    short.options.timeout = Millis(20);
    let first = world.start(short, [answer(100, 200)]);
    let second = world.start(sharing(), [answer(1, 500)]);
    world.run();
    world.assert_at_rest();
    assert_eq!((code(world.seen(first)), world.seen(first).ended_at()), (ErrorCode::Timeout, 20));
    assert_eq!((world.seen(second).ok(), world.seen(second).responded), (true, Some(100)));
    assert_eq!(world.requests.len(), 1);
}

#[test]
fn an_attempt_of_a_call_that_joined_later_has_its_whole_time() {
    let mut world = World::new();
    let mut facts = sharing();
    facts.options.timeout = Millis(100);
    world.start(facts.clone(), [hang()]);
    world.run_for(60);
    let second = world.start(facts, [hang()]);
    world.run();
    assert_eq!(world.seen(second).ended_at(), 160);
    assert_eq!((world.requests.len(), world.requests[0].closed()), (1, Some(160)));
}

#[test]
fn calls_whose_request_failed_share_the_retry_and_one_of_them_pays_for_it() {
    let mut world = World::new();
    let mut facts = sharing_and_retrying();
    facts.options.budget = BudgetOptions { capacity: 3.0, ratio: 0.0, per_second: 0.0 };
    let ids = start(&mut world, &facts, 50, &[refuse(10), refuse(10), answer(10, 200)]);
    world.run();
    world.assert_at_rest();
    assert_eq!(world.requests.len(), 3);
    assert!(all_ok(&world));
    assert_eq!(counted(&mut world, Counter::BudgetRefusals), 0);
    let waits = &world.calls[&ids[0]].waits;
    assert!(ids.iter().all(|id| world.calls[id].waits == *waits), "one backoff");
}

#[test]
fn they_share_the_retry_also_if_they_hear_of_the_failure_one_after_the_other() {
    let mut world = World::new();
    let ids = start(&mut world, &sharing_and_retrying(), 3, &[hang(), answer(0, 200)]);
    for id in ids {
        world.event(id, 1, Event::Failed);
        world.run_for(1);
    }
    world.run();
    world.assert_at_rest();
    assert!(all_ok(&world));
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn without_budget_none_of_them_retries() {
    let mut world = World::new();
    let mut facts = sharing_and_retrying();
    facts.options.budget = BudgetOptions { capacity: 1.0, ratio: 0.0, per_second: 0.0 };
    start(&mut world, &facts, 5, &[refuse(10), refuse(10), answer(10, 200)]);
    world.run();
    world.assert_at_rest();
    assert_eq!(world.requests.len(), 2);
    for seen in world.calls.values() {
        assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::NetworkError, Some(RetryStopped::Budget)));
    }
}

#[test]
fn one_call_that_waits_for_the_retry_pays_if_the_one_that_was_to_pay_has_left() {
    let mut world = World::new();
    let mut facts = sharing_and_retrying();
    facts.options.budget = BudgetOptions { capacity: 1.0, ratio: 0.0, per_second: 0.0 };
    let ids = start(&mut world, &facts, 3, &[refuse(10), answer(10, 200)]);
    world.run_for(10);
    world.cancel(ids[0]);
    world.run();
    world.assert_at_rest();
    assert!(world.seen(ids[1]).ok() && world.seen(ids[2]).ok());
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn a_call_that_gave_a_request_up_retries_with_another_one() {
    let mut world = World::new();
    let mut impatient = sharing_and_retrying();
    impatient.options.retry.retry_on_timeout = true;
    impatient.options.retry.delay = Millis(1);
    impatient.options.headers_timeout = Millis(20);
    let mut patient = sharing();
    patient.options.headers_timeout = Millis::NONE;
    let first = world.start(patient, [answer(1_000, 200)]);
    let second = world.start(impatient, [hang(), answer(5, 200)]);
    world.run();
    world.assert_at_rest();
    assert!(world.seen(first).ok() && world.seen(second).ok());
    assert!(world.seen(second).ended_at() < 100);
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn calls_that_share_take_one_slot_and_it_is_held_until_the_last_is_done() {
    let mut world = World::new();
    let facts = queued();
    let body = answer_with(50, 200, &[(100, 10)], BodyEnd::Complete(None));
    let ids = start(&mut world, &facts, 10, &[body]);
    let mut other = facts.clone();
    other.keys.share = 8;
    let other = world.start(other, [answer(10, 200)]);
    world.run_for(60);
    world.cancel(ids[0]);
    assert_eq!(world.engine.queued(), (1, 1), "the others read on");
    assert!(world.seen(other).sent.is_empty());
    world.run();
    world.assert_at_rest();
    assert!(world.seen(other).ok());
    assert_eq!(world.seen(other).sent, [(1, 150)]);
}

#[test]
fn calls_wait_with_the_one_that_waits_for_a_slot_and_one_of_them_takes_its_place() {
    let mut world = World::new();
    let facts = queued();
    let mut other = facts.clone();
    other.keys.share = 0;
    world.start(other, [answer(100, 200)]);
    let ids = start(&mut world, &facts, 5, &[answer(10, 200)]);
    assert_eq!(world.engine.queued(), (1, 1), "one place for all five");
    world.run_for(10);
    world.cancel(ids[0]);
    assert_eq!(world.engine.queued(), (1, 1));
    let failure = world.seen(ids[0]).failure();
    assert_eq!(
        (failure.code, failure.phase, failure.outcome),
        (ErrorCode::Aborted, Some(Phase::Queue), Outcome::NotSent)
    );
    world.run();
    world.assert_at_rest();
    assert!(ids[1..].iter().all(|id| world.calls[id].ok() && world.calls[id].responded == Some(110)));
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn each_caller_waits_in_the_queue_as_long_as_it_wants() {
    let mut world = World::new();
    let mut facts = queued();
    let mut other = facts.clone();
    other.keys.share = 0;
    world.start(other, [answer(100, 200)]);
    world.start(facts.clone(), [answer(10, 200)]);
    facts.options.queue.timeout = Millis(30);
    let short = world.start(facts, [answer(10, 200)]);
    world.run();
    world.assert_at_rest();
    assert_eq!((code(world.seen(short)), world.seen(short).ended_at()), (ErrorCode::QueueTimeout, 30));
}

fn breaking(threshold: u32) -> Facts {
    let mut facts = sharing();
    facts.keys.circuit = 9;
    facts.options.breaker = breaker(threshold);
    facts
}

fn state(world: &mut World) -> (CircuitState, u32) {
    let now = Instant(world.now);
    let view = world.engine.circuit(now, 9, &breaking(3).options.breaker);
    (view.state, view.failures)
}

#[test]
fn a_request_counts_once_for_its_circuit_however_many_share_it() {
    let mut world = World::new();
    start(&mut world, &breaking(3), 10, &[refuse(10)]);
    world.run();
    assert_eq!(state(&mut world), (CircuitState::Closed, 1));
    let ids = start(&mut world, &breaking(3), 10, &[answer(10, 503)]);
    world.cancel(ids[0]);
    world.run();
    world.assert_at_rest();
    assert_eq!(state(&mut world), (CircuitState::Closed, 2));
}

#[test]
fn the_probe_goes_on_for_the_others_if_its_caller_leaves() {
    let mut world = World::new();
    for _ in 0..3 {
        world.start(breaking(3), [refuse(1)]);
        world.run();
    }
    assert_eq!(state(&mut world).0, CircuitState::Open);
    world.run_for(300);
    let queue = QueueOptions { concurrency: 1, limit: 9, timeout: Millis::NONE };
    let mut before = sharing();
    (before.keys.share, before.keys.lane, before.options.queue) = (0, 3, queue);
    world.start(before, [answer(10, 200)]);
    let mut facts = breaking(3);
    (facts.keys.lane, facts.options.queue) = (3, queue);
    let ids = start(&mut world, &facts, 3, &[answer(100, 200)]);
    world.run_for(20);
    world.cancel(ids[0]);
    facts.keys.share = 8;
    let other = world.start(facts, [answer(1, 200)]);
    assert_eq!(code(world.seen(other)), ErrorCode::CircuitOpen, "one probe at a time");
    world.run();
    world.assert_at_rest();
    assert!(world.seen(ids[1]).ok() && world.seen(ids[2]).ok());
    assert_eq!(state(&mut world).0, CircuitState::Closed);
}

#[test]
fn a_token_that_is_refused_is_refreshed_once_and_the_resend_is_shared_too() {
    let mut world = World::new();
    world.auth(1, RefreshOptions { get_token: true, lock: false, timeout: Millis(500), before: Millis(30) }).valid = 2;
    world.auths.get_mut(&1).unwrap().refreshes = [(Some(20), world::auth::Reply::New(3))].into();
    let mut facts = sharing();
    facts.auth = 1;
    start(&mut world, &facts, 20, &[guarded(10), guarded(10)]);
    world.run();
    world.assert_at_rest();
    assert!(all_ok(&world));
    assert_eq!(world.auths[&1].count(Verb::CallRefresh), 1);
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn the_number_of_an_attempt_is_that_of_what_it_sends() {
    let mut world = World::new();
    world.prepare = None;
    let mut facts = sharing();
    facts.callbacks.prepare = true;
    let first = world.start(facts.clone(), [answer(10, 200)]);
    let second = world.start(facts, [answer(10, 200)]);
    for (id, share) in [(first, 3), (second, 4)] {
        world.event(id, 1, Event::Sharing(share));
        world.event(id, 1, Event::Ready);
    }
    world.run();
    assert_eq!(world.requests.len(), 2);
}

#[test]
fn one_that_is_cancelled_when_it_is_about_to_send_leaves_the_request_to_the_others() {
    let mut world = World::new();
    let refused = Step { after: Some(0), result: Settled::Refused(ErrorCode::Aborted) };
    let first = world.start(sharing(), [refused]);
    let rest = start(&mut world, &sharing(), 2, &[answer(10, 200)]);
    world.run();
    world.assert_at_rest();
    assert_eq!((code(world.seen(first)), world.seen(first).failure().outcome), (ErrorCode::Aborted, Outcome::NotSent));
    assert!(rest.iter().all(|id| world.calls[id].ok()));
}

#[test]
fn each_caller_sees_the_error_and_the_outcome_of_the_request() {
    let mut world = World::new();
    start(&mut world, &sharing(), 3, &[answer_with(10, 200, &[(5, 3)], BodyEnd::Broken)]);
    world.run();
    world.assert_at_rest();
    for seen in world.calls.values() {
        let failure = seen.failure();
        assert_eq!(
            (failure.code, failure.phase, failure.status),
            (ErrorCode::NetworkError, Some(Phase::Body), Some(200))
        );
        assert_eq!((failure.attempts.len(), failure.bytes, failure.outcome), (1, 3, Outcome::Answered));
    }
}
