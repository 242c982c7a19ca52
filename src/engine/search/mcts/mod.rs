//! [Monte Carlo tree search](https://www.chessprogramming.org/Monte-Carlo_Tree_Search) with proofs, on any number of threads, for any number of sides.
//!
//! Each simulation selects moves by PUCT (Rosin 2011; Silver et al. 2017), expands a node, estimates it with the
//! [`Guide`], and adds the reward of the side that moved to every node on the path: each side maximizes its own
//! reward (max^n; Luckhardt and Irani 1986). Results of finished games are backed up as proofs (MCTS-Solver;
//! Winands, Björnsson and Saito 2008), and proved nodes are not simulated again.

mod node;
mod result;
mod worker;

use super::{Limits, Report, Score, SearchResult, Searcher, Signal, Sink, TimeManager};
use fastrand::Rng;
use node::Node;
use pentarch_core::game::{Move, Outcome, Position, Side};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use worker::Worker;

/// The reward of each side, from 0 for a loss to 1 for a win, by the number of the side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards(pub [f32; Rewards::SIDES]);

impl Rewards {
    /// The greatest number of sides.
    pub const SIDES: usize = 4;
    /// The reward of a draw.
    pub const DRAW: f32 = 0.5;

    /// The rewards of a game with a winner, or of a draw.
    pub fn of_winner(winner: Option<Side>) -> Rewards {
        let reward = |side: usize| match winner {
            None => Rewards::DRAW,
            Some(winner) => f32::from(u8::from(winner.index() == side)),
        };
        Rewards(std::array::from_fn(reward))
    }

    /// The reward of a side.
    #[inline]
    pub fn of(&self, side: Side) -> f32 {
        self.0[side.index() % Rewards::SIDES]
    }
}

/// The proved result of a position: the winner with best play, or `None` for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided(pub Option<Side>);

impl From<Outcome> for Decided {
    fn from(outcome: Outcome) -> Decided {
        Decided(outcome.winner)
    }
}

/// Evaluates the positions of a tree search. Each thread has its own clone, which may keep state between calls.
pub trait Guide<P: Position>: Clone + Send + Sync {
    /// Lists moves of a position that is not finished, at least one and at most `most`, each with a prior weight above
    /// 0. Returns whether losses of all listed moves prove that the position is lost.
    fn moves(&mut self, position: &P, most: usize, moves: &mut Vec<(Move, f32)>) -> bool;

    /// Estimates the rewards of a position that is not finished, by a playout or an evaluation. The position must be
    /// restored.
    fn estimate(&mut self, position: &mut P, rng: &mut Rng) -> Rewards;

    /// The result of a position with best play, if a quick check shows it.
    fn decided(&mut self, position: &mut P) -> Option<Decided> {
        let _ = position;
        None
    }

    /// The score for a mean reward.
    fn score(&self, position: &P, mean: f32) -> Score {
        let _ = position;
        Score::from_win_probability(mean.into())
    }

    /// Whether all games have the same length.
    fn has_fixed_length(&self) -> bool {
        false
    }
}

/// The settings of the tree search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MctsSettings {
    /// The number of best lines to report.
    pub multi_pv: u32,
    /// The size of the tree in MiB. A full tree does not grow, but simulations continue.
    pub tree_mebibytes: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The tree search. Its threads share one tree, with virtual losses (Chaslot et al. 2008).
#[derive(Debug)]
pub struct Mcts<G> {
    guide: G,
    pool: Option<Arc<ThreadPool>>,
    settings: MctsSettings,
}

/// The state shared by the threads of a search.
struct Shared<'a> {
    root: &'a Node,
    signal: &'a Signal,
    limits: &'a Limits,
    settings: MctsSettings,
    time_manager: TimeManager,
    /// Started simulations.
    simulations: AtomicU64,
    /// The nodes of the tree.
    size: AtomicUsize,
    /// Set when a limit is reached or the root is proved.
    done: AtomicBool,
}

impl<G> Mcts<G> {
    /// Creates a searcher. Each thread clones the guide; without a pool there is one thread.
    pub fn new(guide: G, pool: Option<Arc<ThreadPool>>, settings: MctsSettings) -> Mcts<G> {
        Mcts { guide, pool, settings }
    }
}

impl Shared<'_> {
    /// The greatest number of nodes of the tree.
    fn most_nodes(&self) -> usize {
        self.settings.tree_mebibytes.saturating_mul(1 << 20) / size_of::<Node>()
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

impl<P: Position, G: Guide<P>> Searcher<P> for Mcts<G> {
    /// Nodes are simulations. The depth is the length of the best line. The search ends when the root is proved.
    fn search(
        &mut self,
        position: &P,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let root = Node::root();
        let shared = Shared {
            root: &root,
            signal,
            limits,
            settings: self.settings,
            time_manager: TimeManager::new(limits, signal),
            simulations: AtomicU64::new(0),
            size: AtomicUsize::new(1),
            done: AtomicBool::new(false),
        };
        let work = |index: usize, sink: &mut (dyn Sink + Send)| {
            Worker::new(position.clone(), self.guide.clone(), &shared, index).run(sink)
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
        // An infinite search, and pondering, answer only when they are stopped.
        signal.wait(limits.infinite);
        found.unwrap_or_else(|| SearchResult { best: None, report: Report::empty() })
    }
}
