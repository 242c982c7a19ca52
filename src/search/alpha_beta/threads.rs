//! What the threads of a search share, and how they keep out of each other's way.
//!
//! Each thread deepens by itself over the shared table (lazy SMP). Two things make that pay: a
//! thread puts off a move that another one is looking at to the same depth (a plain form of
//! ABDADA: Weill 1996, simplified by Kerrigan), and the first to finish an iteration does so for
//! all, the others go on with its moves.

use super::root::RootMove;
use super::{AlphaBetaSettings, Report, Sink};
use crate::game::mix;
use crate::game::{Key, Move};
use crate::search::{Limits, Signal, TimeManager, TranspositionTable};
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
            progress: Mutex::new(Progress { sink, roots: Vec::new(), reported_nodes: None }),
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

    /// The right to make an iteration count for all; none if another thread was first. Whoever
    /// finishes it meanwhile waits, for the line of a win may take a while and is needed once.
    pub(super) fn claim(&self, depth: u32) -> Option<Claim<'_, 'a>> {
        let progress = self.progress();
        (self.finished() < depth).then_some(Claim { depth, progress, finished: &self.finished })
    }

    /// Reports the result, unless that was the last report.
    pub(super) fn report_result(&self, report: &Report) {
        let mut progress = self.progress();
        if progress.reported_nodes != Some(report.nodes) {
            progress.sink.report(report);
        }
    }

    /// A thread that died mid-report leaves nothing half done.
    fn progress(&self) -> MutexGuard<'_, Progress<'a>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An iteration that is finished, before the other threads hear of it.
pub(super) struct Claim<'s, 'a> {
    depth: u32,
    progress: MutexGuard<'s, Progress<'a>>,
    finished: &'s AtomicU32,
}

impl Claim<'_, '_> {
    /// Makes the iteration count and reports its lines.
    pub(super) fn publish(mut self, roots: &[RootMove], lines: &[Report]) {
        self.progress.roots = roots.to_vec();
        self.finished.store(self.depth, Ordering::Release);
        for line in lines {
            self.progress.sink.report(line);
        }
        self.progress.reported_nodes = match lines {
            [line] => Some(line.nodes),
            _ => None,
        };
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
        for depth in [3, 3, 2, 4, 4] {
            if let Some(claim) = shared.claim(depth) {
                assert!(shared.finished() < depth);
                claim.publish(&[], &[Report { depth, ..Report::empty() }]);
            }
            assert!(shared.finished() >= depth);
        }
        drop(shared);
        assert_eq!(depths, [3, 4]);
    }
}
