//! Input and output that several subcommands share: game files, output files, progress bars.

use indicatif::{ProgressBar, ProgressStyle};
use pentarch_records::{
    self as records, AtomicFile, ReadError, ReadOptions, RecordReader, RecordedGame, sanitize_line,
};
use std::convert::Infallible;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The number of errors that are printed for each file; more are only counted.
const MAX_ERRORS: usize = 20;

/// Reads files of games. Prints errors to standard error, continues with the next game, and remembers for
/// the exit code that there were errors.
#[derive(Debug, Default)]
pub(super) struct GameReader {
    games: usize,
    unreadable_files: usize,
    errors: usize,
    errors_in_file: usize,
}

impl GameReader {
    /// Reads the games of files, `-` for standard input. An error of `visitor` ends the reading.
    pub(super) fn read<E>(
        &mut self,
        paths: &[impl AsRef<Path>],
        hints: &ReadOptions,
        mut visitor: impl FnMut(&Path, RecordedGame, &mut GameReader) -> Result<(), E>,
    ) -> Result<(), E> {
        for path in paths.iter().map(AsRef::as_ref) {
            let mut games = match open(path, hints) {
                Ok(games) => games,
                Err(error) => {
                    self.report(&error);
                    self.unreadable_files += usize::from(matches!(error, ReadError::File(..)));
                    continue;
                }
            };
            let mut is_empty = true;
            for game in games.by_ref() {
                is_empty = false;
                match game {
                    Ok(game) => {
                        for warning in &game.warnings {
                            let line = game.line;
                            self.report(&format!("{} line {line}: {warning}", path.display()));
                        }
                        visitor(path, game, self)?;
                        self.games += 1;
                    }
                    Err(error) => {
                        self.report(&error);
                        self.unreadable_files += usize::from(matches!(error, ReadError::File(..)));
                    }
                }
            }
            if is_empty {
                self.report(&format!("{}: there is no game in it", path.display()));
            }
            if let Some(charset) = games.guessed_charset() {
                print_error(&format!(
                    "{}: its text is read as {charset}, a guess; --charset names another set",
                    path.display()
                ));
            }
            if let Some(more @ 1..) = self.errors_in_file.checked_sub(MAX_ERRORS) {
                print_error(&format!("{}: {more} more errors like these", path.display()));
            }
            self.errors_in_file = 0;
        }
        Ok(())
    }

    /// Reads all games of a file.
    pub(super) fn read_all(&mut self, path: &Path, hints: &ReadOptions) -> Vec<RecordedGame> {
        let mut games = Vec::new();
        let Ok(()) = self.read::<Infallible>(&[path], hints, |_, game, _| {
            games.push(game);
            Ok(())
        });
        games
    }

    /// Prints an error, unless there were too many in the file.
    pub(super) fn report(&mut self, error: &dyn Display) {
        self.errors += 1;
        self.errors_in_file += 1;
        if self.errors_in_file <= MAX_ERRORS {
            print_error(error);
        }
    }

    /// 0 if there were no errors, 2 if there was no game because files cannot be read, else 1.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            GameReader { errors: 0, .. } => ExitCode::SUCCESS,
            GameReader { games: 0, unreadable_files: 1.., .. } => ExitCode::from(2),
            _ => ExitCode::from(1),
        }
    }
}

/// Prints a line to standard error. The text may quote a file, so control characters are escaped.
fn print_error(error: &dyn Display) {
    let _ = writeln!(io::stderr(), "pentarch: {}", sanitize_line(&error.to_string()));
}

fn open(path: &Path, hints: &ReadOptions) -> Result<RecordReader, ReadError> {
    match path.to_str() {
        Some("-") => records::read_from(io::stdin(), Path::new("standard input"), hints),
        _ => records::read(path, hints),
    }
}

/// Standard output, or a file that is created when all is written.
#[derive(Debug)]
pub(super) enum OutputTarget {
    Stdout(BufWriter<io::Stdout>),
    File(AtomicFile),
}

impl OutputTarget {
    /// Opens a file, or standard output for `None` and `-`. Refuses a file that is one of the inputs.
    pub(super) fn open(path: Option<&Path>, inputs: &[PathBuf]) -> io::Result<OutputTarget> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(OutputTarget::Stdout(BufWriter::new(io::stdout())));
        };
        let failed = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
        };
        let is_same = |input: &PathBuf| {
            input.canonicalize().is_ok_and(|input| path.canonicalize().is_ok_and(|it| it == input))
        };
        if path.is_file() && inputs.iter().any(is_same) {
            return Err(failed(io::Error::other(
                "it is one of the files that are read; name another",
            )));
        }
        AtomicFile::create(path).map(OutputTarget::File).map_err(failed)
    }

    /// Flushes standard output, or renames the temporary file to its final name.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            OutputTarget::Stdout(mut writer) => writer.flush(),
            OutputTarget::File(file) => file.commit(),
        }
    }
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputTarget::Stdout(writer) => writer.write(bytes),
            OutputTarget::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputTarget::Stdout(writer) => writer.flush(),
            OutputTarget::File(file) => file.flush(),
        }
    }
}

/// Wraps a line at the width of the terminal, at most 100 columns as in help texts, and indents all lines but
/// the first. Returns the line unchanged if standard output is not a terminal.
pub(super) fn wrap(line: &str, indent: usize) -> String {
    if !io::stdout().is_terminal() {
        return line.to_owned();
    }
    let width = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns));
    let indent = " ".repeat(indent.min(width / 2));
    let options = textwrap::Options::new(width.min(100)).subsequent_indent(&indent);
    textwrap::fill(line, options.break_words(false))
}

/// A progress bar on standard error, hidden unless that is a terminal.
pub(super) fn progress_bar(length: usize, template: &str) -> ProgressBar {
    ProgressBar::new(length as u64).with_style(progress_style(template))
}

pub(super) fn progress_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
