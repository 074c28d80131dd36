//! Circuit, queue and retry budget, as a call meets them.

mod world;

use steadfetch_core::backoff::Jitter;
use steadfetch_core::breaker::CircuitState;
use steadfetch_core::budget::BudgetOptions;
use steadfetch_core::engine::{CallId, Event, Facts, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::metrics::Counter;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::queue::{Priority, QueueOptions};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};
use world::*;

const A: u64 = 0xA;
const B: u64 = 0xB;

fn queued(concurrency: u32, limit: u32) -> Facts {
    let mut facts = facts();
    facts.keys.lane = A;
    facts.keys.metrics = 1;
    facts.options.queue = QueueOptions { concurrency, limit, timeout: Millis::NONE };
    facts.options.headers_timeout = Millis::NONE;
    facts
}

fn breaking(threshold: u32) -> Facts {
    let mut facts = facts();
    facts.keys.circuit = A;
    facts.keys.metrics = 1;
    facts.options.breaker = breaker(threshold);
    facts
}

fn state(world: &mut World) -> CircuitState {
    let now = Instant(world.now);
    world.engine.circuit(now, A, &breaking(3).options.breaker).state
}

/// Runs a call to its end in a world that goes on.
fn call(world: &mut World, facts: Facts, script: impl IntoIterator<Item = Step>) -> CallId {
    let id = world.start(facts, script);
    world.run();
    assert!(world.seen(id).end.is_some());
    id
}

fn open(world: &mut World, threshold: u32) {
    for _ in 0..threshold {
        call(world, breaking(threshold), [refuse(1)]);
    }
    assert_eq!(state(world), CircuitState::Open);
}

fn codes(world: &World) -> Vec<ErrorCode> {
    world.calls.values().filter(|seen| !seen.ok()).map(code).collect()
}

// Queue.

#[test]
fn k09_so_many_run_so_many_wait_the_rest_is_refused_at_once() {
    let mut world = World::new();
    let mut facts = queued(1, 2);
    facts.options.retry.limit = 3;
    let ids: Vec<CallId> = (0..10).map(|_| world.start(facts.clone(), [answer(50, 200)])).collect();
    let refused: Vec<&Seen> = world.calls.values().filter(|seen| seen.end.is_some()).collect();
    assert_eq!(refused.len(), 7);
    for seen in refused {
        assert_eq!((code(seen), phase(seen)), (ErrorCode::QueueFull, Some(Phase::Queue)));
        assert_eq!((seen.failure().outcome, seen.ended_at(), seen.sent.len()), (Outcome::NotSent, 0, 0));
    }
    world.run();
    world.assert_at_rest();
    let sent: Vec<u64> = ids.iter().filter_map(|id| world.calls[id].sent.first()).map(|sent| sent.1).collect();
    assert_eq!(sent, [0, 50, 100]);
}

#[test]
fn k01_k02_an_abort_in_the_queue_settles_at_once_and_frees_its_place() {
    let mut world = World::new();
    world.start(queued(1, 1), [hang()]);
    let b = world.start(queued(1, 1), [answer(1, 200)]);
    world.run_until(50);
    world.cancel(b);
    let seen = world.seen(b);
    assert_eq!((code(seen), phase(seen), seen.ended_at()), (ErrorCode::Aborted, Some(Phase::Queue), 50));
    assert_eq!((seen.failure().outcome, seen.sent.len()), (Outcome::NotSent, 0), "g07: nothing was sent");
    assert_eq!(world.engine.queued(), (1, 0));
    let c = world.start(queued(1, 1), [answer(1, 200)]);
    assert!(world.seen(c).end.is_none(), "its place was free");
}

#[test]
fn c09_a_call_whose_time_ends_in_the_queue_is_never_sent() {
    let mut world = World::new();
    world.start(queued(1, 10), [answer(800, 200)]);
    let mut facts = queued(1, 10);
    facts.options.total_timeout = Millis(500);
    let id = world.start(facts, [answer(1, 200)]);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), phase(seen)), (ErrorCode::DeadlineExceeded, Some(Phase::Queue)));
    assert_eq!((seen.ended_at(), seen.sent.len(), seen.failure().outcome), (500, 0, Outcome::NotSent));
    world.assert_at_rest();
}

