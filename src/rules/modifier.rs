//! The words that change a base game.

use super::LineRule;
use crate::board::Grid;
use std::fmt;

/// A word of a [`Spec`](super::Spec) after the name, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Modifier {
    /// The first stone anywhere (S3).
    Free,
    /// The tournament rule (S1, S3, PO).
    Pro,
    /// The tournament rule with distance four (AP, BGA).
    LongPro,
    /// The tournament rule with eight more points closed (PO).
    G,
    /// Captures of exactly three besides pairs (S3, PO).
    Keryo,
    /// Captures happen but never win (S3).
    FiveOnly,
    /// That many in a row; twice as many captured stones, three times with `keryo` (BGA).
    Goal(u8),
    /// That many in a row, in games without captures.
    Line(u8),
    /// The board.
    Size(Grid),
    /// The length at which a game is a draw (LUD).
    MaxPlies(u32),
}

/// Why a word is no modifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WordError {
    Unknown,
    Value { expected: &'static str },
}

impl Modifier {
    /// Every word that may be written, with the form of its value and what it does.
    pub const WORDS: [(&'static str, &'static str); 10] = [
        ("free", "player 1's first stone anywhere"),
        ("pro", "player 1's second stone outside the central 5x5"),
        ("long-pro", "player 1's second stone outside the central 7x7"),
        ("g", "as pro, with eight points of the centre's row and column closed"),
        ("keryo", "threes are captured as well as pairs; 15 captured stones win"),
        ("five-only", "captures never win; first stone anywhere"),
        ("goal=N", "N in a row, 2N captured stones (3N with keryo); N from 3 to 6"),
        ("line=K", "K in a row, in games without captures; K from 3 to 6"),
        ("size=N", "a board of N x N, 5 to 25; gomoku also size=MxN, 3 to 25 columns x rows"),
        ("max-plies=N", "a game of N plies is a draw; 1 to 100000, by default 2500"),
    ];

    /// Reads one word in canonical spelling (lower case, hyphens).
    pub(super) fn parse(text: &str) -> Result<Modifier, WordError> {
        let (word, value) = match text.split_once('=') {
            Some((word, value)) => (word, Some(value)),
            None => (text, None),
        };
        let plain = |modifier| match value {
            None => Ok(modifier),
            Some(_) => Err(WordError::Value { expected: "no value" }),
        };
        match word {
            "free" => plain(Modifier::Free),
            "pro" => plain(Modifier::Pro),
            "long-pro" => plain(Modifier::LongPro),
            "g" => plain(Modifier::G),
            "keryo" => plain(Modifier::Keryo),
            "five-only" => plain(Modifier::FiveOnly),
            "goal" => length(value).map(Modifier::Goal),
            "line" => length(value).map(Modifier::Line),
            "size" => value.and_then(size).map(Modifier::Size).ok_or(WordError::Value {
                expected: "a number from 5 to 25, or columns x rows from 3 to 25",
            }),
            "max-plies" => number(value, 1..=100_000)
                .map(Modifier::MaxPlies)
                .ok_or(WordError::Value { expected: "a number from 1 to 100000" }),
            _ => Err(WordError::Unknown),
        }
    }

    /// Whether the word names an opening. At most one may apply.
    pub(super) fn is_opening(self) -> bool {
        matches!(self, Modifier::Free | Modifier::Pro | Modifier::LongPro | Modifier::G)
    }

    /// Whether the two words set the same thing.
    pub(super) fn same_kind(self, other: Modifier) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
            || self.is_opening() && other.is_opening()
    }

    /// The least board side that the word makes sense on.
    pub(super) fn least_size(self) -> u8 {
        match self {
            Modifier::Pro => 7,
            Modifier::LongPro | Modifier::G => 9,
            _ => 0,
        }
    }
}

fn number(value: Option<&str>, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let text = value?;
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|n| range.contains(n))
}

fn length(value: Option<&str>) -> Result<u8, WordError> {
    let (low, high) = (*LineRule::LENGTHS.start(), *LineRule::LENGTHS.end());
    number(value, low.into()..=high.into())
        .map(|n| n as u8)
        .ok_or(WordError::Value { expected: "a number from 3 to 6" })
}

fn size(text: &str) -> Option<Grid> {
    let side = |text, least| number(Some(text), least..=Grid::MAX.into()).map(|n| n as u8);
    match text.split_once('x') {
        None => side(text, 5).and_then(|n| Grid::new(n, n)),
        Some((columns, rows)) => Grid::new(side(columns, 3)?, side(rows, 3)?),
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Free => f.write_str("free"),
            Modifier::Pro => f.write_str("pro"),
            Modifier::LongPro => f.write_str("long-pro"),
            Modifier::G => f.write_str("g"),
            Modifier::Keryo => f.write_str("keryo"),
            Modifier::FiveOnly => f.write_str("five-only"),
            Modifier::Goal(n) => write!(f, "goal={n}"),
            Modifier::Line(n) => write!(f, "line={n}"),
            Modifier::Size(grid) if grid.shorter_side() < 5 => {
                write!(f, "size={}x{}", grid.columns(), grid.rows())
            }
            Modifier::Size(grid) => write!(f, "size={grid}"),
            Modifier::MaxPlies(n) => write!(f, "max-plies={n}"),
        }
    }
}
