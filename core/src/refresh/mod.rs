//! The token refresh: one for everybody, and what each call does meanwhile.
//!
//! There is one [`Refresh`] for each `auth` object, shared by all calls of all clients that have it. The strings stay
//! with the driver; here a token is a moment. One counter numbers all that happens, and a send carries what it showed:
//! a send from before the current token came had an older one, and a send from before a refresh of that token failed
//! belongs to the calls that have failed with it.
//!
//! `getToken` is asked before every send, because only it knows that somebody has logged out, or in as somebody else;
//! the calls that come while it is thinking share its answer. A token that it merely repeats is no news, so what a
//! refresh gave is not given up for a `getToken` that still says what it said before.
//!
//! Whose 401 started a refresh does not matter: nobody owns it, and it goes on when all have left.

mod protocol;
#[cfg(test)]
mod tests;
mod waiting;

pub use protocol::{Answer, AuthAction, AuthEvent, AuthFailure, RefreshOptions, Token, Verb};
pub use waiting::Place;

use crate::error::ErrorCode;
use crate::phase::Phase;
use crate::slab::CallId;
use crate::time::{Instant, Millis};
use waiting::Waiting;

/// What is under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    /// `getToken`, for calls that want to send.
    Asking,
    /// A refresh waits for its lock.
    Locking,
    /// It has waited long enough and takes it.
    Stealing,
    /// It has the lock and looks whether another tab has refreshed.
    Checking,
    /// `refreshToken`.
    Refreshing,
    /// It gave undefined: `getToken` has the token.
    Rereading,
}

/// The refresh of one `auth` object. After every method that changes it: perform [`poll_action`](Self::poll_action)
/// until it gives nothing, then tell the calls of [`poll_told`](Self::poll_told).
pub struct Refresh {
    options: RefreshOptions,
    stage: Stage,
    /// Counts what happens.
    moment: u64,
    /// What the awaited report carries; 0 if none is.
    ticket: u64,
    /// Since when the current token is it.
    since: u64,
    /// When a refresh of it has failed, and how.
    failed: u64,
    failure: AuthFailure,
    /// From when on it is refreshed before it is sent.
    due: Instant,
    /// Until when the awaited report may come.
    limit: Instant,
    /// There is something to send with, be it no token at all.
    known: bool,
    /// The current token had a 401, and what is under way is to help.
    refused: bool,
    /// The lock is ours, or asked for.
    locked: bool,
    /// What is over was `getToken`, and no refresh came of it.
    asked: bool,
    waiting: Waiting,
    /// What those who are to be told are told.
    answer: Answer,
    /// What the driver is to do, a bit for each verb.
    pending: u8,
    /// What it is to abort.
    aborted: u64,
}

impl Refresh {
    /// Nothing is known of a token yet.
    #[must_use]
    pub fn new(options: RefreshOptions) -> Self {
        Self {
            options,
            stage: Stage::Idle,
            moment: 0,
            ticket: 0,
            since: 0,
            failed: 0,
            failure: AuthFailure { code: ErrorCode::AuthRefreshFailed, timed_out: false, session_lost: false },
            due: Instant::NEVER,
            limit: Instant::NEVER,
            known: !options.get_token,
            refused: false,
            locked: false,
            asked: false,
            waiting: Waiting::default(),
            answer: Answer::Accept,
            pending: 0,
            aborted: 0,
        }
    }

    /// A call wants to send its first attempt, or a retry. `leaving`: its page is being left, so that what is at hand
    /// must do.
    pub fn need(&mut self, now: Instant, call: CallId, leaving: bool) -> Answer {
        if leaving && self.known {
            return Answer::Send;
        }
        if self.stage == Stage::Idle {
            if self.options.get_token {
                self.limit = now + self.options.timeout;
                self.request(now, Stage::Asking, Verb::AskToken);
            } else if self.due <= now {
                self.begin(now);
            } else {
                return Answer::Send;
            }
        }
        Answer::Wait(self.waiting.join(call))
    }

    /// The moment that belongs to what is sent now. To be asked when it goes out: since its answer a call may have stood
    /// in a queue, and what it sends then is newer.
    #[must_use]
    pub fn moment(&self) -> u64 {
        self.moment
    }

    /// What was sent at the moment `sent` had a 401, or what `shouldRefresh` takes for one. `resent`: it was the call's
    /// resend. A call that cannot be sent again asks too, so that the refresh runs, and gives up its place at once.
    pub fn unauthorized(&mut self, now: Instant, call: CallId, sent: u64, resent: bool) -> Answer {
        if resent {
            return Answer::Accept;
        }
        if sent < self.since && !self.refused {
            return Answer::Send;
        }
        if matches!(self.stage, Stage::Idle | Stage::Asking) && (self.since..self.failed).contains(&sent) {
            return Answer::Fail(self.failure);
        }
        self.refused = true;
        if self.stage == Stage::Idle {
            self.begin(now);
        }
        Answer::Wait(self.waiting.join(call))
    }

