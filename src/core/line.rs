//! What a stone makes of the lines through it: winning runs, captures, fours, threes and their ends.
//!
//! The functions work on bits alone: on the four [`Windows`] around a cell at once, on one of them
//! (`LineWindow`), or on whole lines of a board (`BoardLine`). Rules, forbidden points, evaluation
//! and threat search use this module.

use crate::board::{CENTER, LANE_LOW_BITS, SquareBoard, Windows};
use crate::game::{Cell, Color};
use std::iter;

/// Which runs of stones win: their length, and what longer runs and blocked ends mean.
///
/// Five or more win in Pente (S1, S3, PO: six is a five too) and in free Gomoku; exactly five in
/// standard Gomoku, where a longer run neither wins nor loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRule {
    length: u8,
    exact: bool,
    caro: bool,
}

impl LineRule {
    /// The lengths of winning runs that a ruleset may have.
    pub const LENGTHS: std::ops::RangeInclusive<u8> = 3..=6;

    /// Runs of `length` or more win, or with `exact` runs of that length only. The length must lie in
    /// [`LineRule::LENGTHS`].
    pub(crate) const fn new(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: false }
    }

    /// The rule of Caro: a run of exactly `length` with an enemy stone at both ends does not win;
    /// the edge is no stone (Gomocup rules 8 and 9).
    pub(crate) const fn caro(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: true }
    }

    /// The groups of stones of a line that a stone on an empty `point` completes to a winning run: those
    /// of each window of the winning length in which only that point is missing. Lines are bits from
    /// their first point on; there are none if the stone does not win.
    pub fn completed_groups(self, own: u64, point: u64) -> impl Iterator<Item = u64> {
        let all = own | point;
        let place = point.trailing_zeros();
        let window = (u128::from(all) << CENTER >> place) as u64 & u64::from(WINDOW);
        let length = u32::from(self.length);
        let starts = self.wins(Windows(window)).then_some(place.saturating_sub(length - 1)..=place);
        let windows = starts.into_iter().flatten().map(move |start| ((1 << length) - 1) << start);
        windows.filter(move |window| window & !all == 0).map(move |window| window & !point)
    }

    /// The number of stones of a winning run.
    pub const fn length(self) -> u8 {
        self.length
    }

    /// Whether longer runs do not win.
    pub const fn exact(self) -> bool {
        self.exact
    }

    /// Whether a run with enemy stones at both ends does not win.
    pub const fn is_caro(self) -> bool {
        self.caro
    }

    /// The same rule, with or without longer runs.
    pub(crate) const fn with_exact(self, exact: bool) -> LineRule {
        LineRule { exact, ..self }
    }

    /// The same rule for another length.
    pub(crate) const fn with_length(self, length: u8) -> LineRule {
        LineRule { length, ..self }
    }

    /// The greatest distance of two cells such that one affects winning runs through the other.
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
        runs & self.lower_ends() != 0
    }

    /// [`LineRule::wins`] for rules in which enemy stones at the ends of a run may matter.
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
        exact & self.lower_ends() & !((e << 1) & (e >> self.length)) != 0
    }

    /// The lower ends of the runs that include the center, in every lane.
    #[inline]
    const fn lower_ends(self) -> u64 {
        let lowest = CENTER - (self.length as u32 - 1);
        (((1 << self.length) - 1) << lowest) * LANE_LOW_BITS
    }
}

/// Which groups of stones are captured, and how many captured stones win.
///
/// The placed stone and another own stone must enclose exactly two (with `longer` also exactly
/// that many) enemy stones in a straight line (S1, S3, PO; Keryo: S3, PO). All such groups are captured
/// at once. A stone placed between two enemies is not captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaptureRule {
    /// The length of the groups that are captured in addition to pairs.
    pub longer: Option<u8>,
    /// The number of captured stones that wins, if captures can win.
    pub goal: Option<u16>,
    /// Whether the mover chooses for each group if it adds to their own count or is subtracted from the
    /// opponent's (S3, PBM).
    pub signs: bool,
    /// Whether a run of exactly two through the placed stone (with `longer` also of that
    /// length) between two enemy stones is lost to the opponent (S3, PO, AP). Such losses and captures
    /// happen at the same time.
    pub poof: bool,
}

