//! What a stone on an empty cell would make of one line, by the cells around it.

use pentarch_core::board::{CENTER, LANE_LOW_BITS, Windows};
use pentarch_core::rules::{CaptureRule, LineRule};

/// What a stone would make of a line, in rising order of value. The names are those of games of five in a row; in
/// other games they count from the winning length downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum LinePattern {
    /// Less than the others.
    Weak,
    /// Two stones that can grow to a three.
    Two,
    /// Two stones that can grow to an open three.
    OpenTwo,
    /// Three stones that can grow to a four.
    Three,
    /// Three stones that can grow to an open four.
    OpenThree,
    /// Four stones with one cell that wins.
    Four,
    /// Four stones with more than one cell that wins.
    OpenFour,
    /// A winning run.
    Five,
}

impl LinePattern {
    /// Every pattern by its number.
    pub(super) const ALL: [LinePattern; 8] = [
        LinePattern::Weak,
        LinePattern::Two,
        LinePattern::OpenTwo,
        LinePattern::Three,
        LinePattern::OpenThree,
        LinePattern::Four,
        LinePattern::OpenFour,
        LinePattern::Five,
    ];
}

/// The threat of a stone on a cell, by the patterns of all its lines (Rapfi's `Pattern4`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum ThreatClass {
    /// Nothing that must be answered.
    Quiet,
    /// An open three.
    OpenThree,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours.
    OpenFour,
    /// A winning run.
    Five,
}

impl ThreatClass {
    /// The number of classes.
    pub(super) const COUNT: usize = 7;

    /// The classes of moves that make a four.
    pub(super) const FOURS: [ThreatClass; 3] =
        [ThreatClass::OpenFour, ThreatClass::FourThree, ThreatClass::Four];

    /// The classes of moves that make a four or win.
    pub(super) const FOURS_AND_FIVES: [ThreatClass; 4] =
        [ThreatClass::Five, ThreatClass::OpenFour, ThreatClass::FourThree, ThreatClass::Four];

    /// The classes of moves that Renju may forbid: two threes, two fours, one of each, and runs that may be too long.
    pub(super) const MAYBE_FORBIDDEN: [ThreatClass; 4] = [
        ThreatClass::DoubleThree,
        ThreatClass::FourThree,
        ThreatClass::OpenFour,
        ThreatClass::Five,
    ];

    /// The classes above quiet, the most urgent first.
    pub(super) const ABOVE_QUIET: [ThreatClass; 6] = [
        ThreatClass::Five,
        ThreatClass::OpenFour,
        ThreatClass::FourThree,
        ThreatClass::Four,
        ThreatClass::DoubleThree,
        ThreatClass::OpenThree,
    ];

    /// The class of a cell by the patterns of its four lines, three bits each.
    pub(super) fn of_patterns(patterns: usize) -> ThreatClass {
        let patterns = [0, 3, 6, 9].map(|shift| LinePattern::ALL[patterns >> shift & 7]);
        let count =
            |wanted: LinePattern| patterns.iter().filter(|&&pattern| pattern == wanted).count();
        let fours = count(LinePattern::Four);
        let open_threes = count(LinePattern::OpenThree);
        match () {
            () if count(LinePattern::Five) > 0 => ThreatClass::Five,
            () if count(LinePattern::OpenFour) > 0 || fours > 1 => ThreatClass::OpenFour,
            () if fours > 0 && open_threes > 0 => ThreatClass::FourThree,
            () if fours > 0 => ThreatClass::Four,
            () if open_threes > 1 => ThreatClass::DoubleThree,
            () if open_threes > 0 => ThreatClass::OpenThree,
            () => ThreatClass::Quiet,
        }
    }
}

/// Classifies windows of a line, each once.
struct LinePatternClassifier {
    line: LineRule,
    radius: u32,
    /// By own cells, then blocked cells, the center included. 255 is not classified yet.
    memo: Vec<u8>,
}

impl LinePatternClassifier {
    fn new(line: LineRule, radius: u32) -> LinePatternClassifier {
        let memo = vec![u8::MAX; 1 << (2 * (2 * radius + 1))];
        LinePatternClassifier { line, radius, memo }
    }

    /// The pattern of a window by its own cells, the center among them, and its blocked cells.
    fn classify(&mut self, own: u32, blocked: u32) -> LinePattern {
        let width = 2 * self.radius + 1;
        let index = (own | blocked << width) as usize;
        if let Some(&pattern) = LinePattern::ALL.get(usize::from(self.memo[index])) {
            return pattern;
        }
        let pattern = self.classify_by_growth(own, blocked, width);
        self.memo[index] = pattern as u8;
        pattern
    }

