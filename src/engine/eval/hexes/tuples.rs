//! Tuples of cells whose contents tell what a position and a cell are worth
//! ([n-tuples](https://www.chessprogramming.org/N-tuple_networks), Bledsoe and Browning 1959): windows
//! in a row, and the rings around cells.

use pentarch_core::board::{HEX_STEPS, HexGrid, cells_of};
use pentarch_core::game::{Cell, Color};
use pentarch_core::hexes::Position;
use pentarch_core::rules::HexBoardRules;

/// What stands on the cells of a tuple, two bits a cell, the first one lowest: 0 for none, one more than
/// the number of a color, and [`OUTSIDE`]. Rings come after [`RINGS`].
pub(super) type Contents = u16;

/// A cell that is not on the board, in games of two colors.
pub(super) const OUTSIDE: Contents = 3;
/// The cells of a span.
pub(super) const SPAN: usize = 6;
/// The cells of a ring: one and those around it.
pub(super) const RING: usize = 7;
/// Where the contents of rings begin.
pub(super) const RINGS: Contents = 1 << (2 * SPAN);
/// One more than the greatest contents of spans and rings.
pub(super) const CONTENTS: usize = RINGS as usize + (1 << (2 * RING));

/// A cell as a part of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The number of the tuple.
    pub tuple: u16,
    /// The place of the cell in it.
    pub place: u8,
}

/// The tuples of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    /// By cell: what it is part of.
    of_cell: Vec<Vec<Part>>,
    /// By cell: what tells the worth of a stone there, so not the rings around other cells.
    around: Vec<Vec<Part>>,
    /// By tuple: the contents without any stones.
    empty: Vec<Contents>,
}

impl Part {
    /// A stone of a color there, as contents.
    #[inline]
    pub(super) fn stone(self, color: Color) -> Contents {
        (Contents::from(color.0 % 3) + 1) << (2 * self.place)
    }
}

impl Tuples {
    /// As many cells in a row as win.
    pub(super) fn windows(hexes: HexBoardRules) -> Tuples {
        let mut tuples = Tuples::none();
        let length = usize::from(hexes.line);
        for row in rows(hexes.grid) {
            for window in row.windows(length) {
                tuples.add(0, window.iter().copied().map(Some), length);
            }
        }
        tuples
    }

    /// Spans of six in a row, of which the first and the last may lie beyond the edge, and rings.
    pub(super) fn spans_and_rings(grid: HexGrid) -> Tuples {
        let mut tuples = Tuples::none();
        for row in rows(grid) {
            let outside = std::iter::once(None);
            let row: Vec<Option<Cell>> =
                outside.clone().chain(row.into_iter().map(Some)).chain(outside).collect();
            for span in row.windows(SPAN) {
                tuples.add(0, span.iter().copied(), SPAN);
            }
        }
        for cell in grid.iter() {
            tuples.add(RINGS, [Some(cell)].into_iter().chain(ring(grid, cell)), 1);
        }
        tuples
    }

    fn none() -> Tuples {
        let of_no_cell = vec![Vec::new(); 128];
        Tuples { of_cell: of_no_cell.clone(), around: of_no_cell, empty: Vec::new() }
    }

    /// Adds a tuple; the first so many cells look at it for the worth of a stone on them.
    fn add(&mut self, first: Contents, cells: impl Iterator<Item = Option<Cell>>, asked: usize) {
        let (tuple, mut contents) = (self.empty.len() as u16, first);
        for (place, cell) in (0..).zip(cells) {
            let part = Part { tuple, place };
            match cell {
                Some(cell) => {
                    self.of_cell[cell.index()].push(part);
                    if usize::from(place) < asked {
                        self.around[cell.index()].push(part);
                    }
                }
                None => contents += OUTSIDE << (2 * place),
            }
        }
        self.empty.push(contents);
    }

    /// What a cell is part of.
    #[inline]
    pub(super) fn of_cell(&self, cell: Cell) -> &[Part] {
        &self.of_cell[cell.index() & 127]
    }

    /// What tells the worth of a stone on a cell.
    #[inline]
    pub(super) fn around(&self, cell: Cell) -> &[Part] {
        &self.around[cell.index() & 127]
    }

