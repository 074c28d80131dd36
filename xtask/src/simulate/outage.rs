//! A million clients whose server is gone for a while, and comes back.

use crate::agenda::Agenda;
use crate::clients::{Clients, Pace, Policies};
use crate::random;
use crate::server::{self, HEADROOM, Server};

const SECOND: u64 = 1_000;

/// Who calls, and how many seconds of what.
#[derive(Clone, Copy)]
pub(crate) struct Outage {
    pub(crate) clients: u32,
    pub(crate) pace: Pace,
    /// All is well.
    pub(crate) before: usize,
    /// Nothing works.
    pub(crate) length: usize,
    /// All is well again.
    pub(crate) after: usize,
}

/// What reached the server, in normal loads, second by second.
pub(crate) struct Load {
    outage: Outage,
    /// All attempts.
    pub(crate) sent: Vec<f64>,
    /// Those that were not served.
    pub(crate) failed: Vec<f64>,
    /// The share of clients whose circuit is not closed when the server comes back.
    pub(crate) open_circuits: f64,
}

impl Outage {
    pub(crate) fn run(self, policies: Policies) -> Load {
        let seconds = self.before + self.length + self.after;
        let down = self.before as u64 * SECOND..(self.before + self.length) as u64 * SECOND;
        let mut rng = random::generator(self.clients);
        let mut server = Server::new(self.clients, down.clone());
        let mut clients = Clients::new(self.clients, self.pace, policies);
        let mut agenda = Agenda::new(self.clients, seconds as u64 * SECOND);
        // The pauses have no memory: all may begin with one, and the load is the normal one from the start.
        for client in 0..self.clients {
            agenda.add(clients.first(&mut rng), client);
        }
        let mut load = Load { outage: self, sent: vec![0.0; seconds], failed: vec![0.0; seconds], open_circuits: 0.0 };
        for now in 0..seconds as u64 * SECOND {
            if now == down.end {
                load.open_circuits = clients.share_of_open_circuits();
            }
            let second = (now / SECOND) as usize;
            while let Some(client) = agenda.take(now) {
                let turn = clients.turn(client, now, &mut server, &mut rng);
                agenda.add(turn.next, client);
                if let Some(served) = turn.served {
                    load.sent[second] += 1.0;
                    load.failed[second] += f64::from(u8::from(!served));
                }
            }
        }
        let normal = server::normal_load(self.clients, SECOND);
        for count in load.sent.iter_mut().chain(&mut load.failed) {
            *count /= normal;
        }
        load
    }
}

impl Load {
    fn recovery(&self) -> usize {
        self.outage.before + self.outage.length
    }

    /// The mean while nothing works.
    pub(crate) fn during(&self) -> f64 {
        self.sent[self.outage.before..self.recovery()].iter().sum::<f64>() / self.outage.length as f64
    }

    /// Each second from the recovery on.
    pub(crate) fn after(&self) -> &[f64] {
        &self.sent[self.recovery()..]
    }

    /// The highest from the recovery on.
    pub(crate) fn peak(&self) -> f64 {
        highest(self.after())
    }

    /// The highest when the recovery is a second old.
    pub(crate) fn later_peak(&self) -> f64 {
        highest(&self.after()[1..])
    }

    /// How many seconds the recovered server gets more than it can serve.
    pub(crate) fn seconds_above_capacity(&self) -> usize {
        self.after().iter().filter(|load| **load > HEADROOM).count()
    }

    /// What the recovered server turns away, in seconds of the normal load.
    pub(crate) fn turned_away(&self) -> f64 {
        self.failed[self.recovery()..].iter().sum()
    }
}

fn highest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}
