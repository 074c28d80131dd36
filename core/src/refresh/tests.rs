use super::*;
use crate::time::Millis;
use std::collections::BTreeMap;
use std::vec;
use std::vec::Vec;

const NEVER: Instant = Instant::NEVER;

fn id(index: u32) -> CallId {
    CallId { index, generation: 0 }
}

fn options() -> RefreshOptions {
    RefreshOptions { timeout: Millis(500), ..RefreshOptions::default() }
}

/// A token that `getToken` has not given before.
fn new_token(expires: Instant) -> AuthEvent {
    AuthEvent::Token(Token { present: true, repeated: false, current: false, expires })
}

/// `getToken` gives what is being sent, as last time.
fn same_token() -> AuthEvent {
    AuthEvent::Token(Token { present: true, repeated: true, current: true, expires: NEVER })
}

const OFFLINE: AuthEvent = AuthEvent::Failed { lost: false, status: 0 };

fn failed(code: ErrorCode, timed_out: bool, session_lost: bool) -> Answer {
    Answer::Fail(AuthFailure { code, timed_out, session_lost })
}

/// A refresh, and what its driver knows of it.
struct Desk {
    refresh: Refresh,
    now: Instant,
    ticket: u64,
    did: Vec<Verb>,
    told: Vec<(u32, Answer)>,
}

impl Desk {
    fn new(options: RefreshOptions) -> Self {
        Self { refresh: Refresh::new(options), now: Instant(0), ticket: 0, did: vec![], told: vec![] }
    }

    /// One whose first call has got a token.
    fn with_token(options: RefreshOptions, expires: Instant) -> Self {
        let mut desk = Self::new(options);
        desk.need(0);
        desk.event(new_token(expires));
        desk.forget();
        desk
    }

    fn forget(&mut self) {
        self.did.clear();
        self.told.clear();
    }

    fn perform(&mut self) {
        while let Some(action) = self.refresh.poll_action() {
            if matches!(action.verb, Verb::AskToken | Verb::Lock | Verb::Steal | Verb::CallRefresh) {
                self.ticket = action.ticket;
            }
            self.did.push(action.verb);
        }
        while let Some((call, answer)) = self.refresh.poll_told() {
            self.told.push((call.index, answer));
        }
    }

    fn need(&mut self, call: u32) -> Answer {
        let answer = self.refresh.need(self.now, id(call), false);
        self.perform();
        answer
    }

    /// Sends a call with the token at hand; `getToken` says what it said before.
    fn send(&mut self, call: u32) -> u64 {
        assert!(matches!(self.need(call), Answer::Wait(_)));
        self.event(same_token());
        assert_eq!(self.told.pop(), Some((call, Answer::Send)));
        self.refresh.moment()
    }

    fn refused(&mut self, call: u32, sent: u64) -> Answer {
        let answer = self.refresh.unauthorized(self.now, id(call), sent, false);
        self.perform();
        answer
    }

    /// Answers what was asked last.
    fn event(&mut self, event: AuthEvent) {
        self.event_of(self.ticket, event);
    }

    fn event_of(&mut self, ticket: u64, event: AuthEvent) {
        self.refresh.on_event(self.now, ticket, event);
        self.perform();
    }

    fn at(&mut self, now: u64) {
        self.now = Instant(now);
        self.refresh.on_timeout(self.now);
        self.perform();
    }

    fn refreshes(&self) -> usize {
        self.did.iter().filter(|verb| **verb == Verb::CallRefresh).count()
    }

    fn all_told(&self, answer: Answer, calls: impl IntoIterator<Item = u32>) {
        assert_eq!(self.told, calls.into_iter().map(|call| (call, answer)).collect::<Vec<_>>());
        assert_eq!(self.refresh.waiting.len(), 0);
    }
}

#[test]
fn h01_twenty_401_are_one_refresh_and_twenty_resends() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sends: Vec<u64> = (0..20).map(|call| desk.send(call)).collect();
    desk.forget();
    for (call, sent) in sends.into_iter().enumerate() {
        assert!(matches!(desk.refused(call as u32, sent), Answer::Wait(_)));
    }
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    assert_eq!(desk.did, [Verb::CallRefresh, Verb::Adopt]);
    desk.all_told(Answer::Send, 0..20);
    assert_eq!(desk.refresh.deadline(), NEVER);
}

#[test]
fn h01_a_401_that_comes_after_the_refresh_is_resent_at_once() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (first, second) = (desk.send(1), desk.send(2));
    desk.refused(1, first);
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    assert_eq!(desk.refused(2, second), Answer::Send);
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn calls_that_start_during_a_refresh_wait_for_it() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    assert!(matches!(desk.need(2), Answer::Wait(_)));
    assert_eq!(desk.refresh.phase(), Phase::Refresh);
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    desk.all_told(Answer::Send, 1..=2);
}

