//! The server that a million clients call.

use std::ops::Range;

/// How many calls a client makes in a millisecond when all is well: one in 10 s.
const PACE: f64 = 1.0 / 10_000.0;
/// The capacity, in normal loads.
pub(crate) const HEADROOM: f64 = 1.5;
/// The capacity is counted for so many milliseconds at a time.
const SLICE: u64 = 100;

/// Serves so many attempts in each slice; those above fail at once, and so does everything during the outage.
pub(crate) struct Server {
    capacity: f64,
    down: Range<u64>,
    slice: u64,
    served: u32,
}

impl Server {
    /// One that is down at these milliseconds.
    pub(crate) fn new(clients: u32, down: Range<u64>) -> Self {
        Self { capacity: normal_load(clients, SLICE) * HEADROOM, down, slice: 0, served: 0 }
    }

    /// An attempt arrives: is it served?
    pub(crate) fn serves(&mut self, now: u64) -> bool {
        if self.down.contains(&now) {
            return false;
        }
        if self.slice != now / SLICE {
            (self.slice, self.served) = (now / SLICE, 0);
        }
        let serves = f64::from(self.served) < self.capacity;
        self.served += u32::from(serves);
        serves
    }
}

/// How many calls so many clients make in so many milliseconds when all is well.
pub(crate) fn normal_load(clients: u32, milliseconds: u64) -> f64 {
    f64::from(clients) * PACE * milliseconds as f64
}

/// The milliseconds from one call of a client to its next.
pub(crate) fn pause() -> f64 {
    1.0 / PACE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_serves_what_a_slice_holds_and_nothing_while_it_is_down() {
        let mut server = Server::new(2_000, 200..300);
        let mut served = |at: u64| (0..50).filter(|_| server.serves(at)).count();
        // 2 000 clients call 20 times in 100 ms.
        assert_eq!(served(0), 30);
        assert_eq!(served(99), 0);
        assert_eq!(served(100), 30);
        assert_eq!(served(200), 0);
        assert_eq!(served(299), 0);
        assert_eq!(served(300), 30);
    }
}
