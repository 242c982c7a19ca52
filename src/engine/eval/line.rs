//! One line of the board, and what a changed cell on it changes around it.

use super::cell_pattern::{CellPattern, packed, with_entries};
use super::line_entries::{LineBits, LineEntries};
use pentarch_core::board::{LineCells, SquareBoard};
use pentarch_core::game::{Cell, Color};

/// The bits of a line: it has no more cells.
pub(super) const LINE_BITS: usize = u64::BITS as usize;

/// The patterns of all cells, by cell and color.
pub(super) type Patterns<const N: usize> = [[CellPattern; N]; Cell::LIMIT];

/// The patterns of a cell that were overwritten by others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overwritten<const N: usize> {
    pub old: [CellPattern; N],
    pub new: [CellPattern; N],
    pub cell: Cell,
}

/// A line with all that lies on it, for `N` colors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<const N: usize> {
    stones: [u64; N],
    /// What blocks all colors.
    wall: u64,
    /// The stones that are everybody's own.
    power: u64,
    direction: usize,
    cells: LineCells,
}

impl<const N: usize> Line<N> {
    /// The line of that number, which must run along that direction.
    #[inline]
    pub(super) fn new(board: &SquareBoard, number: u8, direction: usize) -> Line<N> {
        let stones = std::array::from_fn(|color| board.line(Color(color as u8), number));
        let mut wall = board.map().wall(number);
        let mut power = 0;
        if board.has_colorless_stones() {
            wall |= board.line(Color::NEUTRAL, number);
            power = board.line(Color::POWER, number);
        }
        Line { stones, wall, power, direction, cells: board.map().progression(number) }
    }

    /// What a stone of each color would make of the line on the cell of a bit.
    #[inline]
    pub(super) fn entries<const R: u32>(&self, entries: &LineEntries, bit: u32) -> [u8; N] {
        if self.power == 0 {
            self.bits::<false>().entries::<R>(entries, bit - R)
        } else {
            self.bits::<true>().entries::<R>(entries, bit - R)
        }
    }

    /// Updates what the line adds to the pattern of each empty cell within `R` of some `changed` bits of it,
    /// but not of these. The patterns that become others are written into `room`; returns how many.
    #[expect(
        clippy::inline_always,
        reason = "called for each line, it took 1 % of all instructions more"
    )]
    #[inline(always)]
    pub(super) fn update<const R: u32>(
        &self,
        patterns: &mut Patterns<N>,
        entries: &LineEntries,
        changed: u64,
        room: &mut [Overwritten<N>; LINE_BITS],
    ) -> usize {
        let taken = self.stones.iter().fold(self.wall | self.power, |bits, line| bits | line);
        let free = within::<R>(changed) & !(taken | changed);
        if self.power == 0 {
            self.update_cells::<R, false>(patterns, entries, free, room)
        } else {
            self.update_cells::<R, true>(patterns, entries, free, room)
        }
    }

    #[expect(clippy::inline_always, reason = "it is the innermost loop")]
    #[inline(always)]
    fn update_cells<const R: u32, const SHARED: bool>(
        &self,
        patterns: &mut Patterns<N>,
        entries: &LineEntries,
        mut free: u64,
        room: &mut [Overwritten<N>; LINE_BITS],
    ) -> usize {
        let bits = self.bits::<SHARED>();
        let mut count = 0;
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            let cell = self.cells.cell(bit);
            let entries = bits.entries::<R>(entries, bit - R);
            let at = &mut patterns[cell.index() % Cell::LIMIT];
            let new = with_entries(*at, self.direction, entries);
            let old = std::mem::replace(at, new);
            room[count % LINE_BITS] = Overwritten { old, new, cell };
            count += usize::from(packed(old) != packed(new));
        }
        count
    }

    /// The line to look entries up by; `SHARED` says whether there are stones that are everybody's own.
    #[inline]
    fn bits<const SHARED: bool>(&self) -> LineBits<N, SHARED> {
        LineBits::new(self.stones, self.wall, if SHARED { self.power } else { 0 })
    }
}

/// The bits of a line within `R`, 4 or 5, of some.
#[inline]
fn within<const R: u32>(bits: u64) -> u64 {
    [1, 2, 4, 2 * R - 7].into_iter().fold(bits >> R, |all, shift| all | all << shift)
}
