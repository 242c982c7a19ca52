//! Who sits at the board, who wins together, and which stones are meant.

use std::fmt;

/// A place at the board, numbered from 0 in the order of play. Clocks and results belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

/// Those who win together, numbered from 0. Without teams every seat is its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub u8);

/// A color of stones, numbered from 0 in the order of play. Rules speak of colors; a swap
/// opening may hand a color to another [`Seat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Color(pub u8);

impl Seat {
    /// The number of the seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Side {
    /// The number of the side as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Color {
    /// What a neutral stone has in place of a color.
    pub const NEUTRAL: Color = Color(4);
    /// What a power stone has in place of a color.
    pub const POWER: Color = Color(5);

    /// The other color of a game for two.
    #[inline]
    pub const fn opponent(self) -> Color {
        Color(self.0 ^ 1)
    }

    /// The number of the color as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Seats are shown to people counted from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Sides are shown to people counted from 1.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}