    /// Places a stone of a color, or takes it off, and shows what every tuple around it held before and
    /// what it holds then.
    #[inline]
    pub(super) fn change(
        &self,
        contents: &mut [Contents],
        cell: Cell,
        color: Color,
        placed: bool,
        mut see: impl FnMut([Contents; 2]),
    ) {
        for part in self.of_cell(cell) {
            let Some(contents) = contents.get_mut(usize::from(part.tuple)) else { continue };
            let (before, stone) = (*contents, part.stone(color));
            *contents =
                if placed { before.wrapping_add(stone) } else { before.wrapping_sub(stone) };
            see([before, *contents]);
        }
    }

    /// The contents of every tuple.
    pub(super) fn read(&self, position: &Position, contents: &mut Vec<Contents>) {
        contents.clone_from(&self.empty);
        for color in (0..3).map(Color) {
            for cell in cells_of(position.stones(color)) {
                for part in self.of_cell(cell) {
                    contents[usize::from(part.tuple)] += part.stone(color);
                }
            }
        }
    }
}

/// The rows of a board along the three axes.
fn rows(grid: HexGrid) -> Vec<Vec<Cell>> {
    let onward = |cell: Cell, step: u32| {
        Some(Cell(cell.0 + step as u16)).filter(|&next| grid.contains(next))
    };
    let is_first = |cell: Cell, step: u32| {
        cell.0.checked_sub(step as u16).is_none_or(|before| !grid.contains(Cell(before)))
    };
    let firsts = HEX_STEPS.iter().flat_map(|&step| {
        grid.iter().filter(move |&cell| is_first(cell, step)).map(move |cell| (cell, step))
    });
    firsts
        .map(|(first, step)| std::iter::successors(Some(first), |&c| onward(c, step)).collect())
        .collect()
}

/// The cells around a cell, in their order around it.
fn ring(grid: HexGrid, cell: Cell) -> impl Iterator<Item = Option<Cell>> {
    let [along, across, back] = HEX_STEPS.map(|step| step as i32);
    [along, back, across, -along, -back, -across].into_iter().map(move |step| {
        let number = u16::try_from(i32::from(cell.0) + step).ok();
        number.map(Cell).filter(|&cell| grid.contains(cell))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::board::neighbors;
    use pentarch_core::rules::HexRules;
    use std::collections::BTreeSet;

    fn hexes(spec: &str) -> HexBoardRules {
        *spec.parse::<HexRules>().unwrap().board()
    }

    #[test]
    fn windows_of_known_boards() {
        let count = |spec: &str| Tuples::windows(hexes(spec)).empty.len();
        // Rows of 7 to 13 hold 3 to 9 fives; each of the other axes has seven rows of 7, and one
        // each of 6 and 5 cells and less.
        assert_eq!(count("pentalath"), 42 + 2 * (7 * 3 + 2 + 1));
        // Rows of 5 to 9 and back to 5, on three axes.
        assert_eq!(count("pentalath-hex"), 3 * (1 + 2 + 3 + 4 + 5 + 4 + 3 + 2 + 1));
        assert_eq!(count("yavalath"), 3 * (2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2));
        assert_eq!(count("yavalath+side=2"), 0);
    }

    #[test]
    fn spans_reach_a_cell_beyond_each_edge_and_rings_go_around() {
        let grid = hexes("yavalath").grid;
        let tuples = Tuples::spans_and_rings(grid);
        // A row of n cells has n + 2 with those beyond, so n - 3 spans.
        let spans: usize = 3 * (2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2);
        assert_eq!(tuples.empty.len(), spans + grid.cells());
        let center = grid.center();
        assert_eq!(tuples.of_cell(center).len(), 3 * SPAN + RING);
        assert_eq!(tuples.around(center).len(), 3 * SPAN + 1);
        for cell in grid.iter() {
            let around: Vec<Cell> = ring(grid, cell).flatten().collect();
            let set: BTreeSet<Cell> = around.iter().copied().collect();
            assert_eq!(set, cells_of(neighbors(cell) & grid.all()).collect());
            let all: Vec<Option<Cell>> = ring(grid, cell).collect();
            for (n, one) in all.iter().enumerate() {
                if let (Some(one), Some(next)) = (one, all[(n + 1) % 6]) {
                    assert_eq!(grid.distance(*one, next), 1);
                }
            }
        }
    }
}
