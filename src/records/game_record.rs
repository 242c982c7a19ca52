//! Finished games of the arena and the files that hold them.

use crate::RecordedGame;
use crate::read::MAX_FILE_BYTES;
use crate::sanitize::is_control;
use pentarch_core::game::{EndReason, Move, Outcome, Side};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

/// A finished game: one JSON line of a record file.
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
    /// The time of its end, in UTC: `2026-01-31T23:59:59Z`.
    pub date: String,
    /// The canonical text of the rules, `NAME[+modifier...]`, or the name of a game that only its
    /// engines know.
    pub rules: String,
    /// The referee: `engines` if the engines agreed on the moves; `None` if Pentarch checked them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// The name of the player of each seat.
    pub players: Vec<String>,
    /// The time control of each seat, as the arena prints it.
    pub time_controls: Vec<String>,
    /// The position text of the start, unless it is the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// The number of moves that the opening set and no player chose.
    pub opening_plies: usize,
    /// The canonical texts of the moves, those of the opening first.
    pub moves: Vec<String>,
    /// The time of each move after the opening, in milliseconds.
    pub times: Vec<f64>,
    /// Each move with the search data of its player. Older records have the number of moves here;
    /// it is read as an empty list.
    #[serde(default, deserialize_with = "list_or_count")]
    pub plies: Vec<RecordedPly>,
    /// The counted captures of each color at the end.
    pub captures: Vec<u16>,
    /// The result.
    pub result: GameResult,
    /// The reason of the result in one word: one of the rules, such as `line`, or a fault, such as
    /// `illegal-move`.
    pub reason: String,
    /// More about the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The last lines exchanged with the engine whose fault ended the game: `<` marks a line to it,
    /// `>` a line from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchange: Vec<String>,
    /// The seat, from 1, whose fault ended a game of more than two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault_seat: Option<u8>,
    /// The place of the game in its tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentGame>,
}

impl GameRecord {
    /// Returns the name of the player whose fault ended a game of more than two sides. Such a game
    /// has no winner.
    pub fn player_at_fault(&self) -> Option<&str> {
        let seat = usize::from(self.fault_seat?).checked_sub(1)?;
        self.players.get(seat).map(String::as_str)
    }

