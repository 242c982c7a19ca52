//! Fits of linear weights: logistic regression for values, multinomial regression for move ordering.

use super::corpus::{Corpus, CorpusError, Example, FittableEvaluator, HexCorpus, PositionFilter};
use super::loss::{TrainingTarget, cross_entropy, negative_log_likelihood, sigmoid, softmax};
use super::optimizer::GradientDescent;
use super::training_game::PositionLabel;
use fastrand::Rng;
use pentarch_core::game::{MoveList, Position};
use pentarch_engine::eval::{
    HexWeights, LineEvaluator, ORDERING_SCALE, RuleClass, ValueTerm, ValueTerms, VariantEvaluator,
    WeightedEvaluator, Weights,
};
use rayon::prelude::*;
use std::fmt;

/// The settings of a fit of weights.
#[derive(Clone, Copy, Debug)]
pub struct LinearFit {
    /// What values are trained to predict.
    pub target: TrainingTarget,
    /// The approximate number of positions whose moves are used.
    pub choices: usize,
    /// The settings of both regressions.
    pub regression: Regression,
}

/// Ordering weights need more and larger steps: most of them occur in few positions.
const CHOICE_BATCH: usize = 512;
const CHOICE_RATE: f32 = 0.05;
/// The factor of the learning rate on hexagons, where values are counted in quarters of a point.
const HEX_RATE: f32 = 4.0;
/// Weights on hexagons that occur in fewer examples are set to 0: they would fit noise.
const MIN_OCCURRENCES: u32 = 30;

impl LinearFit {
    /// Fits weights. Also returns a line about the examples and the validation loss.
    pub fn run(&self, corpus: &Corpus) -> Result<(Weights, String), CorpusError> {
        let mut weights = Weights::clone(Weights::built_in(corpus.rule_class()));
        let data = RegressionData::new(corpus, self.choices)?;
        let fitted = self.regression.fit_values(&data.values(false), self.target, Weights::VALUES);
        weights.set_values(&rounded(fitted));
        let fitted = self.fit_choices(&data, Weights::ORDERING);
        weights.set_ordering(&rounded(fitted));
        let report = self.report(&data, [&weights.values(), &weights.ordering()]);
        Ok((weights, report))
    }

    /// [`LinearFit::run`] for games on hexagons. Sets weights that hardly occur to 0.
    pub fn run_on_hexes(&self, corpus: &HexCorpus) -> Result<(HexWeights, String), CorpusError> {
        let [values, ordering] = [HexWeights::VALUES, HexWeights::ORDERING];
        let data = RegressionData::on_hexes(corpus, self.choices)?;
        let examples = data.values(false);
        let regression = Regression { rate: HEX_RATE * self.regression.rate, ..self.regression };
        let fitted = regression.fit_values(&examples, self.target, values);
        let terms = examples.iter().flat_map(|example| example.features.terms.sum.iter());
        let values = rounded(without_rare(fitted, terms.map(|term| term.0)));
        let fitted = self.fit_choices(&data, ordering);
        let examples = data.choices(false);
        let terms = examples.iter().flat_map(|example| example.features.moves.iter().flatten());
        let ordering = rounded(without_rare(fitted, terms.copied()));
        let report = self.report(&data, [&values, &ordering]);
        Ok((HexWeights::new(corpus.game(), values, ordering), report))
    }

    /// Fits ordering weights, in points.
    fn fit_choices(&self, data: &RegressionData, count: usize) -> Vec<f32> {
        let regression = Regression { batch: CHOICE_BATCH, rate: CHOICE_RATE, ..self.regression };
        let fitted = regression.fit_choices(&data.choices(false), count);
        fitted.into_iter().map(|logit| logit * ORDERING_SCALE).collect()
    }

    fn report(&self, data: &RegressionData, weights: [&[i16]; 2]) -> String {
        let validation = data.validate(weights, self.target);
        let (values, choices) = (data.values(false).len(), data.choices(false).len());
        format!(
            "fitted to the values of {values} positions and the moves of {choices}; held out: {validation}"
        )
    }
}

