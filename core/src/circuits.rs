//! The circuits of all keys: so many at most, and only those that remember something.

use crate::breaker::{BreakerOptions, Circuit, CircuitState, Permit, Verdict};
use crate::table::Table;
use crate::time::{Instant, Millis};

/// How many circuits are kept. One that has nothing to remember is not kept at all.
pub const CIRCUITS: usize = 256;

/// What a circuit shows to somebody who looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CircuitView {
    /// What it is doing.
    pub state: CircuitState,
    /// Failures in a row while it is closed.
    pub failures: u32,
    /// While it is open: after how long it lets a probe through.
    pub retry_after: Millis,
}

/// Circuits by the hash of their key.
#[derive(Default)]
pub struct Circuits {
    table: Table<Circuit>,
}

impl Circuits {
    /// No circuit yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { table: Table::new() }
    }

    /// Whether an attempt would be refused now, and for how long. Changes nothing.
    #[must_use]
    pub fn refusal(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> Option<Millis> {
        self.table.get_mut(key)?.refusal(now, options)
    }

    /// May this attempt go out? If not: after how long to ask again.
    ///
    /// # Errors
    /// The circuit is open, or half-open with its probe out.
    pub fn ask(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> Result<Permit, Millis> {
        match self.table.get_mut(key) {
            Some(circuit) => circuit.ask(now, options),
            None => Ok(Permit::default()),
        }
    }

    /// A call that had a permit is over. The state of the circuit if this has changed it.
    pub fn report(
        &mut self,
        now: Instant,
        key: u64,
        permit: Permit,
        verdict: Verdict,
        options: &BreakerOptions,
    ) -> Option<CircuitState> {
        if self.table.get_mut(key).is_none() {
            if verdict != Verdict::Failure && options.failure_rate.is_none() {
                return None;
            }
            self.make_room();
        }
        let circuit = self.table.entry(key, Circuit::default)?;
        let before = circuit.state();
        circuit.report(now, permit, verdict, options);
        let after = circuit.state();
        if circuit.is_new() {
            self.table.remove(key);
        }
        (after != before).then_some(after)
    }

    /// How the circuit of this key stands.
    #[must_use]
    pub fn view(&mut self, now: Instant, key: u64, options: &BreakerOptions) -> CircuitView {
        self.table.get_mut(key).map_or(
            CircuitView { state: CircuitState::Closed, failures: 0, retry_after: Millis::ZERO },
            |circuit| CircuitView {
                state: circuit.state(),
                failures: circuit.failures(),
                retry_after: circuit.refusal(now, options).unwrap_or(Millis::ZERO),
            },
        )
    }

    /// Idle circuits go first, then closed ones, then the one that opened longest ago.
    fn make_room(&mut self) {
        if self.table.len() < CIRCUITS {
            return;
        }
        let oldest = self.table.iter().min_by_key(|(_, circuit)| circuit.rank()).map(|(key, _)| key);
        if let Some(key) = oldest {
            self.table.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: BreakerOptions = BreakerOptions {
        failure_threshold: 2,
        reset_timeout: Millis(300),
        half_open_successes: 1,
        failure_rate: None,
        window: Millis(1_000),
        minimum_calls: 1,
    };

    fn fail(circuits: &mut Circuits, now: u64, key: u64) -> Option<CircuitState> {
        let permit = circuits.ask(Instant(now), key, &OPTIONS).unwrap();
        circuits.report(Instant(now), key, permit, Verdict::Failure, &OPTIONS)
    }

    fn open(circuits: &mut Circuits, now: u64, key: u64) {
        fail(circuits, now, key);
        assert_eq!(fail(circuits, now, key), Some(CircuitState::Open));
    }

    #[test]
    fn j06_one_bad_key_does_not_stop_the_others() {
        let mut circuits = Circuits::default();
        open(&mut circuits, 0, 1);
        assert!(circuits.refusal(Instant(0), 1, &OPTIONS).is_some());
        assert_eq!(circuits.refusal(Instant(0), 2, &OPTIONS), None);
    }

    #[test]
    fn j06_ten_thousand_keys_are_not_kept_and_open_ones_stay_longest() {
        let mut circuits = Circuits::default();
        open(&mut circuits, 0, 1);
        for key in 2..10_000 {
            fail(&mut circuits, 1, key);
            assert!(circuits.table.len() <= CIRCUITS);
        }
        assert!(circuits.refusal(Instant(1), 1, &OPTIONS).is_some(), "the open one is still there");
        for key in 2..10_000 {
            let permit = circuits.ask(Instant(2), key, &OPTIONS).unwrap();
            circuits.report(Instant(2), key, permit, Verdict::Success, &OPTIONS);
        }
        assert_eq!(circuits.table.len(), 1, "what has nothing to remember is forgotten");
    }

    #[test]
    fn of_open_ones_the_oldest_goes() {
        let mut circuits = Circuits::default();
        for key in 0..=CIRCUITS as u64 {
            open(&mut circuits, key, key);
        }
        assert_eq!(circuits.refusal(Instant(0), 0, &OPTIONS), None);
        assert!(circuits.refusal(Instant(1), 1, &OPTIONS).is_some());
    }

    #[test]
    fn a_look_changes_nothing() {
        let mut circuits = Circuits::default();
        assert_eq!(circuits.view(Instant(0), 1, &OPTIONS).state, CircuitState::Closed);
        open(&mut circuits, 0, 1);
        let view = circuits.view(Instant(100), 1, &OPTIONS);
        assert_eq!(view, CircuitView { state: CircuitState::Open, failures: 0, retry_after: Millis(200) });
        assert_eq!(circuits.view(Instant(300), 1, &OPTIONS).state, CircuitState::Open, "nobody has asked to pass");
        let probe = circuits.ask(Instant(300), 1, &OPTIONS).unwrap();
        assert!(probe.probe);
        assert_eq!(circuits.report(Instant(300), 1, probe, Verdict::Success, &OPTIONS), Some(CircuitState::Closed));
        let old = Permit::default();
        fail(&mut circuits, 300, 1);
        assert_eq!(circuits.report(Instant(300), 1, old, Verdict::Failure, &OPTIONS), None, "from before it opened");
    }
}
