//! Captures of every kind, and poofs, all found on the one position right after the placement.

use super::pipeline::{Board, State};
use crate::board::{CENTER, LANE_LOW_BITS, Windows};
use crate::game::{CaptureSigns, Cell, ChangeListener, Color};
use crate::line::{Row, row, rows, runs};
use crate::rules::{CaptureRule, CapturedGroups, ForbiddenRule, OpeningStage, SquareRules};
use std::cell::LazyCell;

/// What a color's stone on a cell sees along its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineView {
    /// The stones that it may use as its own.
    pub own: Windows,
    /// Those that it can capture: other colors', and power stones but one just placed.
    foreign: Windows,
}

/// What a placement takes off the board.
#[derive(Clone, Copy, Debug)]
struct Removal {
    captured: CapturedGroups,
    /// The mover's own stones that are lost, each once, in the windows around the one placed.
    poofed: u64,
}

impl Board {
    /// Takes off the board what a stone that has just been placed captures or loses, and counts it.
    /// Without signs every group adds.
    pub(super) fn take<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        (cell, sight): (Cell, LineView),
        signs: Option<CaptureSigns>,
    ) {
        let Some(capture) = rules.capture() else { return };
        let captured = capture.captured_of_shared(sight.own, sight.foreign);
        let poofed = if capture.poof { self.poofed(capture, self.state.color, cell) } else { 0 };
        let signed = signs.map(|signs| signs.stones(capture.longest_group()));
        self.carry_out(rules, listener, cell, Removal { captured, poofed }, signed);
    }

    fn carry_out<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        cell: Cell,
        taken: Removal,
        signed: Option<[u16; 2]>,
    ) {
        if taken.captured.is_empty() && taken.poofed == 0 {
            return;
        }
        let color = self.state.color;
        let steps = self.squares.map().steps();
        let stones = || taken.captured.cells(cell, steps);
        let counted = |cell: &Cell| match self.squares.content(*cell).color() {
            Some(Color::POWER) | None => true,
            // A partner's stones count nothing (S1).
            Some(other) => !rules.seating().teams || (other.0 ^ color.0) & 1 != 0,
        };
        let captured = stones().filter(counted).count() as u16;
        let counts = &mut self.state.counts;
        let [add, less] = signed.unwrap_or([captured, 0]);
        let mine = &mut counts[color.index() & 3];
        *mine = mine.saturating_add(add);
        let theirs = &mut counts[color.opponent().index() & 3];
        *theirs = theirs.saturating_add(taken.poofed.count_ones() as u16).saturating_sub(less);
        for lost in stones() {
            self.remove(listener, lost);
        }
        for direction in (0..4).filter(|_| taken.poofed != 0) {
            let lane = Windows(taken.poofed).lane(direction);
            for lost in self.squares.map().window_cells(cell, direction, lane) {
                self.remove(listener, lost);
            }
        }
    }

    /// What a color's stone on `cell` sees. A power stone that was placed on `fresh` with this turn cannot be
    /// captured (S1).
    #[inline]
    pub(super) fn sight(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        fresh: Option<Cell>,
    ) -> LineView {
        let own = self.own_windows(rules, color, cell);
        if rules.stones().power.is_none() {
            return LineView { own, foreign: self.enemy_windows(rules, color, cell) };
        }
        // Two play games with power stones: what can be captured is what the other may use.
        let Windows(foreign) = self.own_windows(rules, color.opponent(), cell);
        let fresh = fresh.map_or(0, |fresh| self.squares.map().window_bit(cell, fresh));
        LineView { own, foreign: Windows(foreign & !fresh) }
    }

    /// The groups that a color's stone on `cell` captures.
    pub(super) fn groups_taken(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        cell: Cell,
    ) -> CapturedGroups {
        let sight = self.sight(rules, color, cell, None);
        capture.captured_of_shared(sight.own, sight.foreign)
    }

    /// How many groups longer than pairs, and how many pairs, the mover's stone on an empty cell takes.
    pub(super) fn count_groups(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        cell: Cell,
    ) -> [u8; 2] {
        numbers(self.groups_taken(rules, capture, self.state.color, cell))
    }

    /// The number of stones that a color's stone on an empty cell captures, unless it loses some itself.
    pub(super) fn count_taken(&self, rules: &SquareRules, color: Color, cell: Cell) -> Option<u16> {
        let Some(capture) = rules.capture() else { return Some(0) };
        if capture.poof && self.poofs(capture, color, cell) {
            return None;
        }
        Some(self.groups_taken(rules, capture, color, cell).stones() as u16)
    }

    /// Whether a stone of a row can be captured with a legal move in the state `next` of the game.
    pub(super) fn is_capturable(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        next: State,
    ) -> impl Fn(Row) -> bool {
        // Seldom needed.
        let reply = LazyCell::new(move || Board { squares: self.squares.clone(), state: next });
        let is_open =
            next.variant.stage == OpeningStage::Play && next.stones >= rules.limited_stones();
        let allows = move |point: Cell| match (is_open, rules.forbidden()) {
            (true, None) => true,
            (true, Some(ForbiddenRule::DoubleThree)) => {
                self.check_double_three(rules, next.color, point).is_ok()
            }
            _ => reply.allows_stone(rules, point),
        };
        let steps = self.squares.map().steps();
        let takes = move |point: Cell, stone: Cell| {
            let captured = self.groups_taken(rules, capture, next.color, point);
            captured.cells(point, steps).any(|taken| taken == stone) && allows(point)
        };
        move |row| {
            let mut stones = row.cells(&self.squares);
            stones.any(|stone| {
                let mut points = self.capture_points(rules, capture, next.color, stone);
                points.any(|point| takes(point, stone))
            })
        }
    }

    /// The empty cells beside groups that a stone is in whose other end a color guards.
    fn capture_points(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        stone: Cell,
    ) -> impl Iterator<Item = Cell> {
        let points = self.capture_windows(rules, capture, color, stone, None);
        self.squares.map().cells_in(stone, points)
    }

    /// Whether there is one, with a stone of another color on `placed` too.
    pub(super) fn may_be_captured(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        (stone, placed): (Cell, Cell),
    ) -> bool {
        self.capture_windows(rules, capture, color, stone, Some(placed)) != Windows(0)
    }

    /// Those cells as windows around the stone.
    fn capture_windows(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        stone: Cell,
        placed: Option<Cell>,
    ) -> Windows {
        let LineView { own: Windows(own), foreign: Windows(others) } =
            self.sight(rules, color, stone, None);
        let placed = placed.map_or(0, |placed| self.squares.map().window_bit(stone, placed));
        let foreign = others | placed | LANE_LOW_BITS << CENTER;
        let mut taken = own | foreign | self.squares.map().walls(stone).0;
        if rules.stones().neutral > 0 {
            taken |= self.squares.windows(Color::NEUTRAL, stone).0;
        }
        // All four lines at once, each in its lane of the windows.
        let mut points = 0;
        for length in capture.lengths().map(u32::from) {
            let around = LANE_LOW_BITS * u64::from(row(length, CENTER + 1 - length));
            let starts = runs(foreign, length) & around;
            points |= (starts & own >> length & !(taken << 1)) >> 1;
            points |= (starts & own << 1 & !(taken >> length)) << length;
        }
        Windows(points)
    }

    /// Whether a color's stone on an empty cell would be lost with a row of it.
    fn poofs(&self, capture: CaptureRule, color: Color, cell: Cell) -> bool {
        self.poofed(capture, color, cell) != 0
    }

    /// The stones, in the windows around a color's stone on `cell`, of its rows that are lost: of a length that
    /// is captured, and between two enemy stones (S3, PO, AP). The edge bounds nothing. That stone itself is in
    /// one window at most.
    fn poofed(&self, capture: CaptureRule, color: Color, cell: Cell) -> u64 {
        let enemy = self.squares.windows(color.opponent(), cell).0;
        let rows = self.rows_of_captured_length(capture, color, cell);
        let lost = rows.fold(0, |lost, Rows { length, low, lanes }| {
            let between = lanes & enemy >> (low - 1) & enemy >> (low + length);
            lost | (between * u64::from(row(length, low)))
        });
        let center = lost & LANE_LOW_BITS << CENTER;
        lost & !center | center & center.wrapping_neg()
    }

    /// The empty cells, as windows around an empty one, on which a stone of the other color would have a color's
    /// stone there lost.
    pub(super) fn poof_points(&self, capture: CaptureRule, color: Color, cell: Cell) -> Windows {
        let enemy = self.squares.windows(color.opponent(), cell).0;
        let windows = |color| self.squares.windows(color, cell).0;
        let mut taken = windows(color) | enemy | self.squares.map().walls(cell).0;
        if self.squares.has_colorless_stones() {
            taken |= windows(Color::NEUTRAL) | windows(Color::POWER);
        }
        let free = !taken;
        let rows = self.rows_of_captured_length(capture, color, cell);
        Windows(rows.fold(0, |cells, Rows { length, low, lanes }| {
            let [below, above] = [low - 1, low + length];
            let [after, before] = [lanes & enemy >> below, lanes & enemy >> above];
            cells | (after & free >> above) << above | (before & free >> below) << below
        }))
    }

    /// The rows through a color's stone on a cell that are as long as what is captured, or part of longer ones.
    fn rows_of_captured_length(
        &self,
        capture: CaptureRule,
        color: Color,
        cell: Cell,
    ) -> impl Iterator<Item = Rows> {
        let own = self.squares.windows(color, cell).0 | LANE_LOW_BITS << CENTER;
        capture.lengths().map(u32::from).flat_map(move |length| {
            let starts = runs(own, length);
            rows(length).map(move |low| Rows { length, low, lanes: starts >> low & LANE_LOW_BITS })
        })
    }
}

/// Rows of a length in windows around a cell.
#[derive(Clone, Copy, Debug)]
struct Rows {
    length: u32,
    /// The bit of a lane that they begin with.
    low: u32,
    /// The lanes that have one, by their lowest bits.
    lanes: u64,
}

/// How many groups are longer than pairs, and how many are pairs.
fn numbers(captured: CapturedGroups) -> [u8; 2] {
    let count = |groups: [u64; 2]| groups.map(u64::count_ones).iter().sum::<u32>() as u8;
    let CapturedGroups { longer_up, longer_down, pairs_up, pairs_down, .. } = captured;
    [count([longer_up, longer_down]), count([pairs_up, pairs_down])]
}
