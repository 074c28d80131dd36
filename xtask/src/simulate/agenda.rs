//! Who is due when: one list of clients for each millisecond.
//!
//! A client waits for one thing at a time, so a link for each is enough: a million of them take 4 MB, and both
//! operations take constant time.

/// No client.
const END: u32 = u32::MAX;

pub(crate) struct Agenda {
    /// The first client that is due in each millisecond.
    first: Vec<u32>,
    /// Who is due together with this client.
    next: Vec<u32>,
}

impl Agenda {
    /// For so many clients and milliseconds.
    pub(crate) fn new(clients: u32, length: u64) -> Self {
        Self { first: vec![END; length as usize], next: vec![END; clients as usize] }
    }

    /// `client` is due at `at`; past the last millisecond it never is.
    pub(crate) fn add(&mut self, at: u64, client: u32) {
        if let Some(first) = self.first.get_mut(at as usize) {
            self.next[client as usize] = std::mem::replace(first, client);
        }
    }

    /// Takes out one that is due at `at`.
    pub(crate) fn take(&mut self, at: u64) -> Option<u32> {
        let first = self.first.get_mut(at as usize)?;
        let client = *first;
        if client == END {
            return None;
        }
        *first = self.next[client as usize];
        Some(client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_due_once_in_their_millisecond() {
        let mut agenda = Agenda::new(4, 10);
        for (at, client) in [(3, 0), (9, 1), (3, 2), (10, 3)] {
            agenda.add(at, client);
        }
        let mut due: Vec<u32> = std::iter::from_fn(|| agenda.take(3)).collect();
        due.sort_unstable();
        assert_eq!(due, [0, 2]);
        // Who has just been taken may be due again in the same millisecond.
        agenda.add(9, 0);
        assert_eq!([agenda.take(9), agenda.take(9), agenda.take(9)], [Some(0), Some(1), None]);
        assert_eq!(agenda.take(10), None);
    }
}
