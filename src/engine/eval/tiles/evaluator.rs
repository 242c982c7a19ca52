//! Pent-Up for alpha-beta: the level counts as a value, and what is certain about the end.

use super::outlook::{best_case, last_tile, plies_left, shapes};
use crate::search::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator, Window};
use pentarch_core::game::{Move, MoveList, Position as _, Side};
use pentarch_core::stacking::{Layers, Position};

/// Values positions by the tiles on each level, and knows what the tiles that are left can still
/// change. Every move that matters is a candidate, so that exact searches prove values.
#[derive(Clone, Debug, Default)]
pub struct TileEvaluator;

/// Points for a tile more on the level that counts most; on the next one a third of it.
const TOP_TILE: f64 = 150.0;
/// What a level more adds to the ordering score.
const LEVEL: i32 = 1000;

/// The longest win from any root.
const WIN: Score = Score::win_in(Position::TILES);

impl TileEvaluator {
    fn mover(position: &Position) -> Side {
        position.side_of(position.to_move())
    }
}

impl Evaluator<Position> for TileEvaluator {
    fn reset(&mut self, _: &Position) {}
    fn advance(&mut self, _: &Position) {}
    fn retract(&mut self, _: &Position) {}

    fn value(&mut self, position: &Position) -> Score {
        let own = position.counts(position.color_to_move());
        let other = position.counts(position.color_to_move().opponent());
        let lead = |level: usize| f64::from(own[level]) - f64::from(other[level]);
        let misere = position.scoring().misere;
        let top = usize::from(position.top());
        let (mut weight, mut value) = (TOP_TILE, 0.0);
        for step in 0..top.min(Layers::MAX_LEVEL) {
            value += weight * lead(if misere { step + 1 } else { top - step });
            weight /= 3.0;
        }
        Score::points(value as i32)
    }

    /// What the last tile decides, or else the best and the worst that can be imagined.
    fn range(&self, position: &Position) -> Window {
        let mover = TileEvaluator::mover(position);
        let value = |winner: Option<Side>| match winner {
            None => Score::DRAW,
            Some(side) if side == mover => WIN,
            Some(_) => -WIN,
        };
        let other = Side(1 - mover.0 % 2);
        let (alpha, beta) = if plies_left(position) == 1 {
            let winner = last_tile(position);
            (value(winner), value(winner))
        } else {
            (value(best_case(position, other)), value(best_case(position, mover)))
        };
        // Wins and losses may be nearer than the furthest.
        Window {
            alpha: if alpha.is_loss() { -Score::INFINITE } else { alpha },
            beta: if beta.is_win() { Score::INFINITE } else { beta },
        }
    }
}

impl MoveGenerator<Position> for TileEvaluator {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        let mover = TileEvaluator::mover(position);
        if plies_left(position) != 1 || last_tile(position) != Some(mover) {
            return None;
        }
        let mut moves = MoveList::new();
        self.candidates(position, &mut moves);
        moves.first().copied()
    }

    /// All places of the last tile are worth the same; every other move counts.
    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        if plies_left(position) > 1 {
            position.legal_moves(moves);
            return Coverage::All;
        }
        let mut first = None;
        for shape in shapes(position.shapes_left(position.color_to_move())) {
            position.for_each_place(shape, |mv| first = first.or(Some(mv)));
        }
        moves.extend(first);
        Coverage::All
    }

    /// Tiles that go to the levels that count, first where they touch few others of their level.
    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let level = i32::from(position.level_of(mv));
        let sign = if position.scoring().misere { -1 } else { 1 };
        sign * LEVEL * level - 10 * position.edge_contacts(mv) as i32
    }
}

impl ThreatGenerator<Position> for TileEvaluator {}
