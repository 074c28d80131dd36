//! The circuit breaker: after enough failures in a row calls fail at once, until a probe shows that the server is back.
//!
//! A call counts once, by its final result, however many attempts it took; what says nothing about the server's health
//! (a cancel, a 404, a mistake of the caller) counts neither way.

use crate::time::{Instant, Millis};

/// `circuitBreaker`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BreakerOptions {
    /// Failed calls in a row that open the circuit.
    pub failure_threshold: u32,
    /// How long an open circuit refuses before it lets a probe through.
    pub reset_timeout: Millis,
    /// Probes in a row that must succeed to close it.
    pub half_open_successes: u32,
    /// In place of the threshold: the share of failed calls within `window` that opens it.
    pub failure_rate: Option<f64>,
    /// For `failure_rate`: how far it looks back.
    pub window: Millis,
    /// For `failure_rate`: fewer calls than these say nothing.
    pub minimum_calls: u32,
}

impl Default for BreakerOptions {
    fn default() -> Self {
        Self {
            failure_threshold: 5,
            reset_timeout: Millis(30_000),
            half_open_successes: 2,
            failure_rate: None,
            window: Millis(30_000),
            minimum_calls: 20,
        }
    }
}

/// What a finished call says about the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It answered as it should.
    Success,
    /// It did not.
    Failure,
    /// Nothing either way.
    Neutral,
}

/// What a circuit is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CircuitState {
    /// Calls pass.
    Closed = 1,
    /// Calls are refused.
    Open,
    /// One probe at a time passes.
    HalfOpen,
}

crate::words::display!(CircuitState);

impl CircuitState {
    /// Every state, in the order of their numbers.
    pub const ALL: &[Self] = &[Self::Closed, Self::Open, Self::HalfOpen];

    /// The word used in events and by `api.circuits()`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half-open",
        }
    }
}

/// Leave to send, to be handed back with the verdict. The default is that of a circuit nothing has happened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Permit {
    /// The state change it came after: a verdict from before the latest one says nothing about now.
    epoch: u32,
    /// It is the probe of a half-open circuit: no retries.
    pub probe: bool,
}

/// The window of the failure rate is counted in this many pieces.
const PIECES: usize = 10;

/// The circuit of one key.
#[derive(Clone, Debug)]
pub struct Circuit {
    state: CircuitState,
    epoch: u32,
    /// Failures in a row while closed, successes in a row while half-open.
    run: u32,
    opened: Instant,
    probing: bool,
    /// Calls and failures in each piece of the window.
    pieces: [(u32, u32); PIECES],
    /// The number of the newest piece since time began.
    newest: u64,
}

impl Default for Circuit {
    fn default() -> Self {
        Self {
            state: CircuitState::Closed,
            epoch: 0,
            run: 0,
            opened: Instant(0),
            probing: false,
            pieces: [(0, 0); PIECES],
            newest: 0,
        }
    }
}

impl Circuit {
    /// What it is doing. An open circuit whose time is over shows as half-open only when somebody asks to pass.
    #[must_use]
    pub fn state(&self) -> CircuitState {
        self.state
    }

