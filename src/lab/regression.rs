//! Fits of weights: a logistic regression for values, a multinomial one for the order of moves.

use super::descent::Descent;
use super::forecast::{Aim, cross_entropy, shares, sigmoid};
use super::games::Example;
use fastrand::Rng;
use pentarch_engine::eval::{ValueTerm, ValueTerms};
use rayon::prelude::*;

/// How a regression goes on.
#[derive(Clone, Copy, Debug)]
pub struct Regression {
    /// How often it sees each example.
    pub epochs: usize,
    /// The examples of a step, fewer where there are few.
    pub batch: usize,
    /// The first rate of steps.
    pub rate: f32,
    /// What the squares of weights cost, in log odds.
    pub ridge: f32,
    /// Shuffles the examples.
    pub seed: u64,
}

impl Default for Regression {
    fn default() -> Regression {
        Regression { epochs: 10, batch: 4096, rate: 0.02, ridge: 1e-6, seed: 1 }
    }
}

/// What is known of a position for its value.
#[derive(Clone, Debug)]
pub struct ValueFeatures {
    /// The terms of its sums.
    pub terms: ValueTerms,
    /// The scale of the sums, in hundredths.
    pub percent: i32,
}

impl ValueFeatures {
    /// The log odds of the side to move with weights that are log odds themselves.
    pub fn odds(&self, weights: &[f32]) -> f32 {
        let odds = self.scaled(&self.terms.sum, weights);
        if self.terms.others.is_empty() {
            return odds;
        }
        let (most, sum) = self.others(weights);
        odds - most - sum.ln()
    }

    /// The strength of the strongest other side, and the sum of those of all as shares of it.
    fn others(&self, weights: &[f32]) -> (f32, f32) {
        let strengths = || self.terms.others.iter().map(|terms| self.scaled(terms, weights));
        let most = strengths().fold(f32::MIN, f32::max);
        (most, strengths().map(|strength| (strength - most).exp()).sum())
    }

    /// Adds to a gradient what each weight adds to the log odds, times a slope.
    fn add_gradient(&self, weights: &[f32], slope: f32, gradient: &mut [f32]) {
        let mut add = |terms: &[ValueTerm], slope: f32| {
            for &(place, times) in terms {
                gradient[usize::from(place)] += slope * f32::from(times);
            }
        };
        let slope = slope * self.percent as f32 / 100.0;
        add(&self.terms.sum, slope);
        if self.terms.others.is_empty() {
            return;
        }
        let (most, sum) = self.others(weights);
        for terms in &self.terms.others {
            let share = (self.scaled(terms, weights) - most).exp() / sum;
            add(terms, -slope * share);
        }
    }

    fn scaled(&self, terms: &[ValueTerm], weights: &[f32]) -> f32 {
        let weigh = |&(place, count): &ValueTerm| weights[usize::from(place)] * f32::from(count);
        terms.iter().map(weigh).sum::<f32>() * self.percent as f32 / 100.0
    }
}

/// What is known of a position for the order of its moves: the terms of each, and which was chosen.
#[derive(Clone, Debug)]
pub struct ChoiceFeatures {
    /// The moves.
    pub moves: Vec<Vec<u16>>,
    /// The number of the one that was chosen.
    pub chosen: usize,
}

/// Examples whose gradients are summed by one thread; the sums do not depend on the number of threads.
const CHUNK: usize = 256;
/// The fewest examples of a step.
const LEAST_BATCH: usize = 32;

impl Regression {
    /// Fits weights of values, in points, to what became of positions and what searches said.
    pub fn fit_values(
        &self,
        examples: &[&Example<ValueFeatures>],
        aim: Aim,
        count: usize,
    ) -> Vec<f32> {
        let scale = aim.points();
        let fitted = self.descend(examples, count, |weights, example, gradient| {
            // The weights are log odds here.
            let Example { features, searched, .. } = example;
            let slope = sigmoid(features.odds(weights)) - aim.target(searched);
            features.add_gradient(weights, slope, gradient);
        });
        fitted.into_iter().map(|weight| weight * scale).collect()
    }

