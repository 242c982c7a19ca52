//! How games on hexagons are searched: by alpha-beta or by a growing tree between two players, by a
//! tree among more.

use super::{Method, Options};
use crate::eval::{HexEvaluator, HexGuide, HexTables};
use crate::search::{
    AlphaBeta, AlphaBetaSettings, Bound, Clock, Evaluator as _, Limits, Mcts, MctsSettings,
    Paranoid, ParanoidEvaluator, PlainEvaluator, Report, Score, SearchResult, Searcher, Signal,
    Sink, TranspositionTable,
};
use pentarch_core::hexes::Position;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The searcher for a game on hexagons.
pub(super) struct HexSearcher {
    pub options: Options,
    pub settings: AlphaBetaSettings,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
}

/// Nodes of ordinary search for a win that a proof begins with.
const WIN_NODES: u64 = 2_000_000;
/// The lengths within which a proof looks for the end of games that captures can prolong. Up to the
/// last one positions differ by the plies left, so that a proof is one.
const LENGTHS: [u32; 5] = [32, 64, 128, 256, 500];

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

    /// The value for the side to move against all others together, within half of the limits; without a
    /// proof the move of a tree search. Depth 0 says that nothing is proven.
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
            ..rest(limits, Duration::ZERO)
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
            ..rest(limits, started.elapsed())
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

    /// The value of a game in which captures free cells, so that it need not end soon: a win that
    /// deeper and deeper search finds, else the value of the game cut short, if that is the whole
    /// game's. Depth 0 says that nothing is proven.
    fn prove(&self, position: &Position, limits: &Limits, signal: &Signal) -> SearchResult {
        let started = Instant::now();
        let plain = AlphaBetaSettings { exact: false, ..self.settings };
        let nodes = limits.nodes.map_or(WIN_NODES, |nodes| (nodes / 2).min(WIN_NODES));
        let first = Limits { nodes: Some(nodes), ..rest(limits, Duration::ZERO) };
        let mut found = self.run(plain, position, &first, signal);
        for length in LENGTHS {
            if found.report.score.mate().is_some() {
                return found;
            }
            let cut = position.with_plies_left(length);
            found = self.run(self.settings, &cut, &rest(limits, started.elapsed()), signal);
            let whole = length >= position.plies_left() || length >= longest_win(position);
            if whole || found.report.depth == 0 {
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

/// What is left of limits after some time.
fn rest(limits: &Limits, spent: Duration) -> Limits {
    let left = |time: Duration| time.saturating_sub(spent);
    Limits {
        move_time: limits.move_time.map(left),
        clock: limits.clock.map(|clock| Clock { left: left(clock.left), ..clock }),
        infinite: false,
        ..limits.clone()
    }
}

/// A bound on the plies that a win by force takes: it comes through no position twice, and a cell
/// has a stone of either side or none.
fn longest_win(position: &Position) -> u32 {
    let cells = position.grid().cells() as u32;
    3_u32.checked_pow(cells).and_then(|positions| positions.checked_mul(2)).unwrap_or(u32::MAX)
}

/// Tree search serves any number of sides; proofs and weaker levels are alpha-beta's. Of three a
/// paranoid alpha-beta with the evaluator of two, which was not kept, scored 2-58 against tree search
/// in `pentalath-3` and 23.7-36.3 in `yavalath-3`, at 50 ms a move with the seats rotating.
fn uses_alpha_beta(position: &Position, options: &Options) -> bool {
    let weaker = options.level < *Options::LEVEL.end();
    let method = if options.exact || weaker { Method::AlphaBeta } else { options.method };
    position.rules().seating().seats == 2 && method != Method::Tree
}

/// The evaluator for the game of a position.
fn evaluator(position: &Position, options: &Options, seed: u64) -> HexEvaluator {
    let tables = HexTables::with_file(position.rules(), options.eval_file.as_deref());
    HexEvaluator::new(Arc::new(tables), seed)
}

/// The static value of an open position for the side to move.
pub(super) fn value(position: &Position, options: &Options) -> Score {
    let mut evaluator = evaluator(position, options, options.seed);
    evaluator.reset(position);
    evaluator.value(position)
}
