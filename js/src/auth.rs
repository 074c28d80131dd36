//! What an `auth` object says and is told. Its calls carry its number.

use steadfetch_core::border::AuthEventKind;
use steadfetch_core::refresh::{AuthEvent, RefreshOptions, Token};
use steadfetch_core::time::{Instant, Millis};

use crate::module::{module, run};

/// Calls may have this number from now on. `timeout` and `before` are NaN for the default. One that is known already
/// stays as it is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn auth(id: u32, get_token: bool, lock: bool, timeout: f64, before: f64) {
    let mut options = RefreshOptions { get_token, lock, ..RefreshOptions::default() };
    if !timeout.is_nan() {
        options.timeout = Millis::from_f64(timeout);
    }
    if !before.is_nan() {
        options.before = Millis::from_f64(before);
    }
    module().engine.set_auth(id, options);
}

/// The object is gone.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn drop_auth(id: u32) {
    module().engine.drop_auth(id);
}

/// Something happened to an object, by its number; `ticket` is that of the action that it answers.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn auth_event(
    now: f64,
    auth: u32,
    ticket: f64,
    kind: u32,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
) -> u32 {
    let event = match AuthEventKind::from_number(kind) {
        Some(AuthEventKind::Token) => AuthEvent::Token(Token {
            present: a > 0.0,
            repeated: b > 0.0,
            current: c > 0.0,
            expires: Instant::from_f64(d),
        }),
        Some(AuthEventKind::Refreshed) => AuthEvent::Refreshed { expires: Instant::from_f64(a) },
        Some(AuthEventKind::Renewed) => AuthEvent::Renewed,
        Some(AuthEventKind::Locked) => AuthEvent::Locked,
        Some(AuthEventKind::NoLock) => AuthEvent::NoLock,
        Some(AuthEventKind::Lost) => AuthEvent::Lost,
        Some(AuthEventKind::Failed) | None => AuthEvent::Failed { lost: a > 0.0, status: b as u16 },
    };
    run(|engine, _| {
        engine.on_auth(Instant::from_f64(now), auth, ticket as u64, event);
        0.0
    })
}
