//! What a position is worth and which moves are worth a look, for each family of games.
//!
//! Everything here is opinion or a short cut; the rules decide. Tables are built by asking the
//! rule components about windows, so no variant is named here.

mod calls;
mod capture_zone;
mod cell_pattern;
mod cell_sets;
mod eval_file;
mod hexes;
mod line;
mod line_entries;
mod line_evaluator;
mod near_stones;
mod network;
mod noise;
mod pattern_map;
mod pattern_state;
mod patterns;
mod scale;
mod shapes;
mod terms;
mod tiles;
mod touches;
mod undo_log;
mod variants;
mod weights;
mod worth;

pub use calls::{Call, Threat, threats};
pub use eval_file::{EvalFile, EvalFileError};
pub use hexes::{HexEvaluator, HexGame, HexGuide, HexTables, HexWeights};
pub use line_evaluator::LineEvaluator;
pub use network::{
    CONTEXT, COUNTS, DIMENSIONS, FloatNetwork, FloatPolicy, Grouping, HIDDEN, INPUTS, Network,
    NetworkError, Policy, THREATS,
};
pub use patterns::PatternTables;
pub use terms::{NetworkInput, ValueTerm, ValueTerms, WeightedEvaluator};
pub use tiles::{TileEvaluator, TileGuide};
pub use variants::{VariantEvaluator, VariantGuide};
pub use weights::{Genre, Weights, WeightsError};