/// Sets weights whose indices occur rarely to 0.
fn without_rare(mut weights: Vec<f32>, occurrences: impl Iterator<Item = u16>) -> Vec<f32> {
    let mut counts = vec![0; weights.len()];
    occurrences.for_each(|index| counts[usize::from(index)] += 1);
    for (weight, count) in weights.iter_mut().zip(counts) {
        if count < MIN_OCCURRENCES {
            *weight = 0.0;
        }
    }
    weights
}

/// Rounds weights and saturates them to the range of their type.
fn rounded(weights: Vec<f32>) -> Vec<i16> {
    weights.into_iter().map(|weight| weight.round() as i16).collect()
}

/// The examples of both regressions.
#[derive(Debug)]
pub struct RegressionData {
    values: Vec<Example<ValueFeatures>>,
    choices: Vec<Example<ChoiceFeatures>>,
}

impl RegressionData {
    /// Extracts the examples of stones on squares; about `choices` positions give move examples.
    pub fn new(corpus: &Corpus, choices: usize) -> Result<RegressionData, CorpusError> {
        use PositionFilter::{MoverHasNoWin, Quiet};
        match corpus.rule_class() {
            RuleClass::Captures | RuleClass::Lines | RuleClass::Renju => {
                RegressionData::extract::<LineEvaluator>(corpus, choices, [Quiet, Quiet])
            }
            RuleClass::DoubleTurns => RegressionData::extract::<VariantEvaluator<2>>(
                corpus,
                choices,
                [Quiet, MoverHasNoWin],
            ),
            RuleClass::Many => {
                RegressionData::extract::<VariantEvaluator<4>>(corpus, choices, [MoverHasNoWin; 2])
            }
        }
    }

    /// Extracts the examples of one evaluator, with a filter for values and one for moves.
    fn extract<E: FittableEvaluator>(
        corpus: &Corpus,
        choices: usize,
        [value_filter, choice_filter]: [PositionFilter; 2],
    ) -> Result<RegressionData, CorpusError> {
        let values = corpus.examples(value_filter, |evaluator: &E, position, _| {
            Some(ValueFeatures::new(evaluator, position))
        })?;
        let first = corpus.truncated(games_for(choices, values.len(), corpus.games()));
        let choices = first.examples(choice_filter, |evaluator: &E, position, label| {
            ChoiceFeatures::new(evaluator, position, label)
        })?;
        Ok(RegressionData { values, choices })
    }

    /// Extracts the examples of games on hexagons. The search orders the moves of all positions without
    /// a win in one, so move examples are taken from all of them.
    pub fn on_hexes(corpus: &HexCorpus, choices: usize) -> Result<RegressionData, CorpusError> {
        let values = corpus.examples(PositionFilter::Quiet, |evaluator, position, _| {
            Some(ValueFeatures::new(evaluator, position))
        })?;
        let first = corpus.truncated(games_for(choices, values.len(), corpus.games()));
        let choices = first
            .examples(PositionFilter::NoWinInOne, |evaluator, position, label| {
                ChoiceFeatures::new(evaluator, position, label)
            })?;
        Ok(RegressionData { values, choices })
    }

    fn values(&self, held_out: bool) -> Vec<&Example<ValueFeatures>> {
        self.values.iter().filter(|example| example.held_out == held_out).collect()
    }

    fn choices(&self, held_out: bool) -> Vec<&Example<ChoiceFeatures>> {
        self.choices.iter().filter(|example| example.held_out == held_out).collect()
    }

