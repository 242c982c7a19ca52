//! Forbidden points: Black's in Renju, and the double-threes of Ninuki-Renju (rules, section 4).

use super::board::{Board, Content, Direction, LINES, Point, along};
use super::captures::Effect;

/// A five, exactly.
const FIVE: i32 = 5;

/// Whether Black may not play a point of a Renju board, it being empty.
///
/// An exact five is never forbidden; else an overline, two fours or two threes are.
pub fn in_renju(board: &Board, point: Point, black: usize) -> bool {
    let lengths = LINES.map(|direction| board.length_with(point, direction, black));
    if lengths.contains(&FIVE) {
        return false;
    }
    if lengths.into_iter().any(|length| length > FIVE) {
        return true;
    }
    let mut after = board.clone();
    after.set(point, Content::Stone(black as u8));
    let fours: usize = LINES.into_iter().map(|line| fours(&after, point, line, black)).sum();
    if fours >= 2 {
        return true;
    }
    // A three counts only if a point that makes its open four is itself legal.
    let is_three = |line: &Direction| {
        let mut points = open_four_points(&after, point, *line, black).into_iter();
        points.any(|next| !in_renju(&after, next, black))
    };
    LINES.into_iter().filter(is_three).count() >= 2
}

/// The number of fours through a stone on a line: of different sets of four stones that one more
/// would make an exact five.
fn fours(board: &Board, stone: Point, line: Direction, color: usize) -> usize {
    let mut found: Vec<Vec<Point>> = Vec::new();
    for steps in -FIVE..=FIVE {
        let place = along(stone, line, steps);
        if board.is_empty(place) && board.length_with(place, line, color) == FIVE {
            let mut run = board.run_with(place, line, color);
            run.retain(|&point| point != place);
            if run.contains(&stone) && !found.contains(&run) {
                found.push(run);
            }
        }
    }
    found.len()
}

/// The empty points of a line that would make a four open at both ends out of a stone: both ends
/// would then give exactly five.
fn open_four_points(board: &Board, stone: Point, line: Direction, color: usize) -> Vec<Point> {
    let places = (-FIVE..=FIVE).map(|steps| along(stone, line, steps));
    let makes_open_four = |place: &Point| {
        if !board.is_empty(*place) || board.length_with(*place, line, color) != FIVE - 1 {
            return false;
        }
        let run = board.run_with(*place, line, color);
        let mut ends = [along(run[0], line, -1), along(run[3], line, 1)].into_iter();
        let mut four = board.clone();
        four.set(*place, Content::Stone(color as u8));
        run.contains(&stone)
            && ends.all(|end| four.is_empty(end) && four.length_with(end, line, color) == FIVE)
    };
    places.filter(makes_open_four).collect()
}

/// Whether a move of Ninuki-Renju is a double-three and has no excuse (PBM).
pub fn in_ninuki_renju(before: &Board, point: Point, mover: usize, effect: &Effect) -> bool {
    let after = &effect.board;
    let is_three = |line: &Direction| !open_four_points(after, point, *line, mover).is_empty();
    if LINES.into_iter().filter(is_three).count() < 2 {
        return false;
    }
    let enemy = 1 - mover;
    let makes_five = LINES.into_iter().any(|line| after.length_with(point, line, mover) == FIVE);
    let breaks_five = before
        .runs(enemy, FIVE)
        .into_iter()
        .filter(|run| run.len() as i32 == FIVE)
        .any(|run| run.iter().any(|stone| effect.captured.contains(stone)));
    !(makes_five || breaks_five || stops_four(before, after, enemy))
}

/// Whether some four of the enemy can no longer be completed.
fn stops_four(before: &Board, after: &Board, enemy: usize) -> bool {
    let now: Vec<_> = completed_fours(after, enemy);
    completed_fours(before, enemy).iter().any(|four| !now.contains(four))
}

/// Every set of four stones that one more would make an exact five.
fn completed_fours(board: &Board, color: usize) -> Vec<Vec<Point>> {
    let mut fours = Vec::new();
    for place in board.points().filter(|&point| board.is_empty(point)) {
        for line in LINES {
            if board.length_with(place, line, color) == FIVE {
                let mut run = board.run_with(place, line, color);
                run.retain(|&point| point != place);
                fours.push(run);
            }
        }
    }
    fours
}
