//! `pos`: openings of c-gomoku-cli, Yixin-Board and Rapfi.
//!
//! ```ebnf
//! line  = point , { point } ;
//! point = letter , natural ;
//! ```
//!
//! Columns and rows count from the upper left, no letter is skipped (dhbloo/c-gomoku-cli,
//! `src/position.cpp`).

use super::RecordedGame;
use super::labels::{from_top, grid, line_of_points, row_from_top};
use super::losses::Losses;
use pentarch_core::rules::Ruleset;

/// Reads a line.
pub(super) fn read(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
    let grid = grid(rules)?;
    let mut moves = Vec::new();
    let mut rest = line.split('#').next().unwrap_or_default().trim();
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let point: String = rest.chars().take(1 + digits.min(8)).collect();
        let column = letter.to_ascii_lowercase();
        let row = after[..digits].parse::<i32>().ok().filter(|_| column.is_ascii_lowercase());
        let cell = row.and_then(|row| from_top(grid, column as i32 - 'a' as i32, row - 1));
        let Some(cell) = cell else {
            return Err(format!("`{point}` is no point of the board of `{rules}`; see --variant"));
        };
        moves.push(grid.label(cell));
        rest = after[digits..].trim_start();
    }
    Ok(RecordedGame { rules: Some(rules.to_string()), moves, ..RecordedGame::default() })
}

/// Writes a line.
pub(super) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    losses: &mut Losses,
) -> Result<String, String> {
    line_of_points(game, rules, losses, "", |grid, cell| {
        let column = char::from(b'a' + grid.column(cell));
        format!("{column}{}", row_from_top(grid, cell) + 1)
    })
}
