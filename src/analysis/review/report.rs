//! The data of reviews, as JSON lines, and the file of them.

use crate::review::reviewer::ReviewTask;
use pentarch_engine::NAME_AND_VERSION;
use pentarch_engine::search::Score;
use pentarch_records::{CompleteLines, GameResult, append_json_line};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The version of the format of reviews; each review has it. It changes if a field changes its
/// meaning, not if a field is added.
pub const SCHEMA: u32 = 1;

/// The limits of a review. They are counted in nodes, so that a review is reproducible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewBudget {
    /// The engine with its version.
    pub engine: String,
    /// The nodes of each search. There are at most two searches a move.
    pub nodes: u64,
    /// The nodes of the search for a win that the engine did not see, if its score is good;
    /// otherwise a twentieth of it.
    #[serde(rename = "lookNodes")]
    pub win_search_nodes: u64,
    /// The nodes of the proof of a win that was announced, and of a defense.
    pub proof_nodes: u64,
}

impl ReviewBudget {
    /// Creates a budget with a number of nodes for each search.
    pub fn nodes(nodes: u64) -> ReviewBudget {
        ReviewBudget {
            engine: NAME_AND_VERSION.to_owned(),
            nodes,
            win_search_nodes: nodes.saturating_mul(100),
            proof_nodes: 1_000_000,
        }
    }
}

/// The review of a game: one JSON line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameReview {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The limits.
    pub budget: ReviewBudget,
    /// The file of the game; empty if there is none.
    pub file: String,
    /// The line of the file.
    pub line: usize,
    /// The name of the game.
    pub name: String,
    /// The rules as canonical text.
    pub rules: String,
    /// The position text of the start, unless it is the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_position: Option<String>,
    /// The name of the player of each seat; empty if unknown.
    pub players: Vec<String>,
    /// The canonical texts of the moves up to the first illegal one.
    pub moves: Vec<String>,
    /// The result, by the rules or on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why the review ends before the record does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The moves.
    pub plies: Vec<PlyReview>,
    /// The last position, if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<EndReview>,
    /// The seats.
    pub seats: Vec<PlayerReview>,
    /// The ply at which the game turned, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turning_point: Option<u32>,
    /// A summary of the game.
    pub summary: String,
}

/// The review of a move. Scores are of the position before it, for the seat that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlyReview {
    /// The number of the move, from 1 for the first move of the record.
    pub ply: u32,
    /// The move as canonical text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The seat that made it, from 1.
    pub seat: u8,
    /// The side of the seat, from 1.
    pub side: u8,
    /// Whether it is a choice of a swap opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub choice: bool,
    /// Whether the opening set it. Then it is not a mistake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
    /// The score of the best move in points.
    pub score: i32,
    /// The plies to a proved end, negative for a loss.
    pub mate: Option<i32>,
    /// The win probability of the best move.
    pub win_rate: f64,
    /// The score of the played move in points.
    pub played_score: i32,
    /// The plies to a proved end with the played move.
    pub played_mate: Option<i32>,
    /// The win probability of the played move.
    pub played_win_rate: f64,
    /// The best move.
    pub best: String,
    /// The principal variation, the best move first.
    pub pv: Vec<String>,
    /// The number of nodes.
    pub nodes: u64,
    /// The loss of win probability.
    pub loss: f64,
    /// The accuracy of the move, from 0 to 100.
    pub accuracy: f64,
    /// The class of the mistake, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<MistakeClass>,
    /// A proved win that the move did not play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_win: Option<MissedWin>,
    /// A proved win of the opponent that the move allowed and another move did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_defense: Option<MissedDefense>,
}

/// The position after the last move, for the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndReview {
    /// The seat to move, from 1.
    pub seat: u8,
    /// The score in points.
    pub score: i32,
    /// The plies to a proved end, negative for a loss.
    pub mate: Option<i32>,
    /// The win probability.
    pub win_rate: f64,
    /// The best move.
    pub best: String,
    /// The principal variation, the best move first.
    pub pv: Vec<String>,
}

/// A class of mistakes by the loss of win probability: at least 0.1, 0.2 and 0.3.
///
/// These are the thresholds of lichess (`Advice.scala` of its server) doubled: lichess counts on a
/// scale from -1 to 1. A search of some thousand nodes does not know a win probability to 5
/// percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MistakeClass {
    /// 0.1 or more.
    Inaccuracy,
    /// 0.2 or more.
    Mistake,
    /// 0.3 or more.
    Blunder,
}

impl MistakeClass {
    /// Returns the class of a loss.
    pub fn of_loss(loss: f64) -> Option<MistakeClass> {
        match loss {
            0.3.. => Some(MistakeClass::Blunder),
            0.2.. => Some(MistakeClass::Mistake),
            0.1.. => Some(MistakeClass::Inaccuracy),
            _ => None,
        }
    }

