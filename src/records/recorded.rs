//! A recorded game, the value that every format is read into and written from.

use super::game_record::{GameRecord, GameResult, RecordedPly, list_or_count};
use crate::{sanitize_line, sanitize_lines};
use pentarch_core::game::{PositionTextError, Side};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::{Game, GameError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A recorded game. Its moves need not be legal; [`RecordedGame::replay`] checks them.
///
/// Unknown data is empty. The serialized form is a line of a record file, so a [`GameRecord`] is a
/// recorded game in which nothing is missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordedGame {
    /// The name in messages: `rated game 17` is the seventeenth of its file.
    #[serde(skip)]
    pub name: String,
    /// The number of its line in the file, from 1.
    #[serde(skip)]
    pub line: usize,
    /// The data of its file that is not kept: the names of properties, headers or elements,
    /// followed by the value in brackets if the name is known and the value is not, such as `KM`
    /// and `BR[1 dan]`.
    #[serde(skip)]
    pub unread: Vec<String>,
    /// Messages about parts of the game that were left out, and why.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The number of the game in its match, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The day, `2026-01-31`, or the moment in UTC, `2026-01-31T23:59:59Z`, or any other text of a
    /// foreign record.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The place.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// The round of the tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// The section of the tournament.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub section: String,
    /// The spec of the rules, if the record names them or its format implies them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The name of the player of each seat.
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
    /// The time control of each seat, in the words of the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time_controls: Vec<String>,
    /// The position text of the start, unless it is the start of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// The number of moves that the opening set and no player chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_plies: Option<usize>,
    /// The moves as texts of UGI.
    pub moves: Vec<String>,
    /// The time of each move after the opening, in milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// The data of each move. Empty, or as long as `moves`.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "list_or_count")]
    pub plies: Vec<RecordedPly>,
    /// The counted captures of each color at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captures: Option<Vec<u16>>,
    /// The result, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// The reason of the result in one word.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// More about the reason.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// A comment on the game.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The variations: lines that were not played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// The other fields of a line of a record file.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A line of moves that was not played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// The line from which it branches: 0 is the game, n is variation n, which comes before this
    /// one.
    pub line: usize,
    /// The number of moves on the board where it begins.
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
    /// The position text does not fit the rules.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The winner of the record is not the winner by the rules.
    #[error("the winner on record is not the winner by the rules")]
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
    /// Returns the side that won. `None` if the game was drawn or has no result.
    pub fn winner(&self) -> Option<Side> {
        match self.result {
            Some(GameResult::Win(side)) => Some(side),
            Some(GameResult::Draw) | None => None,
        }
    }

    /// Returns the rules that the record names, or `rules` if it names none.
    pub fn ruleset(&self, rules: &Ruleset) -> Result<Ruleset, VariantSpecError> {
        match &self.rules {
            Some(text) => text.parse(),
            None => Ok(rules.clone()),
        }
    }

    /// Returns the game before its first move, by its own rules or by `rules` if it names none.
    pub fn start(&self, rules: &Ruleset) -> Result<Game, ReplayError> {
        let rules = self.ruleset(rules)?;
        Ok(match &self.initial_position {
            Some(text) => Game::from_text(rules, text)?,
            None => Game::new(rules),
        })
    }

    /// Replays the game, by its own rules or by `rules` if it names none.
    ///
    /// # Errors
    ///
    /// If a move is illegal, or if the winner on record is not the winner by the rules.
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

    /// Replaces the move texts with canonical ones and adds the seats to `plies`. Returns why the
    /// first illegal move is illegal; that move and those after it stay unchanged.
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

    /// Returns the name of the player of a seat, counted from 0. Empty if unknown.
    pub fn player(&self, seat: usize) -> &str {
        self.players.get(seat).map_or("", String::as_str)
    }

    /// Returns the data of a move.
    pub fn ply(&self, index: usize) -> Option<&RecordedPly> {
        self.plies.get(index)
    }

    /// Returns the time of a move in milliseconds.
    pub(super) fn time(&self, index: usize) -> Option<f64> {
        let listed = || {
            let after_opening = index.checked_sub(self.opening_plies.unwrap_or(0))?;
            self.times.get(after_opening).copied()
        };
        self.ply(index).and_then(|ply| ply.time).or_else(listed)
    }

    /// Returns the data of a move for writing. Fills `plies` up to the number of moves.
    pub(super) fn ply_mut(&mut self, index: usize) -> Option<&mut RecordedPly> {
        for text in self.moves.iter().skip(self.plies.len()) {
            self.plies.push(RecordedPly { mv: text.clone(), ..RecordedPly::default() });
        }
        self.plies.get_mut(index)
    }

    /// Sanitizes every text, and names the game if it has no name.
    pub(super) fn sanitized(mut self, number: usize) -> RecordedGame {
        let sanitize = |text: &mut String| {
            if text.chars().any(|c| c.is_control() || !c.is_ascii()) || text.trim() != text {
                *text = sanitize_line(text);
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
            sanitize(text);
        }
        let many = self.players.iter_mut().chain(&mut self.time_controls).chain(&mut self.moves);
        many.chain(&mut self.rules).chain(&mut self.initial_position).for_each(sanitize);
        if !self.plies.is_empty() {
            // `plies` is as long as `moves`.
            self.ply_mut(0);
        }
        self.comment = sanitize_lines(&self.comment);
        let lines = self.variations.iter_mut().map(|variation| &mut variation.plies);
        for ply in lines.flatten().chain(&mut self.plies) {
            ply.comment = sanitize_lines(&ply.comment);
            sanitize(&mut ply.mv);
            ply.pv.iter_mut().chain(&mut ply.marks).for_each(sanitize);
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
    fn a_record_of_the_arena_is_read_and_written_unchanged() {
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
        let clean = read.sanitized(1);
        assert_eq!(clean.players, ["a\u{fffd}[2J b", "c"]);
        assert_eq!(clean.name, "a\u{fffd}[2J b against c, game 7");
        assert_eq!(clean.winner(), Some(Side(0)));
        assert!(clean.replay(&"pente".parse().unwrap()).unwrap().outcome().is_some());
        let lost = RecordedGame { result: Some(GameResult::Win(Side(1))), ..clean };
        assert_eq!(lost.replay(&"pente".parse().unwrap()).unwrap_err(), ReplayError::Winner);
    }
}
