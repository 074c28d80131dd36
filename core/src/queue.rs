//! The bounded queue: so many attempts at once for each origin, so many calls waiting for their turn, and no more.
//!
//! Within an origin the order is: retries and resends, then the priorities high, auto, low; within a priority the keys
//! take turns; within a key first come, first served. Who has waited 2 s moves one priority up and waits for no turn of
//! its key any more, so that nobody starves. Every operation takes constant time on the average, in memory that is read
//! in order: with 100 000 waiting calls a heap spends its time on cache misses.

use alloc::collections::VecDeque;

use crate::slab::{CallId, Slab};
use crate::table::Table;
use crate::time::{Instant, Millis};

/// How long a call waits before it moves up.
const STEP_UP: Millis = Millis(2_000);
const LEVELS: usize = 4;

/// `queue`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueOptions {
    /// How many attempts are out at once.
    pub concurrency: u32,
    /// How many first attempts may wait.
    pub limit: u32,
    /// How long an attempt may wait.
    pub timeout: Millis,
}

/// `priority`, with a level above for what is sent again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Priority {
    /// A retry or a resend.
    Again = 0,
    /// 'high'
    High = 1,
    /// 'auto'
    #[default]
    Auto = 2,
    /// 'low'
    Low = 3,
}

impl Priority {
    /// The words of `priority`, each at its number.
    pub const WORDS: [&'static str; 4] = ["", "high", "auto", "low"];
}

/// A place in a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    lane: u64,
    entry: CallId,
}

/// What became of a call that asked for a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// It has one.
    Slot,
    /// It waits.
    Waiting(Ticket),
    /// There is no place to wait.
    Full,
}

struct Entry {
    call: CallId,
    level: usize,
    /// Retries and resends do not count against the limit.
    again: bool,
}

type List = VecDeque<CallId>;

/// The waiting calls of one priority. The lists hold ids; one that is no longer waiting is passed over.
#[derive(Default)]
struct Level {
    /// Those that moved up, in that order: they go first.
    stepped: List,
    /// The others by key, and whose turn is next. A key is in the ring as long as it has a list.
    lists: Table<List>,
    ring: VecDeque<u64>,
}

#[derive(Default)]
struct Lane {
    active: u32,
    waiting: Slab<Entry>,
    /// Waiting first attempts.
    first: u32,
    levels: [Level; LEVELS],
    /// Who moves up when: from low, from auto; each in order of time.
    steps: [VecDeque<(Instant, CallId)>; 2],
    /// Ids in lists whose calls have gone.
    stale: usize,
    /// Steps taken: what must not grow faster than the entries.
    #[cfg(test)]
    work: u64,
}

/// All lanes: one for each origin of each queue that a client has. A lane in which nothing runs or waits is forgotten
/// when another one is, so clients come and go without a trace.
#[derive(Default)]
pub struct Queue {
    lanes: Table<Lane>,
    /// The lane that was the last to be empty. It stays, since most calls go where the one before went.
    idle: u64,
}

