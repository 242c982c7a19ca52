//! What the threads of a search share.
//!
//! Each thread deepens by itself over the shared table (lazy SMP). Two things divide the work: a thread defers a
//! move that another thread searches to the same depth (ABDADA: Weill 1996, as simplified by Kerrigan), and the
//! first thread to finish an iteration finishes it for all; the others continue with its root moves. One thread
//! at a time reports, which can take long if the line of a win is to be completed; the others do not wait for it.

use super::root::{self, RootMove};
use super::{AlphaBetaSettings, Report, Sink};
use crate::search::{Aborted, Limits, NodeCounter, Score, Signal, TimeManager, TranspositionTable};
use pentarch_core::game::mix;
use pentarch_core::game::{Key, Move};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub signal: &'a Signal,
    pub limits: &'a Limits,
    pub settings: AlphaBetaSettings,
    pub time_manager: TimeManager,
    /// The number of threads.
    pub threads: u64,
    /// Nodes of all threads, updated at intervals.
    pub nodes: AtomicU64,
    /// Set by the first thread that ends the search.
    pub done: AtomicBool,
    /// The moves that threads are searching, if there are several threads.
    pub currently_searching: Option<CurrentlySearching>,
    /// The deepest finished iteration.
    finished: AtomicU32,
    progress: Mutex<Progress<'a>>,
}

/// The root moves of the last finished iteration, and the state of the reports.
struct Progress<'a> {
    sink: &'a mut (dyn Sink + Send),
    roots: Vec<RootMove>,
    /// Whether a thread is reporting.
    reporting: bool,
    /// The deepest reported iteration.
    reported: u32,
    /// The node count of the last report, if that had a single line.
    reported_nodes: Option<u64>,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        table: &'a TranspositionTable,
        settings: AlphaBetaSettings,
        (limits, signal): (&'a Limits, &'a Signal),
        sink: &'a mut (dyn Sink + Send),
        threads: usize,
    ) -> Shared<'a> {
        Shared {
            table,
            signal,
            limits,
            settings,
            time_manager: TimeManager::new(limits, signal),
            threads: threads as u64,
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
            currently_searching: (threads > 1).then(CurrentlySearching::default),
            finished: AtomicU32::new(0),
            progress: Mutex::new(Progress {
                sink,
                roots: Vec::new(),
                reporting: false,
                reported: 0,
                reported_nodes: None,
            }),
        }
    }

    /// The deepest finished iteration, 0 before the first.
    pub(super) fn finished(&self) -> u32 {
        self.finished.load(Ordering::Acquire)
    }

    /// The root moves of the last finished iteration.
    pub(super) fn roots(&self) -> Vec<RootMove> {
        self.progress().roots.clone()
    }

    /// The score and depth of the best root move of the last finished iteration.
    pub(super) fn best(&self) -> Option<(Score, u32)> {
        self.progress().roots.first().map(|best| (best.score, best.depth))
    }

    /// Finishes an iteration for all threads. Returns `false` if another thread was first.
    pub(super) fn publish(&self, depth: u32, roots: &[RootMove]) -> bool {
        let mut progress = self.progress();
        let is_first = self.finished() < depth;
        if is_first {
            progress.roots = roots.to_vec();
            self.finished.store(depth, Ordering::Release);
        }
        is_first
    }

    /// Claims the right to report the deepest finished iteration. Returns `None` if it is reported, or if another
    /// thread is reporting, which then reports later iterations too.
    pub(super) fn claim_report(&self) -> Option<ReportClaim<'_, 'a>> {
        let mut progress = self.progress();
        let depth = self.finished();
        if progress.reporting || progress.reported >= depth {
            return None;
        }
        progress.reporting = true;
        Some(ReportClaim { shared: self, depth, roots: progress.roots.clone() })
    }

    /// Reports the result, unless the last report had the same node count.
    pub(super) fn report_result(&self, report: &Report) {
        let mut progress = self.progress();
        if progress.reported_nodes != Some(report.nodes) {
            progress.sink.report(report);
        }
    }

    // A thread that panicked with the lock has left the progress consistent.
    fn progress(&self) -> MutexGuard<'_, Progress<'a>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to report an iteration, released on drop.
