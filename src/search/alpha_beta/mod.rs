//! Iterative deepening alpha-beta with a transposition table, on any number of threads.

mod forced;
mod frames;
mod node;
mod prune;
mod root;
mod worker;

use super::{Budget, Evaluator, Found, Limits, Report, Score, Searcher, Signal, Sink};
use super::{TranspositionTable, Tree};
use crate::game::Position;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use worker::Worker;

/// Switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many of the best moves to report lines for.
    pub multi_pv: u32,
    /// Proves the value, win, draw or loss, instead of estimating it: the search goes to the end
    /// of the game. The evaluator must then name every move that matters.
    pub exact: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { multi_pv: 1, exact: false }
    }
}

/// The searcher. Several threads share the table and nothing else (lazy SMP): each deepens by
/// itself, the first one decides.
#[derive(Debug)]
pub struct AlphaBeta<E> {
    evaluator: E,
    table: Arc<TranspositionTable>,
    pool: Option<Arc<ThreadPool>>,
    settings: Settings,
}

/// What the threads of one search share.
struct Shared<'a> {
    table: &'a TranspositionTable,
    signal: &'a Signal,
    limits: &'a Limits,
    settings: Settings,
    budget: Budget,
    /// Nodes of all threads, brought up to date now and then.
    nodes: AtomicU64,
    /// Raised by the first thread when it is done.
    done: AtomicBool,
}

impl<E> AlphaBeta<E> {
    /// A searcher with the evaluator as a template; `pool` is asked for threads if given.
    pub fn new(
        evaluator: E,
        table: Arc<TranspositionTable>,
        pool: Option<Arc<ThreadPool>>,
        settings: Settings,
    ) -> AlphaBeta<E> {
        AlphaBeta { evaluator, table, pool, settings }
    }
}

impl<P: Position, E: Evaluator<P>> Searcher<P> for AlphaBeta<E> {
    fn search(
        &mut self,
        position: &P,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> Found {
        self.table.age();
        let shared = Shared {
            table: &self.table,
            signal,
            limits,
            settings: self.settings,
            budget: Budget::new(limits, signal),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
        };
        let work = |index: usize, sink: &mut (dyn Sink + Send)| {
            let tree = Tree::new(position.clone(), self.evaluator.clone());
            Worker::new(tree, &shared, index).run(sink)
        };
        let found = match &self.pool {
            None => Some(work(0, sink)),
            Some(pool) => {
                let sink = Mutex::new(sink);
                let all = pool.broadcast(|context| match context.index() {
                    0 => Some(work(0, *sink.lock().unwrap_or_else(PoisonError::into_inner))),
                    index => {
                        work(index, &mut |_: &Report| ());
                        None
                    }
                });
                all.into_iter().flatten().next()
            }
        };
        // A search without limits, or on the opponent's time, answers only when asked to.
        signal.wait(limits.infinite);
        found.unwrap_or_else(|| Found { best: None, report: Report::empty() })
    }
}

impl Report {
    /// Nothing searched, nothing known.
    pub(super) fn empty() -> Report {
        Report {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::DRAW,
            bound: super::Bound::Exact,
            nodes: 0,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }
}