#[test]
fn h02_calls_of_one_wave_fail_with_one_refresh_and_a_later_one_may_try_anew() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (first, second) = (desk.send(1), desk.send(2));
    desk.refused(1, first);
    desk.event(AuthEvent::Failed { lost: false, status: 401 });
    let lost = failed(ErrorCode::AuthRefreshFailed, false, true);
    desk.all_told(lost, [1]);
    assert_eq!(desk.refused(2, second), lost, "its 401 was only slower");
    assert_eq!(desk.refreshes(), 1);
    let later = desk.send(3);
    assert!(matches!(desk.refused(3, later), Answer::Wait(_)));
    assert_eq!(desk.refreshes(), 2);
}

#[test]
fn h04_the_second_401_of_a_call_is_its_answer_whoever_started_the_refresh() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (a, b) = (desk.send(1), desk.send(2));
    desk.refused(1, a);
    desk.refused(2, b);
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    for call in 1..=2 {
        let sent = desk.refresh.moment();
        assert_eq!(desk.refresh.unauthorized(desk.now, id(call), sent, true), Answer::Accept);
    }
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn h06_a_refresh_that_hangs_fails_its_waiters_at_its_timeout_and_the_next_call_tries_anew() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sends: Vec<u64> = (1..=5).map(|call| desk.send(call)).collect();
    for (call, sent) in (1..).zip(sends) {
        desk.refused(call, sent);
    }
    assert_eq!(desk.refresh.deadline(), Instant(500));
    desk.at(499);
    assert_eq!(desk.told, []);
    desk.at(500);
    assert_eq!(desk.did.last(), Some(&Verb::Abort));
    desk.all_told(failed(ErrorCode::AuthRefreshFailed, true, false), 1..=5);
    desk.at(700);
    let sent = desk.send(6);
    desk.refused(6, sent);
    desk.forget();
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    desk.all_told(Answer::Send, [6]);
}

#[test]
fn h11_a_tab_that_gets_the_lock_second_adopts_the_token_of_the_first() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.forget();
    desk.refused(1, sent);
    desk.event(AuthEvent::Locked);
    desk.event(new_token(NEVER));
    assert_eq!(desk.did, [Verb::Lock, Verb::AskToken, Verb::Adopt, Verb::Unlock]);
    desk.all_told(Answer::Send, [1]);
}

#[test]
fn h11_the_first_tab_refreshes_and_gives_the_lock_back_however_that_ends() {
    for (event, answer) in [
        (AuthEvent::Refreshed { expires: NEVER }, Answer::Send),
        (OFFLINE, failed(ErrorCode::AuthRefreshFailed, false, false)),
    ] {
        let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
        let sent = desk.send(1);
        desk.forget();
        desk.refused(1, sent);
        desk.event(AuthEvent::Locked);
        desk.event(same_token());
        desk.event(event);
        desk.did.retain(|verb| *verb != Verb::Adopt);
        assert_eq!(desk.did, [Verb::Lock, Verb::AskToken, Verb::CallRefresh, Verb::Unlock]);
        desk.all_told(answer, [1]);
    }
}

#[test]
fn h11_a_lock_that_does_not_come_is_stolen_and_a_tab_whose_lock_was_stolen_does_not_refresh() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.forget();
    desk.refused(1, sent);
    desk.at(500);
    desk.event(AuthEvent::Locked);
    desk.event(same_token());
    desk.event(AuthEvent::Lost);
    use Verb::{Adopt, AskToken, CallRefresh, Lock, Steal, Unlock};
    assert_eq!(desk.did, [Lock, Steal, AskToken, CallRefresh, Lock], "it waits for the thief");
    desk.forget();
    desk.event(AuthEvent::Locked);
    desk.event(new_token(NEVER));
    assert_eq!(desk.did, [AskToken, Adopt, Unlock]);
    desk.all_told(Answer::Send, [1]);
}

#[test]
fn h11_a_tab_that_was_frozen_beyond_the_limit_learns_first_that_its_lock_was_stolen() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    desk.event(AuthEvent::Locked);
    desk.forget();
    desk.now = Instant(2_000);
    desk.event(same_token());
    desk.at(2_001);
    assert_eq!(desk.did, [Verb::CallRefresh], "the timer that was due meanwhile ends nothing");
    desk.event(AuthEvent::Lost);
    desk.event(AuthEvent::Locked);
    desk.event(new_token(NEVER));
    desk.all_told(Answer::Send, [1]);
    assert_eq!(desk.refreshes(), 1, "asked for, and not called: the lock was lost");
}

