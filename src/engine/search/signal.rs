//! The way into a running search from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Tells a search to stop, or that the opponent played the move it was pondering.
#[derive(Debug)]
pub struct Signal {
    started: Instant,
    stopped: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Default for Signal {
    fn default() -> Signal {
        Signal::new()
    }
}

impl Signal {
    /// For a search on our own time.
    pub fn new() -> Signal {
        Signal {
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            ponder_hit: OnceLock::new(),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// For a search on the opponent's time: no clock runs until [`Signal::hit`].
    pub fn pondering() -> Signal {
        Signal { pondering: AtomicBool::new(true), ..Signal::new() }
    }

    /// When the signal was made, which is when the search was asked for.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.wake();
    }

    /// Starts the clock of a pondering search.
    pub fn hit(&self) {
        if self.is_pondering() {
            // In this order: who sees that the pondering is over must see since when.
            let _ = self.ponder_hit.set(Instant::now());
            self.pondering.store(false, Ordering::Release);
            self.wake();
        }
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search is still on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When the opponent played the move that was pondered on, if that happened.
    pub fn hit_at(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }

    /// Sleeps until the search is to end or, when pondering, until the clock runs.
    pub fn wait(&self, even_on_own_time: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (even_on_own_time || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn wake(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
