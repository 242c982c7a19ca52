//! The values of positions of Pent-Up, and which of its moves look good.
//!
//! Where a tile may go follows from the rules alone once the tile is chosen, so the last tile of a
//! game decides nothing: its level is known before it is placed.

mod evaluator;
mod guide;
mod outlook;

pub use evaluator::TileEvaluator;
pub use guide::TileGuide;
