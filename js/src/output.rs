//! What the engine has to say, as the numbers in `OUT`: written at once, in the order of docs/engine.md.

use alloc::vec::Vec;
use core::mem::ManuallyDrop;

use steadfetch_core::border::{ACTION, ATTEMPT, ActionKind, FAILURE, KINDS, OUT};
use steadfetch_core::engine::{Action, Attempt, CallId, Failing, Question, Sink};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Instant;

/// `OUT`. Its first three numbers: the length, the next deadline, the started call.
pub(crate) struct Output(Vec<f64>);

impl Output {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Empties it, but for room for the first three.
    pub(crate) fn begin(&mut self) {
        self.0.clear();
        self.add(&[0.0; OUT.len()]);
    }

    /// Fills in the first three. Returns the address.
    pub(crate) fn end(&mut self, deadline: Option<Instant>, started: f64) -> u32 {
        let length = self.0.len() as f64;
        if let Some(first) = self.0.first_chunk_mut() {
            *first = [length, deadline.unwrap_or(Instant::NEVER).to_f64(), started];
        }
        self.address()
    }

    #[cfg(feature = "full")]
    pub(crate) fn replace(&mut self, numbers: &[f64]) -> u32 {
        self.0.clear();
        self.add(numbers);
        self.address()
    }

    fn address(&self) -> u32 {
        self.0.as_ptr() as u32
    }

    #[inline(never)]
    fn add(&mut self, numbers: &[f64]) {
        self.0.extend_from_slice(numbers);
    }

    /// An action's kind, its call, and as many of the three numbers as it has fields.
    #[inline(always)]
    fn line(&mut self, kind: ActionKind, call: CallId, a: f64, b: f64, c: f64) {
        let count = own(kind);
        self.begin_line(kind as usize + KINDS * count, call, count, a, b, c);
    }

    /// One function for all, called with constants, is the smallest code.
    #[inline(never)]
    fn begin_line(&mut self, head: usize, call: CallId, count: usize, a: f64, b: f64, c: f64) {
        self.add([head as f64, call.to_f64(), a, b, c].get(..count).unwrap_or_default());
    }

    /// An action about a failure, with as many of its own numbers.
    #[inline(never)]
    fn failure(&mut self, kind: usize, call: CallId, count: usize, own: [f64; 3], failure: &Failing<'_>) {
        let length = count + FAILURE.len() + ATTEMPT.len() * failure.attempts.len();
        let [a, b, c] = own;
        self.begin_line(kind + KINDS * length, call, count, a, b, c);
        let numbers: [f64; FAILURE.len()] = [
            f64::from(failure.code as u8),
            failure.phase.map_or(0.0, |phase| f64::from(phase as u8)),
            f64::from(failure.outcome() as u8),
            stopped_number(failure.stopped),
            failure.status.map_or(f64::NAN, f64::from),
            failure.retry_after.map_or(f64::NAN, |wait| wait.to_f64()),
            failure.limit.map_or(f64::NAN, |limit| limit as f64),
            failure.bytes as f64,
            failure.elapsed.to_f64(),
            f64::from(u8::from(failure.session_lost)),
            failure.attempts.len() as f64,
        ];
        self.add(&numbers);
        for attempt in failure.attempts {
            self.attempt(attempt);
        }
    }

    #[inline(never)]
    fn attempt(&mut self, attempt: &Attempt) {
        let numbers: [f64; ATTEMPT.len()] = [
            f64::from(attempt.number),
            f64::from(u8::from(attempt.resend)),
            f64::from(attempt.outcome as u8),
            attempt.code.map_or(0.0, |code| f64::from(code as u8)),
            attempt.status.map_or(f64::NAN, f64::from),
            f64::from(attempt.phase as u8),
            attempt.start.to_f64(),
            attempt.elapsed.to_f64(),
        ];
        self.add(&numbers);
    }
}

