//! A hash table whose keys are numbers.

use alloc::vec::Vec;

/// Values by 64-bit keys. Linear probing, at most three quarters full; a removal closes its gap, so nothing is left behind.
pub(crate) struct Table<T> {
    slots: Vec<Option<(u64, T)>>,
    len: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), len: 0 }
    }

    fn mask(&self) -> usize {
        self.slots.len().wrapping_sub(1)
    }

    /// Where a key belongs: numbers that follow each other must not crowd.
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & self.mask()
    }

    /// Where the key is, or where the search for it ended.
    fn find(&self, key: u64) -> usize {
        let mut place = self.home(key);
        while let Some(Some((other, _))) = self.slots.get(place) {
            if *other == key {
                break;
            }
            place = place.wrapping_add(1) & self.mask();
        }
        place
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        let place = self.find(key);
        self.slots.get_mut(place)?.as_mut().map(|(_, value)| value)
    }

    /// The value of this key; a new one is made if there is none.
    pub(crate) fn entry(&mut self, key: u64, make: impl FnOnce() -> T) -> Option<&mut T> {
        if self.len.saturating_mul(4) >= self.slots.len().saturating_mul(3) {
            self.grow();
        }
        let place = self.find(key);
        let slot = self.slots.get_mut(place)?;
        if slot.is_none() {
            self.len = self.len.saturating_add(1);
        }
        Some(&mut slot.get_or_insert_with(|| (key, make())).1)
    }

    pub(crate) fn remove(&mut self, key: u64) -> Option<T> {
        let mut gap = self.find(key);
        let removed = self.slots.get_mut(gap)?.take()?;
        self.len = self.len.saturating_sub(1);
        // What stands behind the gap moves into it, unless it would stand before its own place.
        let mut place = gap;
        loop {
            place = place.wrapping_add(1) & self.mask();
            let Some(Some((key, _))) = self.slots.get(place) else { break };
            let home = self.home(*key);
            let from_home = place.wrapping_sub(home) & self.mask();
            let from_gap = place.wrapping_sub(gap) & self.mask();
            if from_home >= from_gap {
                let moved = self.slots.get_mut(place).and_then(Option::take);
                if let Some(slot) = self.slots.get_mut(gap) {
                    *slot = moved;
                }
                gap = place;
            }
        }
        if self.len == 0 {
            self.slots = Vec::new();
        }
        Some(removed.1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.slots.iter().flatten().map(|(key, value)| (*key, value))
    }

    pub(crate) fn for_each(&mut self, act: impl FnMut(&mut T)) {
        self.slots.iter_mut().flatten().map(|(_, value)| value).for_each(act);
    }

    fn grow(&mut self) {
        let size = self.slots.len().saturating_mul(2).max(4);
        let mut slots = Vec::new();
        slots.resize_with(size, || None);
        for (key, value) in core::mem::replace(&mut self.slots, slots).into_iter().flatten() {
            let place = self.find(key);
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = Some((key, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    proptest::proptest! {
        #[test]
        fn it_agrees_with_a_map(steps: Vec<(u8, Option<u16>)>) {
            let mut table = Table::default();
            let mut model = BTreeMap::new();
            for (key, value) in steps {
                // Few home places, many collisions.
                let key = u64::from(key % 40) << 40;
                match value {
                    Some(value) => {
                        *table.entry(key, || 0).unwrap() = value;
                        model.insert(key, value);
                    }
                    None => proptest::prop_assert_eq!(table.remove(key), model.remove(&key)),
                }
                proptest::prop_assert_eq!(table.len, model.len());
                for key in (0..50).map(|key| key << 40) {
                    proptest::prop_assert_eq!(table.get_mut(key), model.get_mut(&key));
                }
                let mut all: Vec<(u64, u16)> = table.iter().map(|(key, value)| (key, *value)).collect();
                all.sort_unstable();
                proptest::prop_assert_eq!(all, model.clone().into_iter().collect::<Vec<_>>());
            }
        }
    }
}