#[test]
fn h11_all_that_is_done_under_the_lock_is_over_before_others_steal_it() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    desk.at(400);
    desk.event(AuthEvent::Locked);
    for (now, event) in [(600, same_token()), (800, AuthEvent::Renewed)] {
        desk.at(now);
        desk.event(event);
        assert_eq!(desk.refresh.deadline(), Instant(900));
    }
    desk.at(900);
    desk.all_told(failed(ErrorCode::CallbackError, true, false), [1]);
    assert_eq!(desk.did.last(), Some(&Verb::Unlock));
}

#[test]
fn without_a_lock_to_be_had_the_tab_refreshes_for_itself() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.forget();
    desk.refused(1, sent);
    desk.at(400);
    desk.event(AuthEvent::NoLock);
    assert_eq!(desk.refresh.deadline(), Instant(900), "the wait for the lock does not count");
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    assert_eq!(desk.did, [Verb::Lock, Verb::CallRefresh, Verb::Adopt]);
}

#[test]
fn a_lock_that_even_stealing_does_not_give_leaves_nobody_waiting() {
    let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    desk.at(500);
    desk.at(1_000);
    desk.all_told(failed(ErrorCode::AuthRefreshFailed, true, false), [1]);
    assert_eq!(desk.did.last(), Some(&Verb::Unlock));
}

