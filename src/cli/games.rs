//! Files of games on the command line: what cannot be read is told, the rest goes on.

use pentarch_records::{
    self as records, ReadError, ReadOptions, RecordReader, RecordedGame, sanitize_line,
};
use std::convert::Infallible;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// At most this many complaints are printed for a file; the others are counted.
const MOST_COMPLAINTS: usize = 20;

/// What was wrong with files of games.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    all: usize,
    of_file: usize,
}

impl Complaints {
    /// Reads the games of files, `-` for standard input. `take` may stop by an error.
    pub(super) fn read<E>(
        &mut self,
        paths: &[impl AsRef<Path>],
        hints: &ReadOptions,
        mut take: impl FnMut(&Path, RecordedGame, &mut Complaints) -> Result<(), E>,
    ) -> Result<(), E> {
        for path in paths.iter().map(AsRef::as_ref) {
            let mut games = match open(path, hints) {
                Ok(games) => games,
                Err(error) => {
                    self.add(&error);
                    continue;
                }
            };
            let mut is_empty = true;
            for game in games.by_ref() {
                is_empty = false;
                match game {
                    Ok(game) => {
                        for warning in &game.warnings {
                            self.add(&format!("{} line {}: {warning}", path.display(), game.line));
                        }
                        take(path, game, self)?;
                    }
                    Err(error) => self.add(&error),
                }
            }
            if is_empty {
                self.add(&format!("{}: there is no game in it", path.display()));
            }
            if let Some(charset) = games.guessed_charset() {
                let text = format!(
                    "{}: its text is read as {charset}, a guess; --charset names another set",
                    path.display()
                );
                let _ = writeln!(io::stderr(), "pentarch: {}", sanitize_line(&text));
            }
            self.end_file(path);
        }
        Ok(())
    }

    /// Prints what is wrong, unless it is one of too many.
    pub(super) fn add(&mut self, error: &dyn Display) {
        self.all += 1;
        self.of_file += 1;
        if self.of_file <= MOST_COMPLAINTS {
            let _ = writeln!(io::stderr(), "pentarch: {}", sanitize_line(&error.to_string()));
        }
    }

    fn end_file(&mut self, path: &Path) {
        if let Some(more @ 1..) = self.of_file.checked_sub(MOST_COMPLAINTS) {
            let text = format!("{}: {more} more like these", path.display());
            let _ = writeln!(io::stderr(), "pentarch: {}", sanitize_line(&text));
        }
        self.of_file = 0;
    }

    /// Success if there were none, else 1.
    pub(super) fn exit_code(&self) -> ExitCode {
        if self.all == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
    }
}

fn open(path: &Path, hints: &ReadOptions) -> Result<RecordReader, ReadError> {
    match path.to_str() {
        Some("-") => records::read_from(io::stdin(), Path::new("standard input"), hints),
        _ => records::read(path, hints),
    }
}

/// All games of a file.
pub(super) fn read_all(
    path: &Path,
    hints: &ReadOptions,
    complaints: &mut Complaints,
) -> Vec<RecordedGame> {
    let mut games = Vec::new();
    let read = complaints.read(&[path], hints, |_, game, _| -> Result<(), Infallible> {
        games.push(game);
        Ok(())
    });
    match read {
        Ok(()) => games,
        Err(never) => match never {},
    }
}
