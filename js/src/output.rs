//! What the engine has to say, as the numbers in `OUT`.

use alloc::vec::Vec;

use steadfetch_core::engine::{Action, Attempt, Engine, Failure};
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
    match action {
        Action::Prepare { call, attempt } => out.extend_from_slice(&[1.0, call.to_f64(), f64::from(*attempt)]),
        Action::Send { call, attempt } => out.extend_from_slice(&[2.0, call.to_f64(), f64::from(*attempt)]),
        Action::Abort { call, attempt } => out.extend_from_slice(&[3.0, call.to_f64(), f64::from(*attempt)]),
        Action::Discard { call, attempt } => out.extend_from_slice(&[4.0, call.to_f64(), f64::from(*attempt)]),
        Action::Ask { call, attempt, question, value, failure } => {
            let (attempt, question) = (f64::from(*attempt), f64::from(*question as u8));
            out.extend_from_slice(&[5.0, call.to_f64(), attempt, question, *value as f64]);
            if let Some(failure) = failure {
                put_failure(failure, out);
            }
        }
        Action::Retry { call, attempt, wait, code } => {
            out.extend_from_slice(&[6.0, call.to_f64(), f64::from(*attempt), wait.to_f64(), f64::from(*code as u8)]);
        }
        Action::AttemptEnd { call, attempt } => {
            out.extend_from_slice(&[7.0, call.to_f64()]);
            put_attempt(attempt, out);
        }
        Action::Respond { call, attempts, elapsed } => {
            out.extend_from_slice(&[8.0, call.to_f64(), f64::from(*attempts), elapsed.to_f64()]);
        }
        Action::Collect { call } => out.extend_from_slice(&[9.0, call.to_f64()]),
        Action::BeforeError { call, failure } => {
            out.extend_from_slice(&[10.0, call.to_f64()]);
            put_failure(failure, out);
        }
        Action::Probe { call } => out.extend_from_slice(&[11.0, call.to_f64()]),
        Action::WatchOnline(watch) => out.extend_from_slice(&[12.0, 0.0, f64::from(u8::from(*watch))]),
        Action::End { call, result: Ok(()) } => out.extend_from_slice(&[13.0, call.to_f64()]),
        Action::End { call, result: Err(failure) } => {
            out.extend_from_slice(&[14.0, call.to_f64()]);
            put_failure(failure, out);
        }
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
