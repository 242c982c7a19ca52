//! Finished games of the arena, and the files of them.

use crate::RecordedGame;
use crate::read::is_harmful;
use pentarch_core::game::{Move, Outcome, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

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
pub(super) fn list_or_count<'de, D: Deserializer<'de>>(
    value: D,
) -> Result<Vec<RecordedPly>, D::Error> {
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

// Record files of JSON lines: one game a line.

/// A file that finished games are appended to.
///
/// A game is written with one write and is on the disk when [`RecordFile::append`] returns, so
/// nothing that happens later can lose it. While the file is open it is locked against a second
/// arena; the lock dies with the process.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

/// Why a game cannot be recorded. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file is there already, and its games are worth keeping.
    #[error(
        "the record file {} exists already; go on with its match with --resume, add to it with \
         --append or name another",
        .0.display()
    )]
    Exists(PathBuf),
    /// Another arena writes to the file.
    #[error(
        "another arena is writing to the record file {}; wait for its end or name another file",
        .0.display()
    )]
    Locked(PathBuf),
    /// A line of the file is no game.
    #[error("{} line {line}: {reason}; name another record file", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file cannot be opened.
    #[error("cannot open the record file {}: {}; name another", .0.display(), .1)]
    Open(PathBuf, #[source] io::Error),
    /// The file cannot be written to.
    #[error(
        "cannot write to the record file {}: {}; the games before this one are in it, make room \
         and go on with the same command, a match with --resume",
        .0.display(),
        .1
    )]
    Write(PathBuf, #[source] io::Error),
}

impl RecordFile {
    /// Opens a record file: a new or empty one, or with `append` also one that has games already.
    pub fn open(path: &Path, append: bool) -> Result<RecordFile, RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let mut file = open_locked(path)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_file() && about.len() > 0 {
            if !append {
                return Err(RecordError::Exists(path.to_owned()));
            }
            end_last_line(&mut file).map_err(failed)?;
        }
        Ok(RecordFile { path: path.to_owned(), file })
    }

    /// Opens a record file to go on with it: hands each game in it to `note`, whose error is one of that
    /// line. What a crash left of a game's line is no game and is cut off; `true` says that there was
    /// such a rest.
    pub fn resume(
        path: &Path,
        mut note: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<(RecordFile, bool), RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let file = open_locked(path)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Ok((RecordFile { path: path.to_owned(), file }, false));
        }
        let end = read_records(&file, path, &mut note)?;
        let rest = file.metadata().map_err(failed)?.len() > end;
        if rest {
            file.set_len(end).map_err(failed)?;
        }
        Ok((RecordFile { path: path.to_owned(), file }, rest))
    }

    /// Reads the games of a file that somebody may be writing to: a line that is not at its end is
    /// left out. Returns whether there was such a rest.
    pub fn read(
        path: &Path,
        mut note: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<bool, RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let file = File::open(path).map_err(failed)?;
        let end = read_records(&file, path, &mut note)?;
        Ok(file.metadata().map_err(failed)?.len() > end)
    }

    /// Appends a game and waits until it is on the disk. After an error the file has no part of
    /// the game.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), RecordError> {
        self.write_line(record).map_err(|error| RecordError::Write(self.path.clone(), error))
    }

    fn write_line(&mut self, record: &GameRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let before = self.file.metadata().ok().filter(std::fs::Metadata::is_file);
        if let Err(error) = self.file.write_all(&line) {
            if let Some(before) = before {
                // Half a line on a full disk would spoil the next game's line.
                let _ = self.file.set_len(before.len());
            }
            return Err(error);
        }
        match self.file.sync_data() {
            Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()), // a pipe or a device
            synced => synced,
        }
    }
}

/// Opens a file that nobody else writes to, a new one if there is none.
fn open_locked(path: &Path) -> Result<File, RecordError> {
    let failed = |error| RecordError::Open(path.to_owned(), error);
    let mut how = File::options();
    let file = how.read(true).append(true).create(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordError::Locked(path.to_owned())),
        // Not every file and not every file system can be locked.
        Err(TryLockError::Error(error)) => {
            log::debug!("{} cannot be locked: {error}", path.display());
            Ok(file)
        }
    }
}

/// The longest line that can be a game.
const LONGEST: u64 = 64 << 20;

/// Hands each game of a file to `note`, and returns where the last whole line ends. Empty lines and
/// those that begin with `#` do not count.
fn read_records(
    file: &File,
    path: &Path,
    note: &mut dyn FnMut(GameRecord) -> Result<(), String>,
) -> Result<u64, RecordError> {
    let mut lines = BufReader::new(file);
    let (mut line, mut end) = (Vec::new(), 0);
    for number in 1.. {
        let wrong = |reason| RecordError::Line { path: path.to_owned(), line: number, reason };
        line.clear();
        let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let length = read.map_err(|error| RecordError::Open(path.to_owned(), error))?;
        if length as u64 == LONGEST {
            return Err(wrong("it is too long for a game".to_owned()));
        }
        if line.last() != Some(&b'\n') {
            break;
        }
        end += length as u64;
        let text = line.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let record = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        note(record).map_err(wrong)?;
    }
    Ok(end)
}

/// Ends a line that a crash of the machine cut short, so that the next game gets its own.
fn end_last_line(file: &mut File) -> io::Result<()> {
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

/// Reads a line.
pub(super) fn read_line(line: &str) -> Result<RecordedGame, String> {
    let game: RecordedGame = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if game.moves.is_empty() && game.rules.is_none() {
        return Err("neither `moves` nor `rules` in it".to_owned());
    }
    if !game.plies.is_empty() && game.plies.len() != game.moves.len() {
        return Err(format!("{} `moves`, but {} `plies`", game.moves.len(), game.plies.len()));
    }
    Ok(game)
}

/// Writes a line. Characters that a terminal obeys are escaped.
pub(super) fn write_line(game: &RecordedGame) -> String {
    let line = serde_json::to_string(game).unwrap_or_default();
    let mut text = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        if is_harmful(c) {
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text + "\n"
}

// What a record says of the tournament that its game belongs to, so that records alone suffice to go
// on with it and to join its parts.

/// The place of a game in its tournament. Its number is the record's `game`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGame {
    /// A fingerprint of all that the games depend on: engines, variants, limits, openings, seed.
    pub id: String,
    /// How the engines are brought together, such as `round-robin`.
    pub format: String,
    /// How many games there are to be.
    pub games: u32,
    /// The round, from 1.
    pub round: u32,
    /// The number of the encounter, from 1.
    pub encounter: u32,
    /// The set of games with the same opening, from 1 within the encounter.
    pub set: u32,
    /// The variant, from 1 in the order of the tournament.
    pub variant: u32,
    /// The number of the engine on each seat, from 1 in the order of the tournament.
    pub entrants: Vec<u8>,
    /// The part of the tournament that played it, such as `2/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}
