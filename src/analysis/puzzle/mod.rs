//! The puzzles of the Pent-Up leaflet (S2): how high tiles can be stacked by the rules, and rings
//! of tiles around tiles.

mod check;
mod cover;
mod grid;
mod ring;
mod tower;

pub use check::{Ring, check_rings};
pub use ring::{RingAnswer, RingSearch, Surrounded};
pub use tower::{Tower, TowerSearch};

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When a search for an answer has to end.
#[derive(Debug)]
pub struct Deadline {
    end: Option<Instant>,
    stopped: AtomicBool,
}

impl Deadline {
    /// Ends at a moment, or never by itself.
    pub fn new(end: Option<Instant>) -> Deadline {
        Deadline { end, stopped: AtomicBool::new(false) }
    }

    /// Ends the search now.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search has to end.
    pub fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}
