//! What the order of moves makes of captures, and of groups that a stone attacks or exposes.

use super::cell_pattern::CellPattern;
use super::weights::Weights;

/// Scores by what is made and by what is stopped, role 0 and 1. Two look-ups and a sum are quicker than to
/// count what a pattern touches, or to ask first whether it touches anything.
#[derive(Debug)]
pub(super) struct Touches {
    /// By the lines on which a group is attacked.
    attacks: [Scores; 16],
    /// By the upper [half](CellPattern::halves) of a pattern.
    of_half: Box<[Scores; 1 << 16]>,
}

type Scores = [i16; 2];

impl Touches {
    /// Of lines alone, what stands for attacks are marks of shapes.
    pub(super) fn new(captures: bool, weights: &Weights) -> Touches {
        let ordering = &weights.ordering;
        let several = |lines: usize| (lines.count_ones() as usize).min(3);
        let attacks = std::array::from_fn(|lines| {
            let attacks = if captures { several(lines) } else { 0 };
            [ordering.attacks[attacks], ordering.guards[attacks]]
        });
        let of_half = (0..=u16::MAX).map(|half| {
            let pattern = CellPattern::from_halves([0, half]);
            let class = CellPattern::class(pattern.captured_stones());
            let exposes = several(pattern.contact() >> 4);
            [
                ordering.takes[class] + ordering.exposes[exposes],
                ordering.saves[class] + ordering.spares[exposes],
            ]
        });
        let of_half: Box<[Scores]> = of_half.collect();
        Touches { attacks, of_half: of_half.try_into().expect("a half has sixteen bits") }
    }

    /// The part of a role in the ordering score of a cell.
    #[inline]
    pub(super) fn of(&self, pattern: CellPattern, role: usize) -> i32 {
        let [lower, upper] = pattern.halves();
        i32::from(self.attacks[lower >> 12 & 15][role])
            + i32::from(self.of_half[upper & 0xffff][role])
    }

    /// The part of both roles where nothing is touched.
    #[inline]
    pub(super) fn nothing(&self) -> i32 {
        self.of(CellPattern::default(), 0) + self.of(CellPattern::default(), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::patterns::PatternTables;
    use crate::eval::weights::Genre;

    #[test]
    fn scores_are_those_of_what_is_counted() {
        for spec in ["pro-pente", "keryo-pente"] {
            let rules = spec.parse().unwrap();
            let (tables, weights) =
                (PatternTables::new(&rules), Weights::built_in(Genre::of(&rules)));
            let touches = Touches::new(true, weights);
            let ordering = &weights.ordering;
            // Every entry on one line, beside another one.
            for (entry, beside) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).map(move |b| (a, b))) {
                let pattern = CellPattern::default().with(2, entry).with(0, beside);
                let class = match (entry >> 3 & 7) + (beside >> 3 & 7) {
                    0 => 0,
                    1 | 2 => 1,
                    3 => 2,
                    _ => 3,
                };
                let [attacks, exposes] = tables.contact_lines(pattern);
                let made =
                    ordering.takes[class] + ordering.attacks[attacks] + ordering.exposes[exposes];
                let stopped =
                    ordering.saves[class] + ordering.guards[attacks] + ordering.spares[exposes];
                assert_eq!(touches.of(pattern, 0), i32::from(made), "{spec} {pattern:?}");
                assert_eq!(touches.of(pattern, 1), i32::from(stopped), "{spec} {pattern:?}");
            }
        }
    }

    #[test]
    fn of_lines_alone_nothing_is_touched() {
        let weights = Weights::built_in(Genre::of(&"gomoku".parse().unwrap()));
        let touches = Touches::new(false, weights);
        let ample = CellPattern::default().with(1, 1 << 6);
        assert_eq!(touches.of(ample, 0) + touches.of(ample, 1), touches.nothing());
    }
}
