//! The steps of a move: captures and runs (rules, section 1).

use super::ruleset::Line;
use super::{Board, Point};

/// The eight directions in which a stone captures.
const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// One direction for each of the four lines through a point.
const LINES: [(i32, i32); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];

/// The point `steps` steps away.
fn along(from: Point, direction: (i32, i32), steps: i32) -> Point {
    (from.0 + direction.0 * steps, from.1 + direction.1 * steps)
}

/// Every stone that the stone just placed captures, all found on this one position.
///
/// A group of exactly one of the given lengths, in a straight line between the placed stone and
/// another stone of the mover (S1, S3, PO); the lengths are 2, with `keryo` 2 and 3 (S3, PO, PBM).
/// The edge is no bracket.
pub fn captures(board: &Board, placed: Point, mover: usize, lengths: &[i32]) -> Vec<Point> {
    let mut taken = Vec::new();
    for direction in DIRECTIONS {
        for &length in lengths {
            let between: Vec<Point> =
                (1..=length).map(|steps| along(placed, direction, steps)).collect();
            let bracket = along(placed, direction, length + 1);
            let all_enemies =
                between.iter().all(|point| board.get(point).is_some_and(|&colour| colour != mover));
            if all_enemies && board.get(&bracket) == Some(&mover) {
                taken.extend(between);
            }
        }
    }
    taken
}

/// Whether a colour has a winning run anywhere on the board.
pub fn has_winning_run(board: &Board, colour: usize, line: Line) -> bool {
    runs(board, colour)
        .into_iter()
        .any(|run| run == line.length || (line.longer_wins && run > line.length))
}

/// The lengths of all runs of a colour, each as long as it can be: no own stone at either end.
fn runs(board: &Board, colour: usize) -> Vec<i32> {
    let own = |point: Point| board.get(&point) == Some(&colour);
    let mut lengths = Vec::new();
    for &stone in board.keys() {
        for direction in LINES {
            let starts_here = own(stone) && !own(along(stone, direction, -1));
            if starts_here {
                let mut length = 1;
                while own(along(stone, direction, length)) {
                    length += 1;
                }
                lengths.push(length);
            }
        }
    }
    lengths
}
