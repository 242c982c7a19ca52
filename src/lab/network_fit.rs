//! Fits of a network that corrects the values of linear weights.
//!
//! The network has a row of feature weights for each pair of buckets of a cell: its bucket for the color
//! to move and its bucket for the other color. While it is fitted, each row is factorized, as by the
//! virtual features of `nnue-pytorch`: it is the sum of a row for one's own bucket, a row for the other
//! bucket, and a row for the pair of their coarse buckets, so that rare pairs learn from frequent ones.
//! Where the colors have different rules, each color has its own perspective with its own rows for single
//! buckets.

use super::corpus::{Corpus, CorpusError, Example, PositionFilter};
use super::loss::{TrainingTarget, cross_entropy, sigmoid};
use super::optimizer::GradientDescent;
use fastrand::Rng;
use pentarch_engine::eval::{
    ACCUMULATOR_SIZE, CAPTURE_BUCKETS, FeatureBuckets, FloatNetwork, HIDDEN, INPUTS, LineEvaluator,
    Network, NetworkInput, THREAT_BUCKETS,
};
use rayon::prelude::*;
use std::borrow::Cow;
use std::fmt;

/// The settings of a fit of a network.
#[derive(Clone, Debug)]
pub struct NetworkFit {
    /// The buckets of cells.
    pub feature_buckets: FeatureBuckets,
    /// A network with the same buckets to start from; `None` starts from random parameters.
    pub from: Option<Network>,
    /// What values are trained to predict.
    pub target: TrainingTarget,
    /// The number of passes over the positions.
    pub epochs: usize,
    /// The learning rate of the first step.
    pub rate: f32,
    /// The weight decay of the rows of coarse pairs, relative to the learning rate.
    pub decay: f32,
    /// The seed of the initial parameters and of the order of the positions.
    pub seed: u64,
}

struct NetworkFeatures {
    input: NetworkInput,
    /// The value of the linear weights, in points.
    points: f32,
}

/// The mean losses of a fit. `Display` prints them in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkReport {
    positions: usize,
    held_out: usize,
    /// The mean loss during the last epoch.
    fitted_loss: f64,
    /// The validation loss of the linear weights alone.
    weights_loss: f64,
    /// The validation loss of linear weights and network.
    network_loss: f64,
    /// The validation loss after quantization.
    quantized_loss: f64,
}

const BATCH: usize = 4096;
/// The number of parts of a batch that threads compute. The rounding of sums depends on it.
const PARTS: usize = 4;

impl NetworkFit {
    /// Fits a network. `report` is called after each epoch with its number, from 1, its mean loss and its
    /// validation loss.
    pub fn run(
        &self,
        corpus: &Corpus,
        mut report: impl FnMut(usize, f64, f64),
    ) -> Result<(Network, NetworkReport), CorpusError> {
        let examples =
            corpus.examples(PositionFilter::Quiet, |evaluator: &LineEvaluator, position, _| {
                let points = evaluator.value_without_network(position).value() as f32;
                let input = evaluator.network_input(position, &self.feature_buckets);
                Some(NetworkFeatures { input, points })
            })?;
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            examples.iter().partition(|example| example.held_out);
        let layout =
            NetworkLayout::new(self.feature_buckets.coarse(), corpus.rule_class().perspectives());
        let mut rng = Rng::with_seed(self.seed);
        let mut parameters = match &self.from {
            Some(network) => layout.parameters(&network.to_float(self.target.value_scale)),
            None => layout.initial_parameters(&mut rng),
        };
        let descent = GradientDescent { epochs: self.epochs, batch: BATCH, rate: self.rate };
        let fitted_loss = descent.run(
            &mut parameters,
            fitted.len(),
            &mut rng,
            |parameters, batch, rate| {
                let gradient = self.gradient(layout, parameters, &fitted, batch);
                layout.decay(parameters, self.decay * rate);
                gradient
            },
            |epoch, loss, parameters| {
                let float = layout.network(parameters);
                report(epoch, loss, self.loss(&held_out, |input| logit(layout, &float, input)));
            },
        );
        let float = layout.network(&parameters);
        let network = Network::quantize(
            corpus.rule_class(),
            self.feature_buckets.clone(),
            &float,
            self.target.value_scale,
        );
        let scale = self.target.points_per_logit();
        let report = NetworkReport {
            positions: fitted.len(),
            held_out: held_out.len(),
            fitted_loss,
            weights_loss: self.loss(&held_out, |_| 0.0),
            network_loss: self.loss(&held_out, |input| logit(layout, &float, input)),
            quantized_loss: self.loss(&held_out, |input| network.correction(input) as f32 / scale),
        };
        Ok((network, report))
    }