#[test]
fn h13_with_a_clock_ahead_new_tokens_look_expired_and_are_sent_until_their_401() {
    let mut desk = Desk::new(options());
    desk.now = Instant(100_000);
    let expired = Instant(0);
    desk.need(1);
    desk.event(new_token(expired));
    desk.all_told(Answer::Send, [1]);
    for call in 2..=10 {
        desk.send(call);
    }
    assert_eq!(desk.refreshes(), 0);
    // And if the first one really had expired: what the refresh gives looks no better, and is used all the same.
    let sent = desk.refresh.moment();
    desk.refused(1, sent);
    desk.event(AuthEvent::Refreshed { expires: expired });
    for call in 2..=10 {
        desk.send(call);
    }
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn h13_with_a_clock_behind_an_expired_token_looks_fresh_and_its_401_is_one_refresh() {
    let mut desk = Desk::with_token(options(), Instant(3_600_000));
    let sends: Vec<u64> = (1..=10).map(|call| desk.send(call)).collect();
    for (call, sent) in (1..).zip(sends) {
        desk.refused(call, sent);
    }
    desk.event(AuthEvent::Refreshed { expires: Instant(7_200_000) });
    desk.all_told(Answer::Send, 1..=10);
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn h13_tokens_that_live_no_longer_than_refresh_before_are_not_refreshed_before_every_call() {
    let mut desk = Desk::new(options());
    desk.need(1);
    desk.event(new_token(Instant(20_000)));
    assert_eq!(desk.refreshes(), 1, "this one may be an old one");
    desk.event(AuthEvent::Refreshed { expires: Instant(20_000) });
    for call in 2..=10 {
        desk.send(call);
    }
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn h14_clients_that_share_the_auth_object_share_the_refresh() {
    // The calls of all clients have ids of one engine, so to a refresh they are simply calls.
    let mut desk = Desk::with_token(options(), NEVER);
    let (of_a, of_b) = (desk.send(1), desk.send(2));
    desk.refused(1, of_a);
    desk.refused(2, of_b);
    desk.event(AuthEvent::Renewed);
    desk.event(new_token(NEVER));
    desk.all_told(Answer::Send, 1..=2);
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn h15_only_the_server_or_the_callback_can_say_that_the_session_is_lost() {
    for (lost, status, session_lost) in [
        (false, 0, false),
        (false, 400, true),
        (false, 401, true),
        (false, 403, true),
        (false, 404, false),
        (false, 503, false),
        (true, 0, true),
    ] {
        let mut desk = Desk::with_token(options(), NEVER);
        let sent = desk.send(1);
        desk.refused(1, sent);
        desk.event(AuthEvent::Failed { lost, status });
        desk.all_told(failed(ErrorCode::AuthRefreshFailed, false, session_lost), [1]);
    }
}

#[test]
fn b11_who_started_the_refresh_may_leave_and_the_others_are_served() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sends: Vec<u64> = (1..=3).map(|call| desk.send(call)).collect();
    let mut places = Vec::new();
    for (call, sent) in (1..).zip(sends) {
        let Answer::Wait(place) = desk.refused(call, sent) else { panic!("does not wait") };
        places.push(place);
    }
    desk.refresh.leave(places[0]);
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    desk.all_told(Answer::Send, 2..=3);
    assert_eq!(desk.refreshes(), 1);
}

#[test]
fn b11_a_refresh_that_everybody_has_left_goes_on_and_is_of_use_to_the_next_call() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (first, second) = (desk.send(1), desk.send(2));
    let Answer::Wait(place) = desk.refused(1, first) else { panic!("does not wait") };
    desk.refresh.leave(place);
    assert_eq!(desk.refresh.deadline(), Instant(500));
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    assert_eq!(desk.refused(2, second), Answer::Send);
}

#[test]
fn a_get_token_that_is_under_way_serves_all_who_start_meanwhile_and_the_next_call_asks_anew() {
    let mut desk = Desk::new(options());
    for call in 1..=3 {
        assert!(matches!(desk.need(call), Answer::Wait(_)));
    }
    assert_eq!((desk.refresh.phase(), desk.refresh.deadline()), (Phase::Auth, Instant(500)));
    desk.event(AuthEvent::Token(Token { present: false, repeated: false, current: false, expires: NEVER }));
    assert_eq!(desk.did, [Verb::AskToken, Verb::Adopt]);
    desk.all_told(Answer::Send, 1..=3);
    desk.need(4);
    assert_eq!(desk.did.last(), Some(&Verb::AskToken));
}

#[test]
fn a_get_token_that_throws_or_hangs_fails_who_waited_and_the_next_call_asks_anew() {
    for hangs in [false, true] {
        let mut desk = Desk::new(options());
        desk.need(1);
        desk.need(2);
        let ticket = desk.ticket;
        // A status says something about the session only when the refresh fails with it.
        if hangs {
            desk.at(500);
        } else {
            desk.event(AuthEvent::Failed { lost: true, status: 401 });
        }
        desk.all_told(failed(ErrorCode::CallbackError, hangs, false), 1..=2);
        desk.forget();
        desk.need(3);
        assert_eq!(desk.did, [Verb::AskToken]);
        desk.event_of(ticket, new_token(NEVER));
        assert_eq!(desk.told, [], "the answer to the first question");
        desk.event(new_token(NEVER));
        desk.all_told(Answer::Send, [3]);
    }
}

#[test]
fn who_logs_out_or_in_as_somebody_else_is_heard_and_a_401_of_the_former_token_refreshes_nothing() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sent = desk.send(1);
    for present in [false, true] {
        desk.forget();
        desk.need(2);
        desk.event(AuthEvent::Token(Token { present, repeated: false, current: false, expires: NEVER }));
        assert_eq!(desk.did, [Verb::AskToken, Verb::Adopt]);
    }
    assert_eq!(desk.refused(1, sent), Answer::Send);
}

#[test]
fn a_get_token_that_still_gives_the_replaced_token_does_not_bring_it_back_but_no_token_is_no_token() {
    for (present, adopted) in [(true, false), (false, true)] {
        let mut desk = Desk::with_token(options(), NEVER);
        let sent = desk.send(1);
        desk.refused(1, sent);
        desk.event(AuthEvent::Refreshed { expires: NEVER });
        desk.forget();
        desk.need(2);
        desk.event(AuthEvent::Token(Token { present, repeated: true, current: false, expires: NEVER }));
        assert_eq!(desk.did.contains(&Verb::Adopt), adopted);
        desk.all_told(Answer::Send, [2]);
    }
}

#[test]
fn a_401_while_get_token_is_under_way_waits_for_what_it_says() {
    for (event, refreshes) in [(new_token(NEVER), 0), (same_token(), 1)] {
        let mut desk = Desk::with_token(options(), NEVER);
        let sent = desk.send(1);
        desk.need(2);
        desk.refused(1, sent);
        desk.event(event);
        assert_eq!(desk.refreshes(), refreshes);
        if refreshes == 1 {
            desk.event(AuthEvent::Refreshed { expires: NEVER });
        }
        desk.told.sort_unstable_by_key(|told| told.0);
        desk.all_told(Answer::Send, 1..=2);
    }
}

#[test]
fn a_token_that_expires_soon_is_refreshed_before_it_is_sent_and_if_that_fails_it_is_sent_until_its_401() {
    for event in [AuthEvent::Refreshed { expires: NEVER }, OFFLINE] {
        let mut desk = Desk::with_token(options(), Instant(60_000));
        desk.at(29_999);
        desk.send(1);
        assert_eq!(desk.refreshes(), 0);
        desk.at(30_000);
        desk.need(2);
        desk.event(same_token());
        desk.need(3);
        assert_eq!(desk.refreshes(), 1);
        desk.event(event);
        desk.all_told(Answer::Send, 2..=3);
        desk.forget();
        desk.send(4);
        assert_eq!(desk.refreshes(), 0, "one is enough");
        let sent = desk.refresh.moment();
        desk.refused(4, sent);
        assert_eq!(desk.refreshes(), 1);
    }
}

#[test]
fn a_401_during_an_early_refresh_makes_its_failure_a_failure() {
    let mut desk = Desk::with_token(options(), Instant(60_000));
    let sent = desk.send(1);
    desk.at(30_000);
    desk.need(2);
    desk.event(same_token());
    desk.refused(1, sent);
    desk.event(OFFLINE);
    desk.all_told(failed(ErrorCode::AuthRefreshFailed, false, false), [2, 1]);
}

#[test]
fn without_get_token_what_the_refresh_gave_is_refreshed_early_too() {
    let mut desk = Desk::new(RefreshOptions { get_token: false, ..options() });
    let sent = desk.refresh.moment();
    desk.refused(1, sent);
    desk.event(AuthEvent::Refreshed { expires: Instant(60_000) });
    desk.at(29_999);
    assert_eq!(desk.need(2), Answer::Send);
    desk.at(30_000);
    assert!(matches!(desk.need(3), Answer::Wait(_)));
    assert_eq!(desk.refreshes(), 2);
}

#[test]
fn a_401_of_a_former_token_is_not_resent_with_one_that_is_refused_too() {
    let mut desk = Desk::with_token(options(), NEVER);
    let former = desk.send(1);
    desk.need(2);
    desk.event(new_token(NEVER));
    let sent = desk.send(3);
    desk.forget();
    desk.refused(3, sent);
    assert!(matches!(desk.refused(1, former), Answer::Wait(_)));
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    desk.all_told(Answer::Send, [3, 1]);
}

#[test]
fn a_401_of_a_wave_that_has_failed_fails_while_get_token_is_under_way_too() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (first, second) = (desk.send(1), desk.send(2));
    desk.refused(1, first);
    desk.event(OFFLINE);
    desk.need(3);
    assert_eq!(desk.refused(2, second), failed(ErrorCode::AuthRefreshFailed, false, false));
}

