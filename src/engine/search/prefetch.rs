//! Memory that is asked for before it is read.
#![allow(unsafe_code, reason = "there is no safe way to tell the processor what is read next")]

/// Has the first line of some memory brought into the processor's cache, where that can be done.
#[inline]
pub(super) fn prefetch<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, which changes nothing that a program can read and
        // takes any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}
