//! Counting the nodes of a thread, and noticing when it must end.

use super::threads::Shared;
use crate::search::{Aborted, NodeCounter};
use std::sync::atomic::Ordering;

/// The nodes of one thread, of which the others hear now and then.
pub(super) struct ThreadCounter<'a> {
    shared: &'a Shared<'a>,
    /// Plies looked ahead from the root in this iteration, 0 before the first.
    pub root_depth: u32,
    nodes: u64,
    shared_nodes: u64,
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 128;

impl<'a> ThreadCounter<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> ThreadCounter<'a> {
        ThreadCounter { shared, root_depth: 0, nodes: 0, shared_nodes: 0 }
    }

    /// Looks whether the search must end, or another thread has finished this iteration.
    #[cold]
    fn look_around(&mut self) -> Result<(), Aborted> {
        self.share_nodes();
        let overtaken = self.shared.finished() >= self.root_depth && self.root_depth > 0;
        if overtaken || self.must_end() { Err(Aborted) } else { Ok(()) }
    }

    /// Whether the search is stopped, out of time, or done by another thread.
    pub(super) fn must_end(&self) -> bool {
        let signal = self.shared.signal;
        signal.is_stopped()
            || self.shared.done.load(Ordering::Relaxed)
            || self.shared.time_manager.is_out_of_time(signal)
    }

    /// Adds the nodes since the last time to those of all threads.
    pub(super) fn share_nodes(&mut self) {
        let new = self.nodes - self.shared_nodes;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed);
        self.shared_nodes = self.nodes;
    }

    /// The nodes of this thread.
    pub(super) fn own(&self) -> u64 {
        self.nodes
    }

    /// The nodes of all threads, as far as this one knows.
    pub(super) fn total(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.shared_nodes
    }
}

impl NodeCounter for ThreadCounter<'_> {
    /// Counts a node and looks, now and then, whether the search must end.
    #[inline]
    fn count_node(&mut self) -> Result<(), Aborted> {
        if self.shared.limits.nodes.is_some_and(|most| self.total() >= most) {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) { self.look_around() } else { Ok(()) }
    }
}
