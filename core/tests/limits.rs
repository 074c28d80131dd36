//! Time limits: what passes when, and under which name.

mod world;

use steadfetch_core::engine::{Event, Facts, Given, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::phase::Phase;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};
use world::*;

#[test]
fn an_answer_in_time_ends_the_call_well() {
    let seen = run(facts(), [answer(40, 200)]);
    assert!(seen.ok());
    assert_eq!((seen.responded, seen.ended_at(), seen.attempts_at_response), (Some(40), 40, 1));
}

#[test]
fn a_server_that_never_answers_is_a_timeout_in_the_headers() {
    let seen = run(facts(), [hang()]);
    assert_eq!((code(&seen), phase(&seen)), (ErrorCode::Timeout, Some(Phase::Headers)));
    assert_eq!((seen.ended_at(), seen.closed.as_slice()), (300, [(1, 300)].as_slice()));
    assert_eq!((seen.failure().limit, seen.failure().outcome), (Some(300), Outcome::Unknown));
    assert_eq!(seen.failure().stopped, Some(RetryStopped::Policy));
}

#[test]
fn timeout_covers_the_headers_too() {
    let mut facts = facts();
    facts.options.headers_timeout = Millis::NONE;
    facts.options.timeout = Millis(700);
    let seen = run(facts, [hang()]);
    assert_eq!((code(&seen), phase(&seen), seen.ended_at()), (ErrorCode::Timeout, Some(Phase::Headers), 700));
}

#[test]
fn timeout_covers_the_body_of_a_shortcut() {
    let mut facts = facts();
    facts.options.timeout = Millis(700);
    let drip: Vec<(u64, u64)> = vec![(100, 1); 20];
    let seen = run(facts, [answer_with(10, 200, &drip, BodyEnd::Complete(None))]);
    assert_eq!((code(&seen), phase(&seen), seen.ended_at()), (ErrorCode::Timeout, Some(Phase::Body), 700));
    assert_eq!((seen.failure().bytes, seen.failure().status), (6, Some(200)));
    assert_eq!(seen.failure().outcome, Outcome::Answered);
}

#[test]
fn c01_a_body_that_stalls_is_a_timeout_in_idle() {
    let seen = run(facts(), [answer_with(10, 200, &[(0, 5)], BodyEnd::Silence)]);
    assert_eq!((code(&seen), phase(&seen), seen.ended_at()), (ErrorCode::Timeout, Some(Phase::Idle), 310));
    assert_eq!(seen.closed, [(1, 310)]);
}

#[test]
fn c02_a_drip_that_never_idles_meets_the_deadline() {
    let mut facts = facts();
    facts.options.total_timeout = Millis(1_500);
    let seen = run(facts, [answer_with(10, 200, &[(200, 1); 100], BodyEnd::Complete(None))]);
    assert_eq!((code(&seen), phase(&seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, Some(Phase::Body), 1_500));
    assert_eq!((seen.failure().bytes, seen.failure().limit), (7, Some(1_500)));
}

#[test]
fn a_reader_that_rests_is_not_a_body_that_idles() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 200, &[], BodyEnd::Silence)]);
    world.run_until(10);
    world.event(id, 1, Event::Chunk { bytes: 5, more: false });
    world.run_until(4_000);
    assert!(world.seen(id).end.is_none(), "no read was pending");
    world.event(id, 1, Event::Reading);
    world.run();
    let seen = world.seen(id);
    assert_eq!((phase(seen), seen.ended_at()), (Some(Phase::Idle), 4_300));
}

#[test]
fn after_the_headers_a_raw_response_has_only_the_idle_limit() {
    for (surface, given, covered) in [
        (Surface::Fetch, Given::Default, false),
        (Surface::Fetch, Given::Client, true),
        (Surface::Fetch, Given::Call, true),
        (Surface::Stream, Given::Client, false),
        (Surface::Stream, Given::Call, true),
        (Surface::Shortcut, Given::Default, true),
    ] {
        let mut facts = facts();
        (facts.surface, facts.timeout_given, facts.total_given) = (surface, given, given);
        facts.options.timeout = Millis(1_000);
        let seen = run(facts, [answer_with(10, 200, &[(200, 1); 40], BodyEnd::Complete(None))]);
        if covered {
            assert_eq!((code(&seen), seen.ended_at()), (ErrorCode::Timeout, 1_000), "{surface:?} {given:?}");
        } else {
            assert!(seen.ok(), "{surface:?} {given:?}");
            assert_eq!(seen.ended_at(), 8_010);
        }
    }
}

