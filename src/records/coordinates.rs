//! Conversion of move texts between the canonical names of points and those of other programs.
//! Legality is not checked.

use super::RecordedGame;
use crate::write::LostData;
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, MoveKind};
use pentarch_core::rules::Ruleset;

/// Converts a move text with points of GTP, `K10`, which skip the letter I, to the canonical one,
/// `j10`. A point with the letter I is an error.
pub(super) fn from_gtp_points(text: &str) -> Result<String, String> {
    let mut skipped = None;
    let renamed = replace_points(text, |letter, after| match letter.to_ascii_lowercase() {
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

/// Converts a canonical move text to points of GTP, in capitals without the letter I.
pub(super) fn to_gtp_points(text: &str) -> String {
    replace_points(text, |letter, after| match letter.to_ascii_uppercase() {
        letter @ 'I'..='Y' => format!("{}{after}", (letter as u8 + 1) as char),
        letter => format!("{letter}{after}"),
    })
}

/// Replaces each letter that a number follows. Words such as `swap` and the letter before `@` stay.
fn replace_points(text: &str, mut rename: impl FnMut(char, &str) -> String) -> String {
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

/// Parses the cell of a plain stone, `j10`. Returns `None` for any other move.
pub(super) fn parse_stone(grid: Grid, text: &str) -> Option<Cell> {
    grid.parse(text).ok()
}

/// Returns the cell at a column and row, counted from 0 at the upper left.
pub(super) fn cell_from_top(grid: Grid, column: i32, row: i32) -> Option<Cell> {
    grid.get(column, i32::from(grid.rows()) - 1 - row)
}

/// Returns the row of a cell, counted from 0 at the top.
pub(super) fn row_from_top(grid: Grid, cell: Cell) -> u8 {
    grid.rows() - 1 - grid.row(cell)
}

/// Returns the grid of rules on a board of squares.
pub(super) fn square_grid(rules: &Ruleset) -> Result<Grid, String> {
    let board = rules.squares().map(|board| board.grid);
    board.ok_or_else(|| format!("`{rules}` is not played on a board of squares"))
}

/// Returns the cells of a game whose moves are all plain stones, or why they are not.
pub(super) fn stone_cells(
    game: &RecordedGame,
    rules: &Ruleset,
) -> Result<(Grid, Vec<Cell>), String> {
    if game.initial_position.is_some() {
        return Err("a start in the middle of a game".to_owned());
    }
    let grid = rules.squares().map(|board| board.grid).ok_or("a board without squares")?;
    let cell = |text: &String| {
        parse_stone(grid, text.trim_end_matches('+')).ok_or("moves that are no plain stones")
    };
    Ok((grid, game.moves.iter().map(cell).collect::<Result<_, _>>()?))
}

/// Writes a game of plain stones as a line of its points. All other data of the game is lost. An
/// error says why the game cannot be written.
pub(super) fn write_points(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
    separator: &str,
    point: impl Fn(Grid, Cell) -> String,
) -> Result<String, String> {
    let (grid, cells) = stone_cells(game, rules)?;
    if cells.is_empty() {
        return Err("games without moves".to_owned());
    }
    lost.check_all_but_moves(game);
    let points: Vec<String> = cells.into_iter().map(|cell| point(grid, cell)).collect();
    Ok(points.join(separator) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_converted_both_ways() {
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
            assert_eq!(to_gtp_points(canonical), capitals);
            assert_eq!(from_gtp_points(capitals).as_deref(), Ok(canonical));
        }
        assert_eq!(
            from_gtp_points("I9"),
            Err("`I9` is no point: columns have no letter I".to_owned())
        );
        assert_eq!(from_gtp_points("EF11").as_deref(), Ok("Ef11"));
    }
}
