//! The memory of the transposition table: lazily zeroed allocation, huge pages, and prefetching. All `unsafe` code of
//! the search is here.
#![allow(
    unsafe_code,
    reason = "zeroed allocation that can fail and prefetching have no safe interface"
)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

/// Prefetches the first cache line of some memory, where the processor supports it.
#[inline]
pub(super) fn prefetch<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It accepts any address and has no visible effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

/// Allocates `count` pairs of zeros. Returns `None` if `count` is 0 or the allocation fails.
///
/// The operating system zeroes the pages on first use. Writing the zeros here would take tens of milliseconds at each
/// start of the program.
pub(super) fn zeroed_pairs(count: usize) -> Option<Box<[[AtomicU64; 2]]>> {
    let layout = Layout::array::<[AtomicU64; 2]>(count).ok().filter(|layout| layout.size() > 0)?;
    #[allow(clippy::cast_ptr_alignment, reason = "the layout asks for the alignment of the pairs")]
    // SAFETY: the layout is not empty. The memory is zeroed, and all zeros are valid for atomic
    // integers. It holds exactly `count` pairs and was allocated by the global allocator with the
    // layout of the boxed slice, which therefore may own and free it.
    unsafe {
        let start = alloc_zeroed(layout).cast::<[AtomicU64; 2]>();
        advise_huge_pages(start.cast(), layout.size());
        (!start.is_null()).then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, count)))
    }
}

/// Requests pages of 2 MiB. With pages of 4 KiB almost every table access of the first tenth of a second causes a page
/// fault, and threads wait for each other there.
#[cfg(target_os = "linux")]
fn advise_huge_pages(start: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let before = start.align_offset(PAGE);
    if !start.is_null() && size > before + PAGE {
        let inside = (size - before) / PAGE * PAGE;
        // SAFETY: the range consists of whole pages inside one live allocation, and the advice
        // changes nothing that a program can read there. A refusal has no effect.
        unsafe {
            libc::madvise(start.wrapping_add(before).cast(), inside, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn the_pairs_are_zero_and_can_be_written() {
        let pairs = zeroed_pairs(1000).unwrap();
        assert!(pairs.iter().flatten().all(|word| word.load(Ordering::Relaxed) == 0));
        pairs[999][1].store(7, Ordering::Relaxed);
        assert_eq!(pairs[999][1].load(Ordering::Relaxed), 7);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(zeroed_pairs(0).is_none());
        assert!(zeroed_pairs(usize::MAX / 8).is_none());
    }
}