#[test]
fn a_call_that_gets_its_slot_too_late_is_not_sent_and_passes_it_on() {
    let mut world = World::new();
    world.start(queued(1, 10), [answer(495, 200)]);
    let mut facts = queued(1, 10);
    facts.options.total_timeout = Millis(500);
    let late = world.start(facts, [answer(1, 200)]);
    let next = world.start(queued(1, 10), [answer(1, 200)]);
    world.run();
    assert_eq!((code(world.seen(late)), world.seen(late).ended_at()), (ErrorCode::DeadlineExceeded, 495));
    assert_eq!(world.seen(next).sent, [(1, 495)]);
    world.assert_at_rest();
}

#[test]
fn c13_the_limits_of_an_attempt_start_with_its_dispatch() {
    let mut world = World::new();
    for _ in 0..6 {
        world.start(queued(6, 10), [answer(1_200, 200)]);
    }
    let mut facts = queued(6, 10);
    facts.options.headers_timeout = Millis(500);
    facts.options.queue.timeout = Millis(2_000);
    let seventh = world.start(facts, [answer(450, 200)]);
    world.run();
    assert!(world.seen(seventh).ok());
    assert_eq!(world.seen(seventh).sent, [(1, 1_200)]);
    assert_eq!(world.seen(seventh).queued, [(1, 0)]);
}

#[test]
fn k07_the_queue_timeout_ends_with_the_queue() {
    let mut world = World::new();
    let mut facts = queued(1, 10);
    facts.options.queue.timeout = Millis(300);
    world.start(facts.clone(), [answer(200, 200)]);
    let sent = world.start(facts.clone(), [answer(400, 200)]);
    let waits = world.start(facts, [answer(1, 200)]);
    world.run();
    assert!(world.seen(sent).ok(), "300 ms passed while it ran");
    let seen = world.seen(waits);
    assert_eq!((code(seen), phase(seen), seen.ended_at()), (ErrorCode::QueueTimeout, Some(Phase::Queue), 300));
    assert_eq!((seen.failure().limit, seen.sent.len()), (Some(300), 0));
    world.assert_at_rest();
}

#[test]
fn k06_a_backoff_holds_no_slot_and_the_retry_goes_first() {
    let mut world = World::new();
    let mut a = queued(1, 10);
    a.options.retry.limit = 3;
    a.options.retry.delay = Millis(1_000);
    a.options.retry.jitter = Jitter::None;
    let a = world.start(a, [refuse(10), answer(10, 200)]);
    world.run_until(100);
    let b = world.start(queued(1, 10), [answer(50, 200)]);
    world.run_until(990);
    assert_eq!(world.seen(b).ended_at(), 150);
    // The retry falls due at 1010, while these are there: it is sent before the one that waits.
    let c = world.start(queued(1, 10), [answer(50, 200)]);
    let d = world.start(queued(1, 10), [answer(50, 200)]);
    world.run();
    assert_eq!(world.seen(c).sent, [(1, 990)]);
    assert_eq!(world.seen(a).sent, [(1, 0), (2, 1_040)]);
    assert_eq!(world.seen(d).sent, [(1, 1_050)]);
}

#[test]
fn a_retry_that_waits_too_long_for_its_slot_ends_with_its_last_real_error() {
    let mut world = World::new();
    let mut facts = queued(1, 0);
    facts.options.retry.limit = 1;
    facts.options.retry.jitter = Jitter::None;
    facts.options.queue.timeout = Millis(200);
    let a = world.start(facts, [refuse(10)]);
    world.run_until(20);
    world.start(queued(1, 0), [hang()]);
    world.run();
    let failure = world.seen(a).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::NetworkError, Some(RetryStopped::Queue)));
    assert_eq!((failure.attempts.len(), world.seen(a).ended_at()), (1, 310));
}

#[test]
fn a_retry_whose_time_ends_in_the_queue_ends_with_its_last_real_error() {
    let mut world = World::new();
    let mut facts = queued(1, 0);
    facts.options.retry.limit = 1;
    facts.options.retry.jitter = Jitter::None;
    facts.options.total_timeout = Millis(1_000);
    let a = world.start(facts, [refuse(10)]);
    world.run_until(20);
    world.start(queued(1, 0), [answer(3_000, 200)]);
    world.run();
    let failure = world.seen(a).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::NetworkError, Some(RetryStopped::Deadline)));
    assert_eq!(world.seen(a).ended_at(), 1_000);
}

