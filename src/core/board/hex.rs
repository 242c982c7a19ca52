//! Boards of hexagonal cells, and sets of cells as bits of one 128-bit word.
//!
//! Rows have letters, `a` at the bottom, which is a short edge; cells have numbers from 1 at the left of
//! each row. A cell's index is `14 * row + x`, where `x` is its column in a skewed coordinate system:
//! the six neighbors are at differences of 1, 14 and 15 in either direction. At least one cell of each
//! row of fourteen is on no board, so that no shift leads from one edge to the opposite one.

use super::LabelError;
use crate::game::Cell;
use std::fmt;

/// A set of cells: bit `n` is cell `n`.
pub type Bitboard = u128;

/// The outline of a board of hexagons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HexShape {
    /// Half a hexagon, a trapezium: `side` rows, the first of `side` cells and each one cell longer than the
    /// one below (S4).
    HalfHexagon,
    /// A regular hexagon with `side` cells on each side.
    Hexagon,
}

/// A board of hexagonal cells.
///
/// ```
/// use pentarch_core::board::{HexGrid, HexShape};
/// let grid = HexGrid::new(HexShape::HalfHexagon, 7).unwrap();
/// assert_eq!(grid.cells(), 70);
/// let corner = grid.parse("g13").unwrap();
/// assert_eq!(grid.label(corner), "g13");
/// assert!(grid.parse("a8").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HexGrid {
    shape: HexShape,
    side: u8,
}

/// The number of bits of a row.
const STRIDE: u32 = 14;

/// The differences of cell numbers for a step along each of the three axes.
pub const HEX_STEPS: [u32; 3] = [1, STRIDE, STRIDE + 1];

/// The neighbors of each cell, including cells that are on no board.
static NEIGHBORS: [Bitboard; 128] = neighbors_of_all();

const fn neighbors_of_all() -> [Bitboard; 128] {
    let mut all = [0; 128];
    let mut cell = 0;
    while cell < 128 {
        all[cell] = neighbors_of(1 << cell);
        cell += 1;
    }
    all
}

/// The neighbors of the cells of a set. Some may be in the set themselves, or on no board.
#[inline]
pub const fn neighbors_of(set: Bitboard) -> Bitboard {
    let along = set << 1 | set >> 1;
    let across = set | set << 1;
    let back = set | set >> 1;
    along | across << STRIDE | back >> STRIDE
}

/// The neighbors of a cell. Some may be on no board.
#[inline]
pub fn neighbors(cell: Cell) -> Bitboard {
    NEIGHBORS[cell.index() & 127]
}

/// The set with one cell.
#[inline]
pub const fn bit(cell: Cell) -> Bitboard {
    1 << (cell.0 & 127)
}

/// The cell with the lowest number in a set that must not be empty.
#[inline]
pub const fn lowest_cell(set: Bitboard) -> Cell {
    Cell(set.trailing_zeros() as u16)
}

/// The cells of a set in the order of their numbers.
#[inline]
pub fn cells_of(set: Bitboard) -> impl Iterator<Item = Cell> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let cell = lowest_cell(rest);
        let any = rest != 0;
        rest &= rest.wrapping_sub(1);
        any.then_some(cell)
    })
}

impl HexGrid {
    /// The least length of a short side.
    pub const MIN_SIDE: u8 = 2;

    /// A board, `None` unless the side lies within [`HexGrid::MIN_SIDE`] and the greatest side of its shape.
    pub fn new(shape: HexShape, side: u8) -> Option<HexGrid> {
        (HexGrid::MIN_SIDE..=shape.max_side()).contains(&side).then_some(HexGrid { shape, side })
    }

    /// A board of a side that must be valid.
    pub(crate) const fn of(shape: HexShape, side: u8) -> HexGrid {
        HexGrid { shape, side }
    }

    /// The outline.
    pub const fn shape(self) -> HexShape {
        self.shape
    }

    /// The number of cells on a short side.
    pub const fn side(self) -> u8 {
        self.side
    }

    /// The number of rows.
    pub const fn rows(self) -> u8 {
        match self.shape {
            HexShape::HalfHexagon => self.side,
            HexShape::Hexagon => 2 * self.side - 1,
        }
    }

    /// The number of cells of the longest row.
    pub const fn longest_row(self) -> u8 {
        2 * self.side - 1
    }

    /// The skewed column of the first cell of a row.
    pub(crate) const fn row_start(self, row: u8) -> u8 {
        if row < self.side { 0 } else { row + 1 - self.side }
    }

    /// The number of cells of a row, counted from 0 at the bottom.
    pub const fn row_length(self, row: u8) -> u8 {
        if row < self.side { self.side + row } else { 3 * self.side - 2 - row }
    }

