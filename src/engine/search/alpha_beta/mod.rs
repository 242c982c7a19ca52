//! Iterative deepening alpha-beta with a transposition table, on any number of threads.

mod answers;
mod aspiration;
mod extension;
mod history;
mod memory;
mod move_picker;
mod node;
mod node_counter;
mod outlook;
mod parameters;
mod pruning;
mod root;
mod search_move;
mod threads;
mod win_search;
mod worker;

pub use parameters::{Parameter, Parameters};

use super::{Limits, Report, Score, SearchResult, Searcher, Signal, Sink};
use super::{ThreatGenerator, TranspositionTable, Tree};
use pentarch_core::game::Position;
use rayon::ThreadPool;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use threads::Shared;
use worker::Worker;

/// Switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// How many of the best moves to report lines for.
    pub multi_pv: u32,
    /// Proves the value, win, draw or loss, instead of estimating it: the search goes to the end
    /// of the game. The evaluator must then name every move that matters.
    pub exact: bool,
    /// What makes it play weaker.
    pub handicap: Handicap,
    /// Chooses how it misjudges, where the handicap says that it does.
    pub seed: u64,
    /// Shows wins and losses to the end, which takes nodes of its own.
    pub whole_lines: bool,
    /// The numbers that prune, reduce and order moves.
    pub parameters: Parameters,
}

/// What keeps a search from playing its best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// How many of the most promising moves it looks at first; at the others only if all of these
    /// lose.
    pub width: usize,
    /// By how many points, at most, it misjudges a move. It then plays now this, now that of the
    /// moves that are close; wins and losses are what they are.
    pub blur: i32,
    /// Whether it searches for wins by threats beside the main search.
    pub forced_wins: bool,
}

impl Handicap {
    /// Full strength.
    pub const fn none() -> Handicap {
        Handicap { width: usize::MAX, blur: 0, forced_wins: true }
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

/// The searcher, on any number of threads.
#[derive(Debug)]
pub struct AlphaBeta<E> {
    evaluator: E,
    table: Arc<TranspositionTable>,
    pool: Option<Arc<ThreadPool>>,
    settings: AlphaBetaSettings,
}

impl<E> AlphaBeta<E> {
    /// A searcher with the evaluator as a template; `pool` is asked for threads if given.
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
            let tree = Tree::new(position.clone(), self.evaluator.clone());
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
        // A search without limits, or on the opponent's time, answers only when asked to.
        signal.wait(limits.infinite);
        SearchResult { best: report.pv.first().copied(), report }
    }
}

/// The thread that got furthest, the first among equals, if there is a move.
fn deepest<'w, 'a, P: Position, E: ThreatGenerator<P>>(
    workers: &'w mut [Worker<'a, P, E>],
) -> Option<&'w mut Worker<'a, P, E>> {
    let moving = workers.iter_mut().filter(|worker| worker.depth().is_some());
    moving.rev().max_by_key(|worker| worker.depth())
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
            move_nodes: 0,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }
}