impl Queue {
    /// No lane yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { lanes: Table::new(), idle: 0 }
    }

    /// A call wants to send an attempt in this lane. `key` divides the turns.
    pub fn enter(
        &mut self,
        now: Instant,
        place: u64,
        options: &QueueOptions,
        key: u64,
        priority: Priority,
        call: CallId,
    ) -> Entered {
        let QueueOptions { concurrency, limit, .. } = *options;
        let Some(lane) = self.lanes.entry(place, Lane::default) else { return Entered::Full };
        if lane.active < concurrency && lane.waiting.len() == 0 {
            lane.active = lane.active.saturating_add(1);
            return Entered::Slot;
        }
        if priority != Priority::Again && lane.first >= limit {
            return Entered::Full;
        }
        Entered::Waiting(Ticket { lane: place, entry: lane.wait(now, key, priority, call) })
    }

    /// A waiting call gives up its place.
    pub fn leave(&mut self, ticket: Ticket) {
        if let Some(lane) = self.lanes.get_mut(ticket.lane) {
            lane.leave(ticket.entry);
        }
        self.forget(ticket.lane);
    }

    /// A slot of this lane is free again. The call that gets it, if one waits.
    pub fn release(&mut self, now: Instant, place: u64, options: &QueueOptions) -> Option<CallId> {
        let lane = self.lanes.get_mut(place)?;
        lane.active = lane.active.saturating_sub(1);
        let next = if lane.active < options.concurrency { lane.next(now) } else { None };
        if next.is_some() {
            lane.active = lane.active.saturating_add(1);
        }
        self.forget(place);
        next
    }

    /// Attempts out and calls waiting, over all origins.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        self.lanes.iter().fold((0, 0), |(active, waiting), (_, lane)| {
            (active.saturating_add(lane.active as usize), waiting.saturating_add(lane.waiting.len()))
        })
    }

    fn forget(&mut self, place: u64) {
        if place == self.idle || !self.is_empty(place) {
            return;
        }
        let before = core::mem::replace(&mut self.idle, place);
        if self.is_empty(before) {
            self.lanes.remove(before);
        }
    }

    fn is_empty(&mut self, place: u64) -> bool {
        self.lanes.get_mut(place).is_some_and(|lane| lane.active == 0 && lane.waiting.len() == 0)
    }
}

impl Lane {
    #[cfg(test)]
    fn count(&mut self, steps: u64) {
        self.work += steps;
    }

    fn wait(&mut self, now: Instant, key: u64, priority: Priority, call: CallId) -> CallId {
        self.step_up(now);
        let level = priority as usize;
        let again = priority == Priority::Again;
        let id = self.waiting.insert(Entry { call, level, again });
        self.first = self.first.saturating_add(u32::from(!again));
        if let Some(level) = self.levels.get_mut(level) {
            let ring = &mut level.ring;
            let list = level.lists.entry(key, || {
                ring.push_back(key);
                List::new()
            });
            if let Some(list) = list {
                list.push_back(id);
            }
        }
        self.will_step_up(now, id, level);
        id
    }

    fn will_step_up(&mut self, now: Instant, id: CallId, level: usize) {
        if let Some(list) = (Priority::Low as usize).checked_sub(level).and_then(|list| self.steps.get_mut(list)) {
            list.push_back((now + STEP_UP, id));
        }
    }

    fn step_up(&mut self, now: Instant) {
        for list in 0..self.steps.len() {
            while let Some(&(at, id)) = self.steps.get(list).and_then(VecDeque::front)
                && at <= now
            {
                #[cfg(test)]
                self.count(1);
                if let Some(steps) = self.steps.get_mut(list) {
                    steps.pop_front();
                }
                let Some(entry) = self.waiting.get_mut(id) else { continue };
                entry.level = entry.level.saturating_sub(1);
                let level = entry.level;
                if let Some(level) = self.levels.get_mut(level) {
                    level.stepped.push_back(id);
                    // Its id in the list of its key is one too many.
                    self.stale = self.stale.saturating_add(1);
                }
                self.will_step_up(at, id, level);
            }
        }
    }

    fn next(&mut self, now: Instant) -> Option<CallId> {
        self.step_up(now);
        for place in 0..LEVELS {
            while let Some(id) = self.levels.get_mut(place).and_then(Level::pop) {
                #[cfg(test)]
                self.count(1);
                // One that moved up stands in the list of its old level too.
                if self.waiting.get_mut(id).is_some_and(|entry| entry.level == place) {
                    return self.take(id);
                }
                self.stale = self.stale.saturating_sub(1);
            }
        }
        None
    }

    /// A waiting call leaves from the middle: its ids stay in the lists until they are come upon, or are too many.
    fn leave(&mut self, id: CallId) {
        if self.take(id).is_none() {
            return;
        }
        self.stale = self.stale.saturating_add(1);
        if self.stale > self.waiting.len().saturating_add(64) {
            #[cfg(test)]
            self.count(self.stale as u64 + self.waiting.len() as u64);
            self.stale = 0;
            let waiting = &mut self.waiting;
            for (place, level) in self.levels.iter_mut().enumerate() {
                let mut waits = |id: &CallId| waiting.get_mut(*id).is_some_and(|entry| entry.level == place);
                level.stepped.retain(&mut waits);
                level.lists.for_each(|list| list.retain(&mut waits));
            }
            for list in &mut self.steps {
                list.retain(|(_, id)| waiting.get_mut(*id).is_some());
            }
        }
    }

