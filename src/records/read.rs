//! Files of games in any format, one game after the other.

use crate::charset::{Charset, Decoder};
use crate::format::{Format, Hints};
use crate::rif::Rif;
use crate::sgf::Trees;
use crate::{RecordedGame, game_record, line_formats, pente_org, psq, renlib, sgf, yixin};
use pentarch_core::rules::Ruleset;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::{fs, io};

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
        /// How it begins.
        text: String,
    },
    /// A game that is none; the others can be read.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line where the game or its mistake is, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl ReadError {
    /// Whether the file cannot be read on.
    pub fn is_final(&self) -> bool {
        matches!(self, ReadError::File(..) | ReadError::Format { .. })
    }
}

/// The games of a file, those that are none as errors in their place.
///
/// Lists of a game a line are read line by line, however long they are; other files as a whole, of
/// which no more than [`MOST_BYTES`](super::MOST_BYTES) are taken.
pub struct Records {
    path: PathBuf,
    format: Format,
    rules: Ruleset,
    /// The rules that the user has named.
    wanted: Option<Ruleset>,
    source: Source,
    /// The character set of a file read as a whole, if it was guessed.
    guessed: Option<Charset>,
    read: usize,
    is_over: bool,
}

impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records")
            .field("path", &self.path)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

/// Where the next game comes from.
enum Source {
    /// A game a line.
    Lines(Lines),
    /// Headers and moves, several lines a game.
    PenteOrg(pente_org::Games),
    Sgf(Box<Trees<String>>),
    Psq(psq::Games),
    Lib(Box<renlib::Branches>),
    Rif(Box<Rif>),
    /// The only game of a file.
    One(Option<Box<Found>>),
}

/// What a format makes of a game: the line where it is, and the game or what is wrong.
pub(super) type Found = (usize, Result<RecordedGame, String>);

/// Reads a file of games. Its format is known by its content unless the hints name it.
///
/// ```
/// use pentarch_records::{self as records, Hints};
/// # let path = std::env::temp_dir().join(format!("records-{}.txt", std::process::id()));
/// std::fs::write(&path, "j10 k10 j13 ; p1win\nj10 zz\nj10 a1\n")?;
/// let games: Vec<_> = records::read(&path, &Hints::default())?.collect();
/// assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 3, "what is legal is asked later");
/// assert_eq!(games[0].as_ref().unwrap().moves, ["j10", "k10", "j13"]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path, hints: &Hints) -> Result<Records, ReadError> {
    let file = File::open(path).map_err(|error| ReadError::File(path.to_owned(), error))?;
    read_from(file, path, hints)
}

/// Reads games from a stream; the path only names it.
pub fn read_from(
    from: impl Read + 'static,
    path: &Path,
    hints: &Hints,
) -> Result<Records, ReadError> {
    let failed = |error| ReadError::File(path.to_owned(), error);
    let mut from = BufReader::with_capacity(1 << 16, Box::new(from) as Box<dyn Read>);
    let mut decoder = Decoder::new(hints.charset);
    if is_utf16(from.fill_buf().map_err(failed)?) {
        let text = decoder.decode(read_bounded(from).map_err(failed)?);
        from = BufReader::new(Box::new(Cursor::new(text)));
    }
    let format = if let Some(format) = hints.format {
        format
    } else {
        let beginning = from.fill_buf().map_err(failed)?;
        Format::detect(beginning).ok_or_else(|| unknown_format(path, beginning))?
    };
    let usual = || format.usual_rules().parse();
    let rules = match &hints.rules {
        Some(rules) => rules.clone(),
        None => usual().map_err(|error: pentarch_core::rules::VariantSpecError| {
            failed(io::Error::other(error))
        })?,
    };
    let whole = |from| read_bounded(from).map_err(failed);
    let source = match format {
        Format::Json | Format::List | Format::Moves | Format::Pos | Format::Offset => {
            Source::Lines(Lines::new(from, decoder.clone()))
        }
        Format::PenteOrg => {
            Source::PenteOrg(pente_org::Games::new(Lines::new(from, decoder.clone())))
        }
        Format::Sgf => Source::Sgf(Box::new(Trees::new(decoder.decode_sgf(whole(from)?)))),
        Format::Psq => Source::Psq(psq::Games::new(decoder.decode(whole(from)?))),
        Format::Lib => Source::Lib(Box::new(renlib::Branches::new(whole(from)?, &mut decoder))),
        Format::Rif => Source::Rif(Box::new(Rif::new(decoder.decode_xml(whole(from)?)))),
        Format::Yixin => {
            let text = decoder.decode(whole(from)?);
            Source::One(Some(Box::new(yixin::read(&text, hints.rules.as_ref()))))
        }
    };
    let (path, wanted, guessed) = (path.to_owned(), hints.rules.clone(), decoder.guessed());
    Ok(Records { path, format, rules, wanted, source, guessed, read: 0, is_over: false })
}