    /// Measures value weights and ordering weights, both in points, on the held-out examples.
    pub fn validate(&self, weights: [&[i16]; 2], target: TrainingTarget) -> ValidationReport {
        let (values, choices) = (self.values(true), self.choices(true));
        let logits = |points: &[i16], scale: f32| -> Vec<f32> {
            points.iter().map(|&points| f32::from(points) / scale).collect()
        };
        let value_weights = logits(weights[0], target.points_per_logit());
        let ordering_weights = logits(weights[1], ORDERING_SCALE);
        let logit = |example: &Example<ValueFeatures>| example.features.logit(&value_weights);
        let losses = values.iter().map(|example| {
            f64::from(cross_entropy(logit(example), target.probability(&example.label)))
        });
        let [choice_loss, first, among_three] = choice_loss(&choices, &ordering_weights);
        ValidationReport {
            positions: values.len(),
            loss: losses.sum::<f64>() / values.len().max(1) as f64,
            calibration: calibration_bins(&values, logit),
            choices: choices.len(),
            choice_loss,
            first,
            among_three,
        }
    }
}

/// The number of games that have about `wanted` positions, if `games` games have `positions`.
fn games_for(wanted: usize, positions: usize, games: usize) -> usize {
    wanted / (positions / games.max(1)).max(1) + 1
}

/// The validation losses of weights. `Display` prints them in a line.
#[derive(Clone, Debug)]
pub struct ValidationReport {
    positions: usize,
    loss: f64,
    calibration: Vec<CalibrationBin>,
    choices: usize,
    choice_loss: f64,
    /// How often the chosen move is ordered first, 0 to 1.
    first: f64,
    /// How often the chosen move is among the first three, 0 to 1.
    among_three: f64,
}

/// The positions whose predicted probabilities are within one tenth.
#[derive(Clone, Copy, Debug, Default)]
struct CalibrationBin {
    /// The sum of the predicted probabilities.
    predicted: f64,
    /// The sum of the results of the games.
    scored: f64,
    positions: f64,
}

const BINS: usize = 10;

/// Groups positions by predicted probability. Side positions have no result and are left out.
fn calibration_bins(
    examples: &[&Example<ValueFeatures>],
    logit: impl Fn(&Example<ValueFeatures>) -> f32,
) -> Vec<CalibrationBin> {
    let mut bins = vec![CalibrationBin::default(); BINS];
    for example in examples {
        let Some(result) = example.label.result else { continue };
        let predicted = f64::from(sigmoid(logit(example)));
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        bin.predicted += predicted;
        bin.scored += f64::from(result);
        bin.positions += 1.0;
    }
    bins
}

impl ValidationReport {
    /// A table of mean predictions and mean results, a line for each tenth of probability.
    pub fn calibration(&self) -> String {
        let line = |(index, bin): (usize, &CalibrationBin)| {
            let low = index as f64 / BINS as f64;
            let count = bin.positions.max(1.0);
            let (predicted, scored) = (bin.predicted / count, bin.scored / count);
            format!("{low:.1}-{:.1} {predicted:9.3} {scored:9.3} {:9}\n", low + 0.1, bin.positions)
        };
        let lines: String = self.calibration.iter().enumerate().map(line).collect();
        format!("{:>7} {:>9} {:>9} {:>9}\n{lines}", "bin", "predicted", "scored", "positions")
    }
}

impl fmt::Display for ValidationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValidationReport { positions, loss, choices, choice_loss, first, among_three, .. } =
            self;
        write!(f, "value loss {loss:.5} of {positions} positions; move loss {choice_loss:.4}, ")?;
        write!(
            f,
            "first {:.1} %, among three {:.1} % of {choices}",
            100.0 * first,
            100.0 * among_three
        )
    }
}

/// The features of a position for its value.
#[derive(Clone, Debug)]
struct ValueFeatures {
    terms: ValueTerms,
    /// The scale of the sums in percent.
    percent: i32,
}

impl ValueFeatures {
    fn new<P: Position>(evaluator: &impl WeightedEvaluator<P>, position: &P) -> ValueFeatures {
        let terms = evaluator.value_terms(position);
        ValueFeatures { terms, percent: evaluator.scale_percent() }
    }

