//! What a stone makes of the lines through it: winning runs, captures, fours, threes and their ends.
//!
//! The functions work on bits alone: on the four [`Windows`] around a cell at once, on one of them
//! ([`LineWindow`]), or on whole lines of a board. Rules, forbidden points, evaluation and threat search
//! all ask this module.

use crate::board::{CENTER, LANE_LOW_BITS, SquareBoard, Windows};
use crate::game::{Cell, Color};
use std::iter;

/// The winning run: its length and whether a longer one wins too.
///
/// Five or more wins in Pente (S1, S3, PO: six is a five too) and in free Gomoku; exactly five in
/// standard Gomoku, where a longer run neither wins nor loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRule {
    length: u8,
    exact: bool,
    caro: bool,
}

impl LineRule {
    /// The shortest and the longest winning run that can be asked for.
    pub const LENGTHS: std::ops::RangeInclusive<u8> = 3..=6;

    /// A run of `length` or more, or with `exact` of that length only. The length must lie in
    /// [`LineRule::LENGTHS`].
    pub(crate) const fn new(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: false }
    }

    /// The rule of Caro: a run of exactly `length` with an enemy stone at either end does not win;
    /// the edge is no stone (Gomocup rules 8 and 9).
    pub(crate) const fn caro(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: true }
    }

    /// The number of stones in a row.
    pub const fn length(self) -> u8 {
        self.length
    }

    /// Whether longer runs do not win.
    pub const fn exact(self) -> bool {
        self.exact
    }

    /// Whether enemy stones at both ends spoil a run.
    pub const fn is_caro(self) -> bool {
        self.caro
    }

    /// The same rule, with or without longer runs.
    pub const fn with_exact(self, exact: bool) -> LineRule {
        LineRule { exact, ..self }
    }

    /// The same rule for another length.
    pub(crate) const fn with_length(self, length: u8) -> LineRule {
        LineRule { length, ..self }
    }

    /// How far from a cell another can lie that matters to a winning run through it.
    pub const fn reach(self) -> u32 {
        self.length as u32 - 1 + self.exact as u32
    }

    /// Whether a winning run goes through the center of any of the four windows, given the
    /// windows of one color's stones.
    ///
    /// All four lanes are tested at once: after the `length - 1` shifted conjunctions a set bit
    /// marks the lower end of a run. No bit of a neighboring lane reaches the bits looked at,
    /// because a window fills 13 of the 16 bits of its lane.
    #[inline]
    pub fn wins(self, own: Windows) -> bool {
        let w = own.0;
        let mut runs = w & (w >> 1);
        if self.length == 5 {
            runs &= runs >> 2;
            runs &= w >> 4;
        } else {
            for shift in 2..self.length {
                runs &= w >> shift;
            }
        }
        if self.exact {
            runs &= !(w << 1) & !(w >> self.length);
        }
        runs & self.ends() != 0
    }

    /// [`LineRule::wins`] where the enemy's stones may matter.
    pub fn wins_against(self, own: Windows, enemy: Windows) -> bool {
        if !self.caro {
            return self.wins(own);
        }
        let plain = LineRule { caro: false, ..self };
        if !self.exact && plain.with_length(self.length + 1).wins(own) {
            return true;
        }
        // A run of the exact length wins unless both its ends are the enemy's.
        let (w, e) = (own.0, enemy.0);
        let runs = (1..self.length).fold(w, |runs, shift| runs & w >> shift);
        let exact = runs & !(w << 1) & !(w >> self.length);
        exact & self.ends() & !((e << 1) & (e >> self.length)) != 0
    }

    /// The lower ends of the runs that include the center, in every lane.
    #[inline]
    const fn ends(self) -> u64 {
        let lowest = CENTER - (self.length as u32 - 1);
        (((1 << self.length) - 1) << lowest) * LANE_LOW_BITS
    }
}

/// Which groups are captured, and how many stones win.
///
/// The placed stone and another own stone must enclose exactly two (with `longer` also exactly
/// that many) enemy stones in a straight line (S1, S3, PO; Keryo: S3, PO). All such groups are taken
/// at once; moving in between two enemies is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaptureRule {
    /// The length of the groups that are captured besides pairs.
    pub longer: Option<u8>,
    /// The number of captured stones that wins, if captures can win.
    pub goal: Option<u16>,
    /// Whether the mover chooses for each group if it adds to their own count or takes from the
    /// opponent's (S3, PBM).
    pub signs: bool,
    /// Whether a run of exactly two through the placed stone (with `longer` also of that
    /// length) between two enemy stones is lost to the opponent (S3, PO, AP: together with the captures).
    pub poof: bool,
}