/// The groups that a stone at the center of the windows captures. Each set has the lowest bit
/// of a lane for a group in that direction.
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

    /// The groups as tuples of direction, sign (1 along the step of the direction, -1 against it) and
    /// length.
    #[inline]
    pub fn groups(self) -> impl Iterator<Item = (usize, i16, i16)> {
        // Searches call this often, so the four bits of each kind are gathered in one word.
        let kinds = [self.pairs_up, self.pairs_down, self.longer_up, self.longer_down];
        let mut left = kinds.into_iter().rev().fold(0, |all, lanes| all << 4 | gather_lanes(lanes));
        let longest = i16::from(self.longest);
        iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            let (kind, direction) = (bit / 4, bit % 4);
            let length = if kind < 2 { 2 } else { longest };
            Some((direction as usize, 1 - 2 * (kind as i16 & 1), length))
        })
    }

    /// The stones of the groups, group after group, for a capturing stone on `cell`. `steps` are the
    /// differences of cell numbers for a step along each direction.
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

    /// The groups without pairs in directions that have a longer group. Both occur if a power stone is among
    /// the own stones and among those that can be captured; the longer group is captured then (S1).
    pub(crate) fn prefer_longer(self) -> CapturedGroups {
        CapturedGroups {
            pairs_up: self.pairs_up & !self.longer_up,
            pairs_down: self.pairs_down & !self.longer_down,
            ..self
        }
    }

    /// The number of groups longer than pairs, and the number of pairs.
    pub(crate) fn group_counts(self) -> [u8; 2] {
        let count = |up: u64, down: u64| (up.count_ones() + down.count_ones()) as u8;
        [count(self.longer_up, self.longer_down), count(self.pairs_up, self.pairs_down)]
    }
}

/// The lowest bits of the four lanes as a number of four bits. The product moves each to a place of
/// its own above all others.
#[inline]
fn gather_lanes(lanes: u64) -> u64 {
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

    /// The greatest number of stones that one placed stone can lose by poofs: itself, and on each of its
    /// four lines the rest of a run as long as the longest captured group.
    pub fn max_poofed(self) -> u8 {
        4 * (self.longest_group() - 1) + 1
    }

    /// The groups captured by a stone at the center, given the windows of the stones that may serve as
    /// the mover's own and of those that can be captured.
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

    /// The empty points at which a stone would capture a group that includes the center, given the
    /// windows of the capturing color, of the stones that it can capture, the center included, and of
    /// all points that are not empty.
    pub(crate) fn capture_points(
        self,
        Windows(own): Windows,
        Windows(enemy): Windows,
        Windows(occupied): Windows,
    ) -> Windows {
        // All four lines at once, each in its lane of the windows.
        let mut points = 0;
        for length in self.lengths().map(u32::from) {
            let around = LANE_LOW_BITS * u64::from(run_bits(length, CENTER + 1 - length));
            let starts = run_starts(enemy, length) & around;
            points |= (starts & own >> length & !(occupied << 1)) >> 1;
            points |= (starts & own << 1 & !(occupied >> length)) << length;
        }
        Windows(points)
    }

    /// The stones around an own stone at the center that are lost with it, or without it, by poofs: own
    /// runs through the center of a length that is captured, between two enemy stones (S3, PO, AP). The
    /// edge bounds nothing. The center itself is in at most one of the windows.
    pub(crate) fn poofed(self, own: Windows, Windows(enemy): Windows) -> Windows {
        let lost =
            self.runs_of_captured_length(own).fold(0, |lost, RunLanes { length, low, lanes }| {
                let between = lanes & enemy >> (low - 1) & enemy >> (low + length);
                lost | (between * u64::from(run_bits(length, low)))
            });
        let center = lost & LANE_LOW_BITS << CENTER;
        Windows(lost & !center | center & center.wrapping_neg())
    }

    /// The empty points at which an enemy stone would make the own stone at the center one that
    /// [`CaptureRule::poofed`] loses.
    pub(crate) fn poof_points(
        self,
        own: Windows,
        Windows(enemy): Windows,
        Windows(empty): Windows,
    ) -> Windows {
        let runs = self.runs_of_captured_length(own);
        Windows(runs.fold(0, |points, RunLanes { length, low, lanes }| {
            let [below, above] = [low - 1, low + length];
            let [after, before] = [lanes & enemy >> below, lanes & enemy >> above];
            points | (after & empty >> above) << above | (before & empty >> below) << below
        }))
    }

    /// The runs through an own stone at the center that are as long as a captured group. Parts of
    /// longer runs are among them.
    fn runs_of_captured_length(self, Windows(own): Windows) -> impl Iterator<Item = RunLanes> {
        let own = own | LANE_LOW_BITS << CENTER;
        self.lengths().map(u32::from).flat_map(move |length| {
            let starts = run_starts(own, length);
            starts_through_center(length).map(move |low| RunLanes {
                length,
                low,
                lanes: starts >> low & LANE_LOW_BITS,
            })
        })
    }
}