    /// A waiting call has ended. What it waits for goes on.
    pub fn leave(&mut self, place: Place) {
        self.waiting.leave(place);
    }

    /// Something happened. Ignored if it is not what is being waited for, a late success of `refreshToken` apart: the
    /// refresh token that it came with may be the only one that the server still takes.
    pub fn on_event(&mut self, now: Instant, ticket: u64, event: AuthEvent) {
        if ticket != self.ticket {
            // Unless there has been a newer token since: that one is better, or even somebody else's.
            if ticket > self.since {
                self.on_late(now, event);
            }
            return;
        }
        match (self.stage, event) {
            (Stage::Asking, AuthEvent::Token(token)) => self.on_asked(now, token),
            (Stage::Locking | Stage::Stealing, AuthEvent::Locked) => {
                // Others steal after as long a wait: what is done under the lock shares one limit.
                self.limit = now + self.options.timeout;
                if self.options.get_token {
                    self.request(now, Stage::Checking, Verb::AskToken);
                } else {
                    self.request(now, Stage::Refreshing, Verb::CallRefresh);
                }
            }
            (Stage::Locking | Stage::Stealing, AuthEvent::NoLock) => {
                self.locked = false;
                self.limit = now + self.options.timeout;
                self.request(now, Stage::Refreshing, Verb::CallRefresh);
            }
            (Stage::Checking, AuthEvent::Token(token)) => {
                // Without a token a 401 is still to be refreshed; without a 401 that is how it is to be sent.
                if is_news(token) && (token.present || !self.refused) {
                    self.adopt(now, token.expires, false);
                    self.finish(None);
                } else {
                    self.request(now, Stage::Refreshing, Verb::CallRefresh);
                }
            }
            (Stage::Refreshing, AuthEvent::Refreshed { expires }) => {
                self.adopt(now, expires, true);
                self.finish(None);
            }
            (Stage::Refreshing, AuthEvent::Renewed) if self.options.get_token => {
                self.request(now, Stage::Rereading, Verb::AskToken);
            }
            (Stage::Refreshing, AuthEvent::Renewed) => {
                self.renew(now, Instant::NEVER, true);
                self.finish(None);
            }
            (Stage::Refreshing, AuthEvent::Lost) => {
                self.locked = false;
                self.go_on(now);
            }
            (Stage::Rereading, AuthEvent::Token(token)) => {
                if is_news(token) {
                    self.adopt(now, token.expires, true);
                } else {
                    self.renew(now, token.expires, true);
                }
                self.finish(None);
            }
            (_, AuthEvent::Failed { lost, status }) => {
                let refresh = self.stage == Stage::Refreshing;
                let lost = refresh && (lost || matches!(status, 400 | 401 | 403));
                self.fail(refresh, false, lost);
            }
            _ => {}
        }
    }

    /// The time of [`deadline`](Self::deadline) has come, or it may have.
    pub fn on_timeout(&mut self, now: Instant) {
        if now < self.limit || self.stage == Stage::Idle {
            return;
        }
        match self.stage {
            Stage::Locking => {
                self.limit = now + self.options.timeout;
                self.request(now, Stage::Stealing, Verb::Steal);
                return;
            }
            Stage::Stealing => {}
            _ => self.abort(),
        }
        self.fail(matches!(self.stage, Stage::Stealing | Stage::Refreshing), true, false);
    }

