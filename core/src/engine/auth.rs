//! The token refreshes of all `auth` objects, each with its number.
//!
//! Without the feature `guard` there is none: see [`anonymous`](super::anonymous).

use alloc::vec::Vec;

use super::Facts;
use crate::phase::Phase;
use crate::refresh::{AuthAction, AuthEvent, Refresh, RefreshOptions};
use crate::slab::CallId;
use crate::table::Table;
use crate::time::{Instant, Millis};

pub(super) use crate::refresh::{Answer, Place};

struct Group {
    refresh: Refresh,
    /// The client whose call has set going what is under way: it counts the refresh.
    client: u64,
    /// The `auth` object is gone; what is under way ends first.
    gone: bool,
}

/// All refreshes.
pub(super) struct Auths {
    groups: Table<Group>,
    /// When to look at those that wait for a report.
    due: Vec<(Instant, u32)>,
    /// Those that may have something to say.
    stirred: Vec<u32>,
}

impl Auths {
    /// There may be some.
    #[cfg_attr(feature = "late", allow(dead_code, reason = "the one that comes late says so"))]
    pub(super) const ANY: bool = true;

    pub(super) const fn new() -> Self {
        Self { groups: Table::new(), due: Vec::new(), stirred: Vec::new() }
    }

    /// Makes the group of this number, unless there is one.
    pub(super) fn set(&mut self, auth: u32, options: RefreshOptions) {
        let make = || Group { refresh: Refresh::new(options), client: 0, gone: false };
        if let Some(group) = self.groups.entry(u64::from(auth), make) {
            group.gone = false;
        }
    }

    /// The `auth` object is gone.
    pub(super) fn drop(&mut self, auth: u32) {
        if let Some(group) = self.group(auth) {
            group.gone = true;
            self.rest(auth);
        }
    }

    /// A call wants to send its first attempt, or a retry.
    pub(super) fn need(&mut self, now: Instant, facts: &Facts, call: CallId, leaving: bool) -> Answer {
        let ask = |refresh: &mut Refresh| refresh.need(now, call, leaving);
        self.ask(facts, ask).unwrap_or(Answer::Send)
    }

    /// What a call sent at that moment was refused.
    pub(super) fn unauthorized(
        &mut self,
        now: Instant,
        facts: &Facts,
        call: CallId,
        sent: u64,
        resent: bool,
    ) -> Answer {
        let ask = |refresh: &mut Refresh| refresh.unauthorized(now, call, sent, resent);
        self.ask(facts, ask).unwrap_or(Answer::Accept)
    }

    /// The moment that belongs to what is sent now.
    pub(super) fn moment(&mut self, facts: &Facts) -> u64 {
        self.group(facts.auth).map_or(0, |group| group.refresh.moment())
    }

    /// Whether the token is being refreshed.
    pub(super) fn is_refreshing(&mut self, facts: &Facts) -> bool {
        let refresh =
            |group: &mut Group| group.refresh.deadline() != Instant::NEVER && group.refresh.phase() == Phase::Refresh;
        self.group(facts.auth).is_some_and(refresh)
    }

    /// What a call that waits is waiting for, or was until it was told.
    pub(super) fn phase(&mut self, facts: &Facts) -> Phase {
        self.group(facts.auth).map_or(Phase::Auth, |group| group.refresh.phase())
    }

    /// How long a callback may take.
    pub(super) fn patience(&mut self, facts: &Facts) -> Millis {
        self.group(facts.auth).map_or(Millis::NONE, |group| group.refresh.timeout())
    }

    /// A waiting call has ended.
    pub(super) fn leave(&mut self, facts: &Facts, place: Place) {
        if let Some(group) = self.group(facts.auth) {
            group.refresh.leave(place);
        }
    }

    /// The driver reports something.
    pub(super) fn on_event(&mut self, now: Instant, auth: u32, ticket: u64, event: AuthEvent) {
        self.with(auth, |group| group.refresh.on_event(now, ticket, event));
    }

    /// The first limit that passes, and whose.
    pub(super) fn least(&self) -> Option<(Instant, u32)> {
        self.due.iter().min().copied()
    }

    /// The limit of this group has passed.
    pub(super) fn on_timeout(&mut self, now: Instant, auth: u32) {
        self.due.retain(|due| due.1 != auth);
        self.with(auth, |group| group.refresh.on_timeout(now));
    }

    /// The next thing that a driver is to do, for which `auth` object, and which client's call was the cause.
    pub(super) fn action(&mut self) -> Option<(u32, AuthAction, u64)> {
        let Self { groups, stirred, .. } = self;
        stirred.iter().find_map(|auth| {
            let group = groups.get_mut(u64::from(*auth))?;
            let action = group.refresh.poll_action()?;
            Some((*auth, action, group.client))
        })
    }

    /// The next call whose wait is over. To be asked when there is no action left: what it is to send may be among them.
    pub(super) fn told(&mut self) -> Option<(CallId, Answer)> {
        while let Some(auth) = self.stirred.last().copied() {
            let told = self.group(auth).and_then(|group| group.refresh.poll_told());
            if told.is_some() {
                return told;
            }
            self.stirred.pop();
            self.rest(auth);
        }
        None
    }

    /// A group has nothing to say any more.
    fn rest(&mut self, auth: u32) {
        self.due.retain(|due| due.1 != auth);
        let Some(group) = self.group(auth) else { return };
        let (at, gone) = (group.refresh.deadline(), group.gone);
        if at != Instant::NEVER {
            self.due.push((at, auth));
        } else if gone {
            self.groups.remove(u64::from(auth));
        }
    }

    fn group(&mut self, auth: u32) -> Option<&mut Group> {
        self.groups.get_mut(u64::from(auth))
    }

    fn ask(&mut self, facts: &Facts, act: impl FnOnce(&mut Refresh) -> Answer) -> Option<Answer> {
        self.with(facts.auth, |group| {
            if group.refresh.deadline() == Instant::NEVER {
                group.client = facts.keys.metrics;
            }
            act(&mut group.refresh)
        })
    }

    fn with<T>(&mut self, auth: u32, act: impl FnOnce(&mut Group) -> T) -> Option<T> {
        let result = act(self.group(auth)?);
        if !self.stirred.contains(&auth) {
            self.stirred.push(auth);
        }
        Some(result)
    }
}
