//! Files of games in any format, one game after the other.

use super::charset::{Charset, Decoder};
use super::format::{Format, Hints};
use super::lines::{Line, Lines};
use super::rif::Rif;
use super::sgf::Trees;
use super::source::{is_utf16, one_line, read_bounded};
use super::{RecordedGame, json, list, moves, offset, pente_org, pos, psq, renlib, sgf, yixin};
use pentarch_core::rules::Ruleset;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

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
        Format::Json => json::read(text),
        Format::List => list::read(text, number, rules),
        Format::Pos => pos::read(text, rules),
        Format::Offset => offset::read(text, rules),
        _ => moves::read(text, rules),
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
