//! Plain lists of moves, a game a line.
//!
//! ```ebnf
//! line   = [ "position" , position text , [ "moves" ] ] , { move } , [ ";" , result ] , [ "#" , text ] ;
//! result = "p1win" | "p2win" | "p3win" | "p4win" | "draw" | text ;
//! ```
//!
//! The moves are those of UGI. What comes after `;` and is no result, such as the value of an opening,
//! does not count.

use super::losses::Losses;
use super::{GameResult, RecordedGame};
use pentarch_core::rules::Ruleset;

/// Reads a line.
pub(super) fn read(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
    let line = line.split('#').next().unwrap_or_default();
    let (line, result) = line.split_once(';').unwrap_or((line, ""));
    let words: Vec<&str> = line.split_whitespace().collect();
    let (position, moves) = match words.split_first() {
        Some((&"position", rest)) => {
            let end = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
            let (text, moves) = rest.split_at(end);
            (Some(text.join(" ")), moves.get(1..).unwrap_or(&[]))
        }
        _ => (None, words.as_slice()),
    };
    if position.is_none() && moves.is_empty() {
        return Err("no move in it".to_owned());
    }
    Ok(RecordedGame {
        rules: Some(rules.to_string()),
        initial_position: position,
        moves: moves.iter().map(|&text| text.to_owned()).collect(),
        result: GameResult::try_from(result.trim().to_owned()).ok(),
        ..RecordedGame::default()
    })
}

/// Writes a line.
pub(super) fn write(game: &RecordedGame, losses: &mut Losses) -> String {
    losses.rules_other_than(game, "pente");
    losses.names(game);
    losses.ratings(game);
    losses.headers(game);
    losses.plies(game);
    let mut words: Vec<&str> = Vec::new();
    if let Some(position) = &game.initial_position {
        words.extend(["position", position, "moves"]);
    }
    words.extend(game.moves.iter().map(String::as_str));
    let result = game.result.map_or(String::new(), |result| format!(" ; {result}"));
    format!("{}{result}\n", words.join(" "))
}
