//! Geometry without rules: square and hexagonal grids, their labels, lines and symmetries, and
//! stones on squares.

mod grid;
mod hex;
mod lines;
mod notation;
mod square;
mod symmetry;

pub use grid::{Grid, LabelError};
pub use hex::{
    Bitboard, HEX_STEPS, HexGrid, HexShape, HexSymmetry, bit, each, grow, lowest, neighbors,
};
pub use lines::{CENTER, CellLines, LANES, LineMap, Progression, RADIUS, Windows};
pub(crate) use notation::parse_stone;
pub use notation::{StoneTextError, stone_text};
pub use square::{Content, SquareBoard};
pub use symmetry::Symmetry;