    /// All cells as a set.
    pub fn all(self) -> Bitboard {
        let row = |row: u8| {
            let cells: Bitboard = (1 << self.row_length(row)) - 1;
            cells << (u32::from(row) * STRIDE + u32::from(self.row_start(row)))
        };
        (0..self.rows()).map(row).fold(0, |all, row| all | row)
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.all().count_ones() as usize
    }

    /// All cells in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        cells_of(self.all())
    }

    /// Whether the cell is on the board.
    pub fn contains(self, cell: Cell) -> bool {
        cell.0 < 128 && self.all() & bit(cell) != 0
    }

    /// The row of a cell, from 0 at the bottom.
    pub const fn row(self, cell: Cell) -> u8 {
        (cell.0 / STRIDE as u16) as u8
    }

    /// The column of a cell in the skewed coordinate system.
    pub const fn skewed_column(self, cell: Cell) -> u8 {
        (cell.0 % STRIDE as u16) as u8
    }

    /// The cell at a row and a skewed column, `None` if it is not on the board.
    pub fn at_skewed(self, row: u32, column: u32) -> Option<Cell> {
        if row >= u32::from(self.rows()) || column >= STRIDE {
            return None;
        }
        let cell = Cell((row * STRIDE + column) as u16);
        self.contains(cell).then_some(cell)
    }

    /// The cell at a row and a place in the row, both from 0, `None` if it is not on the board.
    pub fn get(self, row: u8, place: u8) -> Option<Cell> {
        let inside = row < self.rows() && place < self.row_length(row);
        let x = || u16::from(self.row_start(row) + place);
        inside.then(|| Cell(u16::from(row) * STRIDE as u16 + x()))
    }

    /// The middle cell of the middle row, or the cell right of its middle.
    pub fn center(self) -> Cell {
        let row = self.rows() / 2;
        self.get(row, self.row_length(row) / 2).unwrap_or(Cell(0))
    }

    /// The number of steps from one cell to another.
    pub fn distance(self, a: Cell, b: Cell) -> u8 {
        let across = i16::from(self.row(a)) - i16::from(self.row(b));
        let along = i16::from(self.skewed_column(a)) - i16::from(self.skewed_column(b));
        across.abs().max(along.abs()).max((across - along).abs()) as u8
    }

    /// The name of a cell: a row letter and the place in the row from 1, such as `g13`.
    pub fn label(self, cell: Cell) -> String {
        let row = self.row(cell);
        let place = self.skewed_column(cell).saturating_sub(self.row_start(row)) + 1;
        format!("{}{place}", (b'a' + row) as char)
    }

    /// The cell of a name. Case is ignored.
    pub fn parse(self, text: &str) -> Result<Cell, LabelError> {
        let malformed =
            || LabelError::MalformedHex(text.chars().take(20).collect(), self.label(self.center()));
        let letter = text.bytes().next().ok_or_else(malformed)?;
        let digits = text.get(1..).ok_or_else(malformed)?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if !letter.is_ascii_alphabetic() || digits.is_empty() || digits.len() > 3 || !plain {
            return Err(malformed());
        }
        let place = digits.parse::<u16>().map_err(|_| malformed())? - 1;
        let row = letter.to_ascii_lowercase() - b'a';
        let cell = self.get(row, u8::try_from(place).unwrap_or(u8::MAX));
        cell.ok_or_else(|| LabelError::OffHexBoard(text.to_owned(), self.to_string()))
    }
}

impl HexShape {
    /// The greatest length of a short side of which the board fits a [`Bitboard`].
    pub(crate) const fn max_side(self) -> u8 {
        match self {
            HexShape::HalfHexagon => 7,
            HexShape::Hexagon => 5,
        }
    }
}

/// The shape and side in words, for messages.
impl fmt::Display for HexGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            HexShape::HalfHexagon => "half hexagon",
            HexShape::Hexagon => "hexagon",
        };
        write!(f, "{shape} of side {}", self.side)
    }
}

/// A symmetry of a board: rotations by sixty degrees, followed by an optional reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexSymmetry {
    turns: u8,
    mirrored: bool,
}

impl HexSymmetry {
    /// The symmetries of a board, the identity first: twelve of a hexagon, two of half a hexagon.
    pub fn all(grid: HexGrid) -> impl Iterator<Item = HexSymmetry> {
        let turns = match grid.shape {
            HexShape::HalfHexagon => 1,
            HexShape::Hexagon => 6,
        };
        (0..turns).flat_map(|turns| [false, true].map(|mirrored| HexSymmetry { turns, mirrored }))
    }

