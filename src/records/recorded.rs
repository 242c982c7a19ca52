//! A game as it is on record, the one value that every format is read into and written from.

use super::game_record::{GameRecord, GameResult, RecordedPly, list_or_count};
use crate::read::{many_lines, one_line};
use pentarch_core::game::{PositionTextError, Side};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::{Game, GameError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A game as it is on record; whether the rules allow it is for [`RecordedGame::replay`] to say.
///
/// Whatever a record does not say is empty. Serialized, it is a line of a record file, so that a
/// [`GameRecord`] is one of these in which nothing is missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordedGame {
    /// What to call it in messages: `rated game 17`, the seventeenth of its file.
    #[serde(skip)]
    pub name: String,
    /// The line of its file where it is, from 1.
    #[serde(skip)]
    pub line: usize,
    /// What its file says and is not kept: the names of properties, headers or elements, with the value
    /// in brackets where the name is known and the value is not, such as `KM` and `BR[1 dan]`.
    #[serde(skip)]
    pub unread: Vec<String>,
    /// Where the game of the file goes on and this one does not, and why.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The number of the game in its match, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The day, `2026-01-31`, or the moment in UTC, `2026-01-31T23:59:59Z`, or whatever else a
    /// foreign record has.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// Where it was played.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// The round of the tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// The section of the tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub section: String,
    /// The rules as a spec, where the record names them or its format implies them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Who sat on each seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// The rating of each seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Option<u32>>,
    /// Whether each seat is a program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub computers: Vec<Option<bool>>,
    /// Whether the game counts for ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// How each seat was limited, in the words of the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time_controls: Vec<String>,
    /// The position text that the game began at, unless it was the start of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// How many of the moves were set by the opening and not chosen by a player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_plies: Option<usize>,
    /// The moves as texts of UGI.
    pub moves: Vec<String>,
    /// Milliseconds that each move after the opening took.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// Each move with what is known of it; empty, or as many as there are moves.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "list_or_count")]
    pub plies: Vec<RecordedPly>,
    /// The captured stones that count for each color at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captures: Option<Vec<u16>>,
    /// Who won; none if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why, in a word.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What happened, where the word does not say all of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What is said of the game as a whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Lines that were not played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// What else a line of a record file has.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A line that was not played, from some move on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// What it branches off: 0 is the game itself, other numbers are earlier variations, from 1.
    pub line: usize,
    /// How many moves have been played on the board where it begins.
    pub ply: usize,
    /// Its moves.
    pub plies: Vec<RecordedPly>,
}

