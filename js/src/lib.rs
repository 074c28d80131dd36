//! The wasm module of the npm package: the engine behind exports of plain numbers.
//!
//! Nothing but numbers crosses the border: no string, no object, no import, and so no glue to load or to keep in step. The layout of `IN` and `OUT` is in
//! `docs/engine.md`. The facade never calls an export while another runs, because the engine calls nothing.
//!
//! Without `std` a panic is a bare trap: the texts and the formatting of panics would be a fifth of the module. The
//! facade turns every trap into ENGINE_DEAD.
#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

#[cfg(feature = "full")]
mod auth;
#[cfg(any(target_family = "wasm", test))]
mod blocks;
#[cfg(feature = "full")]
mod circuit;
mod input;
#[cfg(target_family = "wasm")]
mod memory;
mod module;
mod output;

use steadfetch_core::border::{EventKind, HeadFlag};
use steadfetch_core::engine::{CallId, Demand, Event, Head, LookupVerdict};
use steadfetch_core::error::ErrorCode;
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::{Instant, Millis};

use module::run;

fn tell(now: f64, id: f64, attempt: u32, event: Event) -> u32 {
    run(|engine, _| {
        engine.on_event(Instant::from_f64(now), CallId::from_f64(id), attempt, event);
        0.0
    })
}

/// Does nothing. Its name is the version: by it the facade knows the module that belongs to it.
#[unsafe(export_name = concat!("v", env!("CARGO_PKG_VERSION")))]
pub extern "C" fn version() {}

/// Makes the engine from 128 bits of seed. Returns the address of `IN`.
#[unsafe(no_mangle)]
pub extern "C" fn setup(a: u32, b: u32, c: u32, d: u32) -> u32 {
    module::make([a, b, c, d])
}

/// Starts a call from the facts in `IN`; its id is `OUT[2]`.
#[unsafe(no_mangle)]
pub extern "C" fn start(now: f64) -> u32 {
    run(|engine, input| engine.start(Instant::from_f64(now), input::facts(input)).to_f64())
}

/// The head of a response. Flags: see [`HeadFlag`].
#[unsafe(no_mangle)]
pub extern "C" fn head(now: f64, id: f64, attempt: u32, status: u32, length: f64, retry_after: f64, flags: u32) -> u32 {
    let flag = |flag: HeadFlag| flags & flag as u32 != 0;
    let known = |number: f64| (!number.is_nan()).then(|| Millis::from_f64(number));
    tell(
        now,
        id,
        attempt,
        Event::Head(Head {
            status: status as u16,
            length: known(length).map(|bytes| bytes.0),
            retry_after: known(retry_after),
            retried: flag(HeadFlag::Retried),
            heeded: flag(HeadFlag::Heeded),
            demand: if flag(HeadFlag::Exact) {
                Demand::RetryAfter
            } else if flag(HeadFlag::Demanded) {
                Demand::Retry
            } else {
                Demand::None
            },
            throw: flag(HeadFlag::Throw),
            bodiless: flag(HeadFlag::Bodiless),
            unauthorized: flag(HeadFlag::Unauthorized),
        }),
    )
}

/// Bytes of a body; `more`: the next read is pending.
#[unsafe(no_mangle)]
pub extern "C" fn chunk(now: f64, id: f64, attempt: u32, bytes: f64, more: bool) -> u32 {
    tell(now, id, attempt, Event::Chunk { bytes: bytes as u64, more })
}

/// Every other event, by its number.
#[unsafe(no_mangle)]
pub extern "C" fn event(now: f64, id: f64, attempt: u32, kind: u32, value: f64) -> u32 {
    let code = ErrorCode::from_number(value as u8);
    let event = match EventKind::from_number(kind) {
        Some(EventKind::Ready) => Event::Ready,
        Some(EventKind::Stop) => Event::Stop(RetryStopped::from_number(value as u8).unwrap_or(RetryStopped::Policy)),
        Some(EventKind::Refused) => Event::Refused(code.unwrap_or(ErrorCode::InvalidRequest)),
        Some(EventKind::Failed) if value > 0.0 => Event::Unconnected,
        Some(EventKind::Failed) => Event::Failed,
        Some(EventKind::Hooking) => Event::Hooking { status: value as u16 },
        Some(EventKind::Answer) => Event::Answer((!value.is_nan()).then_some(value)),
        Some(EventKind::CallbackFailed) => Event::CallbackFailed,
        Some(EventKind::Reading) => Event::Reading,
        Some(EventKind::BodyEnd) => Event::BodyEnd(code.map_or(Ok(()), Err)),
        Some(EventKind::Dropped) => Event::Dropped,
        Some(EventKind::Streaming) => Event::Streaming,
        Some(EventKind::Probed) => Event::Probed { taken: value != 0.0 },
        Some(EventKind::Length) if cfg!(feature = "full") => Event::Length(value as u64),
        Some(EventKind::LookedUp) if cfg!(feature = "full") => Event::LookedUp(match value as u8 {
            2 => LookupVerdict::NotFound,
            3 => LookupVerdict::Failed,
            _ => LookupVerdict::Pending,
        }),
        Some(EventKind::Sharing) if cfg!(feature = "full") => Event::Sharing(value as u64),
        Some(EventKind::Hooked | EventKind::Length | EventKind::LookedUp | EventKind::Sharing) | None => Event::Hooked,
    };
    tell(now, id, attempt, event)
}

/// The caller gave up, or its client did.
#[unsafe(no_mangle)]
pub extern "C" fn cancel(now: f64, id: f64, by_client: bool) -> u32 {
    run(|engine, _| {
        engine.cancel(Instant::from_f64(now), CallId::from_f64(id), by_client);
        0.0
    })
}

/// The timer has fired, or the browser went online.
#[unsafe(no_mangle)]
pub extern "C" fn tick(now: f64, online: bool) -> u32 {
    run(|engine, _| {
        let now = Instant::from_f64(now);
        engine.set_online(now, online);
        engine.on_timeout(now);
        0.0
    })
}

/// The page is being left, or shown again.
#[unsafe(no_mangle)]
pub extern "C" fn hidden(now: f64, hidden: bool) -> u32 {
    run(|engine, _| {
        engine.set_hidden(Instant::from_f64(now), hidden);
        0.0
    })
}
