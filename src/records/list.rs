//! Lists of games of the pente.org archive: a line of result, ratings and moves.
//!
//! ```ebnf
//! line   = result , rated , rating , rating , { point } ;
//! result = "1-0" | "0-1" | "1/2-1/2" | "?" ;
//! rated  = "Y" | "N" ;
//! rating = natural | "?" ;
//! ```
//!
//! The points are those of GTP, `K10` is the center of 19x19. 1-0 is a win of the player who moved
//! first, by the rules or otherwise.

use super::labels::{from_capitals, to_capitals};
use super::losses::Losses;
use super::{GameResult, RecordedGame};
use pentarch_core::game::Side;
use pentarch_core::rules::Ruleset;

/// Reads a line, the `number`th game of its file.
pub(super) fn read(line: &str, number: usize, rules: &Ruleset) -> Result<RecordedGame, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [result, rated @ ("Y" | "N"), first, second, moves @ ..] = words.as_slice() else {
        return Err("expected a result, `Y` or `N`, two ratings and the moves".to_owned());
    };
    let rated = *rated == "Y";
    let ratings = [first, second].map(|rating| rating.parse().ok());
    Ok(RecordedGame {
        name: format!("{} {number}", if rated { "rated game" } else { "game" }),
        rules: Some(rules.to_string()),
        rated: Some(rated),
        ratings: if ratings == [None, None] { Vec::new() } else { ratings.to_vec() },
        moves: moves.iter().map(|text| from_capitals(text)).collect::<Result<_, _>>()?,
        result: read_result(result),
        ..RecordedGame::default()
    })
}

/// Writes a line.
pub(super) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    losses: &mut Losses,
) -> Result<String, String> {
    if rules.squares().is_none() {
        return Err("a board without squares".to_owned());
    }
    if game.initial_position.is_some() {
        return Err("a start in the middle of a game".to_owned());
    }
    losses.rules_other_than(game, "pro-pente");
    losses.names(game);
    losses.kinds_of_players(game);
    losses.add_if(game.ratings.len() > 2, "ratings of more than two");
    losses.headers(game);
    losses.plies(game);
    let rating = |seat: usize| match game.ratings.get(seat) {
        Some(Some(rating)) => rating.to_string(),
        _ => "?".to_owned(),
    };
    let rated = if game.rated == Some(true) { "Y" } else { "N" };
    let mut line = format!("{} {rated} {} {}", result_text(game.result), rating(0), rating(1));
    for text in &game.moves {
        line.push(' ');
        line += &to_capitals(text);
    }
    Ok(line + "\n")
}

/// The result as chess programs write it.
pub(super) fn read_result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::Win(Side(0))),
        "0-1" => Some(GameResult::Win(Side(1))),
        "1/2-1/2" | "0-0" => Some(GameResult::Draw),
        other => GameResult::try_from(other.to_owned()).ok(),
    }
}

/// The result as chess programs write it, of more than two sides as we do.
pub(super) fn result_text(result: Option<GameResult>) -> String {
    match result {
        None => "?".to_owned(),
        Some(GameResult::Win(Side(0))) => "1-0".to_owned(),
        Some(GameResult::Win(Side(1))) => "0-1".to_owned(),
        Some(GameResult::Draw) => "1/2-1/2".to_owned(),
        Some(result) => result.to_string(),
    }
}