    fn take(&mut self, id: CallId) -> Option<CallId> {
        let entry = self.waiting.get_mut(id)?;
        let (call, again) = (entry.call, entry.again);
        self.first = self.first.saturating_sub(u32::from(!again));
        self.waiting.remove(id);
        if self.waiting.len() == 0 {
            *self = Self {
                active: self.active,
                #[cfg(test)]
                work: self.work,
                ..Self::default()
            };
        }
        Some(call)
    }
}

impl Level {
    /// The next id, which may be one that no longer waits here.
    fn pop(&mut self) -> Option<CallId> {
        if let Some(id) = self.stepped.pop_front() {
            return Some(id);
        }
        while let Some(key) = self.ring.pop_front() {
            let id = self.lists.get_mut(key).and_then(List::pop_front);
            if id.is_some() {
                self.ring.push_back(key);
                return id;
            }
            self.lists.remove(key);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const A: u64 = 11;
    const B: u64 = 22;

    fn id(index: u32) -> CallId {
        CallId { index, generation: 0 }
    }

    /// A queue with the options of its only client.
    struct Subject {
        queue: Queue,
        options: QueueOptions,
    }

    impl Subject {
        fn enter(&mut self, now: Instant, lane: u64, key: u64, priority: Priority, call: CallId) -> Entered {
            self.queue.enter(now, lane, &self.options, key, priority, call)
        }

        fn release(&mut self, now: Instant, lane: u64) -> Option<CallId> {
            self.queue.release(now, lane, &self.options)
        }

        fn leave(&mut self, ticket: Ticket) {
            self.queue.leave(ticket);
        }

        fn counts(&self) -> (usize, usize) {
            self.queue.counts()
        }
    }

    fn queue(concurrency: u32, limit: u32) -> Subject {
        Subject { queue: Queue::default(), options: QueueOptions { concurrency, limit, timeout: Millis::NONE } }
    }

    fn enter(queue: &mut Subject, at: u64, key: u64, priority: Priority, call: u32) -> Entered {
        queue.enter(Instant(at), A, key, priority, id(call))
    }

    /// Releases one slot after the other and collects who gets it.
    fn drain(queue: &mut Subject, now: u64) -> Vec<u32> {
        core::iter::from_fn(|| queue.release(Instant(now), A)).map(|call| call.index).collect()
    }

    #[test]
    fn k09_so_many_run_so_many_wait_the_rest_is_refused() {
        let mut queue = queue(1, 2);
        let entered: Vec<Entered> = (0..10).map(|call| enter(&mut queue, 0, 0, Priority::Auto, call)).collect();
        assert_eq!(entered.iter().filter(|entered| **entered == Entered::Full).count(), 7);
        assert_eq!(queue.counts(), (1, 2));
        assert_eq!(drain(&mut queue, 0), [1, 2]);
        assert_eq!(queue.counts(), (0, 0));
    }

    #[test]
    fn without_places_to_wait_it_is_a_pure_limit() {
        let mut queue = queue(2, 0);
        assert_eq!(enter(&mut queue, 0, 0, Priority::Auto, 1), Entered::Slot);
        assert_eq!(enter(&mut queue, 0, 0, Priority::Auto, 2), Entered::Slot);
        assert_eq!(enter(&mut queue, 0, 0, Priority::Auto, 3), Entered::Full);
    }

    #[test]
    fn k02_a_place_that_was_given_up_is_free() {
        let mut queue = queue(1, 1);
        enter(&mut queue, 0, 0, Priority::Auto, 1);
        let Entered::Waiting(ticket) = enter(&mut queue, 0, 0, Priority::Auto, 2) else { panic!() };
        assert_eq!(enter(&mut queue, 0, 0, Priority::Auto, 3), Entered::Full);
        queue.leave(ticket);
        queue.leave(ticket);
        assert!(matches!(enter(&mut queue, 0, 0, Priority::Auto, 3), Entered::Waiting(_)));
        assert_eq!(drain(&mut queue, 0), [3]);
    }

    #[test]
    fn k11_origins_do_not_stand_in_each_others_way() {
        let mut queue = queue(1, 1);
        assert_eq!(queue.enter(Instant(0), A, 0, Priority::Auto, id(1)), Entered::Slot);
        assert_eq!(queue.enter(Instant(0), B, 0, Priority::Auto, id(2)), Entered::Slot);
        assert_eq!(queue.release(Instant(0), B), None);
        assert_eq!(queue.counts(), (1, 0));
    }

    #[test]
    fn an_empty_lane_stays_until_the_next_one_is_empty() {
        let mut queue = queue(1, 1);
        for lane in 1..100 {
            assert_eq!(queue.enter(Instant(0), lane, 0, Priority::Auto, id(1)), Entered::Slot);
            assert_eq!(queue.release(Instant(0), lane), None);
            assert_eq!(queue.queue.lanes.len(), 1);
        }
        assert_eq!(queue.enter(Instant(0), 99, 0, Priority::Auto, id(1)), Entered::Slot, "it is as good as new");
        assert_eq!(queue.counts(), (1, 0));
    }

    #[test]
    fn priorities_go_in_order_and_what_is_sent_again_goes_first() {
        let mut queue = queue(1, 10);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        enter(&mut queue, 0, 0, Priority::Low, 1);
        enter(&mut queue, 0, 0, Priority::Auto, 2);
        enter(&mut queue, 0, 0, Priority::High, 3);
        enter(&mut queue, 0, 0, Priority::Auto, 4);
        enter(&mut queue, 0, 0, Priority::Again, 5);
        assert_eq!(drain(&mut queue, 0), [5, 3, 2, 4, 1]);
    }

    #[test]
    fn what_is_sent_again_takes_no_place_from_the_limit() {
        let mut queue = queue(1, 1);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        assert!(matches!(enter(&mut queue, 0, 0, Priority::Auto, 1), Entered::Waiting(_)));
        assert!(matches!(enter(&mut queue, 0, 0, Priority::Again, 2), Entered::Waiting(_)));
        assert_eq!(enter(&mut queue, 0, 0, Priority::Auto, 3), Entered::Full);
    }

    #[test]
    fn keys_take_turns() {
        let mut queue = queue(1, 100);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        for call in 1..=4 {
            enter(&mut queue, 0, 7, Priority::Auto, call);
        }
        for call in 5..=6 {
            enter(&mut queue, 0, 8, Priority::Auto, call);
        }
        enter(&mut queue, 0, 9, Priority::Auto, 7);
        assert_eq!(drain(&mut queue, 0), [1, 5, 7, 2, 6, 3, 4]);
    }

    #[test]
    fn a_key_that_comes_late_does_not_get_the_turns_it_missed() {
        let mut queue = queue(1, 100);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        for call in 1..=6 {
            enter(&mut queue, 0, 7, Priority::Auto, call);
        }
        assert_eq!(queue.release(Instant(0), A), Some(id(1)));
        assert_eq!(queue.release(Instant(0), A), Some(id(2)));
        assert_eq!(queue.release(Instant(0), A), Some(id(3)));
        for call in 11..=13 {
            enter(&mut queue, 0, 8, Priority::Auto, call);
        }
        assert_eq!(drain(&mut queue, 0), [4, 11, 5, 12, 6, 13]);
    }

    #[test]
    fn who_waits_moves_up() {
        let mut queue = queue(1, 100);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        enter(&mut queue, 0, 0, Priority::Low, 1);
        enter(&mut queue, 3_000, 0, Priority::Auto, 2);
        enter(&mut queue, 3_000, 0, Priority::High, 3);
        // After 2 s the low one is auto, and it was there first.
        assert_eq!(queue.release(Instant(3_000), A), Some(id(3)));
        assert_eq!(queue.release(Instant(3_000), A), Some(id(1)));

        enter(&mut queue, 3_000, 0, Priority::Low, 4);
        enter(&mut queue, 7_500, 0, Priority::High, 5);
        // After 4 s it is high.
        assert_eq!(drain(&mut queue, 7_500), [2, 4, 5]);
    }

    #[test]
    fn nobody_starves() {
        let mut queue = queue(1, 1_000);
        enter(&mut queue, 0, 0, Priority::Auto, 0);
        enter(&mut queue, 0, 0, Priority::Low, 9_999);
        let mut served = Vec::new();
        for call in 1..1_000 {
            enter(&mut queue, u64::from(call) * 10, 0, Priority::High, call);
            served.push(queue.release(Instant(u64::from(call) * 10), A).unwrap().index);
        }
        let place = served.iter().position(|call| *call == 9_999).expect("served");
        assert!(place < 410, "after little more than 4 s, was {place}");
    }

    /// Steps taken by the lists of a queue that so many calls enter, half of them leave, and the rest get their turn.
    fn work(entries: u32) -> u64 {
        let mut queue = queue(1, u32::MAX);
        let mut tickets = Vec::new();
        for call in 0..entries {
            if let Entered::Waiting(ticket) = enter(
                &mut queue,
                u64::from(call) * 5_000 / u64::from(entries),
                u64::from(call % 100),
                Priority::Low,
                call,
            ) {
                tickets.push(ticket);
            }
        }
        for ticket in tickets.iter().step_by(2) {
            queue.leave(*ticket);
        }
        let mut work = 0;
        while queue.release(Instant(9_000), A).is_some() {
            work = queue.queue.lanes.get_mut(A).map_or(work, |lane| lane.work);
        }
        work
    }

    #[test]
    fn ten_times_the_entries_are_ten_times_the_work() {
        let (few, many) = (work(10_000), work(100_000));
        assert!(many <= few * 12, "{few} steps for 10 000, {many} for 100 000");
        assert!(many <= 8 * 100_000, "a handful of steps for each");
    }

    proptest::proptest! {
        /// Random callers; the slots, the places and the order within a key against plain lists.
        #[test]
        fn it_agrees_with_plain_lists(concurrency in 1_u32..4, limit in 0_u32..6, steps: Vec<(u8, u8)>) {
            let mut queue = queue(concurrency, limit);
            let (mut active, mut waiting) = (0_u32, Vec::<(u32, u64, bool, Ticket)>::new());
            for (call, (kind, pick)) in steps.into_iter().enumerate() {
                let call = call as u32;
                match kind % 4 {
                    0 | 1 => {
                        let again = pick % 5 == 0;
                        let priority = if again { Priority::Again } else { Priority::Auto };
                        let key = u64::from(pick % 3);
                        let first = waiting.iter().filter(|(_, _, again, _)| !again).count() as u32;
                        match enter(&mut queue, 0, key, priority, call) {
                            Entered::Slot => {
                                proptest::prop_assert!(active < concurrency && waiting.is_empty());
                                active += 1;
                            }
                            Entered::Waiting(ticket) => {
                                proptest::prop_assert!(active >= concurrency && (again || first < limit));
                                waiting.push((call, key, again, ticket));
                            }
                            Entered::Full => proptest::prop_assert!(active >= concurrency && !again && first >= limit),
                        }
                    }
                    2 if active > 0 => {
                        let next = queue.release(Instant(0), A);
                        proptest::prop_assert_eq!(next.is_some(), !waiting.is_empty());
                        match next {
                            None => active -= 1,
                            Some(next) => {
                                let place = waiting.iter().position(|entry| entry.0 == next.index).expect("waits");
                                let (_, key, again, _) = waiting.remove(place);
                                proptest::prop_assert!(again || waiting.iter().all(|entry| !entry.2), "again goes first");
                                let earlier = waiting.iter().take(place).any(|entry| entry.1 == key && entry.2 == again);
                                proptest::prop_assert!(!earlier, "first come, first served within a key");
                            }
                        }
                    }
                    3 if !waiting.is_empty() => {
                        let (.., ticket) = waiting.remove(usize::from(pick) % waiting.len());
                        queue.leave(ticket);
                    }
                    _ => {}
                }
                proptest::prop_assert_eq!(queue.counts(), (active as usize, waiting.len()));
            }
        }
    }
}
