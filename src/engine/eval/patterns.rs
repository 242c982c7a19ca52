//! What a cell is worth by what a stone there would make of its lines.

use super::cell_pattern::CellPattern;
use super::eval_file::EvalFile;
use super::line_entries::LineEntries;
use super::network::Network;
use super::shapes::Urgency;
use super::touches::Touches;
use super::weights::{Genre, Weights};
use super::worth::Worth;
use pentarch_core::rules::{CaptureRule, LineRule, SquareRules};
use std::array;
use std::sync::Arc;

/// Added to the fitted ordering scores of moves that all but win, by urgency: searches end where
/// they are found, so there was little to fit them to.
const NEAR_WIN: [i32; Urgency::COUNT] = [0, 0, 0, 0, 2000, 4000, 9000];

/// The tables of a ruleset.
#[derive(Debug)]
pub struct PatternTables {
    line: LineRule,
    capture: Option<CaptureRule>,
    /// The most stones of a group that can be captured, which is asked for at every node.
    longest_group: u32,
    /// Whether the entries know power stones.
    power: bool,
    radius: u32,
    pub(super) weights: Arc<Weights>,
    /// What corrects their values.
    pub(super) network: Option<Arc<Network>>,
    pub(super) entries: LineEntries,
    worths: ByShapes<Worth>,
    /// The urgencies by themselves, which take little room.
    urgencies: ByShapes<Urgency>,
    /// Ordering scores of moves, by what they make and by what they stop.
    ordering_scores: ByShapes<[i16; 2]>,
    /// What contacts are worth, indexed by [`CellPattern::contact`].
    contacts: Box<[Worth; 256]>,
    /// What ordering scores add for them and for captures.
    touches: Touches,
    /// What ordering scores add by the urgency of the cell, for the mover and for another color.
    clashes: [[i32; Urgency::COUNT]; Urgency::COUNT],
}

/// Indexed by four shapes of three bits.
type ByShapes<T> = Box<[T; 4096]>;

impl PatternTables {
    /// Builds the tables for a ruleset by asking its line and capture rules, without a network: proofs
    /// ask for no values.
    pub fn new(rules: &SquareRules) -> PatternTables {
        PatternTables::with_weights(rules, Arc::clone(Weights::built_in(Genre::of(rules))))
    }

    /// The tables with what a file has for the ruleset; if there is none, or it is for other games,
    /// with the network of this program.
    pub fn with_file(rules: &SquareRules, file: Option<&EvalFile>) -> PatternTables {
        let genre = Genre::of(rules);
        let file = file.filter(|file| file.is_for(genre));
        let weights = file.and_then(|file| file.weights(genre));
        let weights = Arc::clone(weights.unwrap_or(Weights::built_in(genre)));
        let network = match file {
            Some(file) => file.network(genre),
            None => Network::built_in(rules),
        };
        PatternTables { network: network.cloned(), ..PatternTables::with_weights(rules, weights) }
    }

    /// The tables with other weights than those of this program.
    pub fn with_weights(rules: &SquareRules, weights: Arc<Weights>) -> PatternTables {
        let (line, capture, power) =
            (rules.line(), rules.capture(), rules.stones().power.is_some());
        let radius = line.reach().clamp(4, 5);
        let urgencies: ByShapes<_> = Box::new(array::from_fn(Urgency::of_shapes));
        PatternTables {
            line,
            capture,
            longest_group: capture.map_or(0, |capture| u32::from(capture.longest_group())),
            power,
            radius,
            network: None,
            entries: LineEntries::new(line, capture, radius, power),
            worths: Box::new(array::from_fn(|index| {
                Worth::new(weights.cell(index).value, urgencies[index])
            })),
            urgencies,
            ordering_scores: Box::new(array::from_fn(|index| weights.cell(index).ordering)),
            contacts: Box::new(array::from_fn(|lines| contact_worth(lines, &weights))),
            touches: Touches::new(capture.is_some(), &weights),
            clashes: clashes(&weights),
            weights,
        }
    }

    /// Whether the tables serve a ruleset.
    pub fn serve(&self, rules: &SquareRules) -> bool {
        self.line == rules.line()
            && self.capture == rules.capture()
            && (self.power || rules.stones().power.is_none())
            && self.weights.genre() == Genre::of(rules)
    }

    /// How far from a cell the tables look.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Whether a five in the tables is one by the rules for certain. Not so if the rule looks
    /// further than the tables do.
    pub fn sees_all(&self) -> bool {
        self.line.reach() <= self.radius
    }

    /// What a cell with these lines is worth, but for captures and contacts.
    #[inline]
    pub(super) fn worth(&self, pattern: CellPattern) -> Worth {
        self.worths[pattern.shapes() & 0xfff]
    }

    /// The most stones of a group that can be captured.
    #[inline]
    pub(super) fn longest_group(&self) -> u32 {
        self.longest_group
    }

    /// Whether more stones are captured than one group has.
    #[inline]
    pub(super) fn captures_several(&self, pattern: CellPattern) -> bool {
        pattern.captured_stones() > self.longest_group()
    }

    /// How urgent a cell is with these lines.
    #[inline]
    pub(super) fn urgency(&self, pattern: CellPattern) -> Urgency {
        self.urgencies[pattern.shapes() & 0xfff]
    }

