//! The game of tiles in layers, Pent-Up: each color stacks twelve pentominoes on a table without edges
//! (S2).
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end.
//! [`Pentomino`] and its orientations are geometry, [`Layers`] finds where a tile fits, and the position
//! keeps the owners and the counts of tiles.

mod layers;
mod playout;
mod position;
mod text;
mod tile;

pub use layers::Layers;
pub use playout::Playout;
pub use position::{FIRST_TILE_CORNER, IllegalTileMove, LevelCounts, Position};
pub use text::TileTextError;
pub use tile::{ORIENTATIONS, OrientedTile, Pentomino, PlacedTile, Spot, SpotError};
