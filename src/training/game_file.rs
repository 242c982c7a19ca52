//! A file of games: a line that says how they were made, then a game a line.

use super::self_play::SelfPlay;
use super::training_game::TrainingGame;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The first line: how the games were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program that played.
    pub program: String,
    /// How it played.
    pub self_play: SelfPlay,
    /// How many nodes the values stem from, if they are those of later searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescored: Option<u64>,
}

impl Manifest {
    /// For games that this program plays.
    pub fn new(self_play: SelfPlay) -> Manifest {
        let program = crate::NAME_AND_VERSION.to_owned();
        Manifest { program, self_play, rescored: None }
    }
}

/// A file that games are added to. What is written stays, whatever happens to the program.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is there, and nobody asked to go on with it.
    #[error("{} exists already; go on with it with --resume, or name another file", .0.display())]
    Exists(PathBuf),
    /// Its games were made in another way.
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
    /// A line is no game, or the first does not say how games were made.
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

impl GameFile {
    /// Begins a file. With `resume` it may be there already if its manifest is the same; the second
    /// value is the number of games in it. A line without an end is cut off.
    pub fn open(
        path: &Path,
        manifest: &Manifest,
        resume: bool,
    ) -> Result<(GameFile, u32), FileError> {
        let failed = |error| FileError::Io(path.to_owned(), error);
        if !path.exists() {
            let file = File::create_new(path).map_err(failed)?;
            let mut file = GameFile { path: path.to_owned(), file };
            file.write(&serde_json::to_string(manifest).expect("text and numbers"))?;
            return Ok((file, 0));
        }
        if !resume {
            return Err(FileError::Exists(path.to_owned()));
        }
        let (mut games, mut end) = (0, 0);
        let found = each_line(path, |_, text| {
            games += 1;
            TrainingGame::parse(text).map(|_| ()).map_err(|error| error.to_string())
        })?;
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        if found.manifest != *manifest {
            let was = serde_json::to_string(&found.manifest).expect("text and numbers");
            return Err(FileError::Other { path: path.to_owned(), was });
        }
        end += found.whole;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok((GameFile { path: path.to_owned(), file }, games))
    }

    /// Adds games; they are in the file when this returns.
    pub fn append(&mut self, games: &[TrainingGame]) -> Result<(), FileError> {
        let lines: Vec<String> = games.iter().map(TrainingGame::text).collect();
        if lines.is_empty() { Ok(()) } else { self.write(&lines.join("\n")) }
    }

    /// Reads a file and shows each game to `see`, which may refuse it with a reason.
    pub fn read(
        path: &Path,
        mut see: impl FnMut(TrainingGame) -> Result<(), String>,
    ) -> Result<Manifest, FileError> {
        let see =
            |_, text: &str| see(TrainingGame::parse(text).map_err(|error| error.to_string())?);
        Ok(each_line(path, see)?.manifest)
    }

    fn write(&mut self, text: &str) -> Result<(), FileError> {
        let text = format!("{text}\n");
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| FileError::Io(self.path.clone(), error))
    }
}

/// What a file was found to hold.
struct Found {
    manifest: Manifest,
    /// Bytes of whole lines.
    whole: u64,
}

/// Shows each whole line but the first with its number.
fn each_line(
    path: &Path,
    mut see: impl FnMut(usize, &str) -> Result<(), String>,
) -> Result<Found, FileError> {
    let failed = |error| FileError::Io(path.to_owned(), error);
    let wrong = |line, reason| FileError::Line { path: path.to_owned(), line, reason };
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut text = String::new();
    let mut found: Option<Found> = None;
    for line in 1.. {
        text.clear();
        let bytes = reader.read_line(&mut text).map_err(failed)?;
        if bytes == 0 || !text.ends_with('\n') {
            break;
        }
        match &mut found {
            None => {
                let manifest = serde_json::from_str(&text)
                    .map_err(|error| wrong(line, format!("no manifest: {error}")))?;
                found = Some(Found { manifest, whole: bytes as u64 });
            }
            Some(found) => {
                see(line, text.trim_end()).map_err(|reason| wrong(line, reason))?;
                found.whole += bytes as u64;
            }
        }
    }
    found.ok_or_else(|| wrong(1, "no manifest: the file has no whole line".to_owned()))
}
