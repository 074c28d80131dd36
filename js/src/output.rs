//! What the engine has to say, as the numbers in `OUT`.

use alloc::vec::Vec;

use steadfetch_core::engine::{Action, Attempt, CallId, Engine, Failure};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Instant;

/// The first number of an action is its kind and this many times its length, so that the facade finds the next action
/// wherever this one breaks off.
const KINDS: usize = 32;

/// Empties the engine's actions into `out`. Its first three numbers: the length, the next deadline, the started call.
pub(crate) fn write(engine: &mut Engine, started: f64, out: &mut Vec<f64>) {
    out.clear();
    let deadline = engine.poll_timeout().unwrap_or(Instant::NEVER).to_f64();
    out.extend_from_slice(&[0.0, deadline, started]);
    while let Some(action) = engine.poll_action() {
        let start = out.len();
        put(&action, out);
        let length = out.len().wrapping_sub(start);
        if let Some(first) = out.get_mut(start) {
            *first += (length * KINDS) as f64;
        }
    }
    let length = out.len() as f64;
    if let Some(first) = out.first_mut() {
        *first = length;
    }
}

/// An action's kind, its call, and as many of the three numbers as it has: one function for all, called with constants,
/// is the smallest code.
#[inline(never)]
fn line(out: &mut Vec<f64>, kind: f64, call: CallId, count: usize, a: f64, b: f64, c: f64) {
    out.extend_from_slice([kind, call.to_f64(), a, b, c].get(..count).unwrap_or_default());
}

fn put(action: &Action, out: &mut Vec<f64>) {
    let n = |number: u32| f64::from(number);
    let none = CallId { index: 0, generation: 0 };
    match action {
        Action::Prepare { call, attempt, resend } => {
            line(out, 1.0, *call, 4, n(*attempt), n(u32::from(*resend)), 0.0);
        }
        Action::Send { call, attempt, left, resend } => {
            line(out, 2.0, *call, 5, n(*attempt), left.to_f64(), n(u32::from(*resend)));
        }
        Action::Abort { call, attempt } => line(out, 3.0, *call, 3, n(*attempt), 0.0, 0.0),
        Action::Discard { call, attempt } => line(out, 4.0, *call, 3, n(*attempt), 0.0, 0.0),
        Action::Ask { call, attempt, question, value, failure } => {
            line(out, 5.0, *call, 5, n(*attempt), n(*question as u32), *value as f64);
            if let Some(failure) = failure {
                put_failure(failure, out);
            }
        }
        Action::Retry { call, attempt, wait, code } => {
            line(out, 6.0, *call, 5, n(*attempt), wait.to_f64(), n(*code as u32));
        }
        Action::AttemptEnd { call, attempt } => {
            line(out, 7.0, *call, 2, 0.0, 0.0, 0.0);
            put_attempt(attempt, out);
        }
        Action::Respond { call, attempts, elapsed, stopped } => {
            line(out, 8.0, *call, 5, n(*attempts), elapsed.to_f64(), stopped_number(*stopped));
        }
        Action::Collect { call } => line(out, 9.0, *call, 2, 0.0, 0.0, 0.0),
        Action::BeforeError { call, failure } => {
            line(out, 10.0, *call, 2, 0.0, 0.0, 0.0);
            put_failure(failure, out);
        }
        Action::Probe { call } => line(out, 11.0, *call, 2, 0.0, 0.0, 0.0),
        Action::WatchOnline(watch) => line(out, 12.0, none, 3, n(u32::from(*watch)), 0.0, 0.0),
        Action::Queued { call, attempt } => line(out, 13.0, *call, 3, n(*attempt), 0.0, 0.0),
        Action::Circuit { call, state } => line(out, 14.0, *call, 3, n(*state as u32), 0.0, 0.0),
        // The lean engine never says it.
        Action::Auth { auth, verb, ticket } if cfg!(feature = "full") => {
            out.extend_from_slice(&[15.0, n(*auth), f64::from(*verb as u8), *ticket as f64]);
        }
        Action::Auth { .. } => {}
        Action::Abandon { call, failure } => {
            line(out, 16.0, *call, 2, 0.0, 0.0, 0.0);
            put_failure(failure, out);
        }
        Action::End { call, result: Ok(()) } => line(out, 17.0, *call, 2, 0.0, 0.0, 0.0),
        Action::End { call, result: Err(failure) } => {
            line(out, 18.0, *call, 2, 0.0, 0.0, 0.0);
            put_failure(failure, out);
        }
    }
}

fn stopped_number(stopped: Option<RetryStopped>) -> f64 {
    stopped.map_or(0.0, |stopped| f64::from(stopped as u8))
}

#[inline(never)]
fn put_failure(failure: &Failure, out: &mut Vec<f64>) {
    out.extend_from_slice(&[
        f64::from(failure.code as u8),
        failure.phase.map_or(0.0, |phase| f64::from(phase as u8)),
        f64::from(failure.outcome as u8),
        stopped_number(failure.stopped),
        failure.status.map_or(f64::NAN, f64::from),
        failure.retry_after.map_or(f64::NAN, |wait| wait.to_f64()),
        failure.limit.map_or(f64::NAN, |limit| limit as f64),
        failure.bytes as f64,
        failure.elapsed.to_f64(),
        f64::from(u8::from(failure.session_lost)),
        failure.attempts.len() as f64,
    ]);
    for attempt in &failure.attempts {
        put_attempt(attempt, out);
    }
}

fn put_attempt(attempt: &Attempt, out: &mut Vec<f64>) {
    out.extend_from_slice(&[
        f64::from(attempt.number),
        f64::from(u8::from(attempt.resend)),
        f64::from(attempt.outcome as u8),
        attempt.code.map_or(0.0, |code| f64::from(code as u8)),
        attempt.status.map_or(f64::NAN, f64::from),
        f64::from(attempt.phase as u8),
        attempt.start.to_f64(),
        attempt.elapsed.to_f64(),
    ]);
}
