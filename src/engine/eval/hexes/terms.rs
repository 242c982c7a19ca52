//! What values and ordering scores are sums of, for fits.

use super::evaluator::HexEvaluator;
use super::places::{HexOrder, HexValue, swapped};
use super::tuples::Contents;
use crate::eval::{ValueTerm, ValueTerms, WeightedEvaluator};
use pentarch_core::game::{Color, Move, Position as _};
use pentarch_core::hexes::Position;

/// If the weights are fitted; their numbers are those of [`HexWeights`](super::HexWeights).
impl WeightedEvaluator<Position> for HexEvaluator {
    fn value_terms(&self, position: &Position) -> ValueTerms {
        let mover = position.color_to_move();
        let contents = self.contents().iter();
        let mut places: Vec<u16> =
            contents.map(|&contents| HexValue::of(seen_by(mover, contents))).collect();
        places.sort_unstable();
        let equal = places.chunk_by(|a, b| a == b);
        let mut terms: Vec<ValueTerm> =
            equal.map(|places| (places[0], places.len() as i16)).collect();
        let [own, other] =
            [mover, mover.opponent()].map(|color| self.stones_in_atari(position, color));
        let beside = [(HexValue::TEMPO, 1), (HexValue::TAKEABLE, other), (HexValue::LOSABLE, own)];
        terms.extend(beside.into_iter().filter(|&(_, count)| count != 0));
        ValueTerms { sum: terms, others: Vec::new() }
    }

    fn scale_percent(&self) -> i32 {
        self.tables().worth.scale.percent()
    }

    fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let Some(cell) = mv.cell() else { return Vec::new() };
        let (takes, saves) = self.rescues(position, cell);
        let taken = (takes > 0).then(|| HexOrder::takes(takes));
        let saved = saves.then_some(HexOrder::SAVES);
        let mover = position.color_to_move();
        let around = self.tables().tuples.around(cell).iter().map(|part| {
            let contents = seen_by(mover, self.contents()[usize::from(part.tuple)]);
            HexOrder::of(contents, part.place)
        });
        around.chain(taken).chain(saved).collect()
    }
}

/// Contents in the view of a color.
fn seen_by(color: Color, contents: Contents) -> Contents {
    if color == Color(0) { contents } else { swapped(contents) }
}

#[cfg(test)]
mod tests {
    use super::super::tables::HexTables;
    use super::super::weights::{HexGame, HexWeights};
    use super::*;
    use crate::search::{Evaluator as _, MoveGenerator as _, Score};
    use fastrand::Rng;
    use pentarch_core::game::MoveList;
    use std::sync::Arc;

    #[test]
    fn a_seed_moves_values_by_some_points() {
        let position = Position::new("yavalath".parse().unwrap());
        let tables = Arc::new(HexTables::new(position.rules()));
        let values = (0..20).map(|seed| {
            let mut evaluator = HexEvaluator::new(Arc::clone(&tables), seed);
            evaluator.reset(&position);
            evaluator.value(&position).value()
        });
        let values: Vec<i32> = values.collect();
        let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
        assert!((10..=40).contains(&(most - least)), "{values:?}");
    }

    /// What is fitted is what plays, in the view of either color.
    #[test]
    fn values_and_ordering_scores_are_the_sums_of_their_terms() {
        for (spec, game) in [("pentalath", HexGame::Pentalath), ("yavalath", HexGame::Yavalath)] {
            let weights = HexWeights::built_in(game);
            let mut position = Position::new(spec.parse().unwrap());
            let tables = Arc::new(HexTables::new(position.rules()));
            let (mut evaluator, mut rng) = (HexEvaluator::new(tables, 0), Rng::with_seed(5));
            evaluator.reset(&position);
            let mut seen = [0; 2];
            for _ in 0..2000 {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    position = Position::new(spec.parse().unwrap());
                    evaluator.reset(&position);
                    continue;
                }
                let terms = evaluator.value_terms(&position);
                let of = |&(place, count): &ValueTerm| {
                    i32::from(weights.values()[usize::from(place)]) * i32::from(count)
                };
                assert!(terms.others.is_empty());
                let quarters: i32 = terms.sum.iter().map(of).sum();
                assert_eq!(evaluator.value(&position), Score::points(quarters / 4));
                let mv = moves[rng.usize(..moves.len())];
                let terms = evaluator.ordering_terms(&position, mv);
                let of = |&place: &u16| i32::from(weights.ordering()[usize::from(place)]);
                let sum: i32 = terms.iter().map(of).sum();
                assert_eq!(evaluator.ordering_score(&position, mv), sum);
                seen[position.color_to_move().index()] += u32::from(quarters != 0 && sum != 0);
                position.play(mv);
                evaluator.advance(&position);
            }
            assert!(seen.iter().all(|&seen| seen > 500), "{spec}: {seen:?}");
        }
    }
}