#[test]
fn who_was_logged_out_by_another_tab_is_refreshed_after_a_401_only() {
    for refused in [true, false] {
        let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, Instant(60_000));
        let sent = desk.send(1);
        if refused {
            desk.refused(1, sent);
        } else {
            desk.at(30_000);
            desk.need(1);
            desk.event(same_token());
        }
        desk.event(AuthEvent::Locked);
        desk.forget();
        desk.event(AuthEvent::Token(Token { present: false, repeated: false, current: false, expires: NEVER }));
        assert_eq!(desk.did, if refused { vec![Verb::CallRefresh] } else { vec![Verb::Adopt, Verb::Unlock] });
    }
}

#[test]
fn a_get_token_that_gives_what_the_refresh_gave_is_no_news() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    desk.event(AuthEvent::Refreshed { expires: NEVER });
    desk.forget();
    desk.need(2);
    desk.event(AuthEvent::Token(Token { present: true, repeated: false, current: true, expires: NEVER }));
    assert_eq!(desk.did, [Verb::AskToken]);
    desk.all_told(Answer::Send, [2]);
}

#[test]
fn cookie_sessions_send_at_once_and_their_generation_is_the_refresh() {
    let mut desk = Desk::new(RefreshOptions { get_token: false, ..options() });
    assert_eq!((desk.need(1), desk.need(2)), (Answer::Send, Answer::Send));
    let sent = desk.refresh.moment();
    desk.refused(1, sent);
    desk.event(AuthEvent::Renewed);
    assert_eq!(desk.did, [Verb::CallRefresh]);
    desk.all_told(Answer::Send, [1]);
    assert_eq!(desk.refused(2, sent), Answer::Send);
    assert_eq!(desk.need(3), Answer::Send);
}

#[test]
fn a_token_that_comes_too_late_for_its_waiters_is_the_token_of_the_next_call() {
    let mut desk = Desk::with_token(options(), NEVER);
    let (first, second) = (desk.send(1), desk.send(2));
    desk.refused(1, first);
    let late = desk.ticket;
    desk.at(500);
    desk.forget();
    desk.event_of(late, AuthEvent::Refreshed { expires: NEVER });
    assert_eq!((desk.did.as_slice(), desk.told.len()), ([Verb::Adopt].as_slice(), 0));
    assert_eq!(desk.refused(2, second), Answer::Send);
}

