//! Stones on a square grid.

use super::lines::{Plane, clear, gather, set};
use super::{Grid, LineMap, Windows};
use crate::game::{Cell, Color};
use std::sync::Arc;

/// What lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Content(pub u8);

impl Content {
    /// Nothing.
    pub const EMPTY: Content = Content(0);

    /// A stone of a color.
    pub const fn stone(color: Color) -> Content {
        Content(color.0 + 1)
    }

    /// The color of the stone, if it is one.
    pub const fn color(self) -> Option<Color> {
        match self.0 {
            0 => None,
            n => Some(Color(n - 1)),
        }
    }
}

/// Four colors and two kinds of stones of no color, rounded up to a power of two so that an index
/// is a mask.
const PLANES: usize = 8;

/// The stones of up to four colors, and stones of no color, on a grid, kept as a list of contents
/// and, for each color, as bits along every line.
#[derive(Debug)]
pub struct SquareBoard {
    map: Arc<LineMap>,
    planes: Box<[Plane; PLANES]>,
    contents: Box<[u8; Cell::LIMIT]>,
    empty: u16,
    colors: u8,
}

/// A copy of what the board's size and colors need. Rules that look a move ahead on a copy make one for
/// each move that they judge.
impl Clone for SquareBoard {
    fn clone(&self) -> SquareBoard {
        let mut copy = SquareBoard::new(Arc::clone(&self.map), self.colors);
        copy.copy_from(self);
        copy
    }
}

impl SquareBoard {
    /// An empty board for stones of that many colors, those of no color counted as the fifth and the
    /// sixth.
    pub fn new(map: Arc<LineMap>, colors: u8) -> SquareBoard {
        let empty = map.grid().cells() as u16;
        SquareBoard {
            map,
            planes: Box::new([[0; 256]; PLANES]),
            contents: Box::new([0; Cell::LIMIT]),
            empty,
            colors: colors.min(PLANES as u8),
        }
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.map.grid()
    }

    /// The lines of the grid.
    pub fn map(&self) -> &LineMap {
        &self.map
    }

    /// What lies on a cell.
    #[inline]
    pub fn content(&self, cell: Cell) -> Content {
        Content(self.contents[cell.index() % Cell::LIMIT])
    }

    /// Whether stones of no color may lie on it.
    #[inline]
    pub fn has_colorless(&self) -> bool {
        self.colors > Color::NEUTRAL.0
    }

    /// How many cells are empty.
    #[inline]
    pub fn empty(&self) -> u16 {
        self.empty
    }

    /// The windows of a color's stones around a cell.
    #[inline]
    pub fn windows(&self, color: Color, cell: Cell) -> Windows {
        gather(|number| self.line(color, number), self.map.lines_of(cell))
    }

    /// The windows of the stones of two colors around a cell, all in one go.
    #[inline]
    pub fn windows_of_either(&self, colors: [Color; 2], cell: Cell) -> Windows {
        let line = |number| colors.map(|color| self.line(color, number));
        gather(|number| line(number)[0] | line(number)[1], self.map.lines_of(cell))
    }

    /// A color's stones along a line, as in the [module](super)'s bit layout.
    #[inline]
    pub fn line(&self, color: Color, number: u8) -> u64 {
        self.planes[color.index() % PLANES][usize::from(number)]
    }

    /// All stones along a line, of whatever color or none.
    #[inline]
    pub fn taken_on_line(&self, number: u8) -> u64 {
        let planes = self.planes.iter().take(self.colors.into());
        planes.fold(0, |taken, plane| taken | plane[usize::from(number)])
    }

    /// A color's stones along all lines, by their numbers.
    #[inline]
    pub fn all_lines(&self, color: Color) -> &[u64] {
        &self.planes[color.index() % PLANES][..self.map.lines()]
    }

    /// Puts a stone on an empty cell and returns the windows of its color around it.
    #[inline]
    pub fn place(&mut self, color: Color, cell: Cell) -> Windows {
        debug_assert_eq!(self.content(cell), Content::EMPTY);
        self.contents[cell.index() % Cell::LIMIT] = Content::stone(color).0;
        self.empty -= 1;
        set(&mut self.planes[color.index() % PLANES], self.map.lines_of(cell))
    }

    /// Takes a stone of that color off a cell.
    #[inline]
    pub fn lift(&mut self, color: Color, cell: Cell) {
        debug_assert_eq!(self.content(cell), Content::stone(color));
        self.contents[cell.index() % Cell::LIMIT] = 0;
        self.empty += 1;
        clear(&mut self.planes[color.index() % PLANES], self.map.lines_of(cell));
    }

    /// Becomes a copy of another board of the same grid, without new memory.
    pub fn copy_from(&mut self, other: &SquareBoard) {
        let (lines, cells) = (self.map.lines(), self.grid().cells());
        for (mine, theirs) in self.planes.iter_mut().zip(&*other.planes).take(self.colors.into()) {
            mine[..lines].copy_from_slice(&theirs[..lines]);
        }
        self.contents[..cells].copy_from_slice(&other.contents[..cells]);
        self.empty = other.empty;
    }

    /// The cells of a row that hold a stone, as bits from column 0.
    pub fn occupied_row(&self, row: u8) -> u32 {
        (self.taken_on_line(row) >> super::RADIUS) as u32
    }

    /// The cells that hold a stone of a color, in order.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Cell> {
        // The rows are the first lines. Power stones are few, so that most rows have none.
        let rows = (0..self.grid().rows()).map(move |row| (row, self.line(color, row)));
        rows.filter(|&(_, stones)| stones != 0)
            .flat_map(|(row, stones)| self.map.cells(row, stones))
    }

    /// Calls `visit` with every empty cell in order.
    #[inline]
    pub fn for_each_empty(&self, mut visit: impl FnMut(Cell)) {
        let grid = self.grid();
        let all = (1u32 << grid.columns()) - 1;
        for row in 0..grid.rows() {
            let mut free = !self.occupied_row(row) & all;
            while free != 0 {
                visit(grid.at(free.trailing_zeros() as u8, row));
                free &= free - 1;
            }
        }
    }
}
