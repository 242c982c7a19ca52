//! Fits of a policy head, which corrects the ordering scores of linear weights.
//!
//! The head uses the accumulators of a network that stays as it is. For each candidate move it adds a
//! number for the pair of buckets of the move's cell, and the products of a row for each of its buckets
//! with neurons that see the whole position.

use super::corpus::{Corpus, CorpusError, Example, PositionFilter};
use super::loss::{negative_log_likelihood, probability_of_first, softmax};
use super::optimizer::GradientDescent;
use fastrand::Rng;
use pentarch_core::game::{Move, MoveList};
use pentarch_engine::eval::{
    FloatPolicy, INPUTS, LineEvaluator, Network, ORDERING_SCALE, POLICY_HIDDEN, Policy,
    THREAT_BUCKETS,
};
use pentarch_engine::search::MoveGenerator as _;
use rayon::prelude::*;
use std::fmt;

/// The settings of a fit of a policy head.
#[derive(Clone, Copy, Debug)]
pub struct PolicyFit {
    /// The number of passes over the positions.
    pub epochs: usize,
    /// The learning rate of the first step.
    pub rate: f32,
    /// The weight decay of the rows of buckets, relative to the learning rate.
    pub decay: f32,
    /// The seed of the initial parameters and of the order of the positions.
    pub seed: u64,
}

struct PolicyFeatures {
    /// The quantized accumulators.
    inputs: [i16; INPUTS],
    /// The index of the color to move.
    mover: usize,
    threat: usize,
    moves: Vec<PolicyMove>,
    /// The index of the move that the search chose.
    chosen: usize,
}

/// A candidate move.
struct PolicyMove {
    /// The buckets of its cell: for the color to move, for the other color.
    groups: [u8; 2],
    /// The ordering score of the linear weights, in points.
    points: i16,
}

/// The mean losses of a fit: negative log-likelihoods of the chosen moves. `Display` prints them in a
/// line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyReport {
    positions: usize,
    held_out: usize,
    /// The mean loss during the last epoch.
    fitted_loss: f64,
    /// The validation loss of the linear weights alone.
    weights_loss: f64,
    /// The validation loss of linear weights and head.
    policy_loss: f64,
    /// How often the chosen move is ordered first in the validation set, 0 to 1.
    first: f64,
}

const BATCH: usize = 1024;
/// The number of parts of a batch that threads compute. The rounding of sums depends on it.
const PARTS: usize = 4;

impl PolicyFit {
    /// Fits a head for a network. `report` is called after each epoch with its number, from 1, its mean
    /// loss and its validation loss.
    pub fn run(
        &self,
        corpus: &Corpus,
        network: &Network,
        mut report: impl FnMut(usize, f64, f64),
    ) -> Result<(Policy, PolicyReport), CorpusError> {
        let examples = examples(corpus, network)?;
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            examples.iter().partition(|example| example.held_out);
        let layout = PolicyLayout {
            groups: network.buckets().count(),
            perspectives: network.rule_class().perspectives(),
        };
        let mut rng = Rng::with_seed(self.seed);
        let mut parameters = layout.initial_parameters(&mut rng);
        let descent = GradientDescent { epochs: self.epochs, batch: BATCH, rate: self.rate };
        let fitted_loss = descent.run(
            &mut parameters,
            fitted.len(),
            &mut rng,
            |parameters, batch, rate| {
                let gradient = gradient(layout, parameters, &fitted, batch);
                layout.decay(parameters, self.decay * rate);
                gradient
            },
            |epoch, fitted, parameters| {
                let [loss, _] = loss(&held_out, |features| layout.logits(parameters, features));
                report(epoch, fitted, loss);
            },
        );
        let [policy_loss, first] = loss(&held_out, |features| layout.logits(&parameters, features));
        let [weights_loss, _] = loss(&held_out, PolicyFeatures::logits_of_weights);
        let report = PolicyReport {
            positions: fitted.len(),
            held_out: held_out.len(),
            fitted_loss,
            weights_loss,
            policy_loss,
            first,
        };
        Ok((Policy::quantize(&layout.policy(&parameters), ORDERING_SCALE), report))
    }
}

