//! Random calls against random servers in random order: what must hold always.
//!
//! The world itself asserts, at every step: no action for a call that is over, never two live attempts of a call,
//! fetches within the limit, nothing started after the deadline or with too little time left, one response at most.

mod world;

use proptest::prelude::*;
use steadfetch_core::backoff::Jitter;
use steadfetch_core::breaker::BreakerOptions;
use steadfetch_core::budget::BudgetOptions;
use steadfetch_core::engine::{Callbacks, Event, Facts, Given, Keys, Surface};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::metrics::Counter;
use steadfetch_core::outcome::Outcome;
use steadfetch_core::queue::{Priority, QueueOptions};
use steadfetch_core::refresh::{AuthEvent, RefreshOptions, Token};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};
use world::auth::{OFFLINE, Reply};
use world::*;

fn limit() -> impl Strategy<Value = Millis> {
    prop_oneof![1 => Just(Millis::NONE), 6 => (1_u64..2_000).prop_map(Millis)]
}

/// A world whose calls retry some statuses.
fn seeded(seed: u32) -> World {
    let mut world = World::seeded([seed, 1, 2, 3]);
    world.statuses.retried = [429, 500, 503].into_iter().collect();
    world
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let times = (limit(), limit(), limit(), 1_u64..5_000, 0_u64..200, 0_u64..300);
    let retry = (0_u32..6, 0_u64..400, limit(), 0_u64..3_000, any::<bool>(), any::<bool>());
    let method = prop::sample::select(Method::ALL.to_vec());
    let gate = (method, any::<Option<bool>>(), any::<bool>(), any::<Option<bool>>(), any::<bool>(), any::<bool>());
    let surface = prop::sample::select(vec![Surface::Shortcut, Surface::Fetch, Surface::Stream]);
    let given = || prop::sample::select(vec![Given::Default, Given::Client, Given::Call]);
    let callbacks = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let jitter = prop::sample::select(vec![Jitter::None, Jitter::Full, Jitter::Custom]);
    (times, retry, gate, (surface, given(), given()), callbacks, jitter).prop_map(
        |(times, retry, gate, (surface, timeout_given, total_given), callbacks, jitter)| {
            let mut facts = facts();
            let options = &mut facts.options;
            (options.timeout, options.headers_timeout, options.idle_timeout) = (times.0, times.1, times.2);
            // A total time, so that every call must end even if nothing else ends it.
            options.total_timeout = Millis(times.3);
            (options.min_attempt_time, options.reserve) = (Millis(times.4), Millis(times.5));
            options.retry.limit = retry.0;
            (options.retry.delay, options.retry.backoff_limit) = (Millis(retry.1), retry.2);
            options.retry.max_retry_after = Millis(retry.3);
            (options.retry.retry_on_timeout, options.retry.wait_for_online) = (retry.4, retry.5);
            options.retry.jitter = jitter;
            facts.gate = Gate { method: gate.0, listed: gate.1, keyed: gate.2, idempotent: gate.3 };
            (facts.replayable, facts.keepalive) = (gate.4, gate.5);
            (facts.surface, facts.timeout_given, facts.total_given) = (surface, timeout_given, total_given);
            facts.callbacks = Callbacks {
                lookup: callbacks.0 && callbacks.2,
                prepare: callbacks.0,
                should_retry: callbacks.1,
                delay: callbacks.2,
                before_error: callbacks.3,
                error_data: callbacks.1 != callbacks.3,
                observe: true,
            };
            facts
        },
    )
}

/// The same, with what they share: few keys, small limits, so that they meet.
fn any_guarded_facts() -> impl Strategy<Value = Facts> {
    let keys = (0_u64..3, 0_u64..3, 0_u64..3, 0_u64..2);
    let queue =
        (1_u32..3, 0_u32..4, limit(), prop::sample::select(vec![Priority::High, Priority::Auto, Priority::Low]));
    let breaker = (1_u32..4, 0_u64..800, 1_u32..3, prop::option::of(0.1..1.0_f64));
    let scope = prop_oneof![3 => Just(Instant::NEVER), 1 => (1_u64..3_000).prop_map(Instant)];
    let share = prop_oneof![1 => Just(0_u64), 2 => 1_u64..3];
    (any_facts(), keys, queue, breaker, 0.0..3.0_f64, scope, share).prop_map(
        |(mut facts, keys, queue, breaker, budget, scope, share)| {
            facts.keys = Keys { metrics: 1, budget: keys.0, circuit: keys.1, lane: keys.2, turn: keys.3, share };
            // Those who share a lane or a circuit are of one client: its options are theirs.
            let (lane, circuit) = (keys.2 as u32, keys.1 as u32);
            facts.options.queue = QueueOptions { concurrency: lane, limit: queue.1, timeout: queue.2 };
            facts.priority = queue.3;
            facts.options.breaker = BreakerOptions {
                failure_threshold: circuit,
                reset_timeout: Millis(breaker.1),
                half_open_successes: circuit,
                failure_rate: breaker.3.filter(|_| circuit == 2),
                minimum_calls: breaker.2,
                ..BreakerOptions::default()
            };
            facts.options.budget = BudgetOptions { capacity: budget, ratio: 0.2, per_second: 0.5 };
            facts.scope_deadline = scope;
            facts
        },
    )
}

