//! Record files of JSON lines: one game a line.

use super::source::is_harmful;
use super::{GameRecord, RecordedGame};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that finished games are appended to.
///
/// A game is written with one write and is on the disk when [`RecordFile::append`] returns, so
/// nothing that happens later can lose it.
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
        "the record file {} exists already; add to it with --append or name another",
        .0.display()
    )]
    Exists(PathBuf),
    /// The file cannot be opened.
    #[error("cannot open the record file {}: {}; name another", .0.display(), .1)]
    Open(PathBuf, #[source] io::Error),
    /// The file cannot be written to.
    #[error(
        "cannot write to the record file {}: {}; the games before this one are in it, make room \
         or name another file, and go on with --append",
        .0.display(),
        .1
    )]
    Write(PathBuf, #[source] io::Error),
}

impl RecordFile {
    /// Opens a record file: a new or empty one, or with `append` also one that has games already.
    pub fn open(path: &Path, append: bool) -> Result<RecordFile, RecordError> {
        let failed = |error| RecordError::Open(path.to_owned(), error);
        let mut how = File::options();
        let mut file = how.read(true).append(true).create(true).open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_file() && about.len() > 0 {
            if !append {
                return Err(RecordError::Exists(path.to_owned()));
            }
            end_last_line(&mut file).map_err(failed)?;
        }
        Ok(RecordFile { path: path.to_owned(), file })
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
