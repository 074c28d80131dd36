//! The tokens that calls are sent with. Behind traits, so that an app that has none links nothing of them.

use std::rc::Rc;

use steadfetch_core::engine::Head;
use steadfetch_core::refresh::Verb;

use super::{Call, Credential, Driver};
use crate::error::{Cause, Error};

/// The tokens of one [`Auth`](crate::Auth) in this thread.
pub(crate) trait Keeper {
    /// Does what the engine says.
    fn perform(self: Rc<Self>, driver: &Rc<Driver>, verb: Verb, ticket: u64);

    /// The callback that ran for this ticket has panicked.
    fn crashed(self: Rc<Self>, driver: &Rc<Driver>, ticket: u64);

    /// The part of a call whose answers count if they come from these origins.
    fn authorize(self: Rc<Self>, origins: Vec<String>) -> Box<dyn Authorization>;

    /// Nobody can ask for it any more, and nothing is under way.
    fn is_gone(&self) -> bool;
}

/// The part that one call has in an [`Auth`](crate::Auth).
pub(crate) trait Authorization {
    /// The number by which the engine knows it.
    fn number(&self) -> u32;

    /// What is sent along now.
    fn credential(&self) -> Option<Credential>;

    /// Whether an answer asks for a refresh: reports its head when that is known.
    fn judge(&self, driver: &Rc<Driver>, call: &Rc<Call>, attempt: u32, head: Head);

    /// What a callback has failed with, where it is to blame for the end of a call.
    fn cause(&self, error: &Error) -> Option<Cause>;
}

/// All that this thread has, by their numbers.
#[derive(Default)]
pub(super) struct Auths(Vec<(u32, Rc<dyn Keeper>)>);

impl Driver {
    pub(crate) fn keeper(&self, number: u32) -> Option<Rc<dyn Keeper>> {
        let auths = self.auths.try_borrow().ok()?;
        auths.0.iter().find(|(known, _)| *known == number).map(|(_, keeper)| keeper.clone())
    }

    /// Adds one. Those that are gone are taken out and given back: an [`Auth`](crate::Auth) may be dropped in any thread,
    /// so they are looked through when another one comes.
    pub(crate) fn keep(&self, number: u32, keeper: Rc<dyn Keeper>) -> Vec<(u32, Rc<dyn Keeper>)> {
        let Ok(mut auths) = self.auths.try_borrow_mut() else { return Vec::new() };
        let gone = auths.0.extract_if(.., |(_, keeper)| keeper.is_gone()).collect();
        auths.0.push((number, keeper));
        gone
    }

    #[cfg(test)]
    pub(crate) fn auth_count(&self) -> usize {
        self.auths.borrow().0.len()
    }

    /// The calls that are under way with it.
    pub(crate) fn calls_with(&self, auth: u32) -> Vec<Rc<Call>> {
        let Ok(calls) = self.calls.try_borrow() else { return Vec::new() };
        let has = |call: &&Rc<Call>| call.authorization.as_ref().is_some_and(|own| own.number() == auth);
        calls.iter().filter(has).cloned().collect()
    }
}
