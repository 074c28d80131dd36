use steadfetch_core::engine::CallId;

/// Values by call, in the slots that the engine gave to the calls.
pub(super) struct Table<T> {
    slots: Vec<Option<(u32, T)>>,
}

impl<T> Table<T> {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    pub(super) fn insert(&mut self, id: CallId, value: T) {
        let index = id.index as usize;
        if index >= self.slots.len() {
            self.slots.resize_with(index.saturating_add(1), || None);
        }
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = Some((id.generation, value));
        }
    }

    pub(super) fn get(&self, id: CallId) -> Option<&T> {
        match self.slots.get(id.index as usize) {
            Some(Some((generation, value))) if *generation == id.generation => Some(value),
            _ => None,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().flatten().map(|(_, value)| value)
    }

    pub(super) fn remove(&mut self, id: CallId) -> Option<T> {
        self.get(id)?;
        self.slots.get_mut(id.index as usize)?.take().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_an_earlier_use_of_the_slot_finds_nothing() {
        let mut table = Table::new();
        let (old, new) = (CallId { index: 2, generation: 0 }, CallId { index: 2, generation: 1 });
        table.insert(old, "old");
        assert_eq!(table.remove(old), Some("old"));
        table.insert(new, "new");
        assert_eq!(table.get(old), None);
        assert_eq!(table.remove(old), None);
        assert_eq!(table.get(new), Some(&"new"));
    }
}