/// The error for a file in no known format, with its first line.
fn unknown_format(path: &Path, beginning: &[u8]) -> ReadError {
    let text = Decoder::default().decode(beginning.to_vec());
    let first =
        (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (line, text) = first.unwrap_or((1, ""));
    let text = one_line(text).chars().take(40).collect();
    ReadError::Format { path: path.to_owned(), line, text }
}

impl Records {
    /// How the file is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The character set that was guessed for text without a label, if there was such text so far.
    pub fn guessed_charset(&self) -> Option<Charset> {
        match &self.source {
            Source::Lines(lines) => lines.guessed(),
            Source::PenteOrg(games) => games.guessed(),
            _ => self.guessed,
        }
    }

    fn next_found(&mut self) -> Option<io::Result<Found>> {
        let number = self.read + 1;
        let found = match &mut self.source {
            Source::Lines(lines) => loop {
                let Line { number: line, text } = match lines.next()? {
                    Ok(line) => line,
                    Err(error) => return Some(Err(error)),
                };
                let text = text.trim();
                if text.is_empty() || text.starts_with('#') {
                    continue;
                }
                break (line, parse_line(self.format, text, number, &self.rules));
            },
            Source::PenteOrg(games) => match games.next(&self.rules, self.wanted.is_some())? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            },
            Source::Sgf(trees) => {
                let (line, tree) = trees.next()?;
                let read = tree.map_err(|error| error.to_string());
                (line, read.and_then(|tree| sgf::read_game(&tree, self.wanted.as_ref())))
            }
            Source::Psq(games) => games.next(self.wanted.as_ref())?,
            Source::Lib(branches) => branches.next(&self.rules)?,
            Source::Rif(rif) => rif.next(&self.rules)?,
            Source::One(game) => *game.take()?,
        };
        Some(Ok(found))
    }
}

fn parse_line(
    format: Format,
    text: &str,
    number: usize,
    rules: &Ruleset,
) -> Result<RecordedGame, String> {
    match format {
        Format::Json => game_record::read_line(text),
        Format::List => line_formats::read_list(text, number, rules),
        Format::Pos => line_formats::read_pos(text, rules),
        Format::Offset => line_formats::read_offset(text, rules),
        _ => line_formats::read_moves(text, rules),
    }
}

impl Iterator for Records {
    type Item = Result<RecordedGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        Some(match self.next_found()? {
            Err(error) => {
                self.is_over = true;
                Err(ReadError::File(self.path.clone(), error))
            }
            Ok((line, Ok(mut game))) => {
                self.read += 1;
                game.line = line;
                Ok(game.clean(self.read))
            }
            Ok((line, Err(reason))) => {
                let reason = one_line(&reason);
                Err(ReadError::Line { path: self.path.clone(), line, reason })
            }
        })
    }
}

// Lines of a stream, numbered, none of them longer than memory can hold.

/// The lines of a stream.
pub(super) struct Lines {
    from: BufReader<Box<dyn Read>>,
    decoder: Decoder,
    number: usize,
    /// A line that was handed back.
    back: Option<Line>,
}

/// A line without its end.
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: String,
}

