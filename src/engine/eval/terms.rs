//! The weights that values and ordering scores are sums of, for fits.

use crate::search::ThreatGenerator;
use pentarch_core::game::{Move, Position};

/// The index of a weight of values, and how often it counts.
pub type ValueTerm = (u16, i16);

/// The weights of which the value of a position for the side to move is made, before it is scaled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueTerms {
    /// The weights of the sum. Between two sides those of the other side count negatively.
    pub sum: Vec<ValueTerm>,
    /// With more than two sides, the weights of the strength of each other side, from its own perspective. The
    /// value is then the logarithm of the odds of the first sum against all of these, if chances go by strength.
    pub others: Vec<Vec<ValueTerm>>,
}

/// An evaluator whose values and ordering scores are sums of weights, so that these can be fitted.
pub trait WeightedEvaluator<P: Position>: ThreatGenerator<P> {
    /// The terms of the value without a network.
    fn value_terms(&self, position: &P) -> ValueTerms;

    /// The scale of values in a fit, in percent: that of play, unless the value scale of the fit is part of it.
    fn scale_percent(&self) -> i32;

    /// The indices of the weights whose sum is the ordering score of a move.
    fn ordering_terms(&self, position: &P, mv: Move) -> Vec<u16>;
}
