//! The public script, in virtual time.

use crate::testing::{now, run};

mod api {
    pub(super) use crate::{Client, ErrorKind, Outcome, Phase, Retry, testing};
}

#[path = "../../tests/vectors/scripted.rs"]
mod cases;

#[test]
fn replies_come_in_order_and_the_rest_is_answered_otherwise() {
    run(cases::replies_come_in_order_and_the_rest_is_answered_otherwise());
}

#[test]
fn limits_hold_and_waiting_costs_nothing() {
    run(cases::limits_hold());
    assert_eq!(now().as_millis(), 60);
}

#[test]
fn a_body_may_break_and_a_reply_may_be_missing() {
    run(cases::a_body_may_break_and_a_reply_may_be_missing());
}

#[test]
#[should_panic(expected = "everything waits")]
fn a_test_that_would_hang_fails() {
    run(std::future::pending::<()>());
}
