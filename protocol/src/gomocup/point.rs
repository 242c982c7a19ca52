//! Points of the board: two numbers.

use std::fmt;

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::map_opt;
use nom::sequence::{delimited, preceded, separated_pair};

use super::Coordinates;
use crate::grammar::{Mismatch, Parsed, blanks, integer32};

/// A point as it stands in a line; nothing says that it lies on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The first number, mostly the column from the left.
    pub x: i32,
    /// The second number, mostly the row from the top.
    pub y: i32,
}

impl Point {
    /// What Rapfi writes for a pass.
    pub const PASS: Self = Self { x: -1, y: -1 };

    /// A point.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The point in that column and row, counted from 0 at the lower left, of a board with
    /// that many rows.
    ///
    /// ```
    /// use pentarch_protocol::gomocup::{Coordinates, Point};
    ///
    /// assert_eq!(Point::on_board(Coordinates::Xy, 2, 0, 15), Point::new(2, 14));
    /// assert_eq!(Point::new(14, 2).column_and_row(Coordinates::Yx, 15), (2, 0));
    /// ```
    pub fn on_board(coordinates: Coordinates, column: u8, row: u8, rows: u8) -> Self {
        let (x, y) = (i32::from(column), i32::from(rows) - 1 - i32::from(row));
        match coordinates {
            Coordinates::Xy => Self { x, y },
            Coordinates::Yx => Self { x: y, y: x },
        }
    }

    /// The column and the row, counted from 0 at the lower left, on a board with that many rows.
    /// They need not lie on it.
    pub fn column_and_row(self, coordinates: Coordinates, rows: u8) -> (i32, i32) {
        let (column, from_above) = match coordinates {
            Coordinates::Xy => (self.x, self.y),
            Coordinates::Yx => (self.y, self.x),
        };
        (column, (i32::from(rows) - 1).saturating_sub(from_above))
    }
}

/// `point = integer , "," , integer ;` with or without blanks around the comma.
pub(super) fn point(input: &str) -> Parsed<'_, Point> {
    separated_pair(number, comma, number).map(|(x, y)| Point { x, y }).parse(input)
}

/// `number = integer ;` what is out of range becomes the end of the range.
fn number(input: &str) -> Parsed<'_, i32> {
    let digits = take_while1(|c: char| c.is_ascii_digit() || c == '-');
    preceded(blanks, map_opt(digits, integer32)).parse(input)
}

/// A comma with blanks around it.
pub(super) fn comma(input: &str) -> Parsed<'_, &str> {
    delimited(blanks, tag(","), blanks).parse(input)
}

/// Whether a line begins like a point.
pub(super) fn is_point_like(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// The mismatch of a line in which a point is wrong.
pub(super) fn no_point(at: &str) -> nom::Err<Mismatch<'_>> {
    Mismatch::stop("a point such as `7,7`", at)
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}
