//! What values and ordering scores are sums of, for fits.

use super::cell_pattern::CellPattern;
use super::line_evaluator::LineEvaluator;
use super::network::Grouping;
use super::pattern_map::{PatternMap, Urgent, tenths};
use super::weights::{OrderingPlace, ValuePlace, Weights};
use crate::search::ThreatGenerator;
use pentarch_core::game::{self, Color, Move, MoveKind, Position as _};
use pentarch_core::placement::Position;

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

/// A weight of values by its number, and how often it counts.
pub type ValueTerm = (u16, i16);

/// The weights of which the value of a position for the side to move is made, before it is scaled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueTerms {
    /// Those that are added up. Between two sides what the other has counts less than 0.
    pub sum: Vec<ValueTerm>,
    /// Among more, the strength of each other side in terms of its own: the value is then the odds of
    /// the first sum against all of these, if chances go by strength.
    pub others: Vec<Vec<ValueTerm>>,
}

/// An evaluator whose values and ordering scores are made of weights, so that these can be fitted.
pub trait WeightedEvaluator<P: game::Position>: ThreatGenerator<P> {
    /// What a value is made of, if no network corrects it.
    fn value_terms(&self, position: &P) -> ValueTerms;

    /// What it is scaled by in a fit, in hundredths: in play too, but for what a stretch makes up for.
    fn scale_percent(&self) -> i32;

    /// The weights of which the ordering score of a move is the sum.
    fn ordering_terms(&self, position: &P, mv: Move) -> Vec<u16>;
}

/// How often each weight of values counts.
#[derive(Clone, Debug)]
pub(super) struct ValueCounts(Vec<i16>);

impl ValueCounts {
    pub(super) fn new() -> ValueCounts {
        ValueCounts(vec![0; Weights::VALUES])
    }

    pub(super) fn add(&mut self, place: usize, times: i16) {
        self.0[place] += times;
    }

    /// Counts all that a color can make on its own, in the role of the one to move, 0, or not, 1.
    pub(super) fn add_color<const N: usize>(
        &mut self,
        (patterns, position): (&PatternMap<N>, &Position),
        (color, role): (Color, usize),
        captured: u16,
        sign: i16,
    ) {
        position.board().for_each_empty(|cell| {
            let pattern = patterns.at(color, cell);
            self.add(ValuePlace::cell(pattern.shapes(), role), sign);
            let [attacks, exposes] = patterns.tables.contact_lines(pattern);
            self.add(ValuePlace::capture_threat(role), sign * attacks as i16);
            self.add(ValuePlace::vulnerable(role), sign * exposes as i16);
        });
        let tenths = tenths(position.rules().capture(), captured);
        let points = patterns.captures(color).len() as i16;
        self.add(ValuePlace::point(tenths, role), sign * points);
        self.add(ValuePlace::count(tenths, role), sign);
    }

    pub(super) fn terms(mut self) -> Vec<ValueTerm> {
        // The cell that makes nothing is worth nothing by definition.
        for role in 0..2 {
            self.0[ValuePlace::cell(0, role)] = 0;
        }
        let terms = self.0.iter().enumerate().filter(|(_, count)| **count != 0);
        terms.map(|(place, &count)| (place as u16, count)).collect()
    }
}

impl WeightedEvaluator<Position> for LineEvaluator {
    fn value_terms(&self, position: &Position) -> ValueTerms {
        let mut counts = ValueCounts::new();
        let patterns = self.patterns();
        let mover = position.color_to_move();
        let colors = [mover, mover.opponent()];
        for (role, (color, sign)) in colors.into_iter().zip([1, -1]).enumerate() {
            let captured = position.captures(color);
            counts.add_color((patterns, position), (color, role), captured, sign);
        }
        let (urgencies, captures) = patterns.urgent(mover);
        counts.add(ValuePlace::threat(urgencies, captures), 1);
        ValueTerms { sum: counts.terms(), others: Vec::new() }
    }

    fn scale_percent(&self) -> i32 {
        self.scale().percent()
    }

    fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let mover = position.color_to_move();
        let enemies = std::iter::once(mover.opponent());
        ordering_terms(self.patterns(), mv, mover, enemies)
    }
}

impl LineEvaluator {
    /// What a network of that grouping looks at.
    pub fn network_input(&self, position: &Position, grouping: &Grouping) -> NetworkInput {
        let (patterns, mut cells) = (self.patterns(), Vec::new());
        let mover = position.color_to_move();
        let colors = [mover, mover.opponent()];
        position.board().for_each_empty(|cell| {
            let groups = colors.map(|color| grouping.of(patterns.at(color, cell)));
            cells.extend(Some(groups).filter(|groups| *groups != [0; 2]));
        });
        let [threat, count] = kinds(position, patterns.urgent(mover));
        NetworkInput { cells, mover: mover.index(), threat, count }
    }

    /// The groups of the cell of a stone, for the color to move and for the other.
    pub fn groups_of(&self, position: &Position, mv: Move, grouping: &Grouping) -> [u8; 2] {
        let Some(cell) = mv.cell() else { return [0; 2] };
        let mover = position.color_to_move();
        [mover, mover.opponent()].map(|color| grouping.of(self.patterns().at(color, cell)))
    }
}

/// The weights of which the ordering score of a stone is the sum: of what it makes, of what it keeps each
/// enemy from making, and of what is urgent for both. Special stones have none.
pub(super) fn ordering_terms<const N: usize>(
    patterns: &PatternMap<N>,
    mv: Move,
    mover: Color,
    enemies: impl Iterator<Item = Color>,
) -> Vec<u16> {
    let MoveKind::Stone(cell) = mv.kind() else { return Vec::new() };
    let mut places = Vec::with_capacity(9);
    let mut add = |pattern: CellPattern, role| {
        let contacts = patterns.tables.contact_lines(pattern);
        let [attacks, exposes] = contacts.map(|lines| lines.min(3));
        places.extend([
            OrderingPlace::cell(pattern.shapes(), role),
            OrderingPlace::stones(CellPattern::class(pattern.captured_stones()), role),
            OrderingPlace::attacks(attacks, role),
            OrderingPlace::exposes(exposes, role),
        ]);
    };
    let own = patterns.at(mover, cell);
    add(own, 0);
    let mut clashes = Vec::new();
    for enemy in enemies {
        let their = patterns.at(enemy, cell);
        add(their, 1);
        let [own, their] = [own, their].map(|pattern| patterns.tables.urgency(pattern));
        clashes.push(OrderingPlace::urgency(own, their));
    }
    places.into_iter().chain(clashes).map(|place| place as u16).collect()
}

/// The numbers of the kinds of a position that a network tells apart: by most urgent cells and
/// captures, or who is forbidden moves if there are none, and by captured stones.
#[inline]
pub(super) fn kinds(position: &Position, (urgencies, captures): Urgent) -> [usize; 2] {
    let mover = position.color_to_move();
    let colors = [mover, mover.opponent()];
    let rule = position.rules().capture();
    let forbidden = || colors.map(|color| position.rules().renju_restricts(color));
    let marked = if rule.is_some() { captures } else { forbidden() };
    let [own, their] = colors.map(|color| tenths(rule, position.captures(color)));
    [ValuePlace::threat_kind(urgencies, marked), 10 * own + their]
}