    /// Closed, and without a failure to remember: it may be forgotten.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.state == CircuitState::Closed && self.run == 0 && self.pieces == [(0, 0); PIECES]
    }

    /// Failures in a row while it is closed.
    #[must_use]
    pub fn failures(&self) -> u32 {
        if self.state == CircuitState::Closed { self.run } else { 0 }
    }

    /// As good as none. One that has been open is not: verdicts from before must still be told from later ones.
    pub(crate) fn is_new(&self) -> bool {
        self.epoch == 0 && self.is_idle()
    }

    /// What is forgotten first has the least: idle ones, then closed ones, then those that opened longest ago.
    pub(crate) fn rank(&self) -> u64 {
        match self.state {
            CircuitState::Closed => u64::from(!self.is_idle()),
            _ => self.opened.0.saturating_add(2),
        }
    }

    /// Whether an attempt would be refused now, and for how long. Changes nothing.
    #[must_use]
    pub fn refusal(&self, now: Instant, options: &BreakerOptions) -> Option<Millis> {
        match self.state {
            CircuitState::Open => {
                let until = self.opened + options.reset_timeout;
                (now < until).then(|| until.since(now))
            }
            // Nobody knows when the probe will be back; the soonest that asking makes sense is at once.
            CircuitState::HalfOpen => self.probing.then_some(Millis::ZERO),
            CircuitState::Closed => None,
        }
    }

    /// May this attempt go out? If not: after how long to ask again.
    ///
    /// # Errors
    /// The circuit is open, or half-open with its probe out.
    pub fn ask(&mut self, now: Instant, options: &BreakerOptions) -> Result<Permit, Millis> {
        if let Some(wait) = self.refusal(now, options) {
            return Err(wait);
        }
        if self.state == CircuitState::Open {
            self.change(CircuitState::HalfOpen);
        }
        let probe = self.state == CircuitState::HalfOpen;
        self.probing = probe;
        Ok(Permit { epoch: self.epoch, probe })
    }

    /// A call that had a permit is over. Says whether this opened the circuit.
    pub fn report(&mut self, now: Instant, permit: Permit, verdict: Verdict, options: &BreakerOptions) -> bool {
        if permit.epoch != self.epoch {
            return false;
        }
        if permit.probe {
            self.probing = false;
        }
        match (self.state, verdict) {
            (_, Verdict::Neutral) | (CircuitState::Open, _) => false,
            (CircuitState::HalfOpen, Verdict::Success) => {
                self.run = self.run.saturating_add(1);
                if self.run >= options.half_open_successes {
                    self.change(CircuitState::Closed);
                }
                false
            }
            (CircuitState::HalfOpen, Verdict::Failure) => self.open(now),
            (CircuitState::Closed, verdict) => {
                let failed = verdict == Verdict::Failure;
                let over = match options.failure_rate {
                    Some(rate) => self.count(now, failed, rate, options),
                    None => {
                        self.run = if failed { self.run.saturating_add(1) } else { 0 };
                        self.run >= options.failure_threshold
                    }
                };
                failed && over && self.open(now)
            }
        }
    }

    fn open(&mut self, now: Instant) -> bool {
        self.change(CircuitState::Open);
        self.opened = now;
        true
    }

    fn change(&mut self, state: CircuitState) {
        self.state = state;
        self.epoch = self.epoch.wrapping_add(1);
        self.run = 0;
        self.probing = false;
        self.pieces = [(0, 0); PIECES];
    }

    /// Counts a call in the window; says whether the share of failures is reached.
    fn count(&mut self, now: Instant, failed: bool, rate: f64, options: &BreakerOptions) -> bool {
        let length = options.window.0.div_ceil(PIECES as u64).max(1);
        let newest = now.0.checked_div(length).unwrap_or(0);
        // Pieces that fell out of the window since the last call start again from nothing.
        for piece in self.newest.saturating_add(1)..=newest.min(self.newest.saturating_add(PIECES as u64)) {
            if let Some(slot) = self.piece(piece) {
                *slot = (0, 0);
            }
        }
        self.newest = newest.max(self.newest);
        if let Some(slot) = self.piece(self.newest) {
            slot.0 = slot.0.saturating_add(1);
            slot.1 = slot.1.saturating_add(u32::from(failed));
        }
        let (calls, failures) = self
            .pieces
            .iter()
            .fold((0_u32, 0_u32), |sum, piece| (sum.0.saturating_add(piece.0), sum.1.saturating_add(piece.1)));
        calls >= options.minimum_calls && f64::from(failures) >= f64::from(calls) * rate
    }

    fn piece(&mut self, number: u64) -> Option<&mut (u32, u32)> {
        let place = number.checked_rem(PIECES as u64)?;
        self.pieces.get_mut(place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn options(threshold: u32) -> BreakerOptions {
        BreakerOptions { failure_threshold: threshold, reset_timeout: Millis(300), ..BreakerOptions::default() }
    }

    fn call(circuit: &mut Circuit, now: u64, verdict: Verdict, options: &BreakerOptions) {
        let permit = circuit.ask(Instant(now), options).expect("refused");
        circuit.report(Instant(now), permit, verdict, options);
    }

    fn opened(options: &BreakerOptions) -> Circuit {
        let mut circuit = Circuit::default();
        for _ in 0..options.failure_threshold {
            call(&mut circuit, 0, Verdict::Failure, options);
        }
        assert_eq!(circuit.state(), CircuitState::Open);
        circuit
    }

    #[test]
    fn failures_in_a_row_open_it_and_a_success_starts_the_count_again() {
        let options = options(3);
        let mut circuit = Circuit::default();
        for verdict in [Verdict::Failure, Verdict::Failure, Verdict::Success, Verdict::Failure, Verdict::Failure] {
            call(&mut circuit, 0, verdict, &options);
        }
        assert_eq!(circuit.state(), CircuitState::Closed);
        call(&mut circuit, 0, Verdict::Failure, &options);
        assert_eq!(circuit.state(), CircuitState::Open);
    }

    #[test]
    fn j01_what_says_nothing_about_the_server_counts_neither_way() {
        let options = options(3);
        let mut circuit = Circuit::default();
        for _ in 0..10 {
            call(&mut circuit, 0, Verdict::Neutral, &options);
        }
        assert!(circuit.is_idle());
        for verdict in [Verdict::Failure, Verdict::Failure, Verdict::Neutral, Verdict::Failure] {
            call(&mut circuit, 0, verdict, &options);
        }
        assert_eq!(circuit.state(), CircuitState::Open, "a neutral call does not break the row either");
    }

    #[test]
    fn an_open_circuit_says_how_long_it_stays_so() {
        let options = options(2);
        let mut circuit = opened(&options);
        assert_eq!(circuit.ask(Instant(100), &options), Err(Millis(200)));
        assert!(circuit.ask(Instant(300), &options).expect("the time is over").probe);
    }

    #[test]
    fn half_open_lets_exactly_one_through() {
        let options = options(2);
        let mut circuit = opened(&options);
        let passed: Vec<bool> = (0..50).map(|_| circuit.ask(Instant(300), &options).is_ok()).collect();
        assert_eq!(passed.iter().filter(|passed| **passed).count(), 1);
    }

    #[test]
    fn probes_that_succeed_close_it_and_one_that_fails_opens_it_again() {
        let options = options(2);
        let mut circuit = opened(&options);
        call(&mut circuit, 300, Verdict::Success, &options);
        assert_eq!(circuit.state(), CircuitState::HalfOpen);
        call(&mut circuit, 301, Verdict::Failure, &options);
        assert_eq!(circuit.ask(Instant(302), &options), Err(Millis(299)), "a new cool-down");
        call(&mut circuit, 601, Verdict::Success, &options);
        call(&mut circuit, 602, Verdict::Success, &options);
        assert_eq!(circuit.state(), CircuitState::Closed);
        assert!(circuit.is_idle());
    }

    #[test]
    fn j04_a_probe_that_is_cancelled_gives_its_place_back() {
        let options = options(2);
        let mut circuit = opened(&options);
        for _ in 0..10 {
            call(&mut circuit, 300, Verdict::Neutral, &options);
            assert_eq!(circuit.state(), CircuitState::HalfOpen);
        }
        call(&mut circuit, 300, Verdict::Success, &options);
    }

    #[test]
    fn results_from_before_a_change_of_state_change_nothing() {
        let options = options(1);
        let mut circuit = Circuit::default();
        let old = circuit.ask(Instant(0), &options).expect("closed");
        let older = circuit.ask(Instant(0), &options).expect("closed");
        circuit.report(Instant(0), old, Verdict::Failure, &options);
        let probe = circuit.ask(Instant(300), &options).expect("half-open");
        assert!(!circuit.report(Instant(300), older, Verdict::Failure, &options));
        circuit.report(Instant(300), older, Verdict::Success, &options);
        assert_eq!(circuit.state(), CircuitState::HalfOpen);
        assert!(circuit.ask(Instant(300), &options).is_err(), "the probe is still out");
        circuit.report(Instant(300), probe, Verdict::Success, &options);
    }

    #[test]
    fn a_failure_rate_needs_enough_calls_within_the_window() {
        let options = BreakerOptions {
            failure_rate: Some(0.5),
            minimum_calls: 4,
            window: Millis(1_000),
            ..BreakerOptions::default()
        };
        let mut circuit = Circuit::default();
        for verdict in [Verdict::Failure, Verdict::Failure, Verdict::Failure] {
            call(&mut circuit, 0, verdict, &options);
        }
        assert_eq!(circuit.state(), CircuitState::Closed, "too few calls");
        // Those have left the window.
        for verdict in [Verdict::Success, Verdict::Success, Verdict::Success, Verdict::Failure, Verdict::Failure] {
            call(&mut circuit, 1_500, verdict, &options);
        }
        assert_eq!(circuit.state(), CircuitState::Closed);
        call(&mut circuit, 1_600, Verdict::Failure, &options);
        assert_eq!(circuit.state(), CircuitState::Open);
    }

    proptest::proptest! {
        /// Against a plain model of the rules, over random calls that overlap.
        #[test]
        fn it_agrees_with_a_plain_model(
            threshold in 1_u32..4, successes in 1_u32..4, steps: std::vec::Vec<(u8, u8)>,
        ) {
            let options = BreakerOptions { half_open_successes: successes, ..options(threshold) };
            let mut circuit = Circuit::default();
            let mut out: Vec<(Permit, u32)> = Vec::new();
            // The model: (state, change number, run, opened, probe out).
            let (mut state, mut change, mut run, mut opened, mut probing) = (CircuitState::Closed, 0_u32, 0_u32, 0_u64, false);
            let mut now = 0_u64;
            for (kind, pause) in steps {
                now += u64::from(pause);
                if kind % 2 == 0 {
                    if state == CircuitState::Open && now >= opened + 300 {
                        (state, change, run, probing) = (CircuitState::HalfOpen, change + 1, 0, false);
                    }
                    let may = match state {
                        CircuitState::Closed => true,
                        CircuitState::Open => false,
                        CircuitState::HalfOpen => !probing,
                    };
                    let permit = circuit.ask(Instant(now), &options);
                    proptest::prop_assert_eq!(permit.is_ok(), may);
                    if let Ok(permit) = permit {
                        probing = state == CircuitState::HalfOpen;
                        proptest::prop_assert_eq!(permit.probe, probing);
                        out.push((permit, change));
                    }
                } else if !out.is_empty() {
                    let (permit, born) = out.remove(usize::from(kind / 2) % out.len());
                    let verdict = [Verdict::Success, Verdict::Failure, Verdict::Neutral][usize::from(kind) % 3];
                    circuit.report(Instant(now), permit, verdict, &options);
                    if born == change {
                        if state == CircuitState::HalfOpen { probing = false }
                        match (state, verdict) {
                            (CircuitState::Closed, Verdict::Success) => run = 0,
                            (CircuitState::Closed, Verdict::Failure) => {
                                run += 1;
                                if run >= threshold { (state, change, run, opened) = (CircuitState::Open, change + 1, 0, now) }
                            }
                            (CircuitState::HalfOpen, Verdict::Success) => {
                                run += 1;
                                if run >= successes { (state, change, run) = (CircuitState::Closed, change + 1, 0) }
                            }
                            (CircuitState::HalfOpen, Verdict::Failure) => {
                                (state, change, run, opened, probing) = (CircuitState::Open, change + 1, 0, now, false);
                            }
                            _ => {}
                        }
                    }
                }
                proptest::prop_assert_eq!(circuit.state(), state);
            }
        }
    }
}
