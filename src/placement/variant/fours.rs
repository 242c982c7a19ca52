//! Fours that `anti` forbids.

use super::shapes::{AXES, step};
use crate::board::{CENTER, Content, Windows};
use crate::game::{Cell, Color};
use crate::placement::pipeline::Core;
use crate::rules::{OpenFours, SquareRules};

impl Core {
    /// Whether a line of the mover has a four that `anti` forbids, anywhere on the board.
    pub(super) fn has_open_four(&self, rules: &SquareRules, fours: OpenFours) -> bool {
        let (board, color) = (&self.board, self.state.color);
        let mut lines = 0..board.map().lines() as u8;
        lines.any(|number| {
            let points = missing_points(board.line(color, number), rules.line().length());
            let mut cells = board.map().cells(number, points & !board.map().wall(number));
            cells.any(|cell| {
                board.content(cell) == Content::EMPTY
                    && self.completes_open_four(rules, fours, cell)
            })
        })
    }

    /// Whether an empty cell is one of the points that complete such a four.
    fn completes_open_four(&self, rules: &SquareRules, fours: OpenFours, cell: Cell) -> bool {
        let color = self.state.color;
        let own = self.board.windows(color, cell).0;
        let line = rules.line_of(color);
        (0..4).any(|direction| {
            let lane = own & 0xffff << (16 * direction) | 1 << (16 * direction + CENTER as usize);
            if !line.wins(Windows(lane)) {
                return false;
            }
            fours == OpenFours::AnyFourForbidden || self.has_twin(rules, color, cell, direction)
        })
    }

    /// Whether another empty cell on the line completes a run that shares a stone with the run that
    /// `cell` completes.
    fn has_twin(&self, rules: &SquareRules, color: Color, cell: Cell, direction: usize) -> bool {
        let axis = AXES[direction & 3];
        let run = self.run_with(color, cell, axis);
        let length = i32::from(rules.line().length());
        let mut others = (-length..=length).filter(|&n| n != 0);
        others.any(|n| {
            let Some(other) = step(&self.board, cell, axis, n) else { return false };
            if self.board.content(other) != Content::EMPTY {
                return false;
            }
            let (low, high) = self.run_with(color, other, axis);
            let (low, high) = (low + n, high + n);
            let shared = |at: i32| at != 0 && at != n && run.0 <= at && at <= run.1;
            high - low + 1 >= length && (low..=high).any(shared)
        })
    }

    /// The ends of the run that a stone on an empty cell would belong to, in steps from it.
    fn run_with(&self, color: Color, cell: Cell, axis: (i32, i32)) -> (i32, i32) {
        let back = super::shapes::reach(&self.board, color, cell, (-axis.0, -axis.1));
        (-back, super::shapes::reach(&self.board, color, cell, axis))
    }
}

/// The bits of a line that alone are missing in a row of that length.
fn missing_points(own: u64, length: u8) -> u64 {
    // Two of the others are neighbors, or neighbors of the missing one.
    if own & (own >> 1 | own >> 2) == 0 {
        return 0;
    }
    let points = (0..length).map(|missing| {
        let others = (0..length).filter(|&place| place != missing);
        others.fold(u64::MAX, |row, place| row & own >> place) << missing
    });
    points.fold(0, |all, points| all | points) & !own
}
