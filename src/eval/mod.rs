//! What a position is worth and which moves are worth a look, for each family of games.
//!
//! Everything here is opinion or a short cut; the rules decide. Tables are built by asking the
//! rule components about windows, so no variant is named here.

mod cell_sets;
mod hexes;
mod lanes;
mod line_evaluator;
mod line_update;
mod near_stones;
mod patterns;
mod shapes;
mod spoilers;
mod threats;
mod tiles;
mod variants;
mod weights;

pub use hexes::{HexEvaluator, HexGuide, HexTables};
pub use line_evaluator::LineEvaluator;
pub use patterns::PatternTables;
pub use threats::{Call, Threat, threats};
pub use tiles::{TileEvaluator, TileGuide};
pub use variants::{VariantEvaluator, VariantGuide};
