//! `offset`: openings of Gomocup.
//!
//! ```ebnf
//! line  = point , { "," , point } ;
//! point = integer , "," , integer ;
//! ```
//!
//! Column and row from the center, to the right and downward; the center is column and row `N div 2`
//! counted from 0 at the upper left (dhbloo/c-gomoku-cli, `src/position.cpp`).

use super::RecordedGame;
use super::labels::{from_top, grid, line_of_points, row_from_top};
use super::losses::Losses;
use pentarch_core::rules::Ruleset;

/// Reads a line.
pub(super) fn read(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
    let grid = grid(rules)?;
    let line = line.split('#').next().unwrap_or_default().trim().trim_end_matches(',');
    let number = |text: &str| {
        let text = text.trim();
        text.parse::<i16>().map(i32::from).map_err(|_| format!("`{text}` is no number"))
    };
    let numbers: Vec<i32> = line.split(',').map(number).collect::<Result<_, _>>()?;
    let mut moves = Vec::new();
    let (points, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("an odd count of numbers; expected two a stone".to_owned());
    }
    for &[column, row] in points {
        let (middle, center) = (i32::from(grid.columns() / 2), i32::from(grid.rows() / 2));
        let cell = from_top(grid, middle + column, center + row);
        let Some(cell) = cell else {
            return Err(format!(
                "`{column},{row}` is not on the board of `{rules}`; see --variant"
            ));
        };
        moves.push(grid.label(cell));
    }
    Ok(RecordedGame { rules: Some(rules.to_string()), moves, ..RecordedGame::default() })
}

/// Writes a line.
pub(super) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    losses: &mut Losses,
) -> Result<String, String> {
    line_of_points(game, rules, losses, ", ", |grid, cell| {
        let column = i32::from(grid.column(cell)) - i32::from(grid.columns() / 2);
        let row = i32::from(row_from_top(grid, cell)) - i32::from(grid.rows() / 2);
        format!("{column},{row}")
    })
}
