//! What the engine has to say, as the numbers in `OUT`.

use alloc::vec::Vec;

use steadfetch_core::engine::{Action, Attempt, CallId, Engine, Failure};
use steadfetch_core::time::Instant;

/// Empties the engine's actions into `out`. Its first three numbers: the length, the next deadline, the started call.
pub(crate) fn write(engine: &mut Engine, started: f64, out: &mut Vec<f64>) {
    out.clear();
    let deadline = engine.poll_timeout().unwrap_or(Instant::NEVER).to_f64();
    out.extend_from_slice(&[0.0, deadline, started]);
    while let Some(action) = engine.poll_action() {
        put(&action, out);
    }
    let length = out.len() as f64;
    if let Some(first) = out.first_mut() {
        *first = length;
    }
}

fn put(action: &Action, out: &mut Vec<f64>) {
    // One shape for all, so that the code that writes it is there once.
    let none = CallId { index: 0, generation: 0 };
    let n = |number: u32| f64::from(number);
    let (kind, call, count, numbers, failure) = match action {
        Action::Prepare { call, attempt } => (1, call, 1, [n(*attempt), 0.0, 0.0], None),
        Action::Send { call, attempt } => (2, call, 1, [n(*attempt), 0.0, 0.0], None),
        Action::Abort { call, attempt } => (3, call, 1, [n(*attempt), 0.0, 0.0], None),
        Action::Discard { call, attempt } => (4, call, 1, [n(*attempt), 0.0, 0.0], None),
        Action::Ask { call, attempt, question, value, failure } => {
            (5, call, 3, [n(*attempt), n(*question as u32), *value as f64], failure.as_deref())
        }
        Action::Retry { call, attempt, wait, code } => {
            (6, call, 3, [n(*attempt), wait.to_f64(), n(*code as u32)], None)
        }
        Action::AttemptEnd { call, .. } => (7, call, 0, [0.0; 3], None),
        Action::Respond { call, attempts, elapsed } => (8, call, 2, [n(*attempts), elapsed.to_f64(), 0.0], None),
        Action::Collect { call } => (9, call, 0, [0.0; 3], None),
        Action::BeforeError { call, failure } => (10, call, 0, [0.0; 3], Some(&**failure)),
        Action::Probe { call } => (11, call, 0, [0.0; 3], None),
        Action::WatchOnline(watch) => (12, &none, 1, [n(u32::from(*watch)), 0.0, 0.0], None),
        Action::End { call, result } => {
            let failure = result.as_ref().err();
            (if failure.is_some() { 14 } else { 13 }, call, 0, [0.0; 3], failure.map(|failure| &**failure))
        }
    };
    out.extend_from_slice(&[n(kind), call.to_f64()]);
    out.extend_from_slice(numbers.get(..count).unwrap_or_default());
    if let Some(failure) = failure {
        put_failure(failure, out);
    }
    if let Action::AttemptEnd { attempt, .. } = action {
        put_attempt(attempt, out);
    }
}

fn put_failure(failure: &Failure, out: &mut Vec<f64>) {
    out.extend_from_slice(&[
        f64::from(failure.code as u8),
        failure.phase.map_or(0.0, |phase| f64::from(phase as u8)),
        f64::from(failure.outcome as u8),
        failure.stopped.map_or(0.0, |stopped| f64::from(stopped as u8)),
        failure.status.map_or(f64::NAN, f64::from),
        failure.retry_after.map_or(f64::NAN, |wait| wait.to_f64()),
        failure.limit.map_or(f64::NAN, |limit| limit as f64),
        failure.bytes as f64,
        failure.elapsed.to_f64(),
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
