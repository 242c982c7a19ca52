//! Positions of small games as bits, and how they end.

/// A position of a small game: stones and captured stones by color, and the color to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmallBoard {
    /// The stones of each color.
    pub stones: [u64; 2],
    /// The stones that each color has captured.
    pub captured: [u8; 2],
    /// The color to move, 0 or 1.
    pub color: u8,
}

/// How a game ends for the first color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum Value {
    /// The second player wins.
    Second = -1,
    /// Nobody wins.
    Draw = 0,
    /// The first player wins.
    First = 1,
}

impl Value {
    /// A win of a color.
    pub const fn win(color: usize) -> Value {
        if color == 0 { Value::First } else { Value::Second }
    }
}

impl SmallBoard {
    /// How many stones were placed before, if none was set up.
    pub(super) fn placed(&self) -> u32 {
        let stones = (self.stones[0] | self.stones[1]).count_ones();
        stones + u32::from(self.captured[0]) + u32::from(self.captured[1])
    }
}
