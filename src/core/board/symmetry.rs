//! The symmetries of a board.

use super::Grid;
use crate::game::Cell;

/// A rotation or reflection of the square: a transposition first, then mirrorings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// The symmetries of a grid, the identity first: eight of a square, four of a rectangle.
    pub fn all(grid: Grid) -> impl Iterator<Item = Symmetry> {
        let count = if grid.columns() == grid.rows() { 8 } else { 4 };
        (0..count).map(|n| Symmetry {
            transpose: n & 4 != 0,
            mirror_columns: n & 1 != 0,
            mirror_rows: n & 2 != 0,
        })
    }

    /// Where the symmetry takes a cell. Odd sizes keep the center; on even ones, where the rules'
    /// center is not the middle of the board, it moves.
    pub fn apply(self, grid: Grid, cell: Cell) -> Cell {
        let (mut column, mut row) = (grid.column(cell), grid.row(cell));
        if self.transpose {
            (column, row) = (row, column);
        }
        if self.mirror_columns {
            column = grid.columns() - 1 - column;
        }
        if self.mirror_rows {
            row = grid.rows() - 1 - row;
        }
        grid.at(column, row)
    }
}