fn any_step() -> impl Strategy<Value = Step> {
    let body_end = prop_oneof![
        4 => Just(BodyEnd::Complete(None)),
        1 => Just(BodyEnd::Complete(Some(ErrorCode::ParseError))),
        1 => Just(BodyEnd::Broken),
        1 => Just(BodyEnd::Silence),
        1 => any::<bool>().prop_map(BodyEnd::Unread),
        1 => Just(BodyEnd::Cancelled),
    ];
    let status = prop::sample::select(vec![200_u16, 204, 301, 0, 401, 404, 429, 500, 502, 503, 504, 522]);
    let pieces = prop::collection::vec((0_u64..400, 0_u64..100), 0..6);
    prop_oneof![
        1 => Just(hang()),
        4 => (0_u64..600).prop_map(refuse),
        1 => (0_u64..600).prop_map(unconnected),
        1 => (0_u64..600).prop_map(|after| Step { after: Some(after), result: Settled::Refused(ErrorCode::InvalidRequest) }),
        6 => (0_u64..600, status, pieces, body_end, any::<Option<u16>>(), any::<bool>()).prop_map(
            |(after, status, pieces, end, wait, bodiless)| Step {
                after: Some(after),
                result: Settled::Answer {
                    status,
                    length: None,
                    retry_after: wait.map(u64::from),
                    bodiless,
                    body: Body { pieces, end },
                },
            }
        ),
    ]
}

/// A server that wants a token: many answers are 401.
fn any_guarded_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u64..300).prop_map(guarded),
        1 => (0_u64..300).prop_map(|after| answer(after, 401)),
        2 => any_step(),
    ]
}

/// What the callbacks and the lock of two `auth` objects do.
#[derive(Clone, Debug)]
struct Keepers {
    get_token: bool,
    lock: bool,
    timeout: u64,
    valid: u32,
    expires: bool,
    tokens: Vec<(Option<u64>, u8)>,
    locks: Vec<(Option<u64>, u8)>,
    refreshes: Vec<(Option<u64>, u8)>,
}

fn any_keepers() -> impl Strategy<Value = Keepers> {
    let plans = || prop::collection::vec((prop::option::weighted(0.8, 0_u64..200), 0_u8..8), 0..8);
    let plain = (any::<bool>(), any::<bool>(), 1_u64..300, 1_u32..3, any::<bool>());
    (plain, plans(), plans(), plans()).prop_map(
        |((get_token, lock, timeout, valid, expires), tokens, locks, refreshes)| Keepers {
            get_token,
            lock,
            timeout,
            valid,
            expires,
            tokens,
            locks,
            refreshes,
        },
    )
}

impl Keepers {
    fn make(&self, world: &mut World) {
        let timeout = Millis(self.timeout);
        for (number, get_token, lock) in [(1, true, false), (2, self.get_token, self.lock)] {
            let options = RefreshOptions { get_token, lock, timeout, before: Millis(30) };
            let auth = world.auth(number, options);
            auth.valid = self.valid;
            if self.expires {
                auth.expires = |token| Instant(u64::from(token) * 400);
            }
            let say = |kind: u8, well: Reply, other: Reply| match kind {
                0..=4 => well,
                5 => other,
                6 => OFFLINE,
                _ => Reply::Event(AuthEvent::Failed { lost: true, status: 0 }),
            };
            let plan = |plans: &[(Option<u64>, u8)], well: Reply, other: Reply| {
                plans.iter().map(|(after, kind)| (*after, say(*kind, well, other))).collect()
            };
            auth.plans = plan(&self.tokens, Reply::Stored, Reply::Stored);
            let (locked, none) = (Reply::Event(AuthEvent::Locked), Reply::Event(AuthEvent::NoLock));
            auth.lock_plans =
                self.locks.iter().map(|(after, kind)| (*after, if *kind < 5 { locked } else { none })).collect();
            let other = if lock { AuthEvent::Lost } else { AuthEvent::Renewed };
            auth.refreshes = plan(&self.refreshes, Reply::New(self.valid + 1), Reply::Event(other));
        }
    }
}

