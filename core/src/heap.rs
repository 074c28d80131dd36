//! One rank a slot, the least of all at hand: the deadlines of the calls.

use alloc::vec::Vec;

const ABSENT: u32 = u32::MAX;
/// The rank of a slot that is not in the heap.
pub(crate) const OUT: u64 = u64::MAX;

/// A binary heap that knows where each slot's entry stands, so that it can be moved or taken out in logarithmic time. A
/// slot has at most one entry: those that are gone leave nothing behind.
#[derive(Default)]
pub(crate) struct Heap {
    heap: Vec<(u64, u32)>,
    /// By slot: its place in the heap.
    places: Vec<u32>,
}

impl Heap {
    /// Sets the rank of a slot. [`OUT`] takes it out.
    pub(crate) fn set(&mut self, slot: u32, at: u64) {
        let place = self.place(slot);
        if at == OUT {
            self.remove(slot, place);
            return;
        }
        let place = match place {
            Some(place) => {
                if let Some(entry) = self.heap.get_mut(place) {
                    if entry.0 == at {
                        return;
                    }
                    entry.0 = at;
                }
                place
            }
            None => {
                let place = self.heap.len();
                self.heap.push((at, slot));
                self.note(slot, place);
                place
            }
        };
        let place = self.rise(place);
        self.sink(place);
    }

    /// The least rank and its slot.
    pub(crate) fn least(&self) -> Option<(u64, u32)> {
        self.heap.first().copied()
    }

    fn remove(&mut self, slot: u32, place: Option<usize>) {
        let Some(place) = place else { return };
        self.note(slot, ABSENT as usize);
        let Some(last) = self.heap.pop() else { return };
        if let Some(entry) = self.heap.get_mut(place) {
            *entry = last;
            self.note(last.1, place);
            let place = self.rise(place);
            self.sink(place);
        }
    }

    fn place(&self, slot: u32) -> Option<usize> {
        self.places.get(slot as usize).copied().filter(|place| *place != ABSENT).map(|place| place as usize)
    }

    fn note(&mut self, slot: u32, place: usize) {
        let slot = slot as usize;
        if slot >= self.places.len() {
            self.places.resize(slot.saturating_add(1), ABSENT);
        }
        if let Some(entry) = self.places.get_mut(slot) {
            *entry = place as u32;
        }
    }

    fn at(&self, place: usize) -> u64 {
        self.heap.get(place).map_or(OUT, |entry| entry.0)
    }

    fn swap(&mut self, one: usize, two: usize) {
        // `slice::swap` would panic out of bounds: this does nothing.
        let (Some(&first), Some(&second)) = (self.heap.get(one), self.heap.get(two)) else { return };
        for (place, entry) in [(one, second), (two, first)] {
            if let Some(at) = self.heap.get_mut(place) {
                *at = entry;
                self.note(entry.1, place);
            }
        }
    }

    fn rise(&mut self, mut place: usize) -> usize {
        while place > 0 {
            let parent = place.wrapping_sub(1) >> 1;
            if self.at(parent) <= self.at(place) {
                break;
            }
            self.swap(parent, place);
            place = parent;
        }
        place
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let left = place.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let child = if self.at(right) < self.at(left) { right } else { left };
            // A child beyond the end is never less: its rank reads as OUT.
            if self.at(child) >= self.at(place) {
                break;
            }
            self.swap(child, place);
            place = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    proptest::proptest! {
        #[test]
        fn it_agrees_with_a_sorted_map(moves: Vec<(u8, Option<u16>)>) {
            let mut heap = Heap::default();
            let mut model = BTreeMap::new();
            for (slot, at) in moves {
                let slot = u32::from(slot % 16);
                match at {
                    Some(at) => {
                        heap.set(slot, u64::from(at));
                        model.insert(slot, u64::from(at));
                    }
                    None => {
                        heap.set(slot, OUT);
                        model.remove(&slot);
                    }
                }
                proptest::prop_assert_eq!(heap.heap.len(), model.len());
                let least = heap.least();
                proptest::prop_assert_eq!(least.map(|(at, _)| at), model.values().min().copied());
                if let Some((at, slot)) = least {
                    proptest::prop_assert_eq!(model.get(&slot), Some(&at));
                }
            }
        }
    }
}
