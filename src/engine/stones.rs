//! Searching games of placed stones: by alpha-beta, among more than two sides by a growing tree.

use super::proposal::Proposer;
use super::{Method, Options};
use crate::eval::{LineEvaluator, StoneGuide, StoneTables, VariantEvaluator};
use crate::search::{
    AlphaBeta, AlphaBetaSettings, Evaluator, Limits, Mcts, MctsSettings, Paranoid,
    ParanoidEvaluator, Score, SearchResult, Searcher, Signal, Sink, TranspositionTable,
};
use pentarch_core::placement::Position;
use pentarch_core::rules::OpeningStage;
use pentarch_core::rules::RuleTier;
use rayon::ThreadPool;
use std::sync::Arc;

/// Alpha-beta with the evaluator that a position needs.
pub(super) struct StoneSearcher {
    pub options: Options,
    pub settings: AlphaBetaSettings,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
    pub patterns: Arc<StoneTables>,
}

/// What the evaluation of a position takes.
enum Need {
    /// Lines and pairs of two colors.
    Lines,
    /// More than that between two colors.
    TwoColors,
    /// Four colors of two sides.
    FourColors,
    /// Sides that are each for themselves.
    ManySides,
}

impl Need {
    fn of(position: &Position) -> Need {
        let rules = position.rules();
        if rules.seating().sides() > 2 {
            Need::ManySides
        } else if rules.seating().seats > 2 {
            Need::FourColors
        } else if rules.tier() < RuleTier::Full && position.stage() == OpeningStage::Play {
            Need::Lines
        } else {
            Need::TwoColors
        }
    }
}

impl StoneSearcher {
    pub(super) fn search(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let asks = Proposer::is_for(position, limits, &self.options) && !signal.is_pondering();
        let proposer = Proposer { searcher: self, limits, signal };
        if let Some(found) = asks.then(|| proposer.search(position, sink)).flatten() {
            return found;
        }
        self.search_position(position, limits, signal, sink)
    }

    /// The search that the evaluation of the position takes.
    pub(super) fn search_position(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let StoneSearcher { options, settings, table, pool, patterns } = self;
        let (settings, table) = (*settings, Arc::clone(table));
        let (pool, patterns) = (pool.clone(), Arc::clone(patterns));
        let (exact, seed) = (options.exact, options.seed);
        match Need::of(position) {
            Need::Lines => {
                let evaluator = LineEvaluator::new(patterns, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            Need::TwoColors => {
                let evaluator = VariantEvaluator::<2>::new(patterns, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            Need::FourColors => {
                let evaluator = VariantEvaluator::<4>::new(patterns, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            Need::ManySides if uses_tree(options, limits) => {
                let tree =
                    MctsSettings { multi_pv: options.multi_pv, tree_mebibytes: options.hash, seed };
                let guide = StoneGuide::<4>::new(patterns);
                Mcts::new(guide, pool, tree).search(position, limits, signal, sink)
            }
            Need::ManySides => {
                let evaluator =
                    ParanoidEvaluator(VariantEvaluator::<4>::new(patterns, exact, seed));
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(&Paranoid::new(position.clone()), limits, signal, sink)
            }
        }
    }
}

/// Whether a search for many sides grows a tree, in which each side is for itself, instead of taking
/// all others for one enemy. The tree won 85 of 120 games at 100 ms a move: 37 of 48 in `pente-3`,
/// 33 of 48 in `pente-4`, 15 of 24 in `keryo-pente+players=3`. Depths, proofs and weaker levels are
/// alpha-beta's.
fn uses_tree(options: &Options, limits: &Limits) -> bool {
    let weaker = options.level < *Options::LEVEL.end();
    let asks_for_plies = limits.depth.is_some() || limits.mate.is_some();
    options.method != Method::AlphaBeta && !weaker && !options.exact && !asks_for_plies
}

/// The static value of an open position for the side to move.
pub(super) fn evaluate(position: &Position, patterns: Arc<StoneTables>, seed: u64) -> Score {
    fn look(mut evaluator: impl Evaluator<Position>, position: &Position) -> Score {
        evaluator.reset(position);
        evaluator.value(position)
    }
    match Need::of(position) {
        Need::Lines => look(LineEvaluator::new(patterns, false, seed), position),
        Need::TwoColors => look(VariantEvaluator::<2>::new(patterns, false, seed), position),
        Need::FourColors | Need::ManySides => {
            look(VariantEvaluator::<4>::new(patterns, false, seed), position)
        }
    }
}