/// Something that happens to the world besides the script.
#[derive(Clone, Debug)]
enum Trouble {
    Cancel(usize),
    Hide(bool),
    Online(bool),
    Late(u64),
    /// Any event, for any call and attempt, whether it makes sense or not.
    Noise(usize, u32, u8),
    /// Any report about an `auth` object.
    AuthNoise(u32, u64, u8),
}

fn any_trouble() -> impl Strategy<Value = (u64, Trouble)> {
    let trouble = prop_oneof![
        3 => (0_usize..4).prop_map(Trouble::Cancel),
        1 => any::<bool>().prop_map(Trouble::Hide),
        2 => any::<bool>().prop_map(Trouble::Online),
        1 => (0_u64..3_000).prop_map(Trouble::Late),
    ];
    (0_u64..1_000, trouble)
}

fn any_noise() -> impl Strategy<Value = (u64, Trouble)> {
    (0_u64..300, (0_usize..4, 0_u32..5, 0_u8..15).prop_map(|(call, attempt, kind)| Trouble::Noise(call, attempt, kind)))
}

fn any_auth_noise() -> impl Strategy<Value = (u64, Trouble)> {
    let noise = (0_u32..4, 0_u64..30, 0_u8..8);
    (0_u64..300, noise.prop_map(|(auth, ticket, kind)| Trouble::AuthNoise(auth, ticket, kind)))
}

fn auth_noise(kind: u8) -> AuthEvent {
    match kind {
        0 => AuthEvent::Token(Token { present: true, repeated: false, current: false, expires: Instant::NEVER }),
        1 => AuthEvent::Token(Token { present: false, repeated: true, current: true, expires: Instant(0) }),
        2 => AuthEvent::Refreshed { expires: Instant::NEVER },
        3 => AuthEvent::Renewed,
        4 => AuthEvent::Failed { lost: false, status: 401 },
        5 => AuthEvent::Locked,
        6 => AuthEvent::NoLock,
        _ => AuthEvent::Lost,
    }
}

fn noise(kind: u8) -> Event {
    match kind {
        0 => Event::Ready,
        1 => Event::Stop(RetryStopped::Policy),
        2 => Event::Refused(ErrorCode::InvalidRequest),
        3 => Event::Failed,
        4 => Event::Hooking { status: 200 },
        5 => Event::Answer(Some(1.0)),
        6 => Event::CallbackFailed,
        7 => Event::Reading,
        8 => Event::Chunk { bytes: 3, more: false },
        9 => Event::BodyEnd(Ok(())),
        10 => Event::Dropped,
        11 => Event::Streaming,
        12 => Event::Probed { taken: true },
        13 => Event::Unconnected,
        _ => Event::Hooked,
    }
}

type Calls = Vec<(u64, Facts, Vec<Step>)>;

fn any_calls() -> impl Strategy<Value = Calls> {
    prop::collection::vec((0_u64..200, any_facts(), prop::collection::vec(any_step(), 0..7)), 1..5)
}

fn any_guarded_calls() -> impl Strategy<Value = Calls> {
    prop::collection::vec((0_u64..100, any_guarded_facts(), prop::collection::vec(any_step(), 0..7)), 1..12)
}

fn any_authorized_calls() -> impl Strategy<Value = Calls> {
    let facts = (any_guarded_facts(), 0_u32..3).prop_map(|(mut facts, auth)| {
        facts.auth = auth;
        facts
    });
    prop::collection::vec((0_u64..100, facts, prop::collection::vec(any_guarded_step(), 0..7)), 1..12)
}

fn play(seed: u32, calls: Calls, troubles: Vec<(u64, Trouble)>, answers: Vec<Option<Option<f64>>>) -> World {
    play_in(seeded(seed), calls, troubles, answers)
}

