//! Proposing a swap opening: stones that leave the player who chooses a color nothing to choose.
//!
//! A search of all ways to place three or four stones sees hardly beyond the last of them. Here some
//! of those ways are drawn near the center, and each is judged by a search of the game that follows
//! it; the more even ones are searched on with more nodes, until the limits are reached (after
//! successive halving: Karnin, Koren, Somekh 2013).

use super::Options;
use super::stones::StoneSearcher;
use crate::search::{Bound, Limits, Report, Score, SearchResult, Signal, Sink, TimeManager};
use fastrand::Rng;
use pentarch_core::board::Grid;
use pentarch_core::game::{Move, MoveKind, MoveList, Position as _, Side};
use pentarch_core::placement::Position;
use std::collections::HashSet;

/// How far from the center stones are proposed, in king's steps. One stone alone is even only if it is
/// far away.
const RADIUS: u8 = 4;
/// How many openings are drawn.
const DRAWN: usize = 96;
/// How many are looked at to the end, so that the last look is a choice.
const KEPT: usize = 4;
/// What the first look at each may cost, in nodes, where nothing limits the nodes.
const FIRST_NODES: u64 = 50;
/// The share of a limit of nodes that it may cost: with it the last look costs a seventh.
const FIRST_SHARE: u64 = 480;
/// How many times as many nodes each further look may cost, and how many times fewer get one.
const GROWTH: usize = 4;

/// A way to place the stones that are left.
#[derive(Clone, Debug)]
struct Proposal {
    stones: Vec<Move>,
    /// The game if the colors stay as they are.
    kept: Position,
    /// Who chooses.
    chooser: Side,
    /// What the deepest look at that game found.
    judged: Option<Report>,
}

/// A search for an even opening, at a position in which its stones are being placed.
pub(super) struct Proposer<'a> {
    pub searcher: &'a StoneSearcher,
    pub limits: &'a Limits,
    pub signal: &'a Signal,
}

impl Proposer<'_> {
    /// Whether a search asks for a stone of a swap opening and for nothing else.
    pub(super) fn is_for(position: &Position, limits: &Limits, options: &Options) -> bool {
        let asks_more = limits.depth.is_some()
            || limits.mate.is_some()
            || !limits.search_moves.is_empty()
            || options.exact
            || options.multi_pv > 1;
        position.stage().is_placing() && !asks_more && limits.is_bounded()
    }

    /// The stones of the most even opening that is found, the first of them as the best move. None if
    /// the drawn openings end the game or cannot be placed.
    pub(super) fn search(
        &self,
        position: &Position,
        sink: &mut (dyn Sink + Send),
    ) -> Option<SearchResult> {
        let seed = self.searcher.options.seed;
        let time = TimeManager::new(self.limits, self.signal);
        let mut proposals = draw(position, &mut Rng::with_seed(position.key().0 ^ seed));
        let first = self.limits.nodes.map_or(FIRST_NODES, |most| most / FIRST_SHARE);
        let (mut nodes, mut look) = (0, first.max(1));
        let mut report = self.report(proposals.first()?, nodes, &time);
        loop {
            let judged = self.judge(&mut proposals, look, &mut nodes, &time);
            proposals.sort_by_key(Proposal::unevenness);
            if judged > 0 {
                report = self.report(&proposals[0], nodes, &time);
                sink.report(&report);
            }
            if judged < proposals.len() || !time.allows_iteration(self.signal) {
                break;
            }
            proposals.truncate((proposals.len() / GROWTH).max(KEPT));
            look = look.saturating_mul(GROWTH as u64);
        }
        report.nodes = nodes;
        report.time = time.elapsed();
        Some(SearchResult { best: report.pv.first().copied(), report })
    }

    /// Searches the games after proposals, in their order, and returns how many there was time for.
    /// The first is looked at whatever the time, so that an answer always has a value.
    fn judge(
        &self,
        proposals: &mut [Proposal],
        look: u64,
        nodes: &mut u64,
        time: &TimeManager,
    ) -> usize {
        let is_late = || self.signal.is_stopped() || time.is_out_of_time(self.signal);
        for (index, proposal) in proposals.iter_mut().enumerate() {
            let left = self.limits.nodes.unwrap_or(u64::MAX).saturating_sub(*nodes);
            let must_answer = index == 0 && proposal.judged.is_none();
            let must_end = || !must_answer && is_late();
            if left < look || must_end() {
                return index;
            }
            let limits = Limits { nodes: Some(look), ..self.limits.clone() };
            let searcher = self.searcher;
            let result = searcher.search_position(
                &proposal.kept,
                &limits,
                self.signal,
                &mut |_: &Report| (),
            );
            *nodes += result.report.nodes;
            if must_end() {
                return index;
            }
            proposal.judged = Some(result.report);
        }
        proposals.len()
    }

    /// What is known of a proposal, seen by the side that proposes: the other takes the better color.
    fn report(&self, proposal: &Proposal, nodes: u64, time: &TimeManager) -> Report {
        let (score, depth, line) = match &proposal.judged {
            None => (Score::DRAW, 0, &[][..]),
            Some(judged) => (judged.score, judged.depth, &judged.pv[..]),
        };
        let stones = proposal.stones.len() as u32;
        let mut pv = proposal.stones.clone();
        pv.push(proposal.choice(score));
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

impl Proposal {
    /// How far the better color is ahead; what was never judged comes last.
    fn unevenness(&self) -> u32 {
        self.judged.as_ref().map_or(u32::MAX, |judged| judged.score.value().unsigned_abs())
    }

    /// The choice of the better color if the side to move is worth that.
    fn choice(&self, score: Score) -> Move {
        let mover = self.kept.side_of(self.kept.to_move());
        let better = if score >= Score::DRAW { mover } else { Side(mover.0 ^ 1) };
        Move::from(if better == self.chooser { MoveKind::Keep } else { MoveKind::Swap })
    }
}

/// Draws openings: stones within reach of the center, no two openings of the same stones.
fn draw(position: &Position, rng: &mut Rng) -> Vec<Proposal> {
    let mut known = HashSet::new();
    let drawn = (0..4 * DRAWN).filter_map(|_| {
        let proposal = draw_one(position.clone(), rng)?;
        known.insert(proposal.kept.key()).then_some(proposal)
    });
    drawn.take(DRAWN).collect()
}

/// One opening, played up to the choice and on with the colors as they are; none if it ends the game.
fn draw_one(mut position: Position, rng: &mut Rng) -> Option<Proposal> {
    let mut stones = Vec::new();
    while position.stage().is_placing() {
        let mv = draw_stone(&position, rng)?;
        position.play(mv);
        stones.push(mv);
        if position.outcome().is_some() {
            return None;
        }
    }
    let chooser = position.side_of(position.to_move());
    position.try_play(Move::from(MoveKind::Keep)).ok()?;
    Some(Proposal { stones, kept: position, chooser, judged: None })
}

/// A legal stone near the center, or anywhere if an opening rule closes the center.
fn draw_stone(position: &Position, rng: &mut Rng) -> Option<Move> {
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
