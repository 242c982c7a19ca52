//! What a review says of a game, as JSON lines have it.

use crate::review::reviewer::Task;
use pentarch_engine::NAME_AND_VERSION;
use pentarch_engine::search::Score;
use pentarch_records::GameResult;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the form of reviews; it stands in each of them. A field that is added changes
/// nothing, one that changes its meaning does.
pub const SCHEMA: u32 = 1;

/// How hard a review looks. All of it is counted in nodes, so that a review depends on nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// The engine that reviews, with its version.
    pub engine: String,
    /// Nodes of each search, of which there are two a move at most.
    pub nodes: u64,
    /// Nodes of the look for a win that the search has not seen, where it thinks well of a position;
    /// elsewhere a twentieth of it.
    pub look_nodes: u64,
    /// Nodes of the proof of a win that is announced, and of a defense.
    pub proof_nodes: u64,
}

impl Budget {
    /// A number of nodes for each search, and what goes with it.
    pub fn nodes(nodes: u64) -> Budget {
        Budget {
            engine: NAME_AND_VERSION.to_owned(),
            nodes,
            look_nodes: nodes.saturating_mul(100),
            proof_nodes: 1_000_000,
        }
    }
}

/// A game with what is to be said of it, one JSON line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameReview {
    /// [`SCHEMA`].
    pub schema: u32,
    /// How hard it was looked at.
    pub budget: Budget,
    /// The file that the game is from; empty if it is from none.
    pub file: String,
    /// The line of the file.
    pub line: usize,
    /// What the game is called.
    pub name: String,
    /// The rules as canonical text.
    pub rules: String,
    /// The position text that the game began at, unless it was the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// Who sat on each seat; empty where that is not known.
    pub players: Vec<String>,
    /// The moves as canonical texts, as far as they are legal.
    pub moves: Vec<String>,
    /// Who won, by the rules or on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why the review ends before the record does, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Each move.
    pub plies: Vec<PlyReview>,
    /// The last position, if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<EndReview>,
    /// Each seat.
    pub seats: Vec<PlayerReview>,
    /// The ply at which the game turned, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turning_point: Option<u32>,
    /// The game in a paragraph.
    pub summary: String,
}

/// A move. Values are for the seat that made it, of the position before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlyReview {
    /// Its number, from 1 for the first move of the record.
    pub ply: u32,
    /// The move as canonical text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The seat that made it, from 1.
    pub seat: u8,
    /// The side of the seat, from 1.
    pub side: u8,
    /// Whether a color was chosen in a swap opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub choice: bool,
    /// Whether the opening has set it, so that it is nobody's mistake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
    /// The value with the best move, in points.
    pub score: i32,
    /// The plies to the end if the game is decided, negative for a loss.
    pub mate: Option<i32>,
    /// The probability to win with the best move.
    pub win_rate: f64,
    /// The value with the move that was made.
    pub played_score: i32,
    /// The plies to the end with it, if it is decided.
    pub played_mate: Option<i32>,
    /// The probability to win with it.
    pub played_win_rate: f64,
    /// The best move that was found.
    pub best: String,
    /// The best play for all, the best move first.
    pub pv: Vec<String>,
    /// Nodes visited.
    pub nodes: u64,
    /// The win probability that was given away.
    pub loss: f64,
    /// How good the move was, from 0 to 100.
    pub accuracy: f64,
    /// What kind of mistake it was, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// A proved win that the move did not take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_win: Option<MissedWin>,
    /// A proved win that the move has left to the opponent, and another would not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_defense: Option<MissedDefense>,
}

/// The position after the last move, for the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndReview {
    /// The seat to move, from 1.
    pub seat: u8,
    /// The value in points.
    pub score: i32,
    /// The plies to the end if the game is decided, negative for a loss.
    pub mate: Option<i32>,
    /// The probability to win.
    pub win_rate: f64,
    /// The best move.
    pub best: String,
    /// The best play for all, the best move first.
    pub pv: Vec<String>,
}

/// A kind of mistake, by the win probability that it gives away: 0.1, 0.2 and 0.3 at least.
///
/// These are the thresholds of lichess (`Advice.scala` of its server), which counts on a scale from
/// -1 to 1 and so calls half as much a mistake: a search of some thousand nodes is not sure of a
/// value to 5 percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// 0.1 or more.
    Inaccuracy,
    /// 0.2 or more.
    Mistake,
    /// 0.3 or more.
    Blunder,
}

impl Class {
    /// What such a loss is.
    pub fn of_loss(loss: f64) -> Option<Class> {
        match loss {
            0.3.. => Some(Class::Blunder),
            0.2.. => Some(Class::Mistake),
            0.1.. => Some(Class::Inaccuracy),
            _ => None,
        }
    }

    /// The sign that chess players write after such a move.
    pub fn sign(self) -> &'static str {
        match self {
            Class::Inaccuracy => "?!",
            Class::Mistake => "?",
            Class::Blunder => "??",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }
}

/// What a win rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// Every defense was tried by the prover.
    Prover,
    /// The search has announced it, to the end of its line.
    Search,
}

/// A win that was there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedWin {
    /// Plies to the end, the winning move included.
    pub plies: u32,
    /// Every first move that wins so soon, or as many as are known.
    pub moves: Vec<String>,
    /// What it rests on.
    pub proof: Proof,
    /// Whether the move that was made wins too, later.
    pub kept: bool,
}

