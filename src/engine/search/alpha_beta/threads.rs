//! What the threads of a search share, and how they keep out of each other's way.
//!
//! Each thread deepens by itself over the shared table (lazy SMP). Two things make that pay: a
//! thread puts off a move that another one is looking at to the same depth (a plain form of
//! ABDADA: Weill 1996, simplified by Kerrigan), and the first to finish an iteration does so for
//! all, the others go on with its moves. One at a time reports, which takes a while where the line of a
//! win is to be shown, and nobody waits for it.

use super::root::{self, RootMove};
use super::{AlphaBetaSettings, Report, Sink};
use crate::search::{Limits, Score, Signal, TimeManager, TranspositionTable};
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
    /// How many threads search.
    pub threads: u64,
    /// Nodes of all threads, brought up to date now and then.
    pub nodes: AtomicU64,
    /// Raised by the first thread that has nothing left to do.
    pub done: AtomicBool,
    /// The moves being searched, if there are threads to share them.
    pub busy: Option<Busy>,
    /// The deepest iteration that is finished.
    finished: AtomicU32,
    progress: Mutex<Progress<'a>>,
}

/// The best that is known to all, and where reports go.
struct Progress<'a> {
    sink: &'a mut (dyn Sink + Send),
    roots: Vec<RootMove>,
    /// Whether a thread is about to report.
    reporting: bool,
    /// The deepest iteration that is reported.
    reported: u32,
    /// The node count of the last report, if it was of the best line.
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
            busy: (threads > 1).then(Busy::default),
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

    /// The deepest iteration that is finished, 0 at first.
    pub(super) fn finished(&self) -> u32 {
        self.finished.load(Ordering::Acquire)
    }

    /// The root moves as the last finished iteration left them.
    pub(super) fn roots(&self) -> Vec<RootMove> {
        self.progress().roots.clone()
    }

    /// The value of the best root move of the last finished iteration, and its depth.
    pub(super) fn best(&self) -> Option<(Score, u32)> {
        self.progress().roots.first().map(|best| (best.score, best.depth))
    }

    /// Makes an iteration count for all; false if another thread was first.
    pub(super) fn publish(&self, depth: u32, roots: &[RootMove]) -> bool {
        let mut progress = self.progress();
        let is_first = self.finished() < depth;
        if is_first {
            progress.roots = roots.to_vec();
            self.finished.store(depth, Ordering::Release);
        }
        is_first
    }

    /// The right to report the deepest iteration that is finished; none if it is reported or another
    /// thread is at it. The line of a win may take a while: the others go on meanwhile, and what they
    /// finish is reported by the same thread.
    pub(super) fn claim_report(&self) -> Option<ReportClaim<'_, 'a>> {
        let mut progress = self.progress();
        let depth = self.finished();
        if progress.reporting || progress.reported >= depth {
            return None;
        }
        progress.reporting = true;
        Some(ReportClaim { shared: self, depth, roots: progress.roots.clone() })
    }

    /// Reports the result, unless that was the last report.
    pub(super) fn report_result(&self, report: &Report) {
        let mut progress = self.progress();
        if progress.reported_nodes != Some(report.nodes) {
            progress.sink.report(report);
        }
    }

    /// A thread that died while it held this left nothing half done.
    fn progress(&self) -> MutexGuard<'_, Progress<'a>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to report an iteration, which another thread has once this one is done with it.
pub(super) struct ReportClaim<'s, 'a> {
    shared: &'s Shared<'a>,
    depth: u32,
    /// The root moves as that iteration left them.
    pub roots: Vec<RootMove>,
}

impl ReportClaim<'_, '_> {
    /// Reports the lines of the iteration; what the moves at the root know of their lines is kept.
    pub(super) fn report(self, roots: &[RootMove], lines: &[Report]) {
        let mut progress = self.shared.progress();
        root::keep_lines(&mut progress.roots, roots);
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
    /// Leaves reports to others, also where building one failed.
    fn drop(&mut self) {
        self.shared.progress().reporting = false;
    }
}

/// The moves that threads are looking at. A collision only changes the order of the search.
pub(super) struct Busy(Box<[AtomicU64]>);

/// Shallower searches are over before putting them off would help.
pub(super) const SHARED_DEPTH: i32 = 3;

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..Busy::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Busy {
    const SLOTS: usize = 1 << 12;

    /// What stands for a move of a position, searched to a depth.
    pub(super) fn tag(key: Key, mv: Move, depth: i32) -> u64 {
        mix(key.0 ^ u64::from(mv.bits()) << 8 ^ depth as u64)
    }

    /// Whether a thread is at it.
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
        // What is finished while a thread reports is left to that thread, the deepest of it.
        assert!(shared.publish(5, &[]));
        let claim = shared.claim_report().unwrap();
        assert!(shared.publish(6, &[]) && shared.publish(7, &[]));
        assert!(shared.claim_report().is_none());
        report(claim);
        shared.claim_report().map(report).unwrap();
        assert!(shared.claim_report().is_none());
        // Nor is a report lost that a thread fails to build.
        assert!(shared.publish(8, &[]));
        drop(shared.claim_report().unwrap());
        shared.claim_report().map(report).unwrap();
        drop(shared);
        assert_eq!(depths, [3, 4, 5, 7, 8]);
    }
}
