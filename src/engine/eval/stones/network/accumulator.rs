//! The accumulators of a network, updated when a value is asked for.

use super::{FeatureWeights, Network, simd};
use crate::eval::stones::pattern_map::{PatternMap, UndoLog};
use pentarch_core::game::{Cell, Color, Move};
use std::sync::Arc;

/// The accumulators of both colors for a position, with the features that they are the sums of.
#[derive(Clone, Debug)]
pub(in crate::eval::stones) struct Accumulator {
    network: Arc<Network>,
    sums: [FeatureWeights; 2],
    /// The buckets of each cell by color.
    buckets: Box<CellBuckets>,
    log: UndoLog<FeatureDelta>,
    /// One for each update since the reset.
    undo_points: Vec<UndoPoint>,
}

/// The buckets of all cells by color.
pub(super) type CellBuckets = [[u8; 2]; Cell::LIMIT];

/// The state before an update, which may have covered several plies.
#[derive(Clone, Debug)]
struct UndoPoint {
    /// The plies since the reset that the accumulators covered after the update.
    plies: usize,
    sums: [FeatureWeights; 2],
    log: usize,
}

/// A cell whose buckets changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureDelta {
    pub cell: Cell,
    pub old: [u8; 2],
    pub new: [u8; 2],
}

impl Accumulator {
    pub(in crate::eval::stones) fn new(network: Arc<Network>) -> Accumulator {
        Accumulator {
            sums: [network.bias; 2],
            network,
            buckets: Box::new([[0; 2]; Cell::LIMIT]),
            log: UndoLog::new(FeatureDelta { cell: Cell(0), old: [0; 2], new: [0; 2] }),
            undo_points: Vec::new(),
        }
    }

    /// Computes the accumulators from scratch.
    pub(in crate::eval::stones) fn reset<const N: usize>(
        &mut self,
        patterns: &PatternMap<N>,
        cells: impl ExactSizeIterator<Item = Cell>,
    ) {
        *self = Accumulator::new(Arc::clone(&self.network));
        self.apply(patterns, cells);
        self.log.truncate(0);
    }

    /// The plies since the reset that the accumulators cover.
    #[inline]
    pub(in crate::eval::stones) fn plies(&self) -> usize {
        self.undo_points.last().map_or(0, |point| point.plies)
    }

    /// Updates the accumulators to a number of plies since the reset. `cells` are those whose patterns changed.
    #[inline]
    pub(in crate::eval::stones) fn update<const N: usize>(
        &mut self,
        plies: usize,
        patterns: &PatternMap<N>,
        cells: impl ExactSizeIterator<Item = Cell>,
    ) {
        self.undo_points.push(UndoPoint { plies, sums: self.sums, log: self.log.len() });
        self.apply(patterns, cells);
    }

    /// Undoes the updates beyond a number of plies since the reset.
    #[inline]
    pub(in crate::eval::stones) fn rollback(&mut self, plies: usize) {
        while self.plies() > plies {
            let Some(point) = self.undo_points.pop() else { return };
            self.sums = point.sums;
            let buckets = &mut self.buckets;
            self.log.rollback(point.log, |delta| {
                buckets[delta.cell.index() % Cell::LIMIT] = delta.old;
            });
        }
    }

    #[inline]
    fn apply<const N: usize>(
        &mut self,
        patterns: &PatternMap<N>,
        cells: impl ExactSizeIterator<Item = Cell>,
    ) {
        let Accumulator { network, buckets, log, .. } = self;
        let bucket = network.buckets.lookup();
        let first = log.len();
        let mut count = 0;
        let room = log.room(cells.len());
        for cell in cells {
            let new = [0, 1].map(|color| bucket(patterns.at(Color(color), cell)));
            let old = std::mem::replace(&mut buckets[cell.index() % Cell::LIMIT], new);
            room[count] = FeatureDelta { cell, old, new };
            count += usize::from(old != new);
        }
        log.keep(count);
        let cells = [0, 1].map(|color| network.cells_seen_by(color));
        simd::add_sub(&mut self.sums, cells, network.buckets.count(), log.since(first));
    }

    /// The correction of the value in points for the side to move, by the buckets of the position.
    #[inline]
    pub(in crate::eval::stones) fn points(
        &self,
        mover: Color,
        threat_bucket: usize,
        capture_bucket: usize,
    ) -> i32 {
        let own = mover.index() % 2;
        self.network.points([&self.sums[own], &self.sums[1 - own]], threat_bucket, capture_bucket)
    }

    #[inline]
    pub(in crate::eval::stones) fn has_policy(&self) -> bool {
        self.network.policy.is_some()
    }

    /// Adds the corrections of the policy to the ordering scores of moves, by the buckets of the position; nothing
    /// without a policy.
    #[inline]
    pub(in crate::eval::stones) fn add_policy_scores(
        &self,
        mover: Color,
        [threat_bucket, capture_bucket]: [usize; 2],
        moves: &mut [(Move, i32)],
    ) {
        let Some(policy) = &self.network.policy else { return };
        let own = mover.index() % 2;
        let kinds = [&self.network.threats[threat_bucket], &self.network.captures[capture_bucket]];
        let inputs = simd::inputs([&self.sums[own], &self.sums[1 - own]], kinds);
        let policy = policy.perspective(&inputs, own, threat_bucket);
        simd::add_policy_scores(policy, &self.buckets, own, moves);
    }
}
