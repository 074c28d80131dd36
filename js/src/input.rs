//! The facts of a call, from the numbers in `IN`.

use steadfetch_core::engine::{Callbacks, Facts, Given, Keys, Surface};
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::options::{Options, SLOTS};
use steadfetch_core::queue::Priority;
use steadfetch_core::time::Instant;

const KEYS: usize = 7;
const OPTIONS: usize = 14;
/// How many numbers `IN` holds.
pub(crate) const LENGTH: usize = OPTIONS + SLOTS;

pub(crate) fn facts(input: &[f64]) -> Facts {
    let at = |place: usize| input.get(place).copied().unwrap_or(f64::NAN);
    let flags = at(2) as u32;
    let flag = |bit: u32| flags & bit != 0;
    let given = |place: usize| match at(place) as u32 {
        1 => Given::Client,
        2 => Given::Call,
        _ => Given::Default,
    };
    let key = |place: usize| at(KEYS.wrapping_add(place)) as u64;
    let choice = |place: usize| match at(place) as u32 {
        1 => Some(true),
        2 => Some(false),
        _ => None,
    };
    Facts {
        started: Instant::from_f64(at(0)),
        options: Options::from_slots(input.get(OPTIONS..).unwrap_or_default()),
        keys: Keys { metrics: 0, budget: key(0), circuit: key(1), lane: key(2), turn: key(3) },
        auth: at(13) as u32,
        priority: match at(11) as u32 {
            1 => Priority::High,
            3 => Priority::Low,
            _ => Priority::Auto,
        },
        scope_deadline: Instant::from_f64(at(12)),
        streams_upload: flag(512),
        gate: Gate {
            method: Method::from_number(at(1) as u8),
            listed: choice(6),
            keyed: flag(128),
            idempotent: choice(5),
        },
        replayable: flag(1),
        keepalive: flag(2),
        surface: if flag(256) { Surface::Fetch } else { Surface::Shortcut },
        timeout_given: given(3),
        total_given: given(4),
        callbacks: Callbacks {
            prepare: flag(4),
            should_retry: flag(8),
            delay: flag(16),
            before_error: flag(32),
            observe: flag(64),
            error_data: flag(1024),
        },
    }
}
