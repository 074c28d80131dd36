//! The one engine of this wasm instance, with its two arrays of numbers.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

use steadfetch_core::engine::Engine;

use crate::{input, output};

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: crate::blocks::Blocks<crate::memory::Linear> =
    crate::blocks::Blocks::new(crate::memory::Linear::new());

#[cfg(target_family = "wasm")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

pub(crate) struct Module {
    pub(crate) engine: Engine,
    pub(crate) input: Box<[f64; input::LENGTH]>,
    output: Vec<f64>,
}

/// The instance's module. Taken out while an export runs: an export that ran within another would find none, instead
/// of a second reference to the same.
struct Place(Cell<Option<Box<Module>>>);

// SAFETY: a wasm instance without atomics has one thread. On other targets nothing but this crate's own code, which
// has no threads, can reach the private static.
unsafe impl Sync for Place {}

static PLACE: Place = Place(Cell::new(None));

/// Makes the module; returns the address of `IN`. To be called once for each instance.
pub(crate) fn make(seed: [u32; 4]) -> u32 {
    let module =
        Box::new(Module { engine: Engine::new(seed), input: Box::new([0.0; input::LENGTH]), output: Vec::new() });
    let address = module.input.as_ptr() as u32;
    core::mem::forget(PLACE.0.replace(Some(module)));
    address
}

pub(crate) fn with<T>(act: impl FnOnce(&mut Module) -> T) -> Option<T> {
    let mut module = PLACE.0.take()?;
    let result = act(&mut module);
    // The place is empty: `set` would bring the code that drops what it replaces.
    core::mem::forget(PLACE.0.replace(Some(module)));
    Some(result)
}

/// Answers a question to the engine in `OUT`. Returns its address.
#[cfg(feature = "full")]
pub(crate) fn say(act: impl FnOnce(&mut Engine, &mut Vec<f64>)) -> u32 {
    let address = with(|Module { engine, output, .. }| {
        output.clear();
        act(engine, output);
        output.as_ptr() as u32
    });
    address.unwrap_or(0)
}

/// Runs an input of the engine and writes what it has to say into `OUT`. Returns the address of `OUT`.
pub(crate) fn run(act: impl FnOnce(&mut Engine, &[f64]) -> f64) -> u32 {
    let address = with(|Module { engine, input, output }| {
        let started = act(engine, input.as_slice());
        output::write(engine, started, output);
        output.as_ptr() as u32
    });
    address.unwrap_or(0)
}