fn examples(
    corpus: &Corpus,
    network: &Network,
) -> Result<Vec<Example<PolicyFeatures>>, CorpusError> {
    let feature_buckets = network.buckets();
    corpus.examples(PositionFilter::NoWinInOne, |evaluator: &LineEvaluator, position, label| {
        let mut list = MoveList::new();
        evaluator.candidates(position, &mut list);
        let chosen = list.iter().position(|&mv| Some(mv) == label.best)?;
        let input = evaluator.network_input(position, feature_buckets);
        let candidate = |&mv: &Move| PolicyMove {
            groups: evaluator.buckets_of(position, mv, feature_buckets),
            points: evaluator.ordering_score(position, mv) as i16,
        };
        Some(PolicyFeatures {
            inputs: network.inputs(&input),
            mover: input.mover,
            threat: input.threat_bucket,
            moves: list.iter().map(candidate).collect(),
            chosen,
        })
    })
}

impl PolicyFeatures {
    /// The logits of the candidate moves by the linear weights alone.
    fn logits_of_weights(&self) -> Vec<f32> {
        self.moves.iter().map(|mv| f32::from(mv.points) / ORDERING_SCALE).collect()
    }
}

/// The sum of the losses of a batch and the mean gradient.
fn gradient(
    layout: PolicyLayout,
    parameters: &[f32],
    examples: &[&Example<PolicyFeatures>],
    batch: &[usize],
) -> (f64, Vec<f32>) {
    let parts = batch.par_chunks(BATCH.div_ceil(PARTS)).map(|part| {
        let mut gradient = vec![0.0; layout.count()];
        let mut loss = 0.0;
        for &index in part {
            let features = &examples[index].features;
            layout.add_gradient(&mut gradient, parameters, features, |logits| {
                let mut probabilities = softmax(logits);
                loss += negative_log_likelihood(probabilities[features.chosen]);
                probabilities[features.chosen] -= 1.0;
                probabilities
            });
        }
        (loss, gradient)
    });
    let factor = 1.0 / batch.len() as f32;
    let mut total = (0.0, vec![0.0; layout.count()]);
    for (loss, gradient) in parts.collect::<Vec<_>>() {
        total.0 += loss;
        total.1.iter_mut().zip(gradient).for_each(|(sum, derivative)| *sum += derivative * factor);
    }
    total
}

/// The mean loss, and how often the chosen move is ordered first.
fn loss(
    examples: &[&Example<PolicyFeatures>],
    logits: impl Fn(&PolicyFeatures) -> Vec<f32> + Sync,
) -> [f64; 2] {
    let of_example = |example: &&Example<PolicyFeatures>| {
        let logits = logits(&example.features);
        let chosen = example.features.chosen;
        let loss = negative_log_likelihood(softmax(&logits)[chosen]);
        [loss, probability_of_first(&logits, chosen)]
    };
    let all: Vec<[f64; 2]> = examples.par_iter().map(of_example).collect();
    [0, 1].map(|part| all.iter().map(|one| one[part]).sum::<f64>() / all.len().max(1) as f64)
}

impl fmt::Display for PolicyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyReport { positions, held_out, fitted_loss, .. } = self;
        let PolicyReport { weights_loss, policy_loss, first, .. } = self;
        let first = 100.0 * first;
        write!(
            f,
            "policy head fitted to {positions} positions, loss {fitted_loss:.4}; of {held_out} \
             held out {policy_loss:.4}, weights alone {weights_loss:.4}, first {first:.1} %"
        )
    }
}

/// The value of an input that stands for 1.
const INPUT_ONE: f32 = 256.0;
/// The ranges of random initial parameters: rows of buckets, weights of neurons.
const INITIAL_ROWS: f32 = 0.05;
const INITIAL_NEURONS: f32 = 0.1;
/// The initial bias of neurons, so that none is clipped in all positions.
const INITIAL_BIAS: f32 = 0.3;

/// The layout of the fitted parameters, in the order of [`FloatPolicy`].
#[derive(Clone, Copy, Debug)]
struct PolicyLayout {
    /// The number of buckets.
    groups: usize,
    /// The number of colors that have their own perspective, or 1.
    perspectives: usize,
}

/// The clipped outputs of the neurons.
type PolicyContext = [f32; POLICY_HIDDEN];

impl PolicyLayout {
    /// The ends of pairs, rows of own buckets, rows of other buckets, neurons, and biases.
    fn ends(self) -> [usize; 5] {
        let pairs = self.perspectives * self.groups * self.groups;
        let single = self.perspectives * self.groups * POLICY_HIDDEN;
        let neurons = pairs + 2 * single;
        let kinds = neurons + POLICY_HIDDEN * INPUTS;
        [pairs, pairs + single, neurons, kinds, kinds + THREAT_BUCKETS * POLICY_HIDDEN]
    }

