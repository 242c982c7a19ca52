//! Geometry without rules: square and hexagonal grids, their labels, lines and symmetries, and
//! stones on squares.

mod grid;
mod hex;
mod notation;
mod square;

pub use grid::{Grid, Symmetry};
pub use hex::{
    Bitboard, HEX_STEPS, HexGrid, HexShape, HexSymmetry, bit, cells_of, lowest_cell, neighbors,
    neighbors_of,
};
pub use notation::{LabelError, StoneTextError};
pub(crate) use notation::{parse_stone, stone_text};
pub use square::{
    CENTER, CellContent, CellLines, LANE_LOW_BITS, LineCells, LineMap, RADIUS, SquareBoard, Windows,
};
