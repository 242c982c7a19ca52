//! The formats of game records: their names, their detection, and how each is read and written.
//!
//! A new format is a module of its own, a variant here, and a line in `lib.rs`.

use crate::charset::Decoder;
use crate::read::{TextLine, TextLines, read_bounded};
use crate::sgf::Trees;
use crate::write::LostData;
use crate::{RecordedGame, game_record, line_formats, pente_org, psq, renlib, rif, sgf, yixin};
use pentarch_core::game::MoveKind;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use std::fmt;
use std::io::{self, BufReader, Read};
use std::str::FromStr;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordFormat {
    /// JSON lines, the record files of the arena.
    Json,
    /// Smart Game Format.
    Sgf,
    /// The text of pente.org, with headers.
    PenteOrg,
    /// One game a line: result, ratings and moves in capitals.
    List,
    /// One game a line: moves as in UGI.
    Moves,
    /// One opening a line, `h8i9j7`, as c-gomoku-cli and Yixin-Board write it.
    Pos,
    /// One opening a line, `0,0, 1,0`, relative to the center, as Gomocup writes it.
    Offset,
    /// The file of Piskvork: one game with times.
    Psq,
    /// The library of `RenLib`. Read only.
    Lib,
    /// The database of `RenjuNet`. Read only.
    Rif,
    /// A position of Yixin-Board. Read only.
    Yixin,
}

/// A name of no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is no format; expected one of {}", .0, RecordFormat::names())]
pub struct UnknownFormat(String);

/// A game that was parsed, or what is wrong with it.
pub(super) struct ParsedGame {
    /// The line of the game or of the error, from 1.
    pub line: usize,
    pub game: Result<RecordedGame, String>,
}

/// The games of a file. An I/O error ends it.
pub(super) type GameIter = Box<dyn Iterator<Item = io::Result<ParsedGame>>>;

impl RecordFormat {
    /// Every format with its name.
    pub const ALL: [(RecordFormat, &'static str); 11] = [
        (RecordFormat::PenteOrg, "pente-org"),
        (RecordFormat::Sgf, "sgf"),
        (RecordFormat::Json, "json"),
        (RecordFormat::Pos, "pos"),
        (RecordFormat::Offset, "offset"),
        (RecordFormat::Psq, "psq"),
        (RecordFormat::Moves, "moves"),
        (RecordFormat::List, "list"),
        (RecordFormat::Lib, "lib"),
        (RecordFormat::Rif, "rif"),
        (RecordFormat::Yixin, "yixin"),
    ];

    fn names() -> String {
        RecordFormat::ALL.map(|(_, name)| name).join(", ")
    }

    /// Returns whether games can be written in the format.
    pub fn is_writable(self) -> bool {
        !matches!(self, RecordFormat::Lib | RecordFormat::Rif | RecordFormat::Yixin)
    }

    /// The rules of a game when neither its file nor the user names them.
    fn default_rules(self) -> &'static str {
        match self {
            RecordFormat::PenteOrg | RecordFormat::List => "pro-pente",
            RecordFormat::Json | RecordFormat::Sgf | RecordFormat::Moves => "pente",
            RecordFormat::Pos | RecordFormat::Offset | RecordFormat::Psq | RecordFormat::Yixin => {
                "gomoku"
            }
            RecordFormat::Lib | RecordFormat::Rif => "renju",
        }
    }

    /// Detects the format of a file by its first bytes. A file without a line is an empty list of
    /// moves. Returns `None` if the content looks like none of the formats.
    pub fn detect(beginning: &[u8]) -> Option<RecordFormat> {
        if beginning.starts_with(renlib::MAGIC) {
            return Some(RecordFormat::Lib);
        }
        let text = String::from_utf8_lossy(beginning);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let line =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let line = line.unwrap_or_default();
        match line.bytes().next() {
            None => return Some(RecordFormat::Moves),
            Some(b'<') => return is_rif(text).then_some(RecordFormat::Rif),
            Some(b'{') => return Some(RecordFormat::Json),
            Some(b'(') => return Some(RecordFormat::Sgf),
            Some(b'[') => return Some(RecordFormat::PenteOrg),
            _ => (),
        }
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        Some(if first.eq_ignore_ascii_case("piskvorky") {
            RecordFormat::Psq
        } else if second == "Y" || second == "N" {
            RecordFormat::List
        } else if first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('.') {
            RecordFormat::PenteOrg
        } else if is_offset(line) {
            RecordFormat::Offset
        } else if yixin::is_yixin(text) {
            RecordFormat::Yixin
        } else if is_pos(line) {
            RecordFormat::Pos
        } else if text.contains("(;") {
            RecordFormat::Sgf
        } else if is_move(first) {
            RecordFormat::Moves
        } else {
            return None;
        })
    }

