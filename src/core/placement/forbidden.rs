//! Forbidden points: those of Renju, the double threes of Ninuki-Renju, and the fours that `anti` forbids.
//!
//! Renju (Gomocup rule 4, after the Renju International Federation): a stone of Black that makes
//! exactly five is always legal; else an overline, two fours or two threes through it forbid the
//! point. Two fours may lie on one line. A three counts only if the point that makes its open four
//! is itself legal, which the same test decides.

use super::IllegalPlacement;
use super::state::Board;
use crate::board::{CENTER, SquareBoard};
use crate::game::{Cell, Color};
use crate::line::{BoardLine, LineWindow, bits_around};
use crate::rules::{CapturedGroups, FourBan, SquareRules};

const BLACK: Color = Color(0);

/// The number of stones in a winning run. Renju has no other.
const FIVE: u32 = 5;

/// Why Renju forbids Black a point, `None` if it does not.
pub(super) fn renju_forbidden(board: &SquareBoard, cell: Cell) -> Option<&'static str> {
    forbidden_with(board, cell, &mut Vec::new(), &mut |_| ())
}

/// Calls `visit` with every empty cell on which a stone might change [`renju_forbidden`] of a point, with
/// some cells more than once: the cells on the lines through the points that it tests.
pub(super) fn for_each_renju_dependency(
    board: &SquareBoard,
    cell: Cell,
    visit: &mut impl FnMut(Cell),
) {
    forbidden_with(board, cell, &mut Vec::new(), &mut |point| {
        let lines = LineWindow::around(board, BLACK, point, &[], &[]);
        for (direction, line) in lines.into_iter().enumerate() {
            board.map().window_cells(point, direction, line.empty()).for_each(&mut *visit);
        }
    });
}

/// [`renju_forbidden`] with more stones of Black on `added`. Calls `tested` with every point that it
/// tests.
fn forbidden_with(
    board: &SquareBoard,
    cell: Cell,
    added: &mut Vec<Cell>,
    tested: &mut impl FnMut(Cell),
) -> Option<&'static str> {
    tested(cell);
    let lines = LineWindow::around(board, BLACK, cell, added, &[]);
    let lengths = lines.map(LineWindow::run_length);
    if lengths.contains(&FIVE) {
        return None;
    }
    if lengths.iter().any(|&length| length > FIVE) {
        return Some("an overline");
    }
    let fours = lines.map(LineWindow::fours);
    if fours.iter().sum::<u32>() > 1 {
        return Some("two fours");
    }
    // A line with a four is no three.
    let points = |direction: usize| match fours[direction] {
        0 => lines[direction].open_four_points(),
        _ => 0,
    };
    let points = [0, 1, 2, 3].map(points);
    if points.iter().filter(|&&points| points != 0).count() < 2 {
        return None;
    }
    added.push(cell);
    let is_three = |&direction: &usize| {
        let mut points = board.map().window_cells(cell, direction, points[direction]);
        points.any(|point| forbidden_with(board, point, added, tested).is_none())
    };
    let threes = (0..4).filter(is_three).count();
    added.pop();
    (threes > 1).then_some("two threes")
}

