//! The formats and how to tell them apart.

use super::charset::Charset;
use super::yixin::is_yixin;
use pentarch_core::game::MoveKind;
use pentarch_core::rules::Ruleset;
use std::fmt;
use std::str::FromStr;

/// A way of writing games down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// JSON lines, the record files of the arena.
    Json,
    /// Smart Game Format.
    Sgf,
    /// The text of pente.org, with headers.
    PenteOrg,
    /// A line of result, ratings and moves in capitals.
    List,
    /// Moves as in UGI, a game a line.
    Moves,
    /// `h8i9j7`, an opening a line, as c-gomoku-cli and Yixin-Board write them.
    Pos,
    /// `0,0, 1,0`, an opening a line from the center, as Gomocup writes them.
    Offset,
    /// Piskvork's file of one game with times.
    Psq,
    /// A library of `RenLib`, read only.
    Lib,
    /// The database of `RenjuNet`, read only.
    Rif,
    /// A position of Yixin-Board, read only.
    Yixin,
}

/// A word that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is no format; expected one of {}", .0, Format::names())]
pub struct UnknownFormat(String);

impl Format {
    /// Every format with its name.
    pub const ALL: [(Format, &'static str); 11] = [
        (Format::PenteOrg, "pente-org"),
        (Format::Sgf, "sgf"),
        (Format::Json, "json"),
        (Format::Pos, "pos"),
        (Format::Offset, "offset"),
        (Format::Psq, "psq"),
        (Format::Moves, "moves"),
        (Format::List, "list"),
        (Format::Lib, "lib"),
        (Format::Rif, "rif"),
        (Format::Yixin, "yixin"),
    ];

    fn names() -> String {
        Format::ALL.map(|(_, name)| name).join(", ")
    }

    /// Whether games can be written so.
    pub fn is_written(self) -> bool {
        !matches!(self, Format::Lib | Format::Rif | Format::Yixin)
    }

    /// The game that a file is of when neither it nor the user says so.
    pub(super) fn usual_rules(self) -> &'static str {
        match self {
            Format::PenteOrg | Format::List => "pro-pente",
            Format::Json | Format::Sgf | Format::Moves => "pente",
            Format::Pos | Format::Offset | Format::Psq | Format::Yixin => "gomoku",
            Format::Lib | Format::Rif => "renju",
        }
    }

    /// The format of a file that begins with these bytes, `None` if it looks like none of them. A file
    /// without a line is a list of no games.
    pub fn detect(beginning: &[u8]) -> Option<Format> {
        if beginning.starts_with(b"\xffRenLib\xff") {
            return Some(Format::Lib);
        }
        let text = String::from_utf8_lossy(beginning);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let line =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let line = line.unwrap_or_default();
        match line.bytes().next() {
            None => return Some(Format::Moves),
            Some(b'<') => return is_rif(text).then_some(Format::Rif),
            Some(b'{') => return Some(Format::Json),
            Some(b'(') => return Some(Format::Sgf),
            Some(b'[') => return Some(Format::PenteOrg),
            _ => (),
        }
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        Some(if first.eq_ignore_ascii_case("piskvorky") {
            Format::Psq
        } else if second == "Y" || second == "N" {
            Format::List
        } else if first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('.') {
            Format::PenteOrg
        } else if is_offset(line) {
            Format::Offset
        } else if is_yixin(text) {
            Format::Yixin
        } else if is_pos(line) {
            Format::Pos
        } else if text.contains("(;") {
            Format::Sgf
        } else if is_move(first) {
            Format::Moves
        } else {
            return None;
        })
    }
}

/// Whether a text is XML of the database of `RenjuNet` and not of any other kind.
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

/// Whether a word can begin a line of moves: a move, a choice or `position`.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(';');
    let is_cell = |text: &str| {
        let letters = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        // What comes after the first digit may be a mistake to be named as one of a move.
        matches!(letters, 1 | 2) && text[letters..].starts_with(|c: char| c.is_ascii_digit())
    };
    let cells = word.split_once('@').map_or(word, |(_, cells)| cells);
    let choice = word.to_ascii_lowercase();
    choice == "position" || MoveKind::from_word(&choice).is_some() || cells.split(',').all(is_cell)
}

/// Whether a line is of numbers with commas.
fn is_offset(line: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i32>().is_ok();
    line.contains(',') && line.split(',').filter(|text| !text.trim().is_empty()).all(number)
}

/// Whether a line is of two or more points without blanks between them.
fn is_pos(line: &str) -> bool {
    let points = line.bytes().filter(u8::is_ascii_lowercase).count();
    let known = line.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    known && points > 1 && line.bytes().any(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Format::ALL.into_iter().find(|(format, _)| format == self);
        f.write_str(known.map_or("", |(_, name)| name))
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        known.map(|(format, _)| format).ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

/// What the user knows of a file and the file may not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// How it is written, if not as its content looks.
    pub format: Option<Format>,
    /// The rules of games that name none.
    pub rules: Option<Ruleset>,
    /// The character set of text that has no label; without it UTF-8, or guessed where the bytes are none.
    pub charset: Option<Charset>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_content() {
        for (text, format) in [
            ("\u{feff}\r\n{\"game\":1}", Format::Json),
            ("  (;FF[4]", Format::Sgf),
            ("x (;FF[4]", Format::Sgf),
            ("[Game \"Pente\"]\r\n", Format::PenteOrg),
            ("1. K10 L9 2. G10", Format::PenteOrg),
            ("# games\n0-1 Y 1600 1855 K10 K9", Format::List),
            ("j10 k10 j11 ; p1win", Format::Moves),
            ("position 19/19 w - - 1", Format::Moves),
            ("h8i9j7\n", Format::Pos),
            ("h8", Format::Moves),
            ("-1,3, -1,5, 3,5\n", Format::Offset),
            ("Piskvorky 20x20, 11:11, 0\n", Format::Psq),
            ("<?xml version=\"1.0\"?>\n<DATABASE>", Format::Rif),
            ("15\n15\n1\n7 7\n", Format::Yixin),
            ("N@j10 k10", Format::Moves),
            ("cg85,cg86,cg87,cg88,cg89", Format::Moves),
            ("swap", Format::Moves),
            ("K10x", Format::Moves),
            ("", Format::Moves),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), Some(format), "{text}");
        }
        for text in ["<html><body>no games", "<?xml version=\"1.0\"?><gamelist>", "import os", "h"]
        {
            assert_eq!(Format::detect(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Format::detect(b"\xffRenLib\xff\x03\x00"), Some(Format::Lib));
        for (format, name) in Format::ALL {
            assert_eq!((format.to_string().as_str(), name.parse()), (name, Ok(format)));
        }
        assert!("xls".parse::<Format>().unwrap_err().to_string().contains("pente-org, sgf"));
    }
}
