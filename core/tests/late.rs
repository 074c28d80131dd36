//! What comes when somebody asks for it (feature `late`): circuits and lanes.

mod world;

use steadfetch_core::engine::{Action, Engine, Facts};
use steadfetch_core::queue::QueueOptions;
use steadfetch_core::time::{Instant, Millis};
use world::facts;

/// A call in a lane that lets one attempt through.
fn queued() -> Facts {
    let mut facts = facts();
    facts.keys.lane = 1;
    facts.options.queue = QueueOptions { concurrency: 1, limit: 8, timeout: Millis::NONE };
    facts
}

fn sent(engine: &mut Engine) -> usize {
    std::iter::from_fn(|| engine.poll_action()).filter(|action| matches!(action, Action::Send { .. })).count()
}

#[test]
fn every_way_is_open_until_the_engine_is_to_know_of_lanes() {
    let mut engine = Engine::bare([1, 2, 3, 4]);
    for _ in 0..2 {
        engine.start(Instant(0), queued());
    }
    assert_eq!((sent(&mut engine), engine.queued()), (2, (0, 0)));
    engine.admit();
    for _ in 0..2 {
        engine.start(Instant(0), queued());
    }
    assert_eq!((sent(&mut engine), engine.queued()), (1, (1, 1)));
    engine.admit();
    assert_eq!(engine.queued(), (1, 1), "they come once");
}

#[test]
fn calls_that_began_before_end_as_they_began() {
    let mut engine = Engine::bare([1, 2, 3, 4]);
    let early = engine.start(Instant(0), queued());
    engine.admit();
    let late = engine.start(Instant(0), queued());
    assert_eq!(sent(&mut engine), 2);
    engine.cancel(Instant(1), early, false);
    assert_eq!(engine.queued(), (1, 0), "its slot was none of the lane");
    engine.cancel(Instant(1), late, false);
    assert_eq!(engine.queued(), (0, 0));
    assert_eq!(engine.live(), 0);
}
