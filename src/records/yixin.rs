//! `yixin`, the file of a position as Yixin-Board saves it (`.pos`). Read only.
//!
//! ```ebnf
//! file   = rows , columns , count , { point } ;
//! point  = row , column ;
//! ```
//!
//! Blanks or line breaks separate the numbers; rows and columns of points count from 0 at the upper
//! left (accreator/Yixin-Board, `main.c`, `on_button_click_save`).

use super::RecordedGame;
use super::coordinates::{cell_from_top, square_grid};
use super::format::ParsedGame;
use pentarch_core::rules::Ruleset;

/// Returns whether a file begins with two numbers on lines of their own.
pub(super) fn is_yixin(text: &str) -> bool {
    let number = |line: &str| line.trim().parse::<u8>().is_ok();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(number) && lines.next().is_some_and(number)
}

/// Reads a file. The size of the board is the one that the file names.
pub(super) fn read(text: &str, variant: Option<&Ruleset>) -> ParsedGame {
    let mut line = 1;
    match parse(text, variant, &mut line) {
        Ok(game) => ParsedGame { line: 1, game: Ok(game) },
        Err(reason) => ParsedGame { line, game: Err(reason) },
    }
}

fn parse(text: &str, variant: Option<&Ruleset>, at: &mut usize) -> Result<RecordedGame, String> {
    let mut numbers = (1..)
        .zip(text.lines())
        .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    let mut next = |what: &str| {
        let (line, word) = numbers.next().ok_or_else(|| format!("the file ends before {what}"))?;
        *at = line;
        word.parse::<u16>().map(i32::from).map_err(|_| format!("`{word}` is not a number"))
    };
    let (rows, columns) = (next("its rows")?, next("its columns")?);
    let count = next("its count of stones")?;
    let default = || "gomoku".parse::<Ruleset>();
    let rules = variant.map_or_else(default, |rules| Ok(rules.clone()));
    let rules = rules.map_err(|error| error.to_string())?;
    let own = square_grid(&rules)?;
    let rules = if (columns, rows) == (own.columns().into(), own.rows().into()) {
        rules
    } else {
        let size = format!("size={columns}x{rows}");
        rules.with(&size).map_err(|error| error.to_string())?
    };
    let grid = square_grid(&rules)?;
    let mut moves = Vec::new();
    for number in 1..=count {
        let what = format!("stone {number} of {count}");
        let (row, column) = (next(&what)?, next(&what)?);
        let cell = cell_from_top(grid, column, row);
        let cell = cell.ok_or_else(|| format!("`{row} {column}` is not on the board"))?;
        moves.push(grid.label(cell));
    }
    if let Some((line, word)) = numbers.next() {
        *at = line;
        return Err(format!("`{word}` after the last of {count} stones"));
    }
    Ok(RecordedGame { rules: Some(rules.to_string()), moves, ..RecordedGame::default() })
}
