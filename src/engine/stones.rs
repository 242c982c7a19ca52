//! Searches games of stones on squares: alpha-beta, and Monte Carlo tree search for more than two sides.

use super::engine::legal_ordering_scores;
use super::swap_opening::SwapOpeningSearch;
use super::{Options, SearchMethod};
use crate::eval::{LineEvaluator, StoneGuide, StoneTables, VariantEvaluator};
use crate::search::{
    AlphaBeta, AlphaBetaSettings, Evaluator, Limits, Mcts, MctsSettings, Paranoid,
    ParanoidEvaluator, Score, SearchResult, Searcher, Signal, Sink, TranspositionTable,
};
use pentarch_core::game::Move;
use pentarch_core::placement::Position;
use pentarch_core::rules::{OpeningStage, RuleTier};
use rayon::ThreadPool;
use std::sync::Arc;

/// The search of a game of stones on squares.
pub(super) struct StoneSearcher {
    pub options: Options,
    pub settings: AlphaBetaSettings,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
    pub tables: Arc<StoneTables>,
}

/// The evaluator that a position needs.
enum EvaluatorKind {
    /// [`LineEvaluator`]: two colors, with rules below [`RuleTier::Full`].
    Lines,
    /// [`VariantEvaluator`] with two colors: all other games of two colors.
    TwoColors,
    /// [`VariantEvaluator`] with up to four colors that form two sides.
    FourColors,
    /// [`VariantEvaluator`] with up to four colors that form more than two sides.
    ManySides,
}

impl EvaluatorKind {
    fn of(position: &Position) -> EvaluatorKind {
        let rules = position.rules();
        if rules.seating().sides() > 2 {
            EvaluatorKind::ManySides
        } else if rules.seating().seats > 2 {
            EvaluatorKind::FourColors
        } else if rules.tier() < RuleTier::Full && position.stage() == OpeningStage::Play {
            EvaluatorKind::Lines
        } else {
            EvaluatorKind::TwoColors
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
        if SwapOpeningSearch::applies(position, limits, &self.options) && !signal.is_pondering() {
            let opening_search = SwapOpeningSearch { searcher: self, limits, signal };
            if let Some(found) = opening_search.search(position, sink) {
                return found;
            }
        }
        self.search_position(position, limits, signal, sink)
    }

    /// Searches a position as it is, without the special search of swap openings.
    pub(super) fn search_position(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let StoneSearcher { options, settings, table, pool, tables } = self;
        let (settings, table) = (*settings, Arc::clone(table));
        let (pool, tables) = (pool.clone(), Arc::clone(tables));
        let (exact, seed) = (options.exact, options.seed);
        match EvaluatorKind::of(position) {
            EvaluatorKind::Lines => {
                let evaluator = LineEvaluator::new(tables, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            EvaluatorKind::TwoColors => {
                let evaluator = VariantEvaluator::<2>::new(tables, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            EvaluatorKind::FourColors => {
                let evaluator = VariantEvaluator::<4>::new(tables, exact, seed);
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(position, limits, signal, sink)
            }
            EvaluatorKind::ManySides if uses_tree(options, limits) => {
                let tree =
                    MctsSettings { multi_pv: options.multi_pv, tree_mebibytes: options.hash, seed };
                let guide = StoneGuide::<4>::new(tables);
                Mcts::new(guide, pool, tree).search(position, limits, signal, sink)
            }
            EvaluatorKind::ManySides => {
                let evaluator = ParanoidEvaluator(VariantEvaluator::<4>::new(tables, exact, seed));
                let mut searcher = AlphaBeta::new(evaluator, table, pool, settings);
                searcher.search(&Paranoid::new(position.clone()), limits, signal, sink)
            }
        }
    }
}

/// Whether tree search, in which each side maximizes its own score, searches a position with more than two sides
/// instead of paranoid alpha-beta. Tree search won 85 of 120 games at 100 ms a move: 37 of 48 in `pente-3`, 33 of 48
/// in `pente-4`, 15 of 24 in `keryo-pente+players=3`. Searches to a fixed depth, proofs and levels below full
/// strength use alpha-beta.
fn uses_tree(options: &Options, limits: &Limits) -> bool {
    let weaker = options.level < *Options::LEVEL.end();
    let has_depth = limits.depth.is_some() || limits.mate.is_some();
    options.method != SearchMethod::AlphaBeta && !weaker && !options.exact && !has_depth
}

/// Returns the static value of a position that is not finished, for the side to move.
pub(super) fn evaluate(position: &Position, tables: Arc<StoneTables>, seed: u64) -> Score {
    fn value(mut evaluator: impl Evaluator<Position>, position: &Position) -> Score {
        evaluator.reset(position);
        evaluator.value(position)
    }
    match EvaluatorKind::of(position) {
        EvaluatorKind::Lines => value(LineEvaluator::new(tables, false, seed), position),
        EvaluatorKind::TwoColors => {
            value(VariantEvaluator::<2>::new(tables, false, seed), position)
        }
        EvaluatorKind::FourColors | EvaluatorKind::ManySides => {
            value(VariantEvaluator::<4>::new(tables, false, seed), position)
        }
    }
}

/// Returns the legal moves of a position with their ordering scores.
pub(super) fn ordering_scores(
    position: &Position,
    tables: Arc<StoneTables>,
    seed: u64,
) -> Vec<(Move, i32)> {
    match EvaluatorKind::of(position) {
        EvaluatorKind::Lines => {
            legal_ordering_scores(LineEvaluator::new(tables, false, seed), position)
        }
        EvaluatorKind::TwoColors => {
            legal_ordering_scores(VariantEvaluator::<2>::new(tables, false, seed), position)
        }
        EvaluatorKind::FourColors | EvaluatorKind::ManySides => {
            legal_ordering_scores(VariantEvaluator::<4>::new(tables, false, seed), position)
        }
    }
}
