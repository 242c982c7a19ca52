//! Weights fitted to a corpus, and how well weights foretell one.

use super::corpus::{Corpus, CorpusError};
use super::forecast::Aim;
use super::hex_corpus::HexCorpus;
use super::positions::{ORDERING_SCALE, Positions};
use super::regression::Regression;
use pentarch_engine::eval::{HexWeights, Weights};

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

/// Moves take more steps: most weights of a move count for few positions.
const CHOICE_BATCH: usize = 512;
const CHOICE_RATE: f32 = 0.05;
/// The weights of values on hexagons are quarters of points, so that steps have to be larger.
const HEX_RATE: f32 = 4.0;
/// Weights on hexagons that fewer positions or moves have taught are 0: they would know chance alone.
const LEAST_SEEN: u32 = 30;

impl Fit {
    /// Fits weights, and says how well they foretell the games that were held out.
    pub fn run(&self, corpus: &Corpus) -> Result<(Weights, String), CorpusError> {
        let mut weights = Weights::clone(Weights::built_in(corpus.genre()));
        let positions = Positions::of(corpus, self.choices)?;
        let fitted =
            self.regression.fit_values(&positions.values(false), self.aim, Weights::VALUES);
        weights.set_values(&rounded(fitted.into_iter()));
        let fitted = self.fit_choices(&positions, Weights::ORDERING);
        weights.set_ordering(&rounded(fitted.iter().map(|odds| odds * ORDERING_SCALE)));
        let made = self.report(&positions, [&weights.values(), &weights.ordering()]);
        Ok((weights, made))
    }

    /// [`Fit::run`] for games on hexagons. What was hardly seen has no weight.
    pub fn run_on_hexes(&self, corpus: &HexCorpus) -> Result<(HexWeights, String), CorpusError> {
        let [values, ordering] = HexWeights::COUNTS;
        let positions = Positions::on_hexes(corpus, self.choices)?;
        let examples = positions.values(false);
        let regression = Regression { rate: HEX_RATE * self.regression.rate, ..self.regression };
        let fitted = regression.fit_values(&examples, self.aim, values);
        let seen = examples.iter().flat_map(|example| example.features.terms.sum.iter());
        let values = rounded(known(fitted, seen.map(|term| term.0)));
        let fitted = self.fit_choices(&positions, ordering).into_iter();
        let examples = positions.choices(false);
        let seen = examples.iter().flat_map(|example| example.features.moves.iter().flatten());
        let fitted = fitted.map(|odds| odds * ORDERING_SCALE).collect();
        let ordering = rounded(known(fitted, seen.copied()));
        let made = self.report(&positions, [&values, &ordering]);
        Ok((HexWeights::new(corpus.game(), values, ordering), made))
    }

    fn fit_choices(&self, positions: &Positions, count: usize) -> Vec<f32> {
        let regression = Regression { batch: CHOICE_BATCH, rate: CHOICE_RATE, ..self.regression };
        regression.fit_choices(&positions.choices(false), count)
    }

    fn report(&self, positions: &Positions, weights: [&[i16]; 2]) -> String {
        let check = positions.check(weights, self.aim, true);
        let (values, choices) = (positions.values(false).len(), positions.choices(false).len());
        format!(
            "fitted to the values of {values} positions and the moves of {choices}; held out: {check}"
        )
    }
}

/// The weights of what was seen often, and 0 for the rest.
fn known(mut weights: Vec<f32>, seen: impl Iterator<Item = u16>) -> impl Iterator<Item = f32> {
    let mut counts = vec![0; weights.len()];
    seen.for_each(|place| counts[usize::from(place)] += 1);
    for (weight, count) in weights.iter_mut().zip(counts) {
        if count < LEAST_SEEN {
            *weight = 0.0;
        }
    }
    weights.into_iter()
}

fn rounded(numbers: impl Iterator<Item = f32>) -> Vec<i16> {
    // A number too large for its type is cut.
    numbers.map(|number| number.round() as i16).collect()
}
