//! Search for the stones of a swap opening: a balanced position, so that the opponent gains nothing by choosing
//! its color.
//!
//! A full search of the sequences of three or four stones is too shallow to evaluate the games that follow. Therefore
//! random sequences near the center are generated, and the game after each is searched. The more balanced candidates
//! are searched again with more nodes until the limits are reached (successive halving: Karnin, Koren, Somekh,
//! "Almost Optimal Exploration in Multi-Armed Bandits", 2013).

use super::Options;
use super::stones::StoneSearcher;
use crate::search::{Bound, Limits, Report, Score, SearchResult, Signal, Sink, TimeManager};
use fastrand::Rng;
use pentarch_core::board::Grid;
use pentarch_core::game::{Move, MoveKind, MoveList, Position as _, Side};
use pentarch_core::placement::Position;
use std::collections::HashSet;

/// The greatest Chebyshev distance of a stone from the center. Openings of a single stone have no limit, because such
/// a stone is balanced only if it is far from the center.
const RADIUS: u8 = 4;
/// The number of candidates.
const CANDIDATES: usize = 96;
/// The least number of candidates in a round.
const MIN_CANDIDATES: usize = 4;
/// The nodes for each candidate in the first round if the nodes are not limited.
const FIRST_NODES: u64 = 50;
/// The limit of nodes is divided by this for the nodes of each candidate in the first round. With this
/// value a search in the last round takes a seventh of the limit.
const FIRST_NODES_DIVISOR: u64 = 480;
/// From one round to the next the nodes for each candidate grow by this factor, and the number of candidates
/// shrinks by it.
const GROWTH: usize = 4;

/// A candidate: the stones that complete the opening.
#[derive(Clone, Debug)]
struct OpeningCandidate {
    stones: Vec<Move>,
    /// The position after the stones and the choice `keep`.
    position: Position,
    /// The side that chooses a color.
    chooser: Side,
    /// The report of the last search of `position`.
    report: Option<Report>,
}

/// The search for a balanced swap opening.
pub(super) struct SwapOpeningSearch<'a> {
    pub searcher: &'a StoneSearcher,
    pub limits: &'a Limits,
    pub signal: &'a Signal,
}

impl SwapOpeningSearch<'_> {
    /// Whether the position is in the placement stage of a swap opening, and a move within limits of nodes or time is
    /// all that is requested.
    pub(super) fn applies(position: &Position, limits: &Limits, options: &Options) -> bool {
        let is_analysis = limits.depth.is_some()
            || limits.mate.is_some()
            || !limits.search_moves.is_empty()
            || options.exact
            || options.multi_pv > 1;
        position.stage().is_placing() && !is_analysis && limits.is_bounded()
    }

    /// Returns the stones of the most balanced opening found, the first as the best move. `None` if there is no
    /// candidate.
    pub(super) fn search(
        &self,
        position: &Position,
        sink: &mut (dyn Sink + Send),
    ) -> Option<SearchResult> {
        let seed = self.searcher.options.seed;
        let time = TimeManager::new(self.limits, self.signal);
        let mut candidates =
            generate_candidates(position, &mut Rng::with_seed(position.key().0 ^ seed));
        let first = self.limits.nodes.map_or(FIRST_NODES, |most| most / FIRST_NODES_DIVISOR);
        let (mut nodes, mut budget) = (0, first.max(1));
        let mut report = self.report(candidates.first()?, nodes, &time);
        loop {
            let searched = self.search_round(&mut candidates, budget, &mut nodes, &time);
            candidates.sort_by_key(OpeningCandidate::imbalance);
            if searched > 0 {
                report = self.report(&candidates[0], nodes, &time);
                sink.report(&report);
            }
            if searched < candidates.len() || !time.allows_iteration(self.signal) {
                break;
            }
            candidates.truncate((candidates.len() / GROWTH).max(MIN_CANDIDATES));
            budget = budget.saturating_mul(GROWTH as u64);
        }
        report.nodes = nodes;
        report.time = time.elapsed();
        Some(SearchResult { best: report.pv.first().copied(), report })
    }

    /// Searches the candidates in order with `budget` nodes each, adds the nodes to `nodes`, and returns the
    /// number of searches completed within the limits. The first search of the first candidate is completed even if
    /// no time is left, so that the result always has a score.
    fn search_round(
        &self,
        candidates: &mut [OpeningCandidate],
        budget: u64,
        nodes: &mut u64,
        time: &TimeManager,
    ) -> usize {
        let is_out_of_time = || self.signal.is_stopped() || time.is_out_of_time(self.signal);
        for (index, candidate) in candidates.iter_mut().enumerate() {
            let left = self.limits.nodes.unwrap_or(u64::MAX).saturating_sub(*nodes);
            let is_required = index == 0 && candidate.report.is_none();
            let must_stop = || !is_required && is_out_of_time();
            if left < budget || must_stop() {
                return index;
            }
            let limits = Limits { nodes: Some(budget), ..self.limits.clone() };
            let searcher = self.searcher;
            let result = searcher.search_position(
                &candidate.position,
                &limits,
                self.signal,
                &mut |_: &Report| (),
            );
            *nodes += result.report.nodes;
            if must_stop() {
                return index;
            }
            candidate.report = Some(result.report);
        }
        candidates.len()
    }

    /// Returns the report on a candidate for the side that places the stones, assuming that the opponent chooses the
    /// better color.
    fn report(&self, candidate: &OpeningCandidate, nodes: u64, time: &TimeManager) -> Report {
        let (score, depth, line) = match &candidate.report {
            None => (Score::DRAW, 0, &[][..]),
            Some(report) => (report.score, report.depth, &report.pv[..]),
        };
        let stones = candidate.stones.len() as u32;
        let mut pv = candidate.stones.clone();
        pv.push(candidate.best_choice(score));
        pv.extend_from_slice(line);
        Report {
            depth: depth + stones + 1,
            seldepth: pv.len() as u32,
            multipv: 1,
            score: if score > Score::DRAW { -score } else { score },
            bound: Bound::Exact,
            nodes,
            move_nodes: nodes,
            time: time.elapsed(),
            hashfull: self.searcher.table.hashfull(),
            pv,
        }
    }
}

