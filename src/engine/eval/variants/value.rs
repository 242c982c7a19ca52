//! The static value of a position.

use super::VariantEvaluator;
use crate::eval::noise::noise;
use crate::eval::shapes::Urgency;
use crate::search::Score;
use pentarch_core::game::{Color, Position as _, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::OpeningStage;

/// The points that make a side's chances e times as good as another's among three and more. Weights are
/// fitted with a stretch of 250 percent for it.
const POINTS: f32 = 1000.0;

impl<const N: usize> VariantEvaluator<N> {
    /// The static value for the side to move.
    pub(super) fn static_value(&self, position: &Position) -> Score {
        let mut value = self.balance(position);
        // Whoever chooses takes the better side, so before a choice balance is what counts.
        match position.stage() {
            OpeningStage::Play => (),
            OpeningStage::Choice | OpeningStage::LastChoice => value = value.abs(),
            OpeningStage::First | OpeningStage::More => value = -value.abs(),
        }
        self.scale.score(value + noise(position.key(), self.seed))
    }

    /// The value for the side to move, taken for the owner of the color to move. With more than two
    /// sides all enemies count.
    fn balance(&self, position: &Position) -> i32 {
        let mover = position.color_to_move();
        let side = Self::side_of(position, mover);
        let sides = position.rules().seating().sides();
        let of_side = |side: Side| self.side_value(position, side);
        if position.rules().seating().seats == 2 {
            let (urgencies, marks) = self.threat_kind(position);
            let threats = self.patterns.tables.weights.threat(urgencies, marks);
            return threats + of_side(side) - of_side(Side(side.0 ^ 1));
        }
        if sides == 2 {
            return self.patterns.tempo() + of_side(side) - of_side(Side(side.0 ^ 1));
        }
        let value = self.against_all_others(position);
        if side == self.root { value } else { -value }
    }

    /// The kind of a position of two colors by what is urgent for the one to move and for the other: the
    /// most urgent cells, and who has captures or, where a turn has two stones, whether one of them has
    /// been played.
    pub(super) fn threat_kind(&self, position: &Position) -> ([Urgency; 2], [bool; 2]) {
        let (urgencies, captures) = self.patterns.urgent(position.color_to_move());
        let last_stone = [Self::is_last_stone(position), false];
        (urgencies, if Self::has_double_turns(position) { last_stone } else { captures })
    }

    /// The value for the root side of many, each for itself: its odds if chances go by strength
    /// (Luce's choice axiom, 1959). An even game of three is a third for each, so not worth 0.
    fn against_all_others(&self, position: &Position) -> i32 {
        let strength = |side: Side| self.prospects(position, side) as f32 / POINTS;
        let own = strength(self.root);
        let others = (0..position.rules().seating().sides()).map(Side);
        let others = others.filter(|&side| side != self.root);
        let odds: f32 = others.map(|side| (strength(side) - own).exp()).sum();
        (-Score::SCALE * f64::from(odds).ln()) as i32
    }

    /// What a side of many has to hope for, the move included.
    pub(super) fn prospects(&self, position: &Position, side: Side) -> i32 {
        let moves = side == Self::side_of(position, position.color_to_move());
        let tempo = if moves { self.patterns.tempo() } else { 0 };
        self.side_value(position, side) + tempo
    }

    /// The value of a side's lines, attacks and captures.
    fn side_value(&self, position: &Position, side: Side) -> i32 {
        let own = Self::colors(position).filter(|&color| Self::side_of(position, color) == side);
        own.map(|color| self.strength(position, color)).sum()
    }

    /// The value of a color's lines and captures; among more than two also of its threats, as if
    /// the others had none.
    fn strength(&self, position: &Position, color: Color) -> i32 {
        let role = usize::from(color != position.color_to_move());
        let (patterns, rule) = (&self.patterns, position.rules().capture());
        let alone = patterns.color_value(color, role, rule, Self::count(position, color));
        let many = position.rules().seating().seats > 2;
        let threats = if many { patterns.lone_threat_value(color, role) } else { 0 };
        alone + threats
    }
}
