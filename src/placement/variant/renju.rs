//! The forbidden points of Renju, and the double threes of Ninuki-Renju.
//!
//! Renju (Gomocup rule 4, after the Renju International Federation): a stone of Black that makes
//! exactly five is always allowed; else an overline, two fours or two threes through it forbid the
//! point. Two fours may lie on one line. A three counts only if the point that makes its open four
//! is itself allowed, which is asked in the same way.

use super::legal::refuse;
use super::shapes::{AXES, reach, run_length, step};
use crate::board::{Content, SquareBoard};
use crate::game::{Cell, Color};
use crate::placement::IllegalPlacement;
use crate::placement::pipeline::Core;
use crate::rules::{LineRule, SquareRules};

const BLACK: Color = Color(0);

/// Why a point is closed to Black, if it is.
pub(super) fn forbidden(board: &SquareBoard, line: LineRule, cell: Cell) -> Option<&'static str> {
    if is_harmless(board, cell) {
        return None;
    }
    let mut board = board.clone();
    closed(&mut board, i32::from(line.length()), cell)
}

/// Whether too few stones are near for any of the three.
fn is_harmless(board: &SquareBoard, cell: Cell) -> bool {
    let own = board.windows(BLACK, cell);
    let counts = [0, 1, 2, 3].map(|direction| own.lane(direction).count_ones());
    let with_two = counts.iter().filter(|&&count| count >= 2).count();
    with_two < 2 && counts.iter().all(|&count| count < 4)
}

/// [`forbidden`] on a board that may be changed, and is put back.
fn closed(board: &mut SquareBoard, length: i32, cell: Cell) -> Option<&'static str> {
    board.place(BLACK, cell);
    let runs = AXES.map(|axis| run_length(board, BLACK, cell, axis));
    let why = if runs.contains(&length) {
        None
    } else if runs.iter().any(|&run| run > length) {
        Some("an overline")
    } else if AXES.iter().map(|&axis| fours(board, length, cell, axis)).sum::<u32>() > 1 {
        Some("two fours")
    } else if AXES.iter().filter(|&&axis| is_three(board, length, cell, axis)).count() > 1 {
        Some("two threes")
    } else {
        None
    };
    board.lift(BLACK, cell);
    why
}

/// The cells near enough on an axis to complete a five through `cell`.
fn near(board: &SquareBoard, length: i32, cell: Cell, axis: (i32, i32)) -> Vec<Cell> {
    let empty = |cell: &Cell| board.content(*cell) == Content::EMPTY;
    let cells = (1 - length..length).filter_map(|n| step(board, cell, axis, n));
    cells.filter(empty).collect()
}

/// Whether a stone on an empty cell makes a run of exactly `length` that includes `through`.
fn makes_five(
    board: &SquareBoard,
    color: Color,
    length: i32,
    cell: Cell,
    axis: (i32, i32),
    through: Cell,
) -> bool {
    let back = reach(board, color, cell, (-axis.0, -axis.1));
    let on = reach(board, color, cell, axis);
    let covered = (-back..=on).any(|n| step(board, cell, axis, n) == Some(through));
    back + on + 1 == length && covered
}

/// The number of fours through a stone on an axis: two points that complete the same four stones
/// count once.
fn fours(board: &SquareBoard, length: i32, cell: Cell, axis: (i32, i32)) -> u32 {
    let near = near(board, length, cell, axis);
    let five = |&&point: &&Cell| makes_five(board, BLACK, length, point, axis, cell);
    let points = near.iter().filter(five).count() as u32;
    // Only four in a row can be completed at both ends.
    if run_length(board, BLACK, cell, axis) == length - 1 { points.min(1) } else { points }
}

