//! Captures of every kind, and poofs, all found on the one position right after the placement.

use super::axis::{ends, row, rows};
use super::shapes::{Row, runs};
use crate::board::{CENTER, LANES, Windows};
use crate::game::{Cell, Color, Journal, Signs};
use crate::placement::pipeline::{Core, State};
use crate::rules::{Capture, Captured, Forbidden, SquareRules, Stage};
use std::cell::LazyCell;

/// What a color's stone on a cell sees along its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// The stones that it may use as its own.
    pub own: Windows,
    /// Those that it can capture: other colors', and power stones but one just placed.
    foreign: Windows,
}

/// What a placement takes off the board.
#[derive(Clone, Debug)]
struct Taken {
    captured: Captured,
    /// The mover's own stones that are lost, each once.
    poofed: Vec<Cell>,
}

impl Core {
    /// Takes off the board what a stone that has just been placed captures or loses, and counts it.
    /// Without signs every group adds.
    pub(super) fn take<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        (cell, sight): (Cell, Sight),
        signs: Option<Signs>,
    ) {
        let Some(capture) = rules.capture() else { return };
        let captured = groups_between(capture, sight);
        let mut poofed = Vec::new();
        if capture.poof {
            self.add_poofed(capture, cell, &mut poofed);
        }
        let signed = signs.map(|signs| signs.stones(capture.longest()));
        self.carry_out(rules, journal, cell, &Taken { captured, poofed }, signed);
    }

    fn carry_out<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        taken: &Taken,
        signed: Option<[u16; 2]>,
    ) {
        if taken.captured.is_empty() && taken.poofed.is_empty() {
            return;
        }
        let color = self.state.color;
        let steps = self.board.map().steps();
        let stones = || taken.captured.cells(cell, steps);
        let counted = |cell: &Cell| match self.board.content(*cell).color() {
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
        *theirs = theirs.saturating_add(taken.poofed.len() as u16).saturating_sub(less);
        for lost in stones().chain(taken.poofed.iter().copied()) {
            self.remove(journal, lost);
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
    ) -> Sight {
        let Windows(own) = self.board.windows(color, cell);
        let Windows(enemy) = self.enemy_windows(rules, color, cell);
        if rules.stones().power.is_none() {
            return Sight { own: Windows(own), foreign: Windows(enemy) };
        }
        let Windows(power) = self.board.windows(Color::POWER, cell);
        let fresh = fresh.map_or(0, |fresh| self.board.map().seen_from(cell, fresh));
        Sight { own: Windows(own | power), foreign: Windows(enemy | power & !fresh) }
    }

    /// The groups that a color's stone on `cell` captures.
    pub(in crate::placement) fn groups_taken(
        &self,
        rules: &SquareRules,
        capture: Capture,
        color: Color,
        cell: Cell,
    ) -> Captured {
        groups_between(capture, self.sight(rules, color, cell, None))
    }

    /// How many groups longer than pairs, and how many pairs, the mover's stone on an empty cell takes.
    pub(super) fn count_groups(
        &self,
        rules: &SquareRules,
        capture: Capture,
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
        capture: Capture,
        next: State,
    ) -> impl Fn(Row) -> bool {
        // Seldom needed.
        let reply = LazyCell::new(move || Core { board: self.board.clone(), state: next });
        let is_open = next.extra.stage == Stage::Play && next.stones >= rules.limited_stones();
        let allows = move |point: Cell| match (is_open, rules.forbidden()) {
            (true, None) => true,
            (true, Some(Forbidden::DoubleThree)) => {
                self.check_double_three(rules, next.color, point).is_ok()
            }
            _ => reply.allows_stone(rules, point),
        };
        let steps = self.board.map().steps();
        let takes = move |point: Cell, stone: Cell| {
            let captured = self.groups_taken(rules, capture, next.color, point);
            captured.cells(point, steps).any(|taken| taken == stone) && allows(point)
        };
        move |row| {
            let mut stones = row.cells(&self.board);
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
        capture: Capture,
        color: Color,
        stone: Cell,
    ) -> impl Iterator<Item = Cell> {
        let points = self.capture_windows(rules, capture, color, stone, None);
        self.board.map().cells_in(stone, points)
    }

    /// Whether there is one, with a stone of another color on `placed` too.
    pub(super) fn may_be_captured(
        &self,
        rules: &SquareRules,
        capture: Capture,
        color: Color,
        (stone, placed): (Cell, Cell),
    ) -> bool {
        self.capture_windows(rules, capture, color, stone, Some(placed)) != Windows(0)
    }

    /// Those cells as windows around the stone.
    fn capture_windows(
        &self,
        rules: &SquareRules,
        capture: Capture,
        color: Color,
        stone: Cell,
        placed: Option<Cell>,
    ) -> Windows {
        let Sight { own: Windows(own), foreign: Windows(others) } =
            self.sight(rules, color, stone, None);
        let placed = placed.map_or(0, |placed| self.board.map().seen_from(stone, placed));
        let foreign = others | placed | LANES << CENTER;
        let mut taken = own | foreign | self.board.map().walls(stone).0;
        if rules.stones().neutral > 0 {
            taken |= self.board.windows(Color::NEUTRAL, stone).0;
        }
        // All four lines at once, each in its lane of the windows.
        let mut points = 0;
        for length in capture.lengths().map(u32::from) {
            let around = LANES * u64::from(row(length, CENTER + 1 - length));
            let starts = runs(foreign, length) & around;
            points |= (starts & own >> length & !(taken << 1)) >> 1;
            points |= (starts & own << 1 & !(taken >> length)) << length;
        }
        Windows(points)
    }

    /// Adds the mover's rows through `cell` that are lost: of a length that is captured, and between
    /// two enemy stones (S3, PO, AP). The edge bounds nothing.
    fn add_poofed(&self, capture: Capture, cell: Cell, lost: &mut Vec<Cell>) {
        let color = self.state.color;
        let own = Windows(self.board.windows(color, cell).0 | LANES << CENTER);
        let enemy = self.board.windows(color.opponent(), cell);
        for direction in 0..4 {
            let [own, enemy] = [own, enemy].map(|windows| windows.lane(direction));
            for length in capture.lengths().map(u32::from) {
                let is_lost =
                    |&low: &u32| row(length, low) & !own == 0 && ends(length, low) & !enemy == 0;
                let lows = rows(length).filter(is_lost);
                let stones = lows.flat_map(|low| {
                    self.board.map().cells_around(cell, direction, row(length, low))
                });
                for stone in stones {
                    if !lost.contains(&stone) {
                        lost.push(stone);
                    }
                }
            }
        }
    }

    /// Whether a color's stone on an empty cell would be lost with a row of it: all four lines at once.
    fn poofs(&self, capture: Capture, color: Color, cell: Cell) -> bool {
        self.poofs_beside(capture, color, cell, Windows(0))
    }

    /// The same if the other color had more stones in the windows around the cell.
    pub(in crate::placement) fn poofs_beside(
        &self,
        capture: Capture,
        color: Color,
        cell: Cell,
        others: Windows,
    ) -> bool {
        let own = self.board.windows(color, cell).0 | LANES << CENTER;
        let enemy = self.board.windows(color.opponent(), cell).0 | others.0;
        let lost = |length: u32, low: u32| {
            let ends = enemy >> (low - 1) & enemy >> (low + length);
            (low..low + length).fold(ends & LANES, |all, bit| all & own >> bit) != 0
        };
        capture.lengths().map(u32::from).any(|length| rows(length).any(|low| lost(length, low)))
    }
}

/// The groups that a stone captures which sees that.
fn groups_between(capture: Capture, Sight { own, foreign }: Sight) -> Captured {
    let mut captured = capture.captured(own, foreign);
    // The longer group, if two lengths would do (S1).
    captured.pairs_up &= !captured.longer_up;
    captured.pairs_down &= !captured.longer_down;
    captured
}

/// How many groups are longer than pairs, and how many are pairs.
fn numbers(captured: Captured) -> [u8; 2] {
    let count = |groups: [u64; 2]| groups.map(u64::count_ones).iter().sum::<u32>() as u8;
    let Captured { longer_up, longer_down, pairs_up, pairs_down, .. } = captured;
    [count([longer_up, longer_down]), count([pairs_up, pairs_down])]
}
