//! A file of lines: the first says how the others were made, and is the same when somebody goes on with
//! it.

use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// A file that lines are added to. What is written stays, whatever happens to the program.
#[derive(Debug)]
pub(super) struct LineFile {
    path: PathBuf,
    file: File,
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is there, and nobody asked to go on with it.
    #[error("{} exists already; go on with it with --resume, or name another file", .0.display())]
    Exists(PathBuf),
    /// Its lines were made in another way.
    #[error("{} was made in another way: {was}; name another file", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// Its first line.
        was: String,
    },
    /// Nothing can be done with it.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// A line is not what it should be.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl LineFile {
    /// Begins a file. With `resume` it may be there already if its first line is the same; each other
    /// line is shown to `see`. A line without an end is cut off.
    pub(super) fn open(
        path: &Path,
        manifest: &impl Serialize,
        resume: bool,
        mut see: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<LineFile, FileError> {
        let failed = |error| FileError::Io(path.to_owned(), error);
        let manifest = serde_json::to_string(manifest).expect("text and numbers");
        if !path.exists() {
            let file = File::create_new(path).map_err(failed)?;
            let mut file = LineFile { path: path.to_owned(), file };
            file.append(&manifest)?;
            return Ok(file);
        }
        if !resume {
            return Err(FileError::Exists(path.to_owned()));
        }
        let end = each_line(path, |line, text| match line {
            1 if text == manifest => Ok(()),
            1 => Err(FileError::Other { path: path.to_owned(), was: text.to_owned() }),
            line => see(text).map_err(|reason| wrong(path, line, reason)),
        })?;
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(LineFile { path: path.to_owned(), file })
    }

    /// Adds a line, or some with ends between them; they are in the file when this returns.
    pub(super) fn append(&mut self, text: &str) -> Result<(), FileError> {
        let text = format!("{text}\n");
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| FileError::Io(self.path.clone(), error))
    }
}

/// A line that is not what it should be.
pub(super) fn wrong(path: &Path, line: usize, reason: String) -> FileError {
    FileError::Line { path: path.to_owned(), line, reason }
}

/// Shows each whole line with its number, from 1, and returns the number of their bytes.
pub(super) fn each_line(
    path: &Path,
    mut see: impl FnMut(usize, &str) -> Result<(), FileError>,
) -> Result<u64, FileError> {
    let failed = |error| FileError::Io(path.to_owned(), error);
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let (mut text, mut whole) = (String::new(), 0);
    for line in 1.. {
        text.clear();
        let bytes = reader.read_line(&mut text).map_err(failed)?;
        if bytes == 0 || !text.ends_with('\n') {
            break;
        }
        see(line, text.trim_end())?;
        whole += bytes as u64;
    }
    if whole == 0 {
        let reason = "no manifest: the file has no whole line".to_owned();
        return Err(wrong(path, 1, reason));
    }
    Ok(whole)
}
