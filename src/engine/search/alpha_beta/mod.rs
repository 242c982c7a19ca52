//! Iterative deepening alpha-beta with a transposition table, on any number of threads.
//!
//! `node` is the search of a node, `move_picker` its move ordering, `root` the root moves and reports, `worker`
//! iterative deepening, `win_search` the additional search for forced wins, `threads` what threads share, and
//! `parameters` the table of tuned numbers.

mod move_picker;
mod node;
mod parameters;
mod root;
mod threads;
mod win_search;
mod worker;

pub use parameters::{Parameter, Parameters};

use super::{Limits, Report, Score, SearchResult, Searcher, Signal, Sink};
use super::{SearchPosition, ThreatGenerator, TranspositionTable};
use pentarch_core::game::Position;
use rayon::ThreadPool;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use threads::Shared;
use worker::Worker;

/// The settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// The number of best lines to report.
    pub multi_pv: u32,
    /// Proves a win, draw or loss by a search to the end of the game, instead of estimating the score.
    pub exact: bool,
    /// What makes the engine play weaker.
    pub handicap: Handicap,
    /// The seed of the evaluation noise of the handicap.
    pub seed: u64,
    /// Reports wins and losses with lines to the end of the game, which takes additional nodes.
    pub whole_lines: bool,
    /// The tuned numbers.
    pub parameters: Parameters,
}

/// What limits the strength of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The most root moves that are searched, unless all of them lose.
    pub max_root_moves: usize,
    /// The greatest error of the score of a root move, in points. Wins and losses have none.
    pub eval_noise: i32,
    /// Whether wins by threats are searched for in addition to the main search.
    pub forced_wins: bool,
}

impl Handicap {
    /// Full strength.
    pub const fn none() -> Handicap {
        Handicap { max_root_moves: usize::MAX, eval_noise: 0, forced_wins: true }
    }
}

impl Default for AlphaBetaSettings {
    fn default() -> AlphaBetaSettings {
        let handicap = Handicap::none();
        let parameters = Parameters::DEFAULT;
        AlphaBetaSettings {
            multi_pv: 1,
            exact: false,
            handicap,
            seed: 0,
            whole_lines: true,
            parameters,
        }
    }
}

/// The alpha-beta searcher.
#[derive(Debug)]
pub struct AlphaBeta<E> {
    evaluator: E,
    table: Arc<TranspositionTable>,
    pool: Option<Arc<ThreadPool>>,
    settings: AlphaBetaSettings,
}

impl<E> AlphaBeta<E> {
    /// Creates a searcher. Each thread clones the evaluator; without a pool there is one thread.
    pub fn new(
        evaluator: E,
        table: Arc<TranspositionTable>,
        pool: Option<Arc<ThreadPool>>,
        settings: AlphaBetaSettings,
    ) -> AlphaBeta<E> {
        AlphaBeta { evaluator, table, pool, settings }
    }
}

impl<P: Position, E: ThreatGenerator<P>> Searcher<P> for AlphaBeta<E> {
    fn search(
        &mut self,
        position: &P,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        self.table.age();
        let threads = self.pool.as_ref().map_or(1, |pool| pool.current_num_threads());
        let shared = Shared::new(&self.table, self.settings, (limits, signal), sink, threads);
        let work = || {
            let tree = SearchPosition::new(position.clone(), self.evaluator.clone());
            let mut worker = Worker::new(tree, &shared);
            worker.run();
            worker
        };
        let mut workers = match &self.pool {
            None => vec![work()],
            Some(pool) => pool.broadcast(|_| work()),
        };
        let mut report = deepest(&mut workers).map_or_else(Report::empty, Worker::result);
        report.nodes = shared.nodes.load(Ordering::Relaxed);
        if !report.pv.is_empty() {
            shared.report_result(&report);
        }
        // An infinite search, and pondering, answer only when they are stopped.
        signal.wait(limits.infinite);
        SearchResult { best: report.pv.first().copied(), report }
    }
}

/// The thread with the deepest result, the first among equals. `None` if there is no move.
fn deepest<'w, 'a, P: Position, E: ThreatGenerator<P>>(
    workers: &'w mut [Worker<'a, P, E>],
) -> Option<&'w mut Worker<'a, P, E>> {
    let moving = workers.iter_mut().filter(|worker| worker.depth().is_some());
    moving.rev().max_by_key(|worker| worker.depth())
}

impl Report {
    /// The report of a search without nodes.
    pub(super) fn empty() -> Report {
        Report {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::DRAW,
            bound: super::Bound::Exact,
            nodes: 0,
            move_nodes: 0,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }
}
