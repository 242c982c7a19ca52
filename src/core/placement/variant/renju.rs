//! The forbidden points of Renju, and the double threes of Ninuki-Renju.
//!
//! Renju (Gomocup rule 4, after the Renju International Federation): a stone of Black that makes
//! exactly five is always allowed; else an overline, two fours or two threes through it forbid the
//! point. Two fours may lie on one line. A three counts only if the point that makes its open four
//! is itself allowed, which is asked in the same way.

use super::axis::Axis;
use super::legal::refuse;
use crate::board::{CENTER, SquareBoard};
use crate::game::{Cell, Color};
use crate::placement::IllegalPlacement;
use crate::placement::pipeline::Core;
use crate::rules::SquareRules;

const BLACK: Color = Color(0);

/// The number of stones in a winning row; neither game can be played with another.
const FIVE: u32 = 5;

/// Why a point is closed to Black, if it is.
pub(super) fn forbidden(board: &SquareBoard, cell: Cell) -> Option<&'static str> {
    closed(board, cell, &mut Vec::new(), &mut |_| ())
}

/// Calls `visit` with every empty cell on which a stone might change what [`forbidden`] says of a point,
/// some more than once: those on the lines through the points that it looks at.
pub(super) fn for_each_reason(board: &SquareBoard, cell: Cell, visit: &mut impl FnMut(Cell)) {
    closed(board, cell, &mut Vec::new(), &mut |point| {
        let axes = Axis::through(board, BLACK, point, &[], &[]);
        for (direction, axis) in axes.into_iter().enumerate() {
            board.map().cells_around(point, direction, axis.empty()).for_each(&mut *visit);
        }
    });
}

/// [`forbidden`] where Black has stones on some points more. Calls `look` with every point of which it
/// is asked.
fn closed(
    board: &SquareBoard,
    cell: Cell,
    placed: &mut Vec<Cell>,
    look: &mut impl FnMut(Cell),
) -> Option<&'static str> {
    look(cell);
    let axes = Axis::through(board, BLACK, cell, placed, &[]);
    let rows = axes.map(Axis::row);
    if rows.contains(&FIVE) {
        return None;
    }
    if rows.iter().any(|&row| row > FIVE) {
        return Some("an overline");
    }
    let fours = axes.map(Axis::fours);
    if fours.iter().sum::<u32>() > 1 {
        return Some("two fours");
    }
    // A line with a four on it is no three.
    let points = |direction: usize| match fours[direction] {
        0 => axes[direction].open_four_points(),
        _ => 0,
    };
    let points = [0, 1, 2, 3].map(points);
    if points.iter().filter(|&&points| points != 0).count() < 2 {
        return None;
    }
    placed.push(cell);
    let is_three = |&direction: &usize| {
        let mut points = board.map().cells_around(cell, direction, points[direction]);
        points.any(|point| closed(board, point, placed, look).is_none())
    };
    let threes = (0..4).filter(is_three).count();
    placed.pop();
    (threes > 1).then_some("two threes")
}

impl Core {
    /// Ninuki-Renju's double three: two lines through the stone on which, after its captures, one
    /// more stone would make an open four. Making five, capturing a stone of an enemy five and
    /// blocking an enemy four for good excuse it (PBM).
    pub(super) fn check_double_three(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Result<(), IllegalPlacement> {
        if !self.may_make_two_threes(color, cell) {
            return Ok(());
        }
        let makes_two =
            |axes: [Axis; 4]| axes.iter().filter(|axis| axis.open_four_points() != 0).count() > 1;
        let axes = Axis::through(&self.board, color, cell, &[], &[]);
        if !makes_two(axes.map(Axis::unblocked)) {
            return Ok(());
        }
        let Some(capture) = rules.capture() else { return Ok(()) };
        let taken = self.groups_taken(rules, capture, color, cell);
        let taken: Vec<Cell> = taken.cells(cell, self.board.map().steps()).collect();
        let axes = Axis::through(&self.board, color, cell, &[], &taken);
        let enemy = color.opponent();
        if !makes_two(axes)
            || axes.iter().any(|axis| axis.five().is_some())
            || self.breaks_five(enemy, &taken)
            || self.blocks_four(enemy, cell, &taken)
        {
            return Ok(());
        }
        refuse("two threes")
    }

    /// Whether one of the stones that are captured stands in an enemy five.
    fn breaks_five(&self, enemy: Color, taken: &[Cell]) -> bool {
        let axes = |&stone: &Cell| Axis::through(&self.board, enemy, stone, &[], &[]);
        taken.iter().flat_map(axes).any(|axis| axis.five().is_some())
    }

    /// Whether a stone and what it captures leave some four of the enemy no point that completes it: what is
    /// left of the four is no four any more, or the stone takes its only point.
    fn blocks_four(&self, enemy: Color, cell: Cell, taken: &[Cell]) -> bool {
        let axes = |cell, lifted| Axis::through(&self.board, enemy, cell, &[], lifted);
        let is_in_four = |&stone: &Cell| axes(stone, &[]).iter().any(|axis| axis.fours() > 0);
        if taken.iter().any(is_in_four) {
            return true;
        }
        let mut lines = axes(cell, &[]).into_iter().zip(axes(cell, taken));
        lines.any(|(before, after)| before.five().is_some() && !after.has_twin())
    }

    /// Whether so many stones of a color lie near a cell that one there could make two threes.
    fn may_make_two_threes(&self, color: Color, cell: Cell) -> bool {
        let own = self.board.windows(color, cell);
        let near = |direction: usize| (own.lane(direction) & NEAR).count_ones();
        (0..4).filter(|&direction| near(direction) > 1).count() > 1
    }
}

/// The cells of a window that can be in a row of four with its center.
const NEAR: u16 = 0b111_0111 << (CENTER - 3);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Content;
    use crate::placement::pipeline::State;
    use crate::placement::variant::shapes::walks::{AXES, crowded_board, reach, step};
    use fastrand::Rng;