    /// The sum of the losses of a batch and the mean gradient.
    fn gradient(
        &self,
        layout: NetworkLayout<'_>,
        parameters: &[f32],
        examples: &[&Example<NetworkFeatures>],
        batch: &[usize],
    ) -> (f64, Vec<f32>) {
        let float = layout.network(parameters);
        let parts = batch.par_chunks(BATCH.div_ceil(PARTS)).map(|part| {
            let mut gradient = NetworkGradient::new(layout);
            let mut loss = 0.0;
            for &index in part {
                let Example { features, label, .. } = examples[index];
                let target = self.target.probability(label);
                let base = features.points / self.target.points_per_logit();
                gradient.add(&float, &features.input, |correction| {
                    loss += f64::from(cross_entropy(base + correction, target));
                    sigmoid(base + correction) - target
                });
            }
            (loss, gradient)
        });
        let mut parts: Vec<(f64, NetworkGradient<'_>)> = parts.collect();
        let (mut loss, mut total) = parts.remove(0);
        for (part_loss, gradient) in parts {
            loss += part_loss;
            total.add_gradient(&gradient);
        }
        (loss, layout.gradient(&total.sums, 1.0 / batch.len() as f32))
    }

    /// The mean loss with the corrections of `logit`.
    fn loss(
        &self,
        examples: &[&Example<NetworkFeatures>],
        logit: impl Fn(&NetworkInput) -> f32 + Sync,
    ) -> f64 {
        let losses = examples.par_iter().map(|example| {
            let base = example.features.points / self.target.points_per_logit();
            let target = self.target.probability(&example.label);
            f64::from(cross_entropy(base + logit(&example.features.input), target))
        });
        let losses: Vec<f64> = losses.collect();
        losses.iter().sum::<f64>() / losses.len().max(1) as f64
    }
}

impl fmt::Display for NetworkReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetworkReport { positions, held_out, fitted_loss, .. } = self;
        let NetworkReport { weights_loss, network_loss, quantized_loss, .. } = self;
        write!(
            f,
            "fitted to {positions} positions, loss {fitted_loss:.5}; of {held_out} held out \
             {network_loss:.5}, quantized {quantized_loss:.5}, weights alone {weights_loss:.5}"
        )
    }
}

/// The intermediate results of a forward pass.
struct ForwardPass {
    /// The accumulators of the color to move and of the other color.
    accumulators: [f32; INPUTS],
    clipped: [f32; INPUTS],
    neurons: [f32; HIDDEN],
    logit: f32,
}

/// The index of the accumulator dimension that is added to the output directly.
const LINEAR: usize = ACCUMULATOR_SIZE - 1;

impl ForwardPass {
    fn new(layout: NetworkLayout<'_>, float: &FloatNetwork, input: &NetworkInput) -> ForwardPass {
        let mut accumulators = [0.0; INPUTS];
        let (own, their) = accumulators.split_at_mut(ACCUMULATOR_SIZE);
        own.copy_from_slice(&float.bias);
        their.copy_from_slice(&float.bias);
        for &cell in &input.cells {
            let [first, second] = layout.rows_of(input.mover, cell);
            add(own, row(&float.cells, first));
            add(their, row(&float.cells, second));
        }
        add(own, row(&float.threats, input.threat_bucket));
        add(own, row(&float.captures, input.capture_bucket));
        let linear = own[LINEAR] - their[LINEAR];
        let clipped = accumulators.map(|sum| sum.clamp(0.0, 1.0));
        let mut logit = float.output_bias + linear;
        let mut neurons = [0.0; HIDDEN];
        for (i, neuron) in neurons.iter_mut().enumerate() {
            let weights = &float.hidden[i * INPUTS..][..INPUTS];
            let product: f32 = weights.iter().zip(&clipped).map(|(w, x)| w * x).sum();
            *neuron = product + float.hidden_bias[i];
            logit += neuron.clamp(0.0, 1.0) * float.output[i];
        }
        ForwardPass { accumulators, clipped, neurons, logit }
    }
}

