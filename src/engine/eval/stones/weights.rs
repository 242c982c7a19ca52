//! The weights of the static evaluation and of move ordering for stones on squares.
//!
//! They are fitted to games of the engine against itself by `pentarch train fit`: values by a logistic
//! regression on the scores of searches mixed with the results of the games, ordering scores by a multinomial
//! regression on the moves that searches chose. The headers of `weights/*.weights` say what each file was
//! fitted to.

use super::line_pattern::ThreatClass;
use crate::eval::tensor_file::{FormatError, TensorFile, field_error};
use pentarch_core::game::Color;
use pentarch_core::rules::SquareRules;
use std::array;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

/// The index of the side to move, or of what a move makes, in pairs of weights.
pub(super) const US: usize = 0;
/// The index of the other side, or of what a move prevents.
pub(super) const THEM: usize = 1;

/// A class of rulesets for stones on squares that share weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleClass {
    /// Captures can win.
    Captures,
    /// Only lines win.
    Lines,
    /// Only lines win, and some moves are forbidden to one color.
    Renju,
    /// A turn has two stones.
    DoubleTurns,
    /// There are more than two colors.
    Many,
}

impl RuleClass {
    /// Every class.
    pub const ALL: [RuleClass; 5] = [
        RuleClass::Captures,
        RuleClass::Lines,
        RuleClass::Renju,
        RuleClass::DoubleTurns,
        RuleClass::Many,
    ];

    /// The class of a ruleset.
    pub fn of(rules: &SquareRules) -> RuleClass {
        match () {
            () if rules.seating().seats > 2 => RuleClass::Many,
            () if rules.seating().double_turns => RuleClass::DoubleTurns,
            () if rules.capture().is_some_and(|capture| capture.goal.is_some()) => {
                RuleClass::Captures
            }
            () if rules.renju_restricts(Color(0)) => RuleClass::Renju,
            () => RuleClass::Lines,
        }
    }

    /// The number of perspectives of a network: 2 if the rules treat the colors differently, else 1.
    pub const fn perspectives(self) -> usize {
        match self {
            RuleClass::Renju => 2,
            _ => 1,
        }
    }

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RuleClass::Captures => "captures",
            RuleClass::Lines => "lines",
            RuleClass::Renju => "renju",
            RuleClass::DoubleTurns => "double-turns",
            RuleClass::Many => "many",
        }
    }
}

impl fmt::Display for RuleClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleClass {
    type Err = String;

    fn from_str(word: &str) -> Result<RuleClass, String> {
        let found = RuleClass::ALL.into_iter().find(|class| class.name() == word);
        found.ok_or_else(|| {
            let words = RuleClass::ALL.map(RuleClass::name).join("`, `");
            format!("expected one of `{words}`, found `{word}`")
        })
    }
}

impl RuleClass {
    /// Takes the class out of a file.
    pub(super) fn of_file(file: &mut TensorFile) -> Result<RuleClass, FormatError> {
        file.take_field("games")?.parse().map_err(|reason: String| field_error("games", &reason))
    }
}

/// The number of multisets of four line patterns: the weights of a cell do not depend on the order of its
/// lines.
const CELL_CLASSES: usize = 330;

/// The class of each combination of four line patterns, three bits each.
static CELL_CLASS: LazyLock<[u16; 1 << 12]> = LazyLock::new(|| {
    let sorted = |patterns: usize| {
        let mut lines = [9, 6, 3, 0].map(|shift| patterns >> shift & 7);
        lines.sort_unstable_by_key(|&pattern| std::cmp::Reverse(pattern));
        lines.into_iter().fold(0, |sorted, pattern| sorted << 3 | pattern)
    };
    let (mut classes, mut count) = ([0; 1 << 12], 0);
    for (patterns, class) in classes.iter_mut().enumerate() {
        if sorted(patterns) == patterns {
            *class = count;
            count += 1;
        }
    }
    array::from_fn(|patterns| classes[sorted(patterns)])
});

fn cell_class(patterns: usize) -> usize {
    usize::from(CELL_CLASS[patterns & 0xfff])
}

