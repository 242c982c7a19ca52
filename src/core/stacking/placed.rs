//! Tiles that lie.

use super::{Oriented, Spot};
use crate::game::mix;
use crate::game::{Color, Move, Orientation};

/// A tile on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// How it is turned, and so which one it is.
    pub orientation: Orientation,
    /// The lower left corner of its box.
    pub spot: Spot,
    /// The level it lies on, from 1.
    pub level: u8,
    /// Whose it is.
    pub color: Color,
}

impl Placed {
    /// The move that placed it.
    pub fn as_move(self) -> Move {
        Move::tile(self.orientation, self.spot.place())
    }

    /// The tile without its place.
    pub fn oriented(self) -> &'static Oriented {
        Oriented::of(self.orientation)
    }

    /// Its cells.
    pub fn cells(self) -> impl Iterator<Item = Spot> {
        self.oriented()
            .cells
            .iter()
            .map(move |&(dx, dy)| Spot { column: self.spot.column + dx, row: self.spot.row + dy })
    }

    /// The number of the tile in position keys, which are the XOR of them (Zobrist 1970).
    #[inline]
    pub(super) fn hash(self) -> u64 {
        let color = u64::from(self.color.0);
        mix(u64::from(self.as_move().bits()) | u64::from(self.level) << 32 | color << 40)
    }
}
