//! Fours that `anti` forbids, found on the bits of lines.

use crate::game::{Cell, Color};
use crate::placement::pipeline::Core;
use crate::rules::{Captured, LineRule, OpenFours, SquareRules};

impl Core {
    /// Whether a line of a color has a four that `anti` forbids, anywhere on the board.
    pub(super) fn has_open_four(
        &self,
        rules: &SquareRules,
        fours: OpenFours,
        color: Color,
    ) -> bool {
        let mut lines = 0..self.board.map().lines() as u8;
        let rule = rules.line();
        lines.any(|number| {
            let own = self.board.line(color, number);
            self.line_with(rule, number, [own, 0]).has_four(rule, fours)
        })
    }

    /// Whether a color's plain stone on an empty cell makes such a four, by what it captures as well: none
    /// of its own color. No such four stands before it.
    pub(super) fn leaves_four_around(
        &self,
        rules: &SquareRules,
        fours: OpenFours,
        (color, cell): (Color, Cell),
        captured: Captured,
    ) -> bool {
        let captured: Vec<Cell> = captured.cells(cell, self.board.map().steps()).collect();
        let (map, rule) = (self.board.map(), rules.line());
        let others = u32::from(rule.length()) - 1;
        std::iter::once(&cell).chain(&captured).any(|&changed| {
            map.lines_of(changed).line.into_iter().enumerate().any(|(direction, number)| {
                let bit = |cell| map.bit_on(cell, direction, number);
                // Of a new four the stone is a part, or the cell set free the point that completes it.
                let own = self.board.line(color, number) | bit(cell);
                if (own & around(bit(changed), others)).count_ones() < others {
                    return false;
                }
                let lifted = captured.iter().fold(0, |all, &cell| all | bit(cell));
                self.line_with(rule, number, [own, lifted]).has_four(rule, fours)
            })
        })
    }

    /// A line as a color sees it, with the stones of `own` on it and others `lifted`.
    fn line_with(&self, rule: LineRule, number: u8, [own, lifted]: [u64; 2]) -> Line {
        let mut points = missing_points(own, rule.length());
        // Most lines have none.
        if points != 0 {
            let taken = self.board.taken_on_line(number) & !lifted;
            points &= !(taken | self.board.map().wall(number));
        }
        Line { own, points }
    }
}

/// The stones of a color on a line and the empty cells that complete a run of them, as bits.
#[derive(Clone, Copy, Debug)]
struct Line {
    own: u64,
    points: u64,
}

impl Line {
    /// Whether it has a four that is forbidden.
    fn has_four(self, rule: LineRule, fours: OpenFours) -> bool {
        let is_alone = self.points & self.points.wrapping_sub(1) == 0;
        if self.points == 0 || is_alone && fours == OpenFours::Forbidden {
            return false;
        }
        bits(self.points).any(|point| self.completes_four(rule, fours, point))
    }

    /// Whether one of the points completes such a four.
    fn completes_four(self, rule: LineRule, fours: OpenFours, point: u32) -> bool {
        let length = u32::from(rule.length());
        let run = self.run_with(point);
        let wins = run.count_ones() == length || !rule.exact();
        wins && (fours == OpenFours::AnyFourForbidden || self.has_twin(length, point, run))
    }

    /// Whether another of the points completes a run that shares a stone with the run that `point`
    /// completes.
    fn has_twin(self, length: u32, point: u32, run: u64) -> bool {
        let near = |other: &u32| *other != point && other.abs_diff(point) <= length;
        bits(self.points).filter(near).any(|other| self.run_with(other) & run & self.own != 0)
    }

    /// The run that a stone on an empty cell would belong to.
    fn run_with(self, point: u32) -> u64 {
        let above = (self.own >> point >> 1).trailing_ones();
        let below = (self.own << (u64::BITS - 1 - point) << 1).leading_ones();
        ((1 << (below + 1 + above)) - 1) << (point - below)
    }
}

/// The bits of a line that are no further from one than that.
fn around(bit: u64, distance: u32) -> u64 {
    (bit >> distance).wrapping_mul((2 << (2 * distance)) - 1)
}