/// A loss that could be held off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedDefense {
    /// The plies in which the opponent wins, counted from after the move that was made.
    pub plies: u32,
    /// A move after which no win so short is there.
    pub moves: Vec<String>,
}

/// What is to be said of a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerReview {
    /// The seat, from 1.
    pub seat: u8,
    /// The player's name, or `Player 1`.
    pub name: String,
    /// The moves that were theirs to choose.
    pub moves: u32,
    /// The mean accuracy of these; none if there are none.
    pub accuracy: Option<f64>,
    /// The mean loss of win probability of these.
    pub mean_loss: Option<f64>,
    /// How many inaccuracies.
    pub inaccuracies: u32,
    /// How many mistakes.
    pub mistakes: u32,
    /// How many blunders.
    pub blunders: u32,
    /// How many proved wins were let go.
    pub missed_wins: u32,
    /// How many defenses were missed.
    pub missed_defenses: u32,
    /// All of that in a paragraph.
    pub summary: String,
}

impl PlyReview {
    /// Whether it is worth stopping at: a mistake, or something that was missed.
    pub fn is_noted(&self) -> bool {
        self.class.is_some() || self.lost_win().is_some() || self.missed_defense.is_some()
    }

    /// A win that was let go.
    pub fn lost_win(&self) -> Option<&MissedWin> {
        self.missed_win.as_ref().filter(|win| !win.kept && !self.opening)
    }
}

/// A probability with four digits, as JSON lines have it.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// The probability of a score with four digits.
pub(super) fn win_rate(score: Score) -> f64 {
    rounded(score.win_probability())
}

// The file of reviews, a JSON line a game, in which an interrupted run is found again.

/// A file that reviews are appended to, in the order of their games.
#[derive(Debug)]
pub struct ReviewFile {
    path: PathBuf,
    file: File,
}

/// Why there is no file to write reviews to. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ReviewFileError {
    /// It cannot be opened, read or written.
    #[error("cannot use the reviews in {}: {}; name another file", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// It holds something else.
    #[error(
        "{} line {line}: {reason}; it is not of this run, name another file or remove it",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What it has.
        reason: String,
    },
}

/// A line is no longer than this; even a game of ten thousand moves fits.
const MOST_BYTES: u64 = 64 << 20;

impl ReviewFile {
    /// Opens a file, new or of an earlier run of the same games with the same budget, whose reviews are
    /// taken over. What an interruption has left of a line is cut off.
    pub fn open(
        path: &Path,
        tasks: &[Task],
        budget: &Budget,
    ) -> Result<(ReviewFile, Vec<GameReview>), ReviewFileError> {
        let failed = |error| ReviewFileError::File(path.to_owned(), error);
        let mut how = File::options();
        let mut file = how.read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut reviews = Vec::new();
        if file.metadata().map_err(failed)?.is_file() {
            let whole = read(&file, path, tasks, budget, &mut reviews)?;
            file.set_len(whole).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok((ReviewFile { path: path.to_owned(), file }, reviews))
    }

    /// Appends a review with one write.
    pub fn append(&mut self, review: &GameReview) -> Result<(), ReviewFileError> {
        let mut write = || -> io::Result<()> {
            let mut line = serde_json::to_vec(review)?;
            line.push(b'\n');
            self.file.write_all(&line)
        };
        write().map_err(|error| ReviewFileError::File(self.path.clone(), error))
    }
}

/// Reads the reviews of a file; returns how many bytes are of whole lines.
fn read(
    file: &File,
    path: &Path,
    tasks: &[Task],
    budget: &Budget,
    reviews: &mut Vec<GameReview>,
) -> Result<u64, ReviewFileError> {
    let mut from = BufReader::new(file);
    let mut whole = 0;
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line);
        read.map_err(|error| ReviewFileError::File(path.to_owned(), error))?;
        let foreign = |reason: String| ReviewFileError::Foreign {
            path: path.to_owned(),
            line: reviews.len() + 1,
            reason,
        };
        if !line.ends_with(b"\n") {
            // Only a line of ours may be cut off.
            let ours: &[u8] = b"{\"schema\":";
            let begins = line.starts_with(ours) || ours.starts_with(&line);
            return if begins { Ok(whole) } else { Err(foreign("this is no review".to_owned())) };
        }
        let review: GameReview = serde_json::from_slice(&line)
            .map_err(|error| foreign(format!("this is no review ({error})")))?;
        is_of(&review, tasks.get(reviews.len()), budget).map_err(foreign)?;
        whole += line.len() as u64;
        reviews.push(review);
    }
}

/// Whether a review is of this game and budget, and if not, why not.
fn is_of(review: &GameReview, task: Option<&Task>, budget: &Budget) -> Result<(), String> {
    let Some(task) = task else {
        return Err("there are more reviews than games".to_owned());
    };
    if review.schema != SCHEMA {
        return Err(format!("a review of schema {}, where {SCHEMA} is written now", review.schema));
    }
    if review.budget != *budget {
        let (theirs, ours) = (&review.budget, budget);
        return Err(format!(
            "a review with other limits ({} nodes by {} instead of {} by {})",
            theirs.nodes, theirs.engine, ours.nodes, ours.engine
        ));
    }
    let same = review.moves == task.move_texts()
        && review.rules == task.start.rules().to_string()
        && review.initial_position == task.initial_position()
        && review.players == task.record.players
        && review.name == task.record.name
        && review.result == task.result()
        && review.fault == task.fault;
    if same { Ok(()) } else { Err(format!("a review of another game ({})", review.name)) }
}
