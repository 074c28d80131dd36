//! Giving up: by the caller in every state, and by the page.

mod world;

use steadfetch_core::engine::Event;
use steadfetch_core::error::ErrorCode;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;
use world::*;

/// Cancels at this moment and returns what became of the call.
fn cancelled(world: &mut World, id: steadfetch_core::engine::CallId, at: u64) -> &mut Seen {
    world.run_until(at);
    world.cancel(id);
    assert_eq!(world.engine.live(), 0);
    assert_eq!(world.engine.poll_timeout(), None);
    let actions = world.calls[&id].sent.len();
    world.run();
    let seen = world.seen(id);
    assert_eq!(seen.sent.len(), actions, "a cancelled call does nothing more");
    assert_eq!((code(seen), seen.ended_at()), (ErrorCode::Aborted, at));
    seen
}

#[test]
fn while_the_headers_are_awaited() {
    let mut world = World::new();
    let id = world.start(retrying(3), [hang()]);
    let seen = cancelled(&mut world, id, 50);
    assert_eq!((phase(seen), seen.failure().outcome), (Some(Phase::Headers), Outcome::Unknown));
    assert_eq!((seen.closed.as_slice(), seen.failure().stopped), ([(1, 50)].as_slice(), None));
}

#[test]
fn b05_while_waiting_before_a_retry() {
    let mut facts = retrying(3);
    facts.options.retry.jitter = steadfetch_core::backoff::Jitter::None;
    let mut world = World::new();
    let id = world.start(facts, [refuse(1)]);
    let seen = cancelled(&mut world, id, 60);
    assert_eq!((phase(seen), seen.sent.len()), (Some(Phase::Backoff), 1));
}

#[test]
fn while_offline() {
    let mut world = World::new();
    world.online = false;
    let id = world.start(retrying(3), [refuse(1)]);
    world.run_until(500);
    assert!(world.watching_online);
    let seen = cancelled(&mut world, id, 600);
    assert_eq!(phase(seen), Some(Phase::Backoff));
    assert!(!world.watching_online);
}

#[test]
fn while_a_hook_runs() {
    let mut world = World::new();
    world.prepare = None;
    let mut facts = facts();
    facts.callbacks.prepare = true;
    let id = world.start(facts, []);
    let seen = cancelled(&mut world, id, 50);
    assert_eq!((phase(seen), seen.failure().outcome), (Some(Phase::Hook), Outcome::NotSent));
}

#[test]
fn while_should_retry_decides() {
    let mut world = World::new();
    world.answers = [None].into();
    let mut facts = retrying(3);
    facts.callbacks.should_retry = true;
    let id = world.start(facts, [answer(1, 500)]);
    let seen = cancelled(&mut world, id, 50);
    assert_eq!((phase(seen), seen.closed.as_slice()), (Some(Phase::Hook), [(1, 50)].as_slice()));
}

#[test]
fn b04_while_the_body_is_read() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 200, &[(0, 5)], BodyEnd::Silence)]);
    let seen = cancelled(&mut world, id, 100);
    assert_eq!((phase(seen), seen.failure().status, seen.failure().bytes), (Some(Phase::Body), Some(200), 5));
    assert_eq!(seen.failure().outcome, Outcome::Answered);
}

#[test]
fn while_the_body_of_an_error_is_read() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 500, &[(0, 5)], BodyEnd::Silence)]);
    let seen = cancelled(&mut world, id, 100);
    assert_eq!(seen.closed.len(), 1);
}

#[test]
fn b06_while_before_error_runs() {
    let mut world = World::new();
    world.farewell = None;
    let mut facts = facts();
    facts.callbacks.before_error = true;
    let id = world.start(facts, [refuse(1)]);
    let seen = cancelled(&mut world, id, 50);
    assert_eq!((phase(seen), seen.failure().outcome), (Some(Phase::Hook), Outcome::Unknown));
    assert_eq!(seen.failure().attempts.len(), 1);
}

#[test]
fn before_error_hooks_run_once_and_within_the_deadline() {
    for (farewell, end) in [(Some(40), 41), (None, 5_000)] {
        let mut world = World::new();
        world.farewell = farewell;
        let mut facts = facts();
        facts.callbacks.before_error = true;
        let id = world.start(facts, [refuse(1)]);
        world.run();
        world.assert_at_rest();
        assert!(world.seen(id).before_error);
        assert_eq!((code(world.seen(id)), world.seen(id).ended_at()), (ErrorCode::NetworkError, end));
    }
}

#[test]
fn a_deadline_still_leaves_before_error_hooks_a_task() {
    let mut world = World::new();
    world.farewell = None;
    let mut facts = facts();
    facts.options.headers_timeout = steadfetch_core::time::Millis::NONE;
    facts.callbacks.before_error = true;
    let id = world.start(facts, [hang()]);
    world.run();
    assert!(world.seen(id).before_error);
    assert_eq!((code(world.seen(id)), world.seen(id).ended_at()), (ErrorCode::DeadlineExceeded, 5_001));
}

#[test]
fn stale_events_change_nothing() {
    let mut world = World::new();
    let mut facts = retrying(1);
    facts.options.retry.retry_on_timeout = true;
    let id = world.start(facts, [hang(), answer(100, 200)]);
    world.run_until(300);
    assert_eq!(world.seen(id).closed, [(1, 300)]);
    // Whatever the first attempt still has to say.
    for event in
        [Event::Failed, Event::BodyEnd(Ok(())), Event::Refused(ErrorCode::InvalidRequest), Event::CallbackFailed]
    {
        world.event(id, 1, event);
    }
    world.run();
    assert!(world.seen(id).ok());
    assert_eq!(world.seen(id).sent.len(), 2);
    world.event(id, 2, Event::Failed);
    world.cancel(id);
}

#[test]
fn i01_leaving_the_page_ends_retries_and_what_was_not_sent() {
    // A retry that falls due.
    let mut world = World::new();
    let mut waits = retrying(3);
    waits.options.retry.jitter = steadfetch_core::backoff::Jitter::None;
    let id = world.start(waits, [refuse(1)]);
    world.run_until(1);
    world.hide(true);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::NetworkError, Some(RetryStopped::Pagehide)));
    assert_eq!(seen.sent.len(), 1);

    // A network error while leaving.
    let mut world = World::new();
    let id = world.start(retrying(3), [refuse(100)]);
    world.run_until(50);
    world.hide(true);
    world.run();
    let seen = world.seen(id);
    assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::Aborted, Some(RetryStopped::Pagehide)));
    assert_eq!((seen.sent.len(), seen.failure().outcome), (1, Outcome::Unknown));

    // A first attempt, and one that a hook holds back.
    let mut held = facts();
    held.callbacks.prepare = true;
    world.hide(false);
    world.prepare = None;
    let held = world.start(held, []);
    world.hide(true);
    let fresh = world.start(facts(), [answer(0, 200)]);
    for id in [held, fresh] {
        let seen = world.seen(id);
        assert_eq!((code(seen), seen.failure().stopped), (ErrorCode::Aborted, Some(RetryStopped::Pagehide)));
        assert_eq!((seen.failure().outcome, seen.sent.len()), (Outcome::NotSent, 0));
    }

    // A beacon leaves.
    let mut beacon = facts();
    beacon.keepalive = true;
    let beacon = world.start(beacon, [answer(5, 204)]);
    world.run();
    assert!(world.seen(beacon).ok());

    // And the page may come back.
    world.hide(false);
    let again = world.start(facts(), [answer(5, 200)]);
    world.run();
    assert!(world.seen(again).ok());
    world.assert_at_rest();
}