impl Sink for Output {
    // Where the engine acts it is known what it does: of this match one arm is left there.
    #[inline(always)]
    fn act(&mut self, action: Action) {
        let n = |number: u32| f64::from(number);
        let none = CallId { index: 0, generation: 0 };
        // Nothing in it has to be dropped: the failures in boxes are said by the functions below.
        match *ManuallyDrop::new(action) {
            Action::Prepare { call, attempt, resend } => {
                self.line(ActionKind::Prepare, call, n(attempt), n(u32::from(resend)), 0.0);
            }
            Action::Send { call, attempt, left, resend } => {
                self.line(ActionKind::Send, call, n(attempt), left.to_f64(), n(u32::from(resend)));
            }
            Action::Abort { call, attempt } => self.line(ActionKind::Abort, call, n(attempt), 0.0, 0.0),
            Action::Discard { call, attempt } => self.line(ActionKind::Discard, call, n(attempt), 0.0, 0.0),
            Action::Ask { call, attempt, question, value, .. } => {
                self.line(ActionKind::Ask, call, n(attempt), n(question as u32), value as f64);
            }
            Action::LookUp { call, attempt } => self.line(ActionKind::LookUp, call, n(attempt), 0.0, 0.0),
            Action::Retry { call, attempt, wait, code } => {
                self.line(ActionKind::Retry, call, n(attempt), wait.to_f64(), n(code as u32));
            }
            Action::AttemptEnd { call, ref attempt } => {
                let count = own(ActionKind::AttemptEnd);
                self.begin_line(
                    ActionKind::AttemptEnd as usize + KINDS * (count + ATTEMPT.len()),
                    call,
                    count,
                    0.0,
                    0.0,
                    0.0,
                );
                self.attempt(attempt);
            }
            Action::Respond { call, attempts, elapsed, stopped } => {
                self.line(ActionKind::Respond, call, n(attempts), elapsed.to_f64(), stopped_number(stopped));
            }
            Action::Collect { call } => self.line(ActionKind::Collect, call, 0.0, 0.0, 0.0),
            Action::Probe { call } => self.line(ActionKind::Probe, call, 0.0, 0.0, 0.0),
            Action::WatchOnline(watch) => self.line(ActionKind::WatchOnline, none, n(u32::from(watch)), 0.0, 0.0),
            Action::Queued { call, attempt } => self.line(ActionKind::Queued, call, n(attempt), 0.0, 0.0),
            Action::Circuit { call, state } => self.line(ActionKind::Circuit, call, n(state as u32), 0.0, 0.0),
            // The lean engine never says it.
            Action::Auth { auth, verb, ticket } if cfg!(feature = "full") => {
                let head = ActionKind::Auth as usize + KINDS * own(ActionKind::Auth);
                self.add(&[head as f64, n(auth), f64::from(verb as u8), ticket as f64]);
            }
            Action::Share { call, attempt, left, resend, with } if cfg!(feature = "full") => {
                let head = ActionKind::Share as usize + KINDS * own(ActionKind::Share);
                let resend = n(u32::from(resend));
                self.add(&[head as f64, call.to_f64(), n(attempt), left.to_f64(), resend, with.to_f64()]);
            }
            Action::End { call, result: Ok(()) } => self.line(ActionKind::EndWell, call, 0.0, 0.0, 0.0),
            // The engine says what has failed by the functions below.
            Action::Auth { .. }
            | Action::Share { .. }
            | Action::BeforeError { .. }
            | Action::Abandon { .. }
            | Action::End { .. } => {}
        }
    }

    fn ask_should_retry(&mut self, call: CallId, attempt: u32, retry: u64, failure: &Failing<'_>) {
        let question = f64::from(Question::ShouldRetry as u8);
        self.failure(
            ActionKind::Ask as usize,
            call,
            own(ActionKind::Ask),
            [f64::from(attempt), question, retry as f64],
            failure,
        );
    }

    fn before_error(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(ActionKind::BeforeError as usize, call, own(ActionKind::BeforeError), [0.0; 3], failure);
    }

    fn abandon(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(ActionKind::Abandon as usize, call, own(ActionKind::Abandon), [0.0; 3], failure);
    }

    fn fail(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(ActionKind::EndFailed as usize, call, own(ActionKind::EndFailed), [0.0; 3], failure);
    }
}

/// How many numbers an action has before its failure or attempt.
const fn own(kind: ActionKind) -> usize {
    ACTION.len() + kind.fields().len()
}

