//! The clients of an outage: each makes one call at a time, with a retry budget and a circuit of its own.
//!
//! The policies are those of core/, and they are asked in the order in which its engine asks them.

use steadfetch_core::backoff::{self, Jitter};
use steadfetch_core::breaker::{BreakerOptions, Circuit, CircuitState, Permit, Verdict};
use steadfetch_core::budget::{Budget, BudgetOptions};
use steadfetch_core::options::RetryOptions;
use steadfetch_core::rng::Rng;
use steadfetch_core::time::{Instant, Millis};

use crate::random;
use crate::server::{self, Server};

/// From the start of an attempt until its client knows how it ended.
const ROUND_TRIP: Millis = Millis(50);

/// When a client makes its next call, after a pause of 10 s in the mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Counted from when the last call began, but not before it has ended: the demand is there, whatever the server does.
    Steady,
    /// Counted from when the last call ended: a server that is down is asked for less.
    Patient,
}

/// What the clients are told to do; all else has its default.
#[derive(Clone, Copy)]
pub(crate) struct Policies {
    pub(crate) jitter: Jitter,
    pub(crate) budget: Option<BudgetOptions>,
    pub(crate) breaker: Option<BreakerOptions>,
}

/// What a client did when it was due.
pub(crate) struct Turn {
    /// Whether the server served the attempt; nothing if there was none, because the circuit was open.
    pub(crate) served: Option<bool>,
    /// When it is due again.
    pub(crate) next: u64,
}

/// A list for each thing that a client remembers: nothing is kept for a policy that is not in use.
pub(crate) struct Clients {
    pace: Pace,
    policies: Policies,
    retry: RetryOptions,
    /// When the current call began.
    began: Vec<u32>,
    /// Its retries so far.
    retries: Vec<u8>,
    budgets: Vec<Budget>,
    circuits: Vec<Circuit>,
}

impl Clients {
    pub(crate) fn new(count: u32, pace: Pace, policies: Policies) -> Self {
        let count = count as usize;
        Self {
            pace,
            policies,
            retry: RetryOptions::default(),
            began: vec![0; count],
            retries: vec![0; count],
            budgets: policies.budget.map_or_else(Vec::new, |options| vec![Budget::new(Instant(0), &options); count]),
            circuits: policies.breaker.map_or_else(Vec::new, |_| vec![Circuit::default(); count]),
        }
    }

    /// The share of clients whose circuit is not closed.
    pub(crate) fn share_of_open_circuits(&self) -> f64 {
        let open = self.circuits.iter().filter(|circuit| circuit.state() != CircuitState::Closed).count();
        open as f64 / self.retries.len() as f64
    }

    /// When a client that has just come, at time zero, makes its first call.
    pub(crate) fn first(&self, rng: &mut Rng) -> u64 {
        self.pause(rng).0
    }

    /// The pause or the backoff of a client is over: it makes an attempt, if its circuit lets it.
    pub(crate) fn turn(&mut self, client: u32, now: u64, server: &mut Server, rng: &mut Rng) -> Turn {
        let (client, now) = (client as usize, Instant(now));
        let first = self.retries[client] == 0;
        if first {
            self.began[client] = now.0 as u32;
        }
        let Ok(permit) = self.circuit(client).map(|(circuit, options)| circuit.ask(now, options)).transpose() else {
            if !first && let Some((budget, options)) = self.budget(client) {
                budget.give_back(now, options);
            }
            return Turn { served: None, next: self.end(client, now, rng) };
        };
        if first && let Some((budget, options)) = self.budget(client) {
            budget.deposit(now, options);
        }
        let served = server.serves(now.0);
        let now = now + ROUND_TRIP;
        if !served && self.may_retry(client, now, permit) {
            self.retries[client] += 1;
            let bound = backoff::bound(self.retry.delay, self.retry.backoff_limit, self.retries[client].into());
            let wait = backoff::draw(self.policies.jitter, bound, rng);
            return Turn { served: Some(served), next: (now + wait).0 };
        }
        if let (Some(permit), Some((circuit, options))) = (permit, self.circuit(client)) {
            circuit.report(now, permit, if served { Verdict::Success } else { Verdict::Failure }, options);
        }
        Turn { served: Some(served), next: self.end(client, now, rng) }
    }

    /// The call of a client is over. Gives the time of its next.
    fn end(&mut self, client: usize, now: Instant, rng: &mut Rng) -> u64 {
        self.retries[client] = 0;
        let pause = self.pause(rng);
        let next = match self.pace {
            Pace::Steady => now.max(Instant(self.began[client].into()) + pause),
            Pace::Patient => now + pause,
        };
        next.0
    }

