//! The allocator over an arena of the host, as the engine uses it: also under Miri, which sees every wrong access.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::{Cell, UnsafeCell};
use core::ptr::null_mut;
use std::collections::BTreeMap;

use super::{ALIGN, Blocks, Memory};

/// Memory of a fixed size.
struct Arena {
    bytes: UnsafeCell<Box<[u128]>>,
    used: Cell<usize>,
}

impl Arena {
    fn new(size: usize) -> Self {
        Self { bytes: UnsafeCell::new(vec![0; size / size_of::<u128>()].into()), used: Cell::new(0) }
    }
}

// SAFETY: each answer begins where the one before ended; the box never moves its content, which `u128` aligns to 16.
unsafe impl Memory for Arena {
    fn cut(&self, size: usize) -> *mut u8 {
        let start = self.used.get();
        // SAFETY: no reference to the content is ever made.
        let bytes = unsafe { &raw mut **self.bytes.get() };
        match start.checked_add(size).filter(|end| *end <= bytes.len() * size_of::<u128>()) {
            Some(end) => {
                self.used.set(end);
                // SAFETY: within the content.
                unsafe { bytes.cast::<u8>().add(start) }
            }
            None => null_mut(),
        }
    }
}

/// The allocator, with an account of what it has handed out.
struct Bench {
    blocks: Blocks<Arena>,
    /// By address: the layout, and the byte that fills the block.
    live: BTreeMap<usize, (*mut u8, Layout, u8)>,
    next: u8,
}

impl Bench {
    fn new(size: usize) -> Self {
        Self { blocks: Blocks::new(Arena::new(size)), live: BTreeMap::new(), next: 0 }
    }

    fn used(&self) -> usize {
        self.blocks.memory.used.get()
    }

    /// Allocates, checks the place, and fills it. None if there is no memory.
    fn alloc(&mut self, layout: Layout) -> Option<usize> {
        // SAFETY: the tests ask for no empty layout.
        let block = unsafe { self.blocks.alloc(layout) };
        self.take(block, layout)
    }

    fn take(&mut self, block: *mut u8, layout: Layout) -> Option<usize> {
        if block.is_null() {
            return None;
        }
        let address = block.addr();
        assert_eq!(address % layout.align(), 0, "aligned as {layout:?} asks");
        if let Some((before, (_, other, _))) = self.live.range(..=address).next_back() {
            assert!(before + other.size() <= address, "a block begins within another");
        }
        if let Some((after, _)) = self.live.range(address + 1..).next() {
            assert!(address + layout.size() <= *after, "a block ends within another");
        }
        self.next = self.next.wrapping_add(1);
        // SAFETY: the block is ours, and that large.
        unsafe { block.write_bytes(self.next, layout.size()) };
        self.live.insert(address, (block, layout, self.next));
        Some(address)
    }

    /// Checks that nothing has written into a block.
    fn check(&self, address: usize, size: usize) {
        let (block, layout, fill) = self.live[&address];
        // SAFETY: the block is ours, and filled.
        let content = unsafe { core::slice::from_raw_parts(block, layout.size().min(size)) };
        assert!(content.iter().all(|byte| *byte == fill), "another block has written here");
    }

    fn dealloc(&mut self, address: usize) {
        self.check(address, usize::MAX);
        let (block, layout, _) = self.live.remove(&address).unwrap();
        // SAFETY: it was handed out with this layout, and once only.
        unsafe { self.blocks.dealloc(block, layout) };
    }

    /// None if there is no memory: then the old block stays.
    fn realloc(&mut self, address: usize, size: usize) -> Option<usize> {
        self.check(address, usize::MAX);
        let (block, layout, fill) = self.live[&address];
        // SAFETY: it was handed out with this layout.
        let moved = unsafe { self.blocks.realloc(block, layout, size) };
        if moved.is_null() {
            return None;
        }
        self.live.remove(&address);
        let kept = layout.size().min(size);
        // SAFETY: the block is as large as `size` now.
        let content = unsafe { core::slice::from_raw_parts(moved, kept) };
        assert!(content.iter().all(|byte| *byte == fill), "the content moves along");
        self.take(moved, Layout::from_size_align(size, layout.align()).unwrap())
    }
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, 8).unwrap()
}

