//! Points of a board as GTP names them: `A1`, `K10`, `AA26`.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::character::complete::{alpha1, digit1};
use nom::combinator::{all_consuming, map_opt};

use super::SyntaxError;

/// The letters of columns; the protocol leaves out I.
const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The number of [`LETTERS`].
const BASE: u32 = 25;

/// The widest board whose columns are read, as wide as any GUI shows.
const MAX_COLUMNS: u32 = 52;

/// A point, counted from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vertex {
    /// The column, from 0 at the left.
    pub column: u32,
    /// The row, from 0 at the bottom.
    pub row: u32,
}

impl Vertex {
    /// `vertex = column , row ; column = letter , [ letter ] ; row = digit , { digit } ;`
    ///
    /// The letters are A to Z without I, in any case; after Z comes AA, and the
    /// last column is BB. Rows count from 1. `pass` is not a vertex.
    ///
    /// ```
    /// use pentarch_protocol::gtp::Vertex;
    ///
    /// assert_eq!(Vertex::parse("k10"), Ok(Vertex { column: 9, row: 9 }));
    /// assert!(Vertex::parse("I5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let row = |digits: &str| digits.parse::<u32>().ok()?.checked_sub(1);
        let parsed: nom::IResult<&str, (u32, u32)> =
            all_consuming((map_opt(alpha1, column), map_opt(digit1, row))).parse(text);
        match parsed {
            Ok((_, (column, row))) => Ok(Self { column, row }),
            Err(_) => Err(SyntaxError::expected("a vertex such as `A1` or `K10`", text)),
        }
    }
}

/// The number of the column with these letters.
fn column(letters: &str) -> Option<u32> {
    let mut index = 0_u32;
    for letter in letters.chars() {
        let digit = LETTERS.find(letter.to_ascii_uppercase())?;
        index = index.checked_mul(BASE)?.checked_add(digit as u32 + 1)?;
    }
    index.checked_sub(1).filter(|&column| column < MAX_COLUMNS)
}

impl FromStr for Vertex {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = Vec::new();
        let mut left = Some(self.column);
        while let Some(index) = left {
            letters.extend(LETTERS.chars().nth((index % BASE) as usize));
            left = (index / BASE).checked_sub(1);
        }
        let column: String = letters.into_iter().rev().collect();
        write!(f, "{column}{}", u64::from(self.row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns() {
        for (text, column, row) in [
            ("A1", 0, 0),
            ("H8", 7, 7),
            ("J9", 8, 8),
            ("K10", 9, 9),
            ("T19", 18, 18),
            ("Z25", 24, 24),
            ("AA26", 25, 25),
            ("AH1", 32, 0),
            ("AJ1", 33, 0),
            ("AZ50", 49, 49),
            ("BA51", 50, 50),
            ("BB52", 51, 51),
        ] {
            let vertex = Vertex { column, row };
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Vertex::parse(text), Ok(vertex));
            assert_eq!(Vertex::parse(&text.to_lowercase()), Ok(vertex));
        }
    }

    #[test]
    fn what_is_not_a_vertex() {
        for text in [
            "",
            "A",
            "1",
            "A0",
            "I9",
            "AI3",
            "IA3",
            "BC1",
            "AAA1",
            "A-1",
            "A+1",
            "A1x",
            " A1",
            "A1 ",
            "pass",
            "A4294967296",
            "\u{c4}1",
            "A\u{664}",
            "1A",
        ] {
            assert!(Vertex::parse(text).is_err(), "{text:?}");
        }
        let error = Vertex::parse("I9").unwrap_err();
        assert!(error.to_string().starts_with("syntax error: expected a vertex"), "{error}");
    }

    #[test]
    fn any_value_can_be_printed() {
        let vertex = Vertex { column: u32::MAX, row: u32::MAX };
        assert!(vertex.to_string().ends_with("4294967296"));
    }
}
