//! The tables of a ruleset: what a stone makes of a line, and the scores of cells by it.

use super::cell_pattern::CellPattern;
use super::line_pattern::{PatternTable, ThreatClass};
use super::network::Network;
use super::weights::{RuleClass, THEM, US, Weights};
use crate::eval::eval_file::EvalFile;
use pentarch_core::rules::{CaptureRule, LineRule, SquareRules};
use std::array;
use std::sync::Arc;

/// Added to the fitted ordering scores of moves that all but win, by threat class. Searches end where they find such
/// moves, so that there was little to fit their scores to.
const NEAR_WIN_BONUS: [i32; ThreatClass::COUNT] = [0, 0, 0, 0, 2000, 4000, 9000];

/// The evaluation tables of a ruleset, shared by all its evaluators. They are built by asking the line and the capture
/// rule about windows, so that no variant is named here.
#[derive(Debug)]
pub struct StoneTables {
    line: LineRule,
    capture: Option<CaptureRule>,
    /// The most stones of one captured group.
    longest_group: u32,
    /// Whether the patterns know power stones.
    has_power: bool,
    radius: u32,
    pub(super) weights: Arc<Weights>,
    /// The network that corrects the values of the weights.
    pub(super) network: Option<Arc<Network>>,
    pub(super) patterns: PatternTable,
    scores: ByLinePatterns<PackedScore>,
    /// The threat classes of `scores` once more, in a smaller table.
    threat_classes: ByLinePatterns<ThreatClass>,
    /// Ordering scores by the line patterns that a move makes and that it prevents.
    ordering_scores: ByLinePatterns<[i16; 2]>,
    /// The scores of attacked and exposed groups, by [`CellPattern::capture_lines`].
    capture_scores: Box<[PackedScore; 256]>,
    capture_ordering: CaptureOrdering,
    /// Ordering scores by the threat classes of a cell for the mover and for an enemy.
    threat_pairs: [[i32; ThreatClass::COUNT]; ThreatClass::COUNT],
}

/// A table by the patterns of four lines, three bits each.
type ByLinePatterns<T> = Box<[T; 4096]>;

impl StoneTables {
    /// The tables of a ruleset with built-in weights and without a network, which suffices where no values are asked
    /// for.
    pub fn new(rules: &SquareRules) -> StoneTables {
        StoneTables::with_weights(rules, Arc::clone(Weights::built_in(RuleClass::of(rules))))
    }

    /// The tables with the weights or the network of a file, if it is for the ruleset, else with the built-in ones.
    pub fn with_file(rules: &SquareRules, file: Option<&EvalFile>) -> StoneTables {
        let class = RuleClass::of(rules);
        let file = file.filter(|file| file.is_for(class));
        let weights = file.and_then(|file| file.weights(class));
        let weights = Arc::clone(weights.unwrap_or(Weights::built_in(class)));
        let network = match file {
            Some(file) => file.network(class),
            None => Network::built_in(rules),
        };
        StoneTables { network: network.cloned(), ..StoneTables::with_weights(rules, weights) }
    }

    fn with_weights(rules: &SquareRules, weights: Arc<Weights>) -> StoneTables {
        let (line, capture, has_power) =
            (rules.line(), rules.capture(), rules.stones().power.is_some());
        let radius = line.reach().clamp(4, 5);
        let threat_classes: ByLinePatterns<_> = Box::new(array::from_fn(ThreatClass::of_patterns));
        StoneTables {
            line,
            capture,
            longest_group: capture.map_or(0, |capture| u32::from(capture.longest_group())),
            has_power,
            radius,
            network: None,
            patterns: PatternTable::new(line, capture, radius, has_power),
            scores: Box::new(array::from_fn(|patterns| {
                PackedScore::new(weights.cell_values(patterns), threat_classes[patterns])
            })),
            threat_classes,
            ordering_scores: Box::new(array::from_fn(|patterns| weights.cell_ordering(patterns))),
            capture_scores: Box::new(array::from_fn(|lines| capture_score(lines, &weights))),
            capture_ordering: CaptureOrdering::new(capture.is_some(), &weights),
            threat_pairs: threat_pairs(&weights),
            weights,
        }
    }

