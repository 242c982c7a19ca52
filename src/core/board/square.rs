//! Stones on a square grid, kept as one word of bits per line.
//!
//! A line in one of the four directions is a `u64`: the cells in order from bit [`RADIUS`] on, and
//! [`RADIUS`] bits of wall at either end. The four windows around a cell, [`RADIUS`] cells to
//! either side, are packed into one word of four 16-bit lanes ([`Windows`]), so that rules test all
//! four directions at once with ordinary shifts.

use super::Grid;
use crate::game::{Cell, Color};
use std::sync::Arc;

/// The number of cells in a window on either side of its center. Six are enough for runs of up to six
/// and the neighbor that would make them longer.
pub const RADIUS: u32 = 6;

/// The bit of a lane that is the center of the window.
pub const CENTER: u32 = RADIUS;

/// The lowest bit of each lane.
pub const LANE_LOW_BITS: u64 = 0x0001_0001_0001_0001;

const WINDOW: u64 = (1 << (2 * RADIUS + 1)) - 1;

/// The four windows around a cell, a 16-bit lane each: along the row, the column, the rising and
/// the falling diagonal. Bit [`CENTER`] of a lane is the cell itself, the bits above it follow
/// [`LineMap::step`] of that direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows(pub u64);

impl Windows {
    /// The window of one direction, 13 bits.
    pub const fn lane(self, direction: usize) -> u16 {
        (self.0 >> (16 * direction)) as u16
    }
}

/// The places of a cell on its four lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellLines {
    /// The number of the line in each direction.
    pub line: [u8; 4],
    /// The place of the cell on each line, which is the shift that moves its window to bit 0.
    pub shift: [u8; 4],
}

/// A set of cells as bits of every line. Indexed by line number; any `u8` is in range.
type Plane = [u64; 256];

/// The cells of the bits of a line or a window: their numbers are an arithmetic progression.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineCells {
    /// The number of the cell of bit 0 modulo 2^16. The cell may lie off the board.
    start: u16,
    step: u16,
}

impl LineCells {
    /// The cells with `origin` at bit [`RADIUS`]: the first cell of a line or the center of a window.
    #[inline]
    fn new(origin: Cell, step: i16) -> LineCells {
        let step = step as u16;
        LineCells { start: origin.0.wrapping_sub(step.wrapping_mul(RADIUS as u16)), step }
    }

    /// The cell of a bit.
    #[inline]
    pub fn cell(self, bit: u32) -> Cell {
        Cell(self.start.wrapping_add(self.step.wrapping_mul(bit as u16)))
    }

    /// The cells of a set of bits.
    #[inline]
    fn cells(self, mut bits: u64) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(self.cell(bit))
        })
    }
}

/// The numbered lines of a grid, and the cells of each.
#[derive(Debug)]
pub struct LineMap {
    grid: Grid,
    of_cell: Box<[CellLines; Cell::LIMIT]>,
    /// The cells of each line.
    of_line: Box<[LineCells; 256]>,
    walls: Box<Plane>,
}

impl LineMap {
    /// Numbers the lines of a grid.
    pub fn new(grid: Grid) -> LineMap {
        let mut of_cell = Box::new([CellLines::default(); Cell::LIMIT]);
        let mut of_line = Box::new([LineCells::default(); 256]);
        let mut walls = Box::new([u64::MAX; 256]);
        for cell in grid.iter() {
            let at = cell_lines(grid, cell);
            for (direction, step) in steps(grid).into_iter().enumerate() {
                let line = usize::from(at.line[direction]);
                walls[line] &= !(1 << (u32::from(at.shift[direction]) + CENTER));
                if at.shift[direction] == 0 {
                    of_line[line] = LineCells::new(cell, step);
                }
            }
            of_cell[cell.index()] = at;
        }
        LineMap { grid, of_cell, of_line, walls }
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        let sides = usize::from(self.grid.columns()) + usize::from(self.grid.rows());
        3 * sides - 2
    }

