//! Reads files of games in any format, one game after the other.

use crate::charset::{Charset, Decoder};
use crate::format::{GameIter, ParsedGame, RecordFormat};
use crate::{RecordedGame, sanitize_line};
use pentarch_core::rules::Ruleset;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What the user knows of a file, where the file itself does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format. By default it is detected from the content.
    pub format: Option<RecordFormat>,
    /// The rules of games that name none.
    pub rules: Option<Ruleset>,
    /// The character set of text without a label. By default it is UTF-8, or a guess where the bytes
    /// are not UTF-8.
    pub charset: Option<Charset>,
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the records in {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The file is in none of the formats.
    #[error(
        "{}: line {line} is in no format of records that is known: `{text}`; --from names a format",
        .path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The number of the first line that is neither empty nor a comment, from 1.
        line: usize,
        /// The beginning of that line.
        text: String,
    },
    /// A game cannot be read; the games after it can.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line of the game or of the error in it, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl ReadError {
    /// Returns whether no further game of the file can be read.
    pub fn is_fatal(&self) -> bool {
        matches!(self, ReadError::File(..) | ReadError::Format { .. })
    }
}

/// Reads the games of a file; a game that cannot be read is an error in its place.
///
/// Formats with one game a line are read line by line, whatever the size of the file. Files of other
/// formats are read at once and have at most [`MAX_FILE_BYTES`].
pub struct RecordReader {
    path: PathBuf,
    format: RecordFormat,
    games: GameIter,
    decoder: Decoder,
    /// The games read so far, without errors.
    count: usize,
    is_over: bool,
}

impl std::fmt::Debug for RecordReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordReader")
            .field("path", &self.path)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

/// Reads a file of games. Its format is detected from its content unless the options name it.
///
/// ```
/// use pentarch_records::{self as records, ReadOptions};
/// # let path = std::env::temp_dir().join(format!("records-{}.txt", std::process::id()));
/// std::fs::write(&path, "j10 k10 j13 ; p1win\nj10 zz\nj10 a1\n")?;
/// let games: Vec<_> = records::read(&path, &ReadOptions::default())?.collect();
/// assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 3, "legality is checked later");
/// assert_eq!(games[0].as_ref().unwrap().moves, ["j10", "k10", "j13"]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path, options: &ReadOptions) -> Result<RecordReader, ReadError> {
    let file = File::open(path).map_err(|error| ReadError::File(path.to_owned(), error))?;
    read_from(file, path, options)
}

/// Reads games from a stream. The path is only used in messages.
pub fn read_from(
    from: impl Read + 'static,
    path: &Path,
    options: &ReadOptions,
) -> Result<RecordReader, ReadError> {
    let failed = |error| ReadError::File(path.to_owned(), error);
    let mut from = BufReader::with_capacity(1 << 16, Box::new(from) as Box<dyn Read>);
    let decoder = Decoder::new(options.charset);
    if starts_with_utf16_bom(from.fill_buf().map_err(failed)?) {
        let text = decoder.decode(read_bounded(from).map_err(failed)?);
        from = BufReader::new(Box::new(Cursor::new(text)));
    }
    let format = if let Some(format) = options.format {
        format
    } else {
        let beginning = from.fill_buf().map_err(failed)?;
        RecordFormat::detect(beginning).ok_or_else(|| unknown_format(path, beginning))?
    };
    let games = format.read(from, &decoder, options.rules.as_ref()).map_err(failed)?;
    Ok(RecordReader { path: path.to_owned(), format, games, decoder, count: 0, is_over: false })
}

