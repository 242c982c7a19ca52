//! Geometry without rules: square and hexagonal grids, their labels, lines and symmetries, and
//! stones on squares.

mod grid;
mod hex;
mod lines;
mod square;
mod symmetry;
mod zobrist;

pub use grid::{Grid, LabelError};
pub use hex::{
    CellSet, HEX_STEPS, HexGrid, HexShape, HexSymmetry, bit, each, grow, lowest, neighbors,
};
pub use lines::{CENTER, LANES, LineMap, RADIUS, Spot, Windows};
pub use square::{Content, SquareBoard};
pub use symmetry::Symmetry;
pub use zobrist::{Zobrist, mix};
