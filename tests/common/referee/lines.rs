//! Which runs win, and the open fours of `anti`.

use super::board::{Board, Content, LINES, Point, along};
use super::ruleset::{LineRule, Ruleset};

/// Whether a color has a winning run anywhere on the board.
pub fn wins(rules: &Ruleset, board: &Board, color: usize) -> bool {
    board.runs(color, rules.length).iter().any(|run| is_winning(rules, board, color, run))
}

/// Whether a run, as long as it can be and of at least the length that wins, wins.
fn is_winning(rules: &Ruleset, board: &Board, color: usize, run: &[Point]) -> bool {
    let exact = run.len() as i32 == rules.length;
    match rules.line {
        LineRule::AtLeast => true,
        LineRule::Exactly => exact,
        // Black needs exactly five (Gomocup 4).
        LineRule::Renju => exact || color == 1,
        // Six or more always win (Gomocup 8).
        LineRule::Caro => !exact || !is_closed(board, color, run),
        LineRule::CaroStandard => exact && !is_closed(board, color, run),
    }
}

/// Whether an enemy stone lies at both ends of a run; the edge is no stone.
fn is_closed(board: &Board, color: usize, run: &[Point]) -> bool {
    let direction = (run[1].0 - run[0].0, run[1].1 - run[0].1);
    let before = along(run[0], direction, -1);
    let behind = along(run[0], direction, run.len() as i32);
    board.is_foreign(before, color) && board.is_foreign(behind, color)
}

/// Where on a line a color could complete a run that is long enough, and with which stones.
struct Completion {
    point: Point,
    stones: Vec<Point>,
}

/// Whether a color has what `anti` forbids on one of the lines through a point, or on any line:
/// that many points (2, with `anti=any` 1) that complete runs which share a stone (S3, MOK).
pub fn has_open_four(rules: &Ruleset, board: &Board, color: usize, through: Option<Point>) -> bool {
    let points = rules.anti.expect("a game with `anti`");
    let near: Vec<Point> = match through {
        Some(point) => vec![point],
        None => board.points().filter(|&point| board.is_of(point, color)).collect(),
    };
    LINES.into_iter().any(|direction| {
        near.iter().any(|&point| {
            // A run through the point, completed by one stone, lies within that many steps.
            let reach = -rules.length..=rules.length;
            let places = reach.map(|steps| along(point, direction, steps));
            let completions: Vec<_> = places
                .filter(|&place| board.get(place) == Some(Content::Empty))
                .filter(|&place| board.length_with(place, direction, color) >= rules.length)
                .map(|place| {
                    let mut stones = board.run_with(place, direction, color);
                    stones.retain(|&stone| stone != place);
                    Completion { point: place, stones }
                })
                .collect();
            match points {
                1 => !completions.is_empty(),
                _ => completions.iter().any(|one| completions.iter().any(|two| share(one, two))),
            }
        })
    })
}

/// Whether two different points complete runs that share a stone.
fn share(one: &Completion, two: &Completion) -> bool {
    one.point != two.point && one.stones.iter().any(|stone| two.stones.contains(stone))
}