/// The output of a network in floating point.
fn logit(layout: NetworkLayout<'_>, float: &FloatNetwork, input: &NetworkInput) -> f32 {
    ForwardPass::new(layout, float, input).logit
}

/// The gradient of the weights of a network, summed over positions.
struct NetworkGradient<'a> {
    sums: FloatNetwork,
    layout: NetworkLayout<'a>,
}

impl<'a> NetworkGradient<'a> {
    fn new(layout: NetworkLayout<'a>) -> NetworkGradient<'a> {
        NetworkGradient { sums: layout.zeros(), layout }
    }

    /// Backpropagates a position. `derivative` maps the logit to the derivative of the loss.
    fn add(
        &mut self,
        float: &FloatNetwork,
        input: &NetworkInput,
        derivative: impl FnOnce(f32) -> f32,
    ) {
        let NetworkGradient { sums, layout } = self;
        let pass = ForwardPass::new(*layout, float, input);
        let by_logit = derivative(pass.logit);
        sums.output_bias += by_logit;
        let mut by_input = [0.0; INPUTS];
        for (i, &neuron) in pass.neurons.iter().enumerate() {
            sums.output[i] += by_logit * neuron.clamp(0.0, 1.0);
            if !(0.0..1.0).contains(&neuron) {
                continue;
            }
            let by_neuron = by_logit * float.output[i];
            sums.hidden_bias[i] += by_neuron;
            let weights = &float.hidden[i * INPUTS..][..INPUTS];
            let weight_sums = &mut sums.hidden[i * INPUTS..][..INPUTS];
            for input in 0..INPUTS {
                weight_sums[input] += by_neuron * pass.clipped[input];
                by_input[input] += by_neuron * weights[input];
            }
        }
        for (by_input, sum) in by_input.iter_mut().zip(pass.accumulators) {
            *by_input = if (0.0..1.0).contains(&sum) { *by_input } else { 0.0 };
        }
        by_input[LINEAR] = by_logit;
        by_input[ACCUMULATOR_SIZE + LINEAR] = -by_logit;
        let (own, their) = by_input.split_at(ACCUMULATOR_SIZE);
        add(&mut sums.bias, own);
        add(&mut sums.bias, their);
        add(&mut sums.threats[input.threat_bucket * ACCUMULATOR_SIZE..][..ACCUMULATOR_SIZE], own);
        add(&mut sums.captures[input.capture_bucket * ACCUMULATOR_SIZE..][..ACCUMULATOR_SIZE], own);
        for &cell in &input.cells {
            let [first, second] = layout.rows_of(input.mover, cell);
            add(&mut sums.cells[first * ACCUMULATOR_SIZE..][..ACCUMULATOR_SIZE], own);
            add(&mut sums.cells[second * ACCUMULATOR_SIZE..][..ACCUMULATOR_SIZE], their);
        }
    }

    fn add_gradient(&mut self, other: &NetworkGradient<'_>) {
        let (sums, other) = (&mut self.sums, &other.sums);
        for (sums, parts) in [
            (&mut sums.cells, &other.cells),
            (&mut sums.threats, &other.threats),
            (&mut sums.captures, &other.captures),
            (&mut sums.bias, &other.bias),
            (&mut sums.hidden, &other.hidden),
            (&mut sums.hidden_bias, &other.hidden_bias),
            (&mut sums.output, &other.output),
        ] {
            add(sums, parts);
        }
        sums.output_bias += other.output_bias;
    }
}

/// The layout of the fitted parameters: the rows of coarse pairs; for each perspective the rows of one's
/// own buckets and of the other buckets; then the remaining parts of [`FloatNetwork`] in its order.
#[derive(Clone, Copy, Debug)]
struct NetworkLayout<'a> {
    /// The coarse bucket of each bucket.
    coarse: &'a [u8],
    buckets: usize,
    coarse_buckets: usize,
    /// The number of colors that have their own perspective, or 1.
    perspectives: usize,
}

