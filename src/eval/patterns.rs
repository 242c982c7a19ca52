//! What a stone on an empty cell would make of a line, looked up by what lies around the cell.

use super::cell_pattern::CellPattern;
use super::eval_file::EvalFile;
use super::network::Network;
use super::shapes::{Shapes, Urgency};
use super::weights::{Genre, Weights};
use crate::board::{CENTER, Windows};
use crate::rules::{Capture, LineRule, SquareRules};
use std::sync::Arc;

/// Added to the fitted ordering scores of moves that all but win, by urgency: searches end where
/// they are found, so there was little to fit them to.
const NEAR_WIN: [i32; Urgency::COUNT] = [0, 0, 0, 0, 2000, 4000, 9000];

/// The tables of a ruleset.
///
/// An entry describes one line through a cell: bits 0 to 2 the `Shape`, bits 3 to 5 the number of
/// stones that a stone there captures on that line, bit 6 whether it attacks a group there, bit 7
/// whether it exposes one of its own. Where nothing is captured, bit 6 says whether the shape is
/// ample.
#[derive(Debug)]
pub struct PatternTables {
    line: LineRule,
    capture: Option<Capture>,
    radius: u32,
    pub(super) weights: Arc<Weights>,
    /// What corrects their values.
    pub(super) network: Option<Arc<Network>>,
    /// Indexed by own cells, then blocked cells, the center left out.
    entries: Vec<u8>,
    /// The value of a cell for the color that is to move and for the other, indexed by four shapes
    /// of three bits.
    values: Vec<[i16; 2]>,
    /// Indexed likewise.
    urgencies: Vec<Urgency>,
    /// Ordering scores of moves, by what they make and by what they stop, indexed likewise.
    ordering_scores: Vec<[i16; 2]>,
    /// Indexed by [`CellPattern::contact`].
    contacts: Vec<Contact>,
}

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
        let (line, capture) = (rules.line(), rules.capture());
        let radius = line.reach().clamp(4, 5);
        let side = 1u32 << (2 * radius);
        let mut entries = vec![0; (side * side) as usize];
        let mut shapes = Shapes::new(line, radius);
        for blocked in 0..side {
            for own in (0..side).filter(|own| own & blocked == 0) {
                let (own_window, blocked_window) = (widen(own, radius), widen(blocked, radius));
                let shape = shapes.of(own_window | 1 << radius, blocked_window);
                let captured = captured(capture, radius, own_window, blocked_window);
                let marks = match capture {
                    Some(capture) => attacks(capture, radius, own_window, blocked_window),
                    None => u8::from(shapes.is_ample(own_window | 1 << radius, blocked_window)),
                };
                entries[(own | blocked << (2 * radius)) as usize] =
                    shape as u8 | captured << 3 | marks << 6;
            }
        }
        let values = (0..4096).map(|index| weights.cell(index).value).collect();
        let ordering_scores = (0..4096).map(|index| weights.cell(index).ordering).collect();
        let urgencies = (0..4096).map(Urgency::of_shapes).collect();
        // Of lines alone, what stands for contacts are marks of shapes.
        let lines = |index| if capture.is_some() { index } else { 0 };
        let contacts = (0..256).map(|index| Contact::of(lines(index), &weights)).collect();
        PatternTables {
            line,
            capture,
            radius,
            weights,
            network: None,
            entries,
            values,
            urgencies,
            ordering_scores,
            contacts,
        }
    }

    /// Whether the tables serve a ruleset.
    pub fn serve(&self, rules: &SquareRules) -> bool {
        self.line == rules.line()
            && self.capture == rules.capture()
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

    /// The entry for the windows of own and blocked cells, center included, `R` cells to either
    /// side.
    #[inline]
    pub(super) fn entry<const R: u32>(&self, own: u64, blocked: u64) -> u8 {
        let index = squeeze::<R>(own) | squeeze::<R>(blocked) << (2 * R);
        self.entries[index as usize & (self.entries.len() - 1)]
    }

    /// The value of a cell with these lines, for the color to move and for the other.
    #[inline]
    pub(super) fn value(&self, pattern: CellPattern) -> [i16; 2] {
        self.values[pattern.shapes() & 0xfff]
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

    /// The value of lines on which a stone attacks or exposes groups, for the color to move and for
    /// the other.
    #[inline]
    pub(super) fn contact(&self, pattern: CellPattern) -> [i16; 2] {
        self.contacts[pattern.contact() & 0xff].value
    }

    /// The part of a move's ordering score that stems from what a stone of its own makes there.
    #[inline]
    pub(super) fn attack(&self, pattern: CellPattern) -> i32 {
        i32::from(self.ordering_scores[pattern.shapes() & 0xfff][0])
            + i32::from(self.weights.ordering.takes[CellPattern::class(pattern.captured_stones())])
            + i32::from(self.contacts[pattern.contact() & 0xff].ordering[0])
    }

    /// The part that stems from what it keeps another color from making there.
    #[inline]
    pub(super) fn defense(&self, pattern: CellPattern) -> i32 {
        i32::from(self.ordering_scores[pattern.shapes() & 0xfff][1])
            + i32::from(self.weights.ordering.saves[CellPattern::class(pattern.captured_stones())])
            + i32::from(self.contacts[pattern.contact() & 0xff].ordering[1])
    }

    /// The part that stems from the urgency of its cell, for the mover and for another color.
    #[inline]
    pub(super) fn clash(&self, own: CellPattern, their: CellPattern) -> i32 {
        let [own, their] = [own, their].map(|pattern| self.urgency(pattern) as usize);
        i32::from(self.weights.ordering.urgency[own][their]) + NEAR_WIN[own]
    }
}

/// The value and the ordering scores where a stone on a cell attacks or exposes groups: for the
/// color to move and for the other, and by what is made and by what is stopped.
#[derive(Clone, Copy, Debug)]
struct Contact {
    value: [i16; 2],
    ordering: [i16; 2],
}

impl Contact {
    /// By the lines on which it attacks, four bits, and those on which it exposes, four more.
    fn of(lines: usize, weights: &Weights) -> Contact {
        let [attacks, exposes] = [lines & 15, lines >> 4].map(|lines| lines.count_ones() as usize);
        let Weights { capture_threat, vulnerable, ordering, .. } = weights;
        let value =
            |role: usize| attacks as i16 * capture_threat[role] + exposes as i16 * vulnerable[role];
        let [several, exposing] = [attacks.min(3), exposes.min(3)];
        Contact {
            value: [value(0), value(1)],
            ordering: [
                ordering.attacks[several] + ordering.exposes[exposing],
                ordering.guards[several] + ordering.spares[exposing],
            ],
        }
    }
}

/// Leaves the center out of a window of `R` cells to either side.
#[inline]
fn squeeze<const R: u32>(window: u64) -> u64 {
    let low = (1 << R) - 1;
    (window & low) | (window >> 1 & low << R)
}

/// Puts an empty center into a window without one.
fn widen(window: u32, radius: u32) -> u32 {
    let low = (1 << radius) - 1;
    (window & low) | (window & !low) << 1
}

/// The stones captured on a line, asked of the capture rule with one lane of windows. Blocked
/// cells between the center and an own stone can only be enemies.
fn captured(capture: Option<Capture>, radius: u32, own: u32, blocked: u32) -> u8 {
    let Some(capture) = capture else { return 0 };
    let lane = |window: u32| Windows(u64::from(window) << (CENTER - radius));
    capture.captured(lane(own), lane(blocked)).stones() as u8
}

/// Whether a stone at the center attacks a group of the enemy, which it could capture next (bit 0),
/// and whether it makes a group of its own that the enemy could capture next (bit 1). The edge
/// counts as an enemy.
fn attacks(capture: Capture, radius: u32, own: u32, blocked: u32) -> u8 {
    let lengths = capture.lengths().map(i32::from);
    let at = |set: u32, place: i32| set >> (radius as i32 + place) & 1 != 0;
    let is_open = |place: i32| !at(own | blocked, place);
    let both = |test: &dyn Fn(i32, i32) -> bool| {
        lengths.clone().any(|length| test(length, 1) || test(length, -1))
    };
    let attacks = both(&|length, sign| {
        (1..=length).all(|place| at(blocked, sign * place)) && is_open(sign * (length + 1))
    });
    let exposes = both(&|length, sign| {
        (0..length).any(|first| {
            let mut group = -first..length - first;
            let own = group.all(|place| place == 0 || at(own, sign * place));
            own && at(blocked, sign * (-first - 1)) && is_open(sign * (length - first))
        })
    });
    u8::from(attacks) | u8::from(exposes) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::shapes::{SHAPES, Shape};

    /// The entry of a window such as `..xx*.o..`: own, enemy, the cell asked about.
    fn entry(spec: &str, picture: &str) -> u8 {
        let tables = PatternTables::new(&spec.parse().unwrap());
        let bits = |wanted: u8| -> u64 {
            picture.bytes().enumerate().filter(|(_, b)| *b == wanted).map(|(i, _)| 1 << i).sum()
        };
        let (own, blocked) = (bits(b'x'), bits(b'o'));
        match tables.radius() {
            4 => tables.entry::<4>(own, blocked),
            _ => tables.entry::<5>(own, blocked),
        }
    }

    /// The shape, and the stones that are captured.
    fn shape(spec: &str, picture: &str) -> (Shape, u32) {
        let entry = entry(spec, picture);
        (SHAPES[usize::from(entry & 7)], CellPattern::default().with(2, entry).captured_stones())
    }

    /// Whether a stone on the cell attacks a group, and whether it exposes one.
    fn contact(spec: &str, picture: &str) -> (bool, bool) {
        let pattern = CellPattern::default().with(3, entry(spec, picture));
        assert_eq!(pattern.contact() & !0x88, 0, "another line");
        let tables = PatternTables::new(&spec.parse().unwrap());
        let [attacks, exposes] = tables.contact_lines(pattern);
        (attacks != 0, exposes != 0)
    }

    #[test]
    fn shapes_of_pente() {
        for (picture, expected) in [
            ("xxxx*....", Shape::Five),
            ("..xx*xx..", Shape::Five),
            ("..xx*x...", Shape::OpenFour),
            (".oxx*x...", Shape::Four),
            (".oxx*xo..", Shape::Low),
            ("x.xx*.x..", Shape::OpenFour),
            ("..x.*x...", Shape::OpenThree),
            (".ox.*x...", Shape::Three),
            ("....*x...", Shape::OpenTwo),
            ("oooo*x...", Shape::Two),
            ("oooo*....", Shape::Low),
        ] {
            assert_eq!(shape("pente", picture).0, expected, "{picture}");
        }
    }

    #[test]
    fn exact_fives_need_room_for_the_neighbor() {
        assert_eq!(shape("gomoku-standard", ".xxxx*.....").0, Shape::Five);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
        assert_eq!(shape("gomoku-standard", "..x.x*x.x..").0, Shape::OpenFour);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
    }

    #[test]
    fn tables_serve_games_of_their_own_genre() {
        let tables = PatternTables::new(&"pente".parse().unwrap());
        for (spec, served) in [("pro-pente", true), ("keryo-pente", false), ("pente-3", false)] {
            assert_eq!(tables.serve(&spec.parse().unwrap()), served, "{spec}");
        }
    }

    #[test]
    fn shapes_that_many_windows_hold_are_ample() {
        let is_ample = |spec, picture| entry(spec, picture) & 1 << 6 != 0;
        for (picture, expected) in [
            ("....*....", true),
            (".o..*....", true),
            ("..o.*....", false),
            (".o..*.o..", false),
            ("....*x...", true),
            ("....*.x..", true),
            ("....*..x.", false),
            ("..o.*.x..", false),
            (".ox.*x...", false),
            ("...x*x...", true),
            ("..xx*x...", false),
        ] {
            assert_eq!(is_ample("gomoku", picture), expected, "{picture}");
        }
        let tables = PatternTables::new(&"gomoku".parse().unwrap());
        let ample = CellPattern::default().with(1, 1 << 6);
        assert_eq!(tables.contact_lines(ample), [0, 0]);
        assert_eq!(tables.contact(ample), [0, 0]);
    }

    #[test]
    fn captures_are_counted() {
        assert_eq!(shape("pente", "....*oox.").1, 2);
        assert_eq!(shape("pente", ".xoo*oox.").1, 4);
        assert_eq!(shape("pente", "....*ooox").1, 0);
        assert_eq!(shape("keryo-pente", "....*ooox").1, 3);
        assert_eq!(shape("keryo-pente", "xooo*oox.").1, 5);
        assert_eq!(shape("gomoku", "....*oox.").1, 0);
    }
    #[test]
    fn attacks_and_exposed_pairs_are_seen() {
        for (picture, expected) in [
            ("....*oo..", (true, false)),
            ("..oo*....", (true, false)),
            ("....*oox.", (false, false)),
            ("....*ooo.", (false, false)),
            ("....*o...", (false, false)),
            ("...o*x...", (false, true)),
            ("....*xo..", (false, true)),
            ("...o*xo..", (false, false)),
            ("...o*xx..", (false, false)),
            (".oo.*xo..", (false, true)),
            (".ox.*x.o.", (false, false)),
            ("..ox*....", (false, true)),
            (".xoo*x...", (false, true)),
            ("..oo*x...", (true, true)),
        ] {
            assert_eq!(contact("pente", picture), expected, "{picture}");
        }
        assert_eq!(contact("keryo-pente", "....*ooo."), (true, false));
        assert_eq!(contact("keryo-pente", "...o*xx.."), (false, true));
        assert_eq!(contact("gomoku", "....*oo.."), (false, false));
    }
}
