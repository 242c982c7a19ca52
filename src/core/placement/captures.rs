//! Captures of every kind and poofs, found on the position right after the placement.

use super::state::{Board, SquareState};
use crate::board::{CENTER, LANE_LOW_BITS, Windows};
use crate::game::{CaptureSigns, Cell, ChangeListener, Color};
use crate::line::Run;
use crate::rules::{CaptureRule, CapturedGroups, ForbiddenRule, OpeningStage, SquareRules};
use std::cell::LazyCell;

/// The stones along the lines around a color's stone that matter to its captures.
#[derive(Clone, Copy, Debug)]
struct LineView {
    /// The stones that it may use as its own.
    own: Windows,
    /// The stones that it can capture: other colors' stones, and power stones except those of this ply.
    capturable: Windows,
}

/// The stones that a placement takes off the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removal {
    pub captured: CapturedGroups,
    /// The mover's own stones that are lost, each once, in the windows around the one placed.
    pub poofed: Windows,
}

impl Removal {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.captured.is_empty() && self.poofed == Windows(0)
    }
}

impl Board {
    /// What the mover's stone on a cell, just placed, captures and loses. A power stone on `fresh_power`
    /// was placed in the same ply.
    pub(super) fn removal(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        cell: Cell,
        fresh_power: Option<Cell>,
    ) -> Removal {
        let color = self.state.color;
        let view = self.line_view(rules, color, cell, fresh_power);
        let captured = capture.captured(view.own, view.capturable).prefer_longer();
        let poofed = if capture.poof { self.poofed(capture, color, cell) } else { Windows(0) };
        Removal { captured, poofed }
    }

    /// Takes stones off the board and counts them. All captured groups add to the mover's count unless signs
    /// say otherwise.
    #[cold]
    pub(super) fn apply_removal<const PLAIN: bool, L: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut L,
        cell: Cell,
        Removal { captured, poofed }: Removal,
        signs: Option<CaptureSigns>,
    ) {
        let color = self.state.color;
        let steps = self.squares.map().steps();
        let [add, subtract] = match (signs, rules.capture()) {
            _ if PLAIN => [captured.stones() as u16, 0],
            (Some(signs), Some(capture)) => signs.stones(capture.longest_group()),
            _ if rules.seating().teams => {
                // A partner's stones count nothing (S1).
                let of_opponents = |cell: &Cell| {
                    let stone = self.squares.content(*cell).color();
                    stone.is_none_or(|stone| stone == Color::POWER || (stone.0 ^ color.0) & 1 != 0)
                };
                [captured.cells(cell, steps).filter(of_opponents).count() as u16, 0]
            }
            _ => [captured.stones() as u16, 0],
        };
        let counts = &mut self.state.counts;
        let own = &mut counts[color.index() & 3];
        *own = own.saturating_add(add);
        if PLAIN {
            for captured in captured.cells(cell, steps) {
                self.squares.remove(color.opponent(), captured);
                listener.removed(captured, color.opponent());
            }
            return;
        }
        let other = &mut counts[color.opponent().index() & 3];
        *other = other.saturating_add(poofed.0.count_ones() as u16).saturating_sub(subtract);
        for captured in captured.cells(cell, steps) {
            self.remove(listener, captured);
        }
        for direction in (0..4).filter(|_| poofed != Windows(0)) {
            let lane = poofed.lane(direction);
            for lost in self.squares.map().window_cells(cell, direction, lane) {
                self.remove(listener, lost);
            }
        }
    }

    /// The stones around a color's stone on a cell, placed or not, that matter to its captures. A power
    /// stone on `fresh_power` was placed in the same ply and cannot be captured (S1).
    #[inline]
    fn line_view(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        fresh_power: Option<Cell>,
    ) -> LineView {
        let own = self.own_windows(rules, color, cell);
        if rules.stones().power.is_none() {
            return LineView { own, capturable: self.enemy_windows(rules, color, cell) };
        }
        // Games with power stones have two seats: what can be captured is what the other may use.
        let Windows(enemy) = self.own_windows(rules, color.opponent(), cell);
        let fresh = fresh_power.map_or(0, |power| self.squares.map().window_bit(cell, power));
        LineView { own, capturable: Windows(enemy & !fresh) }
    }

    /// The groups that a color's stone on a cell captures.
    pub(super) fn captured_groups(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        cell: Cell,
    ) -> CapturedGroups {
        let view = self.line_view(rules, color, cell, None);
        capture.captured(view.own, view.capturable).prefer_longer()
    }

    /// The number of stones that a color's stone on an empty cell captures, or `None` if it loses some
    /// itself.
    pub(super) fn count_captured(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Option<u16> {
        let Some(capture) = rules.capture() else { return Some(0) };
        if capture.poof && self.poofed(capture, color, cell) != Windows(0) {
            return None;
        }
        Some(self.captured_groups(rules, capture, color, cell).stones() as u16)
    }

    /// A test of whether a stone of a run can be captured with a legal move in the state `next` of the
    /// game.
    pub(super) fn is_capturable(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        next: SquareState,
    ) -> impl Fn(Run) -> bool {
        // Rarely needed.
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
        let captures = move |point: Cell, stone: Cell| {
            let captured = self.captured_groups(rules, capture, next.color, point);
            captured.cells(point, steps).any(|captured| captured == stone) && allows(point)
        };
        move |run| {
            run.cells(&self.squares).any(|stone| {
                let points = self.capture_points(rules, capture, next.color, stone, None);
                self.squares.map().cells_in(stone, points).any(|point| captures(point, stone))
            })
        }
    }

    /// The empty points, as windows around a stone, at which a color's stone would capture a group with
    /// it. A stone of another color on `added` is assumed in addition.
    pub(super) fn capture_points(
        &self,
        rules: &SquareRules,
        capture: CaptureRule,
        color: Color,
        stone: Cell,
        added: Option<Cell>,
    ) -> Windows {
        let view = self.line_view(rules, color, stone, None);
        let added = added.map_or(0, |added| self.squares.map().window_bit(stone, added));
        let enemy = view.capturable.0 | added | LANE_LOW_BITS << CENTER;
        let mut occupied = view.own.0 | enemy | self.squares.map().walls(stone).0;
        if rules.stones().neutral > 0 {
            occupied |= self.squares.windows(Color::NEUTRAL, stone).0;
        }
        capture.capture_points(view.own, Windows(enemy), Windows(occupied))
    }

    /// The stones, in the windows around a color's stone on a cell, of its runs that are lost by poofs.
    fn poofed(&self, capture: CaptureRule, color: Color, cell: Cell) -> Windows {
        let windows = |color| self.squares.windows(color, cell);
        capture.poofed(windows(color), windows(color.opponent()))
    }

    /// The empty points, as windows around an empty one, at which a stone of the other color would make
    /// a color's stone there lost by a poof.
    pub(super) fn poof_points(&self, capture: CaptureRule, color: Color, cell: Cell) -> Windows {
        let windows = |color| self.squares.windows(color, cell);
        let (own, enemy) = (windows(color), windows(color.opponent()));
        let mut occupied = own.0 | enemy.0 | self.squares.map().walls(cell).0;
        if self.squares.has_colorless_stones() {
            occupied |= windows(Color::NEUTRAL).0 | windows(Color::POWER).0;
        }
        capture.poof_points(own, enemy, Windows(!occupied))
    }
}