#[test]
fn blocks_of_all_sizes_are_aligned_and_apart() {
    let mut bench = Bench::new(1 << 16);
    for size in (1..40).chain([63, 64, 65, 100, 255, 256, 257, 1000, 4096]) {
        for align in [1, 2, 4, 8, ALIGN] {
            bench.alloc(Layout::from_size_align(size, align).unwrap()).unwrap();
        }
    }
    for address in bench.live.keys().copied().collect::<Vec<_>>() {
        bench.dealloc(address);
    }
}

#[test]
fn a_block_that_was_given_back_serves_the_next_of_its_size() {
    let mut bench = Bench::new(1 << 12);
    let first = bench.alloc(layout(100)).unwrap();
    let used = bench.used();
    bench.dealloc(first);
    assert_eq!(bench.alloc(layout(65)), Some(first), "both are blocks of 128 bytes");
    assert_eq!(bench.used(), used);
    assert_ne!(bench.alloc(layout(100)), Some(first));
}

#[test]
fn a_block_is_at_most_twice_as_large_as_asked() {
    for size in [16, 17, 31, 32, 33, 1000, 1024, 1025] {
        let mut bench = Bench::new(1 << 12);
        bench.alloc(layout(size)).unwrap();
        assert!(bench.used() < 2 * size, "{} for {size}", bench.used());
    }
}

#[test]
fn growing_within_a_block_moves_nothing() {
    let mut bench = Bench::new(1 << 12);
    let block = bench.alloc(layout(17)).unwrap();
    assert_eq!(bench.realloc(block, 32), Some(block));
    let moved = bench.realloc(block, 33).unwrap();
    assert_ne!(moved, block);
    assert_eq!(bench.alloc(layout(32)), Some(block), "the old place is free");
}

#[test]
fn without_memory_the_answer_is_null_and_nothing_is_lost() {
    let mut bench = Bench::new(1 << 10);
    let kept = bench.alloc(layout(512)).unwrap();
    assert_eq!(bench.alloc(layout(1024)), None);
    assert_eq!(bench.realloc(kept, 1024), None, "the block stays");
    bench.check(kept, usize::MAX);
    let other = bench.alloc(layout(512)).unwrap();
    bench.dealloc(other);
    bench.dealloc(kept);
    assert!(bench.alloc(layout(400)).is_some());
}

#[test]
fn sizes_and_alignments_beyond_the_lists_are_refused() {
    let mut bench = Bench::new(1 << 10);
    assert_eq!(bench.alloc(Layout::from_size_align(8, 2 * ALIGN).unwrap()), None, "more than 16 is not promised");
    assert_eq!(bench.alloc(Layout::from_size_align(isize::MAX as usize - 7, 8).unwrap()), None);
    assert_eq!(bench.used(), 0);
}

/// A small generator: the schedule is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn any_order_of_taking_growing_and_giving_back_keeps_every_block_whole() {
    let (seeds, steps) = if cfg!(miri) { (3, 200) } else { (200, 2_000) };
    for seed in 0..seeds {
        let mut random = Random(seed);
        let mut bench = Bench::new(1 << 14);
        for _ in 0..steps {
            let order = random.below(10);
            let size = 1 + random.below(1 << order);
            let chosen = bench.live.keys().copied().nth(random.below(bench.live.len().max(1)));
            match (random.below(4), chosen) {
                (0, Some(address)) => bench.dealloc(address),
                (1, Some(address)) => drop(bench.realloc(address, size)),
                _ => drop(bench.alloc(layout(size))),
            }
        }
        for address in bench.live.keys().copied().collect::<Vec<_>>() {
            bench.dealloc(address);
        }
        // All is free again: what fitted once fits a second time, without fresh memory.
        let used = bench.used();
        if let Some(order) = (4..14).rev().find(|order| !bench.blocks.free[*order].get().is_null()) {
            assert!(bench.alloc(layout(1 << order)).is_some());
        }
        assert_eq!(bench.used(), used);
    }
}
