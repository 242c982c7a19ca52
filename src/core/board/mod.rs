//! Geometry without rules: square and hexagonal grids, their labels, lines and symmetries, and
//! stones on squares.

mod grid;
mod hex;
mod notation;
mod square;

pub use grid::{Grid, Symmetry};
pub use hex::{
    Bitboard, HEX_STEPS, HexGrid, HexShape, HexSymmetry, bit, each, grow, lowest, neighbors,
};
pub(crate) use notation::parse_stone;
pub use notation::{LabelError, StoneTextError, stone_text};
pub use square::{
    CENTER, CellLines, Content, LANES, LineMap, Progression, RADIUS, SquareBoard, Windows,
};
