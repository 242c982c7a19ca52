//! Games read back from files: our own records and lists of games.
//!
//! A line that begins with `{` is a [`GameRecord`]. Any other is a game of a list: its result
//! (`1-0`, `0-1`, ...), whether it was rated (`Y` or `N`), two ratings, and the moves in capitals
//! that skip I (`K10` is the center of 19x19). Empty lines and lines that begin with `#` do not
//! count.

use super::{GameRecord, GameResult};
use crate::engine::{Game, GameError};
use crate::game::PositionTextError;
use crate::game::Side;
use crate::rules::{Ruleset, SpecError};
use std::io;
use std::path::{Path, PathBuf};

/// A game as it is on record; whether the rules allow it is for [`RecordedGame::replay`] to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The rules, where the record names them.
    pub rules: Option<String>,
    /// The position text that the game began at, unless it was the start of the game.
    pub initial_position: Option<String>,
    /// The moves as canonical texts.
    pub moves: Vec<String>,
    /// Who won, by the rules or otherwise; none if the game was drawn or broken off.
    pub winner: Option<Side>,
    /// What to call it: `rated game 17`, the seventeenth of its file.
    pub name: String,
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the records in {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A line is no game.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// Why a recorded game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The rules are unknown.
    #[error(transparent)]
    Rules(#[from] SpecError),
    /// The position is none of these rules.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The rules give the game to somebody else than the record.
    #[error("the record names another winner than the rules")]
    Winner,
}

impl RecordedGame {
    /// Reads a file of records.
    pub fn read(path: &Path) -> Result<Vec<RecordedGame>, ReadError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ReadError::File(path.to_owned(), error))?;
        let mut games = Vec::new();
        for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let failed = |reason| ReadError::Line { path: path.to_owned(), line, reason };
            games.push(RecordedGame::parse(text, games.len() + 1).map_err(failed)?);
        }
        Ok(games)
    }

    /// Reads a line, the `number`th game of its file, or says what is wrong with it.
    pub fn parse(line: &str, number: usize) -> Result<RecordedGame, String> {
        if !line.trim_start().starts_with('{') {
            return RecordedGame::from_list(line, number);
        }
        let record: GameRecord = serde_json::from_str(line).map_err(|error| error.to_string())?;
        Ok(RecordedGame {
            name: format!("{}, game {}", record.players.join(" against "), record.game),
            rules: Some(record.rules),
            initial_position: record.initial_position,
            moves: record.moves,
            winner: match record.result {
                GameResult::Win(side) => Some(side),
                GameResult::Draw => None,
            },
        })
    }

    /// Reads a line of a list of games.
    fn from_list(line: &str, number: usize) -> Result<RecordedGame, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [result, rated, _, _, moves @ ..] = words.as_slice() else {
            return Err("expected a result, `Y` or `N`, two ratings and the moves".to_owned());
        };
        let kind = if *rated == "Y" { "rated game" } else { "game" };
        Ok(RecordedGame {
            rules: None,
            initial_position: None,
            moves: moves.iter().map(|text| canonical(text)).collect(),
            winner: match *result {
                "1-0" => Some(Side(0)),
                "0-1" => Some(Side(1)),
                _ => None,
            },
            name: format!("{kind} {number}"),
        })
    }

    /// The finished game, by its own rules or else by these. An error if the rules refuse it.
    pub fn replay(&self, rules: &Ruleset) -> Result<Game, ReplayError> {
        let rules = match &self.rules {
            Some(text) => text.parse()?,
            None => rules.clone(),
        };
        let mut game = match &self.initial_position {
            Some(text) => Game::from_text(rules, text)?,
            None => Game::new(rules),
        };
        for text in &self.moves {
            game.play(text)?;
        }
        match game.outcome() {
            Some(outcome) if outcome.winner != self.winner => Err(ReplayError::Winner),
            _ => Ok(game),
        }
    }
}

/// `K10`, where I is skipped, as `j10`. What is no point stays none.
fn canonical(capitals: &str) -> String {
    let mut characters = capitals.chars();
    let letter = characters.next().map(|letter| letter.to_ascii_lowercase());
    match letter {
        Some(letter @ 'j'..='z') => {
            format!("{}{}", (letter as u8 - 1) as char, characters.as_str())
        }
        Some('i') | None => format!("?{capitals}"),
        Some(letter) => format!("{letter}{}", characters.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_list_is_a_game() {
        let rules: Ruleset = "pro-pente".parse().unwrap();
        let line = "1-0 Y 1600 1600 K10 A1 K13 C1 K11 E1 K12 G1 K14";
        let game = RecordedGame::parse(line, 17).unwrap();
        assert_eq!(game.name, "rated game 17");
        assert_eq!(game.moves[0], "j10");
        assert!(game.replay(&rules).unwrap().outcome().is_some());
        let game = RecordedGame::parse(&line.replace("1-0", "0-1"), 1).unwrap();
        assert_eq!(game.replay(&rules).unwrap_err(), ReplayError::Winner);
        let game = RecordedGame::parse(&line.replace("A1", "I1"), 1).unwrap();
        assert!(matches!(game.replay(&rules), Err(ReplayError::Move(_))));
        assert!(RecordedGame::parse("1-0 Y", 1).is_err());
        assert!(RecordedGame::parse("{}", 1).is_err());
    }
}