/// Groups that may be captured later.
impl CaptureRule {
    /// The empty points at which a stone of the color of `group` would be one end of a group whose
    /// other end is the center, given the windows of the stones that can be captured and of all points
    /// that are not empty: a stone on the center then captures the group.
    pub fn flank_points(self, Windows(group): Windows, Windows(taken): Windows) -> Windows {
        let mut points = 0;
        for length in self.lengths() {
            for sign in [1, -1] {
                let place = |distance: u8| CENTER.wrapping_add_signed(sign * i32::from(distance));
                let end = place(length + 1);
                let whole = (1..=length).fold(LANE_LOW_BITS, |all, n| all & group >> place(n));
                points |= (whole & !taken >> end) << end;
            }
        }
        Windows(points)
    }

    /// The lanes in which a group of `length` stones with two empty ends begins next to an empty center,
    /// upwards, by their lowest bits, given the windows of the color and of all points that are not
    /// empty.
    #[inline]
    pub fn open_groups_above(
        self,
        Windows(own): Windows,
        Windows(taken): Windows,
        length: u8,
    ) -> u64 {
        let free = |distance: u32| !taken >> (CENTER + distance);
        let stone = |distance: u32| own >> (CENTER + distance);
        let start = !taken >> (CENTER - 1) & stone(1) & LANE_LOW_BITS;
        let length = u32::from(length);
        (2..length).fold(start, |group, n| group & stone(n)) & free(length)
    }

    /// The points at both ends of the own group through the center of one lane that are empty, if the
    /// group has a capturable length and neither end is closed. An end in `enemy` is not empty.
    #[inline]
    pub fn group_ends(self, own: u16, enemy: u16, closed: u16) -> u16 {
        let above = (own >> CENTER).trailing_ones();
        let below = (own << (u16::BITS - CENTER)).leading_ones();
        if !self.lengths().any(|length| u32::from(length) == above + below) {
            return 0;
        }
        let ends = 1 << (CENTER + above) | 1 << (CENTER - 1).saturating_sub(below);
        if closed & ends == 0 { ends & !enemy } else { 0 }
    }

    /// The distance from the center at which one more enemy stone would complete a group of `length`
    /// that a stone at the center captures, on one lane upwards (`sign` 1) or downwards (-1); `None`
    /// if not exactly one stone is missing or its point is not empty.
    pub fn missing_group_stone(
        self,
        own: u16,
        enemy: u16,
        closed: u16,
        length: u8,
        sign: i32,
    ) -> Option<i32> {
        let has = |lane: u16, distance: i32| lane >> (CENTER as i32 + sign * distance) & 1 != 0;
        let length = i32::from(length);
        let mut gaps = (1..=length).filter(|&distance| !has(enemy, distance));
        let (gap, None) = (gaps.next()?, gaps.next()) else { return None };
        (has(own, length + 1) && !has(own | closed, gap)).then_some(gap)
    }

    /// Whether a stone at the center of a lane attacks a group, which the next stone could capture, and
    /// whether it makes a group of its own that the enemy could capture next. `blocked` are the enemy
    /// stones and the edge.
    pub fn attacks_and_exposes(self, own: u16, blocked: u16) -> [bool; 2] {
        let lengths = self.lengths().map(i32::from);
        let at = |set: u16, place: i32| set >> (CENTER as i32 + place) & 1 != 0;
        let is_open = |place: i32| !at(own | blocked, place);
        let either_way = |test: &dyn Fn(i32, i32) -> bool| {
            lengths.clone().any(|length| test(length, 1) || test(length, -1))
        };
        let attacks = either_way(&|length, sign| {
            (1..=length).all(|place| at(blocked, sign * place)) && is_open(sign * (length + 1))
        });
        let exposes = either_way(&|length, sign| {
            (0..length).any(|first| {
                let mut group = -first..length - first;
                let own = group.all(|place| place == 0 || at(own, sign * place));
                own && at(blocked, sign * (-first - 1)) && is_open(sign * (length - first))
            })
        });
        [attacks, exposes]
    }
}