impl Lines {
    pub(super) fn new(from: BufReader<Box<dyn Read>>, mut decoder: Decoder) -> Lines {
        decoder.look_at(from.buffer().split(|&byte| byte == b'\n'));
        Lines { from, decoder, number: 0, back: None }
    }

    /// The character set that was guessed, if one was.
    pub(super) fn guessed(&self) -> Option<Charset> {
        self.decoder.guessed()
    }

    /// The next call returns this line again.
    pub(super) fn hand_back(&mut self, line: Line) {
        self.back = Some(line);
    }

    pub(super) fn next(&mut self) -> Option<io::Result<Line>> {
        if let Some(line) = self.back.take() {
            return Some(Ok(line));
        }
        let mut bytes = Vec::new();
        let mut read = (&mut self.from).take(MOST_BYTES + 1);
        match read.read_until(b'\n', &mut bytes) {
            Err(error) => return Some(Err(error)),
            Ok(0) => return None,
            Ok(_) => self.number += 1,
        }
        if bytes.len() as u64 > MOST_BYTES {
            let reason = format!("line {} is longer than {} MiB", self.number, MOST_BYTES >> 20);
            return Some(Err(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
        }
        while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            bytes.pop();
        }
        Some(Ok(Line { number: self.number, text: self.decoder.decode(bytes) }))
    }
}

// Files of foreign origin: no more than memory can hold, and nothing in them that a terminal obeys.

/// The most bytes of a file that is read as a whole, as all but lists of lines are.
pub const MOST_BYTES: u64 = 64 << 20;

/// Reads a regular file of [`MOST_BYTES`] at most. A pipe or a device is refused unopened,
/// since to open it may take for ever.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    read_bounded(File::open(path)?)
}

/// Reads to the end, which must come within [`MOST_BYTES`].
pub(super) fn read_bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        let reason = format!("larger than {most} MiB, the most that is read at once");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Whether a file begins with the byte order mark of UTF-16, as those of Windows may.
pub(super) fn is_utf16(beginning: &[u8]) -> bool {
    beginning.starts_with(b"\xff\xfe") || beginning.starts_with(b"\xfe\xff")
}

/// A text of one line that no terminal and no list of lines takes for anything else: line breaks
/// and tabs become spaces, other control characters the sign for an unknown character, and those that
/// change the direction of writing their escapes, `\\u{202e}`.
pub fn one_line(text: &str) -> String {
    let text = text.trim();
    harmless(text, |c| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        _ => None,
    })
}

/// A text of any number of lines, otherwise as [`one_line`].
pub fn many_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    harmless(text.trim(), |c| matches!(c, '\n' | '\t').then_some(c))
}

fn harmless(text: &str, exception: impl Fn(char) -> Option<char>) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match exception(c) {
            Some(c) => shown.push(c),
            None if is_directional(c) => shown.extend(c.escape_unicode()),
            None if c.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            None => shown.push(c),
        }
    }
    shown
}

/// Whether a character may make a terminal or a reader believe what is not there.
pub(super) fn is_harmful(c: char) -> bool {
    c.is_control() || is_directional(c)
}

/// The characters of the property `Bidi_Control` (Unicode, PropList.txt).
fn is_directional(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_harmless() {
        assert_eq!(
            one_line(" a\x1b[31mb\r\nc\u{9b}\u{202e} "),
            "a\u{fffd}[31mb  c\u{fffd}\\u{202e}"
        );
        assert_eq!(many_lines("a\r\n\x07b\rc\td"), "a\n\u{fffd}b\nc\td");
        assert_eq!(
            many_lines("\u{2066}a\u{61c}\n\u{200f}"),
            r"\u{2066}a\u{61c}".to_owned() + "\n\\u{200f}"
        );
    }

    #[test]
    fn an_endless_line_ends_the_file() {
        use super::super::{Format, Hints, read_from};
        for format in [Format::Moves, Format::PenteOrg, Format::Sgf] {
            let hints = Hints { format: Some(format), ..Hints::default() };
            let games = read_from(io::repeat(b'a'), Path::new("endless"), &hints);
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