/// The weights of a static evaluation.
///
/// Values are in the units of [`Score`](crate::search::Score), in which 400 points are odds of e to 1; for more
/// than two colors 1,000 points are, and the value scale makes up for it. Pairs are for `US` and `THEM`,
/// each from the perspective of its own side.
#[derive(Clone, Debug)]
pub struct Weights {
    rule_class: RuleClass,
    /// The value of an empty cell, by the class of the line patterns that a stone there would make.
    cells: Vec<[i16; 2]>,
    /// The value of the most urgent threat classes of both sides, by who has captures: nobody, they, we, both.
    /// If a turn has two stones, the first entry is for both stones to come and the third for one.
    threats: [[[i16; 4]; ThreatClass::COUNT]; ThreatClass::COUNT],
    /// The value of each cell on which a stone captures, by tenths of the way to the goal.
    pub(super) capturing_cells: [[i16; 10]; 2],
    /// The value of the captured stones, by tenths of the way to the goal.
    pub(super) captured_stones: [[i16; 10]; 2],
    /// The value of each line of a cell on which a stone would attack a group.
    pub(super) attacks: [i16; 2],
    /// The value of each line of a cell on which a stone would expose a group of its own.
    pub(super) exposes: [i16; 2],
    pub(super) ordering: OrderingWeights,
}

/// The weights of move ordering. Pairs are for what a move makes and for what it prevents, `US` and `THEM`.
#[derive(Clone, Debug)]
pub(super) struct OrderingWeights {
    /// By the class of the line patterns of the cell.
    cells: Vec<[i16; 2]>,
    /// By the number of stones captured there: none, a pair, three, more.
    pub captured: [[i16; 4]; 2],
    /// By the number of lines on which a group is attacked, up to three.
    pub attacks: [[i16; 4]; 2],
    /// By the number of lines on which a group is exposed, up to three.
    pub exposes: [[i16; 4]; 2],
    /// By the threat classes of the cell for the mover and for an enemy.
    pub threat_pairs: [[i16; ThreatClass::COUNT]; ThreatClass::COUNT],
}

static CAPTURES: LazyLock<Arc<Weights>> =
    LazyLock::new(|| built_in(include_bytes!("weights/captures.weights")));
static MANY: LazyLock<Arc<Weights>> =
    LazyLock::new(|| built_in(include_bytes!("weights/many.weights")));
static DOUBLE_TURNS: LazyLock<Arc<Weights>> =
    LazyLock::new(|| built_in(include_bytes!("weights/double_turns.weights")));
static LINES: LazyLock<Arc<Weights>> =
    LazyLock::new(|| built_in(include_bytes!("weights/lines.weights")));
/// The weights of [`LINES`]: only the network distinguishes the colors.
static RENJU: LazyLock<Arc<Weights>> =
    LazyLock::new(|| Arc::new(Weights { rule_class: RuleClass::Renju, ..(**LINES).clone() }));

/// A file that is part of the program; a test reads all of them.
fn built_in(bytes: &[u8]) -> Arc<Weights> {
    Arc::new(Weights::from_bytes(bytes).expect("a built-in weights file"))
}

impl Weights {
    /// The kind of file that holds weights.
    pub(in crate::eval) const KIND: &str = "weights";

    /// Weights that are all 0.
    fn zero(rule_class: RuleClass) -> Weights {
        Weights {
            rule_class,
            cells: vec![[0; 2]; CELL_CLASSES],
            threats: Default::default(),
            capturing_cells: Default::default(),
            captured_stones: Default::default(),
            attacks: Default::default(),
            exposes: Default::default(),
            ordering: OrderingWeights {
                cells: vec![[0; 2]; CELL_CLASSES],
                captured: Default::default(),
                attacks: Default::default(),
                exposes: Default::default(),
                threat_pairs: Default::default(),
            },
        }
    }

