//! Searches games on hexagons: alpha-beta or Monte Carlo tree search for two players, tree search for more, and proofs
//! of exact values.

use super::engine::legal_ordering_scores;
use super::{Options, SearchMethod};
use crate::eval::{HexEvaluator, HexGuide, HexTables};
use crate::search::{
    AlphaBeta, AlphaBetaSettings, Bound, Clock, Evaluator as _, Limits, Mcts, MctsSettings,
    Paranoid, ParanoidEvaluator, PlainEvaluator, Report, Score, SearchResult, Searcher, Signal,
    Sink, TranspositionTable,
};
use pentarch_core::game::Move;
use pentarch_core::hexes::Position;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The search of a game on hexagons.
pub(super) struct HexSearcher {
    pub options: Options,
    pub settings: AlphaBetaSettings,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
}

/// The nodes of the search for a win with which a proof starts.
const WIN_NODES: u64 = 2_000_000;
/// The limits of the game length, in plies, with which a proof searches games that captures can prolong. Up to the
/// last limit the keys of positions depend on the plies left, which keeps a proof sound.
const LENGTH_LIMITS: [u32; 5] = [32, 64, 128, 256, 500];

impl HexSearcher {
    pub(super) fn search(
        self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        if self.settings.exact && position.rules().seating().sides() > 2 {
            let found = self.prove_against_all(position, limits, signal);
            sink.report(&found.report);
            signal.wait(limits.infinite);
            return found;
        }
        if !uses_alpha_beta(position, &self.options) {
            return self.tree_search(position, limits, signal, sink);
        }
        if self.settings.exact && position.hexes().surround {
            let found = self.prove(position, limits, signal);
            sink.report(&found.report);
            signal.wait(limits.infinite);
            return found;
        }
        self.alpha_beta(self.settings, position).search(position, limits, signal, sink)
    }

    fn tree_search(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let settings = MctsSettings {
            multi_pv: self.options.multi_pv,
            tree_mebibytes: self.options.hash,
            seed: self.options.seed,
        };
        let guide = HexGuide::new(position.rules());
        Mcts::new(guide, self.pool.clone(), settings).search(position, limits, signal, sink)
    }

    /// Proves the value for the side to move against a coalition of all others, within half of the limits. If that
    /// fails, tree search selects a move with the other half. Depth 0 in the report means that nothing is
    /// proven.
    fn prove_against_all(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
    ) -> SearchResult {
        let started = Instant::now();
        let half = Limits {
            nodes: limits.nodes.map(|nodes| nodes / 2),
            move_time: limits.move_time.map(|time| time / 2),
            ..remaining(limits, Duration::ZERO)
        };
        let (table, pool) = (Arc::clone(&self.table), self.pool.clone());
        let mut proof =
            AlphaBeta::new(ParanoidEvaluator(PlainEvaluator), table, pool, self.settings);
        let proved =
            proof.search(&Paranoid::new(position.clone()), &half, signal, &mut |_: &Report| ());
        if proved.report.depth > 0 && proved.report.bound != Bound::Lower
            || proved.report.score.is_win()
        {
            return proved;
        }
        let rest = Limits {
            nodes: limits.nodes.map(|nodes| nodes - nodes / 2),
            ..remaining(limits, started.elapsed())
        };
        let mut found = self.tree_search(position, &rest, signal, &mut |_: &Report| ());
        found.report.nodes += proved.report.nodes;
        if found.report.score.mate().is_none() {
            found.report.depth = 0;
        }
        found
    }

    fn alpha_beta(
        &self,
        settings: AlphaBetaSettings,
        position: &Position,
    ) -> AlphaBeta<HexEvaluator> {
        let evaluator = evaluator(position, &self.options, settings.seed);
        AlphaBeta::new(evaluator, Arc::clone(&self.table), self.pool.clone(), settings)
    }

    /// Proves the value of a game in which captures free cells, so that its length has no practical bound. First an
    /// ordinary search looks for a win, then exact searches are made with a growing limit of the game length. Their
    /// value is proven if the limit covers every game or every forced win. Depth 0 in the report means
    /// that nothing is proven.
    fn prove(&self, position: &Position, limits: &Limits, signal: &Signal) -> SearchResult {
        let started = Instant::now();
        let inexact = AlphaBetaSettings { exact: false, ..self.settings };
        let nodes = limits.nodes.map_or(WIN_NODES, |nodes| (nodes / 2).min(WIN_NODES));
        let first = Limits { nodes: Some(nodes), ..remaining(limits, Duration::ZERO) };
        let mut found = self.run(inexact, position, &first, signal);
        for length in LENGTH_LIMITS {
            if found.report.score.mate().is_some() {
                return found;
            }
            let limited = position.with_plies_left(length);
            found =
                self.run(self.settings, &limited, &remaining(limits, started.elapsed()), signal);
            let is_complete = length >= position.plies_left() || length >= longest_win(position);
            if is_complete || found.report.depth == 0 {
                return found;
            }
        }
        if found.report.score.mate().is_none() {
            found.report.depth = 0;
        }
        found
    }

    fn run(
        &self,
        settings: AlphaBetaSettings,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
    ) -> SearchResult {
        self.alpha_beta(settings, position).search(position, limits, signal, &mut |_: &Report| ())
    }
}

/// Returns the limits that remain after some time.
fn remaining(limits: &Limits, spent: Duration) -> Limits {
    let left = |time: Duration| time.saturating_sub(spent);
    Limits {
        move_time: limits.move_time.map(left),
        clock: limits.clock.map(|clock| Clock { left: left(clock.left), ..clock }),
        infinite: false,
        ..limits.clone()
    }
}

/// Returns an upper bound on the plies of a forced win: it repeats no position, and each cell has one of three
/// states.
fn longest_win(position: &Position) -> u32 {
    let cells = position.grid().cells() as u32;
    3_u32.checked_pow(cells).and_then(|positions| positions.checked_mul(2)).unwrap_or(u32::MAX)
}

/// Whether alpha-beta searches the position. It does so for two players only, and always for proofs and for levels
/// below full strength. For three players, paranoid alpha-beta with the two-player evaluator scored 2-58 against
/// tree search in `pentalath-3` and 23.7-36.3 in `yavalath-3`, at 50 ms a move with rotating seats.
fn uses_alpha_beta(position: &Position, options: &Options) -> bool {
    let weaker = options.level < *Options::LEVEL.end();
    let method = if options.exact || weaker { SearchMethod::AlphaBeta } else { options.method };
    position.rules().seating().seats == 2 && method != SearchMethod::Mcts
}

fn evaluator(position: &Position, options: &Options, seed: u64) -> HexEvaluator {
    let tables = HexTables::with_file(position.rules(), options.eval_file.as_deref());
    HexEvaluator::new(Arc::new(tables), seed)
}

/// Returns the legal moves of a position with their ordering scores.
pub(super) fn ordering_scores(position: &Position, options: &Options) -> Vec<(Move, i32)> {
    legal_ordering_scores(evaluator(position, options, options.seed), position)
}

/// Returns the static value of a position that is not finished, for the side to move.
pub(super) fn value(position: &Position, options: &Options) -> Score {
    let mut evaluator = evaluator(position, options, options.seed);
    evaluator.reset(position);
    evaluator.value(position)
}
