//! Points of the table and their names.

use crate::game::Place;
use std::fmt;

/// A point of the table. The rules know no edge; texts and moves use a table of
/// [`Spot::SIDE`] x [`Spot::SIDE`], from whose middle no game can come to the edge.
///
/// ```
/// use pentarch_core::stacking::Spot;
/// let spot: Spot = "CG85".parse().unwrap();
/// assert_eq!((spot.column, spot.row), (84, 84));
/// assert_eq!(spot.to_string(), "cg85");
/// assert!("fm1".parse::<Spot>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The column, from 0 at the left.
    pub column: u8,
    /// The row, from 0 at the bottom.
    pub row: u8,
}

/// A text that names no point of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpotError {
    /// Not letters and a number.
    #[error("`{0}` is no point: expected column letters and a row number, such as `cg85`")]
    Malformed(String),
    /// Beyond the last column or row.
    #[error("`{0}` is not on the table: its last point is `fl168`")]
    OffTable(String),
}

const LETTERS: u32 = 26;

impl Spot {
    /// The columns and the rows of the table.
    pub const SIDE: u8 = 168;

    /// The spot at a column and a row, if the table has it.
    pub fn new(column: i32, row: i32) -> Option<Spot> {
        let inside = |n: i32| (0..i32::from(Spot::SIDE)).contains(&n);
        (inside(column) && inside(row)).then_some(Spot { column: column as u8, row: row as u8 })
    }

    /// The spot as a number of a move.
    #[inline]
    pub const fn place(self) -> Place {
        Place(self.row as u16 * Spot::SIDE as u16 + self.column as u16)
    }

    /// The spot of a number, if the table has it.
    #[inline]
    pub fn at(place: Place) -> Option<Spot> {
        let side = u16::from(Spot::SIDE);
        Spot::new(i32::from(place.0 % side), i32::from(place.0 / side))
    }

    /// The name of a column: `a` to `z`, `aa` to `az`, `ba` and so on, no letter skipped.
    pub fn column_name(column: u8) -> String {
        let letter = |n: u32| char::from(b'a' + (n % LETTERS) as u8);
        let column = u32::from(column);
        match (column / LETTERS).checked_sub(1) {
            None => letter(column).to_string(),
            Some(first) => String::from_iter([letter(first), letter(column)]),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Spot::column_name(self.column), u16::from(self.row) + 1)
    }
}

impl std::str::FromStr for Spot {
    type Err = SpotError;

    /// `point = letter , [ letter ] , natural ;` in either case of letters.
    fn from_str(text: &str) -> Result<Spot, SpotError> {
        let malformed = || SpotError::Malformed(text.chars().take(20).collect());
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).ok_or_else(malformed)?;
        let (letters, digits) = text.split_at(end);
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if letters.is_empty() || !plain || digits.len() > 9 {
            return Err(malformed());
        }
        let off = || SpotError::OffTable(text.chars().take(20).collect());
        let column = letters.bytes().take(4).fold(0, |sum, letter| {
            sum * LETTERS as i32 + i32::from(letter.to_ascii_lowercase() - b'a') + 1
        });
        let row: i32 = digits.parse().map_err(|_| malformed())?;
        Spot::new(column - 1, row - 1).ok_or_else(off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_read_back() {
        for number in 0..u16::from(Spot::SIDE) * u16::from(Spot::SIDE) {
            let spot = Spot::at(Place(number)).unwrap();
            assert_eq!(spot.place(), Place(number));
            assert_eq!(spot.to_string().parse(), Ok(spot));
        }
        assert_eq!(Spot::at(Place(28_224)), None);
    }

    #[test]
    fn names_of_columns() {
        for (column, name) in
            [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (84, "cg"), (167, "fl")]
        {
            assert_eq!(Spot::column_name(column), name);
        }
    }

    #[test]
    fn what_is_no_point() {
        for text in ["", "a", "1", "a0", "a01", "a-1", "é1", "a1b", "a9999999999"] {
            assert!(matches!(text.parse::<Spot>(), Err(SpotError::Malformed(_))), "{text}");
        }
        for text in ["fm1", "a169", "zz1", "aaa1", "zzzzzzzzzz1"] {
            assert!(matches!(text.parse::<Spot>(), Err(SpotError::OffTable(_))), "{text}");
        }
    }
}
