//! The calls that wait for a token.

use alloc::vec::Vec;

use crate::slab::CallId;

/// Where a call waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u32);

/// An empty line with more room than this gives it back.
const ROOM: usize = 64;

/// First come, first told. Who leaves leaves an empty place; the places are taken down when all are empty, which is at
/// the end of what is waited for at the latest.
#[derive(Default)]
pub(super) struct Waiting {
    line: Vec<Option<CallId>>,
    /// The place of the first one.
    first: u32,
    /// How many wait.
    len: usize,
    /// Those before it are to be told, those before the other have been.
    told: usize,
    next: usize,
}

impl Waiting {
    pub(super) fn join(&mut self, call: CallId) -> Place {
        let place = Place(self.first.wrapping_add(self.line.len() as u32));
        self.line.push(Some(call));
        self.len = self.len.saturating_add(1);
        place
    }

    pub(super) fn leave(&mut self, place: Place) {
        // A place before the first wraps to far beyond the last.
        self.take(place.0.wrapping_sub(self.first) as usize);
    }

    /// Everybody who waits now is to be told.
    pub(super) fn tell(&mut self) {
        self.told = self.line.len();
    }

    /// The next one to be told.
    pub(super) fn next(&mut self) -> Option<CallId> {
        while self.next < self.told {
            let at = self.next;
            self.next = at.saturating_add(1);
            let call = self.take(at);
            if call.is_some() {
                return call;
            }
        }
        None
    }

    fn take(&mut self, at: usize) -> Option<CallId> {
        let call = self.line.get_mut(at)?.take()?;
        self.len = self.len.saturating_sub(1);
        if self.len == 0 {
            self.first = self.first.wrapping_add(self.line.len() as u32);
            self.told = 0;
            self.next = 0;
            if self.line.capacity() > ROOM {
                self.line = Vec::new();
            }
            self.line.clear();
        }
        Some(call)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: u32) -> CallId {
        CallId { index, generation: 0 }
    }

    #[test]
    fn who_has_left_is_not_told_even_between_the_news_and_its_turn() {
        let mut waiting = Waiting::default();
        let places: Vec<Place> = (0..4).map(|call| waiting.join(id(call))).collect();
        waiting.leave(places[1]);
        waiting.tell();
        waiting.leave(places[2]);
        let late = waiting.join(id(9));
        assert_eq!(core::iter::from_fn(|| waiting.next()).collect::<Vec<_>>(), [id(0), id(3)]);
        waiting.leave(places[0]);
        assert_eq!(waiting.len(), 1, "a place that was told is not somebody else's");
        waiting.leave(late);
        assert_eq!(waiting.len(), 0);
    }

    #[test]
    fn a_place_of_an_earlier_wait_is_nobody_elses_and_takes_no_room() {
        let mut waiting = Waiting::default();
        for call in 0..3 {
            let place = waiting.join(id(call));
            waiting.tell();
            assert_eq!(waiting.next(), Some(id(call)));
            waiting.join(id(9));
            waiting.leave(place);
            assert_eq!((waiting.len(), waiting.line.len()), (1, 1));
            waiting.tell();
            assert_eq!(waiting.next(), Some(id(9)));
        }
    }

    #[test]
    fn b06_a_thousand_who_leave_in_any_order_leave_nothing_behind() {
        let mut waiting = Waiting::default();
        let places: Vec<Place> = (0..1_000).map(|call| waiting.join(id(call))).collect();
        for step in 0..1_000 {
            // 7 and 1 000 have no common divisor: each place once.
            waiting.leave(places[step * 7 % 1_000]);
        }
        assert_eq!((waiting.len(), waiting.line.len()), (0, 0));
        assert!(waiting.line.capacity() <= ROOM);
    }
}
