//! Boards for people to look at: as plain text, in the colors of a terminal, as SVG and as PNG.

mod canvas;
mod drawing;
mod escape;
mod hexes;
mod layout;
#[cfg(feature = "png")]
mod lettering;
#[cfg(feature = "png")]
mod png;
mod prisoners;
mod scene;
mod screen;
mod shown;
mod spans;
mod svg;
mod text;
mod tiles;

pub use drawing::{Candidate, Drawing, MarkError, MarkedPoint, tile_spots};
pub(crate) use escape::{escaped, printable};
pub use layout::{CellShape, Layout, Point};
#[cfg(feature = "png")]
pub use png::PngError;
pub use prisoners::Prisoners;
pub use screen::Target;
pub use shown::disc;
pub use spans::{AZURE, GRAY, ink};
pub use spans::{Look, Spans};
pub use svg::{svg, tiles_svg};
pub use text::{Letters, board};
pub use tiles::{DrawnTile, drawn, tiles_text};