#[test]
fn k11_lanes_do_not_stand_in_each_others_way() {
    let mut world = World::new();
    for _ in 0..3 {
        world.start(queued(2, 10), [answer(1_000, 200)]);
    }
    let mut other = queued(2, 10);
    other.keys.lane = B;
    let other = world.start(other, [answer(1, 200)]);
    assert_eq!(world.seen(other).sent, [(1, 0)]);
}

#[test]
fn a_short_body_frees_its_slot_at_the_headers_and_a_long_one_at_its_end() {
    for (length, sent_at) in [(Some(64 * 1024), 10), (Some(64 * 1024 + 1), 110), (None, 110)] {
        let mut world = World::new();
        let mut step = answer_with(10, 200, &[(100, 5)], BodyEnd::Complete(None));
        if let Settled::Answer { length: stated, .. } = &mut step.result {
            *stated = length;
        }
        world.start(queued(1, 10), [step]);
        let next = world.start(queued(1, 10), [answer(1, 200)]);
        world.run();
        assert_eq!(world.seen(next).sent, [(1, sent_at)], "{length:?}");
        world.assert_at_rest();
    }
}

#[test]
fn a_body_whose_length_is_told_later_frees_its_slot_then_if_it_is_short() {
    for (length, sent_at) in [(64 * 1024, 50), (64 * 1024 + 1, 110)] {
        let mut world = World::new();
        let first = world.start(queued(1, 10), [answer_with(10, 200, &[(100, 5)], BodyEnd::Complete(None))]);
        let next = world.start(queued(1, 10), [answer(1, 200)]);
        world.run_until(50);
        world.event(first, 1, Event::Length(length));
        world.run();
        assert_eq!(world.seen(next).sent, [(1, sent_at)], "{length}");
        world.assert_at_rest();
    }
}

#[test]
fn d15_a_body_that_nobody_reads_gives_its_slot_back_in_time() {
    for taken in [false, true] {
        let mut world = World::new();
        let mut facts = queued(1, 10);
        (facts.surface, facts.options.idle_timeout) = (Surface::Fetch, Millis(500));
        world.start(facts, [answer_with(10, 200, &[], BodyEnd::Unread(taken))]);
        let next = world.start(queued(1, 10), [answer(1, 200)]);
        world.run();
        assert_eq!(world.seen(next).sent, [(1, 510)]);
        world.assert_at_rest();
    }
}

#[test]
fn priorities_and_turns() {
    let mut world = World::new();
    let order = |priority: Priority, turn: u64| {
        let mut facts = queued(1, 10);
        (facts.priority, facts.keys.turn) = (priority, turn);
        facts
    };
    world.start(queued(1, 10), [answer(10, 200)]);
    let low = world.start(order(Priority::Low, 0), [answer(10, 200)]);
    let first = world.start(order(Priority::Auto, 1), [answer(10, 200)]);
    let second = world.start(order(Priority::Auto, 1), [answer(10, 200)]);
    let other = world.start(order(Priority::Auto, 2), [answer(10, 200)]);
    let high = world.start(order(Priority::High, 0), [answer(10, 200)]);
    world.run();
    let sent = [high, first, other, second, low].map(|id| world.calls[&id].sent[0].1);
    assert_eq!(sent, [10, 20, 30, 40, 50]);
}

#[test]
fn k04_slots_are_counted_right_under_random_aborts() {
    let mut world = World::new();
    let mut ids = Vec::new();
    let mut random = 12_345_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for _ in 0..2_000 {
        let mut facts = queued(4, 100);
        facts.options.retry.limit = 1;
        let step = match next(4) {
            0 => refuse(next(30)),
            1 => answer(next(30), 503),
            2 => answer_with(next(20), 200, &[(next(20), 9)], BodyEnd::Broken),
            _ => answer(next(30), 200),
        };
        ids.push(world.start(facts, [step, answer(next(9), 200)]));
        world.run_for(next(6));
        let victim = ids[next(ids.len() as u64) as usize];
        if next(2) == 0 && world.seen(victim).end.is_none() {
            world.cancel(victim);
        }
    }
    world.run();
    world.assert_at_rest();
    let now: Vec<CallId> = (0..5).map(|_| world.start(queued(4, 100), [answer(10, 200)])).collect();
    let running = now.iter().filter(|id| !world.calls[*id].sent.is_empty()).count();
    assert_eq!(running, 4, "no slot was lost, and none is too many");
}