pub(super) struct ReportClaim<'s, 'a> {
    shared: &'s Shared<'a>,
    depth: u32,
    /// The root moves of the iteration.
    pub roots: Vec<RootMove>,
}

impl ReportClaim<'_, '_> {
    /// Reports the lines of the iteration, and keeps the completed lines of the root moves.
    pub(super) fn report(self, roots: &[RootMove], lines: &[Report]) {
        let mut progress = self.shared.progress();
        root::keep_reported_mates(&mut progress.roots, roots);
        for line in lines {
            progress.sink.report(line);
        }
        progress.reported_nodes = match lines {
            [line] => Some(line.nodes),
            _ => None,
        };
        progress.reported = self.depth;
    }
}

impl Drop for ReportClaim<'_, '_> {
    fn drop(&mut self) {
        self.shared.progress().reporting = false;
    }
}

/// A hash table of the moves that threads are searching. A collision only changes the order of the search.
pub(super) struct CurrentlySearching(Box<[AtomicU64]>);

/// The least depth at which moves are deferred.
pub(super) const SHARED_DEPTH: i32 = 3;

impl Default for CurrentlySearching {
    fn default() -> CurrentlySearching {
        CurrentlySearching((0..CurrentlySearching::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl CurrentlySearching {
    const SLOTS: usize = 1 << 12;

    /// The hash of a move of a position, searched to a depth.
    pub(super) fn tag(key: Key, mv: Move, depth: i32) -> u64 {
        mix(key.0 ^ u64::from(mv.bits()) << 8 ^ depth as u64)
    }

    pub(super) fn contains(&self, tag: u64) -> bool {
        self.slot(tag).load(Ordering::Relaxed) == tag
    }

    pub(super) fn insert(&self, tag: u64) {
        self.slot(tag).store(tag, Ordering::Relaxed);
    }

    pub(super) fn remove(&self, tag: u64) {
        self.slot(tag).store(0, Ordering::Relaxed);
    }

    fn slot(&self, tag: u64) -> &AtomicU64 {
        &self.0[tag as usize & (self.0.len() - 1)]
    }
}

/// Counts the nodes of one thread and ends its search at a limit.
pub(super) struct ThreadCounter<'a> {
    shared: &'a Shared<'a>,
    /// The depth of the iteration, 0 before the first.
    pub root_depth: u32,
    nodes: u64,
    shared_nodes: u64,
    /// The number of nodes of all threads at which the search ends.
    limit: Option<u64>,
}

/// Nodes between two looks at the clock.
const CLOCK_NODES: u64 = 128;
/// The same while a line is completed.
const LINE_CLOCK_NODES: u64 = 32;
/// The most nodes for completing the line of a win.
const LINE_NODES: u64 = 100_000;
/// The same if time is over.
const OUT_OF_TIME_LINE_NODES: u64 = 500;
/// The fraction (one in) of a node limit reserved for the line of a win.
const LINE_SHARE: u64 = 4;
/// The fraction (one in) of a node limit by which the last line may exceed it.
const EXCESS_SHARE: u64 = 100;

impl<'a> ThreadCounter<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> ThreadCounter<'a> {
        let limit = shared.limits.nodes;
        ThreadCounter { shared, root_depth: 0, nodes: 0, shared_nodes: 0, limit }
    }

    /// Reserves nodes for the line of a win, if one is known.
    pub(super) fn reserve_line_nodes(&mut self, wins: bool) {
        let shown = wins && self.shared.settings.whole_lines;
        let reserved = |limit: u64| if shown { limit / LINE_SHARE } else { 0 };
        self.limit = self.shared.limits.nodes.map(|limit| limit - reserved(limit));
    }

    /// A counter for the nodes of a line that is completed. Before the last iteration it leaves most nodes to
    /// later iterations.
    pub(super) fn of_line(&mut self, is_last: bool) -> LineCounter<'_, 'a> {
        let out_of_time = self.is_time_over();
        let most = if out_of_time { OUT_OF_TIME_LINE_NODES } else { LINE_NODES };
        let left = self.shared.limits.nodes.map_or(most, |limit| {
            let left = limit.saturating_sub(self.total());
            if is_last {
                left + limit / EXCESS_SHARE / self.shared.threads
            } else {
                left / LINE_SHARE
            }
        });
        LineCounter { counter: self, left: most.min(left), out_of_time }
    }

    /// Whether the search is stopped or out of time.
    fn is_time_over(&self) -> bool {
        let signal = self.shared.signal;
        signal.is_stopped() || self.shared.time_manager.is_out_of_time(signal)
    }

    /// Aborts if the search must end or another thread has finished this iteration.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Aborted> {
        self.share_nodes();
        let overtaken = self.shared.finished() >= self.root_depth && self.root_depth > 0;
        if overtaken || self.must_end() { Err(Aborted) } else { Ok(()) }
    }

    /// Whether the search is stopped, out of time, or done by another thread.
    pub(super) fn must_end(&self) -> bool {
        self.shared.done.load(Ordering::Relaxed) || self.is_time_over()
    }

    /// Adds the nodes since the last call to those of all threads.
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
    #[inline]
    fn count_node(&mut self) -> Result<(), Aborted> {
        if self.limit.is_some_and(|limit| self.total() >= limit) {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) { self.check_limits() } else { Ok(()) }
    }
}

/// Counts the nodes of a line that is completed, within a budget of its own.
pub(super) struct LineCounter<'c, 'a> {
    counter: &'c mut ThreadCounter<'a>,
    left: u64,
    /// Whether time was over before; the small budget is then the only limit.
    out_of_time: bool,
}

impl NodeCounter for LineCounter<'_, '_> {
    fn count_node(&mut self) -> Result<(), Aborted> {
        self.left = self.left.checked_sub(1).ok_or(Aborted)?;
        self.counter.nodes += 1;
        let looks = !self.out_of_time && self.left.is_multiple_of(LINE_CLOCK_NODES);
        if looks && self.counter.is_time_over() { Err(Aborted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_counts_and_is_reported_once() {
        let table = TranspositionTable::new(1).unwrap();
        let (limits, signal) = (Limits::depth(9), Signal::new());
        let mut depths = Vec::new();
        let mut sink = |report: &Report| depths.push(report.depth);
        let settings = AlphaBetaSettings::default();
        let shared = Shared::new(&table, settings, (&limits, &signal), &mut sink, 2);
        let report = |claim: ReportClaim<'_, '_>| {
            let depth = claim.depth;
            claim.report(&[], &[Report { depth, ..Report::empty() }]);
        };
        for (depth, is_first) in [(3, true), (3, false), (2, false), (4, true), (4, false)] {
            assert_eq!(shared.publish(depth, &[]), is_first);
            assert!(shared.finished() >= depth);
            assert_eq!(shared.claim_report().map(report).is_some(), is_first);
        }
        // The reporting thread also reports what is finished meanwhile, the deepest iteration only.
        assert!(shared.publish(5, &[]));
        let claim = shared.claim_report().unwrap();
        assert!(shared.publish(6, &[]) && shared.publish(7, &[]));
        assert!(shared.claim_report().is_none());
        report(claim);
        shared.claim_report().map(report).unwrap();
        assert!(shared.claim_report().is_none());
        // A claim dropped without a report leaves the iteration to be reported.
        assert!(shared.publish(8, &[]));
        drop(shared.claim_report().unwrap());
        shared.claim_report().map(report).unwrap();
        drop(shared);
        assert_eq!(depths, [3, 4, 5, 7, 8]);
    }
}
