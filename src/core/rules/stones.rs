//! Stones other than the plain ones of each color.

use crate::board::Grid;
use crate::game::Cell;
use std::fmt;

/// How many special stones a player has, none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpecialStones {
    /// Neutral stones: they block and belong to nobody (S3).
    pub neutral: u8,
    /// Bombs: an own stone that clears its eight neighbors (S3).
    pub bombs: u8,
    /// Power stones, which may serve as any color (S1), and the points for the bonus stones that
    /// follow them.
    pub power: Option<(u8, Diamonds)>,
}

/// The points on which bonus stones may be placed, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diamonds {
    /// Column and row from 0; only the first `count` are meant.
    points: [(u8, u8); Diamonds::MOST],
    count: u8,
}

impl Diamonds {
    /// The greatest number of points.
    pub const MOST: usize = 16;

    /// The twelve points of the 19x19 board: the corners of the square of the tournament rule (S1),
    /// and eight further out, of which no picture survives.
    pub const STANDARD: Diamonds = Diamonds::standard();

    const fn standard() -> Diamonds {
        let mut points = [(0, 0); Diamonds::MOST];
        let known = [
            (3, 3),
            (9, 3),
            (15, 3),
            (6, 6),
            (12, 6),
            (3, 9),
            (15, 9),
            (6, 12),
            (12, 12),
            (3, 15),
            (9, 15),
            (15, 15),
        ];
        let mut index = 0;
        while index < known.len() {
            points[index] = known[index];
            index += 1;
        }
        Diamonds { points, count: known.len() as u8 }
    }

    /// Reads points with commas, each a column letter and a row number; their order and repetitions
    /// mean nothing.
    pub(super) fn parse(text: &str) -> Option<Diamonds> {
        let largest = Grid::square(Grid::MAX);
        let cells: Option<Vec<Cell>> = text.split(',').map(|p| largest.parse(p).ok()).collect();
        let mut cells = cells?;
        cells.sort_unstable();
        cells.dedup();
        let mut diamonds = Diamonds { points: [(0, 0); Diamonds::MOST], count: cells.len() as u8 };
        for (index, cell) in cells.into_iter().enumerate() {
            *diamonds.points.get_mut(index)? = (largest.column(cell), largest.row(cell));
        }
        Some(diamonds)
    }

    fn points(&self) -> &[(u8, u8)] {
        &self.points[..usize::from(self.count)]
    }

    /// The points as cells of a grid, those that lie on it.
    pub fn cells(self, grid: Grid) -> impl Iterator<Item = Cell> {
        let points = self.points.into_iter().take(self.count.into());
        points.filter_map(move |(column, row)| grid.get(column.into(), row.into()))
    }

    /// Whether every point lies on a grid.
    pub(super) fn fit(&self, grid: Grid) -> bool {
        self.cells(grid).count() == usize::from(self.count)
    }
}

impl fmt::Display for Diamonds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &(column, row)) in self.points().iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}{}", char::from(b'a' + column), row + 1)?;
        }
        Ok(())
    }
}