    /// Reads the games of a file of this format. `variant` is the ruleset that the user has named.
    pub(super) fn read(
        self,
        from: BufReader<Box<dyn Read>>,
        decoder: &Decoder,
        variant: Option<&Ruleset>,
    ) -> io::Result<GameIter> {
        let default =
            || self.default_rules().parse().map_err(|e: VariantSpecError| io::Error::other(e));
        let rules: Ruleset = variant.map_or_else(default, |rules| Ok(rules.clone()))?;
        let variant = variant.cloned();
        let lines = |from| TextLines::new(from, decoder.clone());
        Ok(match self {
            RecordFormat::Json => per_line(lines(from), |line, _| game_record::read_line(line)),
            RecordFormat::List => per_line(lines(from), move |line, number| {
                line_formats::read_list(line, number, &rules)
            }),
            RecordFormat::Moves => {
                per_line(lines(from), move |line, _| line_formats::read_moves(line, &rules))
            }
            RecordFormat::Pos => {
                per_line(lines(from), move |line, _| line_formats::read_pos(line, &rules))
            }
            RecordFormat::Offset => {
                per_line(lines(from), move |line, _| line_formats::read_offset(line, &rules))
            }
            RecordFormat::PenteOrg => {
                Box::new(pente_org::PenteOrgGames::new(lines(from), rules, variant.is_some()))
            }
            RecordFormat::Sgf => {
                let trees = Trees::new(decoder.decode_sgf(read_bounded(from)?));
                Box::new(trees.map(move |(line, tree)| {
                    let tree = tree.map_err(|error| error.to_string());
                    let game = tree.and_then(|tree| sgf::read_game(&tree, variant.as_ref()));
                    Ok(ParsedGame { line, game })
                }))
            }
            RecordFormat::Psq => {
                let text = decoder.decode(read_bounded(from)?);
                Box::new(psq::PsqGames::new(text, variant).map(Ok))
            }
            RecordFormat::Lib => {
                let bytes = read_bounded(from)?;
                Box::new(renlib::RenLibBranches::new(bytes, decoder.clone(), rules).map(Ok))
            }
            RecordFormat::Rif => {
                let text = decoder.decode_xml(read_bounded(from)?);
                Box::new(rif::RifGames::new(text, rules).map(Ok))
            }
            RecordFormat::Yixin => {
                let text = decoder.decode(read_bounded(from)?);
                Box::new(std::iter::once(Ok(yixin::read(&text, variant.as_ref()))))
            }
        })
    }

    /// Returns the text of a game with its last line break. `index` is the number of games written
    /// before it to the same file.
    ///
    /// # Errors
    ///
    /// The reason why the format cannot hold the game.
    pub(super) fn write(
        self,
        game: &RecordedGame,
        rules: &Ruleset,
        index: usize,
        lost: &mut LostData,
    ) -> Result<String, String> {
        match self {
            RecordFormat::Json => Ok(game_record::write_line(game)),
            RecordFormat::Sgf => sgf::write(game, rules, lost),
            RecordFormat::PenteOrg => {
                let text = pente_org::write(game, rules, lost);
                Ok(if index > 0 { format!("\n{text}") } else { text })
            }
            RecordFormat::List => line_formats::write_list(game, rules, lost),
            RecordFormat::Moves => Ok(line_formats::write_moves(game, lost)),
            RecordFormat::Pos => line_formats::write_pos(game, rules, lost),
            RecordFormat::Offset => line_formats::write_offset(game, rules, lost),
            RecordFormat::Psq => psq::write(game, rules, lost),
            RecordFormat::Lib | RecordFormat::Rif | RecordFormat::Yixin => {
                Err("this format is only read".to_owned())
            }
        }
    }
}