    /// The logit of the side to move, with weights in logits.
    fn logit(&self, weights: &[f32]) -> f32 {
        let own = self.scaled_sum(&self.terms.sum, weights);
        if self.terms.others.is_empty() {
            return own;
        }
        let (most, sum) = self.softmax_of_others(weights);
        own - most - sum.ln()
    }

    /// The sum of the strongest other side, and the sum of the exponentials of all relative to it.
    fn softmax_of_others(&self, weights: &[f32]) -> (f32, f32) {
        let sums = || self.terms.others.iter().map(|terms| self.scaled_sum(terms, weights));
        let most = sums().fold(f32::MIN, f32::max);
        (most, sums().map(|sum| (sum - most).exp()).sum())
    }

    /// Adds the gradient of the logit, multiplied by `derivative`.
    fn add_gradient(&self, weights: &[f32], derivative: f32, gradient: &mut [f32]) {
        let mut add = |terms: &[ValueTerm], derivative: f32| {
            for &(index, count) in terms {
                gradient[usize::from(index)] += derivative * f32::from(count);
            }
        };
        let derivative = derivative * self.percent as f32 / 100.0;
        add(&self.terms.sum, derivative);
        if self.terms.others.is_empty() {
            return;
        }
        let (most, sum) = self.softmax_of_others(weights);
        for terms in &self.terms.others {
            let share = (self.scaled_sum(terms, weights) - most).exp() / sum;
            add(terms, -derivative * share);
        }
    }

    fn scaled_sum(&self, terms: &[ValueTerm], weights: &[f32]) -> f32 {
        let weighted = |&(index, count): &ValueTerm| weights[usize::from(index)] * f32::from(count);
        terms.iter().map(weighted).sum::<f32>() * self.percent as f32 / 100.0
    }
}

/// The features of a position for its move ordering.
#[derive(Clone, Debug)]
struct ChoiceFeatures {
    /// The weight indices of each candidate move.
    moves: Vec<Vec<u16>>,
    /// The index of the move that the search chose.
    chosen: usize,
}

impl ChoiceFeatures {
    /// `None` if the best move is not a candidate.
    fn new<P: Position>(
        evaluator: &impl WeightedEvaluator<P>,
        position: &P,
        label: PositionLabel,
    ) -> Option<ChoiceFeatures> {
        let mut moves = MoveList::new();
        evaluator.candidates(position, &mut moves);
        let chosen = moves.iter().position(|&mv| Some(mv) == label.best)?;
        let terms = moves.iter().map(|&mv| evaluator.ordering_terms(position, mv));
        Some(ChoiceFeatures { moves: terms.collect(), chosen })
    }

    fn probabilities(&self, weights: &[f32]) -> Vec<f32> {
        let logit = |terms: &Vec<u16>| terms.iter().map(|&i| weights[usize::from(i)]).sum();
        softmax(&self.moves.iter().map(logit).collect::<Vec<f32>>())
    }
}

/// The settings of a regression.
#[derive(Clone, Copy, Debug)]
pub struct Regression {
    /// The number of passes over the examples.
    pub epochs: usize,
    /// The number of examples of a step, less if there are few examples.
    pub batch: usize,
    /// The learning rate of the first step.
    pub rate: f32,
    /// The weight of the L2 penalty (ridge regression).
    pub ridge: f32,
    /// The seed of the order of the examples.
    pub seed: u64,
}

impl Default for Regression {
    fn default() -> Regression {
        Regression { epochs: 10, batch: 4096, rate: 0.02, ridge: 1e-6, seed: 1 }
    }
}

/// The number of examples that one thread sums up. Sums do not depend on the number of threads.
const CHUNK: usize = 256;
const MIN_BATCH: usize = 32;

impl Regression {
    /// Fits value weights, in points.
    fn fit_values(
        &self,
        examples: &[&Example<ValueFeatures>],
        target: TrainingTarget,
        count: usize,
    ) -> Vec<f32> {
        let fitted = self.descend(examples, count, |weights, example, gradient| {
            let Example { features, label, .. } = example;
            let derivative = sigmoid(features.logit(weights)) - target.probability(label);
            features.add_gradient(weights, derivative, gradient);
        });
        fitted.into_iter().map(|logit| logit * target.points_per_logit()).collect()
    }

