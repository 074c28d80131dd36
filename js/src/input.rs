//! The facts of a call, from the numbers in `IN`.

use steadfetch_core::border::{CallFlag, Choice, Fact, IN};
use steadfetch_core::engine::{Callbacks, Facts, Given, Keys, Surface};
use steadfetch_core::gate::Gate;
use steadfetch_core::method::Method;
use steadfetch_core::options::{Options, SLOTS};
use steadfetch_core::queue::Priority;
use steadfetch_core::time::Instant;

const HIGH: u32 = Priority::High as u32;
const LOW: u32 = Priority::Low as u32;
const CLIENT: u32 = Given::Client as u32;
const CALL: u32 = Given::Call as u32;

/// `IN`.
#[repr(C)]
pub(crate) struct Input {
    facts: [f64; Fact::Options as usize],
    options: [f64; SLOTS],
}

impl Input {
    pub(crate) const fn new() -> Self {
        Self { facts: [0.0; Fact::Options as usize], options: [0.0; SLOTS] }
    }

    pub(crate) fn address(&self) -> u32 {
        (&raw const *self) as u32
    }
}

const _: () = assert!(size_of::<Input>() == size_of::<[f64; IN]>());

pub(crate) fn facts(input: &Input) -> Facts {
    let at = |fact: Fact| input.facts.get(fact as usize).copied().unwrap_or(f64::NAN);
    let key = |fact: Fact| at(fact) as u64;
    let flags = at(Fact::Flags) as u32;
    let flag = |flag: CallFlag| flags & flag as u32 != 0;
    Facts {
        started: Instant::from_f64(at(Fact::Started)),
        options: Options::from_slots(&input.options),
        keys: Keys {
            metrics: 0,
            budget: key(Fact::Budget),
            circuit: key(Fact::Circuit),
            lane: key(Fact::Lane),
            turn: key(Fact::Turn),
            share: if cfg!(feature = "full") { key(Fact::Share) } else { 0 },
        },
        auth: at(Fact::Auth) as u32,
        priority: match at(Fact::Priority) as u32 {
            HIGH => Priority::High,
            LOW => Priority::Low,
            _ => Priority::Auto,
        },
        scope_deadline: Instant::from_f64(at(Fact::ScopeDeadline)),
        streams_upload: flag(CallFlag::StreamsUpload),
        gate: Gate {
            method: Method::from_number(at(Fact::Method) as u8),
            listed: choice(at(Fact::Listed)),
            keyed: flag(CallFlag::Keyed),
            idempotent: choice(at(Fact::Idempotent)),
        },
        replayable: flag(CallFlag::Replayable),
        keepalive: flag(CallFlag::Keepalive),
        surface: if flag(CallFlag::Fetch) { Surface::Fetch } else { Surface::Shortcut },
        timeout_given: given(at(Fact::TimeoutGiven)),
        total_given: given(at(Fact::TotalGiven)),
        callbacks: Callbacks {
            prepare: flag(CallFlag::Prepare),
            should_retry: flag(CallFlag::ShouldRetry),
            delay: flag(CallFlag::Delay),
            before_error: flag(CallFlag::BeforeError),
            observe: flag(CallFlag::Observe),
            error_data: flag(CallFlag::ErrorData),
            lookup: flag(CallFlag::Lookup),
        },
    }
}

fn choice(number: f64) -> Option<bool> {
    match Choice::from_number(number as u32) {
        Some(Choice::True) => Some(true),
        Some(Choice::False) => Some(false),
        Some(Choice::NotGiven) | None => None,
    }
}

fn given(number: f64) -> Given {
    match number as u32 {
        CLIENT => Given::Client,
        CALL => Given::Call,
        _ => Given::Default,
    }
}
