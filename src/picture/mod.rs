//! Boards for people to look at.

mod hexes;
mod layout;
mod prisoners;
mod svg;
mod text;
mod tiles;

pub use layout::{CellShape, Layout, Point};
pub use prisoners::Prisoners;
pub use svg::{svg, tiles_svg};
pub use text::{Letters, board};
pub use tiles::{DrawnTile, drawn, tiles_text};
