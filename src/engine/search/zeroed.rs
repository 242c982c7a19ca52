//! Memory that the operating system hands out as it is touched.
#![allow(
    unsafe_code,
    reason = "there is no safe way to zeroed memory of a given type that can fail"
)]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

/// `count` pairs of zeros, or none if the memory cannot be had.
///
/// A table of many mebibytes built so costs nothing until it is used; writing the zeros would
/// take tens of milliseconds at every start of the program.
pub(super) fn pairs(count: usize) -> Option<Box<[[AtomicU64; 2]]>> {
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

/// Asks for pages of 2 MiB. A search touches its table all over: with pages of 4 KiB it stops at
/// almost every node of its first tenth of a second to be given one, and threads wait for each
/// other there.
#[cfg(target_os = "linux")]
fn advise_huge_pages(start: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    let before = start.align_offset(PAGE);
    if !start.is_null() && size > before + PAGE {
        let inside = (size - before) / PAGE * PAGE;
        // SAFETY: the range consists of whole pages inside one live allocation, and the advice
        // changes nothing that a program can read there. That the system may refuse is no harm.
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
        let pairs = pairs(1000).unwrap();
        assert!(pairs.iter().flatten().all(|word| word.load(Ordering::Relaxed) == 0));
        pairs[999][1].store(7, Ordering::Relaxed);
        assert_eq!(pairs[999][1].load(Ordering::Relaxed), 7);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(super::pairs(0).is_none());
        assert!(super::pairs(usize::MAX / 8).is_none());
    }
}