    /// The number of parameters.
    fn count(self) -> usize {
        self.ends()[4]
    }

    fn initial_parameters(self, rng: &mut Rng) -> Vec<f32> {
        let [own, _, neurons, kinds, end] = self.ends();
        let mut within = |limit: f32| limit * (2.0 * rng.f32() - 1.0);
        let parameter = |index| match index {
            index if index < own => 0.0,
            index if index >= kinds => INITIAL_BIAS,
            index if index < neurons => within(INITIAL_ROWS),
            _ => within(INITIAL_NEURONS),
        };
        (0..end).map(parameter).collect()
    }

    /// Decays pairs and rows of buckets.
    fn decay(self, parameters: &mut [f32], share: f32) {
        let neurons = self.ends()[2];
        parameters[..neurons].iter_mut().for_each(|parameter| *parameter *= 1.0 - share);
    }

    /// The policy head of the parameters.
    fn policy(self, parameters: &[f32]) -> FloatPolicy {
        let [own, their, neurons, kinds, end] = self.ends();
        FloatPolicy {
            pairs: parameters[..own].to_vec(),
            own: parameters[own..their].to_vec(),
            their: parameters[their..neurons].to_vec(),
            hidden: parameters[neurons..kinds].to_vec(),
            threats: parameters[kinds..end].to_vec(),
        }
    }

    /// The offsets of the parameters of a move: its pair, the row of its own bucket, the row of the other.
    fn offsets(self, features: &PolicyFeatures, groups: [u8; 2]) -> [usize; 3] {
        let [first_own, first_their, ..] = self.ends();
        let perspective = features.mover % self.perspectives;
        let [own, their] = groups.map(|group| perspective * self.groups + usize::from(group));
        let pair = own * self.groups + usize::from(groups[1]);
        [pair, first_own + own * POLICY_HIDDEN, first_their + their * POLICY_HIDDEN]
    }

    fn context(self, parameters: &[f32], features: &PolicyFeatures) -> PolicyContext {
        let [_, _, neurons, kinds, _] = self.ends();
        std::array::from_fn(|neuron| {
            let weights = &parameters[neurons + neuron * INPUTS..][..INPUTS];
            let products = weights.iter().zip(&features.inputs);
            let sum: f32 =
                products.map(|(weight, &input)| weight * f32::from(input) / INPUT_ONE).sum();
            (sum + parameters[kinds + features.threat * POLICY_HIDDEN + neuron]).clamp(0.0, 1.0)
        })
    }

    /// The logits of the candidate moves.
    fn logits(self, parameters: &[f32], features: &PolicyFeatures) -> Vec<f32> {
        self.logits_in_context(&self.context(parameters, features), parameters, features)
    }

    fn logits_in_context(
        self,
        context: &PolicyContext,
        parameters: &[f32],
        features: &PolicyFeatures,
    ) -> Vec<f32> {
        let mut logits = features.logits_of_weights();
        for (logit, mv) in logits.iter_mut().zip(&features.moves) {
            let [pair, own, their] = self.offsets(features, mv.groups);
            let rows = parameters[own..].iter().zip(&parameters[their..]);
            let weighted = rows.zip(context).map(|((own, their), neuron)| (own + their) * neuron);
            *logit += parameters[pair] + weighted.sum::<f32>();
        }
        logits
    }

