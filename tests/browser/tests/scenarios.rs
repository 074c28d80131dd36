//! Every scenario of `tests/scenarios`, one test a file.
#![cfg(target_family = "wasm")]

use steadfetch_browser_tests::play;
use wasm_bindgen_test::wasm_bindgen_test;

include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));