/// Runs of one length that begin at the same bit of their lanes.
#[derive(Clone, Copy, Debug)]
struct RunLanes {
    length: u32,
    /// The bit of a lane that the runs begin with.
    low: u32,
    /// The lanes that have such a run, by their lowest bits.
    lanes: u64,
}

/// The number of stones in a winning run of Renju and Ninuki-Renju, and one less.
const FIVE: u32 = 5;
const FOUR: u32 = 4;

/// The bits of a window.
const WINDOW: u16 = (1 << (2 * CENTER + 1)) - 1;

/// The window of a line around a stone, in games in which exactly five in a row win. Bit [`CENTER`] is
/// the stone itself, which counts as placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineWindow {
    own: u16,
    empty: u16,
}

impl LineWindow {
    /// The four lines through a stone of a color on `cell`, with more stones of that color on `added`
    /// and without the stones on `removed`.
    pub(crate) fn around(
        board: &SquareBoard,
        color: Color,
        cell: Cell,
        added: &[Cell],
        removed: &[Cell],
    ) -> [LineWindow; 4] {
        let seen = |other: &Cell| board.map().window_bit(cell, *other);
        let mask = |cells: &[Cell]| cells.iter().map(seen).fold(0, |all, bits| all | bits);
        let gone = mask(removed);
        let own = board.windows(color, cell).0 & !gone | mask(added) | LANE_LOW_BITS << CENTER;
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

    /// The same line with all cells empty that hold no own stone: an upper bound of what it can make.
    pub(crate) fn unblocked(self) -> LineWindow {
        LineWindow { empty: !self.own, ..self }
    }

    /// The length of the run that includes the stone.
    pub(crate) fn run_length(self) -> u32 {
        let [below, above] = self.run_arms();
        below + 1 + above
    }

    /// The numbers of stones of the run below and above the stone.
    fn run_arms(self) -> [u32; 2] {
        let above = (self.own >> (CENTER + 1)).trailing_ones();
        let below = (self.own << (u16::BITS - CENTER)).leading_ones();
        [below, above]
    }

    /// The run that includes the stone, as bits.
    pub(crate) fn run(self) -> u16 {
        let [below, above] = self.run_arms();
        run_bits(below + 1 + above, CENTER - below)
    }

    /// The run that includes the stone, if it has exactly five stones.
    pub(crate) fn five(self) -> Option<u16> {
        Some(self.run()).filter(|run| run.count_ones() == FIVE)
    }

    /// Whether the stone is at one end of a run of five, and the other four also make exactly five with the
    /// empty point at their other end.
    pub(crate) fn other_end_makes_five(self) -> bool {
        let (point, beyond) = match self.run_arms() {
            [0, FOUR] => (1 << (CENTER + FIVE), 1 << (CENTER + FIVE + 1)),
            [FOUR, 0] => (1 << (CENTER - FIVE), 1 << (CENTER - FIVE - 1)),
            _ => return false,
        };
        self.empty & point != 0 && self.own & beyond == 0
    }

    /// The number of fours that include the stone. Two points that complete the same four stones count
    /// once.
    pub(crate) fn fours(self) -> u32 {
        let completes = |low: &u32| {
            let missing = run_bits(FIVE, *low) & !self.own;
            missing.is_power_of_two()
                && missing & self.empty != 0
                && self.own & end_bits(FIVE, *low) == 0
        };
        let points = starts_through_center(FIVE).filter(completes).count() as u32;
        // Only four in a row can be completed at both ends.
        if self.run_length() == FOUR { points.min(1) } else { points }
    }

    /// The points, as bits of the window, at which one more stone makes an open four with the stone: four
    /// in a row that exactly five can be made of at both ends.
    pub(crate) fn open_four_points(self) -> u16 {
        let point = |low: u32| {
            let missing = run_bits(FOUR, low) & !self.own;
            let needed = missing | end_bits(FOUR, low);
            let open = needed & !self.empty == 0 && self.own & end_bits(FOUR + 2, low - 1) == 0;
            (missing.is_power_of_two() && open).then_some(missing)
        };
        starts_through_center(FOUR).filter_map(point).fold(0, |points, point| points | point)
    }
}

/// The lowest bits of the runs of a length in a window that include the center.
fn starts_through_center(length: u32) -> impl Iterator<Item = u32> {
    CENTER + 1 - length..=CENTER
}

/// The bits of a run.
const fn run_bits(length: u32, low: u32) -> u16 {
    ((1 << length) - 1) << low
}

/// The two bits next to a run.
const fn end_bits(length: u32, low: u32) -> u16 {
    1 << (low - 1) | 1 << (low + length)
}

/// The lowest bits of all runs of a length in a word, those within longer runs included.
#[inline]
fn run_starts(bits: u64, length: u32) -> u64 {
    let (mut starts, mut known) = (bits, 1);
    while known < length && starts != 0 {
        let more = known.min(length - known);
        starts &= starts >> more;
        known += more;
    }
    starts
}

/// A run of stones on a line of a board that no own stone continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The number of the line.
    line: u8,
    /// The stones as bits of the line.
    stones: u64,
}