    /// The image of a cell.
    pub fn apply(self, grid: HexGrid, cell: Cell) -> Cell {
        let (mut row, mut x) = (i16::from(grid.row(cell)), i16::from(grid.skewed_column(cell)));
        let center = i16::from(grid.side) - 1;
        if grid.shape == HexShape::HalfHexagon {
            x = if self.mirrored { center + row - x } else { x };
        } else {
            (row, x) = (row - center, x - center);
            for _ in 0..self.turns {
                (row, x) = (x, x - row);
            }
            if self.mirrored {
                (row, x) = (x, row);
            }
            (row, x) = (row + center, x + center);
        }
        Cell((row * STRIDE as i16 + x) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = HexGrid> {
        [HexShape::HalfHexagon, HexShape::Hexagon]
            .into_iter()
            .flat_map(|shape| (0..=8).filter_map(move |side| HexGrid::new(shape, side)))
    }

    /// Neighbors by row and place in the row, as in the rules: toward a longer row they are at the same place
    /// and the next, toward a shorter row at the same place and the one before.
    fn plain_neighbors(grid: HexGrid, cell: Cell) -> Vec<Cell> {
        let row = i16::from(grid.row(cell));
        let place = i16::from(grid.skewed_column(cell) - grid.row_start(grid.row(cell)));
        let shift = |from: i16, to: i16| -> [i16; 2] {
            let length = |row: i16| u8::try_from(row).map_or(0, |row| grid.row_length(row));
            if length(to) > length(from) { [0, 1] } else { [-1, 0] }
        };
        let mut found: Vec<(i16, i16)> = vec![(row, place - 1), (row, place + 1)];
        for to in [row - 1, row + 1].into_iter().filter(|to| (0..grid.rows().into()).contains(to)) {
            found.extend(shift(row, to).map(|by| (to, place + by)));
        }
        let known =
            |(row, place): (i16, i16)| grid.get(u8::try_from(row).ok()?, u8::try_from(place).ok()?);
        let mut cells: Vec<_> = found.into_iter().filter_map(known).collect();
        cells.sort_unstable();
        cells
    }

    #[test]
    fn shifts_lead_to_neighbors_only() {
        for grid in boards() {
            for cell in grid.iter() {
                let set = neighbors(cell) & grid.all();
                assert_eq!(
                    cells_of(set).collect::<Vec<_>>(),
                    plain_neighbors(grid, cell),
                    "{grid}"
                );
                assert!(grid.iter().all(|c| (grid.distance(c, cell) == 1) == (set & bit(c) != 0)));
            }
        }
    }

    #[test]
    fn no_line_runs_over_an_edge() {
        for grid in boards() {
            for (cell, step) in grid.iter().flat_map(|c| HEX_STEPS.map(|step| (c, step))) {
                let next = Cell(cell.0 + step as u16);
                assert!(!grid.contains(next) || grid.distance(cell, next) == 1, "{grid}");
            }
        }
    }

    #[test]
    fn labels_are_read_back() {
        for grid in boards() {
            for cell in grid.iter() {
                assert_eq!(grid.parse(&grid.label(cell)), Ok(cell));
                assert_eq!(grid.parse(&grid.label(cell).to_uppercase()), Ok(cell));
            }
        }
        let grid = HexGrid::of(HexShape::Hexagon, 5);
        assert_eq!((grid.cells(), grid.label(grid.center())), (61, "e5".to_owned()));
        let corners = ["a1", "a5", "e1", "e9", "i1", "i5"];
        assert!(corners.iter().all(|corner| grid.parse(corner).is_ok()));
        for wrong in ["a6", "i6", "e10", "j1", "a0", "a01", "5a", "", "a", "é1", "a999", "a+1"] {
            assert!(grid.parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn symmetries_keep_neighbors() {
        for grid in boards() {
            for symmetry in HexSymmetry::all(grid) {
                let image = |cell| symmetry.apply(grid, cell);
                let mut seen: Vec<_> = grid.iter().map(image).collect();
                seen.sort_unstable();
                assert_eq!(seen, grid.iter().collect::<Vec<_>>(), "{grid}, {symmetry:?}");
                for (a, b) in grid.iter().flat_map(|a| grid.iter().map(move |b| (a, b))) {
                    assert_eq!(grid.distance(a, b), grid.distance(image(a), image(b)));
                }
            }
            let fixed =
                HexSymmetry::all(grid).filter(|s| grid.iter().all(|c| s.apply(grid, c) == c));
            assert_eq!(fixed.count(), 1, "{grid}: no symmetry is listed twice");
        }
    }
}
