//! A small table as bits, and the places of tiles around a set of its cells.

use pentarch_core::stacking::{ORIENTATIONS, Pentomino, Spot};

/// A set of cells of a table of 64 x 64, far larger than two rings around a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet([u64; CellSet::SIDE]);

/// A tile at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub shape: Pentomino,
    pub cells: [Cell; 5],
    /// Which of the required cells it covers, a bit each.
    pub covers: u64,
}

/// Column and row.
pub(super) type Cell = (u8, u8);

/// Where the middle of the small table lies on the table of the texts.
const CORNER: u8 = 84 - CellSet::MIDDLE;

impl CellSet {
    const SIDE: usize = 64;
    /// Where the tile in the middle begins.
    pub(super) const MIDDLE: u8 = 30;

    pub(super) const fn new() -> CellSet {
        CellSet([0; CellSet::SIDE])
    }

    #[inline]
    pub(super) fn has(&self, (column, row): Cell) -> bool {
        self.0[usize::from(row) % CellSet::SIDE] >> (column & 63) & 1 != 0
    }

    #[inline]
    pub(super) fn has_any(&self, cells: &[Cell]) -> bool {
        cells.iter().any(|&cell| self.has(cell))
    }

    /// Adds cells, or takes them away again.
    #[inline]
    pub(super) fn flip(&mut self, cells: &[Cell]) {
        for &(column, row) in cells {
            self.0[usize::from(row) % CellSet::SIDE] ^= 1 << (column & 63);
        }
    }

    pub(super) fn of(cells: &[Cell]) -> CellSet {
        let mut set = CellSet::new();
        set.flip(cells);
        set
    }
}

/// The spot of the table of the texts at which a cell is drawn.
pub(super) fn spot((column, row): Cell) -> Spot {
    Spot { column: CORNER + column, row: CORNER + row }
}

/// The cells that share an edge with one of some cells and are not taken, each once.
pub(super) fn beside(cells: &[Cell], taken: &CellSet) -> Vec<Cell> {
    let mut found = CellSet::new();
    let mut list = Vec::new();
    for &(x, y) in cells {
        for cell in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if !taken.has(cell) && !found.has(cell) {
                found.flip(&[cell]);
                list.push(cell);
            }
        }
    }
    list
}

/// Every place of the given shapes that covers one of at most 64 required cells and none that is
/// taken.
pub(super) fn placements(
    required: &[Cell],
    taken: &CellSet,
    shapes: impl Fn(Pentomino) -> bool,
) -> Vec<Placement> {
    let mut found = Vec::new();
    for oriented in ORIENTATIONS.iter().filter(|oriented| shapes(oriented.shape)) {
        for (index, &(x, y)) in required.iter().enumerate() {
            for &(dx, dy) in &oriented.cells {
                let (left, low) = (x - dx, y - dy);
                let cells = oriented.cells.map(|(dx, dy)| (left + dx, low + dy));
                let covers = required
                    .iter()
                    .enumerate()
                    .filter(|(_, cell)| cells.contains(cell))
                    .fold(0_u64, |covers, (index, _)| covers | 1 << index);
                // Each place once: for the first required cell that it covers.
                if covers.trailing_zeros() as usize == index && !taken.has_any(&cells) {
                    found.push(Placement { shape: oriented.shape, cells, covers });
                }
            }
        }
    }
    found
}
