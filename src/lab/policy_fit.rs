//! A head for the order of moves, fitted to the moves that searches chose.
//!
//! It corrects the ordering scores of the weights as the network corrects their values, and sees what
//! the network sees, which stays as it is.

use super::corpus::{Corpus, CorpusError, PositionKind};
use super::descent::Descent;
use super::forecast::{chance_of_first, shares};
use super::games::Example;
use super::policy_gradient::{PolicyLayout, PolicySlopes};
use super::positions::ORDERING_SCALE;
use fastrand::Rng;
use pentarch_core::game::{Move, MoveList};
use pentarch_engine::eval::{INPUTS, Network, Policy};
use pentarch_engine::search::MoveGenerator as _;
use rayon::prelude::*;
use std::fmt;

/// How a head is fitted.
#[derive(Clone, Copy, Debug)]
pub struct PolicyFit {
    /// How often it sees each position.
    pub epochs: usize,
    /// The first rate of steps.
    pub rate: f32,
    /// What is taken off the numbers of cells with each step, as a share of the rate.
    pub decay: f32,
    /// Chooses the first numbers and shuffles the positions.
    pub seed: u64,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct PolicyFeatures {
    /// What the neurons look at.
    pub inputs: [i16; INPUTS],
    /// The number of the color to move.
    pub mover: usize,
    /// The kind of position by most urgent cells.
    pub threat: usize,
    /// The candidates.
    pub moves: Vec<PolicyMove>,
    /// The number of the one that was chosen.
    pub chosen: usize,
}

/// A candidate.
#[derive(Clone, Copy, Debug)]
pub struct PolicyMove {
    /// The groups of its cell for the color to move and for the other.
    pub groups: [u8; 2],
    /// What the weights give it, in points.
    pub points: i16,
}

/// What came of a fit: means of the negative logarithm of the share that the chosen move is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyReport {
    /// Positions that it was fitted to.
    pub positions: usize,
    /// Positions that were held out.
    pub held_out: usize,
    /// Over the positions of the last epoch, as it went on.
    pub fitted_loss: f64,
    /// Of the weights alone, over those held out.
    pub weights_loss: f64,
    /// Of weights and head, over those held out.
    pub policy_loss: f64,
    /// How often the chosen move comes first there.
    pub first: f64,
}

/// Positions of a step.
const BATCH: usize = 1024;
/// Parts of a step that threads may share out. The number is part of the result.
const PARTS: usize = 4;

impl PolicyFit {
    /// Fits a head to a network; `tell` is shown the loss over the positions held out after each epoch.
    pub fn run(
        &self,
        corpus: &Corpus,
        network: &Network,
        mut tell: impl FnMut(usize, f64, f64),
    ) -> Result<(Policy, PolicyReport), CorpusError> {
        let examples = features(corpus, network)?;
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            examples.iter().partition(|example| example.held_out);
        let layout = PolicyLayout::new(network.grouping().count(), network.genre().views());
        let mut rng = Rng::with_seed(self.seed);
        let mut numbers = layout.first_numbers(&mut rng);
        let descent = Descent { epochs: self.epochs, batch: BATCH, rate: self.rate };
        let fitted_loss = descent.run(
            &mut numbers,
            fitted.len(),
            &mut rng,
            |numbers, batch, rate| {
                let slopes = gradient(layout, numbers, &fitted, batch);
                layout.decay(numbers, self.decay * rate);
                slopes
            },
            |epoch, fitted, numbers| {
                tell(epoch, fitted, loss(&held_out, |one| layout.odds(numbers, one))[0]);
            },
        );
        let [policy_loss, first] = loss(&held_out, |one| layout.odds(&numbers, one));
        let report = PolicyReport {
            positions: fitted.len(),
            held_out: held_out.len(),
            fitted_loss,
            weights_loss: loss(&held_out, of_weights)[0],
            policy_loss,
            first,
        };
        Ok((Policy::quantize(&layout.float(&numbers), ORDERING_SCALE), report))
    }
}

/// What there is to learn from the positions of a corpus.
fn features(
    corpus: &Corpus,
    network: &Network,
) -> Result<Vec<Example<PolicyFeatures>>, CorpusError> {
    let grouping = network.grouping();
    corpus.examples(PositionKind::Open, |evaluator, position, searched| {
        let mut list = MoveList::new();
        evaluator.candidates(position, &mut list);
        let chosen = list.iter().position(|&mv| Some(mv) == searched.best)?;
        let input = evaluator.network_input(position, grouping);
        let candidate = |&mv: &Move| PolicyMove {
            groups: evaluator.groups_of(position, mv, grouping),
            points: evaluator.ordering_score(position, mv) as i16,
        };
        Some(PolicyFeatures {
            inputs: network.inputs(&input),
            mover: input.mover,
            threat: input.threat,
            moves: list.iter().map(candidate).collect(),
            chosen,
        })
    })
}

/// The sum of losses over a batch, and the mean slope of each number.
fn gradient(
    layout: PolicyLayout,
    numbers: &[f32],
    examples: &[&Example<PolicyFeatures>],
    batch: &[usize],
) -> (f64, Vec<f32>) {
    let parts = batch.par_chunks(BATCH.div_ceil(PARTS)).map(|part| {
        let mut slopes = PolicySlopes::new(layout);
        let mut loss = 0.0;
        for &index in part {
            let features = &examples[index].features;
            slopes.add(numbers, features, |odds| {
                let mut shares = shares(odds);
                loss -= f64::from(shares[features.chosen].max(1e-9)).ln();
                shares[features.chosen] -= 1.0;
                shares
            });
        }
        (loss, slopes.into_gradient(1.0 / batch.len() as f32))
    });
    let parts: Vec<(f64, Vec<f32>)> = parts.collect();
    let mut total = (0.0, vec![0.0; layout.count()]);
    for (loss, gradient) in parts {
        total.0 += loss;
        total.1.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
    }
    total
}

/// The log odds of moves by the weights alone.
pub(super) fn of_weights(features: &PolicyFeatures) -> Vec<f32> {
    features.moves.iter().map(|mv| f32::from(mv.points) / ORDERING_SCALE).collect()
}

/// The mean loss of log odds, and how often the chosen move comes first.
fn loss(
    examples: &[&Example<PolicyFeatures>],
    odds: impl Fn(&PolicyFeatures) -> Vec<f32> + Sync,
) -> [f64; 2] {
    let of_one = |example: &&Example<PolicyFeatures>| {
        let odds = odds(&example.features);
        let chosen = example.features.chosen;
        [-f64::from(shares(&odds)[chosen].max(1e-9)).ln(), chance_of_first(&odds, chosen)]
    };
    let all: Vec<[f64; 2]> = examples.par_iter().map(of_one).collect();
    [0, 1].map(|part| all.iter().map(|one| one[part]).sum::<f64>() / all.len().max(1) as f64)
}

impl fmt::Display for PolicyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyReport { positions, held_out, fitted_loss, .. } = self;
        let PolicyReport { weights_loss, policy_loss, first, .. } = self;
        let first = 100.0 * first;
        write!(
            f,
            "head for moves fitted to {positions} positions, loss {fitted_loss:.4}; of {held_out} \
             held out {policy_loss:.4}, of the weights alone {weights_loss:.4}, first {first:.1} %"
        )
    }
}