fn play_in(mut world: World, calls: Calls, troubles: Vec<(u64, Trouble)>, answers: Vec<Option<Option<f64>>>) -> World {
    world.answers = answers.into_iter().map(|answer| answer.map(Event::Answer)).collect();
    let mut ids = Vec::new();
    for (pause, facts, script) in calls {
        world.run_for(pause);
        ids.push(world.start(facts, script));
    }
    for (pause, trouble) in troubles {
        world.run_for(pause);
        match trouble {
            Trouble::Cancel(call) => {
                if let Some(id) = ids.get(call) {
                    let over = world.seen(*id).end.is_some();
                    world.cancel(*id);
                    assert!(over || world.seen(*id).end.is_some(), "a cancelled call is over at once");
                }
            }
            Trouble::Hide(hidden) => world.hide(hidden),
            Trouble::Online(online) => world.go_online(online),
            Trouble::Late(late) => world.late = late,
            Trouble::Noise(call, attempt, kind) => {
                if let Some(id) = ids.get(call) {
                    world.event(*id, attempt, noise(kind));
                }
            }
            Trouble::AuthNoise(auth, ticket, kind) => world.auth_event(auth, ticket, auth_noise(kind)),
        }
    }
    world.run();
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_settles_exactly_once_and_leaves_nothing_behind(
        seed: u32,
        calls in any_calls(),
        troubles in prop::collection::vec(any_trouble(), 0..6),
        answers: Vec<Option<Option<f64>>>,
    ) {
        let world = play(seed, calls, troubles, answers);
        // A body that is being read slowly may outlive every limit of a raw response; all else is over.
        for seen in world.calls.values() {
            let facts = seen.facts.as_ref().unwrap();
            let bound = facts.surface.covers_body(facts.total_given) || seen.responded.is_none();
            prop_assert!(seen.end.is_some() || !bound, "pending: {:?}", seen);
            if let Some((at, result)) = &seen.end {
                if bound && world.late == 0 {
                    // A millisecond for the hooks that may look at the error.
                    prop_assert!(Instant(*at) <= facts.deadline() + Millis(1), "past the deadline: {:?}", seen);
                }
                check(seen, result);
            }
        }
        let pending = world.calls.values().filter(|seen| seen.end.is_none()).count();
        prop_assert_eq!(world.engine.live(), pending);
    }

    #[test]
    fn what_is_shared_is_given_back_and_counted(
        seed: u32,
        calls in any_guarded_calls(),
        troubles in prop::collection::vec(any_trouble(), 0..6),
        answers: Vec<Option<Option<f64>>>,
    ) {
        let started = calls.len() as u32;
        let mut world = play(seed, calls, troubles, answers);
        let pending = world.calls.values().filter(|seen| seen.end.is_none()).count() as u32;
        for seen in world.calls.values() {
            let facts = seen.facts.as_ref().unwrap();
            let bound = facts.surface.covers_body(facts.total_given) || seen.responded.is_none();
            prop_assert!(seen.end.is_some() || !bound, "pending: {:?}", seen);
            if let Some((at, result)) = &seen.end {
                check(seen, result);
                if facts.scope_deadline != Instant::NEVER && world.late == 0 {
                    prop_assert!(Instant(*at) <= facts.scope_deadline.max(facts.started) + Millis(1), "{:?}", seen);
                }
            }
        }
        let (held, waiting) = world.engine.queued();
        prop_assert!(held <= pending as usize, "slots are held by calls that are over");
        prop_assert_eq!(waiting, 0);
        let store = world.engine.metrics(1).unwrap();
        prop_assert_eq!(store.get(Counter::Calls), started);
        let waits = store.get(Counter::Dequeued) + store.get(Counter::LeftQueue);
        prop_assert_eq!(store.get(Counter::Queued), waits, "who has waited was sent, or left");
        let mut numbers = Vec::new();
        store.write(&mut numbers);
        let failed: f64 = numbers[20..39].iter().sum();
        let succeeded = f64::from(store.get(Counter::Succeeded));
        prop_assert!((failed + succeeded - f64::from(started - pending)).abs() < 0.5, "one outcome for each call");
        let sent: usize = world.calls.values().map(|seen| seen.sent.len()).sum();
        prop_assert!((store.get(Counter::Attempts) + store.get(Counter::Shared)) as usize <= sent);
    }

    #[test]
    fn events_in_any_order_from_anywhere_do_no_harm(
        seed: u32,
        calls in any_guarded_calls(),
        troubles in prop::collection::vec(prop_oneof![any_trouble(), any_noise()], 0..40),
    ) {
        let world = play(seed, calls, troubles, Vec::new());
        if world.engine.live() == 0 {
            prop_assert_eq!(world.engine.queued(), (0, 0));
        }
        for seen in world.calls.values() {
            if let Some((_, result)) = &seen.end {
                check(seen, result);
            }
        }
    }

    #[test]
    fn a_refresh_serves_everybody_and_leaves_nobody_behind(
        seed: u32,
        keepers in any_keepers(),
        calls in any_authorized_calls(),
        troubles in prop::collection::vec(any_trouble(), 0..6),
    ) {
        let mut world = seeded(seed);
        keepers.make(&mut world);
        let world = play_in(world, calls, troubles, Vec::new());
        for seen in world.calls.values() {
            let facts = seen.facts.as_ref().unwrap();
            let bound = facts.surface.covers_body(facts.total_given) || seen.responded.is_none();
            prop_assert!(seen.end.is_some() || !bound, "pending: {:?}", seen);
            if let Some((at, result)) = &seen.end {
                check(seen, result);
                if bound && world.late == 0 {
                    prop_assert!(Instant(*at) <= facts.deadline().max(facts.started) + Millis(1), "{:?}", seen);
                }
            }
        }
        let pending = world.calls.values().filter(|seen| seen.end.is_none()).count();
        prop_assert_eq!(world.engine.live(), pending);
        if pending == 0 {
            world.assert_at_rest();
        }
    }

    #[test]
    fn reports_about_tokens_in_any_order_do_no_harm(
        seed: u32,
        keepers in any_keepers(),
        calls in any_authorized_calls(),
        troubles in prop::collection::vec(prop_oneof![any_trouble(), any_noise(), any_auth_noise()], 0..40),
    ) {
        let mut world = seeded(seed);
        keepers.make(&mut world);
        world.auths.values_mut().for_each(|auth| auth.strict = false);
        let world = play_in(world, calls, troubles, Vec::new());
        if world.engine.live() == 0 {
            prop_assert_eq!(world.engine.queued(), (0, 0));
            prop_assert_eq!(world.engine.poll_timeout(), None);
        }
        for seen in world.calls.values() {
            if let Some((_, result)) = &seen.end {
                check(seen, result);
            }
        }
    }

    #[test]
    fn the_same_seed_and_events_give_the_same_calls(seed: u32, calls in any_calls()) {
        let one = play(seed, calls.clone(), Vec::new(), Vec::new());
        let two = play(seed, calls, Vec::new(), Vec::new());
        for (a, b) in one.calls.values().zip(two.calls.values()) {
            prop_assert_eq!(&a.sent, &b.sent);
            prop_assert_eq!(&a.end, &b.end);
        }
    }
}

