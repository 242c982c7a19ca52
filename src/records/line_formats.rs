//! The formats with one game a line: `list`, `moves`, `offset` and `pos`.

use crate::coordinates::{
    cell_from_top, from_gtp_points, row_from_top, square_grid, to_gtp_points, write_points,
};
use crate::write::LostData;
use crate::{GameResult, RecordedGame};
use pentarch_core::game::Side;
use pentarch_core::rules::Ruleset;

/// Reads a line of `list`, the archive of pente.org. The game is number `number` of its file.
///
/// ```ebnf
/// line   = result , rated , rating , rating , { point } ;
/// result = "1-0" | "0-1" | "1/2-1/2" | "?" ;
/// rated  = "Y" | "N" ;
/// rating = natural | "?" ;
/// ```
///
/// Points are those of GTP: `K10` is the center of 19x19. `1-0` is a win of the player who moved
/// first.
pub(super) fn read_list(
    line: &str,
    number: usize,
    rules: &Ruleset,
) -> Result<RecordedGame, String> {
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
        moves: moves.iter().map(|text| from_gtp_points(text)).collect::<Result<_, _>>()?,
        result: read_result(result),
        ..RecordedGame::default()
    })
}

/// Writes a line of `list`.
pub(super) fn write_list(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
) -> Result<String, String> {
    if rules.squares().is_none() {
        return Err("a board without squares".to_owned());
    }
    if game.initial_position.is_some() {
        return Err("a start in the middle of a game".to_owned());
    }
    lost.check_variant(game, "pro-pente");
    lost.check_names(game);
    lost.check_player_types(game);
    lost.add_if(game.ratings.len() > 2, "ratings of more than two");
    lost.check_headers(game);
    lost.check_plies(game);
    let rating = |seat: usize| match game.ratings.get(seat) {
        Some(Some(rating)) => rating.to_string(),
        _ => "?".to_owned(),
    };
    let rated = if game.rated == Some(true) { "Y" } else { "N" };
    let mut line = format!("{} {rated} {} {}", result_text(game.result), rating(0), rating(1));
    for text in &game.moves {
        line.push(' ');
        line += &to_gtp_points(text);
    }
    Ok(line + "\n")
}

/// Parses a result as chess programs write it, or as record files do.
pub(super) fn read_result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::Win(Side(0))),
        "0-1" => Some(GameResult::Win(Side(1))),
        "1/2-1/2" | "0-0" => Some(GameResult::Draw),
        other => GameResult::try_from(other.to_owned()).ok(),
    }
}

/// Formats a result as chess programs write it; of more than two sides as record files do.
pub(super) fn result_text(result: Option<GameResult>) -> String {
    match result {
        None => "?".to_owned(),
        Some(GameResult::Win(Side(0))) => "1-0".to_owned(),
        Some(GameResult::Win(Side(1))) => "0-1".to_owned(),
        Some(GameResult::Draw) => "1/2-1/2".to_owned(),
        Some(result) => result.to_string(),
    }
}

/// Reads a line of `moves`, the moves of UGI.
///
/// ```ebnf
/// line   = [ "position" , position text , [ "moves" ] ] , { move } , [ ";" , result ] , [ "#" , text ] ;
/// result = "p1win" | "p2win" | "p3win" | "p4win" | "draw" | text ;
/// ```
///
/// A text after `;` that is no result, such as the value of an opening, is ignored.
pub(super) fn read_moves(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
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
        return Err("it has no move".to_owned());
    }
    Ok(RecordedGame {
        rules: Some(rules.to_string()),
        initial_position: position,
        moves: moves.iter().map(|&text| text.to_owned()).collect(),
        result: GameResult::try_from(result.trim().to_owned()).ok(),
        ..RecordedGame::default()
    })
}