    /// Whether the tables serve a ruleset.
    pub fn serve(&self, rules: &SquareRules) -> bool {
        self.line == rules.line()
            && self.capture == rules.capture()
            && (self.has_power || rules.stones().power.is_none())
            && self.weights.rule_class() == RuleClass::of(rules)
    }

    /// How many cells to either side the patterns cover, 4 or 5.
    pub(super) fn radius(&self) -> u32 {
        self.radius
    }

    /// Whether `ThreatClass::Five` is exact for the line rule: whether the patterns cover all cells that matter.
    pub fn fives_are_exact(&self) -> bool {
        self.line.reach() <= self.radius
    }

    /// The score of a cell by its line patterns.
    #[inline]
    pub(super) fn score(&self, pattern: CellPattern) -> PackedScore {
        self.scores[pattern.line_patterns() & 0xfff]
    }

    /// The most stones of one captured group.
    #[inline]
    pub(super) fn longest_group(&self) -> u32 {
        self.longest_group
    }

    /// Whether more stones are captured than one group can have.
    #[inline]
    pub(super) fn captures_several_groups(&self, pattern: CellPattern) -> bool {
        pattern.captured_stones() > self.longest_group
    }

    #[inline]
    pub(super) fn threat_class(&self, pattern: CellPattern) -> ThreatClass {
        self.threat_classes[pattern.line_patterns() & 0xfff]
    }

    /// Whether an own stone threatens nothing.
    #[inline]
    pub(super) fn is_quiet_attack(&self, own: CellPattern) -> bool {
        self.threat_class(own) < ThreatClass::OpenThree && !own.captures()
    }

    /// Whether a stone prevents no threat of an enemy.
    #[inline]
    pub(super) fn is_quiet_defense(&self, their: CellPattern) -> bool {
        self.threat_class(their) < ThreatClass::Four && !their.captures()
    }

    /// The number of lines on which a stone attacks a group, and on which it exposes one.
    pub(super) fn capture_line_counts(&self, pattern: CellPattern) -> [usize; 2] {
        let lines = if self.has_captures() { pattern.capture_lines() } else { 0 };
        [lines & 15, lines >> 4].map(|lines| lines.count_ones() as usize)
    }

    #[inline]
    pub(super) fn has_captures(&self) -> bool {
        self.capture.is_some()
    }

    /// The score of a cell by the groups that a stone attacks and exposes.
    #[inline]
    pub(super) fn capture_score(&self, pattern: CellPattern) -> PackedScore {
        self.capture_scores[pattern.capture_lines() & 0xff]
    }

    /// The ordering score of a stone between two colors, by what it makes and what the enemy could make there.
    #[inline]
    pub(super) fn ordering_score(&self, own: CellPattern, their: CellPattern) -> i32 {
        let of_lines = self.line_ordering(own, US)
            + self.line_ordering(their, THEM)
            + self.threat_pair_bonus(own, their);
        of_lines
            + if self.has_captures() {
                self.capture_ordering.score(own, US) + self.capture_ordering.score(their, THEM)
            } else {
                self.capture_ordering.of_nothing()
            }
    }

    /// The part of an ordering score for what a stone makes.
    #[inline]
    pub(super) fn attack_score(&self, own: CellPattern) -> i32 {
        self.line_ordering(own, US) + self.capture_ordering.score(own, US)
    }

    /// The part of an ordering score for what a stone prevents.
    #[inline]
    pub(super) fn defense_score(&self, their: CellPattern) -> i32 {
        self.line_ordering(their, THEM) + self.capture_ordering.score(their, THEM)
    }

    /// The part of an ordering score for the threat classes of the cell for the mover and for an enemy.
    #[inline]
    pub(super) fn threat_pair_bonus(&self, own: CellPattern, their: CellPattern) -> i32 {
        self.threat_pairs[self.threat_class(own) as usize][self.threat_class(their) as usize]
    }

    #[inline]
    fn line_ordering(&self, pattern: CellPattern, side: usize) -> i32 {
        i32::from(self.ordering_scores[pattern.line_patterns() & 0xfff][side])
    }
}

fn threat_pairs(weights: &Weights) -> [[i32; ThreatClass::COUNT]; ThreatClass::COUNT] {
    let mut pairs = weights.ordering.threat_pairs.map(|row| row.map(i32::from));
    for (row, bonus) in pairs.iter_mut().zip(NEAR_WIN_BONUS) {
        for score in row {
            *score += bonus;
        }
    }
    pairs
}