fn stopped_number(stopped: Option<RetryStopped>) -> f64 {
    stopped.map_or(0.0, |stopped| f64::from(stopped as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steadfetch_core::border::{ActionKind, Tail};
    use steadfetch_core::error::ErrorCode;
    use steadfetch_core::outcome::Outcome;
    use steadfetch_core::phase::Phase;
    use steadfetch_core::time::Millis;

    const CALL: CallId = CallId { index: 7, generation: 0 };
    const ATTEMPTED: Attempt = Attempt {
        number: 41,
        resend: true,
        outcome: Outcome::Unknown,
        code: Some(ErrorCode::Timeout),
        status: Some(503),
        phase: Phase::Idle,
        start: Millis(42),
        elapsed: Millis(43),
    };

    /// What is written of an action, by the names of its fields, and how many numbers it has.
    fn written(kind: ActionKind, write: impl FnOnce(&mut Output)) -> Vec<(&'static str, f64)> {
        let mut out = Output::new();
        write(&mut out);
        let Output(numbers) = out;
        let fields = ACTION.iter().chain(kind.fields());
        let tail = if kind.tail() == Tail::Attempt { ATTEMPT } else { &[] };
        let fields: Vec<_> = fields.chain(tail).copied().collect();
        assert_eq!(numbers.len(), fields.len(), "{}", kind.name());
        assert_eq!(numbers.first(), Some(&((kind as usize + KINDS * fields.len()) as f64)), "{}", kind.name());
        fields.into_iter().zip(numbers).skip(1).collect()
    }

    fn acted(kind: ActionKind, action: Action) -> Vec<(&'static str, f64)> {
        written(kind, |out| out.act(action))
    }

    #[test]
    fn each_number_of_an_action_is_at_the_place_of_its_field() {
        let (call, attempt) = (CALL, 3);
        assert_eq!(
            acted(ActionKind::Prepare, Action::Prepare { call, attempt, resend: true }),
            [("id", 7.0), ("attempt", 3.0), ("resend", 1.0)]
        );
        assert_eq!(
            acted(ActionKind::Send, Action::Send { call, attempt, left: Millis(5), resend: true }),
            [("id", 7.0), ("attempt", 3.0), ("left", 5.0), ("resend", 1.0)]
        );
        assert_eq!(acted(ActionKind::Abort, Action::Abort { call, attempt }), [("id", 7.0), ("attempt", 3.0)]);
        assert_eq!(acted(ActionKind::Discard, Action::Discard { call, attempt }), [("id", 7.0), ("attempt", 3.0)]);
        assert_eq!(acted(ActionKind::LookUp, Action::LookUp { call, attempt }), [("id", 7.0), ("attempt", 3.0)]);
        let question = Question::Jitter;
        assert_eq!(
            acted(ActionKind::Ask, Action::Ask { call, attempt, question, value: 9, failure: None }),
            [("id", 7.0), ("attempt", 3.0), ("question", 3.0), ("value", 9.0)]
        );
        let code = ErrorCode::NetworkError;
        assert_eq!(
            acted(ActionKind::Retry, Action::Retry { call, attempt, wait: Millis(8), code }),
            [("id", 7.0), ("attempt", 3.0), ("wait", 8.0), ("code", f64::from(code as u8))]
        );
        assert_eq!(
            acted(ActionKind::AttemptEnd, Action::AttemptEnd { call, attempt: ATTEMPTED }),
            [
                ("id", 7.0),
                ("number", 41.0),
                ("resend", 1.0),
                ("outcome", f64::from(Outcome::Unknown as u8)),
                ("code", f64::from(ErrorCode::Timeout as u8)),
                ("status", 503.0),
                ("phase", f64::from(Phase::Idle as u8)),
                ("start", 42.0),
                ("elapsed", 43.0),
            ]
        );
        let stopped = Some(RetryStopped::Limit);
        assert_eq!(
            acted(ActionKind::Respond, Action::Respond { call, attempts: 2, elapsed: Millis(6), stopped }),
            [("id", 7.0), ("attempts", 2.0), ("elapsed", 6.0), ("stopped", f64::from(RetryStopped::Limit as u8))]
        );
        assert_eq!(acted(ActionKind::Collect, Action::Collect { call }), [("id", 7.0)]);
        assert_eq!(acted(ActionKind::Probe, Action::Probe { call }), [("id", 7.0)]);
        assert_eq!(acted(ActionKind::WatchOnline, Action::WatchOnline(true)), [("id", 0.0), ("watch", 1.0)]);
        assert_eq!(acted(ActionKind::Queued, Action::Queued { call, attempt }), [("id", 7.0), ("attempt", 3.0)]);
        assert_eq!(acted(ActionKind::EndWell, Action::End { call, result: Ok(()) }), [("id", 7.0)]);
    }

    #[test]
    fn a_failure_stands_behind_the_fields_of_its_action_and_before_its_attempts() {
        let failure = Failing {
            code: ErrorCode::Timeout,
            phase: Some(Phase::Body),
            stopped: Some(RetryStopped::Policy),
            status: Some(500),
            retry_after: Some(Millis(11)),
            limit: Some(12),
            bytes: 13,
            elapsed: Millis(14),
            session_lost: true,
            attempts: &[ATTEMPTED, ATTEMPTED],
        };
        let mut out = Output::new();
        out.ask_should_retry(CALL, 3, 1, &failure);
        let Output(numbers) = out;
        let start = own(ActionKind::Ask);
        assert_eq!(numbers.len(), start + FAILURE.len() + 2 * ATTEMPT.len());
        let place = |name: &str| start + FAILURE.iter().position(|field| *field == name).unwrap();
        let number = |name: &str| numbers[place(name)];
        assert_eq!(number("code"), f64::from(ErrorCode::Timeout as u8));
        assert_eq!(number("phase"), f64::from(Phase::Body as u8));
        assert_eq!(number("outcome"), f64::from(failure.outcome() as u8));
        assert_eq!(number("stopped"), f64::from(RetryStopped::Policy as u8));
        let rest = ["status", "retryAfter", "limit", "bytes", "elapsed", "sessionLost", "attempts"].map(number);
        assert_eq!(rest, [500.0, 11.0, 12.0, 13.0, 14.0, 1.0, 2.0]);
        assert_eq!(numbers[start + FAILURE.len()], 41.0);
    }
}