/// The groups that a stone at the center of the windows captures. Each field has the lowest bit
/// of a lane set for a group in that direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CapturedGroups {
    /// Pairs above the center, along the steps of the directions.
    pub pairs_up: u64,
    /// Pairs below the center.
    pub pairs_down: u64,
    /// Longer groups above the center.
    pub longer_up: u64,
    /// Longer groups below the center.
    pub longer_down: u64,
    /// The length of the longer groups.
    pub longest: u8,
}

impl CapturedGroups {
    /// Whether nothing is captured.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.pairs_up | self.pairs_down | self.longer_up | self.longer_down == 0
    }

    /// Each group: its direction, whether it lies along the step of the direction (1) or against it
    /// (-1), and its length.
    #[inline]
    pub fn groups(self) -> impl Iterator<Item = (usize, i16, i16)> {
        // Searches ask this often: four bits of each kind are gathered in a word.
        let kinds = [self.pairs_up, self.pairs_down, self.longer_up, self.longer_down];
        let mut left = kinds.into_iter().rev().fold(0, |all, lanes| all << 4 | lowest_bits(lanes));
        let longest = i16::from(self.longest);
        iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            let (kind, direction) = (bit / 4, bit % 4);
            let length = if kind < 2 { 2 } else { longest };
            Some((direction as usize, 1 - 2 * (kind as i16 & 1), length))
        })
    }

    /// The stones of the groups around `cell`, group after group, given the difference of cell numbers
    /// for a step along each direction.
    #[inline]
    pub fn cells(self, cell: Cell, steps: [i16; 4]) -> impl Iterator<Item = Cell> {
        self.groups().flat_map(move |(direction, sign, length)| {
            let step = sign * steps[direction & 3];
            (1..=length).map(move |distance| Cell((cell.0 as i16 + step * distance) as u16))
        })
    }

    /// The number of stones in the groups.
    pub fn stones(self) -> u32 {
        // The product has the sum of the lanes in its highest one.
        let groups = |up: u64, down: u64| ((up + down).wrapping_mul(LANE_LOW_BITS) >> 48) as u32;
        2 * groups(self.pairs_up, self.pairs_down)
            + u32::from(self.longest) * groups(self.longer_up, self.longer_down)
    }
}

/// The lowest bits of four lanes side by side. Each is multiplied to a place of its own above all others.
#[inline]
fn lowest_bits(lanes: u64) -> u64 {
    const PLACES: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
    (lanes & LANE_LOW_BITS).wrapping_mul(PLACES) >> 48 & 15
}

impl CaptureRule {
    /// The lengths of the groups that are captured.
    pub fn lengths(self) -> impl Iterator<Item = u8> + Clone {
        iter::once(2).chain(self.longer)
    }

    /// The length of the longest groups that are captured.
    pub fn longest_group(self) -> u8 {
        self.longer.unwrap_or(2)
    }

    /// The most stones that one stone can lose by poofs: itself, and on each of its four lines the rest of a
    /// row as long as the longest that is captured.
    pub fn max_poofed(self) -> u8 {
        4 * (self.longest_group() - 1) + 1
    }

    /// The groups captured by a stone at the center, given the windows of the mover's stones and
    /// of the stones that can be captured.
    #[inline]
    pub fn captured(self, own: Windows, enemy: Windows) -> CapturedGroups {
        let (o, e) = (own.0, enemy.0);
        let up = |distance: u32, bits: u64| bits >> (CENTER + distance);
        let down = |distance: u32, bits: u64| bits >> (CENTER - distance);
        let two_up = up(1, e) & up(2, e) & LANE_LOW_BITS;
        let two_down = down(1, e) & down(2, e) & LANE_LOW_BITS;
        let mut captured = CapturedGroups {
            pairs_up: two_up & up(3, o),
            pairs_down: two_down & down(3, o),
            longer_up: 0,
            longer_down: 0,
            longest: self.longest_group(),
        };
        if let Some(length) = self.longer.map(u32::from) {
            let rest = 3..=length;
            captured.longer_up = rest.clone().fold(two_up, |group, n| group & up(n, e));
            captured.longer_up &= up(length + 1, o);
            captured.longer_down = rest.fold(two_down, |group, n| group & down(n, e));
            captured.longer_down &= down(length + 1, o);
        }
        captured
    }

