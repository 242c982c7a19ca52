//! Makes the position of a false claim smaller, as long as some claim about it is false.

use crate::check::{Checked, Claim, Effort, Request, Verdict, check};
use pentarch::engine::Game;

/// Searches of the engine for one minimization.
const TRIES: usize = 120;
const EFFORT: Effort = Effort { plays: 200_000, advice: 0 };

/// The rows of a position text with a character a point, `.` for an empty one.
fn unpacked(board: &str) -> Vec<Vec<char>> {
    let row = |row: &str| {
        let (mut cells, mut run) = (Vec::new(), 0);
        for letter in row.chars().chain(['/']) {
            if let Some(digit) = letter.to_digit(10) {
                run = 10 * run + digit as usize;
                continue;
            }
            cells.extend(std::iter::repeat_n('.', run));
            run = 0;
            cells.extend(Some(letter).filter(|&letter| letter != '/'));
        }
        cells
    };
    board.split('/').map(row).collect()
}

fn packed(rows: &[Vec<char>]) -> String {
    let row = |row: &Vec<char>| {
        let (mut text, mut run) = (String::new(), 0);
        for &letter in row.iter().chain(&['/']) {
            if letter == '.' {
                run += 1;
                continue;
            }
            if run > 0 {
                text += &run.to_string();
            }
            run = 0;
            text.extend(Some(letter).filter(|&letter| letter != '/'));
        }
        text
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// What is false about a position text, if something is.
fn fault(game: &Game, text: &str, request: Request) -> Option<Checked> {
    let game = game.with_text(text).ok().filter(|game| game.outcome().is_none())?;
    let checked = check(&game, &[request], EFFORT);
    checked.into_iter().find(|checked| {
        let is_estimate = matches!(checked.claim, Some(Claim::NoValue(_)));
        matches!(checked.verdict, Verdict::False(_)) && !is_estimate
    })
}

/// A position text with as few stones as a greedy search finds about which the engine makes a false
/// claim when it is asked in the same way, and what is false about it.
pub(crate) fn minimized(game: &Game, request: Request) -> Option<(String, Checked)> {
    if game.stacking().is_some() {
        return None;
    }
    let text = game.text();
    let (board, rest) = text.split_once(' ')?;
    let mut rows = unpacked(board);
    let mut found = None;
    let points: Vec<(usize, usize)> =
        (0..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |at| (row, at))).collect();
    let mut tries = 0;
    for (row, at) in points {
        if rows[row][at] == '.' || tries == TRIES {
            continue;
        }
        tries += 1;
        let stone = std::mem::replace(&mut rows[row][at], '.');
        let fewer = format!("{} {rest}", packed(&rows));
        match fault(game, &fewer, request) {
            Some(checked) => found = Some((fewer, checked)),
            None => rows[row][at] = stone,
        }
    }
    found
}

#[test]
fn a_board_is_unpacked_and_packed() {
    for board in ["11/2w5b2/wwwwwwwwwww", "3/b2/12w", "w"] {
        assert_eq!(packed(&unpacked(board)), board);
    }
    assert_eq!(unpacked("2w1/b3")[0], ['.', '.', 'w', '.']);
}
