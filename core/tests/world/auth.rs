//! An `auth` object: what its callbacks do, and what its driver keeps of it.

use std::collections::VecDeque;

use steadfetch_core::refresh::{AuthEvent, RefreshOptions, Token, Verb};
use steadfetch_core::time::Instant;

/// What somebody who was asked says at last.
#[derive(Clone, Copy, Debug)]
pub enum Reply {
    /// `getToken` gives what is stored.
    Stored,
    /// `refreshToken` gives a token, and has stored it.
    New(u32),
    /// Anything else.
    Event(AuthEvent),
}

/// A reply and after how long; `None`: never.
pub type Plan = (Option<u64>, Reply);

pub const OFFLINE: Reply = Reply::Event(AuthEvent::Failed { lost: false, status: 0 });

pub struct Auth {
    pub options: RefreshOptions,
    /// What `getToken` gives.
    pub stored: Option<u32>,
    /// When each token expires; never if it is not said.
    pub expires: fn(u32) -> Instant,
    /// The only token that the server takes.
    pub valid: u32,
    /// What is done when the driver is asked for something; when empty, at once what goes well.
    pub plans: VecDeque<Plan>,
    pub lock_plans: VecDeque<Plan>,
    pub refreshes: VecDeque<Plan>,
    /// What was done, and when.
    pub did: Vec<(Verb, u64)>,
    /// Nobody reports what was not asked for: what must hold then is looked at.
    pub strict: bool,
    given: Option<Option<u32>>,
    pub current: Option<u32>,
    offered: Option<u32>,
    /// How often what is sent has changed, or was renewed.
    pub generation: u32,
    /// The latest one that had a 401 which was not a resend's.
    pub refused: Option<u32>,
    /// A refresh of this one is under way, or went well.
    refreshed: Option<u32>,
    outstanding: Option<(Verb, u64)>,
    /// `refreshToken` has renewed what `getToken` is now asked for.
    renewed: bool,
    pub locked: bool,
}

impl Auth {
    /// A session whose token 1 is stored and good.
    pub fn new(options: RefreshOptions) -> Self {
        Self {
            options,
            stored: Some(1),
            expires: |_| Instant::NEVER,
            valid: 1,
            plans: VecDeque::new(),
            lock_plans: VecDeque::new(),
            refreshes: VecDeque::new(),
            did: Vec::new(),
            strict: true,
            given: None,
            current: None,
            offered: None,
            generation: 0,
            refused: None,
            refreshed: None,
            outstanding: None,
            renewed: false,
            locked: false,
        }
    }

    pub fn count(&self, verb: Verb) -> usize {
        self.did.iter().filter(|done| done.0 == verb).count()
    }

    /// Does what the engine wants. What will be reported, and when.
    pub fn act(&mut self, now: u64, verb: Verb, ticket: u64) -> Option<(u64, Reply)> {
        self.did.push((verb, now));
        let asks = matches!(verb, Verb::AskToken | Verb::Lock | Verb::Steal | Verb::CallRefresh);
        if asks {
            let steals = verb == Verb::Steal && self.outstanding.is_some_and(|asked| asked.0 == Verb::Lock);
            assert!(!self.strict || steals || self.outstanding.is_none(), "one thing at a time");
            self.outstanding = Some((verb, ticket));
        }
        let plan = match verb {
            Verb::AskToken => {
                assert!(self.options.get_token, "there is no getToken");
                self.plans.pop_front().unwrap_or((Some(0), Reply::Stored))
            }
            Verb::Lock | Verb::Steal => {
                assert!(self.options.lock, "there is no lock");
                self.lock_plans.pop_front().unwrap_or((Some(0), Reply::Event(AuthEvent::Locked)))
            }
            Verb::CallRefresh => {
                if self.strict {
                    let early = self.current.is_some_and(|token| (self.expires)(token) != Instant::NEVER);
                    assert!(early || self.refused == Some(self.generation), "a refresh without a reason");
                    assert_ne!(self.refreshed, Some(self.generation), "two refreshes of one generation");
                }
                self.refreshed = Some(self.generation);
                self.refreshes.pop_front().unwrap_or((Some(0), Reply::New(self.valid + 1)))
            }
            Verb::Adopt => {
                self.current = self.offered;
                self.generation += 1;
                return None;
            }
            Verb::Unlock => {
                self.locked = false;
                if matches!(self.outstanding, Some((Verb::Lock | Verb::Steal, _))) {
                    self.outstanding = None;
                }
                return None;
            }
            Verb::Abort => {
                self.outstanding = None;
                (self.refreshed, self.renewed) = (None, false);
                return None;
            }
        };
        plan.0.map(|after| (after, plan.1))
    }

    /// The report of a reply.
    pub fn report(&mut self, ticket: u64, reply: Reply) -> AuthEvent {
        let answered = self.outstanding.is_some_and(|asked| asked.1 == ticket);
        if answered {
            self.outstanding = None;
        }
        match reply {
            Reply::Stored => {
                let before = self.given.replace(self.stored);
                self.offered = self.stored;
                // A repeated string is renewed all the same.
                self.generation += u32::from(answered && std::mem::take(&mut self.renewed));
                AuthEvent::Token(Token {
                    present: self.stored.is_some(),
                    repeated: before == Some(self.stored),
                    current: before.is_some() && self.current == self.stored,
                    expires: self.stored.map_or(Instant::NEVER, self.expires),
                })
            }
            Reply::New(token) => {
                self.valid = token;
                self.stored = Some(token);
                self.offered = Some(token);
                AuthEvent::Refreshed { expires: (self.expires)(token) }
            }
            Reply::Event(event) => {
                match event {
                    AuthEvent::Locked => self.locked = answered,
                    AuthEvent::Lost => (self.locked, self.refreshed) = (false, None),
                    AuthEvent::Failed { .. } => (self.refreshed, self.renewed) = (None, false),
                    AuthEvent::Renewed if answered && self.options.get_token => self.renewed = true,
                    AuthEvent::Renewed if answered => self.generation += 1,
                    _ => {}
                }
                event
            }
        }
    }
}