/// The number of rounds of [`NetworkLayout::backfit`]. The rest that they leave is smaller than the
/// rounding of the quantization.
const BACKFIT_ROUNDS: usize = 60;

/// The lengths of the parts after the rows of cells.
const PART_LENGTHS: [usize; 7] = [
    THREAT_BUCKETS * ACCUMULATOR_SIZE,
    CAPTURE_BUCKETS * ACCUMULATOR_SIZE,
    ACCUMULATOR_SIZE,
    HIDDEN * INPUTS,
    HIDDEN,
    HIDDEN,
    1,
];

impl<'a> NetworkLayout<'a> {
    fn new(coarse: &'a [u8], perspectives: usize) -> NetworkLayout<'a> {
        let coarse_buckets = coarse.iter().max().map_or(0, |&most| usize::from(most) + 1);
        NetworkLayout { coarse, buckets: coarse.len(), coarse_buckets, perspectives }
    }

    /// The number of parameters of all coarse pairs.
    fn coarse_length(self) -> usize {
        self.coarse_buckets * self.coarse_buckets * ACCUMULATOR_SIZE
    }

    /// The number of parameters of all single buckets of one side.
    fn single_length(self) -> usize {
        self.buckets * ACCUMULATOR_SIZE
    }

    /// The number of rows of cells in a perspective.
    fn pairs(self) -> usize {
        self.buckets.pow(2)
    }

    /// The index of the row of the coarse pair that belongs to a row of cells.
    fn coarse_row(self, row: usize) -> usize {
        let pair = row % self.pairs();
        let [own, their] =
            [pair / self.buckets, pair % self.buckets].map(|bucket| self.coarse[bucket]);
        usize::from(own) * self.coarse_buckets + usize::from(their)
    }

    /// The offsets of the rows of single buckets that belong to a row of cells: own, other.
    fn single_offsets(self, row: usize) -> [usize; 2] {
        let (perspective, pair) = (row / self.pairs(), row % self.pairs());
        let first = self.coarse_length() + 2 * perspective * self.single_length();
        let (own, their) = (pair / self.buckets, pair % self.buckets);
        [first + own * ACCUMULATOR_SIZE, first + self.single_length() + their * ACCUMULATOR_SIZE]
    }

    /// The offsets of the three rows whose sum is a row of cells.
    fn factor_offsets(self, row: usize) -> [usize; 3] {
        let [own, their] = self.single_offsets(row);
        [self.coarse_row(row) * ACCUMULATOR_SIZE, own, their]
    }

    /// The rows of a cell for the perspectives of the color to move and of the other color.
    fn rows_of(self, mover: usize, [own, their]: [u8; 2]) -> [usize; 2] {
        let [own, their] = [usize::from(own), usize::from(their)];
        let first = |color: usize| color % self.perspectives * self.pairs();
        [first(mover) + own * self.buckets + their, first(mover ^ 1) + their * self.buckets + own]
    }

    /// The offset of a part of [`PART_LENGTHS`].
    fn part(self, index: usize) -> usize {
        let cells = self.coarse_length() + 2 * self.perspectives * self.single_length();
        cells + PART_LENGTHS[..index].iter().sum::<usize>()
    }

    /// Random parameters to start from.
    fn initial_parameters(self, rng: &mut Rng) -> Vec<f32> {
        let mut parameters = vec![0.0; self.part(PART_LENGTHS.len())];
        let mut fill = |parameters: &mut [f32], mean: f32, width: f32| {
            for parameter in parameters {
                *parameter = mean + width * (2.0 * rng.f32() - 1.0);
            }
        };
        fill(&mut parameters[self.coarse_length()..self.part(0)], 0.0, 0.05);
        fill(&mut parameters[self.part(2)..self.part(3)], 0.5, 0.1);
        fill(&mut parameters[self.part(3)..self.part(4)], 0.0, 0.2);
        fill(&mut parameters[self.part(4)..self.part(5)], 0.3, 0.1);
        fill(&mut parameters[self.part(5)..self.part(6)], 0.0, 0.1);
        // The linear dimension starts at 0.
        for rows in [self.coarse_length()..self.part(0), self.part(2)..self.part(3)] {
            parameters[rows]
                .iter_mut()
                .skip(LINEAR)
                .step_by(ACCUMULATOR_SIZE)
                .for_each(|n| *n = 0.0);
        }
        parameters
    }

    /// The parameters of a network with the same buckets. If the network has fewer perspectives, its rows
    /// are repeated; if it has more, the first one is used.
    fn parameters(self, float: &FloatNetwork) -> Vec<f32> {
        let mut parameters = vec![0.0; self.part(0)];
        let wanted = self.perspectives * self.pairs() * ACCUMULATOR_SIZE;
        let cells = if float.cells.len() < wanted {
            Cow::Owned(float.cells.repeat(self.perspectives))
        } else {
            Cow::Borrowed(&float.cells[..wanted])
        };
        self.backfit(&cells, &mut parameters);
        parameters.extend(float_parts(float).concat());
        if self.perspectives > 1 && float.cells.len() < wanted {
            // The threat class includes who has forbidden points. A network whose colors have the same
            // rules uses the first of each four classes only.
            for classes in
                parameters[self.part(0)..self.part(1)].chunks_exact_mut(4 * ACCUMULATOR_SIZE)
            {
                let (used, others) = classes.split_at_mut(ACCUMULATOR_SIZE);
                others.chunks_exact_mut(ACCUMULATOR_SIZE).for_each(|row| row.copy_from_slice(used));
            }
        }
        parameters
    }

    /// Factorizes rows of cells by backfitting: in turn, each kind of factor becomes the mean of the
    /// residuals that the other kinds leave, coarse pairs first.
    fn backfit(self, cells: &[f32], parameters: &mut [f32]) {
        let mut residuals = cells.to_vec();
        for _ in 0..BACKFIT_ROUNDS {
            for factor in 0..3 {
                let mut means = vec![0.0; parameters.len()];
                let mut counts = vec![0; parameters.len()];
                let rows = residuals.chunks_exact(ACCUMULATOR_SIZE).enumerate();
                for (index, row) in rows.filter(|(index, _)| index % self.pairs() != 0) {
                    let first = self.factor_offsets(index)[factor];
                    add(&mut means[first..][..ACCUMULATOR_SIZE], row);
                    counts[first] += 1;
                }
                for first in
                    (0..means.len()).step_by(ACCUMULATOR_SIZE).filter(|&first| counts[first] > 0)
                {
                    let mean = &mut means[first..][..ACCUMULATOR_SIZE];
                    for sum in mean {
                        *sum /= counts[first] as f32;
                    }
                }
                add(parameters, &means);
                for (index, row) in residuals.chunks_exact_mut(ACCUMULATOR_SIZE).enumerate() {
                    let mean = &means[self.factor_offsets(index)[factor]..][..ACCUMULATOR_SIZE];
                    row.iter_mut().zip(mean).for_each(|(residual, mean)| *residual -= mean);
                }
            }
        }
    }

    /// Decays the rows of coarse pairs.
    fn decay(self, parameters: &mut [f32], share: f32) {
        parameters[..self.coarse_length()].iter_mut().for_each(|n| *n *= 1.0 - share);
    }

    /// The network of the parameters. The row of the pair of empty buckets is 0, since the evaluation
    /// leaves such cells out.
    fn network(self, parameters: &[f32]) -> FloatNetwork {
        let mut cells = vec![0.0; self.perspectives * self.pairs() * ACCUMULATOR_SIZE];
        for (index, row) in cells.chunks_exact_mut(ACCUMULATOR_SIZE).enumerate() {
            row.copy_from_slice(self::row(parameters, self.coarse_row(index)));
            let singles = self.single_offsets(index);
            let [own, their] = singles.map(|first| &parameters[first..][..ACCUMULATOR_SIZE]);
            let both = own.iter().zip(their);
            row.iter_mut().zip(both).for_each(|(n, (own, their))| *n += own + their);
        }
        let perspectives = cells.chunks_exact_mut(self.pairs() * ACCUMULATOR_SIZE);
        perspectives.for_each(|rows| rows[..ACCUMULATOR_SIZE].fill(0.0));
        let part = |index| parameters[self.part(index)..self.part(index + 1)].to_vec();
        let mut neurons = part(3);
        neurons.iter_mut().skip(LINEAR).step_by(ACCUMULATOR_SIZE).for_each(|n| *n = 0.0);
        FloatNetwork {
            cells,
            threats: part(0),
            captures: part(1),
            bias: part(2),
            hidden: neurons,
            hidden_bias: part(4),
            output: part(5),
            output_bias: parameters[self.part(6)],
        }
    }

    /// The gradient of the parameters from that of the network, multiplied by `factor`.
    fn gradient(self, sums: &FloatNetwork, factor: f32) -> Vec<f32> {
        let mut gradient = vec![0.0; self.part(PART_LENGTHS.len())];
        for (index, row) in sums.cells.chunks_exact(ACCUMULATOR_SIZE).enumerate() {
            if index % self.pairs() != 0 {
                for first in self.factor_offsets(index) {
                    add(&mut gradient[first..][..ACCUMULATOR_SIZE], row);
                }
            }
        }
        let parts = float_parts(sums).concat();
        gradient[self.part(0)..].copy_from_slice(&parts);
        for derivative in &mut gradient {
            *derivative *= factor;
        }
        gradient
    }

    fn zeros(self) -> FloatNetwork {
        let part = |index: usize| vec![0.0; PART_LENGTHS[index]];
        FloatNetwork {
            cells: vec![0.0; self.perspectives * self.pairs() * ACCUMULATOR_SIZE],
            threats: part(0),
            captures: part(1),
            bias: part(2),
            hidden: part(3),
            hidden_bias: part(4),
            output: part(5),
            output_bias: 0.0,
        }
    }
}

/// The parts of a network after its rows of cells, in the order of [`PART_LENGTHS`].
fn float_parts(float: &FloatNetwork) -> [&[f32]; 7] {
    [
        &float.threats,
        &float.captures,
        &float.bias,
        &float.hidden,
        &float.hidden_bias,
        &float.output,
        std::slice::from_ref(&float.output_bias),
    ]
}

fn row(rows: &[f32], index: usize) -> &[f32] {
    &rows[index * ACCUMULATOR_SIZE..][..ACCUMULATOR_SIZE]
}

fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}