    fn pause(&self, rng: &mut Rng) -> Millis {
        let mean = match self.pace {
            Pace::Steady => server::pause(),
            Pace::Patient => server::pause() - ROUND_TRIP.to_f64(),
        };
        Millis(random::exponential(rng, mean).round() as u64)
    }

    fn may_retry(&mut self, client: usize, now: Instant, permit: Option<Permit>) -> bool {
        u32::from(self.retries[client]) < self.retry.limit
            && !permit.is_some_and(|permit| permit.probe)
            && self.budget(client).is_none_or(|(budget, options)| budget.take(now, options))
    }

    fn budget(&mut self, client: usize) -> Option<(&mut Budget, &BudgetOptions)> {
        Some((self.budgets.get_mut(client)?, self.policies.budget.as_ref()?))
    }

    fn circuit(&mut self, client: usize) -> Option<(&mut Circuit, &BreakerOptions)> {
        Some((self.circuits.get_mut(client)?, self.policies.breaker.as_ref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attempts of one client whose server is down, until the given time.
    fn attempts(policies: Policies, until: u64) -> usize {
        let mut rng = random::generator(1);
        let mut server = Server::new(1, 0..u64::MAX);
        let mut clients = Clients::new(1, Pace::Patient, policies);
        let (mut now, mut count) = (0, 0);
        while now < until {
            let turn = clients.turn(0, now, &mut server, &mut rng);
            count += usize::from(turn.served.is_some());
            now = turn.next;
        }
        count
    }

    const BARE: Policies = Policies { jitter: Jitter::Full, budget: None, breaker: None };
    const DAY: u64 = 24 * 3_600_000;

    #[test]
    fn a_steady_client_calls_as_often_as_ever_and_a_patient_one_does_not() {
        let calls = |pace| {
            let mut rng = random::generator(1);
            let mut server = Server::new(1, 0..u64::MAX);
            let mut clients = Clients::new(1, pace, BARE);
            let (mut now, mut calls) = (0, 0);
            while now < DAY {
                now = clients.turn(0, now, &mut server, &mut rng).next;
                calls += u32::from(clients.retries == [0]);
            }
            DAY as f64 / f64::from(calls)
        };
        let (steady, patient) = (calls(Pace::Steady), calls(Pace::Patient));
        // A call without an answer takes 3.7 s: the round trips and half of 1, 2 and 4 s.
        assert!((patient - 13_650.0).abs() < 300.0, "{patient} ms");
        assert!(
            (10_000.0..11_000.0).contains(&steady),
            "{steady} ms: more than the pause, by the calls that outlast it"
        );
    }

    #[test]
    fn a_call_has_its_retries() {
        let mut rng = random::generator(1);
        let mut server = Server::new(1, 0..u64::MAX);
        let mut clients = Clients::new(1, Pace::Steady, Policies { jitter: Jitter::None, ..BARE });
        let (mut now, mut gaps) = (0, Vec::new());
        for _ in 0..4 {
            let next = clients.turn(0, now, &mut server, &mut rng).next;
            gaps.push(next - now);
            now = next;
        }
        assert_eq!(gaps[..3], [1_050, 2_050, 4_050], "the wait and the round trip");
        assert_eq!(clients.retries, [0], "then a new call");
    }

    #[test]
    fn a_budget_keeps_retries_to_what_it_earns() {
        let all = attempts(BARE, DAY);
        let kept = attempts(Policies { budget: Some(BudgetOptions::default()), ..BARE }, DAY);
        // Four attempts a call without it. With it a call earns 0.1, and the seconds from one call to the next 0.1 each.
        let (all, kept) = (all as f64 / DAY as f64 * 13_650.0, kept as f64 / DAY as f64 * 11_000.0);
        assert!((all - 4.0).abs() < 0.2, "{all}");
        assert!((1.9..2.4).contains(&kept), "{kept}");
    }

    #[test]
    fn an_open_circuit_lets_a_probe_through_now_and_then() {
        let breaker = Some(BreakerOptions::default());
        let probes = attempts(Policies { breaker, ..BARE }, DAY);
        // 30 s, and the think time that runs then: 10 s in the mean.
        let apart = DAY as f64 / probes as f64;
        assert!((38_000.0..42_000.0).contains(&apart), "{apart} ms");
    }
}