    /// The pattern of a window by those that one more stone makes of it.
    fn classify_by_growth(&mut self, own: u32, blocked: u32, width: u32) -> LinePattern {
        let window = Windows(u64::from(own) << (CENTER - self.radius) & (LANE_LOW_BITS * 0x1fff));
        if self.line.wins(window) {
            return LinePattern::Five;
        }
        let free = (0..width).map(|bit| 1 << bit).filter(|bit| (own | blocked) & bit == 0);
        let grown: Vec<LinePattern> = free.map(|bit| self.classify(own | bit, blocked)).collect();
        let best = grown.iter().copied().max().unwrap_or(LinePattern::Weak);
        match best {
            LinePattern::Five
                if grown.iter().filter(|&&pattern| pattern == LinePattern::Five).count() > 1 =>
            {
                LinePattern::OpenFour
            }
            LinePattern::Five => LinePattern::Four,
            LinePattern::OpenFour => LinePattern::OpenThree,
            LinePattern::Four => LinePattern::Three,
            LinePattern::OpenThree => LinePattern::OpenTwo,
            LinePattern::Three => LinePattern::Two,
            LinePattern::OpenTwo | LinePattern::Two | LinePattern::Weak => LinePattern::Weak,
        }
    }

    /// Whether a pattern below a four has many completions: of the windows of the winning length through the center
    /// that can still be filled, several hold the greatest number of own stones. Two adjacent stones have many
    /// completions, two stones with three cells between them do not.
    fn has_many_completions(&mut self, own: u32, blocked: u32) -> bool {
        let many = match self.classify(own, blocked) {
            LinePattern::Weak | LinePattern::OpenTwo => 3,
            LinePattern::Two | LinePattern::Three | LinePattern::OpenThree => 2,
            LinePattern::Four | LinePattern::OpenFour | LinePattern::Five => return false,
        };
        let length = u32::from(self.line.length()).min(self.radius + 1);
        let window = (1 << length) - 1;
        let windows = (self.radius + 1 - length..=self.radius).map(|first| window << first);
        let stones = windows.filter(|window| blocked & window == 0);
        let stones: Vec<u32> = stones.map(|window| (own & window).count_ones()).collect();
        let most = stones.iter().max();
        stones.iter().filter(|&count| Some(count) == most).count() >= many
    }
}

/// The entries of all windows of a line. An entry says what a stone on the center of a window would do:
///
/// - bits 0 to 2: the [`LinePattern`]
/// - bits 3 to 5: the number of stones captured on the line
/// - bit 6: whether the stone attacks a group; in games without captures, whether the pattern has many completions
/// - bit 7: whether the stone exposes a group of its own
#[derive(Debug)]
pub(super) struct PatternTable {
    /// By own cells, then blocked cells, without the center. A power stone is both.
    single: Vec<u8>,
    /// Of two colors that block each other, by what blocks the second, then by what blocks the first: one look-up
    /// instead of two.
    pair: Vec<[u8; 2]>,
}

impl PatternTable {
    /// Builds the table for windows of `radius` cells to either side, 4 or 5, with or without power stones.
    pub(super) fn new(
        line: LineRule,
        capture: Option<CaptureRule>,
        radius: u32,
        has_power: bool,
    ) -> PatternTable {
        let side = 1u32 << (2 * radius);
        let index = |own: u32, blocked: u32| (own | blocked << (2 * radius)) as usize;
        let mut single = vec![0; (side * side) as usize];
        let mut classifier = LinePatternClassifier::new(line, radius);
        for blocked in 0..side {
            for own in (0..side).filter(|own| has_power || own & blocked == 0) {
                let (own_cells, blocked_cells) = (widen(own, radius), widen(blocked, radius));
                let with_stone = own_cells | 1 << radius;
                let pattern = classifier.classify(with_stone, blocked_cells & !own_cells);
                let (captured, flags) = match capture {
                    Some(capture) => (
                        captured_stones(capture, radius, own_cells, blocked_cells),
                        capture_flags(capture, radius, own_cells, blocked_cells),
                    ),
                    None => {
                        (0, u8::from(classifier.has_many_completions(with_stone, blocked_cells)))
                    }
                };
                single[index(own, blocked)] = pattern as u8 | captured << 3 | flags << 6;
            }
        }
        // What is in both is a wall.
        let entry = |stones: u32, others: u32| single[index(stones & !others, others)];
        let pair = (0..side * side).map(|index| {
            let (first, second) = (index & (side - 1), index >> (2 * radius));
            [entry(first, second), entry(second, first)]
        });
        PatternTable { pair: pair.collect(), single }
    }

    /// The entry for the own and the blocked cells of a window of `R` cells to either side, center included.
    #[inline]
    fn single<const R: u32>(&self, own: u64, blocked: u64) -> u8 {
        let index = without_center::<R>(own) | without_center::<R>(blocked) << (2 * R);
        // The length tells the compiler that no index is out of bounds.
        self.single[..1 << (4 * R)][index as usize]
    }