impl Run {
    /// The number of stones.
    pub(crate) fn length(self) -> u32 {
        self.stones.count_ones()
    }

    /// The cells of the stones.
    pub(crate) fn cells(self, board: &SquareBoard) -> impl Iterator<Item = Cell> + use<> {
        board.map().cells(self.line, self.stones)
    }
}

/// Every run of a color on the board with `length` stones or more, at least two. Power stones count as
/// stones of the color.
pub(crate) fn runs_on_board(
    board: &SquareBoard,
    color: Color,
    length: u8,
) -> impl Iterator<Item = Run> + '_ {
    (0..board.map().lines() as u8).flat_map(move |line| {
        let own = board.line(color, line) | board.line(Color::POWER, line);
        let mut starts = run_starts(own, length.into()) & !(own << 1);
        iter::from_fn(move || {
            let start = (starts != 0).then(|| starts.trailing_zeros())?;
            starts &= starts - 1;
            let stones = (1 << (own >> start).trailing_ones()) - 1;
            Some(Run { line, stones: stones << start })
        })
    })
}

/// Whether [`runs_on_board`] has any run, found in one pass over all lines.
pub(crate) fn run_exists(board: &SquareBoard, color: Color, length: u8) -> bool {
    let lines = board.all_lines(color).iter().zip(board.all_lines(Color::POWER));
    let mut lines = lines.map(|(own, power)| own | power);
    match length {
        // With a constant length the compiler vectorizes the pass.
        5 => lines.fold(0, |any, own| any | (1..5).fold(own, |run, n| run & own >> n)) != 0,
        _ => lines.any(|own| run_starts(own, length.into()) != 0),
    }
}

/// The fours that `anti` forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FourBan {
    /// Open fours: a move is illegal if after the removals a line of the mover has two empty
    /// points that would each complete a winning run, and the two runs share a stone (S3, MOK).
    OpenFours,
    /// All fours: one such point is enough (the literal reading of S3's second clause).
    AllFours,
}

/// A whole line of a board: the stones of a color, and the empty points that would complete a run of
/// the winning length or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardLine {
    own: u64,
    points: u64,
}

impl BoardLine {
    /// A line of a board with the own stones given, which may differ from those of the board, and
    /// without the stones on `removed`.
    pub(crate) fn new(
        board: &SquareBoard,
        rule: LineRule,
        number: u8,
        own: u64,
        removed: u64,
    ) -> BoardLine {
        let mut points = completing_points(own, rule.length());
        // Most lines have none.
        if points != 0 {
            let occupied = board.occupied_on_line(number) & !removed;
            points &= !(occupied | board.map().wall(number));
        }
        BoardLine { own, points }
    }

    /// Whether the line has a four that the rule forbids.
    pub(crate) fn has_four(self, rule: LineRule, ban: FourBan) -> bool {
        let is_single = self.points & self.points.wrapping_sub(1) == 0;
        if self.points == 0 || is_single && ban == FourBan::OpenFours {
            return false;
        }
        set_bits(self.points).any(|point| self.completes_four(rule, ban, point))
    }