    /// Fits ordering scores, in log odds, to the moves that searches chose.
    pub fn fit_choices(&self, examples: &[&Example<ChoiceFeatures>], count: usize) -> Vec<f32> {
        self.descend(examples, count, |weights, example, gradient| {
            let ChoiceFeatures { moves, chosen } = &example.features;
            for (index, (terms, share)) in moves.iter().zip(shares_of(weights, moves)).enumerate() {
                let slope = share - f32::from(u8::from(index == *chosen));
                for &place in terms {
                    gradient[usize::from(place)] += slope;
                }
            }
        })
    }

    /// Descends from 0 along the gradients that `add` adds for each example.
    fn descend<T: Sync>(
        &self,
        examples: &[&Example<T>],
        count: usize,
        add: impl Fn(&[f32], &Example<T>, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let mut weights = vec![0.0; count];
        // Few examples need smaller steps, not fewer.
        let batch = self.batch.min(examples.len() / 100).max(LEAST_BATCH);
        let descent = Descent { epochs: self.epochs, batch, rate: self.rate };
        let slopes = |weights: &mut [f32], batch: &[usize], _| {
            let weights = &*weights;
            let sums = batch.par_chunks(CHUNK).map(|chunk| {
                let mut gradient = vec![0.0; count];
                for &index in chunk {
                    add(weights, examples[index], &mut gradient);
                }
                gradient
            });
            let mut gradient: Vec<f32> = weights.iter().map(|w| 2.0 * self.ridge * w).collect();
            for sum in sums.collect::<Vec<_>>() {
                let share = 1.0 / batch.len() as f32;
                gradient.iter_mut().zip(sum).for_each(|(total, part)| *total += part * share);
            }
            // Nobody asks for the loss on the way.
            (0.0, gradient)
        };
        let mut rng = Rng::with_seed(self.seed);
        descent.run(&mut weights, examples.len(), &mut rng, slopes, |_, _, _| ());
        weights
    }
}

/// The share of each move by the weights of its terms.
fn shares_of(weights: &[f32], moves: &[Vec<u16>]) -> Vec<f32> {
    let score = |terms: &Vec<u16>| terms.iter().map(|&place| weights[usize::from(place)]).sum();
    shares(&moves.iter().map(score).collect::<Vec<f32>>())
}

/// How well ordering scores foretell the chosen moves: the mean of the negative logarithms of their
/// shares, and how often they come first and among the first three.
pub(super) fn choice_loss(examples: &[&Example<ChoiceFeatures>], weights: &[f32]) -> [f64; 3] {
    let of_one = |example: &&Example<ChoiceFeatures>| {
        let ChoiceFeatures { moves, chosen } = &example.features;
        let shares = shares_of(weights, moves);
        let own = shares[*chosen];
        let before = shares.iter().filter(|share| **share > own).count();
        let within = |places: usize| f64::from(u8::from(before < places));
        [-f64::from(own.max(1e-9)).ln(), within(1), within(3)]
    };
    let all: Vec<[f64; 3]> = examples.par_iter().map(of_one).collect();
    let mean = |part: usize| all.iter().map(|one| one[part]).sum::<f64>() / all.len().max(1) as f64;
    [mean(0), mean(1), mean(2)]
}

/// The mean cross-entropy of values with what was to be foretold.
pub(super) fn value_loss<T>(
    examples: &[&Example<T>],
    aim: Aim,
    odds: impl Fn(&Example<T>) -> f32,
) -> f64 {
    let loss = |example: &&Example<T>| cross_entropy(odds(example), aim.target(&example.searched));
    examples.iter().map(|example| f64::from(loss(example))).sum::<f64>()
        / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient is what odds gain from a little more of each weight, between two sides and more.
    #[test]
    fn gradients_are_slopes_of_odds() {
        let sum = vec![(0, 2), (1, -1), (3, 1)];
        let others = vec![vec![(1, 3), (2, 1)], vec![(0, 1), (2, -2)]];
        for others in [Vec::new(), others] {
            let features =
                ValueFeatures { terms: ValueTerms { sum: sum.clone(), others }, percent: 40 };
            let weights = [0.3, -0.2, 0.5, 0.1];
            let mut gradient = [0.0; 4];
            features.add_gradient(&weights, 2.0, &mut gradient);
            for place in 0..4 {
                let moved = |step: f32| {
                    let mut weights = weights;
                    weights[place] += step;
                    features.odds(&weights)
                };
                let slope = (moved(0.05) - moved(-0.05)) / 0.1;
                assert!((gradient[place] - 2.0 * slope).abs() < 1e-3, "{place}: {gradient:?}");
            }
        }
    }
}
