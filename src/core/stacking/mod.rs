//! The game of tiles in layers, Pent-Up: twelve pentominoes a color, stacked on a table without
//! end (S2).
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end.
//! [`Pentomino`] and its orientations are geometry, [`Layers`] knows where a tile fits, the position
//! knows whose tiles they are and what they count.

mod layers;
mod playout;
mod position;
mod text;
mod tile;

pub use layers::Layers;
pub use playout::Playout;
pub use position::{FIRST_TILE_CORNER, IllegalTileMove, LevelCounts, Position};
pub use text::{TileTextError, tile_text};
pub use tile::{ORIENTATIONS, OrientedTile, Pentomino, PlacedTile, Spot, SpotError};