/// What a settled call may say of itself.
fn check(seen: &Seen, result: &Result<(), steadfetch_core::engine::Failure>) {
    let Err(failure) = result else { return };
    let outcomes = failure.attempts.iter().map(|attempt| attempt.outcome);
    assert_eq!(failure.outcome, Outcome::of_call(outcomes), "the outcome is that of the attempts");
    if seen.sent.is_empty() {
        assert_eq!(failure.outcome, Outcome::NotSent);
    }
    let own_check = matches!(failure.code, ErrorCode::InvalidRequest | ErrorCode::Unsupported);
    if !own_check && failure.code != ErrorCode::CallbackError {
        assert_eq!(failure.attempts.len(), seen.sent.len(), "every attempt is told of: {seen:?}");
    }
    if failure.stopped == Some(RetryStopped::Budget) || failure.stopped == Some(RetryStopped::Circuit) {
        assert!(!seen.sent.is_empty(), "only a retry can be stopped so");
    }
    if matches!(failure.code, ErrorCode::QueueFull | ErrorCode::QueueTimeout | ErrorCode::CircuitOpen) {
        assert!(seen.sent.is_empty(), "a retry that is refused leaves the last real error");
    }
    if failure.code == ErrorCode::Aborted {
        assert!(seen.cancelled || failure.stopped == Some(RetryStopped::Pagehide));
    }
    let gate_open = seen.facts.as_ref().unwrap().gate.is_open() && seen.facts.as_ref().unwrap().replayable;
    assert!(gate_open || seen.sent.len() <= 1 + seen.resent.len(), "nothing is repeated that may not be");
}