#[test]
fn many_that_come_too_late_at_once_do_not_grow_the_stack() {
    let mut world = World::new();
    let mut facts = queued(1, 200_000);
    facts.callbacks.observe = false;
    world.start(facts.clone(), [answer(2_000, 200)]);
    facts.options.total_timeout = Millis(2_005);
    for _ in 0..100_000 {
        world.start(facts.clone(), []);
    }
    world.run();
    world.assert_at_rest();
}

#[test]
fn a_page_that_is_left_takes_its_queue_with_it() {
    let mut world = World::new();
    world.start(queued(1, 10), [answer(100, 200)]);
    let waits = world.start(queued(1, 10), [answer(1, 200)]);
    let mut beacon = queued(1, 10);
    beacon.keepalive = true;
    let beacon = world.start(beacon, [answer(1, 200)]);
    world.hide(true);
    let failure = world.seen(waits).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::Aborted, Some(RetryStopped::Pagehide)));
    world.run();
    assert!(world.seen(beacon).ok(), "what outlives its page waits on");
    world.assert_at_rest();
}

// Circuit.

#[test]
fn j01_j02_aborts_refusals_and_4xx_never_open_a_circuit() {
    let mut world = World::new();
    for _ in 0..10 {
        let id = world.start(breaking(3), [hang()]);
        world.run_for(20);
        world.cancel(id);
    }
    for status in [404, 401, 429, 400, 0] {
        for _ in 0..10 {
            call(&mut world, breaking(3), [answer(1, status)]);
        }
    }
    for _ in 0..5 {
        let refused = Step { after: Some(1), result: Settled::Refused(ErrorCode::InvalidRequest) };
        call(&mut world, breaking(3), [refused]);
        let mut small = breaking(3);
        small.options.max_response_bytes = 1;
        assert_eq!(code(world_seen(&mut world, small, [answer(1, 200)])), ErrorCode::ResponseTooLarge);
        let mut callback = breaking(3);
        callback.callbacks.prepare = true;
        world.prepare = None;
        let id = world.start(callback, []);
        world.event(id, 1, steadfetch_core::engine::Event::CallbackFailed);
        world.prepare = Some(0);
    }
    assert_eq!(state(&mut world), CircuitState::Closed);
    let mut streams = breaking(1);
    streams.streams_upload = true;
    call(&mut world, streams, [refuse(1)]);
    assert_eq!(state(&mut world), CircuitState::Closed, "e05: it may only lack HTTP/2");
}

fn world_seen(world: &mut World, facts: Facts, script: impl IntoIterator<Item = Step>) -> &Seen {
    let id = call(world, facts, script);
    world.seen(id)
}

#[test]
fn what_opens_a_circuit() {
    for script in [refuse(1), answer(1, 500), answer(1, 503), hang()] {
        let mut world = World::new();
        for _ in 0..3 {
            call(&mut world, breaking(3), [script.clone()]);
        }
        assert_eq!(state(&mut world), CircuitState::Open, "{script:?}");
        assert_eq!(world.engine.metrics(1).unwrap().get(Counter::CircuitsOpened), 1);
    }
    let mut world = World::new();
    let broken = answer_with(1, 200, &[(1, 1)], BodyEnd::Broken);
    call(&mut world, breaking(1), [broken]);
    assert_eq!(state(&mut world), CircuitState::Open, "a body that breaks");
    let mut world = World::new();
    let mut raw = breaking(1);
    raw.surface = Surface::Fetch;
    call(&mut world, raw, [answer_with(1, 200, &[], BodyEnd::Unread(false))]);
    assert_eq!(state(&mut world), CircuitState::Closed, "that nobody reads a body is no fault of the server");
}

#[test]
fn a_server_error_counts_at_its_headers() {
    let mut world = World::new();
    let id = world.start(breaking(1), [answer_with(10, 500, &[(200, 5)], BodyEnd::Complete(None))]);
    world.run_until(20);
    assert!(world.seen(id).end.is_none());
    assert_eq!(world.seen(id).circuit, [(CircuitState::Open, 10)]);
}