    /// [`CaptureRule::captured`] where some stones may serve as the mover's own or be captured: the longer group,
    /// if two lengths would do (S1).
    pub fn captured_of_shared(self, own: Windows, enemy: Windows) -> CapturedGroups {
        let mut captured = self.captured(own, enemy);
        captured.pairs_up &= !captured.longer_up;
        captured.pairs_down &= !captured.longer_down;
        captured
    }
}

/// The number of stones in a winning row, and one less.
const FIVE: u32 = 5;
const FOUR: u32 = 4;

/// The bits of a window.
const WINDOW: u16 = (1 << (2 * CENTER + 1)) - 1;

/// The window of a line around a stone of a color, which counts as placed. Bit [`CENTER`] is the
/// stone itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineWindow {
    own: u16,
    empty: u16,
}

impl LineWindow {
    /// The four lines through a stone of a color on `cell`, where stones of that color stand on
    /// `placed` too and those on `lifted` are gone.
    pub(crate) fn through(
        board: &SquareBoard,
        color: Color,
        cell: Cell,
        placed: &[Cell],
        lifted: &[Cell],
    ) -> [LineWindow; 4] {
        let seen = |other: &Cell| board.map().window_bit(cell, *other);
        let mask = |cells: &[Cell]| cells.iter().map(seen).fold(0, |all, bits| all | bits);
        let gone = mask(lifted);
        let own = board.windows(color, cell).0 & !gone | mask(placed) | LANE_LOW_BITS << CENTER;
        let enemy = board.windows(color.opponent(), cell).0 & !gone;
        let taken = own | enemy | board.map().walls(cell).0;
        let lane = |windows: u64, direction: usize| (windows >> (16 * direction)) as u16;
        std::array::from_fn(|direction| LineWindow {
            own: lane(own, direction),
            empty: !lane(taken, direction) & WINDOW,
        })
    }

    /// The empty cells as bits.
    pub(crate) fn empty(self) -> u16 {
        self.empty
    }

    /// The same line if all that blocks it were gone: what it can make at best.
    pub(crate) fn unblocked(self) -> LineWindow {
        LineWindow { empty: !self.own, ..self }
    }

    /// The length of the row that the stone is in.
    pub(crate) fn row(self) -> u32 {
        let [below, above] = self.reach();
        below + 1 + above
    }

    /// How many stones of the row lie to either side of the stone.
    fn reach(self) -> [u32; 2] {
        let above = (self.own >> (CENTER + 1)).trailing_ones();
        let below = (self.own << (u16::BITS - CENTER)).leading_ones();
        [below, above]
    }

    /// The row that the stone is in, as bits.
    pub(crate) fn bits(self) -> u16 {
        let [below, above] = self.reach();
        row(below + 1 + above, CENTER - below)
    }

    /// The same, if it is of exactly five.
    pub(crate) fn five(self) -> Option<u16> {
        Some(self.bits()).filter(|row| row.count_ones() == FIVE)
    }

    /// Whether the rest of the row of five that the stone is in makes five with a point at its other end
    /// too.
    pub(crate) fn has_twin(self) -> bool {
        let (point, beyond) = match self.reach() {
            [0, FOUR] => (1 << (CENTER + FIVE), 1 << (CENTER + FIVE + 1)),
            [FOUR, 0] => (1 << (CENTER - FIVE), 1 << (CENTER - FIVE - 1)),
            _ => return false,
        };
        self.empty & point != 0 && self.own & beyond == 0
    }

    /// The number of fours that the stone is in: two points that complete the same four stones count
    /// once.
    pub(crate) fn fours(self) -> u32 {
        let completes = |low: &u32| {
            let missing = row(FIVE, *low) & !self.own;
            let beside = ends(FIVE, *low);
            missing.is_power_of_two() && missing & self.empty != 0 && self.own & beside == 0
        };
        let points = rows(FIVE).filter(completes).count() as u32;
        // Only four in a row can be completed at both ends.
        if self.row() == FOUR { points.min(1) } else { points }
    }

    /// The points, as bits of the window, at which one more stone makes four in a row with the stone
    /// that exactly five can be made of at both ends.
    pub(crate) fn open_four_points(self) -> u16 {
        let point = |low: u32| {
            let missing = row(FOUR, low) & !self.own;
            let needed = missing | ends(FOUR, low);
            let open = needed & !self.empty == 0 && self.own & ends(FOUR + 2, low - 1) == 0;
            (missing.is_power_of_two() && open).then_some(missing)
        };
        rows(FOUR).filter_map(point).fold(0, |points, point| points | point)
    }
}

