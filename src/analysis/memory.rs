//! The memory that searches share.

use super::analyst::Stop;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A number of mebibytes for all searches at a time. What one of them gets depends on its query
/// and the whole, never on who else is searching: else the same query would be answered in
/// different ways.
#[derive(Debug)]
pub(super) struct Memory {
    whole: usize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// This many of the largest searches have room at the same time.
const PARTS: usize = 8;

/// How long a search that waits may overlook that it is stopped.
const SLICE: Duration = Duration::from_millis(50);

/// Mebibytes in use, free again when this is dropped.
#[derive(Debug)]
pub(super) struct Share<'a> {
    memory: &'a Memory,
    /// How many.
    pub mebibytes: usize,
}

impl Memory {
    pub(super) fn new(mebibytes: usize) -> Memory {
        let whole = mebibytes.max(1);
        Memory { whole, free: Mutex::new(whole), freed: Condvar::new() }
    }

    /// What a search gets that can use that much, or no matter how much.
    pub(super) fn share_of(&self, useful: Option<usize>) -> usize {
        let most = (self.whole / PARTS).max(1);
        useful.map_or(most, |useful| useful.clamp(1, most))
    }

    /// Waits until that much is free. None if the search is stopped before.
    pub(super) fn take(&self, mebibytes: usize, stop: &Stop) -> Option<Share<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < mebibytes {
            if stop.is_stopped() {
                return None;
            }
            let waited = self.freed.wait_timeout(free, SLICE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= mebibytes;
        Some(Share { memory: self, mebibytes })
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut free = self.memory.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free += self.mebibytes;
        self.memory.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_get_what_they_can_use_up_to_an_eighth() {
        let memory = Memory::new(64);
        assert_eq!([None, Some(0), Some(3), Some(9)].map(|u| memory.share_of(u)), [8, 1, 3, 8]);
        assert_eq!(Memory::new(2).share_of(None), 1);
    }

    #[test]
    fn what_is_dropped_is_free_again() {
        let memory = Memory::new(2);
        let stop = Stop::new();
        let both = memory.take(2, &stop).unwrap();
        let waiting = std::thread::scope(|scope| {
            let waiter = scope.spawn(|| memory.take(1, &stop).map(|share| share.mebibytes));
            drop(both);
            waiter.join().unwrap()
        });
        assert_eq!(waiting, Some(1));
        let _all = memory.take(2, &stop).unwrap();
        stop.stop();
        assert!(memory.take(1, &stop).is_none());
    }
}
