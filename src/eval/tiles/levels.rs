//! The static value of a position of tiles: who has how many tiles on which level.

use crate::game::Position as _;
use crate::search::{Evaluator, Score};
use crate::stacking::{Layers, Position};

/// Values positions by the tiles on each level; plain alpha-beta over all moves otherwise.
#[derive(Clone, Debug, Default)]
pub struct TileEvaluator;

/// Points for a tile more on the level that counts most; a level less counts a third.
const TOP_TILE: f64 = 300.0;

impl Evaluator<Position> for TileEvaluator {
    fn reset(&mut self, _: &Position) {}
    fn advance(&mut self, _: &Position) {}
    fn retract(&mut self, _: &Position) {}

    fn value(&self, position: &Position) -> Score {
        let own = position.counts(position.color_to_move());
        let other = position.counts(position.color_to_move().opponent());
        let lead = |level: usize| f64::from(own[level]) - f64::from(other[level]);
        let mut weight = TOP_TILE;
        let mut value = 0.0;
        let top = usize::from(position.top());
        let by_weight: &mut dyn Iterator<Item = usize> =
            if position.scoring().misere { &mut (1..=top) } else { &mut (1..=top).rev() };
        for level in by_weight.take(Layers::MOST) {
            value += weight * lead(level);
            weight /= 3.0;
        }
        Score::points(value as i32)
    }
}
