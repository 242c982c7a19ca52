//! Game records: finished games as values and as files.
//!
//! [`GameRecord`] is one finished game; [`RecordFile`] appends them to a file of JSON lines;
//! [`RecordedGame`] is a game read back; [`Sgf`] is a game as Go programs write it.

mod date;
mod json;
mod reader;
mod sgf;

pub use date::utc_text;
pub use json::{RecordError, RecordFile};
pub use reader::{ReadError, RecordedGame, ReplayError};
pub use sgf::{Problem as SgfProblem, Sgf, SgfError};

use crate::game::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A finished game, one JSON line of a record file.
///
/// ```
/// use pentarch::records::GameRecord;
/// let line = r#"{"game":1,"date":"2026-01-01T00:00:00Z","rules":"gomoku+size=3x3+line=3",
///     "players":["a","b"],"timeControls":["nodes 1","nodes 1"],"openingPlies":1,
///     "moves":["b2","a1","b1","a3","b3"],"times":[1.0,2.5,0.1,0.1],"plies":5,
///     "captures":[0,0],"result":"p1win","reason":"line"}"#;
/// let record: GameRecord = serde_json::from_str(line).unwrap();
/// assert_eq!(record.result.to_string(), "p1win");
/// assert_eq!(record.initial_position, None);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameRecord {
    /// The number of the game in its match, from 1.
    pub game: u32,
    /// When it ended, in UTC: `2026-01-31T23:59:59Z`.
    pub date: String,
    /// The rules as canonical text, `NAME[+modifier...]`.
    pub rules: String,
    /// Who sat on each seat.
    pub players: Vec<String>,
    /// How each seat was limited, as the arena prints it.
    pub time_controls: Vec<String>,
    /// The position text that the game began at, unless it was the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// How many of the moves were set by the opening and not chosen by a player.
    pub opening_plies: usize,
    /// The moves as canonical texts, those of the opening first.
    pub moves: Vec<String>,
    /// Milliseconds that each move behind the opening took.
    pub times: Vec<f64>,
    /// The number of moves played, those of the opening included.
    pub plies: usize,
    /// The captured stones that count for each color at the end.
    pub captures: Vec<u16>,
    /// Who won.
    pub result: GameResult,
    /// Why, in one word: of the rules such as `line`, or of a fault such as `illegal-move`.
    pub reason: String,
    /// What happened, where the word does not tell all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The result of a game, by seat, or by side where seats win together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GameResult {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

/// A text that is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no result, expected `p1win` to `p4win` or `draw`")]
pub struct UnknownResult(String);

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner.map_or(GameResult::Draw, GameResult::Win)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Win(side) => write!(f, "p{side}win"),
            GameResult::Draw => f.write_str("draw"),
        }
    }
}

impl From<GameResult> for String {
    fn from(result: GameResult) -> String {
        result.to_string()
    }
}

impl TryFrom<String> for GameResult {
    type Error = UnknownResult;

    fn try_from(text: String) -> Result<GameResult, UnknownResult> {
        let sides = (0..4).map(|number| GameResult::Win(Side(number)));
        let mut known = sides.chain([GameResult::Draw]);
        known.find(|result| result.to_string() == text).ok_or(UnknownResult(text))
    }
}