    /// The entries of two colors for the stones of each, with the walls, in a window of `R` cells to either side.
    #[inline]
    fn pair<const R: u32>(&self, stones: [u64; 2]) -> [u8; 2] {
        let index = without_center::<R>(stones[0]) | without_center::<R>(stones[1]) << (2 * R);
        self.pair[..1 << (4 * R)][index as usize]
    }
}

/// The stones on a line, as [`PatternTable`] looks them up. `HAS_POWER` says that there may be power stones on it;
/// without them two colors are looked up at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOccupancy<const N: usize, const HAS_POWER: bool> {
    /// The stones of each color, with the walls if two colors are looked up at once.
    stones: [u64; N],
    /// The walls and the stones that block all colors.
    wall: u64,
    /// The power stones, which count as every color's own.
    power: u64,
}

impl<const N: usize, const HAS_POWER: bool> LineOccupancy<N, HAS_POWER> {
    /// Whether two colors are looked up at once.
    const IS_PAIR: bool = N == 2 && !HAS_POWER;

    #[inline]
    pub(super) fn new(stones: [u64; N], wall: u64, power: u64) -> LineOccupancy<N, HAS_POWER> {
        let with_walls = |line| if Self::IS_PAIR { line | wall } else { line };
        LineOccupancy { stones: stones.map(with_walls), wall, power }
    }

    /// The entries of all colors for the center of the window that begins at a bit.
    #[inline]
    pub(super) fn entries<const R: u32>(&self, table: &PatternTable, start: u32) -> [u8; N] {
        let stones = self.stones.map(|line| line >> start);
        if let [first, second] = stones[..]
            && Self::IS_PAIR
        {
            let pair = table.pair::<R>([first, second]);
            return std::array::from_fn(|color| pair[color & 1]);
        }
        let all = stones.iter().fold(self.wall >> start, |bits, line| bits | line);
        stones.map(|own| {
            // No cell holds two stones, so that the others' stones are all but the own ones. A power stone counts
            // as an own stone and can be captured like an enemy's (rule S1).
            let power = self.power >> start;
            table.single::<R>(own | power, all & !own | power)
        })
    }
}

/// Removes the center from a window of `R` cells to either side.
#[inline]
fn without_center<const R: u32>(window: u64) -> u64 {
    let low = (1 << R) - 1;
    (window & low) | (window >> 1 & low << R)
}

/// Inserts an empty center into a window without one.
fn widen(window: u32, radius: u32) -> u32 {
    let low = (1 << radius) - 1;
    (window & low) | (window & !low) << 1
}

/// The number of stones that a stone on the center captures on a line, by the capture rule. Blocked cells between the
/// center and an own stone can only be enemies.
fn captured_stones(capture: CaptureRule, radius: u32, own: u32, blocked: u32) -> u8 {
    let lane = |window: u32| Windows(u64::from(window) << (CENTER - radius));
    capture.captured(lane(own), lane(blocked)).stones() as u8
}

/// The flags of [`CaptureRule::attacks_and_exposes`] as bits. The edge counts as an enemy.
fn capture_flags(capture: CaptureRule, radius: u32, own: u32, blocked: u32) -> u8 {
    let lane = |window: u32| (window << (CENTER - radius)) as u16;
    let [attacks, exposes] = capture.attacks_and_exposes(lane(own), lane(blocked));
    u8::from(attacks) | u8::from(exposes) << 1
}

#[cfg(test)]
mod tests {
    use super::super::cell_pattern::CellPattern;
    use super::super::tables::StoneTables;
    use super::*;

    /// The entry of a window such as `..xx*.op.`: own, enemy and power stones, and the cell in question.
    fn entry(spec: &str, picture: &str) -> u8 {
        let tables = StoneTables::new(&spec.parse().unwrap());
        let bits = |wanted: u8| -> u64 {
            picture.bytes().enumerate().filter(|(_, b)| *b == wanted).map(|(i, _)| 1 << i).sum()
        };
        let (own, blocked) = (bits(b'x') | bits(b'p'), bits(b'o') | bits(b'p'));
        match tables.radius() {
            4 => tables.patterns.single::<4>(own, blocked),
            _ => tables.patterns.single::<5>(own, blocked),
        }
    }

    /// The pattern, and the number of captured stones.
    fn pattern(spec: &str, picture: &str) -> (LinePattern, u32) {
        let entry = entry(spec, picture);
        (
            LinePattern::ALL[usize::from(entry & 7)],
            CellPattern::default().with(2, entry).captured_stones(),
        )
    }