    /// When to call [`on_timeout`](Self::on_timeout) at the latest; never if nothing is under way.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.limit
    }

    /// What a call that waits is waiting for, or was until it was told: [`Auth`](Phase::Auth) or
    /// [`Refresh`](Phase::Refresh).
    #[must_use]
    pub fn phase(&self) -> Phase {
        let asked = self.stage == Stage::Asking || self.stage == Stage::Idle && self.asked;
        if asked { Phase::Auth } else { Phase::Refresh }
    }

    /// How long one thing may take: `refreshTimeout`.
    #[must_use]
    pub fn timeout(&self) -> Millis {
        self.options.timeout
    }

    /// The next thing to do.
    pub fn poll_action(&mut self) -> Option<AuthAction> {
        let verb = *Verb::ALL.get(self.pending.trailing_zeros() as usize)?;
        self.pending &= !verb.bit();
        let ticket = match verb {
            Verb::Adopt | Verb::Unlock => 0,
            Verb::Abort => self.aborted,
            _ => self.ticket,
        };
        Some(AuthAction { verb, ticket })
    }

    /// The next call whose wait is over, and what it is to do: `Send` or `Fail`. To be asked when the actions are
    /// performed: the token to send may be among them.
    pub fn poll_told(&mut self) -> Option<(CallId, Answer)> {
        Some((self.waiting.next()?, self.answer))
    }

    fn on_asked(&mut self, now: Instant, token: Token) {
        if is_news(token) {
            self.adopt(now, token.expires, false);
        }
        self.go_on(now);
    }

    /// Starts a refresh if there is still a reason for one.
    fn go_on(&mut self, now: Instant) {
        if self.refused || self.due <= now {
            self.begin(now);
        } else {
            self.finish(None);
        }
    }

    fn on_late(&mut self, now: Instant, event: AuthEvent) {
        match event {
            AuthEvent::Refreshed { expires } => self.adopt(now, expires, true),
            // With a `getToken` the next call hears of it.
            AuthEvent::Renewed if !self.options.get_token => self.renew(now, Instant::NEVER, true),
            _ => return,
        }
        match self.stage {
            // What another refresh was to get is here.
            Stage::Locking | Stage::Stealing => self.finish(None),
            Stage::Checking => {
                self.abort();
                self.finish(None);
            }
            // What is out runs to its end, and nobody has to wait for it.
            _ => self.tell(Answer::Send),
        }
    }

    /// Starts a refresh.
    fn begin(&mut self, now: Instant) {
        self.limit = now + self.options.timeout;
        if self.options.lock {
            self.locked = true;
            self.request(now, Stage::Locking, Verb::Lock);
        } else {
            self.request(now, Stage::Refreshing, Verb::CallRefresh);
        }
    }

    fn fail(&mut self, refresh: bool, timed_out: bool, session_lost: bool) {
        let code = if refresh { ErrorCode::AuthRefreshFailed } else { ErrorCode::CallbackError };
        self.finish(Some(AuthFailure { code, timed_out, session_lost }));
    }

    /// What was under way is over.
    fn finish(&mut self, failure: Option<AuthFailure>) {
        if core::mem::take(&mut self.locked) {
            self.act(Verb::Unlock);
        }
        self.asked = core::mem::replace(&mut self.stage, Stage::Idle) == Stage::Asking;
        let refused = core::mem::take(&mut self.refused);
        self.ticket = 0;
        self.limit = Instant::NEVER;
        let answer = match failure {
            Some(failure) if self.asked => Answer::Fail(failure),
            Some(failure) if refused => {
                self.failed = self.tick();
                self.failure = failure;
                Answer::Fail(failure)
            }
            // The token was to be refreshed early, and it is still good: it goes on until its 401.
            Some(_) => {
                self.due = Instant::NEVER;
                Answer::Send
            }
            None => Answer::Send,
        };
        self.tell(answer);
    }

    fn tell(&mut self, answer: Answer) {
        self.answer = answer;
        self.waiting.tell();
    }

    /// The token that was reported just now is the current one.
    fn adopt(&mut self, now: Instant, expires: Instant, refreshed: bool) {
        self.act(Verb::Adopt);
        self.renew(now, expires, refreshed);
    }

    /// What is sent from now on is good again.
    fn renew(&mut self, now: Instant, expires: Instant, refreshed: bool) {
        self.since = self.tick();
        self.known = true;
        self.refused = false;
        let due = expires.before(self.options.before);
        // A clock that is wrong says of every new token that it has expired, and of every refreshed one that it soon
        // will: to believe it would be a refresh for each call.
        let wrong = expires <= now || refreshed && due <= now;
        self.due = if wrong { Instant::NEVER } else { due };
    }

    fn request(&mut self, now: Instant, stage: Stage, verb: Verb) {
        self.stage = stage;
        // A page that was frozen hears of the last step only after the limit that they share. The next one has its time,
        // in which it learns that another tab took the lock.
        if self.limit <= now {
            self.limit = now + self.options.timeout;
        }
        self.ticket = self.tick();
        self.act(verb);
    }

    fn abort(&mut self) {
        self.aborted = self.ticket;
        self.act(Verb::Abort);
    }

    fn tick(&mut self) -> u64 {
        self.moment = self.moment.wrapping_add(1);
        self.moment
    }

    fn act(&mut self, verb: Verb) {
        self.pending |= verb.bit();
    }
}

/// Whether `getToken` has changed its mind. A repeated string is none, but no token means no token.
fn is_news(token: Token) -> bool {
    !(token.current || token.repeated && token.present)
}
