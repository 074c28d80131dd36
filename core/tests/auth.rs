//! The token refresh, as calls meet it.
#![cfg(feature = "guard")]

mod world;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::breaker::{BreakerOptions, CircuitState};
use steadfetch_core::budget::BudgetOptions;
use steadfetch_core::engine::{CallId, Event, Facts, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::method::Method;
use steadfetch_core::metrics::Counter;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::queue::QueueOptions;
use steadfetch_core::refresh::{AuthEvent, RefreshOptions, Verb};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};
use world::auth::{Auth, OFFLINE, Reply};
use world::*;

const REJECTED: Reply = Reply::Event(AuthEvent::Failed { lost: false, status: 401 });

fn options() -> RefreshOptions {
    RefreshOptions { timeout: Millis(500), ..RefreshOptions::default() }
}

/// A world whose stored token is no good any more; a refresh takes 100 ms.
fn expired() -> World {
    let mut world = World::new();
    let auth = world.auth(1, options());
    auth.valid = 2;
    auth.refreshes.push_back((Some(100), Reply::New(3)));
    world
}

fn authorized() -> Facts {
    let mut facts = facts();
    facts.auth = 1;
    facts.keys.metrics = 1;
    facts
}

fn auth(world: &World) -> &Auth {
    &world.auths[&1]
}

fn refreshes(world: &World) -> usize {
    auth(world).count(Verb::CallRefresh)
}

fn start(world: &mut World, count: usize, after: impl Fn(usize) -> u64) -> Vec<CallId> {
    (0..count).map(|call| world.start(authorized(), [guarded(after(call)), guarded(10)])).collect()
}

fn sent(world: &World) -> usize {
    world.calls.values().map(|seen| seen.sent.len()).sum()
}

fn counted(world: &mut World, counter: Counter) -> u32 {
    world.engine.metrics(1).unwrap().get(counter)
}

#[test]
fn h01_a_storm_of_401_is_one_refresh_and_one_resend_each() {
    for count in [20, 200, 1_000] {
        let mut world = expired();
        // The last tenth is still out when the refresh is over: what comes back then is resent at once.
        let ids = start(&mut world, count, |call| if call % 10 == 0 { 200 } else { 20 });
        world.run();
        world.assert_at_rest();
        assert_eq!((refreshes(&world), sent(&world)), (1, count * 2));
        for (call, id) in ids.into_iter().enumerate() {
            let seen = world.seen(id);
            assert!(seen.ok());
            assert_eq!((seen.waits.len(), seen.attempts_at_response), (0, 2), "no retry");
            assert_eq!((seen.resent.as_slice(), seen.discarded.as_slice()), ([2].as_slice(), [1].as_slice()));
            assert_eq!(seen.sent[1].1, if call % 10 == 0 { 200 } else { 120 });
            assert_eq!(seen.tokens, [(Some(1), 1), (Some(3), 2)]);
            let first = seen.ended_attempts[0];
            assert_eq!((first.status, first.outcome, first.resend), (Some(401), Outcome::Answered, false));
            assert!(seen.ended_attempts[1].resend);
        }
        assert_eq!(counted(&mut world, Counter::Retries), 0);
        assert_eq!(counted(&mut world, Counter::Refreshes), 1);
        assert_eq!(counted(&mut world, Counter::Resends), count as u32);
    }
}

#[test]
fn as_many_as_there_are_wait_and_the_stack_does_not_grow() {
    let mut world = World::new();
    let auth = world.auth(1, options());
    (auth.valid, auth.plans) = (2, [(Some(50), Reply::Stored)].into());
    auth.refreshes.push_back((Some(100), Reply::New(3)));
    let mut facts = authorized();
    facts.callbacks.observe = false;
    for _ in 0..100_000 {
        world.start(facts.clone(), [guarded(20), guarded(10)]);
    }
    for _ in 0..4 {
        world.run_for(50);
    }
    assert_eq!((refreshes(&world), sent(&world)), (1, 200_000));
}