#[test]
fn j08_a_call_counts_once_whatever_its_attempts() {
    let mut world = World::new();
    let mut facts = breaking(3);
    facts.options.retry.limit = 3;
    call(&mut world, facts, [refuse(1), refuse(1), refuse(1), refuse(1)]);
    assert_eq!(state(&mut world), CircuitState::Closed);
    assert!(world_seen(&mut world, breaking(3), [answer(1, 200)]).ok());
}

#[test]
fn j09_an_open_circuit_ends_the_call_at_once_and_takes_nothing_from_the_budget() {
    let mut world = World::new();
    open(&mut world, 3);
    let mut facts = breaking(3);
    facts.options.retry.limit = 3;
    facts.keys.budget = 5;
    let at = world.now;
    let seen = world_seen(&mut world, facts, []);
    assert_eq!((code(seen), seen.ended_at(), seen.sent.len()), (ErrorCode::CircuitOpen, at, 0));
    assert_eq!((seen.failure().outcome, seen.failure().stopped), (Outcome::NotSent, None));
    assert!(seen.failure().retry_after.is_some_and(|wait| wait.0 > 0 && wait.0 <= 300));
    assert_eq!(world.engine.metrics(1).unwrap().get(Counter::BudgetRefusals), 0);
}

#[test]
fn a_retry_stops_when_others_have_opened_the_circuit() {
    let mut world = World::new();
    let mut facts = breaking(3);
    facts.options.breaker.reset_timeout = Millis(5_000);
    let mut retries = facts.clone();
    retries.options.retry.limit = 3;
    retries.options.retry.jitter = Jitter::None;
    let waits = world.start(retries.clone(), [refuse(1)]);
    let fails = world.start(retries, [refuse(50)]);
    world.run_until(10);
    for _ in 0..3 {
        let id = world.start(facts.clone(), [refuse(1)]);
        world.run_for(2);
        assert!(world.seen(id).end.is_some());
    }
    world.run();
    for (id, at) in [(waits, 101), (fails, 50)] {
        let seen = world.seen(id);
        assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::NetworkError, Some(RetryStopped::Circuit)));
        assert_eq!((seen.ended_at(), seen.sent.len()), (at, 1));
    }
}

#[test]
fn half_open_with_fifty_waiting_calls_lets_exactly_one_through() {
    let mut world = World::new();
    open(&mut world, 3);
    world.run_for(300);
    let probe = world.start(breaking(3), [answer(10, 200)]);
    let others: Vec<CallId> = (0..50).map(|_| world.start(breaking(3), [answer(10, 200)])).collect();
    for id in &others {
        assert_eq!(code(world.seen(*id)), ErrorCode::CircuitOpen);
    }
    assert_eq!(world.seen(probe).circuit[0].0, CircuitState::HalfOpen);
    world.run();
    assert_eq!(world.seen(probe).circuit.last().unwrap().0, CircuitState::Closed);
    assert!(world_seen(&mut world, breaking(3), [answer(1, 200)]).ok());
}

#[test]
fn j04_a_probe_that_is_cancelled_gives_its_place_to_the_next() {
    let mut world = World::new();
    for _ in 0..10 {
        open(&mut world, 3);
        world.run_for(300);
        let probe = world.start(breaking(3), [hang()]);
        world.run_for(50);
        world.cancel(probe);
        assert_eq!(state(&mut world), CircuitState::HalfOpen);
        assert!(world_seen(&mut world, breaking(3), [answer(1, 200)]).ok());
        assert_eq!(state(&mut world), CircuitState::Closed);
    }
}

#[test]
fn j04_a_probe_that_times_out_opens_it_again_without_a_retry() {
    let mut world = World::new();
    open(&mut world, 3);
    world.run_for(300);
    let mut facts = breaking(3);
    facts.options.retry.limit = 3;
    facts.options.retry.retry_on_timeout = true;
    let at = world.now;
    let seen = world_seen(&mut world, facts, [hang(), answer(1, 200)]);
    assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::Timeout, Some(RetryStopped::Circuit)));
    assert_eq!((seen.sent.len(), seen.ended_at()), (1, at + 300));
    assert_eq!(state(&mut world), CircuitState::Open);
    assert_eq!(code(world_seen(&mut world, breaking(3), [])), ErrorCode::CircuitOpen);
}

