//! What values and ordering scores are made of, for fits.

use super::VariantEvaluator;
use crate::eval::shapes::Urgency;
use crate::eval::terms::{ValueCounts, ordering_terms};
use crate::eval::weights::ValuePlace;
use crate::eval::{ValueTerms, WeightedEvaluator};
use pentarch_core::game::{Color, Move, Position as _, Side};
use pentarch_core::placement::Position;

impl<const N: usize> WeightedEvaluator<Position> for VariantEvaluator<N> {
    fn value_terms(&self, position: &Position) -> ValueTerms {
        let mover = Self::side_of(position, position.color_to_move());
        let sides = position.rules().seating().sides();
        let others = (0..sides).map(Side).filter(|&side| side != mover);
        let mut own = ValueCounts::new();
        self.add_tempo(position, &mut own);
        self.add_side(position, mover, 1, &mut own);
        if sides == 2 {
            others.for_each(|side| self.add_side(position, side, -1, &mut own));
            return ValueTerms { sum: own.terms(), others: Vec::new() };
        }
        let others = others.map(|side| {
            let mut counts = ValueCounts::new();
            self.add_side(position, side, 1, &mut counts);
            counts.terms()
        });
        ValueTerms { sum: own.terms(), others: others.collect() }
    }

    /// Strengths of many colors are fitted as they are and stretched; that of two with partners is scaled
    /// in play by as much less.
    fn scale_percent(&self) -> i32 {
        if N > 2 { 100 } else { self.scale.percent() }
    }

    fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let mover = position.color_to_move();
        let enemies = Self::enemies(position);
        ordering_terms(&self.patterns, mv, mover, enemies)
    }
}

impl<const N: usize> VariantEvaluator<N> {
    /// The weight of having the move; between two colors with what is urgent for both.
    fn add_tempo(&self, position: &Position, counts: &mut ValueCounts) {
        let place = if position.rules().seating().seats == 2 {
            let (urgencies, marks) = self.threat_kind(position);
            ValuePlace::threat(urgencies, marks)
        } else {
            ValuePlace::threat([Urgency::Quiet; 2], [false; 2])
        };
        counts.add(place, 1);
    }

    /// What [`VariantEvaluator::side_value`] is made of.
    fn add_side(&self, position: &Position, side: Side, sign: i16, counts: &mut ValueCounts) {
        let own = Self::colors(position).filter(|&color| Self::side_of(position, color) == side);
        for color in own {
            let role = usize::from(color != position.color_to_move());
            let captured = Self::count(position, color);
            counts.add_color((&self.patterns, position), (color, role), captured, sign);
            if position.rules().seating().seats > 2 {
                self.add_lone_threats(color, role, sign, counts);
            }
        }
    }

    /// What [`lone_threat_value`](crate::eval::pattern_map::PatternMap::lone_threat_value) is made of.
    fn add_lone_threats(&self, color: Color, role: usize, sign: i16, counts: &mut ValueCounts) {
        let (urgencies, captures) = self.patterns.urgent_alone(color, role);
        let sign = if role == 0 { sign } else { -sign };
        counts.add(ValuePlace::threat(urgencies, captures), sign);
        counts.add(ValuePlace::threat([Urgency::Quiet; 2], [false; 2]), -sign);
    }
}
