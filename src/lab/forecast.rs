//! What a value is to foretell, and how well it does.

use super::training_game::Searched;
use pentarch_engine::search::Score;

/// What a value is to foretell: a mix of the result of the game and the value of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The share of the result, 0 to 1. Positions beside games have none.
    pub result: f32,
    /// How many points are odds of e to 1, as a share of [`Score::SCALE`]. Margins of the search are made
    /// for values that say more than they know.
    pub stretch: f32,
}

impl Aim {
    /// Points for odds of e to 1.
    pub fn points(self) -> f32 {
        Score::SCALE as f32 * self.stretch
    }

    /// The probability to foretell.
    pub fn target(self, searched: &Searched) -> f32 {
        let value = searched.value.win_probability() as f32;
        searched.result.map_or(value, |result| value + self.result * (result - value))
    }
}

/// The probability of log odds.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The cross-entropy of log odds with a probability, less what no forecast can avoid.
pub(super) fn cross_entropy(odds: f32, target: f32) -> f32 {
    let p = sigmoid(odds).clamp(1e-6, 1.0 - 1e-6);
    let part = |share: f32, p: f32| if share > 0.0 { share * (share / p).ln() } else { 0.0 };
    part(target, p) + part(1.0 - target, 1.0 - p)
}

/// The share of each move if the odds grow with the exponential of its score.
pub(super) fn shares(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / all).collect()
}

/// How likely a move comes first if those of equal scores come in any order.
pub(super) fn chance_of_first(scores: &[f32], chosen: usize) -> f64 {
    let own = scores[chosen];
    let equals = scores.iter().filter(|score| score.total_cmp(&own).is_eq()).count();
    if scores.iter().any(|&score| score > own) { 0.0 } else { 1.0 / equals as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_that_is_right_costs_nothing() {
        for odds in [-3.0, 0.0, 0.5] {
            assert!(cross_entropy(odds, sigmoid(odds)).abs() < 1e-5);
            assert!(cross_entropy(odds, sigmoid(odds + 0.5)) > 1e-3);
        }
        let value = Score::DRAW;
        let searched = |result| Searched { value, best: None, result, ply: 0, aside: None };
        let aim = Aim { result: 0.25, stretch: 1.0 };
        assert!((aim.target(&searched(Some(1.0))) - 0.625).abs() < 1e-6);
        assert!((aim.target(&searched(None)) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn shares_add_up_and_equals_come_first_in_turn() {
        let scores = [1.0, 3.0, 0.5, 3.0];
        let shares = shares(&scores);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((shares[1] / shares[0] - 2f32.exp()).abs() < 1e-3);
        let quarters = |chosen| (4.0 * chance_of_first(&scores, chosen)) as u8;
        assert_eq!([0, 1, 2, 3].map(quarters), [0, 2, 0, 2]);
    }
}
