//! A file of games: a line that says how they were made, then a game a line.

use super::line_file::{FileError, LineFile, each_line, wrong};
use super::self_play::SelfPlay;
use super::training_game::TrainingGame;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
        let program = pentarch_engine::NAME_AND_VERSION.to_owned();
        Manifest { program, self_play, rescored: None }
    }
}

/// A file that games are added to. What is written stays, whatever happens to the program.
#[derive(Debug)]
pub struct GameFile(LineFile);

impl GameFile {
    /// Begins a file. With `resume` it may be there already if its manifest is the same; the second
    /// value is the number of games in it. A line without an end is cut off.
    pub fn open(
        path: &Path,
        manifest: &Manifest,
        resume: bool,
    ) -> Result<(GameFile, u32), FileError> {
        let mut games = 0;
        let file = LineFile::open(path, manifest, resume, |text| {
            games += 1;
            TrainingGame::parse(text).map(|_| ()).map_err(|error| error.to_string())
        })?;
        Ok((GameFile(file), games))
    }

    /// Adds games; they are in the file when this returns.
    pub fn append(&mut self, games: &[TrainingGame]) -> Result<(), FileError> {
        let lines: Vec<String> = games.iter().map(TrainingGame::text).collect();
        if lines.is_empty() { Ok(()) } else { self.0.append(&lines.join("\n")) }
    }

    /// Reads a file and shows each game to `see`, which may refuse it with a reason.
    pub fn read(
        path: &Path,
        mut see: impl FnMut(TrainingGame) -> Result<(), String>,
    ) -> Result<Manifest, FileError> {
        let mut manifest = None;
        each_line(path, |line, text| {
            let seen = if line == 1 {
                let read = serde_json::from_str(text);
                read.map(|read| manifest = Some(read))
                    .map_err(|error| format!("no manifest: {error}"))
            } else {
                let game = TrainingGame::parse(text).map_err(|error| error.to_string());
                game.and_then(&mut see)
            };
            seen.map_err(|reason| wrong(path, line, reason))
        })?;
        manifest.ok_or_else(|| wrong(path, 1, "no manifest".to_owned()))
    }
}