/// Parses each line that is neither empty nor a comment. `parse` gets the line and the number that
/// its game has among those read without errors.
fn per_line(
    lines: TextLines,
    mut parse: impl FnMut(&str, usize) -> Result<RecordedGame, String> + 'static,
) -> GameIter {
    let mut count = 0;
    Box::new(lines.filter_map(move |line| {
        let TextLine { number, text } = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let game = parse(text, count + 1);
        count += usize::from(game.is_ok());
        Some(Ok(ParsedGame { line: number, game }))
    }))
}

/// Returns whether a text is XML of the database of `RenjuNet`.
fn is_rif(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let is_tag = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let after = text[at + name.len()..].chars().next();
            after.is_none_or(|c| c == '>' || c == '/' || c.is_whitespace())
        })
    };
    ["<database", "<games", "<game"].into_iter().any(is_tag)
}

/// Returns whether a word can begin a line of moves: a move, a choice or `position`.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(';');
    let is_cell = |text: &str| {
        let letters = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        // An error after the first digit is reported later, as an illegal move.
        matches!(letters, 1 | 2) && text[letters..].starts_with(|c: char| c.is_ascii_digit())
    };
    let cells = word.split_once('@').map_or(word, |(_, cells)| cells);
    let choice = word.to_ascii_lowercase();
    choice == "position" || MoveKind::from_word(&choice).is_some() || cells.split(',').all(is_cell)
}

/// Returns whether a line consists of numbers and commas.
fn is_offset(line: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i32>().is_ok();
    line.contains(',') && line.split(',').filter(|text| !text.trim().is_empty()).all(number)
}

/// Returns whether a line consists of two or more points without spaces between them.
fn is_pos(line: &str) -> bool {
    let points = line.bytes().filter(u8::is_ascii_lowercase).count();
    let known = line.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    known && points > 1 && line.bytes().any(|byte| byte.is_ascii_digit())
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = RecordFormat::ALL.into_iter().find(|(format, _)| format == self);
        f.write_str(known.map_or("", |(_, name)| name))
    }
}

impl FromStr for RecordFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<RecordFormat, UnknownFormat> {
        let known = RecordFormat::ALL.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        known.map(|(format, _)| format).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_their_content() {
        for (text, format) in [
            ("\u{feff}\r\n{\"game\":1}", RecordFormat::Json),
            ("  (;FF[4]", RecordFormat::Sgf),
            ("x (;FF[4]", RecordFormat::Sgf),
            ("[Game \"Pente\"]\r\n", RecordFormat::PenteOrg),
            ("1. K10 L9 2. G10", RecordFormat::PenteOrg),
            ("# games\n0-1 Y 1600 1855 K10 K9", RecordFormat::List),
            ("j10 k10 j11 ; p1win", RecordFormat::Moves),
            ("position 19/19 w - - 1", RecordFormat::Moves),
            ("h8i9j7\n", RecordFormat::Pos),
            ("h8", RecordFormat::Moves),
            ("-1,3, -1,5, 3,5\n", RecordFormat::Offset),
            ("Piskvorky 20x20, 11:11, 0\n", RecordFormat::Psq),
            ("<?xml version=\"1.0\"?>\n<DATABASE>", RecordFormat::Rif),
            ("15\n15\n1\n7 7\n", RecordFormat::Yixin),
            ("N@j10 k10", RecordFormat::Moves),
            ("cg85,cg86,cg87,cg88,cg89", RecordFormat::Moves),
            ("swap", RecordFormat::Moves),
            ("K10x", RecordFormat::Moves),
            ("", RecordFormat::Moves),
        ] {
            assert_eq!(RecordFormat::detect(text.as_bytes()), Some(format), "{text}");
        }
        for text in ["<html><body>no games", "<?xml version=\"1.0\"?><gamelist>", "import os", "h"]
        {
            assert_eq!(RecordFormat::detect(text.as_bytes()), None, "{text}");
        }
        assert_eq!(RecordFormat::detect(b"\xffRenLib\xff\x03\x00"), Some(RecordFormat::Lib));
        for (format, name) in RecordFormat::ALL {
            assert_eq!((format.to_string().as_str(), name.parse()), (name, Ok(format)));
        }
        assert!("xls".parse::<RecordFormat>().unwrap_err().to_string().contains("pente-org, sgf"));
    }
}