/// Why a recorded game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The rules are unknown.
    #[error(transparent)]
    Rules(#[from] VariantSpecError),
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

impl From<GameRecord> for RecordedGame {
    fn from(record: GameRecord) -> RecordedGame {
        RecordedGame {
            name: format!("{}, game {}", record.players.join(" against "), record.game),
            game: Some(record.game),
            date: record.date,
            rules: Some(record.rules),
            players: record.players,
            time_controls: record.time_controls,
            initial_position: record.initial_position,
            opening_plies: Some(record.opening_plies),
            moves: record.moves,
            times: record.times,
            plies: record.plies,
            captures: Some(record.captures),
            result: Some(record.result),
            reason: record.reason,
            detail: record.detail.unwrap_or_default(),
            ..RecordedGame::default()
        }
    }
}

impl RecordedGame {
    /// The side that won, by the rules or otherwise; none if the game was drawn or broken off.
    pub fn winner(&self) -> Option<Side> {
        match self.result {
            Some(GameResult::Win(side)) => Some(side),
            Some(GameResult::Draw) | None => None,
        }
    }

    /// The rules that the record names, or else these.
    pub fn ruleset(&self, rules: &Ruleset) -> Result<Ruleset, VariantSpecError> {
        match &self.rules {
            Some(text) => text.parse(),
            None => Ok(rules.clone()),
        }
    }

    /// The game before its first move, by its own rules or else by these.
    pub fn start(&self, rules: &Ruleset) -> Result<Game, ReplayError> {
        let rules = self.ruleset(rules)?;
        Ok(match &self.initial_position {
            Some(text) => Game::from_text(rules, text)?,
            None => Game::new(rules),
        })
    }

    /// The finished game, by its own rules or else by these. An error if the rules refuse it.
    pub fn replay(&self, rules: &Ruleset) -> Result<Game, ReplayError> {
        let mut game = self.start(rules)?;
        for text in &self.moves {
            game.play(text)?;
        }
        let winner = |result| if let GameResult::Win(side) = result { Some(side) } else { None };
        match (game.outcome(), self.result.map(winner)) {
            (Some(outcome), Some(winner)) if outcome.winner != winner => Err(ReplayError::Winner),
            _ => Ok(game),
        }
    }

    /// Writes the moves as canonical texts, and who made them where more is known of them. Returns
    /// the first move that the rules refuse; it and those after it stay as they are. An error if
    /// a text is no move at all.
    pub fn make_canonical(&mut self, rules: &Ruleset) -> Result<Option<GameError>, ReplayError> {
        let mut game = self.start(rules)?;
        self.rules = Some(game.rules().to_string());
        let mut refused = None;
        for (index, text) in self.moves.iter_mut().enumerate() {
            let mv = game.parse_move(text)?;
            if refused.is_some() {
                continue;
            }
            let canonical = game.move_text(mv);
            let seat = game.to_move().0 + 1;
            match game.play_move(mv) {
                Ok(()) => *text = canonical,
                Err(error) => refused = Some(error),
            }
            if let Some(ply) = self.plies.get_mut(index) {
                ply.mv.clone_from(text);
                ply.seat = if ply.seat == 0 && refused.is_none() { seat } else { ply.seat };
            }
        }
        Ok(refused)
    }

    /// The player of a seat, counted from 0; empty if not known.
    pub fn player(&self, seat: usize) -> &str {
        self.players.get(seat).map_or("", String::as_str)
    }

    /// What is known of a move besides its text.
    pub fn ply(&self, index: usize) -> Option<&RecordedPly> {
        self.plies.get(index)
    }

    /// The milliseconds that a move took, if the record has them for it.
    pub(super) fn time(&self, index: usize) -> Option<f64> {
        let listed = || {
            let after_opening = index.checked_sub(self.opening_plies.unwrap_or(0))?;
            self.times.get(after_opening).copied()
        };
        self.ply(index).and_then(|ply| ply.time).or_else(listed)
    }

    /// What is known of a move, to be added to.
    pub(super) fn ply_mut(&mut self, index: usize) -> Option<&mut RecordedPly> {
        for text in self.moves.iter().skip(self.plies.len()) {
            self.plies.push(RecordedPly { mv: text.clone(), ..RecordedPly::default() });
        }
        self.plies.get_mut(index)
    }

    /// Makes every text harmless wherever it is shown, and gives the game a name.
    pub(super) fn clean(mut self, number: usize) -> RecordedGame {
        let clean = |text: &mut String| {
            if text.chars().any(|c| c.is_control() || !c.is_ascii()) || text.trim() != text {
                *text = one_line(text);
            }
        };
        for text in [
            &mut self.date,
            &mut self.event,
            &mut self.site,
            &mut self.round,
            &mut self.section,
            &mut self.reason,
            &mut self.detail,
            &mut self.name,
        ] {
            clean(text);
        }
        let many = self.players.iter_mut().chain(&mut self.time_controls).chain(&mut self.moves);
        many.chain(&mut self.rules).chain(&mut self.initial_position).for_each(clean);
        if !self.plies.is_empty() {
            // There is one a move, or none.
            self.ply_mut(0);
        }
        self.comment = many_lines(&self.comment);
        let lines = self.variations.iter_mut().map(|variation| &mut variation.plies);
        for ply in lines.flatten().chain(&mut self.plies) {
            ply.comment = many_lines(&ply.comment);
            clean(&mut ply.mv);
            ply.pv.iter_mut().chain(&mut ply.marks).for_each(clean);
        }
        if self.name.is_empty() {
            let number = self.game.map_or(number, |number| number as usize);
            self.name = match self.players.as_slice() {
                [] => format!("game {number}"),
                players => format!("{}, game {number}", players.join(" against ")),
            };
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_the_arena_is_one_and_comes_back() {
        let line = r#"{"game":7,"date":"2026-01-01T00:00:00Z","rules":"gomoku+size=3x3+line=3",
            "players":["a\u001b[2J\nb","c"],"timeControls":["nodes 1","nodes 1"],"openingPlies":1,
            "moves":["b2","a1","b1","a3","b3"],"times":[1.0],"plies":[{"move":"b2","seat":1}],
            "captures":[0,0],"result":"p1win","reason":"line","schema":2}"#;
        let read: RecordedGame = serde_json::from_str(line).unwrap();
        let record: GameRecord = serde_json::from_str(line).unwrap();
        let mut same = RecordedGame::from(record);
        (same.name, same.other) = (String::new(), read.other.clone());
        assert_eq!(same, read);
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&serde_json::to_string(&read).unwrap()), value(line));
        let clean = read.clean(1);
        assert_eq!(clean.players, ["a\u{fffd}[2J b", "c"]);
        assert_eq!(clean.name, "a\u{fffd}[2J b against c, game 7");
        assert_eq!(clean.winner(), Some(Side(0)));
        assert!(clean.replay(&"pente".parse().unwrap()).unwrap().outcome().is_some());
        let lost = RecordedGame { result: Some(GameResult::Win(Side(1))), ..clean };
        assert_eq!(lost.replay(&"pente".parse().unwrap()).unwrap_err(), ReplayError::Winner);
    }
}
