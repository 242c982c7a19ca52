//! Points of move texts named by other conventions. Games are not looked at.

use super::RecordedGame;
use crate::write::Losses;
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, MoveKind};
use pentarch_core::rules::Ruleset;

/// Move texts with points in capitals that skip I, `K10`, as canonical ones, `j10`. An error for a
/// point with the letter I.
pub(super) fn from_capitals(text: &str) -> Result<String, String> {
    let mut skipped = None;
    let renamed = points(text, |letter, after| match letter.to_ascii_lowercase() {
        'i' => {
            skipped.get_or_insert_with(|| format!("{letter}{after}"));
            String::new()
        }
        letter @ 'j'..='z' => format!("{}{after}", (letter as u8 - 1) as char),
        letter => format!("{letter}{after}"),
    });
    match skipped {
        Some(point) => Err(format!("`{point}` is no point: columns have no letter I")),
        None => Ok(renamed),
    }
}

/// Canonical move texts with points in capitals that skip I.
pub(super) fn to_capitals(text: &str) -> String {
    points(text, |letter, after| match letter.to_ascii_uppercase() {
        letter @ 'I'..='Y' => format!("{}{after}", (letter as u8 + 1) as char),
        letter => format!("{letter}{after}"),
    })
}

/// Renames each letter with a number after it, but words such as `swap` and the letter before `@`.
fn points(text: &str, mut rename: impl FnMut(char, &str) -> String) -> String {
    if MoveKind::from_word(text).is_some() {
        return text.to_ascii_lowercase();
    }
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if letter.is_ascii_alphabetic() && digits > 0 {
            renamed += &rename(letter, &after[..digits]);
        } else {
            renamed.push(letter);
        }
        rest = &after[digits * usize::from(letter.is_ascii_alphabetic())..];
    }
    renamed
}

/// The cell of a plain stone, `j10`, none if the move is anything else.
pub(super) fn plain(grid: Grid, text: &str) -> Option<Cell> {
    grid.parse(text).ok()
}

/// The cell at a column and row counted from 0 at the upper left.
pub(super) fn from_top(grid: Grid, column: i32, row: i32) -> Option<Cell> {
    grid.get(column, i32::from(grid.rows()) - 1 - row)
}

/// The row of a cell, counted from 0 at the top.
pub(super) fn row_from_top(grid: Grid, cell: Cell) -> u8 {
    grid.rows() - 1 - grid.row(cell)
}

/// The board of squares of some rules, or that they have none.
pub(super) fn grid(rules: &Ruleset) -> Result<Grid, String> {
    let board = rules.squares().map(|board| board.grid);
    board.ok_or_else(|| format!("`{rules}` is not played on a board of squares"))
}

/// The moves of a game as cells of plain stones from the start on, or why they are none.
pub(super) fn plain_cells(
    game: &RecordedGame,
    rules: &Ruleset,
) -> Result<(Grid, Vec<Cell>), String> {
    if game.initial_position.is_some() {
        return Err("a start in the middle of a game".to_owned());
    }
    let grid = rules.squares().map(|board| board.grid).ok_or("a board without squares")?;
    let cell = |text: &String| {
        plain(grid, text.trim_end_matches('+')).ok_or("moves that are no plain stones")
    };
    Ok((grid, game.moves.iter().map(cell).collect::<Result<_, _>>()?))
}

/// A game of plain stones as a line of its points, or why it is none; what else there is to a game is
/// lost.
pub(super) fn line_of_points(
    game: &RecordedGame,
    rules: &Ruleset,
    losses: &mut Losses,
    separator: &str,
    point: impl Fn(Grid, Cell) -> String,
) -> Result<String, String> {
    let (grid, cells) = plain_cells(game, rules)?;
    if cells.is_empty() {
        return Err("games without moves".to_owned());
    }
    losses.all_but_moves(game);
    let points: Vec<String> = cells.into_iter().map(|cell| point(grid, cell)).collect();
    Ok(points.join(separator) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_renamed_both_ways() {
        for (canonical, capitals) in [
            ("j10", "K10"),
            ("h8", "H8"),
            ("i9", "J9"),
            ("y25", "Z25"),
            ("N@j10", "N@K10"),
            ("P@j10,g7", "P@K10,G7"),
            ("j10+-", "K10+-"),
            ("swap", "swap"),
        ] {
            assert_eq!(to_capitals(canonical), capitals);
            assert_eq!(from_capitals(capitals).as_deref(), Ok(canonical));
        }
        assert_eq!(
            from_capitals("I9"),
            Err("`I9` is no point: columns have no letter I".to_owned())
        );
        assert_eq!(from_capitals("EF11").as_deref(), Ok("Ef11"));
    }
}
