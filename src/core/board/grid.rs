//! The points of a rectangular board, their names and their symmetries.

use super::LabelError;
use crate::game::Cell;
use std::fmt;

/// A rectangular board of `columns` x `rows` points. Cells are numbered row by row from the lower left.
///
/// ```
/// use pentarch_core::board::Grid;
/// let grid = Grid::new(19, 19).unwrap();
/// let center = grid.parse("j10").unwrap();
/// assert_eq!(center, grid.center());
/// assert_eq!(grid.label(center), "j10");
/// assert!(grid.parse("z1").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    columns: u8,
    rows: u8,
}

impl Grid {
    /// The greatest number of columns or rows.
    pub const MAX: u8 = 25;
    /// The least number of columns or rows.
    pub const MIN: u8 = 3;

    /// A grid of this size, `None` unless both numbers lie within [`Grid::MIN`] and [`Grid::MAX`].
    pub fn new(columns: u8, rows: u8) -> Option<Grid> {
        let fits = |n| (Grid::MIN..=Grid::MAX).contains(&n);
        (fits(columns) && fits(rows)).then_some(Grid { columns, rows })
    }

    /// A square grid of a size that must lie within [`Grid::MIN`] and [`Grid::MAX`].
    pub const fn square(size: u8) -> Grid {
        Grid { columns: size, rows: size }
    }

    /// The number of columns.
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// The number of rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// The number of points.
    pub const fn cells(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The smaller number of columns and rows.
    pub(crate) fn shorter_side(self) -> u8 {
        self.columns.min(self.rows)
    }

    /// The center, column and row `N div 2 + 1` counted from 1.
    pub const fn center(self) -> Cell {
        self.at(self.columns / 2, self.rows / 2)
    }

    /// The cell at a column and row counted from 0, which must lie on the board.
    pub const fn at(self, column: u8, row: u8) -> Cell {
        Cell(row as u16 * self.columns as u16 + column as u16)
    }

    /// The cell at a column and row counted from 0, `None` if it is not on the board.
    pub fn get(self, column: i32, row: i32) -> Option<Cell> {
        let inside =
            (0..self.columns as i32).contains(&column) && (0..self.rows as i32).contains(&row);
        inside.then(|| self.at(column as u8, row as u8))
    }

    /// Whether the cell is on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.index() < self.cells()
    }

    /// The column of a cell, from 0.
    pub const fn column(self, cell: Cell) -> u8 {
        (cell.0 % self.columns as u16) as u8
    }

    /// The row of a cell, from 0 at the bottom.
    pub const fn row(self, cell: Cell) -> u8 {
        (cell.0 / self.columns as u16) as u8
    }

    /// All cells in the order of their numbers.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Cell> {
        (0..self.cells() as u16).map(Cell)
    }

    /// The cells of the grid at a distance of one king's step from a cell.
    pub fn neighbors(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (column, row) = (i32::from(self.column(cell)), i32::from(self.row(cell)));
        let steps = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let others = steps.filter(|&step| step != (0, 0));
        others.filter_map(move |(dx, dy)| self.get(column + dx, row + dy))
    }

    /// The distance between two cells in king's steps.
    pub fn chebyshev(self, a: Cell, b: Cell) -> u8 {
        self.column(a).abs_diff(self.column(b)).max(self.row(a).abs_diff(self.row(b)))
    }

    /// Whether two cells lie on a row, column or diagonal, at most `steps` king's steps apart.
    pub fn is_aligned(self, a: Cell, b: Cell, steps: u8) -> bool {
        let columns = self.column(a).abs_diff(self.column(b));
        let rows = self.row(a).abs_diff(self.row(b));
        columns.max(rows) <= steps && (columns == 0 || rows == 0 || columns == rows)
    }

    /// The name of a cell: a column letter (none is skipped) and the row from the bottom, such as `j10`.
    pub fn label(self, cell: Cell) -> String {
        format!("{}{}", (b'a' + self.column(cell)) as char, self.row(cell) + 1)
    }

    /// The cell of a name. Case is ignored.
    pub fn parse(self, text: &str) -> Result<Cell, LabelError> {
        let malformed =
            || LabelError::Malformed(text.chars().take(20).collect(), self.label(self.center()));
        let letter = text.bytes().next().ok_or_else(malformed)?;
        let digits = text.get(1..).ok_or_else(malformed)?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if !letter.is_ascii_alphabetic() || digits.is_empty() || digits.len() > 3 || !plain {
            return Err(malformed());
        }
        let column = i32::from(letter.to_ascii_lowercase() - b'a');
        let row = digits.parse::<i32>().map_err(|_| malformed())? - 1;
        self.get(column, row)
            .ok_or_else(|| LabelError::OffBoard(text.to_owned(), self.columns, self.rows))
    }
}

/// `19` for a square, `15x10` (columns x rows) for any other.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.columns == self.rows {
            write!(f, "{}", self.columns)
        } else {
            write!(f, "{}x{}", self.columns, self.rows)
        }
    }
}

/// A rotation or reflection of the square: a transposition, followed by mirrorings.
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

    /// The image of a cell. The center is kept on boards of odd size only: on others the rules' center is not
    /// the middle of the board.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_on_rows_columns_and_diagonals_up_to_a_distance() {
        let grid = Grid::new(15, 10).unwrap();
        let h5 = grid.parse("h5").unwrap();
        for (other, steps) in [("h5", 0), ("l5", 4), ("h9", 4), ("d1", 4), ("e8", 3), ("i4", 1)] {
            let cell = grid.parse(other).unwrap();
            assert!(
                grid.is_aligned(h5, cell, steps) && grid.is_aligned(cell, h5, steps),
                "{other}"
            );
            assert!(steps == 0 || !grid.is_aligned(h5, cell, steps - 1), "{other}");
        }
        for other in ["i7", "g3", "l6", "d8"] {
            assert!(!grid.is_aligned(h5, grid.parse(other).unwrap(), 14), "{other}");
        }
    }

    #[test]
    fn neighbors_are_one_step_away() {
        let grid = Grid::new(6, 5).unwrap();
        for cell in grid.iter() {
            let near = grid.iter().filter(|&other| grid.chebyshev(cell, other) == 1);
            assert!(grid.neighbors(cell).eq(near), "{}", grid.label(cell));
        }
    }
}