    /// Whether a stone of one's own there threatens nothing.
    #[inline]
    pub(super) fn is_quiet_attack(&self, own: CellPattern) -> bool {
        self.urgency(own) < Urgency::OpenThree && !own.captures()
    }

    /// Whether a stone there answers nothing that another color could make.
    #[inline]
    pub(super) fn is_quiet_defense(&self, their: CellPattern) -> bool {
        self.urgency(their) < Urgency::Four && !their.captures()
    }

    /// The number of lines on which a stone attacks a group, and on which it exposes one.
    pub(super) fn contact_lines(&self, pattern: CellPattern) -> [usize; 2] {
        let lines = if self.knows_contacts() { pattern.contact() } else { 0 };
        [lines & 15, lines >> 4].map(|lines| lines.count_ones() as usize)
    }

    /// Whether stones can attack and expose groups.
    #[inline]
    pub(super) fn knows_contacts(&self) -> bool {
        self.capture.is_some()
    }

    /// What lines are worth on which a stone attacks or exposes groups.
    #[inline]
    pub(super) fn contact(&self, pattern: CellPattern) -> Worth {
        self.contacts[pattern.contact() & 0xff]
    }

    /// The ordering score of a move by what a stone of its own and one of the other color would make
    /// there.
    #[inline]
    pub(super) fn ordering_score(&self, own: CellPattern, their: CellPattern) -> i32 {
        let of_lines = self.of_shapes(own, 0) + self.of_shapes(their, 1) + self.clash(own, their);
        of_lines
            + if self.knows_contacts() {
                self.touches.of(own, 0) + self.touches.of(their, 1)
            } else {
                self.touches.nothing()
            }
    }

    /// The part of a move's ordering score that stems from what a stone of its own makes there.
    #[inline]
    pub(super) fn attack(&self, pattern: CellPattern) -> i32 {
        self.of_shapes(pattern, 0) + self.touches.of(pattern, 0)
    }

    /// The part that stems from what it keeps another color from making there.
    #[inline]
    pub(super) fn defense(&self, pattern: CellPattern) -> i32 {
        self.of_shapes(pattern, 1) + self.touches.of(pattern, 1)
    }

    /// The part that stems from the urgency of its cell, for the mover and for another color.
    #[inline]
    pub(super) fn clash(&self, own: CellPattern, their: CellPattern) -> i32 {
        self.clashes[self.urgency(own) as usize][self.urgency(their) as usize]
    }

    /// The part of lines: `role` is 0 for what is made and 1 for what is stopped.
    #[inline]
    fn of_shapes(&self, pattern: CellPattern, role: usize) -> i32 {
        i32::from(self.ordering_scores[pattern.shapes() & 0xfff][role])
    }
}

/// What ordering scores add by the urgency of a cell, for the mover and for another color.
fn clashes(weights: &Weights) -> [[i32; Urgency::COUNT]; Urgency::COUNT] {
    let mut clashes = weights.ordering.urgency.map(|row| row.map(i32::from));
    for (row, near_win) in clashes.iter_mut().zip(NEAR_WIN) {
        for clash in row {
            *clash += near_win;
        }
    }
    clashes
}

/// What it is worth where a stone attacks groups, on the lines of four bits, and exposes some, on those of
/// four more.
fn contact_worth(lines: usize, weights: &Weights) -> Worth {
    let [attacks, exposes] = [lines & 15, lines >> 4].map(|lines| lines.count_ones() as i16);
    let Weights { capture_threat, vulnerable, .. } = weights;
    let value = |role: usize| attacks * capture_threat[role] + exposes * vulnerable[role];
    Worth::new([value(0), value(1)], Urgency::Quiet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_serve_games_of_their_own_genre() {
        let tables = PatternTables::new(&"pente".parse().unwrap());
        for (spec, served) in
            [("pro-pente", true), ("keryo-pente", false), ("pente-3", false), ("pente-plus", false)]
        {
            assert_eq!(tables.serve(&spec.parse().unwrap()), served, "{spec}");
        }
    }

    #[test]
    fn marks_of_ample_shapes_are_no_contacts() {
        let tables = PatternTables::new(&"gomoku".parse().unwrap());
        let ample = CellPattern::default().with(1, 1 << 6);
        assert_eq!(tables.contact_lines(ample), [0, 0]);
        assert_eq!(tables.contact(ample), Worth::default());
    }

    #[test]
    fn an_ordering_score_is_the_sum_of_its_parts() {
        // In gomoku nothing is captured or exposed.
        for (spec, bits) in [("gomoku", 0x47), ("pro-pente", 0xff), ("keryo-pente", 0xff)] {
            let tables = PatternTables::new(&spec.parse().unwrap());
            // Every entry on one line, beside another one.
            let pattern = |entry: u8| {
                let beside = entry.rotate_left(3) & bits;
                CellPattern::default().with(3, entry & bits).with(1, beside)
            };
            let pairs = (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b)));
            for (own, their) in pairs.map(|(a, b)| (pattern(a), pattern(b))) {
                let sum = tables.attack(own) + tables.defense(their) + tables.clash(own, their);
                assert_eq!(tables.ordering_score(own, their), sum, "{spec} {own:?} {their:?}");
            }
        }
    }
}
