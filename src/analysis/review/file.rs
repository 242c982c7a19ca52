//! The file of reviews, a JSON line a game, in which an interrupted run is found again.

use super::report::{Budget, GameReview, SCHEMA};
use super::task::Task;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

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
