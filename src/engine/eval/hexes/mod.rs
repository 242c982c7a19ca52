//! The values of positions of Pentalath and Yavalath, and which of their moves look good.

mod evaluator;
mod guide;
mod places;
mod tables;
mod tactics;
mod terms;
mod tuples;
mod weights;
mod weights_text;
mod worth;

pub use evaluator::HexEvaluator;
pub use guide::HexGuide;
pub use tables::HexTables;
pub use weights::{HexGame, HexWeights};
