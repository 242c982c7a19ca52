//! The evaluation: values of positions, candidate moves and their order, and threats, for each family of games.
//!
//! Everything here is an estimate or a short cut; the rules decide. Tables are built by asking the rule components
//! about windows of cells, so that no variant is named here.

mod eval_file;
mod hexes;
mod scale;
mod stones;
mod tensor_file;
mod terms;
mod tiles;

pub use eval_file::{EvalFile, EvalFileError};
pub use hexes::{HexEvaluator, HexGame, HexGuide, HexTables, HexWeights};
pub use stones::{
    ACCUMULATOR_SIZE, CAPTURE_BUCKETS, Call, FeatureBuckets, FloatNetwork, FloatPolicy, HIDDEN,
    INPUTS, LineEvaluator, Network, NetworkInput, POLICY_HIDDEN, Policy, RuleClass, StoneEvaluator,
    StoneGuide, StoneTables, THREAT_BUCKETS, Threat, VariantEvaluator, Weights, threats,
};
pub use tensor_file::FormatError;
pub use terms::{ValueTerm, ValueTerms, WeightedEvaluator};
pub use tiles::{TileEvaluator, TileGuide};

/// The points of an ordering score that equal one logit.
pub const ORDERING_SCALE: f32 = 350.0;