#[test]
fn handing_out_a_stream_lifts_the_limits_that_were_not_given_to_this_call() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 200, &[(200, 1); 40], BodyEnd::Complete(None))]);
    world.event(id, 0, Event::Streaming);
    world.run();
    assert!(world.seen(id).ok());
}

#[test]
fn a_body_nobody_reads_is_given_up_when_idle_and_its_call_has_ended_well() {
    for surface in [Surface::Shortcut, Surface::Fetch, Surface::Stream] {
        let seen = run(Facts { surface, ..facts() }, [answer_with(10, 200, &[], BodyEnd::Unread(false))]);
        assert!(seen.ok());
        assert_eq!((seen.ended_at(), seen.closed.as_slice()), (310, [(1, 310)].as_slice()));
        let late = seen.abandoned.expect("a failure for late reads");
        assert_eq!((late.code, late.phase, late.limit), (ErrorCode::Timeout, Some(Phase::Idle), Some(300)));
        assert_eq!((late.outcome, late.attempts.len()), (Outcome::Answered, 1));
        let [attempt] = seen.ended_attempts.as_slice() else { panic!("one attempt") };
        assert_eq!((attempt.code, attempt.phase), (None, Phase::Body), "the attempt is no failure either");
    }
}

#[test]
fn the_deadline_of_a_scope_ends_a_body_that_nobody_reads() {
    let mut facts = facts();
    facts.scope_deadline = Instant(facts.started.0 + 200);
    let seen = run(facts, [answer_with(10, 200, &[], BodyEnd::Unread(false))]);
    assert_eq!((code(&seen), phase(&seen), seen.ended_at()), (ErrorCode::DeadlineExceeded, Some(Phase::Body), 200));
    assert!(seen.abandoned.is_none());
}

#[test]
fn a_body_that_the_platform_took_is_left_alone() {
    let mut facts = facts();
    facts.surface = Surface::Fetch;
    let seen = run(facts.clone(), [answer_with(10, 200, &[], BodyEnd::Unread(true))]);
    assert!(seen.ok());
    assert_eq!((seen.ended_at(), seen.closed.len()), (310, 0));
    // A limit that the caller gave still stops the I/O.
    facts.timeout_given = Given::Call;
    facts.options.timeout = Millis(900);
    let seen = run(facts, [answer_with(10, 200, &[], BodyEnd::Unread(true))]);
    assert!(seen.ok());
    assert_eq!(seen.closed, [(1, 900)]);
}

#[test]
fn any_limit_that_meets_an_unread_body_asks_first_whether_the_platform_took_it() {
    let mut facts = facts();
    facts.options.idle_timeout = Millis::NONE;
    facts.options.timeout = Millis(900);
    let seen = run(facts.clone(), [answer_with(10, 200, &[], BodyEnd::Unread(true))]);
    assert!(seen.ok());
    assert_eq!((seen.ended_at(), seen.closed.as_slice()), (900, [(1, 900)].as_slice()));
    let late = |facts| {
        let seen = run(facts, [answer_with(10, 200, &[], BodyEnd::Unread(false))]);
        assert!(seen.ok(), "given up, and a success");
        let failure = seen.abandoned.clone().expect("a failure for late reads");
        (failure.code, failure.phase, seen.ended_at())
    };
    assert_eq!(late(facts.clone()), (ErrorCode::Timeout, Some(Phase::Body), 900));
    facts.options.timeout = Millis::NONE;
    assert_eq!(late(facts), (ErrorCode::DeadlineExceeded, Some(Phase::Body), 5_000));
}

#[test]
fn an_attempt_cut_by_the_remaining_time_is_a_deadline() {
    let mut facts = facts();
    facts.options.headers_timeout = Millis::NONE;
    facts.options.timeout = Millis(10_000);
    facts.options.reserve = Millis(500);
    let seen = run(facts, [hang()]);
    assert_eq!(
        (code(&seen), phase(&seen), seen.ended_at()),
        (ErrorCode::DeadlineExceeded, Some(Phase::Headers), 4_500)
    );
    assert_eq!(seen.failure().stopped, Some(RetryStopped::Deadline));
}

