//! Results of games of two sides as PGN, for rating programs such as Ordo and `BayesElo`. They read
//! only the tags. The moves are in a comment, since they are not chess moves.

use super::{GameRecord, GameResult};
use pentarch_core::game::Side;
use std::fmt::Write as _;

/// Returns the game as PGN with an empty line at its end. Returns `None` for a game of more than
/// two sides.
pub fn results_as_pgn(record: &GameRecord) -> Option<String> {
    if record.is_spoiled() {
        return None;
    }
    let result = match record.result {
        GameResult::Win(Side(0)) => "1-0",
        GameResult::Win(Side(1)) => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::Win(_) => return None,
    };
    let [first, second, rest @ ..] = record.players.as_slice() else { return None };
    // On four seats, two engines are two sides if each has every other seat.
    let sides = [first, second].into_iter().cycle();
    if rest.len() % 2 == 1 || rest.iter().zip(sides).any(|(player, side)| player != side) {
        return None;
    }
    let date =
        record.date.get(..10).map_or_else(|| "????.??.??".to_owned(), |d| d.replace('-', "."));
    let round = record.tournament.as_ref().map_or(record.game, |place| place.round);
    let mut text = String::new();
    for (tag, value) in [
        ("Event", record.rules.as_str()),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &round.to_string()),
        ("White", first),
        ("Black", second),
        ("Result", result),
        ("Termination", &record.reason),
        ("PlyCount", &record.moves.len().to_string()),
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{tag} \"{}\"]", quoted(value));
    }
    let moves = record.moves.join(" ").replace(['{', '}'], "");
    let _ = write!(text, "\n{{{moves}}} {result}\n\n");
    Some(text)
}

/// Escapes quotes and backslashes of a tag value (PGN, section 7).
fn quoted(value: &str) -> String {
    let mut text = String::new();
    for letter in value.chars().filter(|letter| !letter.is_control()) {
        if ['"', '\\'].contains(&letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(players: &[&str], result: &str) -> GameRecord {
        let line = format!(
            r#"{{"game":7,"date":"2026-01-31T10:00:00Z","rules":"pente","players":{},"timeControls":[],
               "openingPlies":0,"moves":["j10","k10"],"times":[],"captures":[],"result":"{result}",
               "reason":"line"}}"#,
            serde_json::to_string(players).unwrap()
        );
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn a_game_has_its_tags_and_its_result() {
        let text = results_as_pgn(&record(&["a \"b\" \\", "c\n"], "p2win")).unwrap();
        let expected = "[Event \"pente\"]\n[Site \"?\"]\n[Date \"2026.01.31\"]\n[Round \"7\"]\n\
                        [White \"a \\\"b\\\" \\\\\"]\n[Black \"c\"]\n[Result \"0-1\"]\n\
                        [Termination \"line\"]\n[PlyCount \"2\"]\n\n{j10 k10} 0-1\n\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn only_games_of_two_sides_have_one() {
        let result = |players: &[&str], result| {
            let text = results_as_pgn(&record(players, result))?;
            text.split_whitespace().last().map(str::to_owned)
        };
        assert_eq!(result(&["a", "b"], "draw").as_deref(), Some("1/2-1/2"));
        assert_eq!(result(&["a", "b", "a", "b"], "p1win").as_deref(), Some("1-0"));
        assert_eq!(result(&["a", "b", "c", "d"], "p1win"), None);
        assert_eq!(result(&["a", "b", "c"], "p1win"), None);
        assert_eq!(result(&["a", "b", "a"], "draw"), None);
        assert_eq!(result(&["a", "b", "a", "b"], "p3win"), None);
    }
}