/// The score of a cell by the lines on which a stone attacks groups, four bits, and exposes some, four more.
fn capture_score(lines: usize, weights: &Weights) -> PackedScore {
    let [attacks, exposes] = [lines & 15, lines >> 4].map(|lines| lines.count_ones() as i16);
    let value = |side: usize| attacks * weights.attacks[side] + exposes * weights.exposes[side];
    PackedScore::new([value(US), value(THEM)], ThreatClass::Quiet)
}

/// The values of a cell for the side to move and for the other side, and its threat class, in one word: one look-up
/// instead of three, and one addition instead of two.
///
/// The second value begins at bit 0, the first at bit [`PackedScore::FIRST`]. A negative second value borrows from the
/// first, as it does in a sum. What a sum carries out of the values is lost in the threat class, which is not added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedScore(u64);

impl PackedScore {
    /// There is room for the sum of as many 16-bit values as there are cells.
    const FIRST: u32 = 30;
    const THREAT_CLASS: u32 = 61;

    #[inline]
    fn new([first, second]: [i16; 2], class: ThreatClass) -> PackedScore {
        let values = ((i64::from(first) << PackedScore::FIRST) + i64::from(second)) as u64;
        let class = (class as u64) << PackedScore::THREAT_CLASS;
        PackedScore(values & ((1 << PackedScore::THREAT_CLASS) - 1) | class)
    }

    /// The number of the threat class.
    #[inline]
    pub(super) fn threat_class(self) -> usize {
        (self.0 >> PackedScore::THREAT_CLASS) as usize
    }
}

/// A sum of the values of packed scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedSum(u64);

impl PackedSum {
    /// Subtracts a score and adds another.
    #[inline]
    pub(super) fn replace(&mut self, old: PackedScore, new: PackedScore) {
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }

    /// The sum of the values for [`US`] or [`THEM`].
    #[inline]
    pub(super) fn value(self, side: usize) -> i32 {
        let sign_extend = |word: u64, bits: u32| (word << (64 - bits)) as i64 >> (64 - bits);
        let second = sign_extend(self.0, PackedScore::FIRST);
        if side == THEM {
            return second as i32;
        }
        let first = self.0.wrapping_sub(second as u64) >> PackedScore::FIRST;
        sign_extend(first, PackedScore::THREAT_CLASS - PackedScore::FIRST) as i32
    }
}

/// Ordering scores by what a stone captures, attacks and exposes. Two look-ups and a sum are faster than counting lines,
/// or asking first whether there are any.
#[derive(Debug)]
struct CaptureOrdering {
    /// By the lines on which a group is attacked.
    attacks: [[i16; 2]; 16],
    /// By the upper [half](CellPattern::halves) of a pattern: captured stones and exposed groups.
    captured: Box<[[i16; 2]; 1 << 16]>,
}

impl CaptureOrdering {
    /// Without captures the bits of attacks mean completions, and score nothing.
    fn new(has_captures: bool, weights: &Weights) -> CaptureOrdering {
        let ordering = &weights.ordering;
        let count = |lines: usize| (lines.count_ones() as usize).min(3);
        let attacks = array::from_fn(|lines| {
            let lines = if has_captures { count(lines) } else { 0 };
            [US, THEM].map(|side| ordering.attacks[side][lines])
        });
        let captured = (0..=u16::MAX).map(|half| {
            let pattern = CellPattern::from_halves([0, half]);
            let class = CellPattern::captured_class(pattern.captured_stones());
            let lines = count(pattern.capture_lines() >> 4);
            [US, THEM].map(|side| ordering.captured[side][class] + ordering.exposes[side][lines])
        });
        let captured: Box<[_]> = captured.collect();
        CaptureOrdering { attacks, captured: captured.try_into().expect("a half has sixteen bits") }
    }

    #[inline]
    fn score(&self, pattern: CellPattern, side: usize) -> i32 {
        let [lower, upper] = pattern.halves();
        i32::from(self.attacks[lower >> 12 & 15][side])
            + i32::from(self.captured[upper & 0xffff][side])
    }

