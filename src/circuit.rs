use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use steadfetch_core::engine::Engine;
use steadfetch_core::options::Options;

use crate::driver::Driver;
use crate::options::{CircuitBreaker, duration};
use crate::request_info::RequestInfo;
use crate::shared::{Place, Sharing, next_number};
use crate::words::CircuitState;

/// How many circuits are known by name, as many as the engine keeps.
const CIRCUITS: usize = 256;

/// How a circuit stands: [`Client::circuits`](crate::Client::circuits).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Circuit {
    /// The origin, or what [`CircuitBreaker::key`](crate::CircuitBreaker::key) made of the request.
    pub key: String,
    /// What it is doing. An open circuit whose time is over shows as half-open when the next call asks to pass.
    pub state: CircuitState,
    /// Failed calls in a row, while it is closed.
    pub failures: u32,
    /// While it is open: after how long it lets a probe through.
    pub retry_after: Duration,
}

/// The circuits of a client and of those that share them.
pub(crate) struct Circuits {
    /// Of this option: the engine knows the circuits of all clients.
    number: u64,
    options: CircuitBreaker,
    /// Keys of the engine and their names, the latest last.
    known: Mutex<VecDeque<(u64, Arc<str>)>>,
}

impl Circuits {
    pub(crate) fn new(options: CircuitBreaker) -> Self {
        Self { number: next_number(), options, known: Mutex::default() }
    }

    /// The key of the circuit of this name, which is remembered.
    fn key(&self, name: &str) -> (u64, Arc<str>) {
        let key = crate::hash::key(self.number, name);
        let Ok(mut known) = self.known.lock() else { return (key, name.into()) };
        let found = match known.iter().rposition(|(other, _)| *other == key) {
            Some(place) => known.remove(place),
            None => None,
        };
        let circuit = found.unwrap_or_else(|| (key, name.into()));
        if known.len() >= CIRCUITS {
            known.pop_front();
        }
        known.push_back(circuit.clone());
        circuit
    }
}

impl Sharing for Circuits {
    fn renew(&self) -> Arc<dyn Sharing> {
        Arc::new(Self::new(self.options.clone()))
    }

    fn place(&self, place: &mut Place, options: &mut Options, request: &RequestInfo<'_>, origin: &str) {
        place.admit = Some(Engine::admit);
        options.breaker = self.options.options();
        let own = self.options.circuit(request);
        let (key, name) = self.key(own.as_deref().unwrap_or(origin));
        place.keys.circuit = key;
        place.circuit = Some(name);
    }

    /// Of those that were asked of late.
    fn circuits(&self, driver: &Driver) -> Vec<Circuit> {
        let known: Vec<_> = self.known.lock().map(|known| known.iter().cloned().collect()).unwrap_or_default();
        let options = self.options.options();
        let views = known.into_iter().filter_map(|(key, name)| {
            let view = driver.circuit(key, &options)?;
            Some(Circuit {
                key: (*name).to_owned(),
                state: CircuitState::of(view.state),
                failures: view.failures,
                retry_after: duration(view.retry_after),
            })
        });
        views.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(circuits: &Circuits) -> Vec<String> {
        circuits.known.lock().unwrap().iter().map(|(_, name)| name.to_string()).collect()
    }

    #[test]
    fn so_many_names_are_remembered_and_the_oldest_goes() {
        let circuits = Circuits::new(CircuitBreaker::new());
        let first = circuits.key("0");
        for name in 1..CIRCUITS {
            circuits.key(&name.to_string());
        }
        assert_eq!(circuits.key("0"), first, "in use again");
        circuits.key("another");
        let names = names(&circuits);
        assert_eq!(names.len(), CIRCUITS);
        assert!(names.contains(&"0".to_owned()) && !names.contains(&"1".to_owned()));
    }

    #[test]
    fn each_option_has_circuits_of_its_own() {
        let (one, other) = (Circuits::new(CircuitBreaker::new()), Circuits::new(CircuitBreaker::new()));
        assert_ne!(one.key("a").0, other.key("a").0);
    }
}
