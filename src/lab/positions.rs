//! Positions of games as regressions see them, and how well weights foretell them.

use super::corpus::{Corpus, CorpusError, PositionKind, StoneEvaluator};
use super::forecast::{Aim, sigmoid};
use super::games::Example;
use super::hex_corpus::HexCorpus;
use super::regression::{ChoiceFeatures, ValueFeatures, choice_loss, value_loss};
use super::training_game::Searched;
use pentarch_core::game::{self, MoveList};
use pentarch_engine::eval::{Genre, LineEvaluator, VariantEvaluator, WeightedEvaluator};
use std::fmt;

/// Points of an ordering score for odds of e to 1.
pub(super) const ORDERING_SCALE: f32 = 350.0;

/// The positions of a corpus, as both regressions see them.
#[derive(Debug)]
pub struct Positions {
    values: Vec<Example<ValueFeatures>>,
    choices: Vec<Example<ChoiceFeatures>>,
}

impl Positions {
    /// Those of stones on squares. Only the first `choices` positions give moves.
    pub fn of(corpus: &Corpus, choices: usize) -> Result<Positions, CorpusError> {
        use PositionKind::{Quiet, Undecided};
        match corpus.genre() {
            Genre::Captures | Genre::Lines | Genre::Renju => {
                Positions::seen_by::<LineEvaluator>(corpus, choices, [Quiet, Quiet])
            }
            Genre::DoubleTurns => {
                Positions::seen_by::<VariantEvaluator<2>>(corpus, choices, [Quiet, Undecided])
            }
            Genre::Many => {
                Positions::seen_by::<VariantEvaluator<4>>(corpus, choices, [Undecided; 2])
            }
        }
    }

    /// The positions that an evaluator is asked about, of one kind for values and one for moves.
    fn seen_by<E: StoneEvaluator>(
        corpus: &Corpus,
        choices: usize,
        [for_values, for_moves]: [PositionKind; 2],
    ) -> Result<Positions, CorpusError> {
        let values = corpus.examples_of(for_values, |evaluator: &E, position, _| {
            Some(value_features(evaluator, position))
        })?;
        let first = corpus.first(games_with(choices, values.len(), corpus.games()));
        let choices = first.examples_of(for_moves, |evaluator: &E, position, searched| {
            choice_features(evaluator, position, searched)
        })?;
        Ok(Positions { values, choices })
    }

    /// Those on hexagons. Moves are learned from all in which nobody wins with the next one, since a
    /// search puts moves in order there too.
    pub fn on_hexes(corpus: &HexCorpus, choices: usize) -> Result<Positions, CorpusError> {
        let values = corpus.examples(PositionKind::Quiet, |evaluator, position, _| {
            Some(value_features(evaluator, position))
        })?;
        let first = corpus.first(games_with(choices, values.len(), corpus.games()));
        let choices = first.examples(PositionKind::Open, |evaluator, position, searched| {
            choice_features(evaluator, position, searched)
        })?;
        Ok(Positions { values, choices })
    }

    pub(super) fn values(&self, held_out: bool) -> Vec<&Example<ValueFeatures>> {
        self.values.iter().filter(|example| example.held_out == held_out).collect()
    }

    pub(super) fn choices(&self, held_out: bool) -> Vec<&Example<ChoiceFeatures>> {
        self.choices.iter().filter(|example| example.held_out == held_out).collect()
    }

    /// How well weights foretell the positions, those that were held out or the others: the numbers of
    /// values, and those of the order of moves.
    pub fn check(&self, weights: [&[i16]; 2], aim: Aim, held_out: bool) -> Check {
        let (values, choices) = (self.values(held_out), self.choices(held_out));
        let [points, ordering] = weights;
        let points: Vec<f32> =
            points.iter().map(|&points| f32::from(points) / aim.points()).collect();
        let odds = |example: &Example<ValueFeatures>| example.features.odds(&points);
        let ordering: Vec<f32> =
            ordering.iter().map(|&score| f32::from(score) / ORDERING_SCALE).collect();
        let [choice_loss, first, among_three] = choice_loss(&choices, &ordering);
        Check {
            positions: values.len(),
            loss: value_loss(&values, aim, odds),
            bins: bins(&values, odds),
            choices: choices.len(),
            choice_loss,
            first,
            among_three,
        }
    }
}

/// How many games have about so many positions, if all of them have so many together.
fn games_with(wanted: usize, positions: usize, games: usize) -> usize {
    wanted / (positions / games.max(1)).max(1) + 1
}

fn value_features<P: game::Position>(
    evaluator: &impl WeightedEvaluator<P>,
    position: &P,
) -> ValueFeatures {
    let terms = evaluator.value_terms(position);
    ValueFeatures { terms, percent: evaluator.scale_percent() }
}

/// The candidates with their terms, if the chosen move is among them.
fn choice_features<P: game::Position>(
    evaluator: &impl WeightedEvaluator<P>,
    position: &P,
    searched: Searched,
) -> Option<ChoiceFeatures> {
    let mut moves = MoveList::new();
    evaluator.candidates(position, &mut moves);
    let chosen = moves.iter().position(|&mv| Some(mv) == searched.best)?;
    debug_assert!(position.outcome().is_none());
    let terms = moves.iter().map(|&mv| evaluator.ordering_terms(position, mv));
    Some(ChoiceFeatures { moves: terms.collect(), chosen })
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
