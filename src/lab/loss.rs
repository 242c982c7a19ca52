//! Training targets and loss functions.

use super::training_game::PositionLabel;
use pentarch_engine::search::Score;

/// What a value is trained to predict: a mix of the result of the game and the score of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingTarget {
    /// The weight of the result of the game, 0 to 1. A side position has no result.
    pub result_weight: f32,
    /// The points of one logit, as a share of [`Score::SCALE`]. The margins of the search are made for
    /// values larger than a calibrated prediction.
    pub value_scale: f32,
}

impl TrainingTarget {
    /// The points of one logit.
    pub(super) fn points_per_logit(self) -> f32 {
        Score::SCALE as f32 * self.value_scale
    }

    /// The probability to predict for the side to move.
    pub(super) fn probability(self, label: &PositionLabel) -> f32 {
        let value = label.value.win_probability() as f32;
        label.result.map_or(value, |result| value + self.result_weight * (result - value))
    }
}

/// The probability of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The Kullback-Leibler divergence of a prediction from a target probability: the cross-entropy less the
/// entropy of the target, so that a perfect prediction has a loss of 0.
pub(super) fn cross_entropy(logit: f32, target: f32) -> f32 {
    let p = sigmoid(logit).clamp(1e-6, 1.0 - 1e-6);
    let part = |share: f32, p: f32| if share > 0.0 { share * (share / p).ln() } else { 0.0 };
    part(target, p) + part(1.0 - target, 1.0 - p)
}

/// The probabilities of moves with these logits.
pub(super) fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let exponentials: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = exponentials.iter().sum();
    exponentials.into_iter().map(|exponential| exponential / sum).collect()
}

/// The negative log-likelihood of the chosen move.
pub(super) fn negative_log_likelihood(probability: f32) -> f64 {
    -f64::from(probability.max(1e-9)).ln()
}

/// The probability that a move is ordered first if equal scores are ordered at random.
pub(super) fn probability_of_first(scores: &[f32], chosen: usize) -> f64 {
    let own = scores[chosen];
    let equals = scores.iter().filter(|score| score.total_cmp(&own).is_eq()).count();
    if scores.iter().any(|&score| score > own) { 0.0 } else { 1.0 / equals as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_prediction_has_no_loss() {
        for logit in [-3.0, 0.0, 0.5] {
            assert!(cross_entropy(logit, sigmoid(logit)).abs() < 1e-5);
            assert!(cross_entropy(logit, sigmoid(logit + 0.5)) > 1e-3);
        }
        let label = |result| PositionLabel { value: Score::DRAW, best: None, result };
        let target = TrainingTarget { result_weight: 0.25, value_scale: 1.0 };
        assert!((target.probability(&label(Some(1.0))) - 0.625).abs() < 1e-6);
        assert!((target.probability(&label(None)) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn softmax_sums_to_one_and_ties_share_the_first_place() {
        let scores = [1.0, 3.0, 0.5, 3.0];
        let probabilities = softmax(&scores);
        assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((probabilities[1] / probabilities[0] - 2f32.exp()).abs() < 1e-3);
        let quarters = |chosen| (4.0 * probability_of_first(&scores, chosen)) as u8;
        assert_eq!([0, 1, 2, 3].map(quarters), [0, 2, 0, 2]);
    }
}