#[test]
fn h02_a_refresh_that_is_rejected_fails_the_wave_and_a_later_call_tries_once_more() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(Some(100), REJECTED), (Some(1), Reply::New(3))].into();
    let ids = start(&mut world, 5, |call| if call == 4 { 200 } else { 20 });
    world.run();
    assert_eq!((refreshes(&world), sent(&world)), (1, 5));
    for (call, id) in ids.into_iter().enumerate() {
        let seen = world.seen(id);
        let failure = seen.failure();
        assert_eq!((failure.code, failure.phase), (ErrorCode::AuthRefreshFailed, Some(Phase::Refresh)));
        assert_eq!((failure.status, failure.outcome, failure.stopped), (Some(401), Outcome::Answered, None));
        assert!(failure.session_lost);
        assert_eq!((seen.ended_at(), failure.attempts.len()), (if call == 4 { 200 } else { 120 }, 1));
        assert_eq!(seen.discarded, [1], "nobody will read the body of the 401");
    }
    let later = start(&mut world, 1, |_| 5)[0];
    world.run();
    assert!(world.seen(later).ok());
    assert_eq!(refreshes(&world), 2);
    world.assert_at_rest();
}

#[test]
fn h04_a_second_401_is_the_answer() {
    let mut world = expired();
    let ids: Vec<CallId> = (0..2).map(|_| world.start(authorized(), [answer(20, 401), answer(20, 401)])).collect();
    world.run();
    for id in ids {
        let seen = world.seen(id);
        assert_eq!((code(seen), seen.failure().status, seen.sent.len()), (ErrorCode::HttpError, Some(401), 2));
        assert!(seen.collected, "with its body");
    }
    assert_eq!(refreshes(&world), 1);
    world.assert_at_rest();
}

#[test]
fn h04_a_retry_after_the_resend_is_not_resent() {
    let mut world = expired();
    let mut facts = authorized();
    facts.options.retry.limit = 1;
    let id = world.start(facts, [answer(20, 401), refuse(5), answer(5, 401)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), seen.failure().status, seen.sent.len()), (ErrorCode::HttpError, Some(401), 3));
    let resends: Vec<bool> = seen.failure().attempts.iter().map(|attempt| attempt.resend).collect();
    assert_eq!(resends, [false, true, false]);
    assert_eq!(refreshes(&world), 1);
}

#[test]
fn h06_a_refresh_that_hangs_fails_who_waits_and_the_next_call_starts_another() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(None, OFFLINE), (Some(10), Reply::New(3))].into();
    let ids = start(&mut world, 5, |_| 20);
    world.run_until(700);
    for id in ids {
        let seen = world.seen(id);
        assert_eq!((code(seen), seen.ended_at()), (ErrorCode::AuthRefreshFailed, 520));
        assert_eq!((seen.failure().limit, seen.failure().session_lost), (Some(500), false));
    }
    assert_eq!(auth(&world).did.last(), Some(&(Verb::Abort, 520)));
    let sixth = start(&mut world, 1, |_| 20)[0];
    world.run();
    assert!(world.seen(sixth).ok());
    assert_eq!(refreshes(&world), 2);
    world.assert_at_rest();
}

#[test]
fn h09_who_waits_for_a_token_holds_no_slot() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.lane = 1;
    facts.options.queue = QueueOptions { concurrency: 2, limit: 10, timeout: Millis::NONE };
    let ids: Vec<CallId> = (0..4).map(|_| world.start(facts.clone(), [guarded(20), guarded(20)])).collect();
    world.run_until(30);
    assert_eq!(world.engine.queued(), (0, 0), "the next two do not send what is refused already");
    world.run();
    assert!(ids.iter().all(|id| world.calls[id].ok()));
    assert_eq!((refreshes(&world), sent(&world)), (1, 6));
    world.assert_at_rest();
}