    /// Replays the moves. It is an error if they are illegal or end the game with another result, or
    /// if the game is said to end by a rule that does not end it. Games whose rules only the engines
    /// know are not checked.
    pub fn check_result(&self) -> Result<(), String> {
        if self.referee.is_some() {
            return Ok(());
        }
        let number = self.game;
        let rules: Result<Ruleset, _> = self.rules.parse();
        let rules = rules.map_err(|error| format!("game {number}: {error}"))?;
        let start = match &self.initial_position {
            Some(text) => Game::from_text(rules, text).map_err(|error| error.to_string()),
            None => Ok(Game::new(rules)),
        };
        let mut game = start.map_err(|error| format!("game {number}: {error}"))?;
        for text in &self.moves {
            game.play(text).map_err(|error| format!("game {number}: {error}"))?;
        }
        let result = self.result;
        match game.outcome() {
            Some(outcome) if GameResult::from(outcome) != result => Err(format!(
                "the result of game {number}, {result}, contradicts its moves, which end with {}",
                GameResult::from(outcome)
            )),
            None if EndReason::ALL.iter().any(|reason| reason.to_string() == self.reason) => {
                let reason = &self.reason;
                Err(format!("game {number} does not end by `{reason}` after its last move"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the machine, and no player, is responsible for the end. Such a game does not count.
    pub fn is_spoiled(&self) -> bool {
        ["machine-busy", "arena-stopped"].contains(&self.reason.as_str())
    }
}

/// A move of a recorded game with the search data of its player. Unknown data is left out.
///
/// Scores are of the position before the move, for the seat that made it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedPly {
    /// The canonical text of the move.
    #[serde(rename = "move", default)]
    pub mv: String,
    /// The seat that made it, from 1; 0 if unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seat: u8,
    /// The time in milliseconds. `None` for a move of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The score in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The plies to a proved end, negative for a loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation, this move first, as canonical texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// A comment on the position after the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Marks on the position after the move. Each is a kind, a cell, and for a label its text, such
    /// as `triangle j10` or `label k9 A`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

impl RecordedPly {
    /// Creates a ply from a move and its search report, without seat and time.
    pub fn of_move(game: &Game, mv: Move, report: Option<&Report>) -> RecordedPly {
        let text = |&mv: &Move| game.move_text(mv);
        let pv = report.map_or(Vec::new(), |report| report.pv.iter().map(text).collect());
        RecordedPly::with_report(text(&mv), report, pv)
    }

    /// Creates a ply from a move text, its search report and its principal variation, without seat
    /// and time.
    pub fn with_report(mv: String, report: Option<&Report>, pv: Vec<String>) -> RecordedPly {
        // An engine that reports no depth or no nodes has 0 here.
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

/// Returns a duration in milliseconds, rounded to three decimals.
pub fn to_millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// Reads `plies`, which is a number in older records.
pub(super) fn list_or_count<'de, D: Deserializer<'de>>(
    value: D,
) -> Result<Vec<RecordedPly>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Plies {
        #[expect(dead_code, reason = "only its presence matters")]
        Count(u64),
        List(Vec<RecordedPly>),
    }
    Ok(match Plies::deserialize(value)? {
        Plies::Count(_) => Vec::new(),
        Plies::List(plies) => plies,
    })
}

/// The result of a game: the seat that won, or the side where seats win together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GameResult {
    /// This side won.
    Win(Side),
    /// No side won.
    Draw,
}

/// A text that is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a result, expected `p1win` to `p4win` or `draw`")]
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

/// A file of JSON lines to which finished games are appended.
///
/// A game is written with one system call and is on the disk when [`RecordFile::append`] returns.
/// While the file is open it is locked against other arenas; the lock ends with the process.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

/// Why a game cannot be recorded. The text says what the user can do.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file exists and has games.
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
    /// A line of the file is not a game.
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
    /// Opens a record file. It must be new or empty, unless `append` is set.
    pub fn open(path: &Path, append: bool) -> Result<RecordFile, RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let mut file = open_locked(path)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_file() && metadata.len() > 0 {
            if !append {
                return Err(RecordError::Exists(path.to_owned()));
            }
            end_last_line(&mut file).map_err(failed)?;
        }
        Ok(RecordFile { path: path.to_owned(), file })
    }

    /// Opens a record file to continue it. Calls `note` with each game in it; an error of `note` is
    /// reported for that line. An incomplete last line, which a crash leaves, is cut off; the
    /// returned flag says whether there was one.
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

    /// Reads the games of a file to which an arena may be writing. Returns whether the file ends in
    /// an incomplete line, which is skipped.
    pub fn read(
        path: &Path,
        mut note: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<bool, RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let file = File::open(path).map_err(failed)?;
        let end = read_records(&file, path, &mut note)?;
        Ok(file.metadata().map_err(failed)?.len() > end)
    }

    /// Reads the games that were appended to a file, to which an arena may be writing, since `offset`,
    /// and sets `offset` to the end of the last complete line.
    pub fn read_appended(
        path: &Path,
        offset: &mut u64,
        mut note: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<(), RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let mut file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() < *offset {
            let reason = io::Error::other("games that were read before are missing");
            return Err(failed(reason));
        }
        file.seek(SeekFrom::Start(*offset)).map_err(failed)?;
        *offset += read_records(&file, path, &mut note)?;
        Ok(())
    }

    /// Appends a game and waits until it is on the disk. After an error the file has no part of it.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), RecordError> {
        let appended =
            append_json_line(&mut self.file, record).and_then(|()| match self.file.sync_data() {
                Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()), // a pipe or a device
                synced => synced,
            });
        appended.map_err(|error| RecordError::Write(self.path.clone(), error))
    }
}

/// Opens and locks a file. Creates it if it does not exist.
fn open_locked(path: &Path) -> Result<File, RecordError> {
    let failed = |error| RecordError::Open(path.to_owned(), error);
    let file = File::options().read(true).append(true).create(true).open(path).map_err(failed)?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            // An arena that was killed holds its lock until its last thread has ended.
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_TIMEOUT => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
            // Some files and file systems cannot be locked.
            Err(TryLockError::Error(error)) => {
                log::debug!("{} cannot be locked: {error}", path.display());
                return Ok(file);
            }
        }
    }
}

