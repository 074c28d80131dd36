//! The one engine of this wasm instance, with its two arrays of numbers.

use core::cell::UnsafeCell;

use steadfetch_core::engine::Engine as CoreEngine;

use crate::input::Input;
use crate::output::Output;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: crate::blocks::Blocks<crate::memory::Linear> =
    crate::blocks::Blocks::new(crate::memory::Linear::new());

#[cfg(target_family = "wasm")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// The engine, whose actions become numbers at once.
pub(crate) type Engine = CoreEngine<Output>;

pub(crate) struct Module {
    pub(crate) engine: Engine,
    pub(crate) input: Input,
}

/// The instance's module: a static, which needs no room that somebody has to give.
struct Place(UnsafeCell<Module>);

// SAFETY: a wasm instance without atomics has one thread. On other targets nothing but this crate's own code, which
// has no threads, can reach the private static.
unsafe impl Sync for Place {}

static PLACE: Place = Place(UnsafeCell::new(Module { engine: Engine::with_sink(Output::new()), input: Input::new() }));

/// Seeds the engine; returns the address of `IN`. To be called once for each instance.
pub(crate) fn make(seed: [u32; 4]) -> u32 {
    let module = module();
    module.engine.seed(seed);
    module.engine.admit();
    module.input.address()
}

/// The module, for as long as one export runs.
pub(crate) fn module() -> &'static mut Module {
    // SAFETY: every export asks for it once, and no export runs within another: the module has no imports, so that
    // nothing it does leaves it. An instance that has trapped is not used again.
    unsafe { &mut *PLACE.0.get() }
}

/// Runs an input of the engine, which writes what it has to say into `OUT`. Returns the address of `OUT`.
pub(crate) fn run(act: impl FnOnce(&mut Engine, &Input) -> f64) -> u32 {
    let Module { engine, input } = module();
    engine.sink().begin();
    let started = act(engine, input);
    let deadline = engine.poll_timeout();
    engine.sink().end(deadline, started)
}