/// Writes a line of `moves`.
pub(super) fn write_moves(game: &RecordedGame, lost: &mut LostData) -> String {
    lost.check_variant(game, "pente");
    lost.check_names(game);
    lost.check_ratings(game);
    lost.check_headers(game);
    lost.check_plies(game);
    let mut words: Vec<&str> = Vec::new();
    if let Some(position) = &game.initial_position {
        words.extend(["position", position, "moves"]);
    }
    words.extend(game.moves.iter().map(String::as_str));
    let result = game.result.map_or(String::new(), |result| format!(" ; {result}"));
    format!("{}{result}\n", words.join(" "))
}

/// Reads a line of `offset`, the openings of Gomocup.
///
/// ```ebnf
/// line  = point , { "," , point } ;
/// point = integer , "," , integer ;
/// ```
///
/// A point is a column and a row relative to the center, to the right and downward. The center is
/// column and row `N div 2`, counted from 0 at the upper left (dhbloo/c-gomoku-cli,
/// `src/position.cpp`).
pub(super) fn read_offset(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
    let grid = square_grid(rules)?;
    let line = line.split('#').next().unwrap_or_default().trim().trim_end_matches(',');
    let number = |text: &str| {
        let text = text.trim();
        text.parse::<i16>().map(i32::from).map_err(|_| format!("`{text}` is not a number"))
    };
    let numbers: Vec<i32> = line.split(',').map(number).collect::<Result<_, _>>()?;
    let mut moves = Vec::new();
    let (points, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("an odd count of numbers; expected two for each stone".to_owned());
    }
    for &[column, row] in points {
        let (middle, center) = (i32::from(grid.columns() / 2), i32::from(grid.rows() / 2));
        let cell = cell_from_top(grid, middle + column, center + row);
        let Some(cell) = cell else {
            return Err(format!(
                "`{column},{row}` is not on the board of `{rules}`; see --variant"
            ));
        };
        moves.push(grid.label(cell));
    }
    Ok(RecordedGame { rules: Some(rules.to_string()), moves, ..RecordedGame::default() })
}

/// Writes a line of `offset`.
pub(super) fn write_offset(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
) -> Result<String, String> {
    write_points(game, rules, lost, ", ", |grid, cell| {
        let column = i32::from(grid.column(cell)) - i32::from(grid.columns() / 2);
        let row = i32::from(row_from_top(grid, cell)) - i32::from(grid.rows() / 2);
        format!("{column},{row}")
    })
}

/// Reads a line of `pos`, the openings of c-gomoku-cli, Yixin-Board and Rapfi.
///
/// ```ebnf
/// line  = point , { point } ;
/// point = letter , natural ;
/// ```
///
/// Columns and rows count from the upper left; no letter is skipped (dhbloo/c-gomoku-cli,
/// `src/position.cpp`).
pub(super) fn read_pos(line: &str, rules: &Ruleset) -> Result<RecordedGame, String> {
    let grid = square_grid(rules)?;
    let mut moves = Vec::new();
    let mut rest = line.split('#').next().unwrap_or_default().trim();
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let point: String = rest.chars().take(1 + digits.min(8)).collect();
        let column = letter.to_ascii_lowercase();
        let row = after[..digits].parse::<i32>().ok().filter(|_| column.is_ascii_lowercase());
        let cell = row.and_then(|row| cell_from_top(grid, column as i32 - 'a' as i32, row - 1));
        let Some(cell) = cell else {
            return Err(format!(
                "`{point}` is not a point of the board of `{rules}`; see --variant"
            ));
        };
        moves.push(grid.label(cell));
        rest = after[digits..].trim_start();
    }
    Ok(RecordedGame { rules: Some(rules.to_string()), moves, ..RecordedGame::default() })
}

/// Writes a line of `pos`.
pub(super) fn write_pos(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
) -> Result<String, String> {
    write_points(game, rules, lost, "", |grid, cell| {
        let column = char::from(b'a' + grid.column(cell));
        format!("{column}{}", row_from_top(grid, cell) + 1)
    })
}