/// How long to wait for the lock of a record file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

fn read_records(
    file: &File,
    path: &Path,
    note: &mut dyn FnMut(GameRecord) -> Result<(), String>,
) -> Result<u64, RecordError> {
    let mut lines = CompleteLines::new(file);
    loop {
        let line = match lines.next_line() {
            Ok(None) => return Ok(lines.bytes()),
            Ok(Some(line)) => line.trim_ascii(),
            Err(error) => return Err(RecordError::Open(path.to_owned(), error)),
        };
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let record = serde_json::from_slice(line).map_err(|error| error.to_string());
        record.and_then(&mut *note).map_err(|reason| {
            let path = path.to_owned();
            RecordError::Line { path, line: lines.number(), reason }
        })?;
    }
}

/// Reads the lines of a file whose last line may be incomplete after a crash.
#[derive(Debug)]
pub struct CompleteLines<R> {
    from: BufReader<R>,
    line: Vec<u8>,
    number: usize,
    bytes: u64,
}

impl<R: Read> CompleteLines<R> {
    /// Creates a reader of the lines of a file.
    pub fn new(from: R) -> CompleteLines<R> {
        CompleteLines { from: BufReader::new(from), line: Vec::new(), number: 0, bytes: 0 }
    }

    /// Reads the next line and returns it with its end. Returns `None` at the end of the file or of
    /// its last complete line. A line longer than [`MAX_FILE_BYTES`] is an error.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let mut from = self.from.by_ref().take(MAX_FILE_BYTES);
        let length = from.read_until(b'\n', &mut self.line)? as u64;
        if length == MAX_FILE_BYTES {
            let reason = format!("line {} is too long", self.number + 1);
            return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
        }
        if !self.line.ends_with(b"\n") {
            return Ok(None);
        }
        self.number += 1;
        self.bytes += length;
        Ok(Some(&self.line))
    }

    /// The number of the last line that was returned, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The size of the lines returned so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The bytes after the last complete line, once all complete lines are read.
    pub fn incomplete_line(&self) -> &[u8] {
        &self.line
    }
}

/// Appends a value to a file as a line of JSON, with one write. After an error the file has no part of
/// the line.
pub fn append_json_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    let before = file.metadata().ok().filter(std::fs::Metadata::is_file);
    file.write_all(&line).inspect_err(|_| {
        if let Some(before) = before {
            // The first half of a line, left by a full disk, would corrupt the next line.
            let _ = file.set_len(before.len());
        }
    })
}

/// Ends an incomplete last line, which a crash leaves, so that the next game gets its own line.
fn end_last_line(file: &mut File) -> io::Result<()> {
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

/// Parses a line of `json`.
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

/// Formats a line of `json`. Characters that control a terminal are escaped.
pub(super) fn write_line(game: &RecordedGame) -> String {
    let line = serde_json::to_string(game).unwrap_or_default();
    let mut text = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        if is_control(c) {
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text + "\n"
}

/// The place of a game in its tournament, from which the tournament can be resumed and merged with
/// its other shards. The number of the game is in the field `game` of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGame {
    /// A hash of all that the games depend on: engines, variants, limits, openings, seed.
    pub id: String,
    /// The pairing system, such as `round-robin`.
    pub format: String,
    /// The number of games of the tournament.
    pub games: u32,
    /// The round, from 1.
    pub round: u32,
    /// The number of the encounter, from 1.
    pub encounter: u32,
    /// The number of the set of games with the same opening, from 1 within the encounter.
    pub set: u32,
    /// The variant, from 1 in the order of the tournament.
    pub variant: u32,
    /// The number of the engine on each seat, from 1 in the order of the tournament.
    pub entrants: Vec<u8>,
    /// The shard that played it, such as `2/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}
