//! What values and ordering scores are sums of, for fits.

use super::cell_pattern::CellPattern;
use super::line_evaluator::LineEvaluator;
use super::network::Grouping;
use super::pattern_map::{PatternMap, tenths};
use super::weights::{OrderingPlace, ValuePlace, Weights};
use crate::game::{Color, Move, Position as _};
use crate::placement::Position;

/// What a network looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkInput {
    /// The groups of cells for the color to move and for the other, but for those of nothing at all.
    pub cells: Vec<[u8; 2]>,
    /// The number of the color to move, for networks in whose view colors differ.
    pub mover: usize,
    /// The kind of position by most urgent cells and captures, or by who is forbidden moves.
    pub threat: usize,
    /// The kind of position by captured stones.
    pub count: usize,
}

/// A weight of values by its number in [`Weights::values`], and how often it counts: less than 0 for
/// the color that is not to move.
pub type ValueTerm = (u16, i16);

impl LineEvaluator {
    /// The weights of which [`value`](crate::search::Evaluator::value) is the sum, before it is
    /// scaled.
    pub fn value_terms(&self, position: &Position) -> Vec<ValueTerm> {
        let mut counts = [0i16; Weights::VALUES];
        let patterns = self.patterns();
        let mover = position.color_to_move();
        let colors = [mover, mover.opponent()];
        for (role, (color, sign)) in colors.into_iter().zip([1, -1]).enumerate() {
            position.board().for_each_empty(|cell| {
                let pattern = patterns.at(color, cell);
                counts[ValuePlace::cell(pattern.shapes(), role)] += sign;
                let [attacks, exposes] = contact_lines(pattern);
                counts[ValuePlace::capture_threat(role)] += sign * attacks as i16;
                counts[ValuePlace::vulnerable(role)] += sign * exposes as i16;
            });
            let tenths = tenths(position.rules().capture(), position.captures(color));
            let points = patterns.captures(color).len() as i16;
            counts[ValuePlace::point(tenths, role)] += sign * points;
            counts[ValuePlace::count(tenths, role)] += sign;
        }
        counts[threat_place(patterns, colors)] += 1;
        // The cell that makes nothing is worth nothing by definition.
        counts[ValuePlace::cell(0, 0)] = 0;
        counts[ValuePlace::cell(0, 1)] = 0;
        let terms = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        terms.map(|(place, &count)| (place as u16, count)).collect()
    }

    /// What a network of that grouping looks at.
    pub fn network_input(&self, position: &Position, grouping: &Grouping) -> NetworkInput {
        let (patterns, mut cells) = (self.patterns(), Vec::new());
        let mover = position.color_to_move();
        let colors = [mover, mover.opponent()];
        position.board().for_each_empty(|cell| {
            let groups = colors.map(|color| grouping.of(patterns.at(color, cell)));
            cells.extend(Some(groups).filter(|groups| *groups != [0; 2]));
        });
        let [threat, count] = kinds(patterns, position);
        NetworkInput { cells, mover: mover.index(), threat, count }
    }

    /// The groups of the cell of a stone, for the color to move and for the other.
    pub fn groups_of(&self, position: &Position, mv: Move, grouping: &Grouping) -> [u8; 2] {
        let Some(cell) = mv.cell() else { return [0; 2] };
        let mover = position.color_to_move();
        [mover, mover.opponent()].map(|color| grouping.of(self.patterns().at(color, cell)))
    }

    /// The weights of which a move's ordering score is the sum, by their numbers in
    /// [`Weights::ordering`].
    pub fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let Some(cell) = mv.cell() else { return Vec::new() };
        let mover = position.color_to_move();
        let patterns = self.patterns();
        let both = [mover, mover.opponent()].map(|color| patterns.at(color, cell));
        let mut places = Vec::with_capacity(9);
        for (role, pattern) in both.into_iter().enumerate() {
            let [attacks, exposes] = contact_lines(pattern).map(|lines| lines.min(3));
            places.extend([
                OrderingPlace::cell(pattern.shapes(), role),
                OrderingPlace::stones(CellPattern::class(pattern.captured_stones()), role),
                OrderingPlace::attacks(attacks, role),
                OrderingPlace::exposes(exposes, role),
            ]);
        }
        let [own, their] = both.map(|pattern| patterns.tables.urgency(pattern));
        places.push(OrderingPlace::urgency(own, their));
        places.into_iter().map(|place| place as u16).collect()
    }
}

/// The numbers of the kinds of a position that a network tells apart: by most urgent cells and
/// captures, or who is forbidden moves if there are none, and by captured stones.
#[inline]
pub(super) fn kinds(patterns: &PatternMap<2>, position: &Position) -> [usize; 2] {
    let mover = position.color_to_move();
    let colors = [mover, mover.opponent()];
    let rule = position.rules().capture();
    let marked = colors.map(|color| match rule {
        Some(_) => !patterns.captures(color).is_empty(),
        None => position.rules().forbids(color),
    });
    let urgencies = colors.map(|color| patterns.most_urgent(color));
    let [own, their] = colors.map(|color| tenths(rule, position.captures(color)));
    [ValuePlace::threat_kind(urgencies, marked), 10 * own + their]
}

/// The weight of the urgent cells and captures of both colors.
fn threat_place(patterns: &PatternMap<2>, colors: [Color; 2]) -> usize {
    let captures = colors.map(|color| !patterns.captures(color).is_empty());
    ValuePlace::threat(colors.map(|color| patterns.most_urgent(color)), captures)
}

/// The number of lines on which a stone attacks a group, and on which it exposes one.
fn contact_lines(pattern: CellPattern) -> [usize; 2] {
    let lines = pattern.contact();
    [lines & 15, lines >> 4].map(|lines| lines.count_ones() as usize)
}
