//! Record files of JSON lines: one game a line.

use super::source::is_harmful;
use super::{GameRecord, RecordedGame};
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

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
        self.write(record).map_err(|error| RecordError::Write(self.path.clone(), error))
    }

    fn write(&mut self, record: &GameRecord) -> io::Result<()> {
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
pub(super) fn read(line: &str) -> Result<RecordedGame, String> {
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
pub(super) fn write(game: &RecordedGame) -> String {
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