    #[test]
    fn only_reasons_change_what_is_forbidden() {
        let mut rng = Rng::with_seed(5);
        let (mut changed, mut kept) = (0, 0);
        for _ in 0..40 {
            let mut board = crowded_board(&mut rng, 11, 7);
            let empty: Vec<Cell> =
                board.grid().iter().filter(|&c| board.content(c) == Content::EMPTY).collect();
            for &cell in &empty {
                let mut reasons = Vec::new();
                for_each_reason(&board, cell, &mut |reason| reasons.push(reason));
                let before = forbidden(&board, cell);
                for &other in empty.iter().filter(|&&other| other != cell) {
                    for color in [BLACK, Color(1)] {
                        board.place(color, other);
                        let same = forbidden(&board, cell) == before;
                        board.lift(color, other);
                        assert!(same || reasons.contains(&other), "{cell:?} {other:?}");
                        changed += usize::from(!same);
                        kept += usize::from(!reasons.contains(&other));
                    }
                }
            }
        }
        assert!(changed > 1000 && kept > 100_000, "{changed} {kept}");
    }

    /// The fours of a color, each as its stones: with one more stone they make exactly five.
    fn fours_of(board: &SquareBoard, color: Color) -> Vec<Vec<Cell>> {
        let mut fours = Vec::new();
        board.for_each_empty(|cell| {
            for axis in AXES {
                let back = reach(board, color, cell, (-axis.0, -axis.1));
                let on = reach(board, color, cell, axis);
                if back + on + 1 == FIVE as i32 {
                    let steps = (-back..=on).filter(|&n| n != 0);
                    fours.push(steps.filter_map(|n| step(board, cell, axis, n)).collect());
                }
            }
        });
        fours
    }

    #[test]
    fn a_four_is_blocked_where_none_of_its_stones_is_left() {
        let mut rng = Rng::with_seed(6);
        let rules: SquareRules = "ninuki-renju".parse().unwrap();
        let (mut blocked, mut by_capture, mut open) = (0, 0, 0);
        for _ in 0..1500 {
            let state = State { color: Color(1), ..State::start(&rules) };
            let core = Core { board: crowded_board(&mut rng, 11, 7), state };
            let before = fours_of(&core.board, BLACK);
            core.board.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let taken = core.groups_taken(&rules, capture, Color(1), cell);
                let taken: Vec<Cell> = taken.cells(cell, core.board.map().steps()).collect();
                let mut after = core.board.clone();
                after.place(Color(1), cell);
                for &stone in &taken {
                    after.lift(BLACK, stone);
                }
                let left = fours_of(&after, BLACK);
                let blocks = before.iter().any(|four| !left.contains(four));
                assert_eq!(core.blocks_four(BLACK, cell, &taken), blocks, "{cell:?} {taken:?}");
                blocked += usize::from(blocks);
                by_capture += usize::from(blocks && !taken.is_empty());
                open += usize::from(!blocks && !before.is_empty());
            });
        }
        assert!(blocked > 500 && by_capture > 100 && open > 5000, "{blocked} {by_capture} {open}");
    }
}