    /// The built-in weights of a class.
    pub fn built_in(class: RuleClass) -> &'static Arc<Weights> {
        match class {
            RuleClass::Captures => &CAPTURES,
            RuleClass::Lines => &LINES,
            RuleClass::Renju => &RENJU,
            RuleClass::DoubleTurns => &DOUBLE_TURNS,
            RuleClass::Many => &MANY,
        }
    }

    /// The class of rulesets that the weights are for.
    pub fn rule_class(&self) -> RuleClass {
        self.rule_class
    }

    /// The values of an empty cell by the patterns of its four lines, three bits each.
    pub(super) fn cell_values(&self, patterns: usize) -> [i16; 2] {
        self.cells[cell_class(patterns)]
    }

    /// The ordering scores of a move to such a cell.
    pub(super) fn cell_ordering(&self, patterns: usize) -> [i16; 2] {
        self.ordering.cells[cell_class(patterns)]
    }

    /// The value for the side to move of the most urgent threat classes of both sides, and of which side has
    /// captures. Nothing urgent and no captures has the value of the move itself.
    #[inline]
    pub(super) fn threat_value(&self, classes: [ThreatClass; 2], captures: [bool; 2]) -> i32 {
        let captures = usize::from(captures[0]) * 2 + usize::from(captures[1]);
        i32::from(self.threats[classes[0] as usize][classes[1] as usize][captures])
    }
}

/// The weights as flat lists, as a fit needs them and as files store them.
impl Weights {
    /// The number of weights of values.
    pub const VALUES: usize = ValueIndex::COUNT;
    /// The number of weights of move ordering.
    pub const ORDERING: usize = OrderingIndex::COUNT;

