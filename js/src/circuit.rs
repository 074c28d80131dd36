//! What may be asked about a circuit.

use steadfetch_core::border::CIRCUIT;
use steadfetch_core::breaker::BreakerOptions;
use steadfetch_core::time::{Instant, Millis};

use crate::module::module;

/// How a circuit stands: its state, failures, and after how long it lets a probe through. `reset_timeout` is NaN for the
/// default.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn circuit(now: f64, key: f64, reset_timeout: f64) -> u32 {
    let module = module();
    let mut options = BreakerOptions::default();
    if !reset_timeout.is_nan() {
        options.reset_timeout = Millis::from_f64(reset_timeout);
    }
    let view = module.engine.circuit(Instant::from_f64(now), key as u64, &options);
    let numbers: [f64; CIRCUIT.len()] =
        [f64::from(view.state as u8), f64::from(view.failures), view.retry_after.to_f64()];
    module.engine.sink().replace(&numbers)
}