impl OpeningCandidate {
    /// Returns the advantage of the better color in points, or the maximum if the candidate was not searched.
    fn imbalance(&self) -> u32 {
        self.report.as_ref().map_or(u32::MAX, |report| report.score.value().unsigned_abs())
    }

    /// Returns the choice that gives the chooser the better color, for the score of the side to move in `position`.
    fn best_choice(&self, score: Score) -> Move {
        let mover = self.position.side_of(self.position.to_move());
        let better = if score >= Score::DRAW { mover } else { Side(mover.0 ^ 1) };
        Move::from(if better == self.chooser { MoveKind::Keep } else { MoveKind::Swap })
    }
}

/// Generates random candidates with different positions.
fn generate_candidates(position: &Position, rng: &mut Rng) -> Vec<OpeningCandidate> {
    let mut known = HashSet::new();
    let drawn = (0..4 * CANDIDATES).filter_map(|_| {
        let candidate = generate_candidate(position.clone(), rng)?;
        known.insert(candidate.position.key()).then_some(candidate)
    });
    drawn.take(CANDIDATES).collect()
}

/// Generates one candidate. `None` if its stones end the game or cannot be placed.
fn generate_candidate(mut position: Position, rng: &mut Rng) -> Option<OpeningCandidate> {
    let mut stones = Vec::new();
    while position.stage().is_placing() {
        let mv = random_stone(&position, rng)?;
        position.play(mv);
        stones.push(mv);
        if position.outcome().is_some() {
            return None;
        }
    }
    let chooser = position.side_of(position.to_move());
    position.try_play(Move::from(MoveKind::Keep)).ok()?;
    Some(OpeningCandidate { stones, position, chooser, report: None })
}

/// Returns a random legal stone near the center, or anywhere if an opening rule forbids the center.
fn random_stone(position: &Position, rng: &mut Rng) -> Option<Move> {
    let grid = position.grid();
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    legal.retain(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
    let alone = position.rules().swap().is_some_and(|swap| swap.first_stones() == 1);
    let radius = if alone { Grid::MAX } else { RADIUS };
    let is_near =
        |mv: &&Move| mv.cell().is_some_and(|cell| grid.chebyshev(grid.center(), cell) <= radius);
    let near: Vec<Move> = legal.iter().filter(is_near).copied().collect();
    rng.choice(if near.is_empty() { &legal[..] } else { &near[..] }).copied()
}