impl Board {
    /// Whether a stone is a double three of Ninuki-Renju: on two lines through it one more stone would make
    /// an open four after its captures. It is legal if it makes five, captures a stone of an enemy five or
    /// blocks an enemy four (PBM).
    pub(super) fn check_double_three(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Result<(), IllegalPlacement> {
        if !self.may_make_two_threes(color, cell) {
            return Ok(());
        }
        let makes_two = |lines: [LineWindow; 4]| {
            lines.iter().filter(|line| line.open_four_points() != 0).count() > 1
        };
        let lines = LineWindow::around(&self.squares, color, cell, &[], &[]);
        if !makes_two(lines.map(LineWindow::unblocked)) {
            return Ok(());
        }
        let Some(capture) = rules.capture() else { return Ok(()) };
        let captured = self.captured_groups(rules, capture, color, cell);
        let captured: Vec<Cell> = captured.cells(cell, self.squares.map().steps()).collect();
        let lines = LineWindow::around(&self.squares, color, cell, &[], &captured);
        let enemy = color.opponent();
        if !makes_two(lines)
            || lines.iter().any(|line| line.five().is_some())
            || self.breaks_five(enemy, &captured)
            || self.blocks_four(enemy, cell, &captured)
        {
            return Ok(());
        }
        Err(IllegalPlacement::Forbidden("two threes"))
    }

    /// Whether one of the captured stones is part of an enemy five.
    fn breaks_five(&self, enemy: Color, captured: &[Cell]) -> bool {
        let lines = |&stone: &Cell| LineWindow::around(&self.squares, enemy, stone, &[], &[]);
        captured.iter().flat_map(lines).any(|line| line.five().is_some())
    }

    /// Whether a stone and its captures leave some enemy four without a point that completes it: a stone
    /// of the four is captured, or the stone takes its only point.
    fn blocks_four(&self, enemy: Color, cell: Cell, captured: &[Cell]) -> bool {
        let lines = |cell, removed| LineWindow::around(&self.squares, enemy, cell, &[], removed);
        let is_in_four = |&stone: &Cell| lines(stone, &[]).iter().any(|line| line.fours() > 0);
        if captured.iter().any(is_in_four) {
            return true;
        }
        let mut lines = lines(cell, &[]).into_iter().zip(lines(cell, captured));
        lines.any(|(before, after)| before.five().is_some() && !after.other_end_makes_five())
    }

    /// Whether a color has enough stones near a cell for a stone there to make two threes.
    fn may_make_two_threes(&self, color: Color, cell: Cell) -> bool {
        let own = self.squares.windows(color, cell);
        let near = |direction: usize| (own.lane(direction) & NEAR).count_ones();
        (0..4).filter(|&direction| near(direction) > 1).count() > 1
    }

    /// Whether a color has a four that `anti` forbids, anywhere on the board.
    pub(super) fn has_open_four(&self, rules: &SquareRules, ban: FourBan, color: Color) -> bool {
        let rule = rules.line();
        (0..self.squares.map().lines() as u8).any(|number| {
            let own = self.squares.line(color, number);
            BoardLine::new(&self.squares, rule, number, own, 0).has_four(rule, ban)
        })
    }

    /// Whether a color's plain stone on an empty cell, which captures `captured`, leaves a four that `anti`
    /// forbids on a line that the stone or its captures change. There must be none before.
    pub(super) fn leaves_four_around(
        &self,
        rules: &SquareRules,
        ban: FourBan,
        color: Color,
        cell: Cell,
        captured: CapturedGroups,
    ) -> bool {
        let captured: Vec<Cell> = captured.cells(cell, self.squares.map().steps()).collect();
        let (map, rule) = (self.squares.map(), rules.line());
        let others = u32::from(rule.length()) - 1;
        std::iter::once(&cell).chain(&captured).any(|&changed| {
            map.lines_of(changed).line.into_iter().enumerate().any(|(direction, number)| {
                let bit = |cell| map.bit_on(cell, direction, number);
                // A new four includes the stone, or a freed cell is the point that completes it.
                let own = self.squares.line(color, number) | bit(cell);
                if (own & bits_around(bit(changed), others)).count_ones() < others {
                    return false;
                }
                let removed = captured.iter().fold(0, |all, &cell| all | bit(cell));
                BoardLine::new(&self.squares, rule, number, own, removed).has_four(rule, ban)
            })
        })
    }
}

/// The cells of a window that can be in a row of four with its center.
const NEAR: u16 = 0b111_0111 << (CENTER - 3);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CellContent;
    use crate::line::walks::{AXES, crowded_board, reach, step};
    use crate::placement::state::SquareState;
    use fastrand::Rng;