#[test]
fn who_waited_in_the_queue_sends_no_token_that_is_being_refreshed_and_keeps_its_place() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.lane = 1;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 9, timeout: Millis::NONE };
    let ids: Vec<CallId> = (0..10).map(|_| world.start(facts.clone(), [guarded(5), guarded(5)])).collect();
    world.run();
    assert!(ids.iter().all(|id| world.calls[id].ok()), "nobody is refused when all come back at once");
    assert_eq!((refreshes(&world), sent(&world)), (1, 11), "one body was sent twice");
    world.assert_at_rest();
}

#[test]
fn a_resend_goes_before_first_attempts() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.lane = 1;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 10, timeout: Millis::NONE };
    let resent = world.start(facts.clone(), [guarded(20), guarded(20)]);
    world.run_until(0);
    facts.auth = 0;
    world.start(facts.clone(), [answer(200, 200)]);
    let first = world.start(facts, [answer(20, 200)]);
    world.run();
    assert_eq!(world.seen(resent).sent, [(1, 0), (2, 220)]);
    assert_eq!(world.seen(first).sent, [(1, 240)]);
}

#[test]
fn h13_a_wrong_clock_is_no_refresh_for_each_call() {
    // Every token looks expired, and is good.
    let mut world = World::new();
    world.auth(1, options()).expires = |_| Instant(1);
    world.run_until(1_000);
    for _ in 0..10 {
        let id = start(&mut world, 1, |_| 5)[0];
        world.run();
        assert!(world.seen(id).ok());
        world.run_for(200);
    }
    assert_eq!((refreshes(&world), sent(&world)), (0, 10));
    // An expired one looks fresh.
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().expires = |_| Instant(3_600_000);
    let ids = start(&mut world, 10, |_| 20);
    world.run();
    assert!(ids.iter().all(|id| world.calls[id].ok()));
    assert_eq!(refreshes(&world), 1);
}

#[test]
fn a_token_that_expires_soon_is_refreshed_before_it_is_sent() {
    for (reply, token) in [(Reply::New(2), 2), (OFFLINE, 1)] {
        let mut world = World::new();
        let auth = world.auth(1, options());
        auth.expires = |token| Instant(if token == 1 { 60_000 } else { 3_600_000 });
        auth.refreshes.push_back((Some(100), reply));
        world.run_until(40_000);
        let ids = start(&mut world, 3, |_| 5);
        world.run();
        for id in ids {
            assert!(world.seen(id).ok());
            assert_eq!((world.seen(id).sent[0].1, world.seen(id).tokens[0].0), (40_100, Some(token)));
        }
        assert_eq!(refreshes(&world), 1);
    }
}

#[test]
fn h14_two_clients_that_share_the_object_share_the_refresh() {
    let mut world = expired();
    // The second client tells the engine of the object too, and may not make another one of it.
    world.auth(1, RefreshOptions { timeout: Millis(1), ..options() });
    let mut of_b = authorized();
    (of_b.keys.metrics, of_b.options.total_timeout) = (2, Millis(900));
    let a = start(&mut world, 1, |_| 20)[0];
    let b = world.start(of_b, [guarded(25), guarded(10)]);
    let mut other = authorized();
    other.auth = 2;
    world.auth(2, options());
    let other = world.start(other, [guarded(20)]);
    world.run();
    assert!([a, b, other].iter().all(|id| world.calls[id].ok()));
    assert_eq!((refreshes(&world), world.auths[&2].count(Verb::CallRefresh)), (1, 0));
    let of = |world: &mut World, key| world.engine.metrics(key).unwrap().get(Counter::Refreshes);
    assert_eq!((of(&mut world, 1), of(&mut world, 2)), (1, 0), "it is counted once");
}

