//! Geometry without rules: the square grid, its labels, lines and symmetries, and the stones on it.

mod grid;
mod lines;
mod square;
mod symmetry;
mod zobrist;

pub use grid::{Grid, LabelError};
pub use lines::{CENTRE, LANES, LineMap, RADIUS, Spot, Windows};
pub use square::{Content, SquareBoard};
pub use symmetry::Symmetry;
pub use zobrist::{Zobrist, mix};
