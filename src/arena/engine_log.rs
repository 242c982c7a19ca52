//! What an engine writes to its standard error, in a file.

use super::fault::ArenaError;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// A file that grows to some size and no further. Several processes of an engine may share it.
#[derive(Debug)]
pub(super) struct EngineLog(Option<File>);

/// The greatest size of a log, in bytes.
const CAPACITY: u64 = 16 << 20;

impl EngineLog {
    /// A log that adds to a file.
    pub(super) fn open(path: &Path) -> Result<EngineLog, ArenaError> {
        let file = File::options().create(true).append(true).open(path);
        file.map(|file| EngineLog(Some(file))).map_err(|error| {
            let path = path.display();
            ArenaError::Setup(format!("cannot write `stderr={path}`: {error}; check the path"))
        })
    }

    /// Adds a line, unless the file is full.
    pub(super) fn add(&mut self, line: &str) {
        let Some(file) = &mut self.0 else { return };
        let size = file.metadata().map_or(CAPACITY, |metadata| metadata.len());
        let is_full = size + line.len() as u64 > CAPACITY;
        let line = if is_full { "(the rest is left out)" } else { line };
        // In one piece, so that lines of several processes do not mix.
        if file.write_all(format!("{line}\n").as_bytes()).is_err() || is_full {
            self.0 = None;
        }
    }
}
