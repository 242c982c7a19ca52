//! What is played, and on which board: `INFO rule`, `INFO variant` and `START`.

use pentarch_core::board::Grid;
use pentarch_core::rules::{BoardRules, Ruleset, SquareBoardRules, SwapRule};
use pentarch_protocol::gomocup::{Command, Info, Rectangle, Setting, Size};

/// `INFO rule` and the games that it means. Rule 2 of Gomocup, several games on one board, is played
/// nowhere any more.
const RULES: [(i64, &str); 5] =
    [(0, "gomoku"), (1, "gomoku-standard"), (4, "renju"), (8, "caro"), (9, "caro-standard")];

/// A number of `INFO rule` that names no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 0, 1, 4, 8 or 9")]
pub struct UnknownRule;

/// A game for which the protocol has no words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{rules}` cannot be played over Gomocup's protocol, which knows {known}")]
pub struct Unplayable {
    rules: String,
    known: &'static str,
}

/// The game that `INFO rule` means.
pub fn rules(number: i64) -> Result<Ruleset, UnknownRule> {
    let row = RULES.iter().find(|(known, _)| *known == number);
    row.and_then(|(_, name)| name.parse().ok()).ok_or(UnknownRule)
}

/// The number of a game that is nearest to one that names none. Of several games on one board each is
/// played.
pub fn nearest_rule(number: i64) -> i64 {
    const SEVERAL_GAMES: i64 = 2;
    let wanted = if number > 0 { number & !SEVERAL_GAMES } else { number };
    let known = RULES.iter().map(|&(known, _)| known);
    known.min_by_key(|known| known.abs_diff(wanted)).unwrap_or(0)
}

/// What is played: by number where there is one, whatever the size, else by name. Swap2 is not part
/// of it.
pub fn info(wanted: &Ruleset) -> Info {
    let size = wanted.squares().map_or(String::new(), |board| format!("size={}", board.grid));
    let is_wanted = |name: &str| {
        let rules = name.parse::<Ruleset>().and_then(|rules| rules.with(&size));
        rules.is_ok_and(|rules| {
            rules == *wanted || rules.with("swap2").is_ok_and(|rules| rules == *wanted)
        })
    };
    match RULES.into_iter().find(|(_, name)| is_wanted(name)) {
        Some((number, _)) => Info::Number(Setting::Rule, number),
        None => Info::Variant(wanted.to_string()),
    }
}

/// The command that begins a game on a board.
pub fn start(grid: Grid) -> Command {
    let (columns, rows) = (grid.columns().into(), grid.rows().into());
    if columns == rows {
        Command::Start(Size { columns, rows })
    } else {
        Command::RectStart(Rectangle { columns, rows })
    }
}

/// Refuses games whose moves are no points placed by two players, and openings with a choice other
/// than swap2. Returns the board of the others.
pub fn check(rules: &Ruleset) -> Result<&SquareBoardRules, Unplayable> {
    let known = match rules.board() {
        BoardRules::Tiles(_) => "points only",
        BoardRules::Hexes(_) => "squares only",
        BoardRules::Squares(_) if rules.seating().seats != 2 => "two players only",
        BoardRules::Squares(board) if board.swap.is_some_and(|swap| swap != SwapRule::Swap2) => {
            "of all openings with a choice swap2 only"
        }
        BoardRules::Squares(board) => return Ok(board),
    };
    Err(Unplayable { rules: rules.to_string(), known })
}

/// [`check`] for a manager, which besides has no words for a turn of several stones.
pub fn check_for_manager(rules: &Ruleset) -> Result<&SquareBoardRules, Unplayable> {
    let board = check(rules)?;
    if rules.seating().double_turns {
        return Err(Unplayable { rules: rules.to_string(), known: "one stone a turn only" });
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        for spec in ["gomoku", "gomoku-standard+size=20x10", "renju", "caro-standard", "pente"] {
            let wanted: Ruleset = spec.parse().unwrap();
            let read = match info(&wanted) {
                Info::Number(Setting::Rule, number) => rules(number).unwrap(),
                Info::Variant(spec) => spec.parse().unwrap(),
                other => panic!("{other}"),
            };
            let size = format!("size={}", wanted.squares().unwrap().grid);
            assert_eq!(read.with(&size).unwrap(), wanted);
        }
        assert_eq!(info(&"gomoku+swap2".parse().unwrap()), Info::Number(Setting::Rule, 0));
    }

    #[test]
    fn unknown_numbers_are_told_the_known_ones() {
        for number in [2, 3, 5, -1, i64::MAX] {
            let message = rules(number).unwrap_err().to_string();
            assert!(RULES.iter().all(|(known, _)| message.contains(&known.to_string())));
        }
    }

    #[test]
    fn games_without_words() {
        for (spec, known) in [
            ("pent-up", "points only"),
            ("yavalath", "squares only"),
            ("pente-3", "two players"),
            ("d-pente", "swap2 only"),
        ] {
            let error = check(&spec.parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains(known), "{error}");
        }
        assert_eq!(check(&"swap2-pente".parse().unwrap()).map(drop), Ok(()));
        let connect6 = "connect6".parse().unwrap();
        assert!(check(&connect6).is_ok() && check_for_manager(&connect6).is_err());
    }
}
