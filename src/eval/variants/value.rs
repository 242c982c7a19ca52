//! What a position is worth, by looking.

use super::VariantEvaluator;
use crate::board::mix;
use crate::eval::line_evaluator::{ATTACKS, CAPTURE, CAPTURE_NEAR, COUNT, IDLE_CAPTURE};
use crate::eval::patterns::Urgency;
use crate::game::{Color, Position as _, Side};
use crate::placement::Position;
use crate::rules::Stage;
use crate::search::Score;

impl<const N: usize> VariantEvaluator<N> {
    pub(super) fn value_of(&self, position: &Position) -> Score {
        let mut value = self.balance(position);
        // Whoever chooses takes the better side, so before a choice balance is what counts.
        match position.stage() {
            Stage::Play => (),
            Stage::Choice | Stage::LastChoice => value = value.abs(),
            Stage::First | Stage::More => value = -value.abs(),
        }
        if self.seed != 0 {
            value += (mix(position.key().0 ^ mix(self.seed)) % 17) as i32 - 8;
        }
        Score::points(value)
    }

    /// The worth to the side to move, taken for the owner of the colour to move. With more than two
    /// sides the strongest enemy counts.
    fn balance(&self, position: &Position) -> i32 {
        let mover = position.color_to_move();
        let side = Self::side_of(position, mover);
        let sides = position.rules().seating().sides();
        let of_side = |side: Side| self.worth(position, side);
        let tempo = self.patterns.tables.weights.tempo;
        if sides == 2 {
            return tempo + of_side(side) - of_side(Side(side.0 ^ 1));
        }
        let enemies = (0..sides).map(Side).filter(|&other| other != self.root);
        let strongest = enemies.map(of_side).max().unwrap_or(0);
        let value = of_side(self.root) - strongest;
        if side == self.root { value + tempo } else { tempo - value }
    }

    /// The worth of a side's lines, attacks and captures.
    pub(super) fn worth(&self, position: &Position, side: Side) -> i32 {
        let own = Self::colors(position).filter(|&color| Self::side_of(position, color) == side);
        own.map(|color| self.strength(position, color)).sum()
    }

    /// The worth of a colour's lines, attacks and captures.
    fn strength(&self, position: &Position, color: Color) -> i32 {
        let role = usize::from(color != position.color_to_move());
        let weights = self.patterns.tables.weights;
        let has = |urgency: Urgency| i32::from(!self.patterns.set(color, urgency).is_empty());
        let attacks = ATTACKS.iter().zip(weights.attacks[role]);
        let attacks: i32 = attacks.map(|(&urgency, worth)| has(urgency) * worth).sum();
        self.patterns.total(color, role) + attacks + self.capture_value(position, color, role)
    }

    fn capture_value(&self, position: &Position, color: Color, role: usize) -> i32 {
        let points = self.patterns.captures(color).len() as i32;
        let Some(capture) = position.rules().capture() else { return 0 };
        let Some(goal) = capture.goal else { return points * IDLE_CAPTURE[role] };
        let tenths = i32::from(Self::count(position, color)) * 10 / i32::from(goal.max(1));
        points * (CAPTURE[role] + tenths * CAPTURE_NEAR) + tenths * (COUNT[0] + tenths * COUNT[1])
    }
}