    /// The places of a cell on its lines.
    #[inline]
    pub fn lines_of(&self, cell: Cell) -> CellLines {
        self.of_cell[cell.index() % Cell::LIMIT]
    }

    /// The difference of cell numbers for a step along a direction.
    #[inline]
    pub fn step(&self, direction: usize) -> i16 {
        self.steps()[direction & 3]
    }

    /// [`LineMap::step`] of every direction.
    #[inline]
    pub fn steps(&self) -> [i16; 4] {
        steps(self.grid)
    }

    /// The cells of some bits of a line. None of the bits may belong to its wall.
    #[inline]
    pub fn cells(&self, number: u8, bits: u64) -> impl Iterator<Item = Cell> + use<> {
        self.progression(number).cells(bits)
    }

    /// The cells of all bits of a line. Those of its wall lie off the board.
    #[inline]
    pub fn progression(&self, number: u8) -> LineCells {
        self.of_line[usize::from(number)]
    }

    /// The cells of some bits of the window around a cell, which must lie on the board.
    #[inline]
    pub fn window_cells(
        &self,
        cell: Cell,
        direction: usize,
        bits: u16,
    ) -> impl Iterator<Item = Cell> + use<> {
        LineCells::new(cell, self.step(direction)).cells(bits.into())
    }

    /// The cells of some bits of all windows around a cell, which must lie on the board, direction by
    /// direction.
    #[inline]
    pub fn cells_in(&self, cell: Cell, windows: Windows) -> impl Iterator<Item = Cell> {
        (0..4)
            .flat_map(move |direction| self.window_cells(cell, direction, windows.lane(direction)))
    }

    /// The bit of one cell in the windows around another: 0 if they do not include it, a bit in every
    /// lane if it is their center.
    #[inline]
    pub fn window_bit(&self, center: Cell, cell: Cell) -> u64 {
        let Some(direction) = self.direction_between(center, cell) else { return 0 };
        if center == cell {
            return LANE_LOW_BITS << CENTER;
        }
        let [from, to] = [center, cell].map(|cell| u32::from(self.lines_of(cell).shift[direction]));
        let place = (to + RADIUS).wrapping_sub(from);
        if place <= 2 * RADIUS { 1 << (16 * direction as u32 + place) } else { 0 }
    }

    /// The direction of the line through two cells, `None` if there is none. Direction 0 for equal cells.
    #[inline]
    pub fn direction_between(&self, a: Cell, b: Cell) -> Option<usize> {
        let numbers = |cell| u32::from_le_bytes(self.lines_of(cell).line);
        let differ = numbers(a) ^ numbers(b);
        // The highest bit of the lowest byte that is zero
        // (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
        let same = differ.wrapping_sub(0x0101_0101) & !differ & 0x8080_8080;
        (same != 0).then(|| same.trailing_zeros() as usize / 8)
    }

    /// The bit of a cell on its line along a direction.
    #[inline]
    pub fn bit(&self, cell: Cell, direction: usize) -> u64 {
        1 << (u32::from(self.lines_of(cell).shift[direction & 3]) + RADIUS)
    }

    /// The bit of a cell on the line with this number along a direction; 0 if it is on another line.
    #[inline]
    pub(crate) fn bit_on(&self, cell: Cell, direction: usize, number: u8) -> u64 {
        let is_on_it = self.lines_of(cell).line[direction & 3] == number;
        if is_on_it { self.bit(cell, direction) } else { 0 }
    }

    /// The bits of a line that lie off the board; all bits if there is no line with this number.
    #[inline]
    pub fn wall(&self, number: u8) -> u64 {
        self.walls[usize::from(number)]
    }

    /// The bits of the windows around a cell that lie off the board.
    #[inline]
    pub fn walls(&self, cell: Cell) -> Windows {
        gather(|number| self.wall(number), self.lines_of(cell))
    }
}

#[inline]
fn steps(grid: Grid) -> [i16; 4] {
    let columns = i16::from(grid.columns());
    [1, columns, columns + 1, columns - 1]
}