/// The lowest bits of the rows of a length that the stone can be in.
pub(crate) fn rows(length: u32) -> impl Iterator<Item = u32> {
    CENTER + 1 - length..=CENTER
}

/// A row of a length.
pub(crate) const fn row(length: u32, low: u32) -> u16 {
    ((1 << length) - 1) << low
}

/// The two cells beside a row.
pub(crate) const fn ends(length: u32, low: u32) -> u16 {
    1 << (low - 1) | 1 << (low + length)
}

/// A row of stones with none of its own at either end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The number of its line.
    line: u8,
    /// The line's bits of its stones.
    stones: u64,
}

impl Row {
    /// How many stones it has.
    pub(crate) fn length(self) -> u32 {
        self.stones.count_ones()
    }

    /// Where its stones lie.
    pub(crate) fn cells(self, board: &SquareBoard) -> impl Iterator<Item = Cell> + use<> {
        board.map().cells(self.line, self.stones)
    }
}

/// Every row of at least `length` stones, two or more, of a color, power stones counted as its own:
/// one look at each line. Mostly there is none.
pub(crate) fn rows_of(
    board: &SquareBoard,
    color: Color,
    length: u8,
) -> impl Iterator<Item = Row> + '_ {
    (0..board.map().lines() as u8).flat_map(move |line| {
        let own = board.line(color, line) | board.line(Color::POWER, line);
        let mut starts = runs(own, length.into()) & !(own << 1);
        std::iter::from_fn(move || {
            let start = (starts != 0).then(|| starts.trailing_zeros())?;
            starts &= starts - 1;
            let stones = (1 << (own >> start).trailing_ones()) - 1;
            Some(Row { line, stones: stones << start })
        })
    })
}

/// Whether there is such a row: all lines are looked at in one sweep.
pub(crate) fn has_row(board: &SquareBoard, color: Color, length: u8) -> bool {
    let lines = board.all_lines(color).iter().zip(board.all_lines(Color::POWER));
    let mut lines = lines.map(|(own, power)| own | power);
    match length {
        // With a number that the compiler knows the sweep looks at several lines at once.
        5 => lines.fold(0, |any, own| any | (1..5).fold(own, |row, n| row & own >> n)) != 0,
        _ => lines.any(|own| runs(own, length.into()) != 0),
    }
}

/// The bits at which that many bits in a row begin.
#[inline]
pub(crate) fn runs(bits: u64, length: u32) -> u64 {
    let (mut runs, mut known) = (bits, 1);
    while known < length && runs != 0 {
        let more = known.min(length - known);
        runs &= runs >> more;
        known += more;
    }
    runs
}

/// Crowded boards, and lines walked cell by cell, for tests.
#[cfg(test)]
pub(crate) mod walks {
    use crate::board::{CellContent, Grid, LineMap, SquareBoard};
    use crate::game::{Cell, Color};
    use fastrand::Rng;
    use std::sync::Arc;

    /// A board of many threes and fours: of twenty cells five hold a stone of the first color, and of those
    /// below `second` the others one of the second.
    pub(crate) fn crowded_board(rng: &mut Rng, size: u8, second: u8) -> SquareBoard {
        let grid = Grid::new(size, size).unwrap();
        let mut board = SquareBoard::new(Arc::new(LineMap::new(grid)), 2);
        for cell in grid.iter() {
            let drawn = rng.u8(..20);
            if drawn < 5 {
                board.place(Color(0), cell);
            } else if drawn < second {
                board.place(Color(1), cell);
            }
        }
        board
    }

    /// One step along each axis.
    pub(crate) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

    /// The cell that many steps along an axis.
    pub(crate) fn step(board: &SquareBoard, cell: Cell, axis: (i32, i32), n: i32) -> Option<Cell> {
        let grid = board.grid();
        grid.get(i32::from(grid.column(cell)) + axis.0 * n, i32::from(grid.row(cell)) + axis.1 * n)
    }