#[test]
fn a_late_token_spares_a_refresh_that_has_not_gone_out() {
    use Verb::{Abort, Adopt, AskToken, Lock, Steal, Unlock};
    for (has_lock, steals, did) in [
        (false, false, vec![Lock, Adopt, Unlock]),
        (false, true, vec![Lock, Steal, Adopt, Unlock]),
        (true, false, vec![Lock, AskToken, Adopt, Abort, Unlock]),
    ] {
        let mut desk = Desk::with_token(RefreshOptions { lock: true, ..options() }, NEVER);
        let sent = desk.send(1);
        desk.refused(1, sent);
        desk.event(AuthEvent::Locked);
        desk.event(same_token());
        let late = desk.ticket;
        desk.at(500);
        let sent = desk.send(2);
        desk.forget();
        desk.refused(2, sent);
        if has_lock {
            desk.event(AuthEvent::Locked);
        }
        if steals {
            desk.at(1_000);
        }
        desk.event_of(late, AuthEvent::Refreshed { expires: NEVER });
        assert_eq!(desk.did, did);
        desk.all_told(Answer::Send, [2]);
    }
}

#[test]
fn a_late_token_does_not_replace_a_newer_one_or_that_of_somebody_else() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    let late = desk.ticket;
    desk.at(500);
    desk.need(2);
    desk.event(new_token(NEVER));
    desk.forget();
    desk.event_of(late, AuthEvent::Refreshed { expires: NEVER });
    assert_eq!(desk.did, []);
}

#[test]
fn a_page_that_is_left_sends_with_what_is_at_hand() {
    let mut desk = Desk::with_token(options(), NEVER);
    let sent = desk.send(1);
    desk.refused(1, sent);
    assert_eq!(desk.refresh.need(desk.now, id(2), true), Answer::Send);
    let mut desk = Desk::new(options());
    assert!(matches!(desk.refresh.need(desk.now, id(1), true), Answer::Wait(_)), "nothing was ever at hand");
}

// The model: a driver that answers what it likes when it likes, and remembers versions of the token where the policy
// has moments.

/// `expiresAt` of a token, from now.
const LIVES: [u64; 4] = [0, 20, 200, u64::MAX];
const BEFORE: u64 = 30;
const TIMEOUT: u64 = 50;

#[derive(Clone, Copy)]
struct Sent {
    moment: u64,
    version: u32,
    /// How many refreshes for a 401 had failed.
    failures: u32,
}

struct Model {
    refresh: Refresh,
    options: RefreshOptions,
    now: u64,
    version: u32,
    failures: u32,
    due: u64,
    sends: Vec<Sent>,
    calls: u32,
    waiting: BTreeMap<u32, Place>,
    /// What was asked and neither answered nor given up.
    asked: Option<(Verb, u64)>,
    /// The version that the latest refresh is to replace.
    replaces: u32,
    /// Calls of `refreshToken` that were given up, with the version that they were to replace.
    late: Vec<(u64, u32)>,
    locked: bool,
    no_lock: bool,
    /// A 401 of the current token waits for a refresh.
    refused: bool,
    /// What the token of the event says, should it be adopted.
    offered: Option<(u64, bool)>,
    adopted: bool,
}

impl Model {
    fn new(get_token: bool, lock: bool) -> Self {
        let options = RefreshOptions { get_token, lock, timeout: Millis(TIMEOUT), before: Millis(BEFORE) };
        Self {
            refresh: Refresh::new(options),
            options,
            now: 1_000,
            version: 0,
            failures: 0,
            due: u64::MAX,
            sends: vec![],
            calls: 0,
            waiting: BTreeMap::new(),
            asked: None,
            replaces: 0,
            late: vec![],
            locked: false,
            no_lock: false,
            refused: false,
            offered: None,
            adopted: false,
        }
    }

    fn send(&mut self) {
        self.sends.push(Sent { moment: self.refresh.moment(), version: self.version, failures: self.failures });
    }

    fn renewed(&mut self, expires: u64, refreshed: bool) {
        self.version += 1;
        self.refused = false;
        let due = if expires == u64::MAX { expires } else { expires.saturating_sub(BEFORE) };
        self.due = if expires <= self.now || refreshed && due <= self.now { u64::MAX } else { due };
    }