    #[test]
    fn only_dependencies_change_forbidden_points() {
        let mut rng = Rng::with_seed(5);
        let (mut changed, mut kept) = (0, 0);
        for _ in 0..40 {
            let mut board = crowded_board(&mut rng, 11, 7);
            let empty: Vec<Cell> =
                board.grid().iter().filter(|&c| board.content(c) == CellContent::EMPTY).collect();
            for &cell in &empty {
                let mut dependencies = Vec::new();
                for_each_renju_dependency(&board, cell, &mut |cell| dependencies.push(cell));
                let before = renju_forbidden(&board, cell);
                for &other in empty.iter().filter(|&&other| other != cell) {
                    for color in [BLACK, Color(1)] {
                        board.place(color, other);
                        let same = renju_forbidden(&board, cell) == before;
                        board.remove(color, other);
                        assert!(same || dependencies.contains(&other), "{cell:?} {other:?}");
                        changed += usize::from(!same);
                        kept += usize::from(!dependencies.contains(&other));
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
                let ahead = reach(board, color, cell, axis);
                if back + ahead + 1 == FIVE as i32 {
                    let steps = (-back..=ahead).filter(|&n| n != 0);
                    fours.push(steps.filter_map(|n| step(board, cell, axis, n)).collect());
                }
            }
        });
        fours
    }

    #[test]
    fn a_four_is_blocked_if_no_point_completes_it() {
        let mut rng = Rng::with_seed(6);
        let rules: SquareRules = "ninuki-renju".parse().unwrap();
        let (mut blocked, mut by_capture, mut open) = (0, 0, 0);
        for _ in 0..1500 {
            let state = SquareState { color: Color(1), ..SquareState::start(&rules) };
            let board = Board { squares: crowded_board(&mut rng, 11, 7), state };
            let before = fours_of(&board.squares, BLACK);
            board.squares.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let taken = board.captured_groups(&rules, capture, Color(1), cell);
                let taken: Vec<Cell> = taken.cells(cell, board.squares.map().steps()).collect();
                let mut after = board.squares.clone();
                after.place(Color(1), cell);
                for &stone in &taken {
                    after.remove(BLACK, stone);
                }
                let left = fours_of(&after, BLACK);
                let blocks = before.iter().any(|four| !left.contains(four));
                assert_eq!(board.blocks_four(BLACK, cell, &taken), blocks, "{cell:?} {taken:?}");
                blocked += usize::from(blocks);
                by_capture += usize::from(blocks && !taken.is_empty());
                open += usize::from(!blocks && !before.is_empty());
            });
        }
        assert!(blocked > 500 && by_capture > 100 && open > 5000, "{blocked} {by_capture} {open}");
    }

    /// The ends of the run that a stone on an empty cell would belong to, in steps from it.
    fn run_with(board: &SquareBoard, cell: Cell, axis: (i32, i32)) -> (i32, i32) {
        let back = reach(board, Color(0), cell, (-axis.0, -axis.1));
        (-back, reach(board, Color(0), cell, axis))
    }

    /// Whether two empty cells complete runs that share a stone, or, if `any` four counts, one does.
    fn has_four(board: &SquareBoard, axis: (i32, i32), rules: &SquareRules, any: bool) -> bool {
        let length = i32::from(rules.line().length());
        let is_empty = |cell: &Cell| board.content(*cell) == CellContent::EMPTY;
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
                let board = Board {
                    squares: crowded_board(&mut rng, 9, 8),
                    state: SquareState::start(&rules),
                };
                for (any, fours) in [FourBan::OpenFours, FourBan::AllFours].into_iter().enumerate()
                {
                    let there = AXES.map(|axis| has_four(&board.squares, axis, &rules, any == 1));
                    assert_eq!(board.has_open_four(&rules, fours, Color(0)), there.contains(&true));
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
            let board =
                Board { squares: crowded_board(&mut rng, 9, 8), state: SquareState::start(&rules) };
            if board.has_open_four(&rules, FourBan::OpenFours, Color(0)) {
                continue;
            }
            board.squares.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let groups = board.captured_groups(&rules, capture, Color(0), cell);
                let captured: Vec<Cell> = groups.cells(cell, board.squares.map().steps()).collect();
                let mut after = board.clone();
                after.squares.place(Color(0), cell);
                for &stone in &captured {
                    after.squares.remove(Color(1), stone);
                }
                let ban = FourBan::OpenFours;
                let leaves = after.has_open_four(&rules, ban, Color(0));
                assert_eq!(board.leaves_four_around(&rules, ban, Color(0), cell, groups), leaves);
                left += usize::from(leaves);
                by_capture += usize::from(leaves && !captured.is_empty());
                none += usize::from(!leaves);
            });
        }
        assert!(left > 500 && by_capture > 50 && none > 5000, "{left} {by_capture} {none}");
    }
}
