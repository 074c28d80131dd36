//! What became of a lost write: asked of the server before anything else is decided.

mod world;

use std::collections::VecDeque;

use steadfetch_core::engine::{Event, Facts, LookupVerdict};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::method::Method;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Millis;
use world::*;

const PENDING: Event = Event::LookedUp(LookupVerdict::Pending);
const NOT_FOUND: Event = Event::LookedUp(LookupVerdict::NotFound);
const FAILED: Event = Event::LookedUp(LookupVerdict::Failed);

fn done() -> Event {
    head(200, true)
}

/// A keyed POST that may be looked up.
fn write(retries: u32) -> Facts {
    let mut facts = retrying(retries);
    facts.gate.method = Method::Post;
    facts.gate.keyed = true;
    facts.callbacks.lookup = true;
    facts.options.lookup.interval = Millis(200);
    facts.options.lookup.limit = 3;
    facts
}

fn look_up(facts: Facts, steps: impl IntoIterator<Item = Step>, lookups: impl Into<VecDeque<(u64, Event)>>) -> Seen {
    let mut world = World::new();
    world.lookups = lookups.into();
    world.run_call(facts, steps)
}

#[test]
fn g01_a_write_whose_answer_is_late_ends_well_by_its_lookup() {
    let seen = look_up(write(3), [hang()], [(20, done())]);
    assert!(seen.ok());
    assert_eq!((seen.sent.len(), &seen.lookups[..], seen.ended_at()), (1, &[300][..], 320));
    assert_eq!((seen.attempts_at_response, seen.waits.len()), (1, 0));
}

#[test]
fn a_lost_answer_is_looked_up_at_once_and_again_after_the_interval() {
    let seen = look_up(write(0), [refuse(10)], [(5, PENDING), (5, NOT_FOUND), (5, done())]);
    assert!(seen.ok());
    assert_eq!(seen.lookups, [10, 215, 420]);
}

#[test]
fn after_the_last_lookup_the_call_fails_with_the_error_of_its_attempt() {
    let seen = look_up(write(3), [refuse(10)], [(5, PENDING), (5, NOT_FOUND), (5, PENDING)]);
    let failure = seen.failure();
    assert_eq!((failure.code, failure.stopped), (ErrorCode::NetworkError, Some(RetryStopped::Limit)));
    assert_eq!((failure.outcome, seen.sent.len(), seen.lookups.len()), (Outcome::Unknown, 1, 3));
}

#[test]
fn a_write_that_has_failed_is_not_sent_again() {
    let seen = look_up(write(3), [refuse(10)], [(5, FAILED)]);
    assert_eq!((code(&seen), seen.failure().stopped), (ErrorCode::NetworkError, Some(RetryStopped::Policy)));
    assert_eq!((seen.sent.len(), seen.ended_at()), (1, 15));
}

#[test]
fn one_that_is_not_found_is_retried_if_the_caller_says_so_and_looked_up_again_if_it_is_lost_again() {
    let mut facts = write(1);
    facts.options.lookup.resend_if_not_found = true;
    let seen = look_up(facts.clone(), [refuse(10), refuse(10)], [(5, NOT_FOUND), (5, done())]);
    assert!(seen.ok());
    assert_eq!((seen.sent.len(), seen.lookups.len(), seen.attempts_at_response), (2, 2, 2));
    let seen = look_up(facts, [refuse(10), refuse(10)], [(5, NOT_FOUND), (5, NOT_FOUND)]);
    assert_eq!((seen.failure().stopped, seen.sent.len()), (Some(RetryStopped::Limit), 2));
}

#[test]
fn only_a_lost_attempt_of_a_keyed_write_is_looked_up() {
    let unasked = |facts: Facts, step: Step| look_up(facts, [step, answer(1, 200)], [(5, done())]).lookups.len();
    assert_eq!(unasked(write(1), unconnected(10)), 0, "it was never sent");
    assert_eq!(unasked(write(1), answer(10, 503)), 0, "it was answered");
    assert_eq!(unasked(write(1), answer(10, 200)), 0);
    let mut unkeyed = write(1);
    unkeyed.gate.keyed = false;
    assert_eq!(unasked(unkeyed, refuse(10)), 0);
    let mut unconfigured = write(1);
    unconfigured.callbacks.lookup = false;
    assert_eq!(unasked(unconfigured, refuse(10)), 0);
}