    /// Whether a stone on the cell attacks a group, and whether it exposes one.
    fn capture_flags(spec: &str, picture: &str) -> (bool, bool) {
        let pattern = CellPattern::default().with(3, entry(spec, picture));
        assert_eq!(pattern.capture_lines() & !0x88, 0, "another line");
        let tables = StoneTables::new(&spec.parse().unwrap());
        let [attacks, exposes] = tables.capture_line_counts(pattern);
        (attacks != 0, exposes != 0)
    }

    #[test]
    fn patterns_of_pente() {
        for (picture, expected) in [
            ("xxxx*....", LinePattern::Five),
            ("..xx*xx..", LinePattern::Five),
            ("..xx*x...", LinePattern::OpenFour),
            (".oxx*x...", LinePattern::Four),
            (".oxx*xo..", LinePattern::Weak),
            ("x.xx*.x..", LinePattern::OpenFour),
            ("..x.*x...", LinePattern::OpenThree),
            (".ox.*x...", LinePattern::Three),
            ("....*x...", LinePattern::OpenTwo),
            ("oooo*x...", LinePattern::Two),
            ("oooo*....", LinePattern::Weak),
        ] {
            assert_eq!(pattern("pente", picture).0, expected, "{picture}");
        }
    }

    #[test]
    fn exact_fives_need_room_for_the_neighbor() {
        assert_eq!(pattern("gomoku-standard", ".xxxx*.....").0, LinePattern::Five);
        assert_eq!(pattern("gomoku-standard", "x.x.x*.....").0, LinePattern::Three);
        assert_eq!(pattern("gomoku-standard", "..x.x*x.x..").0, LinePattern::OpenFour);
        assert_eq!(pattern("gomoku-standard", "x.x.x*.....").0, LinePattern::Three);
    }

    #[test]
    fn patterns_in_many_windows_have_many_completions() {
        let has_many_completions = |spec, picture| entry(spec, picture) & 1 << 6 != 0;
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
            assert_eq!(has_many_completions("gomoku", picture), expected, "{picture}");
        }
    }

    #[test]
    fn captures_are_counted() {
        assert_eq!(pattern("pente", "....*oox.").1, 2);
        assert_eq!(pattern("pente", ".xoo*oox.").1, 4);
        assert_eq!(pattern("pente", "....*ooox").1, 0);
        assert_eq!(pattern("keryo-pente", "....*ooox").1, 3);
        assert_eq!(pattern("keryo-pente", "xooo*oox.").1, 5);
        assert_eq!(pattern("gomoku", "....*oox.").1, 0);
    }

    #[test]
    fn a_power_stone_is_ones_own_and_can_be_captured() {
        for (picture, expected) in [
            ("..xp*xx..", (LinePattern::Five, 0)),
            ("..xp*x...", (LinePattern::OpenFour, 0)),
            ("....*opx.", (LinePattern::Weak, 2)),
            ("....*oop.", (LinePattern::Weak, 2)),
            (".xpo*opx.", (LinePattern::Weak, 4)),
            ("....*ppp.", (LinePattern::OpenFour, 2)),
        ] {
            assert_eq!(pattern("pente-plus", picture), expected, "{picture}");
        }
        assert_eq!(capture_flags("pente-plus", "....*po.."), (true, true));
        assert_eq!(capture_flags("pente-plus", "....*xp.."), (false, true));
        assert_eq!(capture_flags("pente-plus", "...p*x..."), (false, true));
    }

    /// Compares the entries of pairs with single ones, for every window of two colors and walls.
    fn compare_pairs_with_single_entries<const R: u32>(spec: &str) {
        let tables = StoneTables::new(&spec.parse().unwrap());
        assert_eq!(tables.radius(), R);
        let table = &tables.patterns;
        let cells = 1 << (2 * R);
        for (first, second) in (0..cells).flat_map(|a| (0..cells).map(move |b| (a, b))) {
            let [first, second] = [first, second].map(|window| u64::from(widen(window, R)));
            let expected = [(first, second), (second, first)]
                .map(|(own, blocked)| table.single::<R>(own & !blocked, blocked));
            assert_eq!(table.pair::<R>([first, second]), expected, "{spec} {first:b} {second:b}");
        }
    }

    #[test]
    fn two_colors_get_the_entries_of_each() {
        compare_pairs_with_single_entries::<4>("keryo-pente");
        compare_pairs_with_single_entries::<5>("gomoku-standard");
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
            assert_eq!(capture_flags("pente", picture), expected, "{picture}");
        }
        assert_eq!(capture_flags("keryo-pente", "....*ooo."), (true, false));
        assert_eq!(capture_flags("keryo-pente", "...o*xx.."), (false, true));
        assert_eq!(capture_flags("gomoku", "....*oo.."), (false, false));
    }
}