    /// How many stones of a color follow each other from a cell on, itself not counted.
    pub(crate) fn reach(board: &SquareBoard, color: Color, cell: Cell, axis: (i32, i32)) -> i32 {
        let own = CellContent::stone(color);
        let next = |n: &i32| step(board, cell, axis, *n).is_some_and(|c| board.content(c) == own);
        (1..i32::from(Grid::MAX)).take_while(next).count() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(rule: LineRule, row: &str, direction: usize) -> bool {
        let bits = row.bytes().enumerate().filter(|(_, b)| *b == b'x');
        let lane: u64 = bits.map(|(i, _)| 1 << i).sum();
        rule.wins(Windows(lane << (16 * direction)))
    }

    #[test]
    fn runs_count_only_through_the_center() {
        let five = LineRule::new(5, false);
        let exact = LineRule::new(5, true);
        for direction in 0..4 {
            assert!(wins(five, "..xxxxx......", direction));
            assert!(wins(five, "......xxxxx..", direction));
            assert!(!wins(five, ".xxxxx.......", direction));
            assert!(!wins(five, "...xxx.xx....", direction));
            assert!(wins(five, "xxxxxxxxxxxxx", direction));
            assert!(wins(exact, "..xxxxx......", direction));
            assert!(!wins(exact, ".xxxxxx......", direction));
            assert!(!wins(exact, "......xxxxxx.", direction));
            assert!(wins(exact, "......xxxxx.x", direction));
        }
    }

    #[test]
    fn other_lengths() {
        for length in LineRule::LENGTHS {
            let rule = LineRule::new(length, false);
            let lowest = 7 - usize::from(length);
            for start in lowest..=6 {
                let row = format!("{}{}", ".".repeat(start), "x".repeat(length.into()));
                assert!(wins(rule, &row, 1), "{row}");
                assert!(!wins(rule, &row[..row.len() - 1], 1), "{row} less one");
            }
        }
    }

    /// A line around its stone, the letter `X`.
    fn axis(text: &str) -> LineWindow {
        let start = CENTER as usize - text.find('X').unwrap();
        let bits = |what: &[u8]| {
            let there = text.bytes().enumerate().filter(|(_, byte)| what.contains(byte));
            there.fold(0, |bits, (place, _)| bits | 1 << (start + place))
        };
        LineWindow { own: bits(b"xX"), empty: bits(b".!") }
    }

    #[test]
    fn rows_are_counted_to_the_window_s_ends() {
        for (text, length) in [("X", 1), (".xX.", 2), ("x.Xxx", 3), ("xxxxxxXxxxxxx", 13)] {
            assert_eq!(axis(text).row(), length, "{text}");
        }
    }

    #[test]
    fn fives_are_exact_and_may_have_a_twin() {
        for (text, five, twin) in [
            (".xxXxx.", Some("xxxxx"), false),
            (".xxXxxx", None, false),
            (".xXxx.", None, false),
            ("oXxxxx.", Some("xxxxx"), true),
            ("oXxxxx.x", Some("xxxxx"), false),
            ("oXxxxxo", Some("xxxxx"), false),
            (".xxxxX.", Some("xxxxx"), true),
            ("oxxxxX.", Some("xxxxx"), false),
            ("x.xxxxX.", Some("xxxxx"), false),
        ] {
            let start = CENTER as usize - text.find('X').unwrap();
            let at = |five: &str| {
                let place = text.to_lowercase().find(five).unwrap();
                ((1 << five.len()) - 1) << (start + place)
            };
            assert_eq!(axis(text).five(), five.map(at), "{text}");
            assert_eq!(axis(text).has_twin(), twin, "{text}");
        }
    }

    #[test]
    fn fours_on_one_line() {
        for (text, count) in [
            (".xxXx.", 1),
            ("oxxXx.", 1),
            ("oxxXxo", 0),
            ("xx.Xx", 1),
            ("xx.Xxx", 0),
            ("xxx.X.xxx", 2),
            ("x.xXx.x", 2),
            ("x.xXx.xx", 1),
            ("..xXx..", 0),
        ] {
            assert_eq!(axis(text).fours(), count, "{text}");
        }
    }

    #[test]
    fn points_of_open_fours_are_found() {
        // The points are marked.
        for text in [
            ".!xXx!.",
            "o.!xXx!.o",
            "o.xXx!.o",
            ".x!Xx.",
            ".Xx!x.",
            "..X..",
            "ox.Xx.",
            "x..xXx!.",
            ".!xXx..x",
            ".xXxx.",
            "x.xXx..",
            "o.xXx.o",
        ] {
            let points = LineWindow { own: 0, ..axis(&text.replace('.', "o")) }.empty;
            assert_eq!(axis(text).open_four_points(), points, "{text}");
        }
    }
}
