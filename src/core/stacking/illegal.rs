//! What games of tiles refuse.

use crate::game::Illegal;

/// Why a tile may not be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTile {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] Illegal),
    /// Something other than a tile in a game of tiles.
    #[error("this game is played with tiles, five points each, such as `c4,c5,c6,d4,d5`")]
    NoTile,
    /// A second tile of the same shape.
    #[error("the {0} tile of this color has been played")]
    TileUsed(char),
    /// The first tile elsewhere than where position texts and moves expect it.
    #[error("the lower left corner of the first tile's box is {0}")]
    FirstPlace(&'static str),
    /// Cells on several levels.
    #[error("the tile would not lie flat")]
    NotFlat,
    /// A tile on the table that touches none.
    #[error("a tile on the table must share an edge with another tile on the table")]
    NotAdjacent,
    /// A tile exactly on top of another.
    #[error("the tile would rest on one tile only, it needs two")]
    OneSupport,
    /// The rule of the highest level.
    #[error("the {shape} tile must go to level {highest}, here it would lie on level {level}")]
    TooLow {
        /// The letter of the tile.
        shape: char,
        /// Where it would lie, from 1.
        level: u8,
        /// The highest level at which it fits.
        highest: u8,
    },
}
