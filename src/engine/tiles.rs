//! How games of tiles are searched: by proof when few tiles are left, else by a growing tree.

use super::Options;
use crate::eval::{TileEvaluator, TileGuide};
use crate::search::{
    AlphaBeta, AlphaBetaSettings, Bound, Clock, Limits, Mcts, MctsSettings, Report, Score,
    SearchResult, Searcher, Signal, Sink, TranspositionTable,
};
use pentarch_core::game::Position as _;
use pentarch_core::stacking::Position;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::Duration;

/// Tree search for the first part of a game, exact alpha-beta for the end.
pub(super) struct TileSearcher {
    pub options: Options,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
}

/// The number of tiles left from which on a proof is tried first.
const PROOF_PLIES: u32 = 6;
/// Nodes for a proof where no time and no nodes limit the search.
const PROOF_NODES: u64 = 10_000_000;

impl TileSearcher {
    pub(super) fn search(
        self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult {
        let left = Position::TILES - position.ply();
        let provable = left <= PROOF_PLIES && self.options.multi_pv == 1;
        if self.options.exact {
            let found = self.prove_to_the_end(position, limits, signal);
            sink.report(&found.report);
            return found;
        }
        if provable {
            let share = proof_share(limits, left);
            let found = self.prove_to_the_end(position, &share, signal);
            if is_proven(&found.report) {
                sink.report(&found.report);
                signal.wait(limits.infinite);
                return found;
            }
        }
        let rest = Limits {
            nodes: limits.nodes.map(|nodes| if provable { nodes - nodes / 2 } else { nodes }),
            ..limits.clone()
        };
        let settings = MctsSettings {
            multi_pv: self.options.multi_pv,
            tree_mebibytes: self.options.hash,
            seed: self.options.seed,
        };
        Mcts::new(TileGuide::default(), self.pool, settings).search(position, &rest, signal, sink)
    }

    /// [`TileSearcher::prove`] with a line to the end of the game, which is proved move by move: a
    /// table may have cut it short.
    fn prove_to_the_end(
        &self,
        position: &Position,
        limits: &Limits,
        signal: &Signal,
    ) -> SearchResult {
        let mut found = self.prove(position, limits, signal);
        if !is_proven(&found.report) {
            return found;
        }
        let limits = Limits { search_moves: Vec::new(), ..limits.clone() };
        let mut end = position.clone();
        found.report.pv.iter().for_each(|&mv| end.play(mv));
        while end.outcome().is_none() && !signal.is_stopped() {
            let next = self.prove(&end, &limits, signal).report;
            if !is_proven(&next) || next.pv.is_empty() {
                break;
            }
            next.pv.iter().for_each(|&mv| end.play(mv));
            found.report.pv.extend(next.pv);
        }
        found
    }

    /// Alpha-beta to the end of the game. The result may be no proof if a limit was reached.
    fn prove(&self, position: &Position, limits: &Limits, signal: &Signal) -> SearchResult {
        let settings =
            AlphaBetaSettings { exact: true, whole_lines: false, ..AlphaBetaSettings::default() };
        let (table, pool) = (Arc::clone(&self.table), self.pool.clone());
        let mut searcher = AlphaBeta::new(TileEvaluator, table, pool, settings);
        let mut found = searcher.search(position, limits, signal, &mut |_: &Report| ());
        if is_proven(&found.report) {
            // A game always lasts for all its tiles.
            let left = Position::TILES - position.ply();
            found.report.score = match found.report.score.value() {
                0 => Score::DRAW,
                value if value > 0 => Score::win_in(left),
                _ => Score::loss_in(left),
            };
            found.report.bound = Bound::Exact;
        }
        found
    }
}

/// Whether an exact search came to its end: else it names the depth that it was sent to, or none.
fn is_proven(report: &Report) -> bool {
    (1..=Position::TILES).contains(&report.depth)
}

/// The part of the limits that a proof may take: the more, the fewer tiles are left.
fn proof_share(limits: &Limits, left: u32) -> Limits {
    let share = |time: Duration| time.mul_f64(if left <= 4 { 0.7 } else { 0.3 });
    let timed = limits.move_time.is_some() || limits.clock.is_some();
    let free = !timed && limits.nodes.is_none();
    Limits {
        move_time: limits.move_time.map(share),
        clock: limits.clock.map(|clock| Clock { left: share(clock.left), ..clock }),
        nodes: if free { Some(PROOF_NODES) } else { limits.nodes.map(|nodes| nodes / 2) },
        search_moves: limits.search_moves.clone(),
        ..Limits::default()
    }
}
