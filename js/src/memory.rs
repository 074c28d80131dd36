//! The linear memory of the wasm instance, handed out from its end.

use core::cell::Cell;
use core::ptr::null_mut;

use crate::blocks::{ALIGN, Memory};

const PAGE: usize = 65_536;

pub(crate) struct Linear {
    /// Where memory that was never used begins; 0 at the start.
    fresh: Cell<usize>,
}

impl Linear {
    pub(crate) const fn new() -> Self {
        Self { fresh: Cell::new(0) }
    }
}

// SAFETY: each answer begins where the one before ended, and the memory of an instance never shrinks.
unsafe impl Memory for Linear {
    /// The memory grows for it.
    fn cut(&self, size: usize) -> *mut u8 {
        unsafe extern "C" {
            /// Where the linker ends the stack and the statics.
            static __heap_base: u8;
        }
        let start = match self.fresh.get() {
            0 => ((&raw const __heap_base) as usize).next_multiple_of(ALIGN),
            fresh => fresh,
        };
        let Some(end) = start.checked_add(size) else { return null_mut() };
        let have = core::arch::wasm32::memory_size(0) * PAGE;
        if end > have && core::arch::wasm32::memory_grow(0, (end - have).div_ceil(PAGE)) == usize::MAX {
            return null_mut();
        }
        self.fresh.set(end);
        start as *mut u8
    }
}
