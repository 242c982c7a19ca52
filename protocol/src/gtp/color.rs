//! The two colors of the protocol.

use std::fmt;
use std::str::FromStr;

use super::SyntaxError;

/// A color of GTP: black is the player who moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Color {
    /// `color = "b" | "black" | "w" | "white" ;` in any case.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let is = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        if is(["b", "black"]) {
            Ok(Self::Black)
        } else if is(["w", "white"]) {
            Ok(Self::White)
        } else {
            Err(SyntaxError::expected("a color, `b` or `w`", text))
        }
    }

    /// The other color.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `b` or `w`, as controllers write it after `genmove`.
    pub fn lower(self) -> &'static str {
        match self {
            Self::Black => "b",
            Self::White => "w",
        }
    }
}

impl FromStr for Color {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// `B` or `W`, as controllers write it after `play`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "B",
            Self::White => "W",
        })
    }
}
