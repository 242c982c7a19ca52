//! The sums of a network, brought up to date when a value is asked for.

use super::{Network, Row, simd};
use crate::eval::pattern_map::PatternMap;
use crate::eval::undo_log::UndoLog;
use pentarch_core::game::{Cell, Color, Move};
use std::sync::Arc;

/// The sums of both colors, and what they are the sums of.
#[derive(Clone, Debug)]
pub(in crate::eval) struct NetworkState {
    network: Arc<Network>,
    sums: [Row; 2],
    /// The groups of each cell, by color.
    groups: Box<Groups>,
    /// The groups that were overwritten.
    log: UndoLog<Regrouped>,
    /// What to go back to, for each time that the sums were brought up to date.
    steps: Vec<Step>,
}

/// The groups of all cells, by color.
pub(super) type Groups = [[u8; 2]; Cell::LIMIT];

/// A change of the sums, over one ply or several.
#[derive(Clone, Debug)]
struct Step {
    /// The plies that the sums have seen after it.
    plies: usize,
    /// The sums before it.
    sums: [Row; 2],
    /// The length of the log before it.
    log: usize,
}

/// A cell whose groups have changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regrouped {
    pub cell: Cell,
    pub old: [u8; 2],
    pub new: [u8; 2],
}

impl NetworkState {
    pub(in crate::eval) fn new(network: Arc<Network>) -> NetworkState {
        NetworkState {
            sums: [network.bias; 2],
            network,
            groups: Box::new([[0; 2]; Cell::LIMIT]),
            log: UndoLog::new(Regrouped { cell: Cell(0), old: [0; 2], new: [0; 2] }),
            steps: Vec::new(),
        }
    }

    /// Works everything out from patterns.
    pub(in crate::eval) fn reset(
        &mut self,
        patterns: &PatternMap<2>,
        cells: impl ExactSizeIterator<Item = Cell>,
    ) {
        *self = NetworkState::new(Arc::clone(&self.network));
        self.update(patterns, cells);
        self.log.truncate(0);
    }

    /// How many plies the sums have seen since the reset.
    #[inline]
    pub(in crate::eval) fn plies(&self) -> usize {
        self.steps.last().map_or(0, |step| step.plies)
    }

    /// Follows the plies up to that number, which changed the patterns of some cells.
    #[inline]
    pub(in crate::eval) fn catch_up(
        &mut self,
        plies: usize,
        patterns: &PatternMap<2>,
        cells: impl ExactSizeIterator<Item = Cell>,
    ) {
        self.steps.push(Step { plies, sums: self.sums, log: self.log.len() });
        self.update(patterns, cells);
    }

    /// Takes back what came after that number of plies, and what was seen in one go with it.
    #[inline]
    pub(in crate::eval) fn go_back(&mut self, plies: usize) {
        while self.plies() > plies {
            let Some(step) = self.steps.pop() else { return };
            self.sums = step.sums;
            let groups = &mut self.groups;
            self.log.take_back(step.log, |change| {
                groups[change.cell.index() % Cell::LIMIT] = change.old;
            });
        }
    }

    /// Counts cells for what they are now.
    #[inline]
    fn update(&mut self, patterns: &PatternMap<2>, cells: impl ExactSizeIterator<Item = Cell>) {
        let NetworkState { network, groups, log, .. } = self;
        let grouping = network.grouping();
        let group = grouping.lookup();
        let first = log.len();
        let mut count = 0;
        let room = log.room(cells.len());
        for cell in cells {
            let new = [0, 1].map(|color| group(patterns.at(Color(color), cell)));
            let old = std::mem::replace(&mut groups[cell.index() % Cell::LIMIT], new);
            room[count] = Regrouped { cell, old, new };
            count += usize::from(old != new);
        }
        log.keep(count);
        let rows = [0, 1].map(|color| network.rows(color));
        simd::exchange(&mut self.sums, rows, grouping.count(), log.since(first));
    }

    /// The correction in points for the color to move, by the kinds of position.
    #[inline]
    pub(in crate::eval) fn points(&self, mover: Color, threat: usize, count: usize) -> i32 {
        let own = mover.index() % 2;
        self.network.points([&self.sums[own], &self.sums[1 - own]], threat, count)
    }

    /// Whether the network has a head for the order of moves.
    #[inline]
    pub(in crate::eval) fn orders_moves(&self) -> bool {
        self.network.policy.is_some()
    }

    /// Adds to the ordering scores of moves what the head for them gives, if there is one, by the color to
    /// move and the kinds of position.
    #[inline]
    pub(in crate::eval) fn add_scores(
        &self,
        mover: Color,
        [threat, count]: [usize; 2],
        moves: &mut [(Move, i32)],
    ) {
        let Some(policy) = &self.network.policy else { return };
        let own = mover.index() % 2;
        let kinds = [&self.network.threats[threat], &self.network.counts[count]];
        let inputs = simd::inputs([&self.sums[own], &self.sums[1 - own]], kinds);
        simd::weigh(policy.view(&inputs, own, threat), &self.groups, own, moves);
    }
}
