//! Boards for people to look at.

mod text;
mod tiles;

pub use text::{Letters, board};
pub use tiles::{DrawnTile, drawn, tiles_text};