#[test]
fn h16_a_post_is_resent_after_a_401_and_never_again() {
    let mut world = expired();
    let mut facts = authorized();
    (facts.gate.method, facts.options.retry.limit) = (Method::Post, 3);
    let id = world.start(facts, [answer(20, 401), refuse(5)]);
    world.run();
    let seen = world.seen(id);
    let failure = seen.failure();
    assert_eq!((failure.code, failure.outcome), (ErrorCode::NetworkError, Outcome::Unknown));
    assert_eq!((seen.sent.len(), seen.waits.len(), failure.stopped), (2, 0, Some(RetryStopped::Method)));
}

#[test]
fn e01_a_put_is_made_ready_again_for_its_resend() {
    let mut world = expired();
    world.prepare = Some(7);
    let mut facts = authorized();
    (facts.gate.method, facts.surface) = (Method::Put, Surface::Fetch);
    let id = world.start(facts, [guarded(20), guarded(20)]);
    world.run();
    let seen = world.seen(id);
    assert!(seen.ok());
    assert_eq!(seen.prepared, [2], "a resend is made ready like a retry");
    assert_eq!(seen.sent, [(1, 0), (2, 127)]);
}

#[test]
fn g03_refused_then_a_401_then_good_is_three_sends_and_one_retry() {
    let mut world = expired();
    let mut facts = authorized();
    (facts.gate.method, facts.gate.keyed) = (Method::Post, true);
    (facts.options.retry.limit, facts.options.retry.jitter) = (2, Jitter::None);
    let id = world.start(facts, [refuse(10), guarded(10), guarded(10)]);
    world.run();
    let seen = world.seen(id);
    assert!(seen.ok());
    assert_eq!((seen.sent.len(), seen.waits.as_slice(), seen.resent.as_slice()), (3, [100].as_slice(), [3].as_slice()));
    assert_eq!(auth(&world).count(Verb::AskToken), 2, "before the attempt and before the retry");
}

#[test]
fn a_status_that_is_retried_is_refreshed_first() {
    let mut world = expired();
    let mut facts = authorized();
    facts.options.retry.limit = 1;
    world.statuses.retried = [401].into_iter().collect();
    let id = world.start(facts, [answer(5, 401), answer(5, 401), answer(5, 200)]);
    world.run();
    let seen = world.seen(id);
    assert!(seen.ok());
    assert_eq!((seen.sent.len(), seen.waits.len(), seen.resent.as_slice()), (3, 1, [2].as_slice()));
}

#[test]
fn a_body_that_cannot_be_sent_again_has_the_401_as_its_answer_and_the_refresh_runs_for_the_others() {
    let mut world = expired();
    let mut facts = authorized();
    (facts.gate.method, facts.replayable) = (Method::Put, false);
    let stream = world.start(facts.clone(), [guarded(20)]);
    facts.surface = Surface::Fetch;
    let raw = world.start(facts, [guarded(30)]);
    let other = start(&mut world, 1, |_| 25)[0];
    world.run();
    let seen = world.seen(stream);
    assert_eq!((code(seen), seen.failure().status), (ErrorCode::HttpError, Some(401)));
    assert_eq!((seen.failure().stopped, seen.ended_at()), (Some(RetryStopped::Body), 20));
    assert!(seen.collected);
    assert_eq!(world.seen(raw).responded, Some(30), "the answer is theirs to read");
    assert!(world.seen(other).ok());
    assert_eq!(refreshes(&world), 1);
    world.assert_at_rest();
}

#[test]
fn b06_an_abort_ends_the_wait_at_once_and_leaves_the_refresh_to_the_others() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(None, OFFLINE)].into();
    let ids = start(&mut world, 2, |_| 20);
    world.run_until(100);
    world.cancel(ids[0]);
    let seen = world.seen(ids[0]);
    assert_eq!((code(seen), phase(seen), seen.ended_at()), (ErrorCode::Aborted, Some(Phase::Refresh), 100));
    assert_eq!((seen.failure().status, seen.failure().outcome), (Some(401), Outcome::Answered));
    assert_eq!(seen.discarded, [1], "nobody reads the 401 any more");
    assert!(world.seen(ids[1]).end.is_none());
    assert_eq!(auth(&world).count(Verb::Abort), 0);
    world.run();
    world.assert_at_rest();
}

