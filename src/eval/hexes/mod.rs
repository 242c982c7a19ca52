//! The values of positions of Pentalath and Yavalath, and which of their moves look good.

mod evaluator;
mod guide;
mod tactics;
mod windows;

pub use evaluator::HexEvaluator;
pub use guide::HexGuide;
pub use windows::HexTables;
