//! Weights fitted to a corpus, and how well weights foretell one.

use super::corpus::{Corpus, CorpusError, Example, PositionKind};
use super::forecast::{Aim, sigmoid};
use super::regression::{ChoiceFeatures, Regression, ValueFeatures, choice_loss, value_loss};
use crate::eval::{LineEvaluator, Weights};
use crate::game::{MoveList, Position as _};
use crate::placement::Position;
use crate::search::MoveGenerator as _;
use std::fmt;

/// How weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// What values are to foretell.
    pub aim: Aim,
    /// At most so many positions give moves to the order, the first ones.
    pub choices: usize,
    /// How the regressions go on.
    pub regression: Regression,
}

/// Points of an ordering score for odds of e to 1.
pub(super) const ORDERING_SCALE: f32 = 350.0;

/// Moves take more steps: most weights of a move count for few positions.
const CHOICE_BATCH: usize = 512;
const CHOICE_RATE: f32 = 0.05;

impl Fit {
    /// Fits weights, and says how well they foretell the games that were held out.
    pub fn run(&self, corpus: &Corpus) -> Result<(Weights, String), CorpusError> {
        let mut weights = Weights::clone(Weights::built_in(corpus.genre()));
        let positions = Positions::of(corpus, self.choices)?;
        let (values, choices) = (positions.values(false), positions.choices(false));
        let fitted = self.regression.fit_values(&values, self.aim, Weights::VALUES);
        weights.set_values(&rounded(fitted.into_iter()));
        let regression = Regression { batch: CHOICE_BATCH, rate: CHOICE_RATE, ..self.regression };
        let fitted = regression.fit_choices(&choices, Weights::ORDERING);
        weights.set_ordering(&rounded(fitted.iter().map(|odds| odds * ORDERING_SCALE)));
        let check = positions.check(&weights, self.aim, true);
        let made = format!(
            "fitted to the values of {} positions and the moves of {}; held out: {check}",
            values.len(),
            choices.len()
        );
        Ok((weights, made))
    }
}

fn rounded(numbers: impl Iterator<Item = f32>) -> Vec<i16> {
    // A number too large for its type is cut.
    numbers.map(|number| number.round() as i16).collect()
}

/// The positions of a corpus, as both regressions see them.
#[derive(Debug)]
pub struct Positions {
    values: Vec<Example<ValueFeatures>>,
    choices: Vec<Example<ChoiceFeatures>>,
}

impl Positions {
    /// Reads a corpus. Only the first `choices` positions give moves.
    pub fn of(corpus: &Corpus, choices: usize) -> Result<Positions, CorpusError> {
        let values = corpus.examples(PositionKind::Quiet, |evaluator, position, _| {
            let terms = evaluator.value_terms(position);
            Some(ValueFeatures { terms, percent: evaluator.scale_percent() })
        })?;
        let mean = (values.len() / corpus.games().max(1)).max(1);
        let mut choices =
            corpus.first(choices / mean + 1).examples(PositionKind::Quiet, choice_features)?;
        choices.shrink_to_fit();
        Ok(Positions { values, choices })
    }

    fn values(&self, held_out: bool) -> Vec<&Example<ValueFeatures>> {
        self.values.iter().filter(|example| example.held_out == held_out).collect()
    }

    fn choices(&self, held_out: bool) -> Vec<&Example<ChoiceFeatures>> {
        self.choices.iter().filter(|example| example.held_out == held_out).collect()
    }

    /// How well weights foretell the positions, those that were held out or the others.
    pub fn check(&self, weights: &Weights, aim: Aim, held_out: bool) -> Check {
        let (values, choices) = (self.values(held_out), self.choices(held_out));
        let points: Vec<f32> = weights.values().into_iter().map(f32::from).collect();
        let points = |example: &Example<ValueFeatures>| example.features.points(&points);
        let ordering: Vec<f32> =
            weights.ordering().iter().map(|&score| f32::from(score) / ORDERING_SCALE).collect();
        let [choice_loss, first, among_three] = choice_loss(&choices, &ordering);
        Check {
            positions: values.len(),
            loss: value_loss(&values, aim, points),
            bins: bins(&values, |example| points(example) / aim.points()),
            choices: choices.len(),
            choice_loss,
            first,
            among_three,
        }
    }
}

fn choice_features(
    evaluator: &LineEvaluator,
    position: &Position,
    searched: super::Searched,
) -> Option<ChoiceFeatures> {
    let mut moves = MoveList::new();
    evaluator.candidates(position, &mut moves);
    let chosen = moves.iter().position(|&mv| Some(mv) == searched.best)?;
    debug_assert!(position.outcome().is_none());
    let moves = moves.iter().map(|&mv| evaluator.ordering_terms(position, mv)).collect();
    Some(ChoiceFeatures { moves, chosen })
}

/// How well weights foretell.
#[derive(Clone, Debug)]
pub struct Check {
    positions: usize,
    loss: f64,
    bins: Vec<[f64; 3]>,
    choices: usize,
    choice_loss: f64,
    first: f64,
    among_three: f64,
}

/// Tenths of probability.
const BINS: usize = 10;

/// Mean forecast, mean result and number of the positions of each tenth of probability. Positions
/// beside games have no result and are left out.
fn bins(
    examples: &[&Example<ValueFeatures>],
    odds: impl Fn(&Example<ValueFeatures>) -> f32,
) -> Vec<[f64; 3]> {
    let mut bins = vec![[0.0; 3]; BINS];
    for example in examples {
        let Some(result) = example.searched.result else { continue };
        let p = f64::from(sigmoid(odds(example)));
        let bin = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += p;
        bin[1] += f64::from(result);
        bin[2] += 1.0;
    }
    bins.iter()
        .map(|[p, result, count]| [p / count.max(1.0), result / count.max(1.0), *count])
        .collect()
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { positions, loss, choices, choice_loss, first, among_three, .. } = self;
        write!(f, "value loss {loss:.5} of {positions} positions; move loss {choice_loss:.4}, ")?;
        write!(
            f,
            "first {:.1} %, among three {:.1} % of {choices}",
            100.0 * first,
            100.0 * among_three
        )
    }
}

impl Check {
    /// Forecasts and results, a line for each tenth of probability.
    pub fn calibration(&self) -> String {
        let line = |(index, [p, result, count]): (usize, &[f64; 3])| {
            let low = index as f64 / BINS as f64;
            format!("{low:.1}-{:.1} {p:9.3} {result:9.3} {count:9}\n", low + 0.1)
        };
        let lines: String = self.bins.iter().enumerate().map(line).collect();
        format!("{:>7} {:>9} {:>9} {:>9}\n{lines}", "bin", "foretold", "scored", "positions")
    }
}