    /// Backpropagates a position and adds its gradient to `sums`. `derivatives` maps the logits to the
    /// derivatives of the loss.
    fn add_gradient(
        self,
        sums: &mut [f32],
        parameters: &[f32],
        features: &PolicyFeatures,
        derivatives: impl FnOnce(&[f32]) -> Vec<f32>,
    ) {
        let context = self.context(parameters, features);
        let derivatives = derivatives(&self.logits_in_context(&context, parameters, features));
        let mut by_neuron: PolicyContext = [0.0; POLICY_HIDDEN];
        for (derivative, mv) in derivatives.into_iter().zip(&features.moves) {
            let [pair, own, their] = self.offsets(features, mv.groups);
            sums[pair] += derivative;
            for (i, neuron) in context.iter().enumerate() {
                by_neuron[i] += derivative * (parameters[own + i] + parameters[their + i]);
                sums[own + i] += derivative * neuron;
                sums[their + i] += derivative * neuron;
            }
        }
        let [_, _, neurons, kinds, _] = self.ends();
        for (i, (derivative, neuron)) in by_neuron.into_iter().zip(context).enumerate() {
            if neuron <= 0.0 || neuron >= 1.0 {
                continue;
            }
            sums[kinds + features.threat * POLICY_HIDDEN + i] += derivative;
            let weights = &mut sums[neurons + i * INPUTS..][..INPUTS];
            for (sum, &input) in weights.iter_mut().zip(&features.inputs) {
                *sum += derivative * f32::from(input) / INPUT_ONE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::network_fit::random_network;
    use super::*;
    use pentarch_engine::eval::{FeatureBuckets, NetworkInput, RuleClass};

    fn moves(groups: &[[u8; 2]]) -> Vec<PolicyMove> {
        groups.iter().map(|&groups| PolicyMove { groups, points: 70 }).collect()
    }

    /// Parameters that differ enough from the initial ones for every derivative to be visible.
    fn parameters(layout: PolicyLayout, rng: &mut Rng) -> Vec<f32> {
        let mut parameters = layout.initial_parameters(rng);
        for parameter in &mut parameters {
            *parameter += 0.1 * (rng.f32() - 0.5);
        }
        parameters
    }

    /// Small enough that no neuron reaches a clipping bound.
    const STEP: f32 = 1e-3;

    #[test]
    fn gradients_equal_finite_differences() {
        let (layout, mut rng) = (PolicyLayout { groups: 6, perspectives: 2 }, Rng::with_seed(3));
        let parameters = parameters(layout, &mut rng);
        let features = PolicyFeatures {
            inputs: std::array::from_fn(|_| rng.i16(0..=INPUT_ONE as i16)),
            mover: 1,
            threat: 7,
            moves: moves(&[[1, 2], [0, 3], [5, 0], [4, 4]]),
            chosen: 2,
        };
        // The function is the sum of the logits, the last one twice.
        let factors = [1.0, 1.0, 1.0, 2.0];
        let mut gradient = vec![0.0; layout.count()];
        layout.add_gradient(&mut gradient, &parameters, &features, |_| factors.to_vec());
        let mut nonzero = 0;
        for index in 0..parameters.len() {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut other = parameters.clone();
                other[index] += step;
                let logits = layout.logits(&other, &features);
                logits.iter().zip(factors).map(|(logit, factor)| logit * factor).sum::<f32>()
            });
            let derivative = (high - low) / (2.0 * STEP);
            let exact = gradient[index];
            assert!((derivative - exact).abs() < 1e-2, "{index}: {derivative} {exact}");
            nonzero += usize::from(derivative.abs() > 1e-2);
        }
        assert!(nonzero > 300, "{nonzero}");
    }

    #[test]
    fn quantization_changes_ordering_scores_little() {
        let feature_buckets = FeatureBuckets::new(2, [false; 4]).unwrap();
        let groups = feature_buckets.count();
        for rule_class in [RuleClass::Lines, RuleClass::Renju] {
            let mut rng = Rng::with_seed(9);
            let network = random_network(rule_class, &feature_buckets, &mut rng);
            let layout = PolicyLayout { groups, perspectives: rule_class.perspectives() };
            let parameters = parameters(layout, &mut rng);
            let network = network.with_policy(Policy::quantize(&layout.policy(&parameters), 350.0));
            for _ in 0..200 {
                let mut cell = || [rng.u8(..groups as u8), rng.u8(..groups as u8)];
                let (cells, asked) = ((0..60).map(|_| cell()).collect(), cell());
                let [mover, threat] = [2, THREAT_BUCKETS].map(|limit| rng.usize(..limit));
                let input = NetworkInput { cells, mover, threat_bucket: threat, capture_bucket: 0 };
                let inputs = network.inputs(&input);
                let moves = vec![PolicyMove { groups: asked, points: 0 }];
                let features = PolicyFeatures { inputs, mover, threat, moves, chosen: 0 };
                let points = layout.logits(&parameters, &features)[0] * 350.0;
                let whole = network.ordering_points(&input, asked) as f32;
                assert!((points - whole).abs() < 4.0, "{points} {whole}");
            }
        }
    }
}