    /// Performs the actions and tells the calls. `may_fail`: the event was a failure.
    fn perform(&mut self, may_fail: bool) {
        while let Some(AuthAction { verb, ticket }) = self.refresh.poll_action() {
            match verb {
                Verb::AskToken | Verb::Lock | Verb::CallRefresh => {
                    assert!(self.asked.is_none(), "one thing at a time");
                    self.asked = Some((verb, ticket));
                    if verb == Verb::AskToken {
                        assert!(self.options.get_token);
                    }
                    if verb == Verb::CallRefresh {
                        self.replaces = self.version;
                        assert!(self.refused || self.due <= self.now, "a refresh without a reason");
                        assert!(!self.options.lock || self.locked || self.no_lock, "a refresh without the lock");
                    }
                }
                Verb::Steal => {
                    assert_eq!(self.asked.map(|asked| asked.0), Some(Verb::Lock));
                    self.asked = Some((verb, ticket));
                }
                Verb::Unlock => {
                    let pending = matches!(self.asked, Some((Verb::Lock | Verb::Steal, _)));
                    assert!(self.locked || pending, "nothing to give back");
                    self.locked = false;
                    if pending {
                        self.asked = None;
                    }
                }
                Verb::Abort => {
                    let asked = self.asked.take().expect("nothing to abort");
                    assert_eq!(asked.1, ticket);
                    if asked.0 == Verb::CallRefresh {
                        self.late.push((ticket, self.replaces));
                    }
                }
                Verb::Adopt => {
                    let (expires, refreshed) = self.offered.take().expect("a token to adopt");
                    self.adopted = true;
                    self.renewed(expires, refreshed);
                }
            }
        }
        while let Some((call, answer)) = self.refresh.poll_told() {
            assert!(self.waiting.remove(&call.index).is_some(), "told twice, or after it left");
            match answer {
                Answer::Send => self.send(),
                Answer::Fail(_) => assert!(may_fail, "nothing has failed"),
                Answer::Wait(_) | Answer::Accept => panic!("no news"),
            }
        }
        let idle = self.asked.is_none();
        assert_eq!(self.refresh.deadline() == NEVER, idle, "a deadline as long as something is under way");
        if idle {
            assert!(self.waiting.is_empty(), "left waiting for nothing");
            assert!(!self.locked, "a lock that nobody gives back");
            assert_eq!(self.refresh.waiting.len(), 0);
        }
    }

    fn need(&mut self, leaving: bool) {
        let call = self.calls;
        self.calls += 1;
        let answer = self.refresh.need(Instant(self.now), id(call), leaving);
        match answer {
            Answer::Send => {
                assert!(!self.options.get_token || leaving && self.version > 0);
                self.send();
            }
            Answer::Wait(place) => {
                self.waiting.insert(call, place);
            }
            Answer::Accept | Answer::Fail(_) => panic!("it has sent nothing"),
        }
        self.perform(false);
    }

    fn unauthorized(&mut self, pick: u8) {
        let Some(sent) = self.sends.len().checked_sub(1).map(|last| self.sends[usize::from(pick).min(last)]) else {
            return;
        };
        let call = self.calls;
        self.calls += 1;
        let current = sent.version == self.version;
        let under_way = self.asked;
        match self.refresh.unauthorized(Instant(self.now), id(call), sent.moment, false) {
            Answer::Send => {
                assert!(!current, "sent again with what was refused");
                self.send();
            }
            Answer::Wait(place) => {
                assert!(current || self.refused, "there is a newer token at hand");
                self.waiting.insert(call, place);
                self.refused = true;
            }
            Answer::Fail(_) => {
                assert!(current && sent.failures < self.failures, "its refresh has not been tried");
                assert!(under_way.is_none_or(|asked| asked.0 == Verb::AskToken), "it could have waited");
            }
            Answer::Accept => panic!("not resent yet"),
        }
        self.perform(false);
    }

