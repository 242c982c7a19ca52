//! Files of JSON lines that long runs append to and resume from. The first line, the manifest, says how
//! the other lines are made; a run resumes only a file with the same manifest.

use super::self_play::SelfPlay;
use super::training_game::TrainingGame;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// An append-only file of JSON lines.
#[derive(Debug)]
pub(super) struct JsonLinesFile {
    path: PathBuf,
    file: File,
}

/// Why a file cannot be read, written or resumed.
#[derive(Debug, thiserror::Error)]
pub enum JsonLinesError {
    /// The file exists and resuming was not requested.
    #[error("{} exists already; continue it with --resume, or name another file", .0.display())]
    Exists(PathBuf),
    /// The manifest of the file is another one.
    #[error("{} was made with other settings: {was}; name another file", .path.display())]
    OtherManifest {
        /// The file.
        path: PathBuf,
        /// Its first line.
        was: String,
    },
    /// Reading or writing failed.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// A line is malformed.
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

impl JsonLinesError {
    fn line(path: &Path, line: usize, reason: String) -> JsonLinesError {
        JsonLinesError::Line { path: path.to_owned(), line, reason }
    }
}

impl JsonLinesFile {
    /// Creates a file, or with `resume` opens an existing one that has the same manifest. Calls `visitor`
    /// for each existing line after the manifest. Truncates an incomplete last line.
    pub(super) fn open(
        path: &Path,
        manifest: &impl Serialize,
        resume: bool,
        mut visitor: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<JsonLinesFile, JsonLinesError> {
        let failed = |error| JsonLinesError::Io(path.to_owned(), error);
        let manifest = serde_json::to_string(manifest).expect("strings and numbers serialize");
        if !path.exists() {
            let file = File::create_new(path).map_err(failed)?;
            let mut file = JsonLinesFile { path: path.to_owned(), file };
            file.append(&manifest)?;
            return Ok(file);
        }
        if !resume {
            return Err(JsonLinesError::Exists(path.to_owned()));
        }
        let end = for_each_line(path, |line, text| match line {
            1 if text == manifest => Ok(()),
            1 => {
                let (path, was) = (path.to_owned(), text.to_owned());
                Err(JsonLinesError::OtherManifest { path, was })
            }
            line => visitor(text).map_err(|reason| JsonLinesError::line(path, line, reason)),
        })?;
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(JsonLinesFile { path: path.to_owned(), file })
    }

    /// Appends one or more lines, separated by newlines, with a single write.
    pub(super) fn append(&mut self, text: &str) -> Result<(), JsonLinesError> {
        let text = format!("{text}\n");
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| JsonLinesError::Io(self.path.clone(), error))
    }
}

/// Calls `visitor` for each complete line with its number, from 1. Returns the number of bytes of the
/// complete lines. Fails if there is none.
fn for_each_line(
    path: &Path,
    mut visitor: impl FnMut(usize, &str) -> Result<(), JsonLinesError>,
) -> Result<u64, JsonLinesError> {
    let failed = |error| JsonLinesError::Io(path.to_owned(), error);
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let (mut text, mut complete) = (String::new(), 0);
    for line in 1.. {
        text.clear();
        let bytes = reader.read_line(&mut text).map_err(failed)?;
        if bytes == 0 || !text.ends_with('\n') {
            break;
        }
        visitor(line, text.trim_end())?;
        complete += bytes as u64;
    }
    if complete == 0 {
        let reason = "no manifest: the file has no complete line".to_owned();
        return Err(JsonLinesError::line(path, 1, reason));
    }
    Ok(complete)
}

/// The first line of a [`TrainingFile`]: how its games were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingManifest {
    /// The name and version of the program that played.
    pub program: String,
    /// The settings of self-play.
    pub self_play: SelfPlay,
    /// The nodes of the searches that replaced the original scores, if any did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescored: Option<u64>,
}

impl TrainingManifest {
    /// The manifest of games that this program plays.
    pub fn new(self_play: SelfPlay) -> TrainingManifest {
        let program = pentarch_engine::NAME_AND_VERSION.to_owned();
        TrainingManifest { program, self_play, rescored: None }
    }
}

/// A file of training games.
#[derive(Debug)]
pub struct TrainingFile(JsonLinesFile);

impl TrainingFile {
    /// Creates a file, or with `resume` opens an existing one that has the same manifest. Also returns
    /// the number of games in it. Truncates an incomplete last line.
    pub fn open(
        path: &Path,
        manifest: &TrainingManifest,
        resume: bool,
    ) -> Result<(TrainingFile, u32), JsonLinesError> {
        let mut games = 0;
        let file = JsonLinesFile::open(path, manifest, resume, |text| {
            games += 1;
            TrainingGame::parse(text).map(|_| ()).map_err(|error| error.to_string())
        })?;
        Ok((TrainingFile(file), games))
    }

    /// Appends games with a single write.
    pub fn append(&mut self, games: &[TrainingGame]) -> Result<(), JsonLinesError> {
        let lines: Vec<String> = games.iter().map(TrainingGame::text).collect();
        if lines.is_empty() { Ok(()) } else { self.0.append(&lines.join("\n")) }
    }

    /// Reads a file: calls `visitor` for each game and returns the manifest.
    pub fn read(
        path: &Path,
        mut visitor: impl FnMut(TrainingGame),
    ) -> Result<TrainingManifest, JsonLinesError> {
        let mut manifest = None;
        for_each_line(path, |line, text| {
            let parsed = if line == 1 {
                serde_json::from_str(text)
                    .map(|parsed| manifest = Some(parsed))
                    .map_err(|error| format!("no manifest: {error}"))
            } else {
                TrainingGame::parse(text).map(&mut visitor).map_err(|error| error.to_string())
            };
            parsed.map_err(|reason| JsonLinesError::line(path, line, reason))
        })?;
        manifest.ok_or_else(|| JsonLinesError::line(path, 1, "no manifest".to_owned()))
    }
}