#[test]
fn j10_what_waits_is_refused_when_the_circuit_opens() {
    let mut world = World::new();
    let mut facts = breaking(2);
    facts.keys.lane = A;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 20, timeout: Millis::NONE };
    for _ in 0..12 {
        world.start(facts.clone(), [refuse(10)]);
    }
    let mut other = facts;
    other.keys.circuit = B;
    let other = world.start(other, [answer(1, 200)]);
    world.run();
    let codes = codes(&world);
    assert_eq!(codes.iter().filter(|code| **code == ErrorCode::CircuitOpen).count(), 10);
    assert_eq!(codes.iter().filter(|code| **code == ErrorCode::NetworkError).count(), 2);
    let ends: Vec<u64> = world.calls.values().map(Seen::ended_at).filter(|at| *at == 20).collect();
    assert_eq!(ends.len(), 11, "ten, and the one that opened it");
    assert!(world.seen(other).ok(), "another circuit");
    world.assert_at_rest();
}

#[test]
fn i01_a_page_that_is_left_says_nothing_about_the_server() {
    let mut world = World::new();
    let id = world.start(breaking(1), [refuse(20)]);
    world.hide(true);
    world.run();
    let failure = world.seen(id).failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::Aborted, Some(RetryStopped::Pagehide)));
    assert_eq!(state(&mut world), CircuitState::Closed);
    assert_eq!(world.engine.metrics(1).unwrap().get(Counter::CancelledByPage), 1);
    world.hide(false);
    assert!(world_seen(&mut world, breaking(1), [answer(1, 200)]).ok());
}

#[test]
fn a_circuit_of_none_is_never_asked() {
    let mut world = World::new();
    for _ in 0..100 {
        let mut facts = breaking(1);
        facts.keys.circuit = 0;
        call(&mut world, facts, [refuse(1)]);
    }
    assert!(codes(&world).iter().all(|code| *code == ErrorCode::NetworkError));
}

// Budget.

fn budgeted(options: BudgetOptions) -> Facts {
    let mut facts = retrying(3);
    facts.keys.budget = A;
    facts.keys.metrics = 1;
    facts.options.retry.delay = Millis(1);
    facts.options.budget = options;
    facts
}

fn refused() -> [Step; 4] {
    [refuse(1), refuse(1), refuse(1), refuse(1)]
}

#[test]
fn f09_a_full_outage_gets_few_retries() {
    let mut world = World::new();
    let empty = BudgetOptions { capacity: 10.0, ratio: 0.0, per_second: 0.0 };
    for _ in 0..30 {
        world.start(budgeted(empty), refused());
    }
    world.run();
    let sent: usize = world.calls.values().map(|seen| seen.sent.len()).sum();
    assert_eq!(sent, 40);
    let by = |reason| world.calls.values().filter(|seen| seen.failure().stopped == Some(reason)).count();
    assert!(by(RetryStopped::Budget) >= 27);
    assert_eq!(by(RetryStopped::Budget) + by(RetryStopped::Limit), 30);
    assert!(codes(&world).iter().all(|code| *code == ErrorCode::NetworkError));

    let earning = BudgetOptions { ratio: 0.1, ..empty };
    let before: usize = world.calls.values().map(|seen| seen.sent.len()).sum();
    for _ in 0..10 {
        call(&mut world, budgeted(earning), refused());
    }
    let after: usize = world.calls.values().map(|seen| seen.sent.len()).sum();
    assert_eq!(after - before, 11, "ten later calls allow one retry");
}

#[test]
fn f11_what_is_spent_in_one_layer_is_missing_in_the_next() {
    let mut world = World::new();
    let six = BudgetOptions { capacity: 6.0, ratio: 0.0, per_second: 0.0 };
    for _ in 0..3 {
        call(&mut world, budgeted(six), refused());
    }
    let sent: usize = world.calls.values().map(|seen| seen.sent.len()).sum();
    assert_eq!(sent, 9);
}