#[test]
fn b11_who_started_the_refresh_may_leave() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(Some(300), Reply::New(3))].into();
    let ids = start(&mut world, 3, |call| 20 + call as u64);
    world.run_until(70);
    world.cancel(ids[0]);
    world.run();
    assert_eq!(code(world.seen(ids[0])), ErrorCode::Aborted);
    assert!(world.seen(ids[1]).ok() && world.seen(ids[2]).ok());
    assert_eq!(refreshes(&world), 1);
    world.assert_at_rest();
}

#[test]
fn a_refresh_that_everybody_has_left_ends_all_the_same() {
    let mut world = expired();
    let id = start(&mut world, 1, |_| 20)[0];
    world.run_until(50);
    world.cancel(id);
    world.run();
    assert_eq!(auth(&world).current, Some(3));
    world.assert_at_rest();
}

#[test]
fn get_token_is_shared_and_its_failure_sends_nothing() {
    for (plan, at, limit) in [((Some(50), REJECTED), 50, None), ((None, OFFLINE), 500, Some(500))] {
        let mut world = World::new();
        world.auth(1, options()).plans = [plan].into();
        let ids = start(&mut world, 3, |_| 5);
        world.run();
        for id in ids {
            let seen = world.seen(id);
            assert_eq!((code(seen), phase(seen)), (ErrorCode::CallbackError, Some(Phase::Auth)));
            assert_eq!((seen.failure().outcome, seen.failure().status), (Outcome::NotSent, None));
            assert_eq!((seen.ended_at(), seen.failure().limit, seen.sent.len()), (at, limit, 0));
            assert!(!seen.failure().session_lost, "only a refresh can tell");
        }
        assert_eq!(auth(&world).count(Verb::AskToken), 1);
        let later = start(&mut world, 1, |_| 5)[0];
        world.run();
        assert!(world.seen(later).ok());
        world.assert_at_rest();
    }
}

#[test]
fn the_total_time_ends_a_wait_in_its_phase() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().plans = [(Some(300), Reply::Stored)].into();
    let mut facts = authorized();
    facts.options.total_timeout = Millis(200);
    let asks = world.start(facts.clone(), []);
    facts.options.total_timeout = Millis(390);
    let refreshing = world.start(facts.clone(), [guarded(20)]);
    facts.options.total_timeout = Millis(350);
    world.run_until(330);
    let joins = world.start(facts, []);
    world.run();
    for (id, phase_of, at, sent) in
        [(asks, Phase::Auth, 200, 0), (refreshing, Phase::Refresh, 390, 1), (joins, Phase::Refresh, 680, 0)]
    {
        let seen = world.seen(id);
        if id == joins {
            assert!(seen.end.is_some());
            continue;
        }
        assert_eq!((code(seen), phase(seen)), (ErrorCode::DeadlineExceeded, Some(phase_of)));
        assert_eq!((seen.ended_at(), seen.sent.len()), (at, sent));
    }
    let seen = world.seen(refreshing);
    assert_eq!((seen.failure().status, seen.discarded.as_slice()), (Some(401), [1].as_slice()));
    assert_eq!(auth(&world).current, Some(3), "the refresh went on");
    world.assert_at_rest();
}

#[test]
fn a_token_that_comes_too_late_for_the_call_is_its_deadline() {
    let mut world = World::new();
    world.auth(1, options()).plans = [(Some(195), Reply::Stored)].into();
    let mut facts = authorized();
    facts.options.total_timeout = Millis(200);
    let id = world.start(facts, []);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), phase(seen)), (ErrorCode::DeadlineExceeded, Some(Phase::Auth)));
    assert_eq!((seen.ended_at(), seen.failure().outcome), (195, Outcome::NotSent));
}

