//! The wasm module.