    fn answer(&mut self, kind: u8, pick: u8) {
        let Some((verb, ticket)) = self.asked else { return };
        let life = LIVES[usize::from(pick % 4)];
        let expires = if life == u64::MAX { life } else { self.now + life };
        let was_refused = self.refused;
        let event = match (verb, kind % 5) {
            (Verb::AskToken, 0) | (Verb::CallRefresh, 4) => OFFLINE,
            (Verb::AskToken, kind) => AuthEvent::Token(Token {
                present: pick < 200,
                repeated: kind == 1,
                current: kind == 2 && self.version > 0,
                expires: Instant(expires),
            }),
            (Verb::CallRefresh, 0) => AuthEvent::Renewed,
            (Verb::CallRefresh, 1) if self.options.lock && !self.no_lock => AuthEvent::Lost,
            (Verb::CallRefresh, _) => AuthEvent::Refreshed { expires: Instant(expires) },
            (_, 0) => AuthEvent::NoLock,
            _ => AuthEvent::Locked,
        };
        self.asked = None;
        self.adopted = false;
        self.offered = match event {
            AuthEvent::Refreshed { .. } => Some((expires, true)),
            // After `Renewed`, as the model need not know: the policy does.
            AuthEvent::Token(_) => Some((expires, self.refresh.stage == Stage::Rereading)),
            _ => None,
        };
        let reread = matches!(event, AuthEvent::Token(_)) && self.refresh.stage == Stage::Rereading;
        let failed = event == OFFLINE;
        match event {
            AuthEvent::Locked => {
                self.locked = true;
                self.no_lock = false;
            }
            AuthEvent::NoLock => self.no_lock = true,
            AuthEvent::Lost => self.locked = false,
            _ => {}
        }
        if failed && self.refresh.stage != Stage::Asking {
            self.over(was_refused);
        }
        if event == AuthEvent::Renewed && !self.options.get_token {
            self.renewed(u64::MAX, true);
        }
        // A refresh that `getToken` has nothing new to say about is one all the same.
        let version = self.version;
        self.refresh.on_event(Instant(self.now), ticket, event);
        if reread && self.refresh.pending & Verb::Adopt.bit() == 0 {
            self.renewed(expires, true);
        }
        if failed && self.refresh.stage == Stage::Idle {
            self.refused = false;
        }
        self.perform(failed);
        self.offered = None;
        if matches!(event, AuthEvent::Refreshed { .. }) {
            assert_eq!(self.version, version + 1, "a token in time is adopted");
        }
    }

    /// A refresh has failed.
    fn over(&mut self, refused: bool) {
        self.refused = false;
        if refused { self.failures += 1 } else { self.due = u64::MAX }
    }

    fn late(&mut self, pick: u8, kind: u8) {
        if self.late.is_empty() {
            return;
        }
        let (ticket, version) = self.late.swap_remove(usize::from(pick) % self.late.len());
        let event = match kind % 3 {
            0 => OFFLINE,
            1 => AuthEvent::Renewed,
            _ => AuthEvent::Refreshed { expires: NEVER },
        };
        let newest = version == self.version;
        let adopts = newest && matches!(event, AuthEvent::Refreshed { .. });
        let renews = newest && event == AuthEvent::Renewed && !self.options.get_token;
        self.offered = adopts.then_some((u64::MAX, true));
        self.adopted = false;
        if renews {
            self.renewed(u64::MAX, true);
        }
        self.refresh.on_event(Instant(self.now), ticket, event);
        self.perform(false);
        assert_eq!(self.adopted, adopts);
        if adopts || renews {
            assert!(self.waiting.is_empty(), "a good token, and somebody waits");
        }
    }

    fn pass(&mut self, time: u64) {
        self.now += time;
        let over = self.refresh.deadline().0 <= self.now;
        let refresh = !matches!(self.refresh.stage, Stage::Idle | Stage::Asking | Stage::Locking);
        if over && refresh {
            self.over(self.refused);
        } else if over && self.refresh.stage == Stage::Asking {
            self.refused = false;
        }
        self.refresh.on_timeout(Instant(self.now));
        self.perform(over);
        if self.asked.is_some() {
            assert!(self.refresh.deadline() > Instant(self.now));
        }
    }

    fn leave(&mut self, pick: u8) {
        let Some(call) = self.waiting.keys().nth(usize::from(pick) % self.waiting.len().max(1)).copied() else {
            return;
        };
        let place = self.waiting.remove(&call).expect("it waits");
        self.refresh.leave(place);
        self.perform(false);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]

    /// Whatever comes in whatever order: one thing under way at a time, no refresh without a reason or without the
    /// lock, everybody told once, nobody left behind.
    #[test]
    fn it_agrees_with_the_model(
        get_token: bool, lock: bool,
        steps in proptest::collection::vec((0_u8..16, 0_u8.., 0_u8..), 0..120),
    ) {
        let mut model = Model::new(get_token, lock);
        for (step, kind, pick) in steps {
            match step {
                0..=2 => model.need(pick % 16 == 0),
                3..=6 => model.unauthorized(if kind % 3 == 0 { pick } else { u8::MAX }),
                7..=11 => model.answer(kind, pick),
                12 => model.late(pick, kind),
                13 => model.leave(pick),
                14 => model.pass(u64::from(pick % 30)),
                _ => model.pass(TIMEOUT),
            }
        }
        // In the end everything settles by itself.
        for _ in 0..8 {
            model.pass(TIMEOUT);
        }
        proptest::prop_assert!(model.asked.is_none() && model.waiting.is_empty());
    }
}