#[test]
fn a_401_without_time_for_a_resend_is_the_answer() {
    let mut world = expired();
    let mut facts = authorized();
    facts.options.total_timeout = Millis(200);
    let late = world.start(facts.clone(), [guarded(195)]);
    let told_late = world.start(facts, [guarded(95)]);
    world.run();
    let failure = world.seen(late).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::HttpError, Some(RetryStopped::Deadline)));
    assert!(world.seen(late).collected);
    let seen = world.seen(told_late);
    assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::HttpError, Some(RetryStopped::Deadline)));
    assert_eq!((seen.ended_at(), seen.failure().status, seen.sent.len()), (195, Some(401), 1));
    world.assert_at_rest();
}

#[test]
fn a_retry_whose_token_does_not_come_in_time_ends_with_its_last_real_error() {
    let mut world = World::new();
    world.auth(1, options()).plans = [(Some(0), Reply::Stored), (None, OFFLINE)].into();
    let mut facts = authorized();
    (facts.options.retry.limit, facts.options.retry.jitter) = (1, Jitter::None);
    facts.options.total_timeout = Millis(400);
    let id = world.start(facts, [refuse(10)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::NetworkError, Some(RetryStopped::Deadline)));
    assert_eq!((seen.ended_at(), seen.sent.len()), (400, 1));
    world.assert_at_rest();
}

#[test]
fn a_resend_that_gets_no_slot_ends_with_the_401() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.lane = 1;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 10, timeout: Millis(300) };
    let id = world.start(facts.clone(), [guarded(20)]);
    world.run_until(0);
    facts.auth = 0;
    facts.options.headers_timeout = Millis::NONE;
    world.start(facts, [hang()]);
    world.run();
    let failure = world.seen(id).failure();
    assert_eq!((failure.code, failure.status), (ErrorCode::HttpError, Some(401)));
    assert_eq!((failure.stopped, world.seen(id).ended_at()), (Some(RetryStopped::Queue), 420));
}

#[test]
fn a_401_is_no_verdict_of_the_circuit_and_takes_nothing_from_the_budget() {
    let mut world = expired();
    let mut facts = authorized();
    (facts.keys.circuit, facts.keys.budget) = (1, 1);
    facts.options.breaker = BreakerOptions { failure_threshold: 1, ..BreakerOptions::default() };
    facts.options.budget = BudgetOptions { capacity: 0.0, ratio: 0.0, per_second: 0.0 };
    let good = world.start(facts.clone(), [guarded(20), guarded(20)]);
    let mut short = facts.clone();
    short.options.total_timeout = Millis(60);
    let short = world.start(short, [guarded(20)]);
    world.run();
    assert!(world.seen(good).ok());
    assert_eq!(code(world.seen(short)), ErrorCode::DeadlineExceeded);
    let state = |world: &mut World, facts: &Facts| {
        let now = Instant(world.now);
        world.engine.circuit(now, 1, &facts.options.breaker).state
    };
    assert_eq!(state(&mut world, &facts), CircuitState::Closed, "that no token came is not its fault");
    assert_eq!(counted(&mut world, Counter::BudgetRefusals), 0);

    let mut world = expired();
    let opens = world.start(facts.clone(), [guarded(20), refuse(5)]);
    world.run();
    assert_eq!(code(world.seen(opens)), ErrorCode::NetworkError);
    assert_eq!(state(&mut world, &facts), CircuitState::Open, "the resend is a verdict as any other attempt");
}