    /// The tables of values with their names in files, in the order of [`ValueIndex`].
    fn value_tables(&mut self) -> [(&'static str, &mut [i16]); 6] {
        [
            ("cells", self.cells.as_flattened_mut()),
            ("threats", self.threats.as_flattened_mut().as_flattened_mut()),
            ("capturing_cells", self.capturing_cells.as_flattened_mut()),
            ("captured_stones", self.captured_stones.as_flattened_mut()),
            ("attacks", &mut self.attacks),
            ("exposes", &mut self.exposes),
        ]
    }

    /// The tables of move ordering with their names in files, in the order of [`OrderingIndex`].
    fn ordering_tables(&mut self) -> [(&'static str, &mut [i16]); 5] {
        let ordering = &mut self.ordering;
        [
            ("ordering.cells", ordering.cells.as_flattened_mut()),
            ("ordering.captured", ordering.captured.as_flattened_mut()),
            ("ordering.attacks", ordering.attacks.as_flattened_mut()),
            ("ordering.exposes", ordering.exposes.as_flattened_mut()),
            ("ordering.threat_pairs", ordering.threat_pairs.as_flattened_mut()),
        ]
    }

    /// The weights of values, [`Weights::VALUES`] numbers.
    pub fn values(&self) -> Vec<i16> {
        self.clone().value_tables().map(|(_, table)| &*table).concat()
    }

    /// Sets the weights of values to [`Weights::VALUES`] numbers.
    pub fn set_values(&mut self, values: &[i16]) {
        fill(&mut self.value_tables(), values);
    }

    /// The weights of move ordering, [`Weights::ORDERING`] numbers.
    pub fn ordering(&self) -> Vec<i16> {
        self.clone().ordering_tables().map(|(_, table)| &*table).concat()
    }

    /// Sets the weights of move ordering to [`Weights::ORDERING`] numbers.
    pub fn set_ordering(&mut self, scores: &[i16]) {
        fill(&mut self.ordering_tables(), scores);
    }

    /// The bytes of a file with these weights and remarks on how they were made, a line each.
    pub fn to_bytes(&self, remarks: &[String]) -> Vec<u8> {
        let mut file = TensorFile::new(Weights::KIND, remarks);
        file.add_field("games", self.rule_class.name());
        let mut weights = self.clone();
        for (name, table) in weights.value_tables() {
            file.add_i16(name, table.iter().copied());
        }
        for (name, table) in weights.ordering_tables() {
            file.add_i16(name, table.iter().copied());
        }
        file.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Weights, FormatError> {
        let mut file = TensorFile::parse(bytes)?;
        file.take_field("kind")?;
        Weights::from_file(file)
    }

    /// The weights in a file. A table that the file lacks is 0, so that files outlive new weights.
    pub(in crate::eval) fn from_file(mut file: TensorFile) -> Result<Weights, FormatError> {
        let mut weights = Weights::zero(RuleClass::of_file(&mut file)?);
        let mut read = |(name, table): (&str, &mut [i16])| {
            if file.has_tensor(name) {
                table.copy_from_slice(&file.take_i16(name, table.len())?);
            }
            Ok(())
        };
        weights.value_tables().into_iter().try_for_each(&mut read)?;
        weights.ordering_tables().into_iter().try_for_each(&mut read)?;
        file.finish()?;
        Ok(weights)
    }
}

/// Fills tables from a flat list, one after the other.
fn fill(tables: &mut [(&str, &mut [i16])], mut numbers: &[i16]) {
    for (_, table) in tables {
        let (first, rest) = numbers.split_at(table.len());
        table.copy_from_slice(first);
        numbers = rest;
    }
}

/// Indices into [`Weights::values`]. `side` is [`US`] or [`THEM`].
pub(super) struct ValueIndex;

impl ValueIndex {
    pub(super) const COUNT: usize = ValueIndex::EXPOSES + 2;
    const THREATS: usize = 2 * CELL_CLASSES;
    const CAPTURING_CELLS: usize =
        ValueIndex::THREATS + 4 * ThreatClass::COUNT * ThreatClass::COUNT;
    const CAPTURED_STONES: usize = ValueIndex::CAPTURING_CELLS + 20;
    const ATTACKS: usize = ValueIndex::CAPTURED_STONES + 20;
    const EXPOSES: usize = ValueIndex::ATTACKS + 2;

    pub(super) fn cell(patterns: usize, side: usize) -> usize {
        2 * cell_class(patterns) + side
    }

    pub(super) fn threats(classes: [ThreatClass; 2], captures: [bool; 2]) -> usize {
        ValueIndex::THREATS + ValueIndex::threat_bucket(classes, captures)
    }

    /// The number of a position's threats among all combinations: the most urgent threat classes of both sides,
    /// and which side has captures.
    #[inline]
    pub(super) fn threat_bucket(classes: [ThreatClass; 2], captures: [bool; 2]) -> usize {
        let [us, them] = classes.map(|class| class as usize);
        let captures = usize::from(captures[0]) * 2 + usize::from(captures[1]);
        4 * (ThreatClass::COUNT * us + them) + captures
    }

    pub(super) fn capturing_cells(tenths: usize, side: usize) -> usize {
        ValueIndex::CAPTURING_CELLS + 10 * side + tenths
    }

    pub(super) fn captured_stones(tenths: usize, side: usize) -> usize {
        ValueIndex::CAPTURED_STONES + 10 * side + tenths
    }

    pub(super) fn attacks(side: usize) -> usize {
        ValueIndex::ATTACKS + side
    }

    pub(super) fn exposes(side: usize) -> usize {
        ValueIndex::EXPOSES + side
    }
}

/// Indices into [`Weights::ordering`]. `side` is [`US`] for what a move makes and [`THEM`] for what it prevents.
pub(super) struct OrderingIndex;

impl OrderingIndex {
    const COUNT: usize = OrderingIndex::THREAT_PAIRS + ThreatClass::COUNT * ThreatClass::COUNT;
    const CAPTURED: usize = 2 * CELL_CLASSES;
    const ATTACKS: usize = OrderingIndex::CAPTURED + 8;
    const EXPOSES: usize = OrderingIndex::ATTACKS + 8;
    const THREAT_PAIRS: usize = OrderingIndex::EXPOSES + 8;

    pub(super) fn cell(patterns: usize, side: usize) -> usize {
        2 * cell_class(patterns) + side
    }

    pub(super) fn captured(class: usize, side: usize) -> usize {
        OrderingIndex::CAPTURED + 4 * side + class
    }

    pub(super) fn attacks(lines: usize, side: usize) -> usize {
        OrderingIndex::ATTACKS + 4 * side + lines
    }

    pub(super) fn exposes(lines: usize, side: usize) -> usize {
        OrderingIndex::EXPOSES + 4 * side + lines
    }

    pub(super) fn threat_pair(us: ThreatClass, them: ThreatClass) -> usize {
        OrderingIndex::THREAT_PAIRS + ThreatClass::COUNT * us as usize + them as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::line_pattern::LinePattern;
    use super::*;

    #[test]
    fn built_in_weights_can_be_read_and_make_sense() {
        for class in RuleClass::ALL {
            let weights = Weights::built_in(class);
            assert_eq!(weights.rule_class(), class);
            let value = |patterns| weights.cell_values(patterns);
            assert_eq!(value(0), [0, 0], "a cell that makes nothing");
            let four = LinePattern::Four as usize;
            assert!(value(four)[0] > 0);
            assert_eq!(value(four), value(four << 9), "the order of lines does not matter");
            // In the other classes such a win is certain where values are used, or the cells alone show it.
            if matches!(class, RuleClass::Captures | RuleClass::Lines | RuleClass::Renju) {
                let quiet = [ThreatClass::Quiet; 2];
                let threat =
                    weights.threat_value([ThreatClass::OpenFour, ThreatClass::Quiet], [false; 2]);
                assert!(threat > weights.threat_value(quiet, [false; 2]));
            }
        }
    }

    #[test]
    fn files_are_read_as_they_are_written() {
        for class in RuleClass::ALL {
            let weights = Weights::built_in(class);
            let bytes = weights.to_bytes(&["a remark".to_owned()]);
            let read = Weights::from_bytes(&bytes).unwrap();
            assert_eq!(read.rule_class(), class);
            assert_eq!((read.values(), read.ordering()), (weights.values(), weights.ordering()));
            let nonzero = |numbers: Vec<i16>| numbers.iter().filter(|number| **number != 0).count();
            assert!(nonzero(weights.values()) > 100 && nonzero(weights.ordering()) > 100);
        }
    }

    #[test]
    fn a_file_without_a_table_has_zeros_there() {
        let mut file = TensorFile::default();
        file.add_field("games", RuleClass::Lines.name());
        file.add_i16("attacks", [5, 6]);
        let weights = Weights::from_file(file.clone()).unwrap();
        assert_eq!((weights.attacks, weights.exposes), ([5, 6], [0, 0]));
        file.add_i16("queens", [9]);
        let error = Weights::from_file(file).unwrap_err().to_string();
        assert_eq!(error, "tensor `queens`: unknown");
    }

    #[test]
    fn flat_lists_hold_every_weight_at_its_index() {
        let weights = Weights::built_in(RuleClass::Captures);
        let (values, ordering) = (weights.values(), weights.ordering());
        assert_eq!([values.len(), ordering.len()], [Weights::VALUES, Weights::ORDERING]);
        let mut other = Weights::zero(RuleClass::Captures);
        other.set_values(&values);
        other.set_ordering(&ordering);
        assert_eq!((other.values(), other.ordering()), (values.clone(), ordering.clone()));
        let last = ThreatClass::Five;
        for side in [US, THEM] {
            assert_eq!(values[ValueIndex::cell(0xfff, side)], weights.cell_values(0xfff)[side]);
            assert_eq!(values[ValueIndex::exposes(side)], weights.exposes[side]);
            assert_eq!(
                values[ValueIndex::captured_stones(9, side)],
                weights.captured_stones[side][9]
            );
            assert_eq!(
                ordering[OrderingIndex::exposes(3, side)],
                weights.ordering.exposes[side][3]
            );
        }
        let threat = values[ValueIndex::threats([last; 2], [true; 2])];
        assert_eq!(i32::from(threat), weights.threat_value([last; 2], [true; 2]));
        let pair = ordering[OrderingIndex::threat_pair(last, last)];
        assert_eq!(pair, weights.ordering.threat_pairs[6][6]);
    }
}
