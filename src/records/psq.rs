//! `psq`, the file of Piskvork: one game with times.
//!
//! ```ebnf
//! file  = "Piskvorky " , columns , "x" , rows , "," , natural , ":" , natural , "," , natural , { line } ;
//! line  = column , "," , row , [ "," , milliseconds ] | name | natural ;
//! ```
//!
//! Columns and rows count from 1 at the upper left. After the moves come the names of the two
//! programs and a code, 0 for a game without errors (plastovicka/Piskvork, `source/game.cpp`). The
//! last number of the first line is 1 if the second program made the first move; the names are in
//! the order of the programs in any case. Lost are the lines after the code, the code itself and
//! the levels of the players.

use super::coordinates::{cell_from_top, row_from_top, square_grid, stone_cells};
use super::format::ParsedGame;
use super::{RecordedGame, RecordedPly};
use crate::write::LostData;
use pentarch_core::rules::Ruleset;
use std::fmt::Write;

/// The games of a text, one after the other.
pub(super) struct PsqGames {
    text: String,
    at: usize,
    line: usize,
    /// The rules that the user has named.
    variant: Option<Ruleset>,
}

impl PsqGames {
    pub(super) fn new(text: String, variant: Option<Ruleset>) -> PsqGames {
        PsqGames { text, at: 0, line: 1, variant }
    }
}

impl Iterator for PsqGames {
    type Item = ParsedGame;

    /// The size of a board is the one that the file names.
    fn next(&mut self) -> Option<ParsedGame> {
        let rest = &self.text[self.at..];
        if rest.trim().is_empty() {
            return None;
        }
        let body = rest.len() - rest.trim_start().len() + 1;
        let next = rest.get(body..).and_then(|body| body.find("\nPiskvorky "));
        let end = next.map_or(rest.len(), |at| body + at + 1);
        let (first, mut line) = (self.line, 1);
        let game = parse(&rest[..end], self.variant.as_ref(), &mut line);
        self.line += rest[..end].matches('\n').count();
        self.at += end;
        let line = if game.is_ok() { first } else { first + line - 1 };
        Some(ParsedGame { line, game })
    }
}

fn parse(text: &str, variant: Option<&Ruleset>, at: &mut usize) -> Result<RecordedGame, String> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let (line, header) = lines.find(|(_, text)| !text.is_empty()).unwrap_or_default();
    *at = line;
    let rules = board_rules(header, variant)?;
    let grid = square_grid(&rules)?;
    let mut game = RecordedGame { rules: Some(rules.to_string()), ..RecordedGame::default() };
    let (levels, second_begins) = levels_and_opener(header);
    if !matches!(levels, "" | "0:0" | "11:11" | "0 - 0") {
        game.unread.push(format!("levels[{levels}]"));
    }
    let mut lines = lines.filter(|(_, text)| !text.is_empty());
    for (line, text) in lines.by_ref() {
        *at = line;
        let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |text: &&str| text.parse::<i32>();
        match numbers.as_slice() {
            [column, row, time @ ..] if number(column).is_ok() && number(row).is_ok() => {
                let (Ok(column), Ok(row)) = (number(column), number(row)) else { continue };
                let cell = cell_from_top(grid, column.saturating_sub(1), row.saturating_sub(1));
                let cell = cell.ok_or_else(|| format!("`{text}` is not on the board"))?;
                let mv = grid.label(cell);
                if let Some(text) = time.iter().find(|text| text.parse::<f64>().is_err()) {
                    game.unread.push(format!("time[{text}]"));
                }
                let time = time.first().and_then(|text| text.parse().ok());
                let seat = game.moves.len() as u8 % 2 + 1;
                game.plies.push(RecordedPly {
                    mv: mv.clone(),
                    seat,
                    time,
                    ..RecordedPly::default()
                });
                game.moves.push(mv);
            }
            [code] if number(code).is_ok() => {
                if *code != "0" {
                    game.unread.push(format!("code[{code}]"));
                }
                break;
            }
            _ if game.players.len() < 2 => game.players.push(text.to_owned()),
            _ => game.unread.push(format!("line[{text}]")),
        }
    }
    if lines.next().is_some() {
        game.unread.push("lines after the code".to_owned());
    }
    if second_begins && !game.players.is_empty() {
        game.players.resize(2, String::new());
        game.players.swap(0, 1);
    }
    game.unread.sort();
    game.unread.dedup();
    Ok(game)
}

/// Returns the levels of the players in the first line, and whether the second player made the
/// first move.
fn levels_and_opener(header: &str) -> (&str, bool) {
    let mut fields = header.split(',').skip(1).map(str::trim);
    let levels = fields.next().unwrap_or_default();
    (levels, fields.next() == Some("1"))
}

/// Returns the rules with the board size of the first line.
fn board_rules(header: &str, variant: Option<&Ruleset>) -> Result<Ruleset, String> {
    let expected = || "expected `Piskvorky WxH, level:level, 0`".to_owned();
    let size = header.split_once(char::is_whitespace).ok_or_else(expected)?.1;
    let size = size.split(',').next().unwrap_or_default().trim();
    let default = || "gomoku".parse::<Ruleset>().map_err(|error| error.to_string());
    let rules = variant.map_or_else(default, |rules| Ok(rules.clone()))?;
    let own = square_grid(&rules)?;
    if size == format!("{}x{}", own.columns(), own.rows()) {
        return Ok(rules);
    }
    rules.with(&format!("size={size}")).map_err(|error| error.to_string())
}

/// Writes a file.
pub(super) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
) -> Result<String, String> {
    let (grid, cells) = stone_cells(game, rules)?;
    if rules.seating().seats != 2 {
        return Err("games of more than two".to_owned());
    }
    let is_default = rules.with("size=15").is_ok_and(|rules| rules.to_string() == "gomoku");
    lost.add_if(!is_default, "the variant, which --variant gives back");
    lost.check_ratings(game);
    lost.check_result(game);
    lost.check_headers(game);
    lost.check_annotations(game);
    let mut text = format!("Piskvorky {}x{}, 0:0, 0\n", grid.columns(), grid.rows());
    for (index, cell) in cells.into_iter().enumerate() {
        let (column, row) = (grid.column(cell) + 1, row_from_top(grid, cell) + 1);
        let time = game.time(index).map_or(String::new(), |time| format!(",{}", time.round()));
        let _ = writeln!(text, "{column},{row}{time}");
    }
    // A line of digits and commas would be read as a move or as the code.
    let is_name = |name: &String| name.chars().any(|c| !c.is_ascii_digit() && !",- ".contains(c));
    if game.players.len() == 2 && game.players.iter().all(is_name) {
        let _ = writeln!(text, "{}\n{}", game.players[0], game.players[1]);
    } else {
        lost.check_names(game);
    }
    Ok(text + "0\n")
}
