//! Game records: finished games as values and as files.
//!
//! [`GameRecord`] is one finished game; [`RecordFile`] appends them to a file of JSON lines;
//! [`RecordedGame`] is a game read back; [`sgf`] has games as Go programs write them.
//! [`picture`] draws games, [`page`] writes them to be stepped through in a browser.

mod atomic_file;
mod charset;
mod date;
mod format;
mod json;
mod labels;
mod lines;
mod list;
mod losses;
mod moves;
mod offset;
pub mod page;
mod pente_org;
mod pgn;
pub mod picture;
mod pos;
mod psq;
mod read;
mod recorded;
mod renlib;
mod rif;
pub mod sgf;
mod source;
mod tournament;
mod write;
mod yixin;

pub use atomic_file::{AtomicFile, WrittenFile};
pub use charset::{Charset, UnknownCharset};
pub use date::utc_text;
pub use format::{Format, Hints, UnknownFormat};
pub use json::{RecordError, RecordFile};
pub use losses::Losses;
pub use pgn::results_as_pgn;
pub use read::{ReadError, Records, read, read_from};
pub use recorded::{RecordedGame, ReplayError, Variation};
pub use source::{MOST_BYTES, many_lines, one_line, read_regular_file};
pub use tournament::TournamentGame;
pub use write::RecordWriter;

use pentarch_core::game::{Move, Outcome, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::time::Duration;

/// A finished game, one JSON line of a record file.
///
/// ```
/// use pentarch_records::GameRecord;
/// let line = r#"{"game":1,"date":"2026-01-01T00:00:00Z","rules":"gomoku+size=3x3+line=3",
///     "players":["a","b"],"timeControls":["nodes 1","nodes 1"],"openingPlies":1,
///     "moves":["b2","a1","b1","a3","b3"],"times":[1.0,2.5,0.1,0.1],"plies":5,
///     "captures":[0,0],"result":"p1win","reason":"line"}"#;
/// let record: GameRecord = serde_json::from_str(line).unwrap();
/// assert_eq!(record.result.to_string(), "p1win");
/// assert_eq!(record.initial_position, None);
/// assert_eq!((record.moves.len(), record.plies.len()), (5, 0));
///
/// let plies = r#"[{"move":"b2","seat":1},{"move":"a1","seat":2,"time":2.5,"score":-31,"depth":4}]"#;
/// let record: GameRecord = serde_json::from_str(&line.replace(r#""plies":5"#,
///     &format!(r#""plies":{plies}"#))).unwrap();
/// assert_eq!(record.plies[1].score, Some(-31));
/// assert!(serde_json::to_string(&record).unwrap().contains(plies));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameRecord {
    /// The number of the game in its match, from 1.
    pub game: u32,
    /// When it ended, in UTC: `2026-01-31T23:59:59Z`.
    pub date: String,
    /// The rules as canonical text, `NAME[+modifier...]`, or the name of a game that only its engines know.
    pub rules: String,
    /// Who refereed: `engines` if they did, none if our rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
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
    /// Milliseconds that each move after the opening took.
    pub times: Vec<f64>,
    /// Each move with what its player said of it; empty in older records, which have the number of
    /// moves here.
    #[serde(default, deserialize_with = "list_or_count")]
    pub plies: Vec<RecordedPly>,
    /// The captured stones that count for each color at the end.
    pub captures: Vec<u16>,
    /// Who won.
    pub result: GameResult,
    /// Why, in one word: of the rules such as `line`, or of a fault such as `illegal-move`.
    pub reason: String,
    /// What happened, where the word does not say all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The last lines exchanged with the engine whose fault ended the game, `<` to it and `>` from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchange: Vec<String>,
    /// The seat, from 1, whose fault ended a game of more than two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault_seat: Option<u8>,
    /// The place of the game in its tournament, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentGame>,
}

impl GameRecord {
    /// Whose fault ended a game of more than two sides, which then nobody has won.
    pub fn culprit(&self) -> Option<&str> {
        let seat = usize::from(self.fault_seat?).checked_sub(1)?;
        self.players.get(seat).map(String::as_str)
    }
}

/// A move of a recorded game, and what its player said of it. What was not said is left out.
///
/// The value is one of the position before the move, for the seat that made it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedPly {
    /// The move as canonical text.
    #[serde(rename = "move", default)]
    pub mv: String,
    /// The seat that made it, from 1; 0 where the record does not say.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seat: u8,
    /// The milliseconds that it took; none for a move that the opening has set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The value in points of the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The plies to the end if the game is decided, negative for a loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The depth of the search, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes that it visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line that it expected, this move first, as canonical texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// What is said of the position after the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Marks on the position after the move: a kind, a cell and for a label its text, such as
    /// `triangle j10` or `label k9 A`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

impl RecordedPly {
    /// A move of a game with what a search said of it, in the texts of that game, without its seat
    /// and its time.
    pub fn of_move(game: &Game, mv: Move, report: Option<&Report>) -> RecordedPly {
        let text = |&mv: &Move| game.move_text(mv);
        let pv = report.map_or(Vec::new(), |report| report.pv.iter().map(text).collect());
        RecordedPly::searched(text(&mv), report, pv)
    }

    /// A move with what a search said of it, without its seat and its time.
    pub fn searched(mv: String, report: Option<&Report>, pv: Vec<String>) -> RecordedPly {
        // An engine that leaves the depth or the nodes out has 0 here.
        RecordedPly {
            mv,
            score: report.map(|report| report.score.value()),
            mate: report.and_then(|report| report.score.mate()),
            depth: report.map(|report| report.depth).filter(|&depth| depth > 0),
            nodes: report.map(|report| report.nodes).filter(|&nodes| nodes > 0),
            pv,
            ..RecordedPly::default()
        }
    }
}

/// A time as records have it: milliseconds with three decimals.
pub fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// Reads `plies`, which older records have as a number.
fn list_or_count<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<RecordedPly>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Plies {
        #[expect(dead_code, reason = "that it is a number says which of the two it is")]
        Count(u64),
        List(Vec<RecordedPly>),
    }
    Ok(match Plies::deserialize(value)? {
        Plies::Count(_) => Vec::new(),
        Plies::List(plies) => plies,
    })
}

/// The result of a game, by seat, or by side where seats win together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GameResult {
    /// This side won.
    Win(Side),
    /// No side won.
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
