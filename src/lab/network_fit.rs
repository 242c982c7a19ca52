//! A network fitted to what values of weights foretell wrongly.

use super::corpus::{Corpus, CorpusError, PositionKind};
use super::descent::Descent;
use super::forecast::{Aim, cross_entropy, sigmoid};
use super::games::Example;
use super::gradient::{Slopes, odds};
use super::layout::Layout;
use fastrand::Rng;
use pentarch_engine::eval::{Grouping, Network, NetworkInput};
use rayon::prelude::*;
use std::fmt;

/// How a network is fitted.
#[derive(Clone, Debug)]
pub struct NetworkFit {
    /// Which cells it takes for alike.
    pub grouping: Grouping,
    /// What it begins as, if not as one that knows nothing: a network of the same grouping.
    pub from: Option<Network>,
    /// What values are to foretell.
    pub aim: Aim,
    /// How often it sees each position.
    pub epochs: usize,
    /// The first rate of steps.
    pub rate: f32,
    /// What is taken off the rows of cells with each step, as a share of the rate.
    pub decay: f32,
    /// Chooses the first numbers and shuffles the positions.
    pub seed: u64,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct NetworkFeatures {
    /// What the network looks at.
    pub input: NetworkInput,
    /// The value of the weights, in points.
    pub points: f32,
}

/// What came of a fit: mean cross-entropies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkReport {
    /// Positions that it was fitted to.
    pub positions: usize,
    /// Positions that were held out.
    pub held_out: usize,
    /// Of the network over the positions of the last epoch, as it went on.
    pub fitted_loss: f64,
    /// Of the weights alone, over those held out.
    pub weights_loss: f64,
    /// Of weights and network, over those held out.
    pub network_loss: f64,
    /// The same in whole numbers.
    pub whole_loss: f64,
}

/// Positions of a step.
const BATCH: usize = 4096;
/// Parts of a step that threads may share out. The number is part of the result.
const PARTS: usize = 4;

impl NetworkFit {
    /// Fits a network; `tell` is shown the loss over the positions held out after each epoch.
    pub fn run(
        &self,
        corpus: &Corpus,
        mut tell: impl FnMut(usize, f64, f64),
    ) -> Result<(Network, NetworkReport), CorpusError> {
        let examples = corpus.examples(PositionKind::Quiet, |evaluator, position, _| {
            let points = evaluator.value_of_weights(position).value() as f32;
            let input = evaluator.network_input(position, &self.grouping);
            Some(NetworkFeatures { input, points })
        })?;
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            examples.iter().partition(|example| example.held_out);
        let layout = Layout::new(self.grouping.kin(), corpus.genre().views());
        let mut rng = Rng::with_seed(self.seed);
        let mut numbers = match &self.from {
            Some(network) => layout.numbers(&network.to_float(self.aim.stretch)),
            None => layout.first_numbers(&mut rng),
        };
        let descent = Descent { epochs: self.epochs, batch: BATCH, rate: self.rate };
        let fitted_loss = descent.run(
            &mut numbers,
            fitted.len(),
            &mut rng,
            |numbers, batch, rate| {
                let slopes = self.gradient(layout, numbers, &fitted, batch);
                layout.decay(numbers, self.decay * rate);
                slopes
            },
            |epoch, loss, numbers| {
                let float = layout.float(numbers);
                tell(epoch, loss, self.loss(&held_out, |one| odds(layout, &float, one)));
            },
        );
        let float = layout.float(&numbers);
        let network =
            Network::quantize(corpus.genre(), self.grouping.clone(), &float, self.aim.stretch);
        let scale = self.aim.points();
        let report = NetworkReport {
            positions: fitted.len(),
            held_out: held_out.len(),
            fitted_loss,
            weights_loss: self.loss(&held_out, |_| 0.0),
            network_loss: self.loss(&held_out, |one| odds(layout, &float, one)),
            whole_loss: self.loss(&held_out, |one| network.correction(one) as f32 / scale),
        };
        Ok((network, report))
    }

    /// The sum of losses over a batch, and the mean slope of each number.
    fn gradient(
        &self,
        layout: Layout<'_>,
        numbers: &[f32],
        examples: &[&Example<NetworkFeatures>],
        batch: &[usize],
    ) -> (f64, Vec<f32>) {
        let float = layout.float(numbers);
        let parts = batch.par_chunks(BATCH.div_ceil(PARTS)).map(|part| {
            let mut slopes = Slopes::new(layout);
            let mut loss = 0.0;
            for &index in part {
                let Example { features, searched, .. } = examples[index];
                let target = self.aim.target(searched);
                let base = features.points / self.aim.points();
                slopes.add(&float, &features.input, |odds| {
                    loss += f64::from(cross_entropy(base + odds, target));
                    sigmoid(base + odds) - target
                });
            }
            (loss, slopes)
        });
        let mut parts: Vec<(f64, Slopes<'_>)> = parts.collect();
        let (mut loss, mut total) = parts.remove(0);
        for (part, slopes) in parts {
            loss += part;
            total.join(&slopes);
        }
        (loss, total.gradient(1.0 / batch.len() as f32))
    }

    fn loss(
        &self,
        examples: &[&Example<NetworkFeatures>],
        odds: impl Fn(&NetworkInput) -> f32 + Sync,
    ) -> f64 {
        let losses = examples.par_iter().map(|example| {
            let base = example.features.points / self.aim.points();
            let target = self.aim.target(&example.searched);
            f64::from(cross_entropy(base + odds(&example.features.input), target))
        });
        let losses: Vec<f64> = losses.collect();
        losses.iter().sum::<f64>() / losses.len().max(1) as f64
    }
}

impl fmt::Display for NetworkReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetworkReport { positions, held_out, fitted_loss, .. } = self;
        let NetworkReport { weights_loss, network_loss, whole_loss, .. } = self;
        write!(
            f,
            "fitted to {positions} positions, loss {fitted_loss:.5}; of {held_out} held out \
             {network_loss:.5}, in whole numbers {whole_loss:.5}, of the weights alone \
             {weights_loss:.5}"
        )
    }
}
