//! Values in slots that are used again, such as the live calls.

use alloc::vec::Vec;

/// A call of this engine. Its generation makes the id of an ended call mean nothing, even when its slot is in use
/// again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct CallId {
    /// The slot.
    pub index: u32,
    /// How often the slot had been used before, 21 bits.
    pub generation: u32,
}

/// The bits of a generation: with an index of 32 bits a number of JavaScript holds both exactly.
const GENERATIONS: u32 = (1 << 21) - 1;

impl CallId {
    /// The id as a JavaScript number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        ((u64::from(self.generation) << 32) | u64::from(self.index)) as f64
    }

    /// The id from a JavaScript number.
    #[must_use]
    pub fn from_f64(number: f64) -> Self {
        let bits = number as u64;
        Self { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

struct Slot<T> {
    /// How often the slot had been used before.
    generation: u32,
    value: Option<T>,
}

/// Slots for values. All operations take constant time.
pub(crate) struct Slab<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Slab<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, value: T) -> CallId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, value: None });
            self.slots().saturating_sub(1)
        });
        let mut id = CallId { index, generation: 0 };
        if let Some(slot) = self.slots.get_mut(index as usize) {
            id.generation = slot.generation;
            slot.value = Some(value);
        }
        id
    }

    fn slot(&mut self, id: CallId) -> Option<&mut Slot<T>> {
        self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)
    }

    pub(crate) fn get_mut(&mut self, id: CallId) -> Option<&mut T> {
        self.slot(id)?.value.as_mut()
    }

    pub(crate) fn remove(&mut self, id: CallId) {
        if let Some(slot) = self.slot(id)
            && slot.value.is_some()
        {
            slot.value = None;
            slot.generation = id.generation.wrapping_add(1) & GENERATIONS;
            self.free.push(id.index);
        }
    }

    /// The id of the value in this slot.
    pub(crate) fn id_at(&self, index: u32) -> Option<CallId> {
        let slot = self.slots.get(index as usize)?;
        slot.value.as_ref().map(|_| CallId { index, generation: slot.generation })
    }

    /// How many slots there are, taken or free.
    pub(crate) fn slots(&self) -> u32 {
        self.slots.len() as u32
    }

    /// How many are taken.
    pub(crate) fn len(&self) -> usize {
        self.slots.len().saturating_sub(self.free.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_id_finds_nothing_in_a_slot_that_is_used_again() {
        let mut slab = Slab::new();
        let first = slab.insert("first");
        slab.remove(first);
        slab.remove(first);
        let second = slab.insert("second");
        assert_eq!(second.index, first.index);
        assert_eq!(slab.get_mut(first), None);
        assert_eq!(slab.get_mut(second), Some(&mut "second"));
        assert_eq!(slab.len(), 1);
    }

    #[test]
    fn an_id_survives_the_way_through_a_javascript_number() {
        for id in [CallId { index: 0, generation: 0 }, CallId { index: u32::MAX, generation: GENERATIONS }] {
            assert_eq!(CallId::from_f64(id.to_f64()), id);
        }
    }
}