    /// The score of a cell where no group is captured, attacked or exposed, for both sides together.
    #[inline]
    fn of_nothing(&self) -> i32 {
        self.score(CellPattern::default(), US) + self.score(CellPattern::default(), THEM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use pentarch_core::game::Cell;

    #[test]
    fn tables_serve_rulesets_of_their_class() {
        let tables = StoneTables::new(&"pente".parse().unwrap());
        for (spec, served) in
            [("pro-pente", true), ("keryo-pente", false), ("pente-3", false), ("pente-plus", false)]
        {
            assert_eq!(tables.serve(&spec.parse().unwrap()), served, "{spec}");
        }
    }

    #[test]
    fn completions_score_nothing_in_place_of_attacks() {
        let tables = StoneTables::new(&"gomoku".parse().unwrap());
        let pattern = CellPattern::default().with(1, 1 << 6);
        assert_eq!(tables.capture_line_counts(pattern), [0, 0]);
        assert_eq!(tables.capture_score(pattern), PackedScore::default());
        let ordering = CaptureOrdering::new(false, &tables.weights);
        let score = ordering.score(pattern, US) + ordering.score(pattern, THEM);
        assert_eq!(score, ordering.of_nothing());
    }

    #[test]
    fn an_ordering_score_is_the_sum_of_its_parts() {
        // In gomoku nothing is captured or exposed.
        for (spec, bits) in [("gomoku", 0x47), ("pro-pente", 0xff), ("keryo-pente", 0xff)] {
            let tables = StoneTables::new(&spec.parse().unwrap());
            // Every entry on one line, with another one on a second line.
            let pattern = |entry: u8| {
                let other = entry.rotate_left(3) & bits;
                CellPattern::default().with(3, entry & bits).with(1, other)
            };
            let pairs = (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b)));
            for (own, their) in pairs.map(|(a, b)| (pattern(a), pattern(b))) {
                let sum = tables.attack_score(own)
                    + tables.defense_score(their)
                    + tables.threat_pair_bonus(own, their);
                assert_eq!(tables.ordering_score(own, their), sum, "{spec} {own:?} {their:?}");
            }
        }
    }

    #[test]
    fn capture_ordering_scores_are_those_of_what_is_counted() {
        for spec in ["pro-pente", "keryo-pente"] {
            let tables = StoneTables::new(&spec.parse().unwrap());
            let scores = CaptureOrdering::new(true, &tables.weights);
            let ordering = &tables.weights.ordering;
            // Every entry on one line, with every entry on another.
            for (entry, other) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
                let pattern = CellPattern::default().with(2, entry).with(0, other);
                let class = match (entry >> 3 & 7) + (other >> 3 & 7) {
                    0 => 0,
                    1 | 2 => 1,
                    3 => 2,
                    _ => 3,
                };
                let [attacks, exposes] = tables.capture_line_counts(pattern);
                for side in [US, THEM] {
                    let expected = ordering.captured[side][class]
                        + ordering.attacks[side][attacks]
                        + ordering.exposes[side][exposes];
                    let score = scores.score(pattern, side);
                    assert_eq!(score, i32::from(expected), "{spec} {pattern:?} {side}");
                }
            }
        }
    }

    #[test]
    fn packed_sums_are_the_sums_of_values() {
        let mut rng = Rng::with_seed(3);
        for range in [-9..=9, i16::MIN..=i16::MIN, i16::MAX..=i16::MAX, i16::MIN..=i16::MAX] {
            let (mut sum, mut expected) = (PackedSum::default(), [0; 2]);
            let mut cells = [([0; 2], PackedScore::default()); Cell::LIMIT];
            for round in 0..3 * Cell::LIMIT {
                let (values, score) = &mut cells[round % Cell::LIMIT];
                let new = [0; 2].map(|_| rng.i16(range.clone()));
                let class = ThreatClass::ABOVE_QUIET[round % ThreatClass::ABOVE_QUIET.len()];
                let changed = PackedScore::new(new, class);
                assert_eq!(changed.threat_class(), class as usize);
                sum.replace(*score, changed);
                for side in [US, THEM] {
                    expected[side] += i32::from(new[side]) - i32::from(values[side]);
                }
                (*values, *score) = (new, changed);
                assert_eq!([US, THEM].map(|side| sum.value(side)), expected);
            }
        }
    }
}
