//! One rank a slot, the least of all at hand: the deadlines of the calls.

use alloc::vec::Vec;

/// The rank of a slot that is not in the heap.
pub(crate) const OUT: u64 = u64::MAX;

/// A tournament: the leaves of a binary tree are the slots, and each node above has the lesser rank of the two below it.
/// A rank is set in logarithmic time, and what is gone leaves nothing behind. It is a third of the code of a heap whose
/// entries move.
#[derive(Default)]
pub(crate) struct Heap {
    /// The tree from left to right, the leaves at the even places: it grows to the right, and nothing moves. The two
    /// below a node that ends in `n` ones of binary differ from each other in the bit of `n`.
    nodes: Vec<u64>,
}

impl Heap {
    pub(crate) const fn new() -> Self {
        Self { nodes: Vec::new() }
    }

    /// Sets the rank of a slot. [`OUT`] takes it out.
    pub(crate) fn set(&mut self, slot: u32, mut at: u64) {
        let mut node = (slot as usize) << 1;
        while node >= self.nodes.len() {
            // What is there becomes the left half.
            let (least, root) = (self.least_rank(), self.nodes.len());
            self.nodes.resize(root.saturating_mul(2).saturating_add(1), OUT);
            self.put(root, least);
        }
        let mut bit = 1;
        while node < self.nodes.len() {
            self.put(node, at);
            at = at.min(self.at(node ^ (bit << 1)));
            node = (node | bit) & !(bit << 1);
            bit <<= 1;
        }
    }

    /// The least rank and its slot.
    pub(crate) fn least(&self) -> Option<(u64, u32)> {
        let least = self.least_rank();
        let mut node = self.root();
        let mut bit = node.wrapping_add(1) >> 1;
        while bit > 0 {
            node ^= bit;
            if self.at(node) != least {
                node |= bit << 1;
            }
            bit >>= 1;
        }
        (least != OUT).then_some((least, (node >> 1) as u32))
    }

    /// The least rank, [`OUT`] if there is none.
    pub(crate) fn least_rank(&self) -> u64 {
        self.at(self.root())
    }

    fn root(&self) -> usize {
        self.nodes.len() >> 1
    }

    fn put(&mut self, node: usize, at: u64) {
        if let Some(rank) = self.nodes.get_mut(node) {
            *rank = at;
        }
    }

    fn at(&self, node: usize) -> u64 {
        self.nodes.get(node).copied().unwrap_or(OUT)
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
                                let least = heap.least();
                proptest::prop_assert_eq!(least.map(|(at, _)| at), model.values().min().copied());
                if let Some((at, slot)) = least {
                    proptest::prop_assert_eq!(model.get(&slot), Some(&at));
                }
            }
        }
    }
}