#[test]
fn a_resend_that_the_platform_refuses_gives_nothing_back_to_the_budget() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.budget = 1;
    facts.options.retry.delay = Millis(1);
    facts.options.retry.limit = 1;
    facts.options.budget = BudgetOptions { capacity: 1.0, ratio: 0.0, per_second: 0.0 };
    let mut spends = facts.clone();
    spends.auth = 0;
    world.start(spends.clone(), [refuse(1), answer(1, 200)]);
    let refused = Step { after: Some(1), result: Settled::Refused(ErrorCode::InvalidRequest) };
    world.start(facts, [guarded(5), refused]);
    world.run();
    let id = world.start(spends, [refuse(1)]);
    world.run();
    assert_eq!(world.seen(id).failure().stopped, Some(RetryStopped::Budget));
}

#[test]
fn the_probe_of_a_circuit_stays_the_probe_while_it_is_resent() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.circuit = 1;
    facts.options.breaker = breaker(1);
    let mut plain = facts.clone();
    plain.auth = 0;
    world.start(plain.clone(), [refuse(1)]);
    world.run();
    world.run_for(300);
    let probe = world.start(facts, [guarded(20), guarded(20)]);
    world.run_for(50);
    let other = world.start(plain, []);
    assert_eq!(code(world.seen(other)), ErrorCode::CircuitOpen);
    world.run();
    assert!(world.seen(probe).ok());
    assert_eq!(world.seen(probe).circuit.last().unwrap().0, CircuitState::Closed);
    world.assert_at_rest();
}

#[test]
fn a_circuit_that_opens_during_the_refresh_stops_the_resend() {
    let mut world = expired();
    let mut facts = authorized();
    facts.keys.circuit = 1;
    facts.options.breaker = BreakerOptions { failure_threshold: 1, ..BreakerOptions::default() };
    let id = world.start(facts.clone(), [guarded(20)]);
    facts.auth = 0;
    world.start(facts, [refuse(50)]);
    world.run();
    let failure = world.seen(id).failure();
    assert_eq!((failure.code, failure.status), (ErrorCode::HttpError, Some(401)));
    assert_eq!((failure.stopped, world.seen(id).ended_at()), (Some(RetryStopped::Circuit), 120));
    world.assert_at_rest();
}

#[test]
fn a_page_that_is_left_takes_those_who_wait_for_a_token_with_it() {
    let mut world = expired();
    let refreshing = start(&mut world, 1, |_| 20)[0];
    world.run_until(50);
    let mut beacon = authorized();
    beacon.keepalive = true;
    let waits = world.start(beacon.clone(), [guarded(10)]);
    let asks = start(&mut world, 1, |_| 20)[0];
    world.hide(true);
    for id in [refreshing, asks] {
        let failure = world.seen(id).failure();
        assert_eq!((failure.code, failure.stopped), (ErrorCode::Aborted, Some(RetryStopped::Pagehide)));
        assert_eq!(failure.phase, Some(Phase::Refresh));
    }
    assert_eq!(world.seen(refreshing).discarded, [1]);
    let late = world.start(beacon, [answer(10, 401)]);
    assert_eq!(world.seen(late).sent, [(1, 50)], "what leaves now takes the token that is at hand");
    world.run();
    assert!(world.seen(waits).ok(), "what outlives its page waits on");
    let failure = world.seen(late).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::HttpError, Some(RetryStopped::Pagehide)));
    world.assert_at_rest();
}

#[test]
fn an_answer_that_comes_in_the_last_moment_is_heard_before_the_limit_passes() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(Some(500), Reply::New(3))].into();
    let id = start(&mut world, 1, |_| 20)[0];
    world.run();
    assert!(world.seen(id).ok());
    assert_eq!(world.seen(id).sent[1].1, 520);
}

#[test]
fn a_late_timer_lets_the_answer_pass_first() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(None, OFFLINE)].into();
    let id = start(&mut world, 1, |_| 20)[0];
    world.run_until(100);
    assert_eq!(world.engine.poll_timeout(), Some(Instant(520)));
    world.now = 900;
    world.tick();
    assert!(world.seen(id).end.is_none());
    assert_eq!(world.engine.poll_timeout(), Some(Instant(0)), "after one more task");
    world.tick();
    assert_eq!(code(world.seen(id)), ErrorCode::AuthRefreshFailed);
}