/// Lines are numbered rows first, then columns, rising diagonals, falling diagonals.
fn cell_lines(grid: Grid, cell: Cell) -> CellLines {
    let (columns, rows) = (grid.columns(), grid.rows());
    let (column, row) = (grid.column(cell), grid.row(cell));
    let rising = rows + columns;
    let falling = rising + (rows + columns - 1);
    CellLines {
        line: [row, rows + column, rising + column + rows - 1 - row, falling + column + row],
        shift: [column, row, column.min(row), row.min(columns - 1 - column)],
    }
}

/// The windows around a cell, given the words of the lines.
#[inline]
fn gather(line: impl Fn(u8) -> u64, at: CellLines) -> Windows {
    let mut windows = 0;
    for direction in 0..4 {
        let line = line(at.line[direction]);
        windows |= ((line >> (at.shift[direction] & 63)) & WINDOW) << (16 * direction);
    }
    Windows(windows)
}

/// Sets a cell's bits in a plane and returns the windows around the cell.
#[inline]
fn set(plane: &mut Plane, at: CellLines) -> Windows {
    let mut windows = 0;
    for direction in 0..4 {
        let shift = at.shift[direction] & 63;
        let line = &mut plane[usize::from(at.line[direction])];
        *line |= (1 << CENTER) << shift;
        windows |= ((*line >> shift) & WINDOW) << (16 * direction);
    }
    Windows(windows)
}

/// Clears a cell's bits in a plane.
#[inline]
fn clear(plane: &mut Plane, at: CellLines) {
    for direction in 0..4 {
        let shift = at.shift[direction] & 63;
        plane[usize::from(at.line[direction])] &= !((1 << CENTER) << shift);
    }
}

/// The content of a cell: empty or a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellContent(pub u8);

impl CellContent {
    /// No stone.
    pub const EMPTY: CellContent = CellContent(0);

    /// A stone of a color.
    pub const fn stone(color: Color) -> CellContent {
        CellContent(color.0 + 1)
    }

    /// The color of the stone, `None` for an empty cell.
    pub const fn color(self) -> Option<Color> {
        match self.0 {
            0 => None,
            n => Some(Color(n - 1)),
        }
    }
}

/// Four colors and two kinds of colorless stones, rounded up to a power of two so that a mask keeps an
/// index in range.
const PLANES: usize = 8;

/// The stones of up to four colors and colorless stones on a grid, kept as a list of contents
/// and, for each color, as bits of every line.
#[derive(Debug)]
pub struct SquareBoard {
    map: Arc<LineMap>,
    planes: Box<[Plane; PLANES]>,
    contents: Box<[u8; Cell::LIMIT]>,
    empty: u16,
    colors: u8,
}

/// Copies only what the board's size and colors need, because rules that try a move on a copy make one for
/// each move.
impl Clone for SquareBoard {
    fn clone(&self) -> SquareBoard {
        let mut copy = SquareBoard::new(Arc::clone(&self.map), self.colors);
        copy.copy_from(self);
        copy
    }
}

impl SquareBoard {
    /// An empty board for stones of `colors` colors. Neutral and power stones count as the fifth and sixth
    /// color.
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

    /// The content of a cell: empty or a stone.
    #[inline]
    pub fn content(&self, cell: Cell) -> CellContent {
        CellContent(self.contents[cell.index() % Cell::LIMIT])
    }

    /// Whether the board may have colorless stones.
    #[inline]
    pub fn has_colorless_stones(&self) -> bool {
        self.colors > Color::NEUTRAL.0
    }

    /// The number of empty cells.
    #[inline]
    pub fn empty(&self) -> u16 {
        self.empty
    }

    /// The windows of a color's stones around a cell.
    #[inline]
    pub fn windows(&self, color: Color, cell: Cell) -> Windows {
        gather(|number| self.line(color, number), self.map.lines_of(cell))
    }

    /// The windows of the stones of two colors around a cell.
    #[inline]
    pub(crate) fn windows_of_pair(&self, colors: [Color; 2], cell: Cell) -> Windows {
        let line = |number| colors.map(|color| self.line(color, number));
        gather(|number| line(number)[0] | line(number)[1], self.map.lines_of(cell))
    }

