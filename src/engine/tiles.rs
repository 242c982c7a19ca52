//! Searches games of tiles: exact alpha-beta when few tiles are left, otherwise Monte Carlo tree search.

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

/// The search of a game of tiles.
pub(super) struct TileSearcher {
    pub options: Options,
    pub table: Arc<TranspositionTable>,
    pub pool: Option<Arc<ThreadPool>>,
}

/// A proof is tried first if at most this many tiles are left.
const PROOF_PLIES: u32 = 6;
/// The nodes of a proof if neither time nor nodes are limited.
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
        let tries_proof = left <= PROOF_PLIES && self.options.multi_pv == 1;
        if self.options.exact {
            let found = self.prove_to_the_end(position, limits, signal);
            sink.report(&found.report);
            return found;
        }
        if tries_proof {
            let share = proof_share(limits, left);
            let found = self.prove_to_the_end(position, &share, signal);
            if is_proven(&found.report) {
                sink.report(&found.report);
                signal.wait(limits.infinite);
                return found;
            }
        }
        let rest = Limits {
            nodes: limits.nodes.map(|nodes| if tries_proof { nodes - nodes / 2 } else { nodes }),
            ..limits.clone()
        };
        let settings = MctsSettings {
            multi_pv: self.options.multi_pv,
            tree_mebibytes: self.options.hash,
            seed: self.options.seed,
        };
        Mcts::new(TileGuide::default(), self.pool, settings).search(position, &rest, signal, sink)
    }

    /// Calls [`TileSearcher::prove`] and completes the principal variation up to the end of the game with further
    /// proofs, because table hits may have truncated it.
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

    /// Searches to the end of the game with exact alpha-beta. Use [`is_proven`] to see whether it was completed.
    fn prove(&self, position: &Position, limits: &Limits, signal: &Signal) -> SearchResult {
        let settings =
            AlphaBetaSettings { exact: true, whole_lines: false, ..AlphaBetaSettings::default() };
        let (table, pool) = (Arc::clone(&self.table), self.pool.clone());
        let mut searcher = AlphaBeta::new(TileEvaluator, table, pool, settings);
        let mut found = searcher.search(position, limits, signal, &mut |_: &Report| ());
        if is_proven(&found.report) {
            // A game always ends when all tiles are placed.
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

/// Whether an exact search was completed: otherwise the report has the requested depth or 0.
fn is_proven(report: &Report) -> bool {
    (1..=Position::TILES).contains(&report.depth)
}

/// Returns the part of the limits that a proof may use. It is greater if fewer tiles are left.
fn proof_share(limits: &Limits, left: u32) -> Limits {
    let share = |time: Duration| time.mul_f64(if left <= 4 { 0.7 } else { 0.3 });
    let timed = limits.move_time.is_some() || limits.clock.is_some();
    let unlimited = !timed && limits.nodes.is_none();
    Limits {
        move_time: limits.move_time.map(share),
        clock: limits.clock.map(|clock| Clock { left: share(clock.left), ..clock }),
        nodes: if unlimited { Some(PROOF_NODES) } else { limits.nodes.map(|nodes| nodes / 2) },
        search_moves: limits.search_moves.clone(),
        ..Limits::default()
    }
}
