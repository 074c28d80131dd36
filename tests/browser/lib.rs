//! Browser tests of the Rust API live in `tests/`.
