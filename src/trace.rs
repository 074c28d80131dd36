//! Events for the subscribers of `tracing`.

use std::time::Duration;

use tracing::Level;

use crate::error::ErrorKind;
use crate::event::{Event, EventKind};
use crate::words::{CircuitState, Phase};

/// Emits an [`Event`] by the `tracing` crate: an observer for [`on_event`](crate::ClientBuilder::on_event).
///
/// The target is `steadfetch`. The level is `WARN` for a call that failed, a retry, a refresh that failed and a circuit that
/// opened, and `DEBUG` for all else, also for a call that was aborted. The fields are those of the event: `call_id`,
/// `dependency`, `operation`, `phase`, `attempt`, `elapsed_ms`, and, by the names of OpenTelemetry, `http.request.method`,
/// `url.full`, `http.response.status_code` and `error.type`. As in every event, the URL is origin and path, or the result of
/// [`redact_url`](crate::ClientBuilder::redact_url): no field holds a query, a header or a body.
///
/// ```
/// use steadfetch::{Client, trace_event};
///
/// let api = Client::builder().name("shop").on_event(trace_event).build()?;
/// # let _ = api;
/// # Ok::<(), steadfetch::Error>(())
/// ```
pub fn trace_event(event: &Event) {
    macro_rules! emit {
        ($level:expr, $message:literal, $($fields:tt)*) => {
            tracing::event!(
                target: "steadfetch",
                $level,
                call_id = event.call_id,
                dependency = &*event.dependency,
                operation = &*event.operation,
                phase = event.phase.map(Phase::name),
                attempt = event.attempt,
                elapsed_ms = ms(event.elapsed),
                $($fields)*
                $message
            )
        };
    }
    match &event.kind {
        EventKind::CallStart { method, url } => {
            emit!(Level::DEBUG, "call started", http.request.method = &**method, url.full = &**url,);
        }
        EventKind::Queued => emit!(Level::DEBUG, "attempt queued",),
        EventKind::AttemptStart => emit!(Level::DEBUG, "attempt started",),
        EventKind::AttemptEnd { attempt, headers_after } => emit!(
            Level::DEBUG,
            "attempt ended",
            outcome = attempt.outcome().name(),
            error.type = attempt.kind().map(ErrorKind::code),
            http.response.status_code = attempt.status(),
            headers_ms = headers_after.map(ms),
            resend = attempt.resend(),
        ),
        EventKind::Retry { retry_count, wait, error } => emit!(
            Level::WARN,
            "retry decided",
            retry_count = retry_count,
            wait_ms = ms(*wait),
            error.type = error.code(),
        ),
        EventKind::Refresh { ok: true, elapsed } => emit!(Level::DEBUG, "token refreshed", refresh_ms = ms(*elapsed),),
        EventKind::Refresh { ok: false, elapsed } => {
            emit!(Level::WARN, "token not refreshed", refresh_ms = ms(*elapsed),);
        }
        EventKind::CircuitChange { circuit, state: CircuitState::Open } => {
            emit!(Level::WARN, "circuit opened", circuit = &**circuit,);
        }
        EventKind::CircuitChange { circuit, state } => {
            emit!(Level::DEBUG, "circuit changed", circuit = &**circuit, state = state.name(),);
        }
        EventKind::CallEnd { error: None, status, attempts } => {
            emit!(Level::DEBUG, "call succeeded", http.response.status_code = status, attempts = attempts,);
        }
        EventKind::CallEnd { error: Some(error), status, attempts } => {
            macro_rules! failed {
                ($level:expr) => {
                    emit!(
                        $level,
                        "call failed",
                        error.type = error.code(),
                        error.message = %error,
                        outcome = error.outcome().name(),
                        retry_stopped = error.retry_stopped().map(|stopped| stopped.name()),
                        http.response.status_code = status,
                        attempts = attempts,
                    )
                };
            }
            if error.is_aborted() { failed!(Level::DEBUG) } else { failed!(Level::WARN) }
        }
    }
}

fn ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
