//! The game of tiles in layers, Pent-Up: twelve pentominoes a color, stacked on a table without
//! end (S2).
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end.
//! [`Shape`] and its orientations are geometry, [`Layers`] knows where a tile fits, the position
//! knows whose tiles they are and what they count.

mod illegal;
mod layers;
mod notation;
mod pentomino;
mod placed;
mod placements;
mod playout;
mod position;
mod spot;
mod text;

pub use illegal::IllegalTile;
pub use layers::Layers;
pub use notation::{TileTextError, canonical};
pub use pentomino::{ORIENTATIONS, Oriented, Shape};
pub use placed::Placed;
pub use playout::Playout;
pub use position::{LevelCounts, Position, START};
pub use spot::{Spot, SpotError};