/// A quantized random network, for tests of the policy head.
#[cfg(test)]
pub(super) fn random_network(
    rule_class: pentarch_engine::eval::RuleClass,
    feature_buckets: &FeatureBuckets,
    rng: &mut Rng,
) -> Network {
    let layout = NetworkLayout::new(feature_buckets.coarse(), rule_class.perspectives());
    let float = layout.network(&layout.initial_parameters(rng));
    Network::quantize(rule_class, feature_buckets.clone(), &float, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_engine::eval::RuleClass;
    use pentarch_engine::search::Score;

    #[test]
    fn gradients_equal_finite_differences() {
        check_gradient(NetworkLayout::new(&[0, 1, 2, 3, 4, 5], 1), 0);
        for mover in [0, 1] {
            check_gradient(NetworkLayout::new(&[0, 1, 2, 1, 4, 3], 2), mover);
        }
    }

    /// Small enough that no accumulator and no neuron reaches a clipping bound.
    const STEP: f32 = 2e-4;

    fn check_gradient(layout: NetworkLayout<'_>, mover: usize) {
        let mut rng = Rng::with_seed(3);
        let mut parameters = layout.initial_parameters(&mut rng);
        for parameter in &mut parameters {
            *parameter += 0.02 * (rng.f32() - 0.5);
        }
        let cells = vec![[1, 2], [1, 2], [0, 3], [5, 0], [4, 4]];
        let input = NetworkInput { cells, mover, threat_bucket: 7, capture_bucket: 11 };
        let mut sums = NetworkGradient::new(layout);
        sums.add(&layout.network(&parameters), &input, |_| 1.0);
        let gradient = layout.gradient(&sums.sums, 1.0);
        assert_eq!(gradient.len(), parameters.len());
        let mut nonzero = 0;
        for index in 0..parameters.len() {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut other = parameters.clone();
                other[index] += step;
                logit(layout, &layout.network(&other), &input)
            });
            let derivative = (high - low) / (2.0 * STEP);
            let exact = gradient[index];
            assert!((derivative - exact).abs() < 2e-2, "{index}: {derivative} {exact}");
            nonzero += usize::from(derivative.abs() > 1e-3);
        }
        assert!(nonzero > 300, "{nonzero}");
    }

    /// With 60 cells the rounding errors add up to a few points; 400 points are one logit.
    #[test]
    fn quantization_changes_values_little() {
        for rule_class in [RuleClass::Lines, RuleClass::Renju] {
            check_quantization(rule_class);
        }
    }

    fn check_quantization(rule_class: RuleClass) {
        let feature_buckets = FeatureBuckets::new(2, [false; 4]).unwrap();
        let buckets = feature_buckets.count();
        let layout = NetworkLayout::new(feature_buckets.coarse(), rule_class.perspectives());
        let mut rng = Rng::with_seed(9);
        let mut parameters = layout.initial_parameters(&mut rng);
        for parameter in &mut parameters {
            *parameter += 0.1 * (rng.f32() - 0.5);
        }
        let float = layout.network(&parameters);
        let network = Network::quantize(rule_class, feature_buckets.clone(), &float, 1.0);
        let (mut largest, mut widest) = (0.0f32, 0.0f32);
        for _ in 0..500 {
            let mut cell = || [rng.u8(..buckets as u8), rng.u8(..buckets as u8)];
            let cells = (0..60).map(|_| cell()).filter(|&cell| cell != [0, 0]).collect();
            let [mover, threat, count] =
                [2, THREAT_BUCKETS, CAPTURE_BUCKETS].map(|limit| rng.usize(..limit));
            let input = NetworkInput { cells, mover, threat_bucket: threat, capture_bucket: count };
            let points = logit(layout, &float, &input) * Score::SCALE as f32;
            largest = largest.max(points.abs());
            widest = widest.max((points - network.correction(&input) as f32).abs());
        }
        assert!(largest > 100.0, "all values are small: {largest}");
        assert!(widest < 8.0, "{widest} of {largest} points");
    }

    const DISTINCT: [u8; 6] = [0, 1, 2, 3, 4, 5];
    const SHARED: [u8; 6] = [0, 0, 1, 2, 2, 1];

    /// A fit that starts from a network starts where the network ended, whatever its factors were.
    #[test]
    fn parameters_of_a_network_give_the_same_network() {
        for layout in [(&DISTINCT, 1), (&DISTINCT, 2), (&SHARED, 1), (&SHARED, 2)]
            .map(|(coarse, perspectives)| NetworkLayout::new(coarse, perspectives))
        {
            let parameters = layout.initial_parameters(&mut Rng::with_seed(5));
            let float = layout.network(&parameters);
            let again = layout.network(&layout.parameters(&float));
            assert_eq!(again.cells.len(), float.cells.len());
            for (number, (one, other)) in again.cells.iter().zip(&float.cells).enumerate() {
                assert!((one - other).abs() < 1e-5, "{number} of {layout:?}: {one} {other}");
            }
            assert_eq!(float_parts(&again).concat(), float_parts(&float).concat());
        }
    }

    #[test]
    fn perspectives_are_added_and_removed() {
        let [one, two] = [1, 2].map(|perspectives| NetworkLayout::new(&DISTINCT, perspectives));
        let shared = one.network(&one.initial_parameters(&mut Rng::with_seed(5)));
        let repeated = two.network(&two.parameters(&shared));
        assert_eq!(repeated.cells, shared.cells.repeat(2));
        assert_eq!(one.network(&one.parameters(&repeated)).cells, shared.cells);
    }
}
