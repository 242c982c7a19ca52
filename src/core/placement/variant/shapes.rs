//! Runs of stones along lines, for rules that ask about more than the line just made.

use crate::board::SquareBoard;
use crate::game::{Cell, Color};

/// A row of stones with none of its own at either end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The number of its line.
    line: u8,
    /// The line's bits of its stones.
    stones: u64,
}

impl Row {
    /// How many stones it has.
    pub(super) fn length(self) -> u32 {
        self.stones.count_ones()
    }

    /// Where its stones lie.
    pub(super) fn cells(self, board: &SquareBoard) -> impl Iterator<Item = Cell> + use<> {
        board.map().cells(self.line, self.stones)
    }
}

/// Every row of at least `length` stones, two or more, of a color, power stones counted as its own:
/// one look at each line. Mostly there is none.
pub(super) fn rows_of(
    board: &SquareBoard,
    color: Color,
    length: u8,
) -> impl Iterator<Item = Row> + '_ {
    (0..board.map().lines() as u8).flat_map(move |line| {
        let own = board.line(color, line) | board.line(Color::POWER, line);
        let mut starts = runs(own, length.into()) & !(own << 1);
        std::iter::from_fn(move || {
            let start = (starts != 0).then(|| starts.trailing_zeros())?;
            starts &= starts - 1;
            let stones = (1 << (own >> start).trailing_ones()) - 1;
            Some(Row { line, stones: stones << start })
        })
    })
}

/// Whether there is such a row: all lines are looked at in one sweep.
pub(super) fn has_row(board: &SquareBoard, color: Color, length: u8) -> bool {
    let lines = board.all_lines(color).iter().zip(board.all_lines(Color::POWER));
    let mut lines = lines.map(|(own, power)| own | power);
    match length {
        // With a number that the compiler knows the sweep looks at several lines at once.
        5 => lines.fold(0, |any, own| any | (1..5).fold(own, |row, n| row & own >> n)) != 0,
        _ => lines.any(|own| runs(own, length.into()) != 0),
    }
}

/// The bits at which that many bits in a row begin.
#[inline]
pub(super) fn runs(bits: u64, length: u32) -> u64 {
    let (mut runs, mut known) = (bits, 1);
    while known < length && runs != 0 {
        let more = known.min(length - known);
        runs &= runs >> more;
        known += more;
    }
    runs
}

/// Crowded boards, and lines walked cell by cell, for tests.
#[cfg(test)]
pub(super) mod walks {
    use crate::board::{Content, Grid, LineMap, SquareBoard};
    use crate::game::{Cell, Color};
    use fastrand::Rng;
    use std::sync::Arc;

    /// A board of many threes and fours: of twenty cells five hold a stone of the first color, and of those
    /// below `second` the others one of the second.
    pub(crate) fn crowded_board(rng: &mut Rng, size: u8, second: u8) -> SquareBoard {
        let grid = Grid::new(size, size).unwrap();
        let mut board = SquareBoard::new(Arc::new(LineMap::new(grid)), 2);
        for cell in grid.iter() {
            let drawn = rng.u8(..20);
            if drawn < 5 {
                board.place(Color(0), cell);
            } else if drawn < second {
                board.place(Color(1), cell);
            }
        }
        board
    }

    /// One step along each axis.
    pub(crate) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

    /// The cell that many steps along an axis.
    pub(crate) fn step(board: &SquareBoard, cell: Cell, axis: (i32, i32), n: i32) -> Option<Cell> {
        let grid = board.grid();
        grid.get(i32::from(grid.column(cell)) + axis.0 * n, i32::from(grid.row(cell)) + axis.1 * n)
    }

    /// How many stones of a color follow each other from a cell on, itself not counted.
    pub(crate) fn reach(board: &SquareBoard, color: Color, cell: Cell, axis: (i32, i32)) -> i32 {
        let own = Content::stone(color);
        let next = |n: &i32| step(board, cell, axis, *n).is_some_and(|c| board.content(c) == own);
        (1..i32::from(Grid::MAX)).take_while(next).count() as i32
    }
}
