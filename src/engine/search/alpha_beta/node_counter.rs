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
    /// The nodes of all threads at which the search must end.
    most: Option<u64>,
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 128;
/// The same while a line is completed.
const LINE_CLOCK_NODES: u64 = 32;
/// What completing the line of a win may cost.
const LINE_NODES: u64 = 100_000;
/// The same where time is over.
const HURRIED_LINE_NODES: u64 = 500;
/// The part of a number of nodes that is held back for the line of a win.
const LINE_SHARE: u64 = 4;
/// The part of a number of nodes by which the last line may go beyond it.
const EXCESS_SHARE: u64 = 100;

impl<'a> ThreadCounter<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> ThreadCounter<'a> {
        let most = shared.limits.nodes;
        ThreadCounter { shared, root_depth: 0, nodes: 0, shared_nodes: 0, most }
    }

    /// Holds nodes back for the line of a win, if one is known.
    pub(super) fn hold_back(&mut self, wins: bool) {
        let shown = wins && self.shared.settings.whole_lines;
        let held = |most: u64| if shown { most / LINE_SHARE } else { 0 };
        self.most = self.shared.limits.nodes.map(|most| most - held(most));
    }

    /// Counts the nodes of a line that is completed after the last iteration, or after one that
    /// leaves most of the nodes to those that follow.
    pub(super) fn of_line(&mut self, is_last: bool) -> LineCounter<'_, 'a> {
        let hurried = self.is_time_over();
        let most = if hurried { HURRIED_LINE_NODES } else { LINE_NODES };
        let left = self.shared.limits.nodes.map_or(most, |limit| {
            let left = limit.saturating_sub(self.total());
            if is_last {
                left + limit / EXCESS_SHARE / self.shared.threads
            } else {
                left / LINE_SHARE
            }
        });
        LineCounter { counter: self, left: most.min(left), hurried }
    }

    /// Whether the search is stopped or out of time.
    fn is_time_over(&self) -> bool {
        let signal = self.shared.signal;
        signal.is_stopped() || self.shared.time_manager.is_out_of_time(signal)
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
        self.shared.done.load(Ordering::Relaxed) || self.is_time_over()
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
        if self.most.is_some_and(|most| self.total() >= most) {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) { self.look_around() } else { Ok(()) }
    }
}

/// The nodes of a line that is completed, within a budget of its own.
pub(super) struct LineCounter<'c, 'a> {
    counter: &'c mut ThreadCounter<'a>,
    left: u64,
    /// Time was over before, so that the little that is left ends by itself.
    hurried: bool,
}

impl NodeCounter for LineCounter<'_, '_> {
    fn count_node(&mut self) -> Result<(), Aborted> {
        self.left = self.left.checked_sub(1).ok_or(Aborted)?;
        self.counter.nodes += 1;
        let looks = !self.hurried && self.left.is_multiple_of(LINE_CLOCK_NODES);
        if looks && self.counter.is_time_over() { Err(Aborted) } else { Ok(()) }
    }
}