    /// Whether one of the points completes a four that the rule forbids.
    fn completes_four(self, rule: LineRule, ban: FourBan, point: u32) -> bool {
        let length = u32::from(rule.length());
        let run = self.run_with(point);
        let wins = run.count_ones() == length || !rule.exact();
        wins && (ban == FourBan::AllFours || self.has_second_point(length, point, run))
    }

    /// Whether another of the points completes a run that shares a stone with `run`, which `point`
    /// completes.
    fn has_second_point(self, length: u32, point: u32, run: u64) -> bool {
        let near = |other: &u32| *other != point && other.abs_diff(point) <= length;
        set_bits(self.points).filter(near).any(|other| self.run_with(other) & run & self.own != 0)
    }

    /// The run that a stone on an empty point would belong to.
    fn run_with(self, point: u32) -> u64 {
        let above = (self.own >> point >> 1).trailing_ones();
        let below = (self.own << (u64::BITS - 1 - point) << 1).leading_ones();
        ((1 << (below + 1 + above)) - 1) << (point - below)
    }
}

/// The bits of a line at most `distance` away from one bit.
pub(crate) fn bits_around(bit: u64, distance: u32) -> u64 {
    (bit >> distance).wrapping_mul((2 << (2 * distance)) - 1)
}

/// The indices of the bits that are set.
fn set_bits(mut set: u64) -> impl Iterator<Item = u32> {
    iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// The bits that are missing in `own` such that each alone completes a run of `length`.
fn completing_points(own: u64, length: u8) -> u64 {
    // Two of the other stones are neighbors, or neighbors of the missing one.
    if own & (own >> 1 | own >> 2) == 0 {
        return 0;
    }
    let points = (0..length).map(|missing| {
        let others = (0..length).filter(|&place| place != missing);
        others.fold(u64::MAX, |run, place| run & own >> place) << missing
    });
    points.fold(0, |all, points| all | points) & !own
}

/// Crowded boards, and lines walked cell by cell, for tests.
#[cfg(test)]
pub(crate) mod walks {
    use crate::board::{CellContent, Grid, LineMap, SquareBoard};
    use crate::game::{Cell, Color};
    use fastrand::Rng;
    use std::sync::Arc;

    /// A board with many threes and fours: out of 20 cells 5 hold a stone of the first color, and `second` - 5 one
    /// of the second.
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

    /// A step along each axis.
    pub(crate) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

    /// The cell at `n` steps along an axis.
    pub(crate) fn step(board: &SquareBoard, cell: Cell, axis: (i32, i32), n: i32) -> Option<Cell> {
        let grid = board.grid();
        grid.get(i32::from(grid.column(cell)) + axis.0 * n, i32::from(grid.row(cell)) + axis.1 * n)
    }

    /// The number of consecutive stones of a color after a cell along an axis.
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

    /// A line around its stone, which is the letter `X`.
    fn line(text: &str) -> LineWindow {
        let start = CENTER as usize - text.find('X').unwrap();
        let bits = |what: &[u8]| {
            let there = text.bytes().enumerate().filter(|(_, byte)| what.contains(byte));
            there.fold(0, |bits, (place, _)| bits | 1 << (start + place))
        };
        LineWindow { own: bits(b"xX"), empty: bits(b".!") }
    }

    #[test]
    fn runs_are_counted_to_the_ends_of_the_window() {
        for (text, length) in [("X", 1), (".xX.", 2), ("x.Xxx", 3), ("xxxxxxXxxxxxx", 13)] {
            assert_eq!(line(text).run_length(), length, "{text}");
        }
    }

    #[test]
    fn fives_are_exact_and_may_have_a_second_point() {
        for (text, five, other_end) in [
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
            assert_eq!(line(text).five(), five.map(at), "{text}");
            assert_eq!(line(text).other_end_makes_five(), other_end, "{text}");
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
            assert_eq!(line(text).fours(), count, "{text}");
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
            let points = LineWindow { own: 0, ..line(&text.replace('.', "o")) }.empty;
            assert_eq!(line(text).open_four_points(), points, "{text}");
        }
    }
}