    /// A color's stones on a line, in the bit layout that [`Windows`] are cut from.
    #[inline]
    pub fn line(&self, color: Color, number: u8) -> u64 {
        self.planes[color.index() % PLANES][usize::from(number)]
    }

    /// All stones on a line, colorless ones included.
    #[inline]
    pub(crate) fn occupied_on_line(&self, number: u8) -> u64 {
        let planes = self.planes.iter().take(self.colors.into());
        planes.fold(0, |taken, plane| taken | plane[usize::from(number)])
    }

    /// A color's stones on all lines, indexed by line number.
    #[inline]
    pub(crate) fn all_lines(&self, color: Color) -> &[u64] {
        &self.planes[color.index() % PLANES][..self.map.lines()]
    }

    /// Puts a stone on an empty cell and returns the windows of its color around it.
    #[inline]
    pub fn place(&mut self, color: Color, cell: Cell) -> Windows {
        debug_assert_eq!(self.content(cell), CellContent::EMPTY);
        self.contents[cell.index() % Cell::LIMIT] = CellContent::stone(color).0;
        self.empty -= 1;
        set(&mut self.planes[color.index() % PLANES], self.map.lines_of(cell))
    }

    /// Removes a stone of a color from a cell.
    #[inline]
    pub fn remove(&mut self, color: Color, cell: Cell) {
        debug_assert_eq!(self.content(cell), CellContent::stone(color));
        self.contents[cell.index() % Cell::LIMIT] = 0;
        self.empty += 1;
        clear(&mut self.planes[color.index() % PLANES], self.map.lines_of(cell));
    }

    /// Copies another board of the same grid without allocating.
    pub(crate) fn copy_from(&mut self, other: &SquareBoard) {
        let (lines, cells) = (self.map.lines(), self.grid().cells());
        for (mine, theirs) in self.planes.iter_mut().zip(&*other.planes).take(self.colors.into()) {
            mine[..lines].copy_from_slice(&theirs[..lines]);
        }
        self.contents[..cells].copy_from_slice(&other.contents[..cells]);
        self.empty = other.empty;
    }

    /// The occupied cells of a row, as bits from column 0.
    pub fn occupied_row(&self, row: u8) -> u32 {
        (self.occupied_on_line(row) >> RADIUS) as u32
    }

    /// The cells with a stone of a color, in order.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_lines_have_their_bits() {
        let grid = Grid::new(7, 4).unwrap();
        let map = LineMap::new(grid);
        for cell in grid.iter() {
            let at = map.lines_of(cell);
            for (line, shift) in at.line.into_iter().zip(at.shift) {
                let bit = 1 << (u32::from(shift) + RADIUS);
                assert!(map.cells(line, bit).eq([cell]), "{line} {cell:?}");
                assert_eq!(map.progression(line).cell(bit.trailing_zeros()), cell, "{line}");
            }
        }
        for (center, cell) in grid.iter().flat_map(|a| grid.iter().map(move |b| (a, b))) {
            let shown = (0..4).any(|direction| {
                let bits = (map.window_bit(center, cell) >> (16 * direction)) as u16;
                map.window_cells(center, direction, bits).any(|found| found == cell)
            });
            let lanes = map.window_bit(center, cell).count_ones();
            let near = grid.chebyshev(center, cell) <= RADIUS as u8;
            let numbers = [center, cell].map(|cell| map.lines_of(cell).line);
            let between = (0..4).find(|&d| numbers[0][d] == numbers[1][d]);
            assert_eq!(shown, near && between.is_some(), "{center:?} {cell:?}");
            assert_eq!(map.direction_between(center, cell), between, "{center:?} {cell:?}");
            assert_eq!(lanes, if center == cell { 4 } else { shown.into() }, "{center:?} {cell:?}");
        }
        for number in 0..map.lines() as u8 {
            let cells: Vec<_> = map.cells(number, !map.wall(number)).collect();
            assert!(cells.windows(2).all(|pair| grid.chebyshev(pair[0], pair[1]) == 1));
        }
    }
}
