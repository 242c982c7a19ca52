//! Runs of stones along lines, for rules that ask about more than the line just made.

use crate::board::{Content, SquareBoard};
use crate::game::{Cell, Color};
use crate::placement::pipeline::Core;

/// One step along each axis.
pub(super) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Whether a color may use what lies on a cell as its own.
pub(super) fn own_plane(board: &SquareBoard, color: Color, cell: Cell) -> bool {
    let content = board.content(cell);
    content == Content::stone(color) || content == Content::stone(Color::POWER)
}

/// The cell that many steps along an axis.
pub(super) fn step(board: &SquareBoard, cell: Cell, axis: (i32, i32), n: i32) -> Option<Cell> {
    let grid = board.grid();
    grid.get(i32::from(grid.column(cell)) + axis.0 * n, i32::from(grid.row(cell)) + axis.1 * n)
}

/// How many stones of a color follow each other from a cell on, itself not counted.
pub(super) fn reach(board: &SquareBoard, color: Color, cell: Cell, axis: (i32, i32)) -> i32 {
    let own = Content::stone(color);
    let next = |n: &i32| step(board, cell, axis, *n).is_some_and(|c| board.content(c) == own);
    (1..i32::from(crate::board::Grid::MAX)).take_while(next).count() as i32
}

/// The length of the run that a stone of a color on `cell` belongs to, or would.
pub(super) fn run_length(board: &SquareBoard, color: Color, cell: Cell, axis: (i32, i32)) -> i32 {
    1 + reach(board, color, cell, axis) + reach(board, color, cell, (-axis.0, -axis.1))
}

impl Core {
    /// Every longest run of a color's stones along each axis, single stones included.
    pub(super) fn all_runs(&self, color: Color) -> Vec<Vec<Cell>> {
        let own = |cell: Cell| self.board.content(cell) == Content::stone(color);
        let mut runs = Vec::new();
        for axis in AXES {
            for cell in self.board.grid().iter().filter(|&cell| own(cell)) {
                let first = !step(&self.board, cell, axis, -1).is_some_and(own);
                if first {
                    let length = run_length(&self.board, color, cell, axis);
                    runs.push(
                        (0..length).filter_map(|n| step(&self.board, cell, axis, n)).collect(),
                    );
                }
            }
        }
        runs
    }
}
