//! The allocator of the wasm module: blocks of powers of two, in one free list a size.
//!
//! The engine allocates a few vectors that grow to the size they need and stay there, and small boxes that come and go
//! with failures. For that, taking and giving back a block in a handful of instructions is all that is needed; a
//! general allocator costs ten times the code (1.6 KB). A block is at most twice what was asked for, memory that was
//! given back is used again for the same size, and nothing is ever searched or merged.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::ptr::{self, null_mut};

/// The smallest block: 16 bytes, which is also the alignment of all.
const LEAST: u32 = 4;
/// The alignment of every block.
pub(crate) const ALIGN: usize = 1 << LEAST;

/// Memory that was never used.
///
/// # Safety
///
/// `cut` returns null, or the address of `size` bytes that are aligned to [`ALIGN`], belong to no earlier answer, and
/// stay valid for as long as the value lives.
pub(crate) unsafe trait Memory {
    /// The next `size` bytes, a multiple of [`ALIGN`]; null if there are not so many.
    fn cut(&self, size: usize) -> *mut u8;
}

pub(crate) struct Blocks<M> {
    /// By the logarithm of their size: the first free block. Its first word is the next one.
    free: [Cell<*mut u8>; 32],
    memory: M,
}

// SAFETY: a wasm instance without atomics has one thread.
#[cfg(target_family = "wasm")]
unsafe impl<M> Sync for Blocks<M> {}

impl<M> Blocks<M> {
    pub(crate) const fn new(memory: M) -> Self {
        Self { free: [const { Cell::new(null_mut()) }; 32], memory }
    }

    fn order(layout: Layout) -> u32 {
        let size = layout.size().max(layout.align());
        (usize::BITS - size.saturating_sub(1).leading_zeros()).max(LEAST)
    }
}

// SAFETY: a block is in one place only: handed out, in its list, or not cut yet. Every block is as large as its order
// says and aligned to 16; what needs more than that is refused.
unsafe impl<M: Memory> GlobalAlloc for Blocks<M> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let order = Self::order(layout);
        let Some(list) = self.free.get(order as usize) else { return null_mut() };
        let block = list.get();
        if block.is_null() {
            return if layout.align() > ALIGN { block } else { self.memory.cut(1 << order) };
        }
        // SAFETY: a free block holds the address of the next one.
        list.set(unsafe { block.cast::<*mut u8>().read() });
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(list) = self.free.get(Self::order(layout) as usize) {
            // SAFETY: the block is ours again, and at least 16 bytes.
            unsafe { block.cast::<*mut u8>().write(list.get()) };
            list.set(block);
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises a size that makes a layout.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if Self::order(wanted) == Self::order(layout) {
            return block;
        }
        // SAFETY: both blocks are as large as their layouts, and not the same one.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests;