#[test]
fn a_gateway_that_lost_the_server_is_looked_up_and_stands_if_nothing_is_found() {
    let seen = look_up(write(0), [answer(10, 502)], [(5, done())]);
    assert!(seen.ok() && seen.collected);
    assert_eq!((seen.ended_attempts.len(), seen.ended_attempts[0].status), (1, Some(502)));
    let seen = look_up(write(0), [answer(10, 502)], [(5, FAILED)]);
    assert_eq!((code(&seen), seen.failure().status), (ErrorCode::HttpError, Some(502)));
    assert_eq!(seen.failure().outcome, Outcome::Unknown);
}

#[test]
fn a_lookup_beyond_the_deadline_is_not_waited_for() {
    let mut facts = write(0);
    facts.options.total_timeout = Millis(300);
    let seen = look_up(facts, [refuse(150)], [(5, PENDING)]);
    assert_eq!((seen.failure().stopped, seen.ended_at()), (Some(RetryStopped::Deadline), 155));
    assert_eq!(code(&seen), ErrorCode::NetworkError);
}

#[test]
fn the_deadline_within_a_lookup_ends_it() {
    let seen = look_up(write(0), [refuse(10)], []);
    let failure = seen.failure();
    assert_eq!((failure.code, failure.phase), (ErrorCode::DeadlineExceeded, Some(Phase::Lookup)));
    assert_eq!((failure.outcome, seen.ended_at()), (Outcome::Unknown, 5_000));
    assert_eq!(seen.closed, [(1, 5_000)], "the lookup is stopped");
}

#[test]
fn cancelling_stops_a_lookup_and_the_wait_for_the_next() {
    for (at, lookup) in [(20, None), (100, Some((5, PENDING)))] {
        let mut world = World::new();
        world.lookups = lookup.into_iter().collect();
        let id = world.start(write(0), [refuse(10)]);
        world.run_until(at);
        world.cancel(id);
        world.run();
        let seen = &world.calls[&id];
        assert_eq!((code(seen), seen.failure().phase), (ErrorCode::Aborted, Some(Phase::Lookup)));
        assert_eq!((seen.ended_at(), seen.lookups.len(), seen.failure().outcome), (at, 1, Outcome::Unknown));
        world.assert_at_rest();
    }
}

#[test]
fn a_callback_that_throws_ends_the_call_with_its_outcome() {
    let seen = look_up(write(3), [refuse(10)], [(5, Event::CallbackFailed)]);
    assert_eq!((code(&seen), seen.failure().outcome), (ErrorCode::CallbackError, Outcome::Unknown));
    assert_eq!(seen.sent.len(), 1);
}

#[test]
fn a_page_that_is_left_asks_no_more() {
    let mut world = World::new();
    world.lookups = [(5, PENDING)].into();
    let id = world.start(write(0), [refuse(10)]);
    world.run_until(50);
    world.hide(true);
    world.run();
    let seen = &world.calls[&id];
    assert_eq!((seen.failure().stopped, seen.lookups.len()), (Some(RetryStopped::Pagehide), 1));
}

#[test]
fn should_retry_is_asked_after_the_lookup_only() {
    let mut facts = write(1);
    facts.callbacks.should_retry = true;
    let seen = look_up(facts.clone(), [refuse(10)], [(5, done())]);
    assert!(seen.ok() && seen.asked.is_empty());
    facts.options.lookup.resend_if_not_found = true;
    let seen = look_up(facts, [refuse(10), answer(1, 200)], [(5, NOT_FOUND)]);
    assert!(seen.ok());
    assert_eq!((seen.asked.len(), seen.sent.len()), (1, 2));
}