fn unknown_format(path: &Path, beginning: &[u8]) -> ReadError {
    let text = Decoder::default().decode(beginning.to_vec());
    let first =
        (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (line, text) = first.unwrap_or((1, ""));
    let text = sanitize_line(text).chars().take(40).collect();
    ReadError::Format { path: path.to_owned(), line, text }
}

impl RecordReader {
    /// The format of the file.
    pub fn format(&self) -> RecordFormat {
        self.format
    }

    /// The character set that was guessed for text without a label. `None` if no such text was read
    /// so far.
    pub fn guessed_charset(&self) -> Option<Charset> {
        self.decoder.guessed()
    }
}

impl Iterator for RecordReader {
    type Item = Result<RecordedGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        Some(match self.games.next()? {
            Err(error) => {
                self.is_over = true;
                Err(ReadError::File(self.path.clone(), error))
            }
            Ok(ParsedGame { line, game: Ok(mut game) }) => {
                self.count += 1;
                game.line = line;
                Ok(game.sanitized(self.count))
            }
            Ok(ParsedGame { line, game: Err(reason) }) => {
                let reason = sanitize_line(&reason);
                Err(ReadError::Line { path: self.path.clone(), line, reason })
            }
        })
    }
}

/// Reads the lines of a stream. A line longer than [`MAX_FILE_BYTES`] is an error.
pub(super) struct TextLines {
    from: BufReader<Box<dyn Read>>,
    decoder: Decoder,
    number: usize,
    pushed_back: Option<TextLine>,
}

/// A line without its end.
pub(super) struct TextLine {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: String,
}

impl TextLines {
    pub(super) fn new(from: BufReader<Box<dyn Read>>, decoder: Decoder) -> TextLines {
        decoder.guess_from(from.buffer().split(|&byte| byte == b'\n'));
        TextLines { from, decoder, number: 0, pushed_back: None }
    }

    /// Makes the next call of `next` return this line again.
    pub(super) fn push_back(&mut self, line: TextLine) {
        self.pushed_back = Some(line);
    }
}

impl Iterator for TextLines {
    type Item = io::Result<TextLine>;

    fn next(&mut self) -> Option<io::Result<TextLine>> {
        if let Some(line) = self.pushed_back.take() {
            return Some(Ok(line));
        }
        let mut bytes = Vec::new();
        let mut read = (&mut self.from).take(MAX_FILE_BYTES + 1);
        match read.read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => self.number += 1,
        }
        if bytes.len() as u64 > MAX_FILE_BYTES {
            let reason =
                format!("line {} is longer than {} MiB", self.number, MAX_FILE_BYTES >> 20);
            return Some(Err(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
        }
        while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            bytes.pop();
        }
        Some(Ok(TextLine { number: self.number, text: self.decoder.decode(bytes) }))
    }
}

/// The largest size of a file that is read at once, and of a line.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Reads a regular file of at most [`MAX_FILE_BYTES`]. A pipe or a device is an error; it is not
/// opened, because opening a pipe can block.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    read_bounded(File::open(path)?)
}

/// Reads to the end. More than [`MAX_FILE_BYTES`] is an error.
pub(super) fn read_bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let most = MAX_FILE_BYTES >> 20;
        let reason = format!("larger than {most} MiB, the most that is read at once");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Reads a text file of at most [`MAX_FILE_BYTES`], in the given character set. Without one, the text
/// is UTF-8 or UTF-16, or in a character set guessed from its bytes.
pub fn read_text(path: &Path, charset: Option<Charset>) -> io::Result<String> {
    Ok(Decoder::new(charset).decode(read_bounded(File::open(path)?)?))
}

fn starts_with_utf16_bom(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_line_ends_the_file() {
        for format in [RecordFormat::Moves, RecordFormat::PenteOrg, RecordFormat::Sgf] {
            let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
            let games = read_from(io::repeat(b'a'), Path::new("endless"), &options);
            let error = match games {
                Ok(mut games) => games.next().map(|game| game.unwrap_err().to_string()),
                Err(error) => Some(error.to_string()),
            };
            assert!(error.is_some_and(|error| error.contains("64 MiB")), "{format}");
        }
    }

    #[test]
    fn an_endless_file_and_a_device_are_refused() {
        let error = read_bounded(io::repeat(b'a')).unwrap_err();
        assert!(error.to_string().contains("64 MiB"), "{error}");
        let error = read_regular_file(Path::new("/dev/zero")).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
