//! What positions of Pent-Up are worth.

mod levels;

pub use levels::TileEvaluator;
