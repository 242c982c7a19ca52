//! The terms of values and ordering scores, and the inputs of networks, for fits.

use super::cell_pattern::CellPattern;
use super::network::FeatureBuckets;
use super::weights::{OrderingIndex, THEM, US, ValueIndex, Weights};
use super::{StoneEvaluator, Threats, network_buckets, tenths_of_goal};
use crate::eval::terms::{ValueTerm, ValueTerms, WeightedEvaluator};
use pentarch_core::game::{Color, Move, MoveKind, Position as _, Side};
use pentarch_core::placement::Position;

/// The input of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkInput {
    /// The buckets of cells for the color to move and for the other, without cells where neither makes anything.
    pub cells: Vec<[u8; 2]>,
    /// The number of the color to move, for networks whose perspectives differ by color.
    pub mover: usize,
    /// The threats and captures of both colors, below [`THREAT_BUCKETS`](super::THREAT_BUCKETS).
    pub threat_bucket: usize,
    /// The captured stones of both colors, below [`CAPTURE_BUCKETS`](super::CAPTURE_BUCKETS).
    pub capture_bucket: usize,
}

impl<const N: usize, const LINES: bool> WeightedEvaluator<Position> for StoneEvaluator<N, LINES> {
    fn value_terms(&self, position: &Position) -> ValueTerms {
        let mover = Self::side_of(position, position.color_to_move());
        let seating = position.rules().seating();
        let others = (0..seating.sides()).map(Side).filter(|&side| side != mover);
        let mut own = ValueCounts::new();
        let threats = if seating.seats == 2 { self.threats(position) } else { Threats::NONE };
        own.add_threats(threats, 1);
        self.count_side(position, mover, 1, &mut own);
        if seating.sides() == 2 {
            others.for_each(|side| self.count_side(position, side, -1, &mut own));
            return ValueTerms { sum: own.terms(), others: Vec::new() };
        }
        let others = others.map(|side| {
            let mut counts = ValueCounts::new();
            self.count_side(position, side, 1, &mut counts);
            counts.terms()
        });
        ValueTerms { sum: own.terms(), others: others.collect() }
    }

    /// For more than two colors 100: the value scale of their fit is part of the weights, and play with partners scales
    /// it down again.
    fn scale_percent(&self) -> i32 {
        if N > 2 { 100 } else { self.scale.percent() }
    }

    /// For a stone: the weights of what it makes, of what it keeps each enemy from making, and of the threat classes of
    /// both. Special stones have none.
    fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let MoveKind::Stone(cell) = mv.kind() else { return Vec::new() };
        let mut indices = Vec::with_capacity(9);
        let mut add = |pattern: CellPattern, side| {
            let lines = self.tables.capture_line_counts(pattern);
            let [attacks, exposes] = lines.map(|lines| lines.min(3));
            let captured = CellPattern::captured_class(pattern.captured_stones());
            indices.extend([
                OrderingIndex::cell(pattern.line_patterns(), side),
                OrderingIndex::captured(captured, side),
                OrderingIndex::attacks(attacks, side),
                OrderingIndex::exposes(exposes, side),
            ]);
        };
        let own = self.patterns.at(position.color_to_move(), cell);
        add(own, US);
        let mut pairs = Vec::new();
        for enemy in Self::enemies(position) {
            let their = self.patterns.at(enemy, cell);
            add(their, THEM);
            let [own, their] = [own, their].map(|pattern| self.tables.threat_class(pattern));
            pairs.push(OrderingIndex::threat_pair(own, their));
        }
        indices.into_iter().chain(pairs).map(|index| index as u16).collect()
    }
}

impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// Counts the weights of the points of a side's colors `sign` times; among more than two colors also those of their
    /// threats as if no other had any.
    fn count_side(&self, position: &Position, side: Side, sign: i16, counts: &mut ValueCounts) {
        let seats = position.rules().seating().seats;
        let colors = (0..seats).map(Color);
        for color in colors.filter(|&color| Self::side_of(position, color) == side) {
            let side = if color == position.color_to_move() { US } else { THEM };
            self.count_color(position, color, side, sign, counts);
            if seats > 2 {
                let sign = if side == US { sign } else { -sign };
                counts.add_threats(self.lone_threats(color, side), sign);
                counts.add_threats(Threats::NONE, -sign);
            }
        }
    }

    /// Counts the weights of the [points of a color](StoneEvaluator::color_points) `sign` times. A new term of that kind is
    /// counted here.
    fn count_color(
        &self,
        position: &Position,
        color: Color,
        side: usize,
        sign: i16,
        counts: &mut ValueCounts,
    ) {
        position.board().for_each_empty(|cell| {
            let pattern = self.patterns.at(color, cell);
            counts.add(ValueIndex::cell(pattern.line_patterns(), side), sign);
            let [attacks, exposes] = self.tables.capture_line_counts(pattern);
            counts.add(ValueIndex::attacks(side), sign * attacks as i16);
            counts.add(ValueIndex::exposes(side), sign * exposes as i16);
        });
        let captured = Self::captured_stones(position, color);
        let tenths = tenths_of_goal(position.rules().capture(), captured);
        let captures = self.patterns.captures(color).len() as i16;
        counts.add(ValueIndex::capturing_cells(tenths, side), sign * captures);
        counts.add(ValueIndex::captured_stones(tenths, side), sign);
    }

    /// The input of a network with those buckets, in games of two colors.
    pub fn network_input(&self, position: &Position, buckets: &FeatureBuckets) -> NetworkInput {
        let mut cells = Vec::new();
        let mover = position.color_to_move();
        position.board().for_each_empty(|cell| {
            let pair = self.buckets_of(position, Move::stone(cell), buckets);
            cells.extend(Some(pair).filter(|pair| *pair != [0; 2]));
        });
        let [threat_bucket, capture_bucket] = network_buckets(position, self.threats(position));
        NetworkInput { cells, mover: mover.index(), threat_bucket, capture_bucket }
    }

    /// The buckets of the cell of a stone, for the color to move and for the other.
    pub fn buckets_of(&self, position: &Position, mv: Move, buckets: &FeatureBuckets) -> [u8; 2] {
        let Some(cell) = mv.cell() else { return [0; 2] };
        let mover = position.color_to_move();
        [mover, mover.opponent()].map(|color| buckets.of(self.patterns.at(color, cell)))
    }
}

/// How often each weight of values counts.
struct ValueCounts(Vec<i16>);

impl ValueCounts {
    fn new() -> ValueCounts {
        ValueCounts(vec![0; Weights::VALUES])
    }

    fn add(&mut self, index: usize, times: i16) {
        self.0[index] += times;
    }

    fn add_threats(&mut self, threats: Threats, times: i16) {
        self.add(ValueIndex::threats(threats.classes, threats.flags), times);
    }

    fn terms(mut self) -> Vec<ValueTerm> {
        // A cell where a stone makes nothing has the value 0 by definition.
        for side in [US, THEM] {
            self.0[ValueIndex::cell(0, side)] = 0;
        }
        let terms = self.0.iter().enumerate().filter(|(_, count)| **count != 0);
        terms.map(|(index, &count)| (index as u16, count)).collect()
    }
}