#[test]
fn a_retry_that_is_never_sent_costs_nothing() {
    let mut world = World::new();
    let one = BudgetOptions { capacity: 1.0, ratio: 0.0, per_second: 0.0 };
    let mut facts = budgeted(one);
    facts.options.retry.delay = Millis(100);
    facts.options.retry.jitter = Jitter::None;
    let id = world.start(facts.clone(), [refuse(1)]);
    world.run_until(50);
    world.cancel(id);
    // A retry that the platform refuses is taken back too.
    let refused = Step { after: Some(1), result: Settled::Refused(ErrorCode::InvalidRequest) };
    call(&mut world, facts.clone(), [refuse(1), refused]);
    let seen = world_seen(&mut world, facts.clone(), [refuse(1), answer(1, 200)]);
    assert!(seen.ok());
    let seen = world_seen(&mut world, facts, [refuse(1), answer(1, 200)]);
    assert_eq!(seen.failure().stopped, Some(RetryStopped::Budget), "that one was spent");
}

#[test]
fn without_a_budget_there_is_no_limit_of_it() {
    let mut world = World::new();
    let mut facts = budgeted(BudgetOptions { capacity: 0.0, ratio: 0.0, per_second: 0.0 });
    facts.keys.budget = 0;
    for _ in 0..20 {
        call(&mut world, facts.clone(), refused());
    }
    assert!(world.calls.values().all(|seen| seen.sent.len() == 4));
}

#[test]
fn a_status_that_the_budget_does_not_retry_is_the_answer() {
    let facts = budgeted(BudgetOptions { capacity: 0.0, ratio: 0.0, per_second: 0.0 });
    let seen = run_retrying(&[503], facts, [busy(5, 503, 0)]);
    assert_eq!((code(&seen), seen.failure().stopped), (ErrorCode::HttpError, Some(RetryStopped::Budget)));
}

// What is left, and scopes.

#[test]
fn a_send_knows_what_is_left_of_the_total_time() {
    let mut facts = queued(1, 10);
    facts.options.reserve = Millis(100);
    let mut world = World::new();
    world.start(facts.clone(), [answer(400, 200)]);
    let waits = world.start(facts, [answer(1, 200)]);
    world.run();
    assert_eq!(world.seen(waits).lefts, [Millis(4_500)]);
    let mut facts = queued(1, 10);
    facts.options.total_timeout = Millis::NONE;
    assert_eq!(run(facts, [answer(1, 200)]).lefts, [Millis::NONE]);
}

#[test]
fn a_scope_ends_all_that_is_in_it() {
    let mut world = World::new();
    let mut facts = facts();
    facts.scope_deadline = Instant(250);
    facts.options.headers_timeout = Millis::NONE;
    let hangs = world.start(facts.clone(), [hang()]);
    let mut raw = facts.clone();
    raw.surface = Surface::Fetch;
    let raw = world.start(raw, [answer_with(10, 200, &[(100, 1), (100, 1), (100, 1)], BodyEnd::Silence)]);
    world.run();
    for id in [hangs, raw] {
        let seen = world.seen(id);
        assert_eq!((code(seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, 250));
        assert_eq!(seen.failure().limit, Some(250));
    }
    let late = world.start(facts, [answer(1, 200)]);
    world.run();
    assert_eq!((code(world.seen(late)), world.seen(late).sent.len()), (ErrorCode::DeadlineExceeded, 0));
}

// Numbers.

#[test]
fn m04_what_is_counted() {
    let mut world = World::new();
    let mut facts = queued(1, 10);
    facts.options.retry.limit = 2;
    call(&mut world, facts.clone(), [refuse(10), answer(20, 200)]);
    world.start(facts.clone(), [answer(100, 200)]);
    let aborted = world.start(facts, []);
    world.cancel(aborted);
    world.run();
    let store = world.engine.metrics(1).unwrap();
    let counts = [Counter::Calls, Counter::Succeeded, Counter::Attempts, Counter::AttemptsEnded, Counter::Retries]
        .map(|counter| store.get(counter));
    assert_eq!(counts, [3, 2, 3, 3, 1]);
    assert_eq!((store.get(Counter::Queued), store.get(Counter::LeftQueue), store.get(Counter::Dequeued)), (1, 1, 0));
    world.engine.forget(1);
    assert!(world.engine.metrics(1).is_none());
}