/// The places of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// The bits of a line that alone are missing in a row of that length.
fn missing_points(own: u64, length: u8) -> u64 {
    // Two of the others are neighbors, or neighbors of the missing one.
    if own & (own >> 1 | own >> 2) == 0 {
        return 0;
    }
    let points = (0..length).map(|missing| {
        let others = (0..length).filter(|&place| place != missing);
        others.fold(u64::MAX, |row, place| row & own >> place) << missing
    });
    points.fold(0, |all, points| all | points) & !own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Content, SquareBoard};
    use crate::placement::pipeline::State;
    use crate::placement::variant::shapes::walks::{AXES, crowded_board, reach, step};
    use fastrand::Rng;

    /// The ends of the run that a stone on an empty cell would belong to, in steps from it.
    fn run_with(board: &SquareBoard, cell: Cell, axis: (i32, i32)) -> (i32, i32) {
        let back = reach(board, Color(0), cell, (-axis.0, -axis.1));
        (-back, reach(board, Color(0), cell, axis))
    }

    /// Whether two empty cells complete runs that share a stone, or, if `any` four counts, one does.
    fn has_four(board: &SquareBoard, axis: (i32, i32), rules: &SquareRules, any: bool) -> bool {
        let length = i32::from(rules.line().length());
        let is_empty = |cell: &Cell| board.content(*cell) == Content::EMPTY;
        board.grid().iter().filter(is_empty).any(|cell| {
            let run = run_with(board, cell, axis);
            let stones = run.1 - run.0 + 1;
            if stones < length || stones > length && rules.line().exact() {
                return false;
            }
            let twin = |n: i32| {
                let other = step(board, cell, axis, n).filter(is_empty)?;
                let (low, high) = run_with(board, other, axis);
                let shared = |at: i32| at != 0 && at != n && run.0 <= at && at <= run.1;
                Some(high - low + 1 >= length && (low + n..=high + n).any(shared))
            };
            any || (-length..=length).filter(|&n| n != 0).any(|n| twin(n) == Some(true))
        })
    }

    #[test]
    fn fours_on_lines_are_those_found_cell_by_cell() {
        let mut rng = Rng::with_seed(3);
        for spec in ["anti-pente", "anti-pente+goal=4"] {
            let rules: SquareRules = spec.parse().unwrap();
            let mut found = [0; 2];
            for _ in 0..600 {
                let core =
                    Core { board: crowded_board(&mut rng, 9, 8), state: State::start(&rules) };
                for (any, fours) in
                    [OpenFours::Forbidden, OpenFours::AnyFourForbidden].into_iter().enumerate()
                {
                    let there = AXES.map(|axis| has_four(&core.board, axis, &rules, any == 1));
                    assert_eq!(core.has_open_four(&rules, fours, Color(0)), there.contains(&true));
                    found[any] += usize::from(there.contains(&true));
                }
            }
            assert!(found.iter().all(|found| (5..=595).contains(found)), "{spec} {found:?}");
        }
    }

    #[test]
    fn a_stone_leaves_fours_on_the_lines_that_it_changes_alone() {
        let (mut rng, rules) = (Rng::with_seed(4), "anti-pente".parse().unwrap());
        let (mut left, mut by_capture, mut none) = (0, 0, 0);
        for _ in 0..2000 {
            let core = Core { board: crowded_board(&mut rng, 9, 8), state: State::start(&rules) };
            if core.has_open_four(&rules, OpenFours::Forbidden, Color(0)) {
                continue;
            }
            core.board.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let groups = core.groups_taken(&rules, capture, Color(0), cell);
                let captured: Vec<Cell> = groups.cells(cell, core.board.map().steps()).collect();
                let mut after = core.clone();
                after.board.place(Color(0), cell);
                for &stone in &captured {
                    after.board.lift(Color(1), stone);
                }
                let (fours, stone) = (OpenFours::Forbidden, (Color(0), cell));
                let leaves = after.has_open_four(&rules, fours, Color(0));
                assert_eq!(core.leaves_four_around(&rules, fours, stone, groups), leaves);
                left += usize::from(leaves);
                by_capture += usize::from(leaves && !captured.is_empty());
                none += usize::from(!leaves);
            });
        }
        assert!(left > 500 && by_capture > 50 && none > 5000, "{left} {by_capture} {none}");
    }
}
