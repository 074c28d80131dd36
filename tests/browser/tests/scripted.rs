//! The public script, in a page and in Node.
#![cfg(target_family = "wasm")]

use wasm_bindgen_test::wasm_bindgen_test;

mod api {
    pub(super) use steadfetch::{Client, ErrorKind, Outcome, Phase, Retry, testing};
}

#[path = "../../vectors/scripted.rs"]
mod cases;

#[wasm_bindgen_test]
async fn replies_come_in_order_and_the_rest_is_answered_otherwise() {
    cases::replies_come_in_order_and_the_rest_is_answered_otherwise().await;
}

#[wasm_bindgen_test]
async fn limits_hold() {
    cases::limits_hold().await;
}

#[wasm_bindgen_test]
async fn a_body_may_break_and_a_reply_may_be_missing() {
    cases::a_body_may_break_and_a_reply_may_be_missing().await;
}