    /// The annotation symbol.
    pub fn sign(self) -> &'static str {
        match self {
            MistakeClass::Inaccuracy => "?!",
            MistakeClass::Mistake => "?",
            MistakeClass::Blunder => "??",
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            MistakeClass::Inaccuracy => "inaccuracy",
            MistakeClass::Mistake => "mistake",
            MistakeClass::Blunder => "blunder",
        }
    }
}

/// The kind of proof of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofKind {
    /// The prover tried every defense.
    Prover,
    /// The search announced it, to the end of its line.
    Search,
}

/// A win that was not played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedWin {
    /// The plies to the end, including the winning move.
    pub plies: u32,
    /// The first moves that win within that length: all of them, or those that are known.
    pub moves: Vec<String>,
    /// The kind of proof.
    pub proof: ProofKind,
    /// Whether the played move wins too, later.
    pub kept: bool,
}

/// A loss that could be prevented.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedDefense {
    /// The plies in which the opponent wins, counted after the played move.
    pub plies: u32,
    /// A move that allows no win so short.
    pub moves: Vec<String>,
}

/// The review of a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerReview {
    /// The seat, from 1.
    pub seat: u8,
    /// The player's name, or `Player 1`.
    pub name: String,
    /// The number of moves that the player chose.
    pub moves: u32,
    /// The mean accuracy of these moves; `None` if there are none.
    pub accuracy: Option<f64>,
    /// The mean loss of win probability of these moves.
    pub mean_loss: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracies: u32,
    /// The number of mistakes.
    pub mistakes: u32,
    /// The number of blunders.
    pub blunders: u32,
    /// The number of proved wins that were lost.
    pub missed_wins: u32,
    /// The number of missed defenses.
    pub missed_defenses: u32,
    /// A summary of the seat.
    pub summary: String,
}

impl PlyReview {
    /// Returns whether the move is a mistake or misses something.
    pub fn is_noted(&self) -> bool {
        self.class.is_some() || self.lost_win().is_some() || self.missed_defense.is_some()
    }

    /// Returns the win that the move lost.
    pub fn lost_win(&self) -> Option<&MissedWin> {
        self.missed_win.as_ref().filter(|win| !win.kept && !self.opening)
    }
}

/// Rounds a probability to four decimals.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Returns the win probability of a score, rounded to four decimals.
pub(super) fn win_rate(score: Score) -> f64 {
    rounded(score.win_probability())
}

/// A file of JSON lines to which reviews are appended in the order of their games. An interrupted
/// run continues after the reviews in it.
#[derive(Debug)]
pub struct ReviewFile {
    path: PathBuf,
    file: File,
}

/// Why reviews cannot be written. The text says what the user can do.
#[derive(Debug, thiserror::Error)]
pub enum ReviewFileError {
    /// The file cannot be opened, read or written.
    #[error("cannot use the reviews in {}: {}; name another file", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The file has something else in it.
    #[error(
        "{} line {line}: {reason}; it is not of this run; name another file or remove it",
        .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is in it.
        reason: String,
    },
}

impl ReviewFile {
    /// Opens a new file, or one of an earlier run of the same games with the same budget, and
    /// returns its reviews. An incomplete last line is cut off.
    pub fn open(
        path: &Path,
        tasks: &[ReviewTask],
        budget: &ReviewBudget,
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
        append_json_line(&mut self.file, review)
            .map_err(|error| ReviewFileError::File(self.path.clone(), error))
    }
}

/// Reads the reviews of a file. Returns the size of its complete lines.
fn read(
    file: &File,
    path: &Path,
    tasks: &[ReviewTask],
    budget: &ReviewBudget,
    reviews: &mut Vec<GameReview>,
) -> Result<u64, ReviewFileError> {
    let failed = |error| ReviewFileError::File(path.to_owned(), error);
    let mut lines = CompleteLines::new(file);
    loop {
        let foreign = |reason: String| ReviewFileError::Foreign {
            path: path.to_owned(),
            line: reviews.len() + 1,
            reason,
        };
        let Some(line) = lines.next_line().map_err(failed)? else {
            // Only the beginning of a review may be cut off.
            let (cut_off, review): (&[u8], &[u8]) = (lines.incomplete_line(), b"{\"schema\":");
            let is_review = cut_off.starts_with(review) || review.starts_with(cut_off);
            let not_a_review = || foreign("this is not a review".to_owned());
            return is_review.then_some(lines.bytes()).ok_or_else(not_a_review);
        };
        let review: GameReview = serde_json::from_slice(line)
            .map_err(|error| foreign(format!("this is not a review ({error})")))?;
        check_same_run(&review, tasks.get(reviews.len()), budget).map_err(foreign)?;
        reviews.push(review);
    }
}

/// Checks that a review is of this game and budget.
fn check_same_run(
    review: &GameReview,
    task: Option<&ReviewTask>,
    budget: &ReviewBudget,
) -> Result<(), String> {
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