#[test]
fn too_little_time_sends_nothing() {
    let mut facts = facts();
    facts.options.total_timeout = Millis(9);
    let seen = run(facts, [answer(0, 200)]);
    assert_eq!((code(&seen), seen.ended_at(), seen.sent.len()), (ErrorCode::DeadlineExceeded, 0, 0));
    assert_eq!(seen.failure().outcome, Outcome::NotSent);
}

#[test]
fn the_time_that_loading_took_counts() {
    let mut world = World::new();
    world.now = 4_995;
    let mut facts = facts();
    facts.started = Instant(0);
    let id = world.start_late(facts, [answer(0, 200)]);
    let seen = world.seen(id);
    assert_eq!((code(seen), phase(seen)), (ErrorCode::DeadlineExceeded, Some(Phase::Load)));
}

#[test]
fn c04_no_limit_never_fires() {
    let mut facts = facts();
    for limit in [
        &mut facts.options.timeout,
        &mut facts.options.headers_timeout,
        &mut facts.options.idle_timeout,
        &mut facts.options.total_timeout,
    ] {
        *limit = Millis::NONE;
    }
    let mut world = World::new();
    let id = world.start(facts, [answer(9_000_000_000, 200)]);
    assert_eq!(world.engine.poll_timeout(), None);
    world.run();
    assert!(world.seen(id).ok());
}

#[test]
fn c04_a_limit_beyond_any_timer_is_kept() {
    let mut facts = facts();
    facts.options.headers_timeout = Millis(9_000_000_000_000_000);
    facts.options.timeout = Millis::NONE;
    facts.options.total_timeout = Millis::NONE;
    let seen = run(facts, [hang()]);
    assert_eq!(seen.ended_at(), 9_000_000_000_000_000);
}

#[test]
fn an_event_that_has_arrived_wins_over_a_limit_that_has_passed() {
    let mut world = World::new();
    let id = world.start(facts(), []);
    world.now = 10_000;
    world.event(id, 1, head(204, true));
    assert!(world.seen(id).ok());
}

#[test]
fn b12_a_late_timer_lets_one_task_pass() {
    let mut world = World::new();
    let id = world.start(facts(), []);
    world.now = 1_500;
    world.tick();
    assert!(world.seen(id).end.is_none());
    assert_eq!(world.engine.poll_timeout(), Some(Instant(0)), "again at once");
    world.now = 1_501;
    world.tick();
    assert_eq!(code(world.seen(id)), ErrorCode::Timeout);
}

#[test]
fn b12_an_answer_that_waits_behind_a_late_timer_wins() {
    let mut world = World::new();
    let id = world.start(facts(), []);
    world.now = 1_500;
    world.tick();
    world.event(id, 1, head(204, true));
    world.tick();
    assert!(world.seen(id).ok());
    world.assert_at_rest();
}

#[test]
fn b12_a_body_that_waits_behind_a_late_timer_wins_too() {
    let mut world = World::new();
    let mut facts = facts();
    facts.options.timeout = Millis(500);
    let id = world.start(facts, []);
    world.now = 1_500;
    world.tick();
    world.event(id, 1, head(200, false));
    world.tick();
    world.event(id, 1, Event::Chunk { bytes: 2, more: true });
    world.tick();
    assert!(world.seen(id).end.is_none(), "as long as something comes");
    world.event(id, 1, Event::BodyEnd(Ok(())));
    assert!(world.seen(id).ok());
}

#[test]
fn events_without_end_do_not_hold_up_a_late_timer_for_ever() {
    let mut world = World::new();
    let id = world.start(facts(), []);
    world.now = 1_500;
    for _ in 0..9 {
        assert!(world.seen(id).end.is_none());
        world.tick();
        world.event(id, 7, Event::Reading);
    }
    assert_eq!(code(world.seen(id)), ErrorCode::Timeout);
}

#[test]
fn a_timer_a_little_late_is_not_held_up() {
    let mut world = World::new();
    let id = world.start(facts(), []);
    world.late = 50;
    world.run();
    assert_eq!(world.seen(id).ended_at(), 350);
}