#[test]
fn of_two_limits_in_one_moment_that_of_the_call_has_passed() {
    let mut world = expired();
    world.auths.get_mut(&1).unwrap().refreshes = [(None, OFFLINE)].into();
    let mut facts = authorized();
    facts.options.total_timeout = Millis(520);
    let id = world.start(facts, [guarded(20)]);
    let other = start(&mut world, 1, |_| 20)[0];
    world.run();
    assert_eq!(code(world.seen(id)), ErrorCode::DeadlineExceeded);
    assert_eq!((code(world.seen(other)), world.seen(other).ended_at()), (ErrorCode::AuthRefreshFailed, 520));
}

#[test]
fn body_events_of_a_401_that_is_kept_change_nothing() {
    let mut world = expired();
    let id = start(&mut world, 1, |_| 20)[0];
    world.run_until(50);
    for event in [Event::Reading, Event::Failed, Event::BodyEnd(Ok(())), Event::Dropped, Event::CallbackFailed] {
        world.event(id, 1, event);
    }
    world.run();
    assert!(world.seen(id).ok());
}

#[test]
fn the_lock_goes_around_the_refresh() {
    let mut world = World::new();
    let auth_object = world.auth(1, RefreshOptions { lock: true, ..options() });
    auth_object.valid = 2;
    auth_object.lock_plans.push_back((Some(50), Reply::Event(AuthEvent::Locked)));
    let ids = start(&mut world, 3, |_| 20);
    world.run();
    assert!(ids.iter().all(|id| world.calls[id].ok()));
    let verbs: Vec<Verb> = auth(&world).did.iter().map(|done| done.0).collect();
    use Verb::{Adopt, AskToken, CallRefresh, Lock, Unlock};
    // The calls share the first question; under the lock it is asked whether another tab was first.
    assert_eq!(verbs, [AskToken, Adopt, Lock, AskToken, CallRefresh, Adopt, Unlock]);
    world.assert_at_rest();
}

#[test]
fn cookie_sessions_are_not_asked_for_a_token() {
    let mut world = World::new();
    let auth_object = world.auth(1, RefreshOptions { get_token: false, ..options() });
    auth_object.refreshes.push_back((Some(50), Reply::Event(AuthEvent::Renewed)));
    let ids: Vec<CallId> =
        (0..3).map(|call| world.start(authorized(), [answer(20 + 30 * call, 401), answer(5, 200)])).collect();
    world.run();
    assert!(ids.iter().all(|id| world.calls[id].ok()));
    assert_eq!((refreshes(&world), auth(&world).count(Verb::AskToken)), (1, 0));
    world.assert_at_rest();
}

#[test]
fn an_object_that_is_gone_is_forgotten_when_nothing_is_under_way() {
    let mut world = expired();
    let id = start(&mut world, 1, |_| 20)[0];
    world.run_until(50);
    world.engine.drop_auth(1);
    assert!(world.engine.poll_timeout().is_some());
    world.run();
    assert!(world.seen(id).ok(), "what waits is served first");
    world.assert_at_rest();
    // A new object may have any number, and begins anew; one that nobody knows stands in nobody's way.
    let unknown = world.start(authorized(), [answer(5, 200)]);
    assert_eq!(world.seen(unknown).sent.len(), 1);
    let asked = auth(&world).count(Verb::AskToken);
    world.engine.set_auth(1, options());
    start(&mut world, 1, |_| 5);
    assert_eq!(auth(&world).count(Verb::AskToken), asked + 1);
    world.run();
    world.engine.drop_auth(1);
    world.engine.on_auth(Instant(world.now), 1, 1, AuthEvent::Renewed);
    assert_eq!(world.engine.poll_action(), None);
}