    /// Fits ordering weights, in logits.
    fn fit_choices(&self, examples: &[&Example<ChoiceFeatures>], count: usize) -> Vec<f32> {
        self.descend(examples, count, |weights, example, gradient| {
            let features = &example.features;
            let probabilities = features.probabilities(weights);
            for (index, (terms, probability)) in
                features.moves.iter().zip(probabilities).enumerate()
            {
                let derivative = probability - f32::from(u8::from(index == features.chosen));
                for &index in terms {
                    gradient[usize::from(index)] += derivative;
                }
            }
        })
    }

    /// Fits weights, which start at 0. `add_gradient` adds the gradient of an example.
    fn descend<T: Sync>(
        &self,
        examples: &[&Example<T>],
        count: usize,
        add_gradient: impl Fn(&[f32], &Example<T>, &mut [f32]) + Sync,
    ) -> Vec<f32> {
        let mut weights = vec![0.0; count];
        // Few examples need smaller batches, not fewer steps.
        let batch = self.batch.min(examples.len() / 100).max(MIN_BATCH);
        let descent = GradientDescent { epochs: self.epochs, batch, rate: self.rate };
        let gradient = |weights: &mut [f32], batch: &[usize], _| {
            let weights = &*weights;
            let sums = batch.par_chunks(CHUNK).map(|chunk| {
                let mut gradient = vec![0.0; count];
                for &index in chunk {
                    add_gradient(weights, examples[index], &mut gradient);
                }
                gradient
            });
            let mut gradient: Vec<f32> = weights.iter().map(|w| 2.0 * self.ridge * w).collect();
            for sum in sums.collect::<Vec<_>>() {
                let share = 1.0 / batch.len() as f32;
                gradient.iter_mut().zip(sum).for_each(|(total, part)| *total += part * share);
            }
            // The training loss is not reported.
            (0.0, gradient)
        };
        let mut rng = Rng::with_seed(self.seed);
        descent.run(&mut weights, examples.len(), &mut rng, gradient, |_, _, _| ());
        weights
    }
}

/// The mean negative log-likelihood of the chosen moves, and how often they are ordered first and among
/// the first three, 0 to 1.
fn choice_loss(examples: &[&Example<ChoiceFeatures>], weights: &[f32]) -> [f64; 3] {
    let of_example = |example: &&Example<ChoiceFeatures>| {
        let probabilities = example.features.probabilities(weights);
        let own = probabilities[example.features.chosen];
        let before = probabilities.iter().filter(|probability| **probability > own).count();
        let within = |places: usize| f64::from(u8::from(before < places));
        [negative_log_likelihood(own), within(1), within(3)]
    };
    let all: Vec<[f64; 3]> = examples.par_iter().map(of_example).collect();
    [0, 1, 2].map(|part| all.iter().map(|one| one[part]).sum::<f64>() / all.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_equal_finite_differences() {
        let sum = vec![(0, 2), (1, -1), (3, 1)];
        let others = vec![vec![(1, 3), (2, 1)], vec![(0, 1), (2, -2)]];
        for others in [Vec::new(), others] {
            let features =
                ValueFeatures { terms: ValueTerms { sum: sum.clone(), others }, percent: 40 };
            let weights = [0.3, -0.2, 0.5, 0.1];
            let mut gradient = [0.0; 4];
            features.add_gradient(&weights, 2.0, &mut gradient);
            for index in 0..4 {
                let moved = |step: f32| {
                    let mut weights = weights;
                    weights[index] += step;
                    features.logit(&weights)
                };
                let derivative = (moved(0.05) - moved(-0.05)) / 0.1;
                assert!((gradient[index] - 2.0 * derivative).abs() < 1e-3, "{index}: {gradient:?}");
            }
        }
    }
}