#[test]
fn a_clock_that_goes_back_gives_no_negative_time() {
    let mut world = World::new();
    world.now = 1_000;
    let id = world.start(facts(), [refuse(0)]);
    world.now = 500;
    world.event(id, 1, Event::Refused(ErrorCode::InvalidRequest));
    assert_eq!(world.seen(id).failure().elapsed, Millis::ZERO);
}

#[test]
fn the_earlier_of_two_limits_gives_its_name_however_late_the_timer() {
    let mut facts = facts();
    facts.options.total_timeout = Millis(400);
    let mut world = World::new();
    world.late = 10_000;
    let id = world.start(facts, [hang()]);
    world.run();
    assert_eq!(code(world.seen(id)), ErrorCode::Timeout);
}

#[test]
fn of_two_limits_that_pass_together_the_wider_one_gives_its_name() {
    let mut facts = facts();
    facts.options.headers_timeout = Millis(1_000);
    facts.options.timeout = Millis(1_000);
    facts.options.total_timeout = Millis(1_000);
    assert_eq!(code(&run(facts.clone(), [hang()])), ErrorCode::DeadlineExceeded);
    facts.options.total_timeout = Millis(5_000);
    facts.options.idle_timeout = Millis(990);
    let seen = run(facts, [answer_with(10, 200, &[], BodyEnd::Silence)]);
    assert_eq!((code(&seen), phase(&seen)), (ErrorCode::Timeout, Some(Phase::Body)));
}

#[test]
fn a_body_of_just_the_limit_is_not_too_large() {
    let mut facts = facts();
    facts.options.max_response_bytes = 100;
    let mut exact = answer_with(5, 200, &[(0, 100)], BodyEnd::Complete(None));
    if let Settled::Answer { length, .. } = &mut exact.result {
        *length = Some(100);
    }
    assert!(run(facts, [exact]).ok());
}

#[test]
fn a_body_that_is_always_ready_meets_its_limit_without_a_timer() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 200, &[], BodyEnd::Silence)]);
    world.run_until(10);
    for now in [6_000, 15_000] {
        world.now = now;
        world.event(id, 1, Event::Chunk { bytes: 1, more: true });
        assert!(world.seen(id).end.is_none(), "pieces that waited behind a late timer count: {now}");
    }
    world.now = 15_001;
    world.event(id, 1, Event::Chunk { bytes: 1, more: true });
    assert_eq!((code(world.seen(id)), world.seen(id).failure().bytes), (ErrorCode::DeadlineExceeded, 3));
    world.assert_at_rest();
}

#[test]
fn the_body_of_an_error_that_is_always_ready_meets_its_limit_without_a_timer_too() {
    let mut world = World::new();
    let id = world.start(facts(), [answer_with(10, 500, &[], BodyEnd::Silence)]);
    world.run_until(10);
    for now in [6_000, 15_000] {
        world.now = now;
        world.event(id, 1, Event::Chunk { bytes: 0, more: true });
        assert!(world.seen(id).end.is_none(), "{now}");
    }
    world.now = 15_001;
    world.event(id, 1, Event::Chunk { bytes: 0, more: true });
    assert_eq!((code(world.seen(id)), world.seen(id).failure().status), (ErrorCode::HttpError, Some(500)));
    assert_eq!(world.seen(id).closed, [(1, 15_001)]);
    world.assert_at_rest();
}

#[test]
fn the_body_of_an_error_above_the_limit_is_cancelled_and_the_error_stays() {
    let mut facts = facts();
    facts.options.max_response_bytes = 10;
    let seen = run(facts.clone(), [answer_with(10, 500, &[(5, 10), (5, 1), (5, 1)], BodyEnd::Complete(None))]);
    assert_eq!((code(&seen), seen.failure().status, seen.failure().bytes), (ErrorCode::HttpError, Some(500), 11));
    assert_eq!((seen.ended_at(), seen.closed.as_slice()), (20, [(1, 20)].as_slice()));
    let seen = run(facts, [answer_with(10, 500, &[(5, 10)], BodyEnd::Complete(None))]);
    assert_eq!((code(&seen), seen.closed.len()), (ErrorCode::HttpError, 0));
}
