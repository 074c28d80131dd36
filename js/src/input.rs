//! The facts of a call, from the numbers in `IN`.

use steadfetch_core::engine::{Callbacks, Facts, Given, Keys, Surface};
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::options::{Options, SLOTS};
use steadfetch_core::queue::Priority;
use steadfetch_core::time::Instant;

/// How many numbers `IN` holds.
pub(crate) const LENGTH: usize = 14 + SLOTS;

pub(crate) fn facts(input: &[f64; LENGTH]) -> Facts {
    let [
        started,
        method,
        flags,
        timeout_given,
        total_given,
        idempotent,
        listed,
        budget,
        circuit,
        lane,
        turn,
        priority,
        scope_deadline,
        auth,
        ref options @ ..,
    ] = *input;
    let flags = flags as u32;
    let flag = |bit: u32| flags & bit != 0;
    Facts {
        started: Instant::from_f64(started),
        options: Options::from_slots(options),
        keys: Keys { metrics: 0, budget: budget as u64, circuit: circuit as u64, lane: lane as u64, turn: turn as u64 },
        auth: auth as u32,
        priority: match priority as u32 {
            1 => Priority::High,
            3 => Priority::Low,
            _ => Priority::Auto,
        },
        scope_deadline: Instant::from_f64(scope_deadline),
        streams_upload: flag(512),
        gate: Gate {
            method: Method::from_number(method as u8),
            listed: choice(listed),
            keyed: flag(128),
            idempotent: choice(idempotent),
        },
        replayable: flag(1),
        keepalive: flag(2),
        surface: if flag(256) { Surface::Fetch } else { Surface::Shortcut },
        timeout_given: given(timeout_given),
        total_given: given(total_given),
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

fn choice(number: f64) -> Option<bool> {
    match number as u32 {
        1 => Some(true),
        2 => Some(false),
        _ => None,
    }
}

fn given(number: f64) -> Given {
    match number as u32 {
        1 => Given::Client,
        2 => Given::Call,
        _ => Given::Default,
    }
}
