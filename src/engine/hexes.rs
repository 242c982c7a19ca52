//! How games on hexagons are searched: alpha-beta between two players, a growing tree among more.

use crate::eval::{HexEvaluator, HexGuide, HexTables};
use crate::hexes::Position;
use crate::search::{
    AlphaBeta, Evaluator as _, Found, Limits, Mcts, Score, Searcher, Settings, Signal, Sink,
    TranspositionTable, TreeSettings,
};
use rayon::ThreadPool;
use std::sync::Arc;

/// The searcher for a game on hexagons.
pub(super) struct HexSearcher {
    pub settings: Settings,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
    /// The size of a tree, in MiB.
    pub mebibytes: usize,
}

impl HexSearcher {
    pub(super) fn search(
        self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> Found {
        let HexSearcher { settings, table, pool, mebibytes } = self;
        let tables = Arc::new(HexTables::new(position.rules()));
        if position.rules().seating().seats == 2 {
            let evaluator = HexEvaluator::new(tables, settings.seed);
            return AlphaBeta::new(evaluator, table, pool, settings)
                .search(position, limits, signal, sink);
        }
        let settings = TreeSettings {
            multi_pv: settings.multi_pv,
            tree_mebibytes: mebibytes,
            seed: settings.seed,
        };
        Mcts::new(HexGuide::new(tables), pool, settings).search(position, limits, signal, sink)
    }
}

/// The worth of an open position to the side to move, by looking only.
pub(super) fn value(position: &Position, seed: u64) -> Score {
    let tables = Arc::new(HexTables::new(position.rules()));
    let mut evaluator = HexEvaluator::new(tables, seed);
    evaluator.reset(position);
    evaluator.value(position)
}
