//! What the engine has to say, as the numbers in `OUT`: written at once, in the order of docs/engine.md.

use alloc::vec::Vec;
use core::mem::ManuallyDrop;

use steadfetch_core::engine::{Action, Attempt, CallId, Failing, Question, Sink};
use steadfetch_core::stop::RetryStopped;
use steadfetch_core::time::Instant;

/// The first number of an action is its kind and this many times its length, so that the facade finds the next action
/// wherever this one breaks off.
const KINDS: usize = 32;
/// How many numbers describe an attempt, and a failure without its attempts.
const ATTEMPT: usize = 8;
const FAILURE: usize = 11;

/// `OUT`. Its first three numbers: the length, the next deadline, the started call.
pub(crate) struct Output(Vec<f64>);

impl Output {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Empties it, but for room for the first three.
    pub(crate) fn begin(&mut self) {
        self.0.clear();
        self.add(&[0.0; 3]);
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

    /// An action's kind, its call, and as many of the three numbers as it has.
    #[inline(always)]
    fn line(&mut self, kind: usize, call: CallId, count: usize, a: f64, b: f64, c: f64) {
        self.begin_line(kind + KINDS * count, call, count, a, b, c);
    }

    /// One function for all, called with constants, is the smallest code.
    #[inline(never)]
    fn begin_line(&mut self, head: usize, call: CallId, count: usize, a: f64, b: f64, c: f64) {
        self.add([head as f64, call.to_f64(), a, b, c].get(..count).unwrap_or_default());
    }

    /// An action about a failure, with as many of its own numbers.
    #[inline(never)]
    fn failure(&mut self, kind: usize, call: CallId, count: usize, own: [f64; 3], failure: &Failing<'_>) {
        let length = count + FAILURE + ATTEMPT * failure.attempts.len();
        let [a, b, c] = own;
        self.begin_line(kind + KINDS * length, call, count, a, b, c);
        self.add(&[
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
        ]);
        for attempt in failure.attempts {
            self.attempt(attempt);
        }
    }

    #[inline(never)]
    fn attempt(&mut self, attempt: &Attempt) {
        self.add(&[
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
                self.line(1, call, 4, n(attempt), n(u32::from(resend)), 0.0);
            }
            Action::Send { call, attempt, left, resend } => {
                self.line(2, call, 5, n(attempt), left.to_f64(), n(u32::from(resend)));
            }
            Action::Abort { call, attempt } => self.line(3, call, 3, n(attempt), 0.0, 0.0),
            Action::Discard { call, attempt } => self.line(4, call, 3, n(attempt), 0.0, 0.0),
            Action::Ask { call, attempt, question, value, .. } => {
                self.line(5, call, 5, n(attempt), n(question as u32), value as f64);
            }
            Action::Retry { call, attempt, wait, code } => {
                self.line(6, call, 5, n(attempt), wait.to_f64(), n(code as u32));
            }
            Action::AttemptEnd { call, ref attempt } => {
                self.begin_line(7 + KINDS * (2 + ATTEMPT), call, 2, 0.0, 0.0, 0.0);
                self.attempt(attempt);
            }
            Action::Respond { call, attempts, elapsed, stopped } => {
                self.line(8, call, 5, n(attempts), elapsed.to_f64(), stopped_number(stopped));
            }
            Action::Collect { call } => self.line(9, call, 2, 0.0, 0.0, 0.0),
            Action::Probe { call } => self.line(11, call, 2, 0.0, 0.0, 0.0),
            Action::WatchOnline(watch) => self.line(12, none, 3, n(u32::from(watch)), 0.0, 0.0),
            Action::Queued { call, attempt } => self.line(13, call, 3, n(attempt), 0.0, 0.0),
            Action::Circuit { call, state } => self.line(14, call, 3, n(state as u32), 0.0, 0.0),
            // The lean engine never says it.
            Action::Auth { auth, verb, ticket } if cfg!(feature = "full") => {
                self.add(&[(15 + KINDS * 4) as f64, n(auth), f64::from(verb as u8), ticket as f64]);
            }
            Action::End { call, result: Ok(()) } => self.line(17, call, 2, 0.0, 0.0, 0.0),
            // The engine says what has failed by the functions below.
            Action::Auth { .. } | Action::BeforeError { .. } | Action::Abandon { .. } | Action::End { .. } => {}
        }
    }

    fn ask_should_retry(&mut self, call: CallId, attempt: u32, retry: u64, failure: &Failing<'_>) {
        let question = f64::from(Question::ShouldRetry as u8);
        self.failure(5, call, 5, [f64::from(attempt), question, retry as f64], failure);
    }

    fn before_error(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(10, call, 2, [0.0; 3], failure);
    }

    fn abandon(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(16, call, 2, [0.0; 3], failure);
    }

    fn fail(&mut self, call: CallId, failure: &Failing<'_>) {
        self.failure(18, call, 2, [0.0; 3], failure);
    }
}

fn stopped_number(stopped: Option<RetryStopped>) -> f64 {
    stopped.map_or(0.0, |stopped| f64::from(stopped as u8))
}