/// Whether one more stone on an axis would make four in a row through `cell` that exactly five can
/// be made of at both ends.
fn open_four_points(
    board: &mut SquareBoard,
    color: Color,
    length: i32,
    cell: Cell,
    axis: (i32, i32),
) -> Vec<Cell> {
    let mut points = near(board, length, cell, axis);
    points.retain(|&point| {
        board.place(color, point);
        let covered = run_length(board, color, cell, axis) == length - 1
            && run_covers(board, color, cell, axis, point);
        let ends = [
            step(board, cell, axis, reach(board, color, cell, axis) + 1),
            step(board, cell, axis, -reach(board, color, cell, (-axis.0, -axis.1)) - 1),
        ];
        let completes = |end: Option<Cell>| {
            end.is_some_and(|end| {
                board.content(end) == Content::EMPTY
                    && makes_five(board, color, length, end, axis, cell)
            })
        };
        let open = covered && ends.into_iter().all(completes);
        board.lift(color, point);
        open
    });
    points
}

fn run_covers(
    board: &SquareBoard,
    color: Color,
    cell: Cell,
    axis: (i32, i32),
    point: Cell,
) -> bool {
    let back = reach(board, color, cell, (-axis.0, -axis.1));
    let on = reach(board, color, cell, axis);
    (-back..=on).any(|n| step(board, cell, axis, n) == Some(point))
}

/// Whether a stone has a three on an axis whose open four is allowed.
fn is_three(board: &mut SquareBoard, length: i32, cell: Cell, axis: (i32, i32)) -> bool {
    if fours(board, length, cell, axis) > 0 {
        return false;
    }
    let points = open_four_points(board, BLACK, length, cell, axis);
    points.into_iter().any(|point| closed(board, length, point).is_none())
}

impl Core {
    /// Ninuki-Renju's double three: two lines through the stone on which, after its captures, one
    /// more stone would make an open four. Making five, capturing a stone of an enemy five and
    /// blocking an enemy four for good excuse it (PBM).
    pub(super) fn check_double_three(
        &self,
        rules: &SquareRules,
        cell: Cell,
    ) -> Result<(), IllegalPlacement> {
        let color = self.state.color;
        let own = self.board.windows(color, cell);
        let near = (0..4).filter(|&direction| own.lane(direction).count_ones() >= 2).count();
        if near < 2 {
            return Ok(());
        }
        let length = i32::from(rules.line().length());
        let Some(capture) = rules.capture() else { return Ok(()) };
        let taken = self.taken(rules, capture, cell, None).captured;
        let mut board = self.board.clone();
        board.place(color, cell);
        for &stone in &taken {
            board.lift(color.opponent(), stone);
        }
        let threes = AXES
            .iter()
            .filter(|&&axis| !open_four_points(&mut board, color, length, cell, axis).is_empty())
            .count();
        if threes < 2 || self.excuses_double_three(rules, &board, cell, &taken) {
            return Ok(());
        }
        refuse("two threes")
    }

    fn excuses_double_three(
        &self,
        rules: &SquareRules,
        after: &SquareBoard,
        cell: Cell,
        taken: &[Cell],
    ) -> bool {
        let (color, enemy) = (self.state.color, self.state.color.opponent());
        let length = i32::from(rules.line().length());
        let five = AXES.iter().any(|&axis| run_length(after, color, cell, axis) == length);
        let breaks = || {
            let stands = |&stone: &Cell| {
                AXES.iter().any(|&axis| run_length(&self.board, enemy, stone, axis) == length)
            };
            taken.iter().any(stands)
        };
        let blocks = || {
            let left = fours_of(after, enemy, length);
            fours_of(&self.board, enemy, length).iter().any(|four| !left.contains(four))
        };
        five || breaks() || blocks()
    }
}

/// The fours of a color, each as its stones: with one more stone they make exactly five.
fn fours_of(board: &SquareBoard, color: Color, length: i32) -> Vec<Vec<Cell>> {
    let empty = |cell: &Cell| board.content(*cell) == Content::EMPTY;
    let mut fours = Vec::new();
    for cell in board.grid().iter().filter(empty) {
        for axis in AXES {
            let back = reach(board, color, cell, (-axis.0, -axis.1));
            let on = reach(board, color, cell, axis);
            if back + on + 1 == length {
                let steps = (-back..=on).filter(|&n| n != 0);
                fours.push(steps.filter_map(|n| step(board, cell, axis, n)).collect());
            }
        }
    }
    fours
}
