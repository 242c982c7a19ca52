//! [Monte Carlo tree search](https://www.chessprogramming.org/Monte-Carlo_Tree_Search) with proofs, on any number of threads, for any number of sides.
//!
//! Each simulation walks down the tree by PUCT (Rosin 2011; Silver et al. 2017), adds to it, asks
//! the [`Guide`] how the game may go on, and adds to every node on the way what the side that moved
//! into it got: each side maximises its own reward (max^n; Luckhardt and Irani 1986). Ends of the
//! game are passed up as proofs where they decide a node (MCTS-Solver; Winands, Björnsson and
//! Saito 2008), and nothing is simulated below a proof.

mod answer;
mod guide;
mod node;
mod proof_line;
mod worker;

pub use guide::{Decided, Guide, Rewards};

use super::{Limits, Report, SearchResult, Searcher, Signal, Sink, TimeManager};
use node::Node;
use pentarch_core::game::Position;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use worker::Worker;

/// Switches of the tree search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MctsSettings {
    /// How many of the best moves to report lines for.
    pub multi_pv: u32,
    /// The size of the tree in MiB; a full one is searched on without growing.
    pub tree_mebibytes: usize,
    /// Chooses the random numbers.
    pub seed: u64,
}

/// The searcher. Its threads share one tree; a node that a thread is below counts as a loss until
/// it comes back, which keeps them apart (virtual loss; Chaslot et al. 2008).
#[derive(Debug)]
pub struct Mcts<G> {
    guide: G,
    pool: Option<Arc<ThreadPool>>,
    settings: MctsSettings,
}

/// What the threads of one search share.
struct Shared<'a> {
    root: &'a Node,
    signal: &'a Signal,
    limits: &'a Limits,
    settings: MctsSettings,
    time_manager: TimeManager,
    /// Simulations begun.
    simulations: AtomicU64,
    /// Nodes in the tree.
    size: AtomicUsize,
    /// Raised when a limit is reached or the root is proven.
    done: AtomicBool,
}

impl<G> Mcts<G> {
    /// A searcher with the guide as a template; `pool` is asked for threads if given.
    pub fn new(guide: G, pool: Option<Arc<ThreadPool>>, settings: MctsSettings) -> Mcts<G> {
        Mcts { guide, pool, settings }
    }
}

impl Shared<'_> {
    /// How many nodes the tree may have.
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
    /// Counts simulations as nodes. A depth is reached when the best line is so long; what is
    /// proven needs no more simulations.
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
        // A search without limits, or on the opponent's time, answers only when asked to.
        signal.wait(limits.infinite);
        found.unwrap_or_else(|| SearchResult { best: None, report: Report::empty() })
    }
}
